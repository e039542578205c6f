"""The strength of the tests: how many of 300 planted mistakes in the code they notice.

`benchmarks/mutants.tsv` lists the mistakes: they were drawn once, with a seed, over all rooms in proportion to their
lines (`python benchmarks/mutants.py draw`). A row has a file, the line that changes, which of equal lines it is, the
place in the line, and the code before and after.

`python benchmarks/mutants.py measure FOLDER` measures a checkout with `.venv`, such as a clone, whose files it changes.
All mistakes are planted at once, switched off. A first run of the tests notes which tests reach which mistake. Then
each mistake is switched on for the tests that reach it, quick ones first, until one fails. The results are in
`FOLDER/build/mutants.json`; with `--earlier RESULTS`, the test that noticed a mistake there is tried first.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_suffix(".tsv")
COUNT, SEED = 300, 58
MACHINE = "rulespec/engine/backend/runtime/"
"""Compiled from source: a mistake there is planted as it is, without a switch."""
MACHINE_TESTS = [f"tests/test_{name}.py" for name in ("engines", "vectors", "native_views", "bots", "random_specs")]
LEFT_OUT = ("_code.py", "rulespec/engine/backend/forms/machine_source.py")
"""What is compiled with other functions, by its source."""
BUDGET = 40.0
"""Seconds of tests, as they took without mistakes, that a mistake is tried with."""

SWAPPED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
CALLS = {"any": "all", "all": "any", "min": "max", "max": "min", "sorted": "list"}


@dataclass(frozen=True)
class Mutant:
    path: str
    line: str
    nth: int
    """Which of the equal lines of the file, from 0."""
    column: int
    """Of the code within the line without its indentation, in characters."""
    before: str
    after: str


def other(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Expressions to put others in place of, as sources."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
        yield node, f"{left} {SWAPPED[type(node.ops[0])]} {right}"
    if isinstance(node, ast.BoolOp):
        other_word = " or " if isinstance(node.op, ast.And) else " and "
        yield node, other_word.join(f"({ast.unparse(value)})" for value in node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, ast.unparse(node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        sign = "-" if isinstance(node.op, ast.Add) else "+"
        if any(isinstance(part, ast.Constant) and isinstance(part.value, int) for part in (node.left, node.right)):
            yield node, f"({ast.unparse(node.left)}) {sign} ({ast.unparse(node.right)})"
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield node, str(node.value + 1)
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield node, str(not node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS and len(node.args) == 1:
        keywords = [] if node.func.id == "sorted" else node.keywords
        yield node, f"{CALLS[node.func.id]}({', '.join(map(ast.unparse, [*node.args, *keywords]))})"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node.value, "None"
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield node.test, "False"
        if isinstance(node, ast.If):
            yield node.test, "True"
    if isinstance(node, ast.comprehension):
        for condition in node.ifs:
            yield condition, "True"


def candidates(path: Path, name: str) -> dict[str, list[Mutant]]:
    """What may be changed in a file, by the function that it is in."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    found: dict[str, list[Mutant]] = {}

    def visit(node: ast.AST, function: str | None, bare: bool) -> None:
        if function is not None and bare:
            for expression, after in other(node):
                row = expression.lineno - 1
                bound = (isinstance(part, ast.NamedExpr | ast.Yield | ast.YieldFrom) for part in ast.walk(expression))
                if expression.end_lineno != expression.lineno or any(bound):
                    continue
                line = lines[row]
                start = len(line.encode()[: expression.col_offset].decode())
                end = len(line.encode()[: expression.end_col_offset or 0].decode())
                indent = len(line) - len(line.lstrip())
                nth = sum(earlier.strip() == line.strip() for earlier in lines[:row])
                mutant = Mutant(name, line.strip(), nth, start - indent, line[start:end], after)
                found.setdefault(function, []).append(mutant)
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.match_case):
                    continue
                inner = function
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and field == "body":
                    inner = f"{function or ''}.{node.name}"
                visit(child, inner, field not in ("decorator_list", "annotation", "returns", "args", "slice"))

    visit(ast.parse(text), None, True)
    return found


def room(name: str) -> str:
    return "/".join(name.split("/")[:2]) if name.startswith("rulespec/") else "ftk_cli"


