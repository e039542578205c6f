"""`ftk compile`: prints the source generated from a spec, compiles it into the cache, or writes it as WebAssembly."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import games, options
from ftk_cli.failure import Failure, sentence
from ftk_cli.language import localized
from ftk_cli.output import emit, replace_all, to_json
from ftk_cli.text.languages import in_language
from rulespec.base import store
from rulespec.base.messages import counted, player_count, reason, say
from rulespec.engine.backend.engines.cache import COMPILED
from rulespec.engine.backend.engines.code import COMPILE_LIMITS, within_limits
from rulespec.engine.backend.llvm.faults import LinkError
from rulespec.engine.wasm.modules import missing as wasm_missing
from rulespec.engine.wasm.modules import module as wasm_module

if TYPE_CHECKING:
    from rulespec.engine.states.game import Game
    from rulespec.games.api import Spec


@click.command("compile")
@options.spec
@options.variant
@options.players
@options.rulings
@options.deck
@click.option(
    "--engine",
    type=options.OneOf("engine", options.generated),
    default="compiled",
    show_default=True,
    help="Python code, or machine code.",
)
@click.option(
    "--form",
    type=click.Choice(["games", "decisions"]),
    default="games",
    show_default=True,
    help="Playouts of random players, or segments from one decision to the next.",
)
@click.option("--print", "print_", is_flag=True, help="Print the source, compile nothing.")
@click.option(
    "--target",
    type=click.Choice(["wasm"]),
    help="Write a WebAssembly module, its description and its scene to the folder --output (default: this one).",
)
@click.option("--lang", default="", metavar="LANG", help="With --target: the language of the scene, such as uk.")
@options.output
@options.no_notes
@options.verbose
def compile_(
    spec: str,
    variant: str,
    players: int | None,
    rulings: dict[str, str],
    deck: str | None,
    engine: str,
    form: str,
    print_: bool,
    target: str | None,
    lang: str,
    output: str | None,
    verbose: bool,
) -> None:
    """Print the source generated from a spec for one number of players, or compile it before it is first played.

    Compiled code is cached by the hash of the spec, the number of players and the rulings, in the cache folder of the
    user. The cache may be deleted at any time. With --target, nothing is cached.

    \b
    Examples:
      ftk compile fortheking --players 4 --print
      ftk compile fortheking --players 4 --engine native --ruling overbid=forbidden
      ftk compile fortheking --players 4 --target wasm --output site
      ftk compile fortheking --players 4 --target wasm --lang uk --output site
    """
    if target is not None:
        _without("--engine", "--form", "--print")
    elif lang:
        raise click.UsageError(say("--lang needs --target wasm: only a scene has words of a language."))
    loaded = games.load(spec, deck, variant)
    if target is not None:
        tag = in_language(loaded, lang).lang if lang else ""
        emit("\n".join(_written(loaded, games.make(loaded, players, rulings), tag, Path(output or "."))))
        return
    if print_:
        emit(_source(games.make(loaded, players, rulings), engine, form), output)
        return
    game = games.make(loaded, players, rulings, engine)
    began = time.perf_counter()
    cached = _compile(game, form)
    seconds = time.perf_counter() - began
    emit("\n".join(_report(game, form, cached, seconds)), output)


def _without(*names: str) -> None:
    """Ends the command if one of these options is given."""
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is click.core.ParameterSource.COMMANDLINE
        if given and (name := next(iter(option.opts))) in names:
            raise click.UsageError(
                say("{option} does not go with --target wasm, which has playouts and decisions at once.", option=name)
            )


def _written(spec: Spec, game: Game, lang: str, folder: Path) -> Iterator[str]:
    """Writes the module of a game, its description and its scene, and says so. Raises Failure if one of them cannot be
    made."""
    from rulespec.play.table.arrangement import arranged
    from rulespec.play.table.hosts import hosted
    from rulespec.play.table.scene import Scene
    from rulespec.play.table.words import words_in

    if missing := wasm_missing():
        raise Failure(sentence(missing))
    began = time.perf_counter()
    try:
        module, description = wasm_module(game)
    except COMPILE_LIMITS:
        raise _too_much(game) from None
    except LinkError as error:
        raise Failure(reason(error)) from None
    files = [folder / f"{game.spec.id}-{game.players}{ending}" for ending in (".wasm", ".json", ".scene.json")]
    scene = hosted(Scene(game, words_in(spec, game, lang), arranged(spec, lang)))
    contents: tuple[str | bytes, ...] = (module, to_json(description), to_json(scene))
    replace_all(dict(zip(map(str, files), contents, strict=True)), overwrite=True)
    seconds = time.perf_counter() - began
    yield localized(
        say(
            "{game}, {players} (wasm): compiled in {seconds:.2f} s.",
            game=game.spec.title,
            players=player_count(game.players),
            seconds=seconds,
        )
    )
    for file in files:
        size = file.stat().st_size
        yield localized(counted("{path}: {number:,} byte", "{path}: {number:,} bytes", size, path=file))


def _source(game: Game, engine: str, form: str) -> str:
    """The source, after a comment line that names the game. Raises Failure if it cannot be generated.

    The source contains no text of the spec but ids of rules, and the game's name as ASCII in the first line.
    """
    rulings = ", ".join(f"{id_}={answer}" for id_, answer in game.identity()["rulings"].items())
    about = f"{game.spec.id} {game.spec.version}, {game.players} players, {rulings or 'no rulings'}"
    try:
        return f"# {ascii(about)[1:-1]}\n\n{game.code.source(engine, form)}"
    except COMPILE_LIMITS:
        raise _too_much(game) from None


def _compile(game: Game, form: str) -> bool:
    """Compiles the code or reads it from the cache; whether it was cached. Raises Failure if it cannot be compiled."""
    before, native = len(COMPILED), game.engine == "native"
    if form == "games":
        made: list[object] = [game.code.machine() if native else game.code.playout(False)]
    else:
        silent, recording = (partial(game.code.compile_decisions, record) for record in (False, True))
        # Machine code emits no events; compiled Python does.
        made = [game.code.segments if native else within_limits(silent), within_limits(recording)]
    if None in made:
        raise _too_much(game)
    return len(COMPILED) == before


def _too_much(game: Game) -> Failure:
    return Failure(
        say("{title} is too large to compile, or nested too deeply.", title=game.spec.title),
        say("It can still be played: the interpreter runs what cannot be compiled."),
    )


def _report(game: Game, form: str, cached: bool, seconds: float) -> Iterator[str]:
    what = {"games": say("playouts"), "decisions": say("segments")}[form]
    made = {"game": game.spec.title, "players": player_count(game.players), "what": what, "engine": game.engine}
    read = say("{game}, {players}, {what} ({engine}): read from the cache in {seconds:.2f} s.", **made, seconds=seconds)
    done = say("{game}, {players}, {what} ({engine}): compiled in {seconds:.2f} s.", **made, seconds=seconds)
    yield localized(read if cached else done)
    yield localized(say("Cache: {folder}", folder=store.folder()))
