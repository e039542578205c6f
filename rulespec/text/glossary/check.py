"""Checks of a glossary against its spec and for contradictions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from rulespec.base.diagnostics import Finding, Related, finding, related
from rulespec.base.messages import NOTHING, Message, all_of, counted, quoted, say
from rulespec.language.model.spec import Spec
from rulespec.text.glossary import tokens
from rulespec.text.glossary.concepts import Concept, Glossary, Status, Term, Terms
from rulespec.text.glossary.matcher import GAP
from rulespec.text.languages.morphology import categories, category, needed
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, find

_SHOWN = 12
"""The most names in one message: a longer list does not fit on three lines."""
_PICK = re.compile(r"{(\w+)(?:\.\w+)?}")
_BRACE = re.compile("[{}]")
_RIGHT = (Status.PREFERRED, Status.ALLOWED)
_MAY_HAVE_GAPS = (Status.ALLOWED, Status.VAGUE, Status.CUE)


def check(glossary: Glossary, spec: Spec) -> Iterator[Finding]:
    """The findings of a glossary."""
    if glossary.game != spec.id:
        message = say("This is a glossary of `{game}`, but the spec is `{spec}`.", game=glossary.game, spec=spec.id)
        yield finding(
            "glossary-other-game", message, glossary.source, glossary.place, say("Correct `game:`, or move the file.")
        )
        return
    yield from _unknown(glossary, spec)
    yield from _unusable(glossary)
    yield from _unfilled(glossary, spec)
    for lang in glossary.languages():
        yield from _contradictions(glossary, lang)
        yield from _shared(glossary, lang)
        yield from _missing(glossary, spec, lang)
        yield from _counted(glossary, lang)
    yield from _unnamed(glossary, spec)


# --- the names of the spec -------------------------------------------------------------------------------------------


def names_of(spec: Spec) -> tuple[str, ...]:
    """Every name of a spec that a concept can have under `names`. Enum members are `enum.member`, parameters of a
    procedure `procedure.parameter`."""
    members = [f"{enum.name}.{member}" for enum in spec.enums.values() for member in enum.members]
    parameters = [f"{one.name}.{given.name}" for one in spec.procedures.values() for given in one.parameters]
    declared = (
        *spec.enums,
        *spec.zones,
        *spec.values,
        *spec.tables,
        *spec.deck.declared,
        *spec.rules,
        *spec.procedures,
    )
    return tuple(dict.fromkeys(("card", "player", *spec.components, *declared, *members, *parameters)))


def said_by(spec: Spec) -> tuple[str, ...]:
    """What a spec says at the table, and a label can say in another language: the words of options, the questions of
    rulings, and their answers as `ruling.option`."""
    rulings = spec.rulings.values()
    answers = (f"{ruling.id}.{option}" for ruling in rulings for option in ruling.options)
    return (*spec.option_words, *(ruling.question for ruling in rulings), *answers)


def _unknown(glossary: Glossary, spec: Spec) -> Iterator[Finding]:
    """Names, rules, rulings and concepts that are not there."""
    names, no_name, no_rule = (*names_of(spec), *said_by(spec)), "glossary-name-unknown", "glossary-rule-unknown"
    for concept in glossary.concepts.values():
        message = say("The spec has no name `{names}`.", names=concept.names)
        hint = say("Delete `names:`, or use a name that the spec declares.")
        used = [(no_name, concept.names, concept.names_span, names, message, hint)]
        message = say("The spec has no rule `{defined_by}`.", defined_by=concept.defined_by)
        hint = say("Use the id of the rule whose text introduces the concept.")
        used.append((no_rule, concept.defined_by, concept.defined_span, (*spec.rules,), message, hint))
        message = say("The spec has no ruling `{asks}`.", asks=concept.asks)
        hint = say("Use the id of the ruling that the vague phrases leave open.")
        used.append((no_rule, concept.asks, concept.asks_span, (*spec.rulings,), message, hint))
        hint, spans = say("Use the id of a concept of the glossary."), (*concept.settled_spans, *concept.any_of_spans)
        for id_, span in zip((*concept.settled_by, *concept.any_of), spans, strict=True):
            message = say("The glossary has no concept `{id}`.", id=id_)
            used.append((no_name, id_, span, (*glossary.concepts,), message, hint))
        for name, said, span, known, message, hint in used:
            if said and said not in known:
                yield finding(name, message, glossary.source, span, _meant(said, known) or hint)


def _meant(name: str, known: Iterable[str]) -> Message:
    near = _nearest(name, known)
    return say("Did you mean `{name}`?", name=near[0]) if near else NOTHING


def _nearest(name: str, known: Iterable[str]) -> list[str]:
    """The name that was most likely meant, first; empty if none is near."""
    names = list(known)
    # A member may have been written without its enum.
    ends = [candidate for candidate in names if candidate.rpartition(".")[2] == name]
    # Cut off, because difflib takes quadratic time, and no name is so long.
    return ends or get_close_matches(name[:80], names, n=1, cutoff=0.65)


def _unnamed(glossary: Glossary, spec: Spec) -> Iterator[Finding]:
    """Names with a title that players see and that no concept has, in one finding; none if all are labels, without
    texts."""
    named = {concept.names for concept in glossary.concepts.values() if not concept.is_label}
    titled = [item.name for group in (spec.zones, spec.values) for item in group.values() if item.title]
    # If no member of an enum has a concept, such as the letters on cards, texts do not name its members.
    spoken = [e for e in spec.enums.values() if any(f"{e.name}.{member}" in named for member in e.members)]
    members = [f"{enum.name}.{member}" for enum in spoken for member in enum.members]
    known = names_of(spec)
    # A misspelt name has a finding of its own.
    meant = {near for name in named if name and name not in known for near in _nearest(name, known)}
    left = [name for name in (*members, *titled) if name not in named and name not in meant]
    if left and named:
        names = quoted(left[:_SHOWN])
        message = say("No concept has the name {names}.", names=names)
        if more := len(left[_SHOWN:]):
            message = counted(
                "No concept has the name {names} and {number} more.",
                "No concept has the name {names} and {number} more.",
                more,
                names=names,
            )
        hint = say("Add `names:` to their concepts if texts mention them. Otherwise ignore this.")
        yield finding("glossary-name-unused", message, glossary.source, glossary.place, hint)


# --- the terms among themselves --------------------------------------------------------------------------------------


def _unusable(glossary: Glossary) -> Iterator[Finding]:
    for concept, lang, status, term in _all_terms(glossary):
        pieces = GAP.split(term.text)
        if len(pieces) > 1 and status not in _MAY_HAVE_GAPS:
            message = say("A `{status}` term cannot contain a gap.", status=status)
            hint = say("Only `allowed`, `vague` and `cues` can contain a gap.")
        elif status == Status.VAGUE and not concept.asks:
            message = say("`{term}` is vague, but the concept has no `asks:`.", term=term.text)
            hint = say("Add `asks:` with the id of a ruling to `{concept}`.", concept=concept.id)
        elif not all(tokens.has_word(piece, lang) for piece in pieces):
            lacking = (
                say("`{term}` has no word on each side of the gap.")
                if len(pieces) > 1
                else say("`{term}` has no word in it.")
            )
            message = say(lacking, term=term.text)
            hint = say("Add words, or delete the term.")
        else:
            continue
        yield finding("term-unusable", message, glossary.source, term.span, hint, lang=lang)


def _unfilled(glossary: Glossary, spec: Spec) -> Iterator[Finding]:
    """Labels of options without all their picks."""
    for concept, lang, status, term in _all_terms(glossary):
        says = concept.names
        if status == Status.LABEL and says in spec.option_words and not has_picks_of(term.text, says):
            picks = [f"{{{name}}}" for name in _PICK.findall(says)]
            message = say("The label does not have the picks of the option `{says}`, each once.", says=says)
            hint = say("Write {picks} in it.", picks=all_of(quoted(picks))) if picks else say("Delete the braces.")
            yield finding("term-unusable", message, glossary.source, term.span, hint, lang=lang)


def has_picks_of(label: str, says: str) -> bool:
    """Whether a label has the names in braces that the words of an option have, each as often."""
    return sorted(_PICK.findall(label)) == sorted(_PICK.findall(says)) and not _BRACE.search(_PICK.sub("", label))


def _contradictions(glossary: Glossary, lang: str) -> Iterator[Finding]:
    for concept in glossary.concepts.values():
        right = {_key(term): (status, term) for status, term in _terms(concept, lang) if status in _RIGHT}
        for status, term in _terms(concept, lang):
            if status == Status.FORBIDDEN and _key(term) in right:
                message = say(
                    "`{term}` is both `{right}` and `forbidden` for `{concept}`.",
                    term=term.text,
                    right=right[_key(term)][0],
                    concept=concept.id,
                )
                hint, other = say("Delete it from one of the two lists."), [_other(right[_key(term)][1], glossary)]
                yield finding("term-contradiction", message, glossary.source, term.span, hint, lang=lang, related=other)


def _shared(glossary: Glossary, lang: str) -> Iterator[Finding]:
    owners: dict[str, tuple[str, Term]] = {}
    for concept in glossary.concepts.values():
        for status, term in _terms(concept, lang):
            own = concept.id, term
            # A word may be forbidden for several concepts, and a form may be one of several words.
            owner, first = owners.setdefault(_key(term), own) if status in _RIGHT else own
            if owner != concept.id:
                message = say(
                    "`{term}` is a term of both `{owner}` and `{concept}`.",
                    term=term.text,
                    owner=owner,
                    concept=concept.id,
                )
                hint = say("Keep it for one concept. For the other use a longer term or a cue.")
                other = [_other(first, glossary)]
                yield finding("term-shared", message, glossary.source, term.span, hint, lang=lang, related=other)


def _other(term: Term, glossary: Glossary) -> Related:
    return related(say("The first `{name}`.", name=term.text), glossary.source, term.span)


def _missing(glossary: Glossary, spec: Spec, lang: str) -> Iterator[Finding]:
    known = frozenset(said_by(spec)) if lang == LANGUAGE_OF_SPECS else ()  # the spec has these words
    for concept in glossary.concepts.values():
        terms = concept.terms.get(lang)
        if concept.names in known:
            continue
        # A concept with `any_of` is mentioned by others, so it can do without a term.
        if (terms is None or (terms.preferred is None and terms.label is None)) and not concept.any_of:
            message = say("`{concept}` has no preferred term in {lang}.", concept=concept.id, lang=lang)
            hint = say("Add `{lang}: {{preferred: …}}`.", lang=lang)
            yield finding("term-missing", message, glossary.source, concept.key, hint, lang=lang)


def _counted(glossary: Glossary, lang: str) -> Iterator[Finding]:
    """Forms after numbers of categories that the language does not have, or that lack, and forms of other words."""
    known, wanted = categories(lang), needed(lang)
    for concept in glossary.concepts.values():
        terms = concept.terms.get(lang)
        if terms is None or not terms.counted or not known:
            continue
        for kind, term in terms.counted.items():
            if kind not in known:
                message = say("{lang} has no plural category `{kind}`.", lang=lang, kind=kind)
                hint = say("Its categories are {known}.", known=all_of(quoted(known)))
                yield finding("counted-forms", message, glossary.source, term.span, hint, lang=lang)
            elif not _is_form(term, terms, lang):
                message = say("`{form}` is no form of the term `{concept}`.", form=term.text, concept=concept.id)
                hint = say("Correct it, or add it under `forms`.")
                yield finding("counted-forms", message, glossary.source, term.span, hint, lang=lang)
        if lacking := [kind for kind in wanted if kind not in terms.counted]:
            message = say(
                "`counted` of `{concept}` lacks the plural category {kinds}.",
                concept=concept.id,
                kinds=all_of(quoted(lacking)),
            )
            first_of_each = [next(n for n in range(1, 1001) if category(n, lang) == kind) for kind in lacking]
            hint = say("Add the form that stands after {numbers}.", numbers=all_of(first_of_each))
            first = next(iter(terms.counted.values()))
            yield finding("counted-forms", message, glossary.source, first.span, hint, lang=lang)


def _is_form(form: Term, terms: Terms, lang: str) -> bool:
    """Whether a phrase has the words of the term in some form. Without a lemmatiser any phrase may."""
    others = [term for term in (terms.preferred, *terms.allowed, *terms.forms) if term is not None]
    if not find(lang).lemmatiser or not others:
        return True
    words = _words(form, lang)
    return any(_is_same(words, _words(other, lang)) for other in others)


def _is_same(words: list[frozenset[str]], others: list[frozenset[str]]) -> bool:
    return len(words) == len(others) and all(one & other for one, other in zip(words, others, strict=True))


def _words(term: Term, lang: str) -> list[frozenset[str]]:
    """The keys of each word of a term."""
    return [tokens.term_keys(word, find(lang)) for word in tokens.read(term.text, lang)]


def _all_terms(glossary: Glossary) -> Iterator[tuple[Concept, str, Status, Term]]:
    for concept in glossary.concepts.values():
        for lang in concept.terms:
            yield from ((concept, lang, status, term) for status, term in _terms(concept, lang))


def _terms(concept: Concept, lang: str) -> Iterator[tuple[Status, Term]]:
    return concept.terms[lang].each() if lang in concept.terms else iter(())


def _key(term: Term) -> str:
    return tokens.plain(term.text)
