"""Patterns of the library regex as regular expressions of JavaScript, with the flag v.

What is not the same by itself: words, digits and spaces are those of Unicode, `$` stands before a last line break too,
and JavaScript has no possessive quantifiers and no flags for a part of a pattern.
"""

from __future__ import annotations

from dataclasses import dataclass, field

IGNORECASE, MULTILINE, DOTALL = 2, 8, 16
_FLAGS = {"i": IGNORECASE, "m": MULTILINE, "s": DOTALL}

_WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200C\u200D"
_SPACE = r"\t-\r \x85\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000"
_CLASSES = {"w": _WORD, "d": r"\p{Nd}", "s": _SPACE}
_EDGES = {
    "b": rf"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))",
    "B": rf"(?:(?<=[{_WORD}])(?=[{_WORD}])|(?<![{_WORD}])(?![{_WORD}]))",
    "A": "^",
    "Z": "$",
}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "0": "\0"}
_HEX = {"x": 2, "u": 4, "U": 8}
_AROUND = ("(?=", "(?!", "(?<=", "(?<!", "(?:", "(?>")
_NO_SCRIPTS = ("Alphabetic",)
"""Properties with long names that are no scripts."""


class UnsupportedPattern(ValueError):
    """A pattern with something that has no translation."""


@dataclass(frozen=True)
class Translation:
    """A pattern of JavaScript. `groups` has the number of each group name, `captures` that of each name in `source`:
    groups with one name have one number, but JavaScript needs a name for each."""

    source: str
    flags: str
    count: int
    groups: dict[str, int]
    captures: dict[str, int]


@dataclass
class _Atom:
    """What a quantifier may follow; `single` if it matches one character."""

    text: str
    single: bool = False


