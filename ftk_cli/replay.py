"""`ftk replay`: plays a log again and compares it line by line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import failure, games, inputs, options
from ftk_cli.output import emit, note
from ftk_cli.text.languages import of_play
from rulespec.base.messages import counted, reason, say, sentences
from rulespec.base.project import playable_games

if TYPE_CHECKING:
    from rulespec.base.messages import Message
    from rulespec.engine.states.game import Game
    from rulespec.engine.states.state import State
    from rulespec.games.api import Spec
    from rulespec.language.model.spec import Spec as Model
    from rulespec.play.table.words import Words


@click.command()
@click.argument("log_name", metavar="LOG")
@click.option("--spec", "spec_name", metavar="SPEC", help="The spec to play it with (default: the game the log names).")
@options.variant
@options.deck
@options.engine
@click.option("--lang", metavar="LANG", help="Describe the game in a language that it has texts in, such as uk.")
@options.quiet
@options.verbose
def replay(
    log_name: str,
    spec_name: str | None,
    variant: str,
    deck: str | None,
    engine: str,
    lang: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Play a log again and compare every line with what the rules say.

    The log names its game and its variant; --spec and --variant replay it with
    others. With -v the events and the result are described, in the language of --lang or of the environment. The exit
    status is 1 if a line differs.

    \b
    Examples:
      ftk play fortheking --people none --seed 7 --log game.jsonl
      ftk replay game.jsonl -v --lang uk
    """
    from rulespec.play.table.words import words_in

    text = inputs.source(log_name).text
    head = head_of(text, log_name)
    spec = _spec(head["game"], spec_name, variant, deck) if variant else spec_of_log(head, spec_name, deck)
    game = _game(head, spec, games.engine_here(engine))
    words = words_in(spec, game, of_play(spec, lang))
    state = _play(game, text, log_name, _is_of(head, game, log_name))
    if verbose:
        emit("\n".join(_story(state, words)))
    if not quiet:
        emit(f"{log_name}: {words.of(_agrees(state))}")
    games.remark(game.spec, game.setting.cards, quiet, of=words.of)


def _agrees(state: State) -> Message:
    """That a whole log agrees with the rules."""
    what = say("a whole game") if state.is_terminal() else say("a game that was not finished")
    return counted(
        "{what}, {number:,} choice; every line agrees with {rules}.",
        "{what}, {number:,} choices; every line agrees with {rules}.",
        len(state.choices),
        what=what,
        rules=f"{state.game.spec.title} {state.game.spec.version}",
    )


def head_of(text: str, name: str) -> dict[str, Any]:
    """The first line of a log. Ends the command if it is none."""
    from rulespec.engine.states.log import LogError
    from rulespec.engine.states.log import head as log_head

    try:
        return log_head(text)
    except LogError as error:
        raise failure.Failure(
            say("{path}:{line}: {reason}.", path=name, line=1, reason=reason(error)),
            say("A log is what `ftk play --log FILE` writes."),
        ) from None


def _game(head: dict[str, Any], spec: Spec, engine: str) -> Game:
    from rulespec.engine.states.log import rulings_of

    try:
        return spec.game(head["players"], rulings_of(spec.model, head), engine)
    except ValueError as error:
        raise failure.Failure(
            say("This log does not fit the spec: {error}.", error=reason(error)),
            say("It was written with another version of the spec."),
        ) from None


def spec_of_log(head: Mapping[str, Any], spec_name: str | None, deck: str | None) -> Spec:
    """The spec in the variant that a log names. Raises Failure if there is no such variant."""
    try:
        return _spec(head["game"], spec_name, str(head.get("variant", "")), deck)
    except click.UsageError as error:
        hint = say("Bring its overlay back to specs/variants/, or name another variant with --variant.")
        raise failure.Failure(
            say("The log is of a variant that is not there: {message}", message=error.message), hint
        ) from None


def _spec(named: str, spec_name: str | None, variant: str, deck: str | None) -> Spec:
    # The name in a log is data from elsewhere: it may choose among the known games, never open another file.
    if spec_name is None and named not in playable_games():
        raise failure.Failure(
            say(
                "The log is of the game `{named}`, which is neither in specs/ nor packaged with ftk.", named=named[:60]
            ),
            say("Name its spec with --spec."),
        )
    spec = games.load(spec_name or named, deck, variant)
    if spec.id != named:
        raise failure.Failure(
            say("The log is of the game `{named}`, the spec is of `{id}`.", named=named[:60], id=spec.id),
            say("Name the right spec with --spec."),
        )
    return spec


def _is_of(head: dict[str, Any], game: Game, name: str) -> bool:
    """Whether a log is of this very spec. If not, says so: its first line is not compared then."""
    identity = game.identity()
    if all(head.get(key) == identity[key] for key in ("digest", "version")):
        return True
    versions = say("{version}, this is {present}", version=str(head.get("version")), present=game.spec.version)
    if head.get("version") == game.spec.version:
        versions = say("{version} both", version=game.spec.version)
    said = say(
        "{path}: the log was written with another text of the spec or other cards (version {versions}); "
        "the events are compared anyway.",
        path=name,
        versions=versions,
    )
    note(sentences(said, _compare_with(str(head.get("digest")), str(head.get("version")), game.spec)))
    return False


def _compare_with(digest: str, version: str, spec: Model) -> str:
    """The command that shows what has changed since a log was written, if its version of the spec is kept."""
    from rulespec.editing.lift.logs import kept_version

    path = kept_version(spec, digest, version)
    if path is None:
        return ""
    old, new = inputs.shown(str(path)), inputs.shown(spec.source.path)
    return say("What has changed: ftk diff {old} {new}", old=old, new=new)


def _play(game: Game, text: str, name: str, same: bool) -> State:
    from rulespec.engine.states.log import LogError, replay, replay_on

    try:
        return replay(game, text) if same else replay_on(game, text)
    except LogError as error:
        click.echo(f"{name}:{error.line}: {error}", err=True)
        raise click.exceptions.Exit(failure.FINDINGS) from None


def _story(state: State, words: Words) -> list[str]:
    from rulespec.play.table.story import Story

    return [*Story(state, None, words=words).news(state), "", *map(words.of, state.explain_result())]
