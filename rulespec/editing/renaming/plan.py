"""The plan of a rename: what every file about a game becomes. Nothing is written."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulespec.base import project
from rulespec.base.diagnostics import Finding, Report
from rulespec.base.failure import Refusal
from rulespec.base.messages import reason, say
from rulespec.base.source import Source, read
from rulespec.editing.file_kinds import check_source, game_of, kind_of
from rulespec.editing.renaming.references import followed, refused, replaced
from rulespec.editing.renaming.sheet import SheetChange, columns_named, sheet_change, with_new_cards
from rulespec.editing.renaming.targets import Target, candidates, inner_span, refuse_taken
from rulespec.games.api import built, check_spec
from rulespec.games.confirmed import version_path, versions_of
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.document.patches import Patch, patched
from rulespec.language.model.renamed import KINDS
from rulespec.language.model.spec import Spec, StoredValue, Zone
from rulespec.language.overlay.stack import VariantError, with_variant
from rulespec.text.output.exchange.edit import confirm
from rulespec.text.output.exchange.units import passages
from rulespec.text.reading.translation import Translation
from rulespec.text.reading.translation import read as read_translation
from rulespec.text.seals.confirmation import confirmation, is_stale, renewed
from rulespec.versions.changes.compare import Changes, compare

SECTION = "renamed"


def recorded(spec: Source, was: Spec, target: Target, new: str) -> Source:
    """The renamed spec with an entry for the former name; `was` is the spec before.

    A name that was renamed in this version before keeps its entry, which the rename has followed.

    Raises Refusal if the spec is written so that there is no place for an entry. Parameters have no entries, because
    logs do not contain them.
    """
    known = any((one.version, one.kind, one.new) == (was.version, target.kind, target.full) for one in was.renamed)
    if known or target.kind not in KINDS:
        return spec
    node, _ = parse(spec)
    keys = [SECTION, was.version, target.kind, _former(was, target)]
    while len(keys) > 1 and isinstance(node, MapNode) and (inner := node.get(keys[0])) is not None:
        node, keys = inner, keys[1:]
    if isinstance(node, MapNode) and node.get(keys[0]) is not None:
        return spec
    entry = f"{target.owner}.{new}" if target.owner else new
    for key in reversed(keys[1:]):
        entry = f"{{{key}: {entry}}}"
    if keys[0] == SECTION:
        return _with_section(spec, node, entry)
    return _with_entry(spec, node, f"{keys[0]}: {entry}")


def _former(was: Spec, target: Target) -> str:
    """The name that the version had; its owner may have been renamed in this version before."""
    renamed = (one for one in was.renamed if one.version == was.version and one.kind in ("enum", "ruling"))
    owner = next((one.old for one in renamed if one.new == target.owner), target.owner)
    return f"{owner}.{target.name}" if owner else target.name


def _with_section(spec: Source, node: Node | None, entries: str) -> Source:
    """A spec with the section, behind everything else."""
    if not isinstance(node, MapNode) or spec.text[node.span.start] == "{":
        return _with_entry(spec, node, f"{SECTION}: {entries}")
    return Source(spec.path, f"{spec.text.rstrip()}\n\n{SECTION}:\n  {entries[1:-1]}\n")


def _with_entry(spec: Source, node: Node | None, entry: str) -> Source:
    """A mapping with one more entry at its end, in its layout."""
    if not isinstance(node, MapNode) or not node.entries:
        hint = say("Write `{section}` as a mapping of versions, or rename with --no-record.", section=SECTION)
        raise Refusal(say("The former name cannot be recorded in this spec."), hint)
    text = spec.text
    if text[node.span.start] == "{":
        at = node.entries[-1][1].span.end
        return Source(spec.path, f"{text[:at]}, {entry}{text[at:]}")
    at = text.find("\n", node.span.end)
    before, after = (f"{text}\n", "") if at < 0 else (text[: at + 1], text[at + 1 :])
    indent = " " * (spec.position(node.entries[0][0].span.start).column - 1)
    return Source(spec.path, f"{before}{indent}{entry}\n{after}")


def with_name(file: Source, old: str, new: str) -> Source:
    """A glossary with the new name in place of the old one under `names:`; any other file is unchanged."""
    kind = kind_of(file)
    if kind is None or kind.name != "glossary":
        return file
    root, _ = parse(file)
    concepts = root.get("concepts") if isinstance(root, MapNode) else None
    every = [one for _, one in concepts.entries if isinstance(one, MapNode)] if isinstance(concepts, MapNode) else []
    named = [one.get("names") for one in every]
    spans = [inner_span(one) for one in named if isinstance(one, Scalar) and one.text == old]
    return replaced(file, spans, new)


@dataclass(frozen=True)
class FileChange:
    """A file before and after; `before` is None for a new file."""

    path: str
    before: str | None
    after: str


@dataclass(frozen=True)
class Plan:
    """What a rename changes: the name, its new name, the files, and the spreadsheet with the cards."""

    target: Target
    new: str
    files: tuple[FileChange, ...]
    sheet: SheetChange | None = None


def plan(path: str, name: str, new: str, kind: str = "", record: bool = True) -> Plan:
    """The plan of renaming a name of the spec at a path. Raises Refusal; nothing is written.

    With `record` the spec lists the former name under `renamed`, so that logs of its present version still replay.
    Afterwards the spec is checked: it must be the same game but for the name, and all files about it must be sound.
    """
    source, model, root = _sound(path)
    target = candidates(root, name, kind)
    wanted = target.wanted(new)
    refuse_taken(root, target, wanted)
    sheet = sheet_change(source, target, wanted)
    spec = renamed_spec(source, target, wanted, sheet)
    # The spreadsheet of a renamed spec may have an error with the new name.
    whole, found = with_new_cards(spec, sheet)
    errors = Report.of(found, built(whole)[1].errors if whole is not None else ()).errors
    if errors:
        raise refused(errors[0], target, wanted)
    spec = recorded(spec, model, target, wanted) if record else spec
    whole, _ = with_new_cards(spec, sheet)
    now = built(whole)[0] if whole is not None else None
    if whole is None or now is None:
        raise Refusal(say("The former name cannot be recorded in this spec."), say("Rename with --no-record."))
    refuse_other_changes(compare(model, now), target)
    changes = (FileChange(source.path, source.text, spec.text), *_changes(source, whole, model, now, target, wanted))
    return Plan(target, wanted, changes, sheet)


def _sound(path: str) -> tuple[Source, Spec, Node]:
    """A spec without errors. Raises Refusal."""
    source, found = read(path)
    if source is None:
        first = found[0]
        place = f"{path}:{first.start.line}:{first.start.column}: " if path not in first.message else ""
        raise Refusal(say("{place}{message}", place=place, message=first.message), first.hint)
    errors = [*found, *check_spec(source).errors]
    model, _ = built(source)
    root, _ = parse(source)
    if errors or model is None or root is None:
        place = errors[0].place if errors else path
        raise Refusal(
            say("A spec with errors cannot be renamed in."),
            say("Run `ftk check`; the first is at {place}.", place=place),
        )
    return source, model, root


def renamed_spec(source: Source, target: Target, new: str, sheet: SheetChange | None = None) -> Source:
    """The spec with the new name at its declaration and at every reference. Raises Refusal."""

    def check(one: Source) -> Sequence[Finding]:
        whole, found = with_new_cards(one, sheet)
        return built(whole)[1].findings if whole is not None else found

    declared = replaced(source, [target.span, *columns_named(source, target)], new)
    return followed(declared, target, new, check)


def refuse_other_changes(changes: Changes, target: Target) -> None:
    """Raises Refusal if anything but the name has changed: then the name stands for something else somewhere."""
    for one in changes.every:
        if not one.kind.endswith("-renamed") and one.kind != "words-changed":
            what = say("`{name}` would change, too ({kind})", name=one.name, kind=one.kind)
            raise Refusal(
                say("`{full}` cannot be renamed: {what}.", full=target.full, what=what),
                say("The game would be another one."),
            )


def _changes(source: Source, spec: Source, was: Spec, now: Spec, target: Target, new: str) -> Iterator[FileChange]:
    """The changes of all files but the spec, which has its cards here."""
    with tempfile.TemporaryDirectory(prefix="ftk-rename-") as folder:
        beside = Path(folder) / Path(source.path).name
        beside.write_bytes(spec.text.encode("utf-8"))
        models = _Models(source, Source(str(beside), spec.text), {"": (was, now)})
        kept: dict[Path, str] = {}
        for file in _files(source, was.id):
            after = _followed(file, Path(folder), Path(source.path).parent, was, target, new)
            if _is_titled(was, target):
                after = with_name(after, target.name, new)
            translation = _translation(file)
            if translation is not None:
                before, then = models.of(translation.variant)
                after = _confirmed(after, translation, before, then, target, new)
                if any(one.confirmed for one in translation.passages.values()):
                    there = version_path(then).relative_to(project.of(then.source.path).folder)
                    kept |= {project.of(source.path).folder / there: then.source.text}
            if after.text != file.text:
                yield FileChange(file.path, file.text, after.text)
    for path, text in kept.items():
        if not path.exists():
            yield FileChange(str(path), None, text)


@dataclass(frozen=True)
class _Models:
    """The game before and after the rename, as it is ("") and in its variants."""

    source: Source
    renamed: Source
    known: dict[str, tuple[Spec, Spec]]

    def of(self, variant: str) -> tuple[Spec, Spec]:
        """Both versions in a variant. Raises Refusal."""
        if variant not in self.known:
            self.known[variant] = (_in_variant(self.source, variant), _in_variant(self.renamed, variant))
        return self.known[variant]


def _in_variant(base: Source, variant: str) -> Spec:
    """The spec in a variant. Raises Refusal if the variant has errors or does not exist."""
    try:
        joined, _ = with_variant(base, variant)
    except VariantError as error:
        raise Refusal(reason(error), say("Delete its texts, or write the variant.")) from None
    model = built(joined)[0] if joined is not None else None
    if model is None:
        raise Refusal(
            say("The variant `{variant}` has errors, so its texts cannot be confirmed.", variant=variant),
            say("Run `ftk check`."),
        )
    return model


def _is_titled(spec: Spec, target: Target) -> bool:
    """Whether players read of the zone or value.

    Then a concept with its name is about it. The checks do not miss the name if it is also that of a rule or a table.
    """
    sections: Mapping[str, Mapping[str, Zone | StoredValue]] = {"zone": spec.zones, "value": spec.values}
    named = sections.get(target.kind, {}).get(target.name)
    return named is not None and bool(named.title)


def _files(source: Source, game: str) -> Iterator[Source]:
    """The files about a game: beside its spec, and in the folders of its variants, texts and scenarios."""
    own = project.of(source.path)
    paths = [*sorted(own.folder.glob("*.y*ml")), own.glossary(game), own.looks(game)]
    for folder in (own.variants(game), own.texts(game), own.scenarios_of(game)):
        paths += sorted(folder.rglob("*.y*ml"))
    for path in paths:
        if path.is_file() and not path.samefile(source.path):
            file, found = read(str(path))
            if file is not None and not found and kind_of(file) is not None and game_of(file) == game:
                yield file


def _followed(file: Source, folder: Path, home: Path, spec: Spec, target: Target, new: str) -> Source:
    """A file with the new name, as its check beside the renamed spec reports it."""
    if (translation := _translation(file)) is not None:
        # A translation in which the placeholders of a renamed field have its new name
        spans = [
            passage.written.value_span(*found.span(1))
            for id_, passage in translation.rules.items()
            if target.kind == "field" and id_ in spec.member_rules
            for found in re.finditer(rf"\{{\s*({re.escape(target.name)})(?=\s*[,}}\[])", passage.written.text)
        ]
        return _with_keys(replaced(file, spans, new), spec, target, new)
    mentioned = re.search(rf"(?<!\w){re.escape(target.name)}(?!\w)", file.text)
    if mentioned is None:
        return file
    place = folder / Path(file.path).absolute().relative_to(home.absolute())
    here = Source(str(place), file.text)
    if check_source(file).errors:
        raise Refusal(
            say("{path} has errors, so it cannot be changed.", path=file.path),
            say("Run: ftk check {path}", path=file.path),
        )

    def check(one: Source) -> Sequence[Finding]:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(one.text.encode("utf-8"))
        # Pictures stay where they are: the copy is checked without them.
        return [found for found in check_source(one).findings if found.name != "look-picture-unusable"]

    return Source(file.path, followed(here, target, new, check).text)


def _translation(file: Source) -> Translation | None:
    kind = kind_of(file)
    return read_translation(file)[0] if kind is not None and kind.name == "translation" else None


def _renamed_ids(spec: Spec, target: Target, new: str) -> dict[str, str]:
    """The rules, or the ruling, that have another id with the new name: that of a member that does something has the
    names of the enum and the member."""
    if target.kind in ("rule", "ruling"):
        return {target.name: new}
    if target.kind == "member":
        return {target.full: f"{target.owner}.{new}"} if target.full in spec.member_rules else {}
    ids = [id_ for id_, (own, _) in spec.member_rules.items() if own.name == target.name]
    return {id_: f"{new}.{id_.partition('.')[2]}" for id_ in ids if target.kind == "enum"}


def _with_keys(file: Source, spec: Spec, target: Target, new: str) -> Source:
    """A translation in which the texts of renamed rules and rulings have the new keys."""
    root, _ = parse(file)
    node = root.get("rulings" if target.kind == "ruling" else "rules") if isinstance(root, MapNode) else None
    ids = _renamed_ids(spec, target, new)
    keys = [key for key, _ in node.entries if key.text in ids] if isinstance(node, MapNode) else []
    return Source(file.path, patched(file.text, [Patch(inner_span(key), ids[key.text]) for key in keys]))


def _confirmed(file: Source, before: Translation, was: Spec, now: Spec, target: Target, new: str) -> Source:
    """A translation whose confirmed texts are confirmed with the new names, too; stale texts stay stale."""
    translation = read_translation(file)[0]
    if translation is None:
        raise Refusal(say("{path} cannot be read with the new name.", path=file.path))
    before = renewed(before, was, versions_of(was))
    ids = _renamed_ids(was, target, new)
    fresh = {
        ids.get(id_, id_)
        for id_, one in before.passages.items()
        if one.confirmed and id_ in {**was.rules, **was.rulings} and not is_stale(one.confirmed, was, id_)
    }
    values = {
        key: str(replace(one.seal, rule=confirmation(now, one.id)))
        for key, one in passages(translation).items()
        if one.id in fresh
    }
    text, found = confirm(file, values)
    if found:
        raise Refusal(say("{path}: {message}", path=file.path, message=found[0].message), found[0].hint)
    return Source(file.path, text)
