"""`ftk cards`: the card list, and what each number of players keeps, removes and plays with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import failure, games, options
from ftk_cli.card_sheet import Drawing, drawing_options
from ftk_cli.language import localized
from ftk_cli.output import emit, to_json
from ftk_cli.report.display import columns, left, right, width
from ftk_cli.text.languages import title_of
from rulespec.base.messages import counted, say
from rulespec.base.spreadsheet.writing import new_csv
from rulespec.language.model.types import NONE

if TYPE_CHECKING:
    from rulespec.engine.states.game import Game
    from rulespec.games.api import Spec


@click.command()
@options.spec
@options.variant
@options.players
@options.deck
@options.format_("text", "json", "csv", "layout", "sarif", "github")
@options.output
@click.option("--import", "import_", metavar="FILE", help="Read a card list from CSV, XLSX or ODS into the spec.")
@click.option("--export", metavar="FILE", help="Update a card list in CSV or XLSX from the spec, or make one.")
@click.option("--write", is_flag=True, help="Write what --import or --export changes. Without it, that is shown.")
@click.option("--columns", metavar="NAME=HEADING,…", help="Headings of columns that have other names in the spec.")
@click.option("--sheet-name", metavar="NAME", help="The sheet of a workbook (default: the first with the columns).")
@drawing_options
@options.quiet
@options.verbose
def cards(
    spec: str,
    variant: str,
    players: int | None,
    deck: str | None,
    format_: str,
    output: str | None,
    import_: str | None,
    export: str | None,
    write: bool,
    columns: str | None,
    sheet_name: str | None,
    drawing: Drawing,
    quiet: bool,
    verbose: bool,
) -> None:
    """Show the cards of a game, and what each number of players keeps, leaves out, removes at random and plays with.

    JSON describes one number of players (default: the fewest). CSV has every card, or with --players those kept. Edit
    it in a spreadsheet, and --import shows what that changes in the spec; with --write, it changes it. Rows that stay
    keep their layout and their comments. With --import, JSON, SARIF and GitHub's format have the findings.
    --export writes the cards of the spec into a sheet that exists, and changes only the cells that differ.
    The format `layout` is CSV for nanDECK and Squib.

    With --sheet, the cards are drawn in the terms of the glossary on pages of A4, nine on each, or with --paper on
    others. A PNG has each different face once, in a grid for virtual tables.

    \b
    Examples:
      ftk cards fortheking
      ftk cards kingme --sheet proofs --lang uk,zh-Hant
      ftk cards fortheking --players 3 --format json
      ftk cards keyflower_king --deck my_cards.yaml
      ftk cards fortheking --format csv --output cards.csv
      ftk cards fortheking --format layout --lang uk --output layout.csv
      ftk cards specs/river.yaml --import cards.csv
      ftk cards specs/river.yaml --export cards.xlsx --write
      ftk cards specs/river.yaml --import cards.xlsx --sheet-name Deck --columns copies=Qty --write
    """
    found = games.load(spec, deck, variant)
    if not found.model.deck.cards:
        raise failure.Failure(say("{title} has no cards.", title=found.model.title))
    if import_ is not None:
        if deck or variant:
            raise click.UsageError(say("--import changes the spec itself: leave out --deck and --variant."))
        if export:
            raise click.UsageError(say("--import and --export go opposite ways: give one of them."))
    if import_ is not None or export is not None:
        from ftk_cli.card_export import export as write_cells
        from ftk_cli.card_list import Options, chosen_columns, update

        chosen = Options(write, quiet, format_, output, sheet_name or "", chosen_columns(columns or ""))
        return update(found.model, import_, chosen) if import_ else write_cells(found.model, export or "", chosen)
    if write or columns or sheet_name:
        raise click.UsageError(say("--write, --columns and --sheet-name need --import or --export."))
    if format_ in ("sarif", "github"):
        raise click.UsageError(say("--format {format} is for the findings of --import and --export.", format=format_))
    if drawing.is_wanted(format_):
        kept = frozenset(games.make(found, players, {}).setting.cards) if players else None
        return drawing.write(found, kept, output)
    counts = [games.make(found, n, {}) for n in ([players] if players else found.players)]
    emit(_FORMATS[format_](found, counts, players is not None), output, data=format_ == "csv")
    games.remark(found.model, counts[0].setting.cards if players else range(len(found.model.deck.cards)), quiet)


@dataclass(frozen=True)
class Count:
    """The numbers of cards for one number of players."""

    players: int
    by_kind: dict[str, int]
    total: int
    left_out: int
    removed_at_random: int
    deck: int


def count(game: Game) -> Count:
    """Counts the cards of a game when its setup ends."""
    deck, kept = game.spec.deck, game.setting.cards
    # The field to count cards by: that of the totals, else the first enum
    single = {name: type_ for name, type_ in game.spec.deck.fields.items() if name in game.spec.deck.declared}
    enums = (name for name, type_ in single.items() if type_.kind == "enum")
    field = next((name for name in game.spec.deck.totals if name in single), "") or next(enums, "")
    words = (
        Counter(_word(game.spec, field, deck.cards[card][deck.column(field)]) for card in kept) if field else Counter()
    )
    # The seed does not matter: as many cards are removed at random with any.
    state = game.new_initial_state(seed=0)
    sizes = next((list(event[2:]) for event in state.events or () if event[0] == "setup"), [])
    start = sizes[game.program.start_zone] if sizes else len(kept)
    by_kind = {str(word): number for word, number in words.items()}
    return Count(game.players, by_kind, len(kept), len(deck.cards) - len(kept), len(kept) - start, start)


Contents = Callable[[Any, tuple[int, ...]], dict[str, Any]]
"""The fields of a card, given the model and the values of the card."""


def rows(game: Spec, kept: frozenset[int] | None, contents: Contents) -> Iterator[dict[str, Any]]:
    """One row for each group of equal cards: the fields, then `count`, `status`, `source`."""
    deck = game.model.deck
    for entry in deck.rows:
        alike = Counter(deck.cards[card] for card in entry.cards if kept is None or card in kept)
        for values, number in alike.items():
            said = {"count": number, "status": entry.status, "source": list(entry.sources)}
            yield contents(game.model, values) | said


def _as_columns(model: Any, values: tuple[int, ...]) -> dict[str, Any]:
    return {name: _word(model, name, value) for name, value in zip(model.deck.fields, values, strict=True)}


def _as_words(model: Any, values: tuple[int, ...]) -> dict[str, Any]:
    """The fields of a card, with the values of members in one text."""
    per, plain = model.deck.per_member, _as_columns(model, values)
    words = model.deck.words(values, (name for name in plain if "[" in name), model.member)
    return {name: words[name] if name in per else plain[name] for name in model.deck.declared}


def _as_mappings(model: Any, values: tuple[int, ...]) -> dict[str, Any]:
    """The fields of a card, with the values of members as a mapping of these."""
    per, plain = model.deck.per_member, _as_columns(model, values)
    found: dict[str, Any] = {name: plain.get(name, {}) for name in model.deck.declared}
    for name, field in per.items():
        found[name] = dict(zip(model.enums[field.enum].members, map(plain.get, field.columns), strict=True))
    return found


def _word(model: Any, field: str, value: int) -> str | int | bool | None:
    type_ = model.deck.fields[field]
    if value == NONE:
        return None
    if type_.kind == "bool":
        return bool(value)
    return value if type_.kind == "int" else str(model.member(type_, value))


def _text(spec: Spec, counts: list[Game], chosen: bool) -> str:
    found = [count(game) for game in counts]
    kinds = dict.fromkeys(kind for one in found for kind in one.by_kind)
    cards = counted("{number} card", "{number} cards", len(spec.model.deck.cards))
    lines = [localized(say("{game}: {cards}", game=title_of(spec), cards=cards)), ""]
    table: list[tuple[str, list[int]]] = [(say("players"), [one.players for one in found])]
    table += [(kind, [one.by_kind.get(kind, 0) for one in found]) for kind in kinds]
    for title, name in (
        (say("kept"), "total"),
        (say("left out"), "left_out"),
        (say("removed at random"), "removed_at_random"),
        (say("deck"), "deck"),
    ):
        table.append((title, [getattr(one, name) for one in found]))
    rows_ = [(localized(title), numbers) for title, numbers in table]
    wide = max(18, *(width(title) + 1 for title, _ in rows_))
    lines += [left(title, wide) + "".join(f"{number:>6}" for number in numbers) for title, numbers in rows_]
    kept = frozenset(counts[0].setting.cards) if chosen else None
    return "\n".join([*lines, "", *_card_table(list(rows(spec, kept, _as_words))), ""])


def _card_table(found: list[dict[str, Any]]) -> Iterator[str]:
    """The rows in columns, without empty columns."""
    cells = [{key: _cell(value) for key, value in (row | _said(row)).items()} for row in found]
    used = [key for key in (cells[0] if cells else {}) if any(row[key] for row in cells)]
    used.sort(key=lambda key: key != "count")
    heads = {key: localized(_HEADS.get(key, key)) for key in used}
    table = [[row[key] for key in used] for row in (heads, *cells)]
    yield from columns(table, [right if key == "count" else left for key in used])


def _said(row: dict[str, Any]) -> dict[str, str]:
    """The status of a card in the language of the reader."""
    return {"status": localized(_STATUSES.get(row["status"], row["status"]))}


_STATUSES = {"printed": say("printed"), "reconstructed": say("reconstructed")}
"""Whether a source prints a card."""

_HEADS = {"count": say("count"), "status": say("status"), "source": say("source")}
"""The headings of columns that no field of a card is."""


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(value) if isinstance(value, list) else str(value)


def _json(spec: Spec, counts: list[Game], chosen: bool) -> str:
    game = counts[0]
    one = count(game)
    listed = list(rows(spec, frozenset(game.setting.cards), _as_mappings))
    return to_json(
        {
            "players": one.players,
            "by_kind": one.by_kind,
            "total": one.total,
            "removed_at_random": one.removed_at_random,
            "deck": one.deck,
            "cards": listed,
        }
    )


def _csv(spec: Spec, counts: list[Game], chosen: bool) -> str:
    from rulespec.editing.card_cells import table_rows

    return new_csv(table_rows(spec.model, {}, frozenset(counts[0].setting.cards) if chosen else None)).decode()


_FORMATS = {"text": _text, "json": _json, "csv": _csv}
