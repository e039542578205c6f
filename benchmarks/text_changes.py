"""How much an edit of a spec gives an editor to read: findings for each sentence of the texts that must be edited.

    .venv/bin/python benchmarks/text_changes.py [-v] [--unseen] [--contradicted FILE [--write]] [GAME …]

Every edit of the set `labelled_edits` is applied in memory, and the texts of its game are checked in all languages.
Which sentences it makes wrong is labelled in `sentences/` there. Printed are

- the findings for each language and sentence that must be edited,
- the findings about texts without such a sentence, and the share of such texts among those that are stale,
- the texts with such a sentence and without any finding, and
- the places that were contradicted when `sentences/contradicted.yaml`, or the file named, was written and have no
  finding now: in texts with such a sentence, and in all texts.

Edits that only rename are left out: `ftk rename` makes them in all files. With `--unseen` it is the set `spec_edits`: a
list with the `game`, the `title`, the `edits` (`old`, `new`) and, by language, the sentences (`rule`, `quote`) that
`must` be edited, and those that `maybe` are.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from labelled_edits import Edit, edits_of, text_of  # found through the line above
from packed import files

import rulespec
from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source, read
from rulespec.games.api import built
from rulespec.games.rulebook import text_findings
from rulespec.text.reading.translation import Translation
from rulespec.text.reading.translation import read as read_translation

SPECS = Path(rulespec.__file__).parents[1] / "specs"
EDITS = edits_of(files("labelled_edits", "edits").values())
EXAMPLES = ("example-unproved", "example-number")
CONTRADICTIONS = ("fact-contradicted", "order-contradicted", "number-unaccounted")

Sentences = Mapping[tuple[str, str], Mapping[str, Sequence[str]]]
"""The rules with the wrong sentences of an edit, by its game and title and by language, "" for all languages: a rule is
listed once for each sentence."""


@dataclass(frozen=True)
class Checked:
    """The findings about the texts of a game in one language after an edit, the rules of its wrong sentences, and those
    of the sentences that some would edit."""

    edit: Edit
    lang: str
    found: tuple[Finding, ...]
    wrong: Sequence[str]
    maybe: Sequence[str] = ()

    def concerns(self, rule: str) -> bool:
        """Whether a rule has a sentence that must be edited, or may be."""
        return rule in self.wrong or rule in self.maybe

    @property
    def rules(self) -> set[str]:
        """The rules that findings, or their other places, are about."""
        return {one.rule or said_rule(one) for one in self.found} | {
            each.rule for one in self.found for each in one.related if each.rule
        }

    @property
    def stale(self) -> set[str]:
        """The rules whose texts are stale, for whatever other reason as well."""
        return {each.rule for one in self.found for each in (one, *one.related) if each.name == "text-stale"}

    @property
    def contradicted(self) -> list[str]:
        """The places that contradict the spec: rules and lines."""
        return sorted({f"{one.rule} {one.start.line}" for one in self.found if one.name in CONTRADICTIONS})

    @property
    def places(self) -> set[str]:
        """The places of findings and their other places, as those of `contradicted`."""
        lines = ((one.rule, (one.start.line, *(other.start.line for other in one.related))) for one in self.found)
        return {f"{rule} {line}" for rule, every in lines for line in every}


def said_rule(found: Finding) -> str:
    """The rule that a finding about a text without a rule names."""
    return found.message.split("`")[1] if "`" in found.message else ""


@cache
def texts(game: str) -> tuple[Translation, ...]:
    """The texts of a shipped game."""
    found = []
    for path in sorted((SPECS / "translations" / game).glob("*.yaml")):
        source, _ = read(str(path))
        translation = read_translation(source)[0] if source is not None else None
        found += [translation] if translation is not None else []
    return tuple(found)


def is_measured(edit: Edit) -> bool:
    """Whether the edit is of a shipped game and changes more than names."""
    renames = bool(edit.changes) and all(kind.endswith("-renamed") for kind, _ in edit.changes)
    return (SPECS / f"{edit.game}.yaml").is_file() and not renames


def checked(edit: Edit, must: Sentences, maybe: Sentences) -> Iterator[Checked]:
    """The findings of an edit in each language."""
    text = text_of(edit.game)
    for find, replace in edit.replaced:
        text = text.replace(find, replace)
    model, report = built(Source(str(SPECS / f"{edit.game}.yaml"), text))
    assert model is not None, f"{edit}: {report.findings}"
    for translation in texts(edit.game):
        found = text_findings(translation, model, report).findings
        yield Checked(edit, translation.lang, found, *(_in(some, edit, translation.lang) for some in (must, maybe)))


def _in(some: Sentences, edit: Edit, lang: str) -> Sequence[str]:
    by_lang = some.get((edit.game, edit.title), {})
    return by_lang.get(lang, by_lang.get("", ()))


def labelled() -> Sentences:
    """The labels of the set `labelled_edits`. Raises AssertionError for words that are not in their text."""
    found: dict[tuple[str, str], Mapping[str, Sequence[str]]] = {}
    for content in files("labelled_edits", "sentences").values():
        read = yaml.safe_load(content)
        if "sentences" in read:
            found |= {
                (read["game"], title): {"": _rules(read["game"], rows)} for title, rows in read["sentences"].items()
            }
    unknown = found.keys() - {(edit.game, edit.title) for edit in EDITS}
    assert not unknown, unknown
    return found


def _rules(game: str, rows: list[tuple[str, str]]) -> tuple[str, ...]:
    english = next(one for one in texts(game) if one.lang == "en").passages
    for rule, words in rows:
        said = " ".join(english[rule].text.text.split()) if words else ""
        assert said.count(words) >= 1, f"{game}: {rule} has no “{words}”"
    return tuple(rule for rule, _ in rows)


def _unseen() -> tuple[list[Edit], Sentences, Sentences]:
    """The edits of the set `spec_edits`, with their labels."""
    rows: Any = yaml.safe_load(files("spec_edits")["edits.yaml"])
    edits = [
        Edit(row["game"], row["title"], tuple((one["old"], one["new"]) for one in row["edits"]), False, (), "", "")
        for row in rows
    ]
    must, maybe = (
        {
            (row["game"], row["title"]): {lang: [one["rule"] for one in some] for lang, some in row[key].items()}
            for row in rows
        }
        for key in ("must", "maybe")
    )
    return edits, must, maybe


def main() -> int:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--contradicted", type=Path, metavar="FILE")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    if options.write and options.contradicted is None:
        parser.error("--write needs --contradicted")
    edits, must, maybe = _unseen() if options.unseen else (EDITS, labelled(), {})
    every: list[Checked] = []
    for edit in edits:
        if is_measured(edit) and (not options.games or edit.game in options.games):
            every += checked(edit, must, maybe)
            if options.verbose:
                _show(every[-len(texts(edit.game)) :])
    if options.write:
        rows = {f"{one.edit}, {one.lang}": one.contradicted for one in every if one.contradicted}
        options.contradicted.write_text(yaml.safe_dump(rows, allow_unicode=True, width=120), encoding="utf-8")
    _print(every, yaml.safe_load(_contradicted(options)))
    return 0


def _contradicted(options: argparse.Namespace) -> str:
    """The record of places that were contradicted, as YAML."""
    if options.contradicted is not None:
        return str(options.contradicted.read_text(encoding="utf-8"))
    return "{}" if options.unseen else files("labelled_edits", "sentences")["contradicted.yaml"]


def _show(group: list[Checked]) -> None:
    edit = group[0].edit
    print(f"\n{edit}: {len(group[0].wrong)} sentences, {[len(one.found) for one in group]} findings")
    print(f"  wrong: {', '.join(group[0].wrong)}")
    for one in group[0].found:
        mark = " " if (one.rule or said_rule(one)) in group[0].wrong else "*"
        print(f"  {mark} {one.start.line}:{one.start.column} {one.name} {one.rule}: {one.message[:200]}")
        for other in one.related:
            print(f"        {other.start.line}: {other.message[:160]}")


def _print(every: list[Checked], before: dict[str, list[str]]) -> None:
    findings, must = sum(len(one.found) for one in every), sum(len(one.wrong) for one in every)
    concerned = [one for one in every if one.wrong]
    stale = [one.concerns(rule) for one in every for rule in one.stale]
    idle = sum(not one.concerns(found.rule or said_rule(found)) for one in every for found in one.found)
    silent = [(one, rule) for one in every for rule in dict.fromkeys(one.wrong) if rule not in one.rules]
    gone = [(one, at) for one in every for at in before.get(f"{one.edit}, {one.lang}", ()) if at not in one.places]
    lost = [f"{one.edit}, {one.lang}: {at}" for one, at in gone if at.split()[0] in one.wrong]
    kinds = Counter(found.name for one in every for found in one.found)
    examples = sum(kinds[name] for name in EXAMPLES)
    said = sum(len(one.found) for one in concerned)
    print(f"edits                        {len({str(one.edit) for one in every}):6}, in each language {len(every)}")
    print(f"sentences to edit            {must:6}")
    print(f"findings                     {findings:6}: " + ", ".join(f"{n} {name}" for name, n in kinds.most_common()))
    print(f"per sentence                 {findings / must:6.2f}; without examples {(findings - examples) / must:.2f};")
    print(f"                                    of edits that make sentences wrong {said / must:.2f}")
    print(f"most in one language         {max(len(one.found) for one in every):6}")
    share = stale.count(False) / len(stale) if stale else 0
    print(f"findings about other texts   {idle:6}: {idle / findings:.1%}")
    print(f"other texts that are stale   {stale.count(False):6} of {len(stale)}: {share:.1%}")
    texts_ = sum(len(set(one.wrong)) for one in every)
    print(f"wrong texts without finding  {len(silent):6} of {texts_}")
    print(f"lost contradictions          {len(lost):6} in wrong texts, {len(gone)} in all texts")
    for one in lost:
        print(f"  {one}")


if __name__ == "__main__":
    sys.exit(main())
