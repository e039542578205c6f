"""The texts that the latest check of a file read, if it found nothing, kept on disk.

If they have changed in nothing but comments since then, there is still nothing to find. What was found is not used this
way: it would be at other places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from rulespec.base.source import MAX_BYTES, from_text
from rulespec.base.store import Store, digest_of
from rulespec.language.document.comments import without_comments

LATEST = Store("latest", most_entries=2000)
"""An entry is the digests of all texts that one check read. It takes 1 to 10 kB."""

TEXTS = Store("texts", most_entries=4000)
"""An entry is a text by its digest. It takes 1 to 100 kB."""

Digests = Mapping[str, str]
"""The digests of the texts that a check reads, by their names; "" for one that cannot be read."""


def keep(check: str, read: Digests, content: Callable[[str], bytes]) -> None:
    """Keeps what a check, given by a key, has read. `content` returns the text of a name."""
    for name, digest in read.items():
        if digest and name.endswith(".yaml") and not TEXTS.has(digest) and digest_of(text := content(name)) == digest:
            TEXTS.write(digest, text)
    LATEST.write_object(check, dict(read))


def only_comments_differ(check: str, now: Digests, content: Callable[[str], bytes]) -> bool:
    """Whether texts differ from those of the latest check that found nothing only in comments that no check reads."""
    before: Digests | None = LATEST.read_object(check)
    return (
        before is not None and before.keys() == now.keys() and all(_alike(before, now, name, content) for name in now)
    )


def _alike(before: Digests, now: Digests, name: str, content: Callable[[str], bytes]) -> bool:
    if before[name] == now[name]:
        return True
    old, new = TEXTS.read(before[name]) if before[name] else None, content(name)
    return name.endswith(".yaml") and old is not None and digest_of(new) == now[name] and _same(old, new)


@cache
def _same(old: bytes, new: bytes) -> bool:
    left = _without_comments(old)
    return left is not None and left == _without_comments(new)


@cache
def _without_comments(content: bytes) -> tuple[str, ...] | None:
    try:
        source, found = from_text(content.decode("utf-8"))
    except UnicodeDecodeError:
        return None
    return without_comments(source) if source is not None and not found and len(content) <= MAX_BYTES else None
