"""Imports go one way, and nothing in the library knows a game."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest
import yaml

import rulespec

pytestmark = pytest.mark.slow("reads the whole library")

ROOT = Path(__file__).resolve().parent.parent

ROOMS: dict[str, tuple[tuple[str, ...], ...]] = {
    "base": (
        ("base.messages",),
        ("base.characters", "base.failure"),
        ("base.executors", "base.fonts", "base.store", "base.wording"),
        ("base.findings", "base.pages", "base.project", "base.typeset"),
        ("base.diagnostics", "base.transaction"),
        ("base.source", "base.worklist"),
        ("base.spreadsheet",),
    ),
    "language": (
        ("language.document",),
        ("language.expr", "language.layout", "language.schema"),
        ("language.cards_from", "language.formats"),
        ("language.model",),
        ("language.overlay",),
    ),
    "proofs": (("proofs.checks", "proofs.meaning"),),
    "engine": (
        ("engine.program",),
        ("engine.interpreter",),
        ("engine.backend.analyses", "engine.backend.llvm"),
        ("engine.backend.runtime", "engine.backend.tree"),
        ("engine.backend.dialects",),
        ("engine.backend.forms",),
        ("engine.backend.engines",),
        ("engine.rules",),
        ("engine.knowledge",),
        ("engine.states",),
        ("engine.search",),
        ("engine.wasm",),
        ("engine",),
    ),
    "text": (
        ("text.languages",),
        ("text.glossary",),
        ("text.reading",),
        ("text.rules",),
        ("text.judging",),
        ("text.seals",),
        ("text.checks", "text.output"),
        ("text.raw",),
        ("text.review",),
        ("text",),
    ),
    "games": (
        ("games.api", "games.saved_heads"),
        ("games.saved_games", "games.scenario"),
        ("games.confirmed", "games.examples"),
        ("games.rulebook",),
        ("games.looks",),
    ),
    "play": (
        ("play.bots", "play.held"),
        ("play.interop", "play.simulate"),
        ("play.balance", "play.deep", "play.table"),
        ("play.living",),
    ),
    "versions": (("versions.earlier",), ("versions.changes", "versions.pending"), ("versions.simulated",)),
    "editing": (
        ("editing.card_rows",),
        ("editing.card_table", "editing.card_texts"),
        ("editing.card_cells",),
        ("editing.desk", "editing.reviewing"),
        ("editing.language_files",),
        ("editing.file_kinds",),
        ("editing.unchanged",),
        ("editing.batch", "editing.lift", "editing.renaming", "editing.skeleton"),
        ("editing.editors",),
        ("editing.fixes",),
    ),
}
"""The rooms of `rulespec`, bottom up, each with its layers, bottom up. A module may import from lower rooms, from
layers below its own and from its own part, never from a sibling."""

LAYERS = (
    ("rulespec.__main__",),
    ("ftk_cli",),
    ("rulespec",),
    *(tuple(f"rulespec.{part}" for part in layer) for room in reversed(ROOMS.values()) for layer in reversed(room)),
)
"""All layers, top to bottom."""


@cache
def part_of(module: str) -> str | None:
    """The longest part in the table that the module belongs to. Only `rulespec` itself belongs to the part
    `rulespec`."""
    listed = [part for layer in LAYERS for part in layer if module == part or module.startswith(part + ".")]
    parts = [part for part in listed if part != "rulespec" or module == part]
    return max(parts, key=len, default=None)


@cache
def level(part: str) -> int:
    return next(i for i, layer in enumerate(LAYERS) if part in layer)


def modules() -> list[Path]:
    return sorted(p for package in ("rulespec", "ftk_cli") for p in (ROOT / package).rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    """A module, read once for all tests."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> frozenset[str]:
    """What a module imports, as full names, those inside functions included."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if is_module(name) else node.module for name in names}
    return frozenset(name for name in found if name.split(".")[0] in ("rulespec", "ftk_cli"))


@cache
def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def test_imports_go_down() -> None:
    faults = []
    for path in modules():
        module = name_of(path)
        mine = part_of(module)
        if mine is None and module.removeprefix("rulespec.") in ROOMS:
            faults += [f"{module} is a room: it holds modules, and imports none"] if imports(path) else []
            continue
        assert mine is not None, f"{module} belongs to no layer: add it to ROOMS"
        for imported in imports(path):
            theirs = part_of(imported)
            assert theirs is not None, f"{module} imports {imported}, which belongs to no layer"
            # `rulespec` itself is the public face: only what lies above the library may use it.
            if theirs != mine and level(theirs) <= level(mine):
                faults.append(f"{module} imports {imported}, which is not below it")
    assert faults == []


def test_the_house_has_its_rooms_alone() -> None:
    beside = {"__init__.py", "__main__.py", "__pycache__", "py.typed"}
    entries = [path for path in (ROOT / "rulespec").iterdir() if path.is_file() or any(path.rglob("*.py"))]
    assert {path.name for path in entries} - beside == set(ROOMS)
    assert len(ROOMS) <= 9


@pytest.mark.parametrize("room", ["proofs", "text"])
def test_the_engine_and_what_is_proved_meet_only_in_the_model(room: str) -> None:
    both = {f"rulespec.{room}": "rulespec.engine", "rulespec.engine": f"rulespec.{room}"}
    for path in modules():
        for imported in imports(path):
            other = both.get(".".join(name_of(path).split(".")[:2]))
            assert ".".join(imported.split(".")[:2]) != other, f"{name_of(path)} imports {imported}"


# --- the public API --------------------------------------------------------------------------------------------------


def test_no_module_imports_a_private_name() -> None:
    faults = [
        f"{name_of(path)} imports {alias.name} from {node.module}"
        for path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("rulespec", "ftk_cli")
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    ]
    assert faults == []


def test_packages_pass_no_names_on() -> None:
    """A name is imported from the module that defines it, so that an import loads what is used. `rulespec` alone has
    names of its modules: it is what other programs import."""
    faults = [
        f"{name_of(path)} imports {alias.name} from {node.module}, which does not define it"
        for path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and node.module in packages()
        for alias in node.names
        if not is_module(f"{node.module}.{alias.name}") and alias.name not in defined(packages()[node.module])
    ]
    assert faults == []


@cache
def packages() -> dict[str, Path]:
    return {name_of(path): path for path in modules() if path.name == "__init__.py"}


def defined(path: Path) -> set[str]:
    """The names that a module defines itself."""
    nodes = tree_of(path).body
    names = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    targets = [t for node in nodes if isinstance(node, ast.Assign) for t in node.targets]
    targets += [node.target for node in nodes if isinstance(node, ast.AnnAssign)]
    return names | {target.id for target in targets if isinstance(target, ast.Name)}


def test_every_public_name_exists_and_is_known_to_type_checkers() -> None:
    assert len(set(rulespec.__all__)) == len(rulespec.__all__)
    assert all(getattr(rulespec, name) is not None for name in rulespec.__all__)
    assert not hasattr(rulespec, "no_such_name")
    tree = tree_of(ROOT / "rulespec" / "__init__.py")
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    froms = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    typed = {(node.module, alias.name) for node in froms for alias in node.names}
    assert typed == {(module, name) for module, names in rulespec.HOMES.items() for name in names.split()}
    assert {name for _, name in typed} == {*rulespec.__all__} - {"__version__"}


@pytest.mark.parametrize("code", ["import rulespec", "import ftk_cli.main", "from rulespec import find, Report"])
def test_a_small_import_loads_neither_engine_nor_texts(code: str) -> None:
    heavy = "[m for m in sys.modules if m.split('.')[0] in ('lark', 'jsonschema', 'yaml') or m == 'rulespec.games.api']"
    done = subprocess.run([sys.executable, "-c", f"{code}; import sys; print({heavy})"], capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_every_part_exists() -> None:
    for layer in LAYERS:
        for part in layer:
            assert is_module(part), f"{part} is in the table of layers but not in the tree"


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def cycles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The groups of modules that import each other, directly or through others."""
    reached = {module: {module} for module in graph}
    changed = True
    while changed:
        changed = False
        for module, imported in graph.items():
            found = reached[module].union(*(reached[other] for other in imported if other in graph))
            changed = changed or found != reached[module]
            reached[module] = found
    groups = {frozenset(o for o in reached[module] if module in reached[o]) for module in graph}
    return {group for group in groups if len(group) > 1}


