"""The texts of cards in a sheet, under `text en` and `title en`, and in the translations of their game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.base.spreadsheet.columns import Columns, folded
from rulespec.base.spreadsheet.sheet import Cell, Edit
from rulespec.language.model.spec import Spec
from rulespec.text.output.exchange.edit import replaced
from rulespec.text.output.exchange.units import texts
from rulespec.text.reading.translation import Translation

__all__ = ["CardText", "text_edits", "text_headings", "texts_in", "texts_on", "with_texts"]

_PARTS = ("title", "text")


@dataclass(frozen=True)
class CardText:
    """A cell for a text: the id of its unit, `rules/name.smithy/text`, and its language as the sheet names it."""

    unit: str
    lang: str
    cell: Cell

    @property
    def rule(self) -> str:
        """The rule that the text is of."""
        return self.unit.split("/")[1]


def text_headings(spec: Spec, langs: Iterable[str]) -> list[str]:
    """The headings of the texts in some languages; none for a game whose cards do nothing."""
    return [f"{part} {lang}" for lang in langs for part in _PARTS] if _fields(spec) else []


def texts_on(spec: Spec, card: Mapping[str, object], translations: Mapping[str, Translation]) -> Iterator[str]:
    """The cells under these headings of a card, given by its fields in words; "" where it has no text."""
    rules = [members.get(folded(str(card[field])), "") for field, members in _fields(spec).items()]
    rule = next(filter(None, rules), "")
    for known in map(texts, translations.values()) if rules else ():
        yield from (known.get(f"rules/{rule}/{part}", "").strip() for part in _PARTS)


def texts_in(spec: Spec, columns: Columns, edits: Iterable[Edit] = ()) -> Iterator[CardText]:
    """The cells for texts in the rows of a sheet, once some cells are edited."""
    sheet, new = columns.sheet, {(one.cell.row, one.cell.is_new, one.cell.column): str(one.value) for one in edits}
    rows, fields, headings = {(row[0].row, False): row for row in columns.rows}, _fields(spec), columns.texts
    for number, is_new in dict.fromkeys((*rows, *((row, is_new) for row, is_new, _ in new))):
        cells = rows.get((number, is_new), (Cell(number, 1, "", is_new=is_new),))
        for field, members in fields.items():
            heading = columns.headings.get(field)
            if heading is not None:
                said = new.get((number, is_new, heading.column), sheet.cell(cells, heading.column).text)
                rule = members.get(folded(said), "")
                for (part, lang), column in headings.items() if rule else ():
                    yield CardText(f"rules/{rule}/{part}", lang, sheet.cell(cells, column.column))


def _fields(spec: Spec) -> Mapping[str, Mapping[str, str]]:
    """The fields of cards whose members do something: the rule of each member, by its name as headings are compared."""
    by_enum: dict[str, dict[str, str]] = {}
    for rule, (own, member) in spec.member_rules.items():
        by_enum.setdefault(own.name, {})[folded(own.members[member])] = rule
    fields = spec.deck.fields.items()
    return {name: by_enum[type_.name] for name, type_ in fields if type_.kind == "enum" and type_.name in by_enum}


def text_edits(cells: Iterable[CardText], translations: Mapping[str, Translation]) -> Iterator[Edit]:
    """The edits with which a sheet has the texts of the translations, as they are written."""
    known = {lang.casefold(): texts(one) for lang, one in translations.items()}
    for one in cells:
        wanted = known.get(one.lang.casefold(), {}).get(one.unit, "").strip()
        if wanted and wanted != one.cell.text:
            yield Edit(one.cell, wanted)


def with_texts(
    spec: Spec, columns: Columns, translations: Mapping[str, Translation]
) -> tuple[list[tuple[Source, Source]], list[Finding]]:
    """The translations that the cells of a sheet change, before and after, and what is wrong with the cells. An empty
    cell changes nothing. A new text without a title has the one of its rule in the spec."""
    wanted, found = dict[str, dict[str, CardText]](), list[Finding]()
    langs = {lang.casefold(): lang for lang in translations}
    for one in texts_in(spec, columns):
        lang = langs.get(one.lang.casefold())
        first = wanted.setdefault(lang or "", {}).setdefault(one.unit, one) if one.cell.text else one
        if first.cell.text != one.cell.text:
            message = say("This card has another text in row {row}.", row=columns.sheet.position(first.cell)[0].line)
            found.append(
                columns.sheet.finding("wrong-value", message, one.cell, say("Write the same text in both rows."))
            )
    found += [_no_language(columns, one, langs.values()) for one in [*wanted.pop("", {}).values()][:1]]
    changed = []
    for lang, units in wanted.items():
        before, known = translations[lang].source, texts(translations[lang])
        said = {unit: one.cell.text for unit, one in units.items()}
        new = {one.rule for unit, one in units.items() if unit not in known}
        said |= {
            unit: spec.rules[rule].title for rule in new if (unit := f"rules/{rule}/title") not in {**known, **said}
        }
        text, wrong = replaced(before, said)
        found += wrong
        if text != before.text:
            changed.append((before, Source(before.path, text)))
    return changed, found


def _no_language(columns: Columns, one: CardText, langs: Iterable[str]) -> Finding:
    message = say("The game has no text in {lang}.", lang=one.lang)
    hint = say("Begin one with `ftk text export` and `ftk text import`. There are texts in {langs}.", langs=[*langs])
    place = next(cell for (_, lang), cell in columns.texts.items() if lang == one.lang)
    return columns.sheet.finding("language-unknown", message, place, hint)
