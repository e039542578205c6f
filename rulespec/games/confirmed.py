"""What the texts of a game were confirmed with: versions of its spec, and words in each language.

They are in the folder `versions` of the project; each variant has a folder of its own there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rulespec.base import project
from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source, read
from rulespec.games.api import model_for
from rulespec.language.document import parse
from rulespec.language.formats.current import lifted
from rulespec.language.model import spec as model
from rulespec.language.model.build import build
from rulespec.language.overlay.stack import VariantError
from rulespec.text.output.exchange.edit import confirm
from rulespec.text.output.exchange.units import Work, passages, work
from rulespec.text.reading.translation import Passage, Translation, source_of, translations
from rulespec.text.reading.translation import read as read_translation
from rulespec.text.seals.confirmation import confirmation, renewed
from rulespec.text.seals.since import Kept, Parts, kept_written, read_kept
from rulespec.text.seals.since import sealed as seal_of

_DIGITS = 12
"""The digits of the digest of a spec that name a version."""


def versions_of(sealed: model.Spec) -> Iterable[model.Spec]:
    """The versions of a spec that its texts were confirmed with; those of a variant, merged, before those of the game.

    They are read when they are iterated over: most texts are confirmed with the spec as it is.
    """
    return _Versions(sealed)


@dataclass(frozen=True)
class _Versions(Iterable[model.Spec]):
    spec: model.Spec

    def __iter__(self) -> Iterator[model.Spec]:
        for path in project.of(self.spec.source.path).confirmed(self.spec.id, self.spec.variant):
            known = _version_at(path)
            if known is not None:
                yield known


def _version_at(path: Path) -> model.Spec | None:
    source, _ = read(str(path))
    return _version_as_read(source) if source is not None else None


@lru_cache(maxsize=8)
def _version_as_read(source: Source) -> model.Spec | None:
    """The model of a version. It was sound when it was kept, so it is not checked again."""
    source = lifted(source, "spec")
    document, _ = parse(source)
    return build(document, source)[0] if document is not None else None


def version_path(sealed: model.Spec) -> Path:
    """Where the present version of a spec is kept when a text is confirmed with it."""
    return _folder(sealed) / f"{sealed.digest[:_DIGITS]}{project.CONFIRMED}"


def words_of(sealed: model.Spec) -> Kept:
    """The words that the texts of a game were confirmed with, by language and digest; with those of its variant. A file
    is read when its language is asked for."""
    return lru_cache(lambda lang: _words_in(words_path(sealed, lang), words_path(sealed, lang, "")))


def words_path(sealed: model.Spec, lang: str, variant: str | None = None) -> Path:
    """Where the words that the texts in a language were confirmed with are kept, for the variant of the spec or for
    another one; "" is the game itself."""
    return _folder(sealed, variant) / f"{lang}{project.WORDS}"


def _words_in(*paths: Path) -> Mapping[str, Parts]:
    texts = [source.text for path in dict.fromkeys(paths) if (source := read(str(path))[0]) is not None]
    return {digest: parts for text in texts for digest, parts in read_kept(text).items()}


def _folder(sealed: model.Spec, variant: str | None = None) -> Path:
    variant = sealed.variant if variant is None else variant
    return project.of(sealed.source.path).versions(sealed.id, variant)


# --- confirming -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Confirming:
    """What it takes to confirm texts: the seals by passage key, the file with them, and what is kept. `kept` maps files
    of the folder `versions` to their new text, None for those that no seal refers to any more."""

    seals: Mapping[str, str]
    source: Source
    kept: Mapping[Path, str | None]
    findings: tuple[Finding, ...] = ()


def confirming(translation: Translation, keys: Iterable[str], sealed: model.Spec) -> Confirming:
    """What it takes to mark texts of a translation (by keys such as `rules/<id>`) as compared with their rules, and
    with the text that the translation was made from, as all of them are now. Nothing is written.

    If the file cannot be changed, there are findings. The texts beside it are read from its folder.
    """
    own, there, source = translation.source, passages(translation), source_of(translation)
    seals = {key: str(seal_of(there[key], sealed, source)) for key in keys}
    text, found = confirm(own, seals)
    now = Source(own.path, text)
    if found:
        return Confirming(seals, own, {}, tuple(found))
    return Confirming(seals, now, keeping_beside(now, sealed))


def confirming_in(source: Source, id_: str) -> Confirming | None:
    """What it takes to confirm the text of a rule or ruling in a file (see `confirming`).

    None if there is no such text, or if its game cannot be read.
    """
    found = renewed_in(source)
    if found is None:
        return None
    now, spec = found
    keys = [key for key, one in passages(now).items() if one.id == id_ and id_ in (*spec.rules, *spec.rulings)]
    return confirming(now, keys, spec) if keys else None


def renewed_in(source: Source) -> tuple[Translation, model.Spec] | None:
    """The translation in a file with present seals, and the spec of its game; None if one of them cannot be read."""
    translation, _ = read_translation(source)
    try:
        spec = model_for(translation.game, source, translation.variant)[0] if translation is not None else None
    except VariantError:
        spec = None
    if translation is None or spec is None:
        return None
    return renewed(translation, spec, versions_of(spec)), spec


def work_in(translation: Translation, sealed: model.Spec) -> Mapping[str, Work]:
    """The units of a translation that need work since they were confirmed, by id. Its source is read from its
    folder."""
    now = renewed(translation, sealed, versions_of(sealed))
    return work(now, sealed, source_of(translation), words_of(sealed))


# --- keeping ----------------------------------------------------------------------------------------------------------


def keeping_beside(now: Source, sealed: model.Spec) -> Mapping[Path, str | None]:
    """What the folder `versions` must hold (see `keeping`) once a file of texts has this content. The texts beside it
    are read from its folder; nothing for a file that is not among the texts of the game."""
    folder = Path(now.path).parent
    if folder.resolve() != project.of(sealed.source.path).texts(sealed.id, sealed.variant).resolve():
        return {}
    texts = {**translations(folder)}
    after, _ = read_translation(now)
    if after is not None:
        texts[after.lang] = after
    versions = versions_of(sealed)
    return keeping(sealed, [renewed(one, sealed, versions) for one in texts.values()])


def keeping(sealed: model.Spec, texts: Iterable[Translation]) -> Mapping[Path, str | None]:
    """What the folder `versions` must hold for the seals of these texts, all texts of a game or all own ones of a
    variant: the text of each file that changes, None for one that no seal refers to any more.

    Present words are kept where a seal has their digest; a file of words that is damaged loses what cannot be read.
    """
    texts = list(texts)
    present = version_path(sealed)
    changes: dict[Path, str | None] = {} if present.exists() else {present: sealed.source.text}
    for path in sorted(present.parent.glob(f"*{project.CONFIRMED}")):
        if path != present and not _is_needed(path, sealed, texts):
            changes[path] = None
    for lang in sorted({one.lang for one in texts}):
        path = words_path(sealed, lang)
        before = read(str(path))[0] if path.exists() else None
        now = _words(lang, texts, before.text if before is not None else "")
        if now != (before.text if before is not None else ""):
            changes[path] = now or None
    return changes


def _is_needed(path: Path, sealed: model.Spec, texts: Iterable[Translation]) -> bool:
    """Whether a text was confirmed with a version and not with the present one. One that cannot be read may be needed,
    and so may any for a text of format 1, whose digests were made otherwise."""
    was = _version_at(path)
    return was is None or any(
        one.confirmed.startswith("1-") or (_agrees(one, was, id_) and not _agrees(one, sealed, id_))
        for text in texts
        for id_, one in text.passages.items()
    )


def _agrees(passage: Passage, spec: model.Spec, id_: str) -> bool:
    return id_ in (*spec.rules, *spec.rulings) and confirmation(spec, id_) == passage.confirmed


def _words(lang: str, texts: Iterable[Translation], before: str) -> str:
    """The words in a language that a seal refers to: of those that were kept and those that the texts have now."""
    texts = list(texts)
    known = {one.words: one.parts for text in texts if text.lang == lang for one in text.passages.values()}
    known |= read_kept(before)
    seals = [(text.lang, one.seal) for text in texts for one in text.passages.values()]
    wanted = {seal.words for own, seal in seals if own == lang} | {
        seal.source for _, seal in seals if seal.lang == lang
    }
    return kept_written(parts for digest, parts in known.items() if digest in wanted)
