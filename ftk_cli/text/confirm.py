"""`ftk text status --confirm`: marks texts as compared with their rules, their words and their source."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, inputs
from ftk_cli.text.files import save, show
from ftk_cli.text.languages import in_language
from rulespec.base.characters import visible
from rulespec.base.messages import counted, say, sentences
from rulespec.games.confirmed import confirming, versions_of
from rulespec.games.rulebook import book_of
from rulespec.text.checks.check import contradicted
from rulespec.text.output.exchange.units import passages
from rulespec.text.reading.translation import source_of
from rulespec.text.seals.confirmation import renewed
from rulespec.text.seals.since import untranslated_ids

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.text.reading.translation import Passage, Translation

_REASON = re.compile(r"[ \t]+# anyway: .*$")


def confirmed(spec: str | None, variant: str, lang: str | None, rules: tuple[str, ...], anyway: str | None) -> str:
    """Writes confirmations into a translation, and keeps what was confirmed. Returns a sentence about it.

    Raises Failure or UsageError.
    """
    if not (spec and lang):
        no_game = say("--confirm needs a game and --lang, and perhaps rules; the game is missing.")
        no_lang = say("--confirm needs a game and --lang, and perhaps rules; --lang is missing.")
        raise click.UsageError(no_lang if spec else no_game)
    if anyway is not None and not anyway.strip():
        raise click.UsageError(say("--anyway needs a reason, which is written beside the texts."))
    if anyway is not None and visible(" ".join(anyway.split())) != " ".join(anyway.split()):
        raise click.UsageError(say("The reason has an invisible character: {reason}", reason=visible(anyway)))
    loaded = games.load(spec, variant=variant)
    model = loaded.model
    joined = renewed(in_language(loaded, lang), model, versions_of(model))
    own = joined.source  # a variant confirms its own texts only
    translation = joined.without(lambda passage: passage.source != own) if variant else joined
    there = {
        key: passage
        for key, passage in passages(translation).items()
        if passage.id in (model.rulings if key.startswith("rulings/") else model.rules)
    }
    chosen = _chosen(rules, there, lang)
    opposed = _contradicted(joined, loaded, {there[key].id for key in chosen})
    if opposed and anyway is None:
        path = inputs.shown(own.path)
        raise failure.Failure(
            counted(
                "{number} text of {path} would be confirmed against the rules: {named}.",
                "{number} texts of {path} would be confirmed against the rules: {named}.",
                len(opposed),
                path=path,
                named=opposed,
            ),
            say("Correct what `ftk text check` finds there, or give a reason: --anyway REASON."),
        )
    left = [one for one in untranslated_ids(joined, source_of(joined)) if one in {there[key].id for key in chosen}]
    if left and anyway is None:
        raise failure.Failure(
            counted(
                "Not translated yet, so nothing was confirmed: {number} text of {path}.",
                "Not translated yet, so nothing was confirmed: {number} texts of {path}.",
                len(left),
                path=inputs.shown(own.path),
            ),
            say(
                "Name the RULEs that are done. Where the words of the source are right, give a reason: --anyway REASON."
            ),
        )
    made = confirming(translation, chosen, model)
    if made.findings:
        show(list(made.findings), own)
        raise click.exceptions.Exit(failure.FINDINGS)
    new = [key for key in chosen if str(there[key].seal) != made.seals[key]]
    reasons = {made.seals[key]: anyway if there[key].id in (*opposed, *left) else None for key in chosen}
    text = _with_reasons(made.source.text, reasons)
    save(own.path, own.text, text, made.kept)
    said = counted(
        "{path}: {number} text confirmed, {others} already were.",
        "{path}: {number} texts confirmed, {others} already were.",
        len(new),
        path=inputs.shown(own.path),
        others=len(chosen) - len(new),
    )
    unneeded = say("None contradicts its rule, so no reason is written.")
    return sentences(said, unneeded) if anyway and not (opposed or left) else said


def _contradicted(translation: Translation, loaded: Spec, ids: Collection[str]) -> list[str]:
    """The rules and rulings among these whose texts say what the rules exclude."""
    book = book_of(loaded)
    found = contradicted(translation, book) if book is not None else ()
    return [id_ for id_ in found if id_ in ids]


def _with_reasons(text: str, reasons: dict[str, str | None]) -> str:
    """A file in which seals are followed by the reason for them, or by none any more."""

    def line(written: str) -> str:
        body = written.rstrip("\r\n")
        seal = next((one for one in reasons if one in body and "confirmed:" in body), None)
        if seal is None:
            return written
        reason = reasons[seal]
        said = f"  # anyway: {' '.join(reason.split())}" if reason is not None else ""
        return _REASON.sub("", body) + said + written[len(body) :]

    return "".join(map(line, text.splitlines(keepends=True)))


def _chosen(rules: Iterable[str], there: dict[str, Passage], lang: str) -> list[str]:
    """The passages of these rules and rulings, or all if none is named. Raises Failure for a rule without text."""
    by_id: dict[str, list[str]] = {}
    for key, passage in there.items():
        by_id.setdefault(passage.id, []).append(key)
    for id_ in rules:
        if id_ not in by_id:
            otherwise = say("Run `ftk text status -v` to see what is missing.")
            raise failure.Failure(
                say("There is no text of the rule `{id}` in {lang}, so nothing was confirmed.", id=id_, lang=lang),
                failure.did_you_mean(id_, by_id) or otherwise,
            )
    return [key for id_ in dict.fromkeys(rules or by_id) for key in by_id[id_]]


def _counted(number: int) -> str:
    return f"{number} {'text' if number == 1 else 'texts'}"
