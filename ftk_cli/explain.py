"""`ftk explain`: prints the page of a kind of finding, or a rule and where it is defined."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from ftk_cli import explain_names, failure, games, options
from ftk_cli.describe import describer
from ftk_cli.language import language, localized
from ftk_cli.output import emit
from ftk_cli.rulings import lines as ruling_lines
from ftk_cli.text.languages import described_in, in_language
from rulespec.base.findings import KINDS, kind_called
from rulespec.base.findings.catalog import text_in
from rulespec.base.findings.pages import page_of
from rulespec.base.messages import say, sentences
from rulespec.base.project import known_games

if TYPE_CHECKING:
    from rulespec.base.findings.kind import FindingKind
    from rulespec.games.api import Spec as Loaded
    from rulespec.language.model.spec import Rule, Spec
    from rulespec.text.rules.describe.description import Description


@click.command()
@click.argument("what", metavar="CODE|NAME|ID")
@click.argument("game", metavar="[SPEC]", required=False)
@click.option("--spec", "spec_name", metavar="SPEC", help="The spec a rule is in (default: all games of the project).")
@options.variant
@click.option("--lang", metavar="LANG", help="Show a finding, or only the text of a rule, in this language.")
@options.output
@options.no_notes
@options.verbose
def explain(
    what: str,
    game: str | None,
    spec_name: str | None,
    variant: str,
    lang: str | None,
    output: str | None,
    verbose: bool,
) -> None:
    """Explain a finding by its code or name, or show a rule, a ruling, an invariant or another name of a game.

    \b
    Examples:
      ftk explain RS102
      ftk explain duplicate-key
      ftk explain esteem.auction --spec fortheking
      ftk explain esteem.auction --lang uk
      ftk explain deck.size fortheking
    """
    if game and spec_name:
        raise click.UsageError(say("Give the spec once: as the second argument, or with --spec."))
    spec_name = spec_name or game
    kind = None if spec_name else kind_called(what)
    if kind is not None:
        emit("\n".join(_page(kind, lang)), output)
        return
    if variant and not spec_name:
        raise click.UsageError(say("--variant needs --spec: the game that it is a variant of."))
    specs = [games.load(game, variant=variant) for game in ([spec_name] if spec_name else known_games())]
    pages = ["\n".join(page) + "\n" for spec in specs if (page := _of_spec(spec, what, lang))]
    if not pages:
        raise click.UsageError(_unknown(what, [spec.model for spec in specs], with_codes=not spec_name))
    emit("\n".join(pages), output)


def _page(kind: FindingKind, lang: str | None) -> Iterator[str]:
    wanted = options.FindingLanguage()(lang) or language()
    page = page_of(kind, wanted)
    yield f"{kind.code} {kind.name} ({text_in(kind.severity_text, wanted)})"
    yield ""
    yield page.title
    yield ""
    if page.lang != wanted:
        yield text_in(say("This page has not been translated yet, so it is in English."), wanted)
        yield ""
    yield page.text().rstrip("\n")


def _texts(spec: Loaded, rule: str, lang: str | None, labels: Mapping[str, str]) -> Iterator[str]:
    """The text of a rule in every language, or in one. Raises Failure if there is no text in that language."""
    from rulespec.games.rulebook import texts_of

    for translation in texts_of(spec).values() if lang is None else [in_language(spec, lang)]:
        if rule in translation.rules:
            passage = translation.rules[rule]
            yield f"  {labels['text_in'].format(lang=translation.lang, title=passage.title)}"
            yield from (f"    {line}".rstrip() for line in passage.text.text.strip().split("\n"))


def _does(spec: Loaded, rule: str, lang: str | None, labels: Mapping[str, str]) -> Iterator[str]:
    """What the steps of a rule do, in a language with descriptions."""
    from rulespec.text.rules.describe.description import body

    description = describer(spec, lang)
    described = description.rule(rule)
    if described.lines:
        yield f"  {labels['does']}"
        yield from (f"    {line}" for line in body(description, described))


def _weights(model: Spec, rule: str, labels: Mapping[str, str]) -> Iterator[str]:
    """The weights of the options of a rule, which are hints for bots."""
    from rulespec.games.api import weight_texts

    for option, weight in weight_texts(model, rule):
        yield f"  {labels['weight'].format(option=option, weight=weight)}"


def _must_state(spec: Loaded, rule: str, lang: str | None, labels: Mapping[str, str]) -> Iterator[str]:
    """The facts that a text of a rule must state, in a language with descriptions."""
    from rulespec.games.rulebook import book_of
    from rulespec.text.rules.describe.facts import required_sentences

    book = book_of(spec)
    facts = list(required_sentences(rule, describer(spec, lang).say, book)) if book is not None else []
    if facts:
        yield f"  {labels['must_state']}"
        yield from (f"    {line}" for one in facts for line in f"- {one}".replace("\n", "\n  ").split("\n"))


def _described_in(spec: Loaded, lang: str | None) -> str | None:
    """The language for the description of a rule beside its text in the language asked for; None if none is."""
    return described_in(in_language(spec, lang).lang) if lang is not None else None


def labels_in(lang: str | None = None) -> Mapping[str, str]:
    """The labels of a language with descriptions (default: that of specs)."""
    from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
    from rulespec.text.rules.describe.grammar import grammar_of

    return grammar_of(lang or LANGUAGE_OF_SPECS).labels


def _of_spec(spec: Loaded, what: str, lang: str | None) -> list[str]:
    model = spec.model
    if what in model.rules:
        described_in = _described_in(spec, lang)
        labels = labels_in(described_in)
        lines = rule_lines(model, model.rules[what], labels, _describer(spec, described_in))
        does, hints = _does(spec, what, described_in, labels), _weights(model, what, labels)
        stated = _must_state(spec, what, described_in, labels)
        return [*lines, *does, *hints, *stated, *_texts(spec, what, lang, labels)]
    if what in model.rulings:
        ruling = model.rulings[what]
        head, *rest = ruling_lines(ruling)
        title = say("{name}: {kind} of {game}", name=head, kind=say("a ruling"), game=model.title)
        return [localized(title), f"  {explain_names.defined_at(model, ruling.span)}", *rest]
    return explain_names.lines(model, what)


def _describer(spec: Loaded, described_in: str | None) -> Description | None:
    """The description in the language asked for; None if that is the language of specs, or has no descriptions."""
    from rulespec.text.languages.registry import LANGUAGE_OF_SPECS

    return describer(spec, described_in) if described_in not in (None, LANGUAGE_OF_SPECS) else None


def rule_lines(
    model: Spec, rule: Rule, labels: Mapping[str, str] | None = None, words: Description | None = None
) -> Iterator[str]:
    """The lines that describe a rule: its title, its place in the spec, when it applies, the rulings it depends on.

    With `words`, titles and rulings are those of its language; notes, which only the spec has, are left out.
    """
    labels = labels or labels_in()

    def title(one: Rule) -> str:
        return words.say.names.title(one.id) if words is not None else one.title

    yield f"{rule.id}: {title(rule)}" if title(rule) else rule.id
    game = (words.game if words is not None else "") or model.title
    yield f"  {labels['rule_of'].format(game=game, version=model.version)}"
    if rule.note and words is None:
        yield f"  {rule.note}"
    yield f"  {labels['defined_at'].format(place=explain_names.place(model, rule.span))}"
    if not rule.in_rulebook:
        yield f"  {labels[f'origin_{rule.origin}'].format(game=model.builds_on)}"
    if rule.only_if is not None:
        yield f"  {labels['only_if'].format(condition=_only_if(model, rule))}"
    inner = [other for other in model.rules.values() if _inside(other, rule)]
    if inner:
        yield f"  {labels['inside']}"
        yield from (f"    {other.id}: {title(other)}" for other in inner)
    named = set(re.findall(r"\w+", model.source.text[rule.span.start : rule.span.end]))
    for ruling in model.rulings.values():
        if ruling.id in named:
            yield f"  {labels['depends']}"
            asked = ruling_lines(ruling) if words is None else [words.ruling(ruling.id, ruling.options[0])]
            yield from (f"    {line}" for line in asked)


def _inside(inner: Rule, outer: Rule) -> bool:
    return inner.id != outer.id and outer.span.start <= inner.span.start and inner.span.end <= outer.span.end


def _only_if(model: Spec, rule: Rule) -> str:
    """The condition as it is written in the spec."""
    from rulespec.games.api import condition_text

    return condition_text(model, rule)


def _unknown(what: str, specs: list[Spec], with_codes: bool) -> str:
    ids = [id_ for spec in specs for id_ in (*spec.rules, *spec.rulings, *explain_names.names(spec))]
    codes = [word for kind in KINDS.values() for word in (kind.code, kind.name)] if with_codes else []
    games = tuple(spec.title for spec in specs)
    if not with_codes:
        said = say("`{what}` is not a name of {games}.", what=what, games=games)
    elif games:
        said = say("`{what}` is neither a finding nor a name of {games}.", what=what, games=games)
    else:
        said = say("`{what}` is neither a finding nor a name of any game.", what=what)
    otherwise = say("See `ftk check`, or the ids in the spec.")
    return sentences(said, failure.did_you_mean(what, [*ids, *codes]) or otherwise)
