"""The one table of every kind of finding, one file per hundred codes."""

from rulespec.catalogue.decks import DECKS
from rulespec.catalogue.kind import Kind, Severity
from rulespec.catalogue.meaning import MEANING
from rulespec.catalogue.proof import PROOF
from rulespec.catalogue.reading import READING
from rulespec.catalogue.scenarios import SCENARIOS
from rulespec.catalogue.schema import SCHEMA
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
    )
}