def draw() -> None:
    """Writes the list: the mistakes of each room are in different functions."""
    generator = random.Random(SEED)
    listing = ["git", "ls-files", "rulespec/*.py", "ftk_cli/*.py"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    files = [n for n in names if not n.endswith("__init__.py") and not any(x in n for x in LEFT_OUT)]
    functions: dict[str, list[list[Mutant]]] = defaultdict(list)
    sizes: dict[str, int] = defaultdict(int)
    for name in files:
        sizes[room(name)] += (ROOT / name).read_text(encoding="utf-8").count("\n")
        functions[room(name)] += candidates(ROOT / name, name).values()
    chosen: list[Mutant] = []
    total = sum(sizes.values())
    for at, (title, size) in enumerate(sorted(sizes.items())):
        count = COUNT - len(chosen) if at == len(sizes) - 1 else round(COUNT * size / total)
        weights = [len(mutants) for mutants in functions[title]]
        places: set[int] = set()
        while len(places) < count:
            places |= set(generator.choices(range(len(weights)), weights))
        chosen += [generator.choice(functions[title][place]) for place in sorted(places)]
    LIST.write_text("".join("\t".join(map(str, astuple(m))) + "\n" for m in chosen), encoding="utf-8")


def listed() -> list[Mutant]:
    rows = (line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines())
    return [Mutant(path, line, int(nth), int(column), before, after) for path, line, nth, column, before, after in rows]


def plant(folder: Path) -> dict[int, str]:
    """Plants all mistakes of a checkout, switched off; those that have no place there, with why not."""
    by_file: dict[str, list[tuple[int, Mutant]]] = defaultdict(list)
    absent: dict[int, str] = {}
    for number, mutant in enumerate(listed()):
        by_file[mutant.path].append((number, mutant))
    for name, mutants in by_file.items():
        path = folder / name
        if not path.is_file():
            absent |= {number: "the file is gone" for number, _ in mutants}
            continue
        lines = path.read_text(encoding="utf-8").split("\n")
        edits = []
        for number, mutant in mutants:
            same = [row for row, line in enumerate(lines) if line.strip() == mutant.line]
            if len(same) <= mutant.nth:
                absent[number] = "the line is gone"
            elif not name.startswith(MACHINE):
                row = same[mutant.nth]
                start = len(lines[row]) - len(lines[row].lstrip()) + mutant.column
                edits.append((row, start, number, mutant))
        for row, start, number, mutant in sorted(edits, reverse=True, key=lambda edit: edit[:2]):
            line, end = lines[row], start + len(mutant.before)
            switch = f'__import__("mutant_switch").on({number})'
            lines[row] = f"{line[:start]}(({mutant.after}) if {switch} else ({mutant.before})){line[end:]}"
        path.write_text("\n".join(lines), encoding="utf-8")
        ast.parse("\n".join(lines))
    packages = next((folder / ".venv/lib").glob("python3*/site-packages"))
    shutil.copy(LIST.with_name("mutant_switch.py"), packages)  # for processes that get no PYTHONPATH
    return absent


def pytest(folder: Path, arguments: list[str], **variables: str) -> subprocess.Popen[str]:
    """Tests of a checkout, started."""
    command = [str(folder / ".venv/bin/python"), "-m", "pytest", "-p", "mutant_plugin", "-p", "no:cacheprovider", "-q"]
    path = {"PYTHONPATH": str(LIST.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    output = folder / "build/mutants/output"
    with output.open("a", encoding="utf-8") as file:
        return subprocess.Popen(
            [*command, *arguments],
            cwd=folder,
            env={**os.environ, **path, **variables},
            stdout=file,
            stderr=file,
            text=True,
        )


def noted(folder: Path) -> tuple[dict[str, float], dict[int, set[str]]]:
    """The seconds of each test that passes, and which tests reach each mistake."""
    hits = folder / "build/mutants"
    seconds: dict[str, float] = {}
    reached: dict[int, set[str]] = defaultdict(set)
    for path in hits.glob("tests-*"):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if row["passed"]:
                seconds[row["test"]] = row["seconds"]
                for number in row["reached"]:
                    reached[number].add(row["test"])
    others = hits / "processes"
    for line in others.read_text(encoding="utf-8").splitlines() if others.exists() else ():
        number, _, test = line.partition("\t")
        reached[int(number)].add(test)
    return seconds, {number: tests & seconds.keys() for number, tests in reached.items()}


def chosen(tests: set[str], seconds: dict[str, float], first: str) -> list[str]:
    """Tests within the budget: first the one that noticed the mistake earlier, then quick ones, few of a file."""
    of_file: dict[str, int] = defaultdict(int)
    order = []
    for test in sorted(tests, key=lambda test: (seconds[test], test)):
        of_file[test.partition("::")[0]] += 1
        order.append((test != first, of_file[test.partition("::")[0]] // 4, seconds[test], test))
    spent, found = 0.0, []
    for *_, took, test in sorted(order):
        if spent < BUDGET:
            spent += took
            found.append(test)
    return found


def in_machine_code(folder: Path, mutant: Mutant) -> dict[str, object]:
    """Whether a mistake is noticed that is planted as it is, for tests of machine code."""
    path = folder / mutant.path
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    row = [at for at, line in enumerate(lines) if line.strip() == mutant.line][mutant.nth]
    start = len(lines[row]) - len(lines[row].lstrip()) + mutant.column
    lines[row] = f"{lines[row][:start]}({mutant.after}){lines[row][start + len(mutant.before) :]}"
    try:
        path.write_text("\n".join(lines), encoding="utf-8")
        process = pytest(folder, ["-x", "-m", "not soak", *MACHINE_TESTS])
        return {"killed": process.wait() == 1, "by": "tests of machine code"}
    finally:
        path.write_text(text, encoding="utf-8")


def measure(folder: Path, marks: str, earlier: Path | None, again: bool) -> None:
    hits = folder / "build/mutants"
    if not again:
        shutil.rmtree(hits, ignore_errors=True)
        hits.mkdir(parents=True)
        (hits / "absent").write_text(json.dumps(plant(folder)), encoding="utf-8")
        pytest(folder, ["-n", "2", "-m", marks], MUTANT_HITS=str(hits)).wait()
    for path in hits.glob("plan*"):
        path.unlink()
    absent = {int(number): why for number, why in json.loads((hits / "absent").read_text(encoding="utf-8")).items()}
    seconds, reached = noted(folder)
    before = json.loads(earlier.read_text(encoding="utf-8")) if earlier else {}
    results: dict[int, dict[str, object]] = {number: {"killed": None, "by": why} for number, why in absent.items()}
    rows = []
    for number, mutant in enumerate(listed()):
        if number in absent or mutant.path.startswith(MACHINE):
            continue
        first = before.get(str(number), {}).get("by", "")
        tests = chosen(reached.get(number, set()), seconds, first)
        limit = 60 + 5 * sum(seconds[test] for test in tests)
        rows.append({"number": number, "tests": tests, "limit": limit, "cache": str(hits / "cache")})
    processes = []
    for half in (0, 1):
        plan = hits / f"plan{half}.json"
        plan.write_text(json.dumps(rows[half::2]), encoding="utf-8")
        processes.append(pytest(folder, ["-m", marks], MUTANT_PLAN=str(plan)))
    for process in processes:
        process.wait()
    for path in hits.glob("plan*.results"):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            results[row.pop("number")] = row
    for number, mutant in enumerate(listed()):
        if number not in absent and mutant.path.startswith(MACHINE):
            results[number] = in_machine_code(folder, mutant)
    (folder / "build/mutants.json").write_text(json.dumps(dict(sorted(results.items())), indent=1), encoding="utf-8")
    killed = sum(result["killed"] is True for result in results.values())
    print(f"{killed} of {len(results)} noticed; {len(absent)} have no place in this checkout")


def main() -> None:
    parser = argparse.ArgumentParser(description="How many planted mistakes the tests notice.")
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("draw")
    measured = actions.add_parser("measure")
    measured.add_argument("folder", type=Path)
    measured.add_argument("--marks", default="not soak", help="of the tests that are run")
    measured.add_argument("--earlier", type=Path, help="results of another checkout")
    measured.add_argument("--again", action="store_true", help="the mistakes are planted, and the first run is done")
    arguments = parser.parse_args()
    if arguments.action == "draw":
        draw()
    else:
        measure(arguments.folder.resolve(), arguments.marks, arguments.earlier, arguments.again)


if __name__ == "__main__":
    main()
