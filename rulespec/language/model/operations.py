"""The steps of the language, one row each, and the parts that only stand inside another step.

A step has more than this row, because the engine and the checks may not be imported here: “Adding things” in
`docs/architecture.md` lists the tables, which `tests/test_tables.py` joins.
"""

from __future__ import annotations

from rulespec.language.model import blocks, connection, core_steps, effects, positions, transfers
from rulespec.language.model import spec as m
from rulespec.language.model.steps import Operation

_ROWS = (
    # `each`, `random` and `let` come before `do`, which may stand next to them. A note may stand next to any step.
    Operation("each", m.Each, core_steps.each, ("from", "but", "do"), ("do",)),
    Operation("random", m.Random, core_steps.random, ("seen_by", "do"), ("do",)),
    Operation("let", m.Let, core_steps.let, ("do",), ("do",)),
    Operation("do", m.Do, core_steps.do),
    Operation("if", m.If, core_steps.if_, ("then", "else"), ("then",)),
    Operation("repeat", m.Repeat, core_steps.repeat),
    Operation("leave", m.Leave, core_steps.leave),
    Operation("end", m.End, core_steps.end),
    Operation("choose", m.Choose, core_steps.choose),
    Operation("move", m.Move, core_steps.move),
    Operation("show", m.Show, core_steps.show),
    Operation("shuffle", m.Shuffle, core_steps.shuffle),
    Operation("set", m.Set, core_steps.set_),
    Operation("remember", m.Remember, positions.remember),
    Operation("forget", m.Forget, positions.forget),
    Operation("transfer", m.Transfer, transfers.transfer),
    Operation("connect", m.Connect, connection.connect),
    Operation("run", m.Run, core_steps.run, ("with",)),
    Operation("effect", m.Effect, effects.effect),
    Operation("draft", m.Draft, blocks.draft),
    Operation("auction", m.Auction, blocks.auction),
    Operation("secret", m.Secret, blocks.secret),
    Operation("decide", m.Decide, blocks.decide),
    Operation("award", m.Award, blocks.award),
    Operation("rank", m.Rank, blocks.rank),
    Operation("note", m.Note, core_steps.note),
)

OPERATIONS: dict[str, Operation] = {row.key: row for row in _ROWS}
"""Every step by its key. A step with several of these keys is read by the first row it has."""

PARTS: dict[type[m.Step], str] = {
    m.Option: "says",
    m.Place: "says",
    m.DecisionRow: "when",
    m.MemberEffect: "effect",
    m.Prize: "gives",
    m.Criterion: "id",
}
"""The parts of steps that are steps themselves, and the key that a finding about one points at."""


def key_of(step: m.Step) -> str:
    """The key that a finding about a step points at."""
    return next((row.key for row in OPERATIONS.values() if row.step is type(step)), PARTS.get(type(step), "id"))
