"""Checks of a publisher's raw text against the spec: what it contradicts, terms and typography."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.text.checks.typography.spelling import Spelling
from rulespec.text.languages.registry import find
from rulespec.text.output.edition import Edition
from rulespec.text.raw.alignment import Alignment, align
from rulespec.text.raw.coverage import is_of_game, share
from rulespec.text.raw.detectors import DETECTORS, Detector, Raw
from rulespec.text.reading.prose import Prose
from rulespec.text.reading.prose import whole as as_prose
from rulespec.text.reading.translation import Translation
from rulespec.text.reading.wiki import as_markdown
from rulespec.text.rules.book import Book


def check(
    source: Source,
    lang: str,
    book: Book,
    own: Translation | None,
    spelling: Spelling | None = None,
    players: int | None = None,
    aligned: Alignment | None = None,
) -> Iterator[Finding]:
    """All findings for a raw text of a game in a language. `own` is our text of the game in that language, if any.

    `players` limits the check to the rules for one number of players; what the text says about others is not compared.
    `aligned` is the alignment of the text (see `align_source`), if the caller has it. Raises ValueError if the game is
    not for that number.
    """
    prose = replace(as_prose(source, lang), text=as_markdown(source.text))
    alignment = aligned or align_source(source, lang, book, own, players)
    whole = alignment if players is None else align_source(source, lang, book, own)
    if not is_of_game(whole):
        yield _other_game(prose, whole)
        return
    yield from (one for _, one in detected(Raw(prose, alignment, spelling)))


def detected(raw: Raw) -> Iterator[tuple[Detector, Finding]]:
    """The findings of all detectors, without those about words that an earlier row of the table has found wrong."""
    on_line: defaultdict[int, list[Finding]] = defaultdict(list)
    for detector in DETECTORS:
        mine = [one for one in detector.findings(raw) if not _is_known(one, on_line)]
        for one in mine:
            for line in _lines(one):
                on_line[line].append(one)
        yield from ((detector, one) for one in mine)


def _is_known(one: Finding, on_line: Mapping[int, Sequence[Finding]]) -> bool:
    known = (other for line in _lines(one) for other in on_line.get(line, ()))
    return any(one.start < other.end and other.start < one.end for other in known)


def _lines(one: Finding) -> range:
    return range(one.start.line, one.end.line + 1)


def align_source(
    source: Source, lang: str, book: Book, own: Translation | None, players: int | None = None
) -> Alignment:
    """The alignment of a raw text, of what it says about one number of players if one is given.

    Raises ValueError if the game is not for that number.
    """
    if players is None:
        return align(source.text, lang, book, own)

    def edition(text: str) -> str:
        return Edition(text, find(lang), book.spec.players, players).blanked()

    if own is not None:
        texts = {id_: replace(one.text, text=edition(one.text.text)) for id_, one in own.rules.items()}
        own = replace(own, rules={id_: replace(one, text=texts[id_]) for id_, one in own.rules.items()})
    reduced = replace(book, spec=book.spec.edition(players))
    return align(edition(source.text), lang, reduced, own, book.spec)


def _other_game(prose: Prose, alignment: Alignment) -> Finding:
    message = say(
        "This is not the rulebook of {spec}: it mentions only {found} % of its terms.",
        spec=alignment.book.spec.title,
        found=round(share(alignment) * 100),
    )
    return prose.say("other-game", message, 0, 0, say("Check --spec and --lang, and that this is the right file."))
