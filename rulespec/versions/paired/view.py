"""The figures of paired games as sections of sentences and tables, for any output format."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.base.characters import capital
from rulespec.base.pages import templates
from rulespec.play.balance.estimate import holm
from rulespec.play.balance.page import Plot, minus
from rulespec.play.balance.sentences import Format, counted, listed
from rulespec.play.balance.view import FigureRow, Section, Table
from rulespec.versions.changes.words import Words
from rulespec.versions.paired.difference import Difference
from rulespec.versions.paired.figures import GAME, LENGTH
from rulespec.versions.paired.pair import Pair
from rulespec.versions.paired.players import player_named
from rulespec.versions.paired.run import Change, Result

RULES = "rules"


@dataclass(frozen=True)
class Group:
    """A group of figures: its title, its noun in sentences, the label of its rows, and whether it is a share."""

    title: str
    noun: str
    label: str
    percent: bool = False


def groups(result: Result) -> dict[str, Group]:
    """The groups of figures in the order of the report. Points have the name that the game gives them."""
    ranking = result.pair.new.program.ranking
    points = ranking.keys[0].title if ranking is not None else "points"
    return {
        "wins": Group("Share of the wins", "wins", "seat", percent=True),
        "points": Group(f"Mean {points}", points, "seat"),
        LENGTH: Group("Decisions per game", "length", ""),
        "given": Group("Times that a prize is given, per game", "prizes", "prize"),
        "worth": Group("Worth of all prizes given, per game", "worth of prizes", "prize"),
        RULES: Group("Times that a rule applies, per game", "use of rules", "rule"),
    }


def headline(result: Result) -> str:
    """The versions, the number of pairs, the players and the seed."""
    old, new = result.pair.old.spec, result.pair.new.spec
    players = f"{result.pair.players} {result.bot} player{'s' * (result.pair.players != 1)}"
    versions = old.version if old.version == new.version else f"{old.version} → {new.version}"
    return f"{new.title} {versions}, {counted(result.games, 'pair')} of games of {players}, seed {result.seed}"


CAVEAT = (
    "Both versions are played with the same seeds. Every draw is named by the rule that makes it, so the games of a "
    "pair stay the same until a change matters. Differences are new minus old, with their 95 % confidence intervals, "
    "for shares in percentage points."
)


def sections(result: Result, first: Difference | None = None) -> Iterator[Section]:
    """The sections of the report."""
    firm = significant(result)
    yield Section("pairs", "Pairs", (*_pairs(result), *_first(first, result.pair)))
    named = groups(result)
    shown = [group for group in GAME if result.of(group)]
    for id_, title, some in (
        ("games", "Games", [group for group in shown if group not in ("given", "worth")]),
        ("prizes", "Prizes", [group for group in shown if group in ("given", "worth")]),
        ("rules", "Rules", [RULES]),
    ):
        text = tuple(_verdict(result, group, named[group], firm) for group in some)
        tables = tuple(_table(result, group, named[group], firm) for group in some)
        if text:
            yield Section(id_, title, text, tuple(table for table in tables if table.rows))


def significant(result: Result) -> frozenset[int]:
    """The indices of the changes that are significant, with Holm's correction for all that are tested: the figures of
    the game together, and the use of rules together."""
    found: set[int] = set()
    for about_rules in (False, True):
        indices = [i for i, one in enumerate(result.changes) if (one.figure.group == RULES) == about_rules]
        tested = [i for i in indices if result.changes[i].differing]
        shown = holm([_chance(result.changes[i]) for i in tested])
        found.update(i for i, shows in zip(tested, shown, strict=True) if shows)
    return frozenset(found)


def _chance(change: Change) -> float:
    """The p-value. A difference that is the same in every pair has no spread, and is certain."""
    difference = change.difference
    return 0.0 if difference.value and difference.error == 0 else difference.chance


# --- sentences -------------------------------------------------------------------------------------------------------


def _pairs(result: Result) -> Iterator[str]:
    total, found = result.games, result.counted
    if not found.differing:
        yield f"No pair differs: both versions play the same in all {counted(total, 'pair')}."
        return
    share = Format(1, percent=True)
    yield (
        f"{counted(found.differing, 'pair')} of {total:,} differ ({share(found.differing / total)}); "
        f"{found.moves:,} have other moves, {found.differing - found.moves:,} only another outcome."
    )


def _first(first: Difference | None, pair: Pair) -> Iterator[str]:
    if first is None:
        return
    yield f"The first difference is in pair {first.number}{_behind(first, pair)}. {_contrast(first.old, first.new)}"
    if first.decision is None:
        yield "No decision of this pair differs."
    elif (first.old_decision, first.new_decision) != (first.old, first.new):
        contrast = _contrast(first.old_decision, first.new_decision)
        yield f"The first decision that differs is number {first.decision}. {contrast}"
    else:
        yield f"It is also the first decision that differs, number {first.decision}."


def _behind(first: Difference, pair: Pair) -> str:
    """The rule behind a difference, or the rule in which it shows with a change that concerns no rule."""
    if not first.rule:
        return ""
    if first.changed:
        return f", behind it the rule {first.rule}"
    other = pair.other_changes
    return f", in the rule {first.rule}" + (f", behind it the change of {other[0]}" if other else "")


def _contrast(old: str, new: str) -> str:
    """What both versions do, as sentences."""
    if old == new:
        return f"Both versions: {old}, with another result."
    return f"Old: {old}. New: {new}."


def _verdict(result: Result, group: str, about: Group, firm: frozenset[int]) -> str:
    """Which figures of a group differ; no difference is said with its interval."""
    indices = [i for i, one in enumerate(result.changes) if one.figure.group == group]
    changes, noun = [result.changes[i] for i in indices], about.noun
    if not any(one.differing for one in changes):
        return f"No difference in {noun}: the same in every pair."
    written = _format(changes, about.percent, sign=True)
    shown = [result.changes[i] for i in indices if i in firm]
    if not shown:
        most = max((one for one in changes if one.differing), key=lambda one: abs(one.difference.value))
        name = f" ({most.figure.name})" if len(changes) > 1 else ""
        return f"No significant difference in {noun}: {_change(most, written)}{name}."
    named = [f"{one.figure.name} {_change(one, written)}".strip() for one in _largest(shown)]
    more = f" and {len(shown) - _MOST} more" if len(shown) > _MOST else ""
    verb = "differ" if group in ("wins", "given") else "differs"
    return f"{capital(noun)} {verb}: {', '.join(named) + more if more else listed(named)}."


_MOST = 6
"""Figures that one sentence names: as many as a table has seats in most games."""


def _largest(changes: Sequence[Change]) -> list[Change]:
    """The changes that a sentence names: all in order, or the largest ones."""
    if len(changes) <= _MOST:
        return list(changes)
    return sorted(changes, key=lambda one: -abs(one.difference.value))[:_MOST]


def _change(change: Change, written: Format) -> str:
    return f"{written(change.difference.value)} ± {replace(written, sign=False)(reach(change))}"


def reach(change: Change) -> float:
    """Half the width of the interval; NaN without one."""
    return (change.difference.high - change.difference.low) / 2


# --- tables ----------------------------------------------------------------------------------------------------------


def _format(changes: Sequence[Change], percent: bool, sign: bool = False) -> Format:
    """A format with as many decimals as the narrowest interval needs for its first digit."""
    reaches = [reach(one) * (100 if percent else 1) for one in changes if math.isfinite(reach(one)) and reach(one) > 0]
    digits = math.ceil(-math.log10(min(reaches))) if reaches else 2
    return Format(min(4, max(1 if percent else 2, digits)), percent, sign)


def _table(result: Result, group: str, about: Group, firm: frozenset[int]) -> Table:
    """A table of changes. Prizes and rules without a difference are left out, and groups without any."""
    indexed = [(i, one) for i, one in enumerate(result.changes) if one.figure.group == group]
    if group in (RULES, "given", "worth") or not any(one.differing for _, one in indexed):
        indexed = [(i, one) for i, one in indexed if one.differing]
    plain = _format([one for _, one in indexed], about.percent)
    rows = tuple(
        FigureRow(
            one.figure.name or about.noun,
            one.difference,
            (plain(one.before), plain(one.after), f"{one.differing:,}"),
            i in firm,
        )
        for i, one in indexed
    )
    heads = ("old", "new", "pairs differ")
    return Table(about.title, about.label, "change", heads, rows, replace(plain, sign=True), 0.0)


# --- Markdown --------------------------------------------------------------------------------------------------------


def markdown(result: Result, first: Difference | None = None) -> str:
    """The report as Markdown, without plots."""
    return "\n\n".join(_markdown(result, first)) + "\n"


def _markdown(result: Result, first: Difference | None) -> Iterator[str]:
    yield f"## In play: {_escaped(headline(result))}"
    yield _escaped(CAVEAT)
    for section in sections(result, first):
        yield f"### {section.title}"
        yield from map(_escaped, section.text)
        for table in section.tables:
            yield f"**{_escaped(table.title)}**"
            yield "\n".join(_rows(table))


def _rows(table: Table) -> Iterator[str]:
    yield f"| {table.label} | change | 95 % interval | {' | '.join(table.heads)} |"
    yield "|---|" + "--:|" * (2 + len(table.heads))
    for row in table.rows:
        assert row.estimate is not None
        figure = table.format(row.estimate.value)
        cells = (f"**{figure}**" if row.firm else figure, table.interval(row.estimate), *row.cells)
        yield f"| {_escaped(row.label)} | {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """A text without effect in Markdown."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in text)


def bot_words(name: str) -> str:
    """What a kind of player does."""
    return player_named(name).summary


def html(result: Result, first: Difference | None, words: Words) -> str:
    """The changes in a language, and the report, as HTML. The id of each section is its anchor."""
    environment = templates("rulespec.versions.paired")
    environment.filters["minus"] = minus
    return environment.get_template("paired.html.j2").render(
        result=result,
        words=words,
        headline=headline(result),
        caveat=CAVEAT,
        bot=bot_words(result.bot),
        sections=list(sections(result, first)),
        plot=Plot,
    )
