"""`ftk cards` for other programs: pages to print, pictures, a list for programs that draw cards, a deck for a virtual
table."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import failure, inputs, protect
from ftk_cli.options import OneOf
from ftk_cli.output import emit, note, replace_all, to_json
from ftk_cli.text.files import show
from ftk_cli.text.languages import the_one
from rulespec.base.messages import all_of, any_of, counted, reason, say
from rulespec.base.typeset.pdf import TypesetError
from rulespec.base.typeset.pdf import missing as missing_typeset
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.output.sheets.paper import MOST_BLEED, SIZES, grid, paper

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.text.output.sheets.faces import Face, Words
    from rulespec.text.output.sheets.pages import Page
    from rulespec.text.output.sheets.paper import Paper


@dataclass(frozen=True)
class Cards:
    """The cards of a game in one language, with their words, title and template; `alone` if no other is wanted."""

    lang: str
    title: str
    faces: list[Face]
    words: Words
    alone: bool
    template: str = ""

    def path(self, path: str) -> str:
        """The name of a file for this language: with its tag if there are several."""
        stem, ending = os.path.splitext(path)
        return path if self.alone else f"{stem}-{self.lang}{ending}"


def in_languages(spec: Spec, langs: str | None, kept: frozenset[int] | None) -> Iterator[Cards]:
    """The cards in each language of a list with commas, by default that of specs; `kept` are those in play.

    Ends the command with the findings if there are errors in the looks of the cards."""
    from rulespec.games.looks import looks_of
    from rulespec.games.rulebook import book_of, texts_of
    from rulespec.text.output.sheets.faces import Words, faces

    book = book_of(spec)
    glossary = book.glossary if book is not None else None
    texts = texts_of(spec)
    known = dict.fromkeys((LANGUAGE_OF_SPECS, *(glossary.languages() if glossary is not None else ()), *texts))
    hint = say("Add terms in that language to the glossary, or a text in it, first.")
    wanted = [lang.strip() for lang in (langs or LANGUAGE_OF_SPECS).split(",")]
    tags = [the_one(tag, known, say("The game has no terms in {lang}.", lang=tag), hint) for tag in wanted]
    looks, report = looks_of(spec)
    if not report.ok:
        show(list(report.findings))
        raise click.exceptions.Exit(failure.FINDINGS)
    for tag in tags:
        text = texts.get(tag)
        words = Words(spec.model, glossary, tag, looks, text)
        cards = list(faces(spec.model, words, kept))
        title = (text.title if text is not None else "") or spec.model.title
        yield Cards(tag, title, cards, words, len(tags) == 1, looks.template if looks is not None else "")


Files = dict[str, str | bytes]
"""Contents by path."""


class Millimetres(click.ParamType[float]):
    """A length such as 3mm, or 3."""

    name = "length"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found = re.fullmatch(r"(\d{1,3}(?:\.\d{1,3})?)(?: ?mm)?", str(value))
        if found is None or float(found[1]) > MOST_BLEED:
            self.fail(f"`{value}` is no length from 0 to {MOST_BLEED}mm, such as 3mm.", param, ctx)
        return float(found[1])


def _papers() -> Iterable[str]:
    return SIZES


@dataclass(frozen=True)
class Drawing:
    """What of the cards is drawn or listed for other programs, and how: the options of `drawing_options`."""

    sheet: str | None
    tts: str | None
    tts_url: str | None
    langs: str | None
    template: str | None
    back_template: str | None
    backs: bool
    paper: str | None
    bleed: float | None

    def is_wanted(self, format_: str) -> bool:
        """Whether anything is. Raises UsageError for options that need others."""
        ending = os.path.splitext(self.sheet or "")[1].lower()
        wanted = {"--sheet": self.sheet, "--tts": self.tts, "--format layout": format_ == "layout"}
        chosen = [option for option, value in wanted.items() if value]
        if len(chosen) > 1:
            raise click.UsageError(say("Give one of {options}.", options=all_of(chosen)))
        for option, value, needed in (
            ("--lang", self.langs, [*wanted]),
            ("--template", self.template, ["--sheet", "--tts"]),
            ("--back-template", self.back_template, ["--sheet", "--tts"]),
            ("--backs", self.backs, ["--sheet"]),
            ("--paper", self.paper, ["--sheet"] * (ending != ".png")),
            ("--bleed", self.bleed, ["--sheet"] * (ending != ".png")),
            ("--tts-url", self.tts_url, ["--tts"]),
        ):
            if value and not set(needed).intersection(chosen):
                other = any_of(needed) or say("--sheet with SVG or PDF")
                raise click.UsageError(say("{option} needs {other}.", option=option, other=other))
        return bool(chosen)

    def write(self, spec: Spec, kept: frozenset[int] | None, output: str | None) -> None:
        """Writes the cards of a game that are in play, all if None, in each language that is wanted. A list goes to
        `output`, and is one in one language. Raises Failure, and UsageError."""
        every = list(in_languages(spec, self.langs, kept))
        if not every[0].faces:
            raise failure.Failure(
                say("{title} has no cards in play with this number of players.", title=spec.model.title)
            )
        if self.sheet is None and self.tts is None:
            return _list(spec, every, output)
        from rulespec.text.output.sheets.lengths import too_long_texts

        contents: Files = {}
        for cards in every:
            contents |= self._deck(cards, self.tts) if self.tts else self._sheets(cards, spec.id)
            found = list(too_long_texts(cards.words, cards.faces, cards.title, cards.lang, self._front(cards)))
            if found and not failure.is_quiet():
                show(found)
        replace_all(contents, overwrite=True)
        if not failure.is_quiet():
            number = len(contents)
            some = f"{', '.join(list(contents)[:3])}{' …' * (number > 3)}"
            note(counted("{number} file: {some}", "{number} files: {some}", number, some=some))

    def _sheets(self, cards: Cards, name: str) -> Files:
        """A PDF if the name ends so, pictures of the different faces if it is that of a PNG, else SVG files in a
        folder."""
        path = self.sheet or ""
        ending = os.path.splitext(path)[1].lower()
        if ending == ".pdf":
            return {cards.path(path): _pdf(self._pages(cards), cards)}
        if ending == ".png":
            return self._pictures(cards, cards.path(path), self._has_backs)
        return _svgs(path, f"{name}-{cards.lang}", self._pages(cards))

    def _deck(self, cards: Cards, path: str) -> Files:
        """A saved object of Tabletop Simulator, with its pictures beside it."""
        from rulespec.text.output.sheets.faces import different
        from rulespec.text.output.sheets.tabletop import saved_object

        named, faces = Path(cards.path(path)), different(cards.faces)
        made = self._pictures(cards, str(named.with_suffix(".png")), True)
        *fronts, back = [_address(picture, self.tts_url) for picture in made]
        return {str(named): to_json(saved_object(faces, cards.title, grid(len(faces)), fronts, back)), **made}

    @property
    def _has_backs(self) -> bool:
        return self.backs or self.back_template is not None

    def _pages(self, cards: Cards) -> list[Page]:
        """The pages to print."""
        return self._drawn(cards, paper(self.paper or "a4", self.bleed or 0), self._has_backs)

    def _pictures(self, cards: Cards, path: str, backs: bool) -> Files:
        """Pictures with each different face once, and one of the back if it is wanted: NAME-1.png, …, NAME-back.png."""
        from rulespec.text.output.sheets.faces import different
        from rulespec.text.output.sheets.pages import png

        faces = different(cards.faces)
        made = self._drawn(replace(cards, faces=faces), grid(len(faces)), False)
        if backs:
            made += self._drawn(replace(cards, faces=faces[:1]), grid(1), True)[1:]
        stem, ending = os.path.splitext(path)
        names = [f"{stem}-{'back' if page.back else page.number}{ending}" for page in made]
        with _typeset():
            return dict(zip(names, png(made, cards.title, cards.lang), strict=True))

    def _front(self, cards: Cards) -> str:
        """The template of cards: the one that is given, else that of the looks, "" for ours."""
        return inputs.source(self.template).text if self.template else cards.template

    def _drawn(self, cards: Cards, on: Paper, backs: bool) -> list[Page]:
        """The cards on a paper. Raises Failure for a template that is wrong."""
        from rulespec.text.output.sheets.drawing import SheetError
        from rulespec.text.output.sheets.pages import pages

        back = inputs.source(self.back_template).text if self.back_template else ""
        try:
            return pages(cards.faces, cards.title, cards.lang, self._front(cards), on, back if backs else None)
        except SheetError as error:
            wrong = self.template if error.side == "card" else self.back_template
            raise failure.Failure(
                say("{path}: {reason}", path=wrong, reason=reason(error)), say("It is SVG for one card, in Jinja.")
            ) from None


_OPTIONS = (
    click.option("--sheet", metavar="PATH", help="Draw the cards: SVG files in a folder, or a .pdf or a .png."),
    click.option("--tts", metavar="FILE.json", help="Write a deck for Tabletop Simulator, with its pictures."),
    click.option("--tts-url", metavar="ADDRESS", help="Where the pictures of --tts will be on the web."),
    click.option("--lang", "langs", metavar="LANG", help="The language, or several with commas (default: en)."),
    click.option("--template", metavar="FILE", help="Draw each card by this template: SVG in Jinja."),
    click.option("--back-template", metavar="FILE", help="Draw the backs by this template: SVG in Jinja."),
    click.option("--backs", is_flag=True, help="Draw the backs of --sheet, too."),
    click.option("--paper", type=OneOf("paper", _papers), help="The pages of --sheet (default: a4)."),
    click.option("--bleed", type=Millimetres(), help="Draw cards beyond their edges, such as 3mm."),
)


def drawing_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options of drawing cards, as its argument `drawing`."""

    @wraps(command)
    def gathered(**given: Any) -> None:
        own = {field.name: given.pop(field.name) for field in fields(Drawing)}
        command(drawing=Drawing(**own), **given)

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered


