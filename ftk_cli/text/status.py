"""`ftk text status`: which languages there are, how far they are, and what has changed under them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import failure, games, inputs, options
from ftk_cli.output import emit, to_json
from ftk_cli.text.files import save, show
from ftk_cli.text.languages import in_language

if TYPE_CHECKING:
    from rulespec import Spec
    from rulespec.text import Passage, Translation

_STATUSES = ("draft", "translated", "reviewed")
_COLUMNS = ("rules", "rulings", "missing", *_STATUSES, "confirmed", "stale")


@dataclass(frozen=True)
class Progress:
    """How far the text of a game in one language is; what is missing and stale as ids of rules and rulings."""

    lang: str
    title: str
    path: str
    rules: int
    rulings: int
    missing: tuple[str, ...]
    statuses: dict[str, int]
    confirmed: int
    stale: tuple[str, ...]

    @classmethod
    def of(cls, translation: Translation, spec: Spec) -> Progress:
        from rulespec.text import facts_digest

        model = spec.model
        known = [p for id_, p in translation.passages.items() if id_ in model.rules or id_ in model.rulings]
        return cls(
            lang=translation.lang,
            title=translation.title,
            path=inputs.shown(translation.source.path),
            rules=len(model.rules.keys() & translation.rules.keys()),
            rulings=len(model.rulings.keys() & translation.rulings.keys()),
            missing=tuple(id_ for id_ in (*model.rules, *model.rulings) if id_ not in translation.passages),
            statuses={status: sum(p.status == status for p in known) for status in _STATUSES},
            confirmed=sum(bool(p.confirmed) for p in known),
            stale=tuple(p.id for p in known if p.confirmed and p.confirmed != facts_digest(model, p.id)),
        )

    def row(self) -> list[str]:
        counts = (self.rules, self.rulings, len(self.missing), *self.statuses.values(), self.confirmed, len(self.stale))
        return [self.lang, *map(str, counts)]

    def to_dict(self) -> dict[str, Any]:
        said: dict[str, Any] = {"lang": self.lang, "title": self.title, "path": self.path}
        said |= {"rules": self.rules, "rulings": self.rulings, "missing": list(self.missing), **self.statuses}
        return said | {"confirmed": self.confirmed, "stale": list(self.stale)}


@click.command(short_help="How far every language is, and which texts are stale.")
@click.argument("spec", required=False)
@click.argument("rules", nargs=-1, metavar="[RULE]...")
@click.option("--lang", metavar="LANG", help="Only this language.")
@click.option("--confirm", is_flag=True, help="Note that these texts (default: all) were read against their facts.")
@options.format_("text", "json")
@options.output
@options.quiet
@options.verbose
def status(
    spec: str | None,
    rules: tuple[str, ...],
    lang: str | None,
    confirm: bool,
    format_: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Show for every language of a game (default: of all games) how many rules and rulings have a text and how far it
    is: draft, translated or reviewed, where the text says so; confirmed, where somebody has read it against the facts
    of its rule; stale, where those facts have changed since. With -v the missing and stale ones are named.

    --confirm writes into the translation that its texts, or those of the rules named, say what the spec says now.

    \b
    Examples:
      ftk text status
      ftk text status fortheking --lang uk -v
      ftk text status fortheking --lang uk --confirm
      ftk text status fortheking --lang uk --confirm setup.deck overbid
    """
    if confirm:
        told = _confirm(spec, lang, rules)
        click.echo(told, err=True) if not quiet else None
        return
    if rules:
        raise click.UsageError(f"Rules are named for --confirm only: {', '.join(rules)}.")
    from rulespec import known_games

    loaded = [games.load(name) for name in ([spec] if spec else known_games())]
    if spec and lang:
        in_language(loaded[0], lang)
    found = [(one, _progress(one, lang)) for one in loaded]
    if lang and not any(languages for _, languages in found):
        raise failure.Failure(f"No game has rule text in {lang}.", "Run `ftk text status` to see which there are.")
    if format_ == "json":
        emit(to_json({"version": 1, "games": [_data(one, languages) for one, languages in found]}), output)
    else:
        blocks = ("\n".join(_lines(one, languages, verbose)) for one, languages in found if languages or not lang)
        emit("\n".join(blocks) + "\n", output)


