"""What a translator has to do in confirmed texts: the units whose rule or source has changed since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulespec.model.spec import Spec
from rulespec.text.exchange.units import Work, parts, passages, texts
from rulespec.text.kept_words import Kept
from rulespec.text.since import Since, since, source_then
from rulespec.text.translation import Passage, Translation
from rulespec.wording import words


def work(translation: Translation, spec: Spec, source: Translation | None, kept: Kept) -> Mapping[str, Work]:
    """The units that need work, by id. `source` is the translation that this one was made from, None if from none.

    Where a source has changed, these are the units that differ there, or the text if none of ours does; where a rule
    has, its text.
    """
    known = texts(translation)
    found: dict[str, Work] = {}
    for key, passage in passages(translation).items():
        changed = since(passage, spec, source)
        if Since.RULE in changed:
            found[f"{key}/text"] = Work(Since.RULE)
        if Since.SOURCE in changed and source is not None:
            other = {f"{key}/{part}": was for part, was in _changed(passage, source, kept) if f"{key}/{part}" in known}
            found |= {id_: Work(Since.SOURCE, was) for id_, was in (other or {f"{key}/text": ""}).items()}
    return found


def _changed(passage: Passage, source: Translation, kept: Kept) -> Iterator[tuple[str, str]]:
    """The parts of a source that have changed since a text was compared with it, each with what it was then, "" if that
    is not known. The cases of worked examples are not kept: an example that is gone was the next one that is new."""
    there, was = source.passages.get(passage.id), source_then(passage, source, kept)
    if there is None:
        return
    now = {words(one) for one in there.parts[2:]}
    before = {words(one) for one in (was or ())[2:]}
    gone = (one for one in (was or ())[2:] if words(one) not in now)
    for at, (part, text) in enumerate(parts(there)):
        if was is None:
            yield part, ""
        elif at < 2 and words(text) != words(was[at]):
            yield part, was[at]
        elif at >= 2 and words(text) not in before:
            yield part, next(gone, "")