def _address(picture: str, folder: str | None) -> str:
    return f"{folder.rstrip('/')}/{Path(picture).name}" if folder else Path(picture).resolve().as_uri()


def _list(spec: Spec, every: Sequence[Cards], output: str | None) -> None:
    """Writes the different faces as CSV for programs that lay out cards."""
    from rulespec.text.output.sheets.layout import layout

    if len(every) > 1:
        raise click.UsageError(say("--format layout is a list in one language."))
    emit(layout(every[0].faces, spec.model.deck.declared), output, data=True)


def _pdf(made: Sequence[Page], cards: Cards) -> bytes:
    from rulespec.text.output.sheets.pages import pdf

    with _typeset(say("Name a folder for SVG files instead.")):
        return pdf(made, cards.title, cards.lang)


@contextmanager
def _typeset(hint: str = "") -> Iterator[None]:
    """Raises Failure where something cannot be typeset."""
    if missing := missing_typeset():
        raise failure.Failure(say("{sentence}.", sentence=missing), hint)
    try:
        yield
    except TypesetError as error:
        raise failure.Failure(reason(error), hint) from None


def _svgs(folder: str, stem: str, made: Sequence[Page]) -> Files:
    wide = len(str(made[-1].number))
    protect.refuse(folder)
    return {str(Path(folder) / f"{stem}-{page.number:0{wide}}{'-back' * page.back}.svg"): page.svg for page in made}
