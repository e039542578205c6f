"""Roles in clauses: where cards come from, where they go, and who acts."""

from __future__ import annotations

from rulespec.text.checks.roles.lexicon import Role, RoleLexicon, roles_of
from rulespec.text.checks.roles.reader import Person, Placed, read_people, read_places

__all__ = ["Person", "Placed", "Role", "RoleLexicon", "read_people", "read_places", "roles_of"]