def test_no_modules_import_each_other() -> None:
    """Imports inside functions and those for types only count as well: a cycle is a module cut at the wrong place."""
    graph = {name_of(path): set(imports(path) - {name_of(path)}) for path in modules()}
    assert not cycles(graph)


def test_cycles_are_found() -> None:
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}) == {frozenset({"b", "c"})}


def words(path: Path) -> set[str]:
    """Every name and every text in a module, except its documentation."""
    tree = tree_of(path)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    bodies = [n.body for n in ast.walk(tree) if isinstance(n, documented) and n.body]
    docs = {id(body[0].value) for body in bodies if isinstance(body[0], ast.Expr)}
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    names |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in docs}
    return {word.lower() for word in names | {t for t in texts if isinstance(t, str)}}


def test_the_library_knows_no_game() -> None:
    """Names of the games and of their things stand in specs, and in examples of documentation, only."""
    for path in modules():
        if "ftk_cli" in path.parts:
            continue  # the help of commands is documentation
        for word in words(path):
            for name in ("fortheking", "kingme", "keyflower", "office", "esteem", "adviser", "diplomacy"):
                assert name not in word, f"{path} speaks of {name}: {word!r}"


@pytest.mark.parametrize("package", ["language/model", "proofs/checks", "engine"])
def test_nothing_is_keyed_by_memory_address(package: str) -> None:
    """Steps and specs are compared by identity, so they are keys themselves; `id()` outlives what it names."""
    for path in sorted((ROOT / "rulespec" / package).rglob("*.py")):
        calls = (n.func for n in ast.walk(tree_of(path)) if isinstance(n, ast.Call))
        assert not any(isinstance(f, ast.Name) and f.id == "id" for f in calls), f"{path} calls id()"


