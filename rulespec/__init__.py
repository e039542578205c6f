"""Board-game rules as versioned YAML specs: checked, explained and played.

spec = rulespec.load("fortheking")
state = spec.game(players=4).new_initial_state(seed=7)
"""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.base.characters import UNSEEN, escaped, visible
    from rulespec.base.diagnostics import Finding, Position, Related, Report, Severity, Span, finding
    from rulespec.base.project import find, known_games
    from rulespec.base.source import Reading, Source, special_file
    from rulespec.base.source import from_bytes as source_from_bytes
    from rulespec.base.source import read as read_source
    from rulespec.editing.batch import Blocked, Checked, check_all, without_cascades
    from rulespec.editing.file_kinds import FILE_KINDS, FileKind, check, check_source, kind_of, schema_of_data, spec_of
    from rulespec.editing.unchanged import FileResult, files_about, named_by
    from rulespec.engine.interpreter.running import SIMULTANEOUS, StartPosition, StateError
    from rulespec.engine.states.game import Game
    from rulespec.engine.states.openspiel import CHANCE
    from rulespec.engine.states.state import TERMINAL, State
    from rulespec.games.api import (
        Spec,
        SpecError,
        built,
        condition_text,
        load,
        loads,
        model_of,
        weight_texts,
        with_meant,
    )
    from rulespec.games.confirmed import (
        confirming,
        confirming_in,
        keeping,
        keeping_beside,
        version_path,
        versions_of,
        words_of,
        work_in,
    )
    from rulespec.games.looks import looks_of
    from rulespec.games.rulebook import (
        Reviewed,
        Reviewer,
        begun_text,
        book_at,
        book_of,
        check_raw,
        check_translation,
        check_variant_texts,
        described,
        description_of,
        examples_of,
        kept_review,
        review_raw,
        review_translation,
        texts_at,
        texts_of,
    )
    from rulespec.language.overlay import VariantError, with_variant
    from rulespec.versions.earlier import Earlier

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "FILE_KINDS",
    "SIMULTANEOUS",
    "TERMINAL",
    "UNSEEN",
    "Blocked",
    "Checked",
    "Earlier",
    "FileKind",
    "FileResult",
    "Finding",
    "Game",
    "Position",
    "Reading",
    "Related",
    "Report",
    "Reviewed",
    "Reviewer",
    "Severity",
    "Source",
    "Span",
    "Spec",
    "SpecError",
    "StartPosition",
    "State",
    "StateError",
    "VariantError",
    "__version__",
    "begun_text",
    "book_at",
    "book_of",
    "built",
    "check",
    "check_all",
    "check_raw",
    "check_source",
    "check_translation",
    "check_variant_texts",
    "condition_text",
    "confirming",
    "confirming_in",
    "described",
    "description_of",
    "escaped",
    "examples_of",
    "files_about",
    "find",
    "finding",
    "keeping",
    "keeping_beside",
    "kept_review",
    "kind_of",
    "known_games",
    "load",
    "loads",
    "looks_of",
    "model_of",
    "named_by",
    "read_source",
    "review_raw",
    "review_translation",
    "schema_of_data",
    "source_from_bytes",
    "spec_of",
    "special_file",
    "texts_at",
    "texts_of",
    "version_path",
    "versions_of",
    "visible",
    "weight_texts",
    "with_meant",
    "with_variant",
    "without_cascades",
    "words_of",
    "work_in",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.games.api": "Spec SpecError built condition_text load loads model_of weight_texts with_meant",
        "rulespec.editing.batch": "Blocked Checked check_all without_cascades",
        "rulespec.base.characters": "UNSEEN escaped visible",
        "rulespec.games.confirmed": "confirming confirming_in keeping keeping_beside version_path versions_of words_of "
        "work_in",
        "rulespec.base.diagnostics": "Finding Position Related Report Severity Span finding",
        "rulespec.versions.earlier": "Earlier",
        "rulespec.engine.states.game": "Game",
        "rulespec.engine.interpreter.running": "SIMULTANEOUS StartPosition StateError",
        "rulespec.engine.states.openspiel": "CHANCE",
        "rulespec.engine.states.state": "TERMINAL State",
        "rulespec.editing.file_kinds": "FILE_KINDS FileKind check check_source kind_of schema_of_data spec_of",
        "rulespec.language.overlay": "VariantError with_variant",
        "rulespec.base.project": "find known_games",
        "rulespec.games.looks": "looks_of",
        "rulespec.games.rulebook": "Reviewed Reviewer begun_text book_at book_of check_raw check_translation "
        "check_variant_texts described description_of examples_of kept_review review_raw "
        "review_translation texts_at texts_of",
        "rulespec.base.source": "Reading Source from_bytes=source_from_bytes read=read_source special_file",
        "rulespec.editing.unchanged": "FileResult files_about named_by",
    },
)