def _progress(spec: Spec, lang: str | None) -> list[Progress]:
    from rulespec import texts_of

    return [Progress.of(text, spec) for tag, text in texts_of(spec).items() if lang in (None, tag)]


def _data(spec: Spec, languages: list[Progress]) -> dict[str, Any]:
    model = spec.model
    said: dict[str, Any] = {"game": model.id, "version": model.version, "title": model.title}
    said |= {"rules": len(model.rules), "rulings": len(model.rulings)}
    return said | {"languages": [language.to_dict() for language in languages], "unreadable": _unreadable(spec)}


def _lines(spec: Spec, languages: list[Progress], verbose: bool) -> Iterator[str]:
    model = spec.model
    yield f"{model.title} {model.version}: {len(model.rules)} rules, {len(model.rulings)} rulings"
    if languages:
        yield f"  {'':<8}" + "".join(f"{name:>{_wide(name)}}" for name in _COLUMNS)
    for language in languages:
        tag, *counts = language.row()
        cells = "".join(f"{cell:>{_wide(name)}}" for name, cell in zip(_COLUMNS, counts, strict=True))
        yield f"  {tag:<8}{cells}   {language.title}"
        if verbose:
            named = (("missing", language.missing), ("stale", language.stale))
            yield from (f"    {what}: {', '.join(ids)}" for what, ids in named if ids)
    if not languages:
        yield "  no rule text"
    yield from (f"  {path} cannot be read: run `ftk text check {path}`" for path in _unreadable(spec))


def _wide(name: str) -> int:
    return len(name) + 2


def _unreadable(spec: Spec) -> list[str]:
    """The files of the game's translations that are broken."""
    from rulespec import texts_of
    from rulespec.project import of

    folder = of(spec.model.source.path).translations / spec.id
    sound = {Path(text.source.path) for text in texts_of(spec).values()}
    return [inputs.shown(str(path)) for path in sorted(folder.glob("*.yaml")) if path not in sound]


# --- confirming -------------------------------------------------------------------------------------------------------


def _confirm(spec: str | None, lang: str | None, rules: tuple[str, ...]) -> str:
    """Writes the digests of the facts into a translation, and says so. Raises Failure or UsageError."""
    from rulespec.text import facts_digest
    from rulespec.text.exchange import confirm, passages

    if not (spec and lang):
        missing = "the game" if not spec else "--lang"
        raise click.UsageError(f"--confirm needs a game and --lang, and perhaps rules; {missing} is missing.")
    loaded = games.load(spec)
    translation, model = in_language(loaded, lang), loaded.model
    there = {
        key: passage
        for key, passage in passages(translation).items()
        if passage.id in (model.rulings if key.startswith("rulings/") else model.rules)
    }
    chosen = _chosen(rules, there, lang)
    digests = {key: facts_digest(model, there[key].id) for key in chosen}
    new = [key for key in chosen if there[key].confirmed != digests[key]]
    text, found = confirm(translation.source, digests)
    if found:
        show(found, translation.source)
        raise click.exceptions.Exit(failure.FINDINGS)
    if text != translation.source.text:
        save(translation.source.path, text)
    path = inputs.shown(translation.source.path)
    return f"{path}: {_counted(len(new))} confirmed, {len(chosen) - len(new)} already were."


def _chosen(rules: Iterable[str], there: dict[str, Passage], lang: str) -> list[str]:
    """The passages of these rules and rulings, all of them where none is named. Raises Failure for one without text."""
    by_id: dict[str, list[str]] = {}
    for key, passage in there.items():
        by_id.setdefault(passage.id, []).append(key)
    for id_ in rules:
        if id_ not in by_id:
            close = failure.nearest(id_, by_id)
            hint = f"Did you mean `{close}`?" if close else "Run `ftk text status -v` to see what is missing."
            raise failure.Failure(f"There is no text of a rule `{id_}` in {lang}; nothing was confirmed.", hint)
    return [key for id_ in dict.fromkeys(rules or by_id) for key in by_id[id_]]


def _counted(number: int) -> str:
    return f"{number} {'text' if number == 1 else 'texts'}"