@pytest.mark.parametrize("room", [room for room in ROOMS if room not in ("engine", "text")])
def test_every_module_has_a_row_in_the_docs(room: str) -> None:
    layers = layers_in("| room | its modules |", room)
    levels = {part.partition(".")[2]: level for level, layer in enumerate(ROOMS[room]) for part in layer}
    assert sorted(layers) == sorted(levels)
    assert [*layers] == sorted(layers, key=lambda one: -levels[one]), "a module may import from later layers of its row"


def layers_in(header: str, name: str) -> dict[str, int]:
    """The modules in a row of a table of docs/architecture.md, with the numbers of their layers."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition(f"\n{header}\n")[2].partition("\n\n")[0]
    cell = re.search(rf"^\| `{name}` \|(?:.+ \|)? (.+) \|$", table, re.MULTILINE)
    layers = re.sub(r"\((?:[^()]|\([^()]*\))*\)", "", cell[1]).split(";") if cell else []
    return {module: number for number, layer in enumerate(layers) for module in re.findall(r"`(\w+)`", layer)}


FLOORS = [part.removeprefix("engine.") for layer in ROOMS["engine"] for part in layer if "." in part]


@pytest.mark.parametrize("package", ["", "backend"])
def test_the_engine_has_its_floors_alone(package: str) -> None:
    below = [floor.removeprefix(package).removeprefix(".") for floor in FLOORS if floor.startswith(package)]
    floors, folder = {floor.split(".")[0] for floor in below}, ROOT / "rulespec" / "engine" / package
    entries = [path for path in folder.iterdir() if path.is_file() or any(path.rglob("*.py"))]
    assert {path.name for path in entries} - {"__init__.py"} == floors
    assert len(floors) <= 9


@pytest.mark.parametrize("floor", FLOORS)
def test_every_module_of_the_engine_has_a_layer_in_the_docs(floor: str) -> None:
    package = f"rulespec.engine.{floor}"
    folder = ROOT.joinpath(*package.split("."))
    house, _, name_of_floor = package.rpartition(".")
    layers = layers_in(f"| floor of `{house}` | is | its modules |", name_of_floor)
    names = {path.stem: path for path in folder.glob("*.py") if path.stem != "__init__"}
    assert sorted(layers) == sorted(names)
    for name, path in names.items():
        for other in names:
            if f"{package}.{other}" in imports(path):
                assert layers[other] >= layers[name], f"{name} imports {other}: a module may import from later layers"


def test_every_module_of_the_paths_exists() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    paths = page.partition("\n## Five paths through the modules\n")[2].partition("\n## ")[0]
    named = re.findall(rf"`((?:{'|'.join(ROOMS)}|ftk_cli)(?:\.\w+)+)`", paths)
    assert named
    for name in named:
        assert is_module(name if name.startswith("ftk_cli") else f"rulespec.{name}"), name


# --- how large the house is ------------------------------------------------------------------------------------------

CEILINGS = Path(__file__).parent / "ceilings.yaml"


def size_of_house() -> dict[str, int]:
    """What `ceilings.yaml` limits, counted."""
    paths = {name: ROOT / name for name in tracked("rulespec", "ftk_cli") if name.endswith(".py")}
    names = {name_of(path) for path in paths.values()}
    count: Counter[str] = Counter()
    importers: dict[str, set[str]] = defaultdict(set)
    for name, path in paths.items():
        text = path.read_text(encoding="utf-8")
        room = "/".join(name.split("/")[:-1][:2]) if name.startswith("rulespec/") else "ftk_cli"
        count[f"lines of {room}"] += text.count("\n")
        count[f"files of {room}"] += 1
        used = Counter(re.findall(r"\b_\w+", text))
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                is_private = node.name.startswith("_") and not node.name.startswith("__")
                count["private functions used once"] += is_private and used[node.name] == 2
                inner = (isinstance(part, ast.Import | ast.ImportFrom) for part in ast.walk(node))
                count["imports inside functions"] += sum(inner)
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    target = f"{node.module}.{alias.name}"
                    importers[target if target in names else node.module].add(name_of(path))
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    importers[alias.name].add(name_of(path))
    others = (importers[module] - {module} for module in names)
    count["modules with one importer"] = sum(len(those) == 1 for those in others)
    count["lines of tests"] = sum((ROOT / name).read_bytes().count(b"\n") for name in tracked("tests"))
    return dict(count)


def tracked(*folders: str) -> list[str]:
    """The files of some folders that git knows; all of them where there is no git."""
    listed = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=False)
    names = [name for name in listed.stdout.split("\0") if name]
    found = names or [path.relative_to(ROOT).as_posix() for folder in folders for path in (ROOT / folder).rglob("*.*")]
    return [name for name in found if (ROOT / name).is_file() and "__pycache__" not in name]


def test_the_house_is_not_larger_than_its_ceilings() -> None:
    """A change that needs more room raises its ceiling, in a commit of its own that says what the room is for."""
    ceilings = yaml.safe_load(CEILINGS.read_text(encoding="utf-8"))
    size = size_of_house()
    assert size.keys() == ceilings.keys()
    assert {name: number for name, number in size.items() if number > ceilings[name]} == {}
