"""The one table of every kind of finding, one file per hundred codes."""

from rulespec.catalogue.decks import DECKS
from rulespec.catalogue.kind import Kind, Severity
from rulespec.catalogue.meaning import MEANING
from rulespec.catalogue.proof import PROOF
from rulespec.catalogue.reading import READING
from rulespec.catalogue.scenarios import SCENARIOS
from rulespec.catalogue.schema import SCHEMA
from rulespec.catalogue.text_exchange import TEXT_EXCHANGE
from rulespec.catalogue.text_facts import TEXT_FACTS
from rulespec.catalogue.text_glossary import TEXT_GLOSSARY
from rulespec.catalogue.text_marks import TEXT_MARKS
from rulespec.catalogue.text_raw import TEXT_RAW
from rulespec.catalogue.text_terms import TEXT_TERMS
from rulespec.catalogue.texts import TEXTS
from rulespec.catalogue.yaml import YAML

__all__ = ["CATALOGUE", "Kind", "Severity"]

CATALOGUE: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        *READING,  # RS0xx: files, encodings, characters
        *YAML,  # RS1xx: YAML syntax and the YAML a spec may use
        *SCHEMA,  # RS2xx: the keys and values of the format
        *MEANING,  # RS3xx: names and types, RS4xx: cards and tables, RS5xx: steps
        *PROOF,  # RS6xx: what cannot be proven of a game, or looks wrong in it
        *SCENARIOS,  # RS7xx: scenarios
        *DECKS,  # RS8xx: decks
        *TEXTS,  # RS9xx: rule text
        *TEXT_FACTS,  # RS905 to RS92x: what the text must say
        *TEXT_GLOSSARY,  # RS93x: glossaries
        *TEXT_TERMS,  # RS94x: the words it uses
        *TEXT_MARKS,  # RS95x to RS97x: what a text gives away by itself
        *TEXT_RAW,  # RS98x: raw texts, findings set aside
        *TEXT_EXCHANGE,  # RS99x: files of translators' tools
    )
}