@dataclass
class _Reader:
    pattern: str
    flags: int
    at: int = 0
    count: int = 0
    copies: int = 0
    groups: dict[str, int] = field(default_factory=dict)
    captures: dict[str, int] = field(default_factory=dict)
    backwards: bool = False

    # --- reading -----------------------------------------------------------------------------------------------------

    def rest(self, text: str) -> bool:
        return self.pattern.startswith(text, self.at)

    def take(self, length: int = 1) -> str:
        taken = self.pattern[self.at : self.at + length]
        self.at += length
        return taken

    def until(self, end: str) -> str:
        taken = self.pattern[self.at : self.pattern.index(end, self.at)]
        self.at += len(taken) + len(end)
        return taken

    # --- alternatives and sequences ----------------------------------------------------------------------------------

    def alternatives(self) -> str:
        flags, parts = self.flags, []
        while self.at < len(self.pattern) and not self.rest(")"):
            parts.append(self.take() if self.rest("|") else self.item())
        self.flags = flags
        return "".join(parts)

    def item(self) -> str:
        atom = self.atom()
        quantifier = self.quantifier()
        if not quantifier:
            return atom.text
        if quantifier[-1] != "+" or len(quantifier) == 1:
            return atom.text + quantifier
        return self.possessive(atom, quantifier[:-1])

    def quantifier(self) -> str:
        start = self.at
        if self.pattern[self.at : self.at + 1] in ("*", "+", "?"):
            self.take()
        elif self.rest("{") and (end := self.pattern.find("}", self.at)) > 0 and self._is_count(end):
            self.at = end + 1
        else:
            return ""
        if self.pattern[self.at : self.at + 1] in ("?", "+"):
            self.take()
        return self.pattern[start : self.at].replace("{,", "{0,")

    def _is_count(self, end: int) -> bool:
        least, comma, most = self.pattern[self.at + 1 : end].partition(",")
        return (least + most).isdigit() and (least.isdigit() or bool(comma)) and (most.isdigit() or not most)

    def possessive(self, atom: _Atom, quantifier: str) -> str:
        """A quantifier that gives nothing back. After one kind of character, that is what no more of it follows."""
        if atom.single and quantifier in ("*", "+"):
            if self.backwards:
                return f"(?<!{atom.text}){atom.text}{quantifier}"
            return f"{atom.text}{quantifier}(?!{atom.text})"
        return self.atomic(atom.text + quantifier)

    def atomic(self, text: str) -> str:
        self.copies += 1
        name = f"a{self.copies}"
        # Nothing goes back into a look around once it has matched. One that looks behind is matched from its end.
        return rf"\k<{name}>(?<=(?<{name}>{text}))" if self.backwards else rf"(?=(?<{name}>{text}))\k<{name}>"

    # --- atoms -------------------------------------------------------------------------------------------------------

    def atom(self) -> _Atom:
        sign = self.take()
        if sign == "(":
            return _Atom(self.group())
        if sign == "[":
            return _Atom(self.set(), single=True)
        if sign == "\\":
            return self.escape()
        if sign == "^":
            # Not the flag m: JavaScript begins and ends lines at \r, \u2028 and \u2029, too.
            return _Atom(r"(?<![^\n])" if self.flags & MULTILINE else "^")
        if sign == "$":
            return _Atom(r"(?![^\n])" if self.flags & MULTILINE else r"(?=\n?$)")
        if sign == ".":
            # For the same reason not `.`, which leaves out each of these.
            return _Atom("[^]" if self.flags & DOTALL else r"[^\n]", single=True)
        return _Atom(literal(sign), single=True)

    def escape(self) -> _Atom:
        sign = self.take()
        if sign in _EDGES:
            return _Atom(_EDGES[sign])
        if sign.isdigit() and sign != "0":
            # By name, since the groups of atomic parts shift the numbers.
            return _Atom(rf"\k<g{sign}>")
        inside = self.member(sign)
        return _Atom(inside if inside.startswith("[") else f"[{inside}]", single=True)

    def member(self, sign: str) -> str:
        """An escape as part of a class."""
        if sign.lower() in _CLASSES:
            return _CLASSES[sign] if sign in _CLASSES else f"[^{_CLASSES[sign.lower()]}]"
        if sign in "pP":
            self.take()
            name = self.until("}")
            negated = (sign == "P") != name.startswith("^")
            # JavaScript knows no `^` there.
            return rf"\{'P' if negated else 'p'}{{{_property(name.lstrip('^'))}}}"
        if sign in _HEX:
            return literal(chr(int(self.take(_HEX[sign]), 16)))
        if sign.isalpha() and sign not in _CONTROLS:
            raise UnsupportedPattern(f"\\{sign} in {self.pattern}")
        return literal(_CONTROLS.get(sign, sign))

    def set(self) -> str:
        parts = ["[^" if self.rest("^") else "["]
        self.at += len(parts[0]) - 1
        first = self.at
        while not self.rest("]") or self.at == first:
            sign = self.take()
            if sign == "-" and self.at - 1 > first and not self.rest("]") and not parts[-1].endswith("}]"):
                parts.append("-" if _is_range(parts[-1]) else literal("-"))
            else:
                parts.append(self.member(self.take()) if sign == "\\" else literal(sign))
        self.take()
        return "".join(parts) + "]"

    def group(self) -> str:
        opening = next((one for one in _AROUND if self.pattern.startswith(one, self.at - 1)), "")
        if opening:
            self.at += len(opening) - 1
            return self.around(opening)
        if self.rest("?P=") or self.rest("?P>"):
            self.take(3)
            return rf"\k<g{self.groups[self.until(')')]}>"
        if self.rest("?P<") or self.rest("?<"):
            self.take(3 if self.rest("?P<") else 2)
            return self.capture(self.until(">"))
        if self.rest("?"):
            return self.flagged()
        return self.capture("")

    def capture(self, name: str) -> str:
        if name not in self.groups:
            self.count += 1
        number = self.groups.setdefault(name, self.count) if name else self.count
        capture = f"g{number}" if f"g{number}" not in self.captures else f"g{number}_{len(self.captures)}"
        self.captures[capture] = number
        return f"(?<{capture}>{self.closed()})"

    def around(self, opening: str) -> str:
        before = self.backwards
        self.backwards = opening.startswith("(?<") or (before and opening in ("(?:", "(?>"))
        inside = self.closed()
        self.backwards = before
        return self.atomic(inside) if opening == "(?>" else f"{opening}{inside})"

    def flagged(self) -> str:
        """Flags for the rest of the pattern, `(?m)`, or for a part of it, `(?i:…)`."""
        self.take()
        letters = ""
        while not self.rest(":") and not self.rest(")"):
            letters += self.take()
        if not set(letters) <= set(_FLAGS):
            raise UnsupportedPattern(f"(?{letters} in {self.pattern}")
        before, new = self.flags, sum(_FLAGS[letter] for letter in set(letters))
        whole = self.take() == ")"
        if new & IGNORECASE and not before & IGNORECASE and not (whole and self.at == len(letters) + 3):
            raise UnsupportedPattern(f"case ignored in a part of {self.pattern}")
        self.flags |= new
        if whole:
            return ""
        inside = self.closed()
        self.flags = before
        return f"(?:{inside})"

    def closed(self) -> str:
        inside = self.alternatives()
        if not self.rest(")"):
            raise UnsupportedPattern(f"an open bracket in {self.pattern}")
        self.take()
        return inside


def translated(pattern: str, flags: int) -> Translation:
    """A pattern for JavaScript. Raises UnsupportedPattern."""
    reader = _Reader(pattern, flags)
    source = ""
    while reader.at < len(pattern):
        if reader.rest(")"):
            raise UnsupportedPattern(f"a closed bracket in {pattern}")
        source += reader.take() if reader.rest("|") else reader.item()
    return Translation(source, "vi" if reader.flags & IGNORECASE else "v", reader.count, reader.groups, reader.captures)


def literal(sign: str) -> str:
    """A character that stands for itself, in a class and outside."""
    return (
        sign if (sign.isalpha() and sign.isprintable()) or sign.isdigit() or sign in " _" else f"\\u{{{ord(sign):X}}}"
    )


def _property(name: str) -> str:
    if not name.isalpha():
        raise UnsupportedPattern(f"\\p{{{name}}}")
    return name if len(name) <= len("Lu") or name in _NO_SCRIPTS else f"Script={name}"


def _is_range(part: str) -> bool:
    """Whether a part of a class is one character, so that a range may begin with it."""
    return len(part) == 1 or part.startswith("\\u{")
