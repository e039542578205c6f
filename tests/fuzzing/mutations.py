"""Changes to trees and to texts. Each is a function of a random generator; a table lists them."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from fuzzing.trees import Pairs

NUMBERS = (
    0, -1, 1, 2, 99, 255, 1000, 10**6, 2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 10**30,
    0.5, -0.0, 1e308, "1e999", ".inf", "-.inf", ".nan", "0x1F", "1_000", "010", "1:30", "٣", "²", "½", "९९",
)  # fmt: skip
STRINGS = (
    "", " ", "\n", "\t", "\r\n", "\0", "\x1b[31m", "\u202e", "\u200b", "\ufeff", "\u2028", "\ud800",
    "\U0001f469\u200d\U0001f33e", "e\u0301", "ﬁ", "İ", "ß", "國", "’", "…", "“", "null", "true", "no", "~", "<<", "&a",
    "*a", "!!python/none", "---", "...", "-", "?", ":", "#", "|", ">", "%", "@", "`", "'", '"', "\\", "\\x", "{", "}",
    "[", "]", "[]", "{}", "{0}", "{p}", "{amount}", "a" * 300, "(" * 300, "a.b.c", "a[b]", "1..", "..1", "3..1",
    "1..99999999", "0..1", "a: b", "a, b", "x # y", "A..H", "seat(1)", "p", "player", "card", "players", "none",
    "1 // 0", "1 % 0", "-(1)", "not", "a if b else c", "sum(", "c for c in", "__class__", "__import__('os')",
    "lambda: 0", "../../etc/passwd", "/dev/null", "CON", "~", "http://[", "= 1+1", "<b>", "&amp;", "<!--", "]]>",
)  # fmt: skip
_WORD = re.compile(r"[A-Za-z_]\w*")
_TOKEN = re.compile(r"\w+|[^\w\s]|\s+")
_OPERATORS = tuple("+ - * // % < <= == != and or not in ? : ?? [ ] ( ) { } , . .. for if else".split())  # noqa: SIM905
DEEP = (1, 3, 30, 70, 400, 3000)  # the reader allows 64 levels, Python about 1000 calls


@dataclass
class Vocabulary:
    """What mutants are made of besides hostile values: parts of the samples."""

    keys: list[Any] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    parts: list[Any] = field(default_factory=list)

    def learn(self, tree: Any) -> None:
        for container, index in slots(tree):
            value = container[index]
            if isinstance(value, str):
                self.strings.append(value)
            if isinstance(container, list) and len(container) == 2 and index == 1 and isinstance(container[0], str):
                self.keys.append(container[0])
            self.parts.append(value)


Slot = tuple[Any, int]
"""A list and an index into it: the place of a value, a key or a pair."""


def slots(tree: Any) -> list[Slot]:
    """Every place in a tree."""
    found: list[Slot] = []
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            for index, item in enumerate(node):
                found.append((node, index))
                stack.append(item)
    return found


def mutated(tree: Any, rng: Random, vocabulary: Vocabulary) -> Any:
    """A copy of a tree with a few changes."""
    root = [copied(tree)]
    for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3, 6, 20))):
        places = slots(root)
        container, index = rng.choice(places)
        if index < len(container):
            rng.choice(TREE_MUTATIONS)(rng, container, index, root, vocabulary)
    return root[0] if root else None


def copied(tree: Any) -> Any:
    """A deep copy; one that is nested too deep to be copied is cut."""
    try:
        return copy.deepcopy(tree)
    except RecursionError:
        return None


Mutation = Callable[[Random, Any, int, Any, Vocabulary], None]


def delete(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    if container is not root:
        del container[index]


def duplicate(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    times = rng.choice((1, 1, 2, 100))
    container[index:index] = [copied(container[index]) for _ in range(times)]


def swap(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    other, at = rng.choice(slots(root))
    if not _inside(container[index], other) and not _inside(other[at], container):
        container[index], other[at] = other[at], container[index]


def _inside(node: Any, wanted: Any) -> bool:
    return node is wanted or (isinstance(node, list) and any(one is wanted for one, _ in [(node, 0), *slots(node)]))


def retype(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    value = container[index]
    said = "no" if isinstance(value, list) else str(value)
    container[index] = rng.choice(
        [None, True, False, 0, 1, "", [], Pairs(), [value], Pairs([["a", value]]), [[]], [None], said]
    )


def rename(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    pairs = [node[i] for node, i in slots(root) if isinstance(node, Pairs) and isinstance(node[i], list) and node[i]]
    if pairs:
        rng.choice(pairs)[0] = rng.choice((rng.choice(words.keys or ["a"]), rng.choice(STRINGS), rng.choice(NUMBERS)))


def rename_word(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    """One name becomes another: everywhere, or in one place."""
    places = [(node, i) for node, i in slots(root) if isinstance(node[i], str) and _WORD.search(node[i])]
    if not places:
        return
    node, at = rng.choice(places)
    old = rng.choice(_WORD.findall(node[at]))
    new = rng.choice(_WORD.findall(rng.choice(words.strings or ["x"])) or ["renamed"])
    for one, i in places if rng.random() < 0.6 else [(node, at)]:
        one[i] = re.sub(rf"\b{re.escape(old)}\b", new, one[i])


def number(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    numbers = [(node, i) for node, i in slots(root) if type(node[i]) in (int, float)]
    node, at = rng.choice(numbers or [(container, index)])
    node[at] = rng.choice(NUMBERS)


def string(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    hostile = rng.choice(STRINGS)
    value = container[index]
    if isinstance(value, str) and rng.random() < 0.5:
        at = rng.randint(0, len(value))
        hostile = value[:at] + hostile + value[at:]
    container[index] = hostile


def token(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    """Deletes, adds or changes one token of a string, as in an edited expression."""
    places = [(node, i) for node, i in slots(root) if isinstance(node[i], str) and node[i]]
    if not places:
        return
    node, at = rng.choice(places)
    tokens = _TOKEN.findall(node[at])
    where = rng.randrange(len(tokens) + 1)
    other = rng.choice([*_OPERATORS, *(_WORD.findall(rng.choice(words.strings or ["x"])) or ["x"])])
    tokens[where : where + rng.choice((0, 1, 1))] = rng.choice(([], [other], [f" {other} "]))
    node[at] = "".join(tokens)


def text_token(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    places = [(node, i) for node, i in slots(root) if isinstance(node[i], str) and node[i]]
    if places:
        node, at = rng.choice(places)
        node[at] = mutated_text(node[at], rng, words)


def splice(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    if words.parts:
        container[index] = copied(rng.choice(words.parts))


def nest(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    value = container[index]
    depth = rng.choice(DEEP)
    if isinstance(value, str) and rng.random() < 0.5:
        container[index] = rng.choice(("({})", "[{}]", "not {}", "-{}", "sum({} for c in hand)")).format("{}")
        for _ in range(min(depth, 400)):
            container[index] = container[index].replace("{}", "({})")
        container[index] = container[index].replace("{}", value)
        return
    key = rng.choice(words.keys or ["a"])
    for _ in range(depth):
        value = [value] if rng.random() < 0.5 else Pairs([[key, value]])
    container[index] = value


def shuffle(rng: Random, container: Any, index: int, root: Any, words: Vocabulary) -> None:
    value = container[index]
    if isinstance(value, list):
        rng.shuffle(value)


TREE_MUTATIONS: tuple[Mutation, ...] = (
    delete, delete, duplicate, swap, retype, retype, rename, rename_word, rename_word, number, number, string, token,
    token, token, text_token, splice, splice, splice, nest, shuffle,
)  # fmt: skip
"""One more row for what finds more: values of another type, names, expressions and parts of other files."""


# --- texts and bytes --------------------------------------------------------------------------------------------------


def mutated_text(text: str, rng: Random, words: Vocabulary) -> str:
    """A text with a few changes to its lines and characters."""
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        text = rng.choice(TEXT_MUTATIONS)(rng, text, words)
    return text


def _lines(rng: Random, text: str, words: Vocabulary) -> str:
    lines = text.split("\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    action = rng.randrange(5)
    if action == 0:
        del lines[one]
    elif action == 1:
        lines.insert(other, lines[one])
    elif action == 2:
        lines[one], lines[other] = lines[other], lines[one]
    elif action == 3:
        lines[one] = " " * rng.choice((1, 2, 3, 8)) + lines[one]
    else:
        lines[one] = lines[one].removeprefix(" " * rng.choice((1, 2, 4)))
    return "\n".join(lines)


def _insert(rng: Random, text: str, words: Vocabulary) -> str:
    at = rng.randint(0, len(text))
    new = rng.choice((rng.choice(STRINGS), rng.choice(NUMBERS), rng.choice(words.strings or [""])))
    return f"{text[:at]}{new}{text[at:]}"


def _cut(rng: Random, text: str, words: Vocabulary) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + text[at + rng.choice((1, 1, 2, 5, 40, 10**6)) :]


def _repeat(rng: Random, text: str, words: Vocabulary) -> str:
    at = rng.randint(0, len(text))
    part = text[at : at + rng.choice((1, 3, 40))]
    return text[:at] + part * rng.choice((2, 5, 200)) + text[at:]


def _replace(rng: Random, text: str, words: Vocabulary) -> str:
    found = list(_WORD.finditer(text)) or [re.compile("").search(text)]
    match = rng.choice(found)
    assert match is not None
    other = rng.choice(_WORD.findall(rng.choice(words.strings or ["x"])) or ["x"])
    return text[: match.start()] + other + text[match.end() :]


def _ends(rng: Random, text: str, words: Vocabulary) -> str:
    others = (text.replace("\n", "\r\n"), text.replace("\n", "\r"), text.rstrip("\n"), "\ufeff" + text, text * 2)
    return rng.choice(others)


TEXT_MUTATIONS: tuple[Callable[[Random, str, Vocabulary], str], ...] = (
    _lines, _lines, _lines, _insert, _insert, _cut, _repeat, _replace, _replace, _ends,
)  # fmt: skip


def mutated_bytes(data: bytes, rng: Random) -> bytes:
    """Bytes with a few of them changed, gone or new."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 5, 50))):
        at = rng.randint(0, len(changed))
        changed[at : at + rng.choice((0, 1, 1, 4))] = rng.randbytes(rng.choice((0, 1, 1, 3)))
    return bytes(changed)


def variants(tree: Any) -> Iterator[Any]:
    """Smaller trees than this one, for shrinking: without a part, or with a simple value in its place."""
    count = len(slots([tree]))
    for number in range(count):
        for action in ("delete", "hoist", "empty"):
            root = [copied(tree)]
            places = slots(root)
            if number >= len(places):
                return
            container, index = places[number]
            value = container[index]
            if action == "delete" and container is not root:
                del container[index]
            elif action == "hoist" and isinstance(value, list) and value:
                container[index] = value[-1]
            elif action == "empty" and isinstance(value, str | list) and len(value) > 1:
                container[index] = value[: len(value) // 2]
            else:
                continue
            yield root[0]
