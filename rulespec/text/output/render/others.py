"""What a rule says for other numbers of players than those of a rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulespec.text.languages.registry import find
from rulespec.text.output.render.book import Rulebook, for_players
from rulespec.text.reading.segmentation import passages


@dataclass(frozen=True)
class Other:
    """What a text says for some other numbers of players and not for that of the rulebook, as Markdown."""

    players: tuple[int, ...]
    text: str


def others(rulebook: Rulebook) -> dict[str, tuple[Other, ...]]:
    """What each rule of a rulebook says for other numbers of players; rules that say nothing else are left out."""
    found = {section.id: tuple(_of(rulebook, section.id, section.text)) for section in rulebook.sections}
    return {id_: several for id_, several in found.items() if several}


def _of(rulebook: Rulebook, id_: str, own: str) -> Iterator[Other]:
    whole, lang = rulebook.translation.rules[id_].text.text, rulebook.lang
    here, said = set(_sentences(own, lang)), dict[str, tuple[int, ...]]()
    for players in rulebook.setting.spec.players:
        there = _sentences(for_players(whole, lang, replace(rulebook.setting, players=players)), lang)
        text = "\n".join(one for one in there if one not in here)
        said[text] = (*said.get(text, ()), players)
    yield from (Other(players, text) for text, players in said.items() if text)


def _sentences(text: str, lang: str) -> list[str]:
    return [text[one.start : one.end] for one in passages(text, find(lang), 0, len(text))]
