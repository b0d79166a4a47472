"""Imports point one way: cli -> crawl -> observe -> stages -> measure -> (seeds, control, ...) -> stores -> folder."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "python" / "helios"

# From the top down; a layer may import those below it only. Parts of one layer do not import each other.
LAYERS: list[set[str]] = [
    {"__init__", "__main__"},
    {"cli"},
    {"crawl", "simweb"},
    {"observe", "doctor"},
    {"stages"},
    {"shares"},
    {"measure"},
    {"export", "search"},
    {"reading"},
    {"seeds", "extract", "embed", "control"},
    {"stores", "pdf"},
    {"folder"},
    {"hooks"},
    {"settings", "named"},
    {"faults"},
    {"errors", "clock", "outcome", "terminal", "shown"},
    {"_core", "_allocator"},
]
RANK = {part: rank for rank, parts in enumerate(LAYERS) for part in parts}


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path) -> set[str]:
    """What a file imports of ours, also inside functions, without `helios.`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "helios":
            names |= {f"helios.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.removeprefix("helios.") for name in names if name.startswith("helios.")}


def part(module: str) -> str:
    return module.split(".", maxsplit=1)[0]


def test_every_part_has_its_layer() -> None:
    assert {part(module) for module in modules()} <= set(RANK)


@pytest.mark.parametrize("module", modules())
def test_imports_point_down(module: str) -> None:
    for imported in imports(modules()[module]):
        if part(imported) != part(module):
            assert RANK[part(imported)] > RANK[part(module)], f"{module} imports {imported}"


def test_there_is_no_cycle_between_modules() -> None:
    known = modules()
    graph = {module: (imports(path) & set(known)) - {module} for module, path in known.items()}
    assert list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize(("module", "may"), [("clock", {"_core"}), ("outcome", set())])
def test_clock_and_outcome_import_nothing_of_ours_but_the_core_s_clock(module: str, may: set[str]) -> None:
    assert imports(modules()[module]) == may


def test_settings_import_nothing_of_ours_but_the_errors_and_what_hides_users() -> None:
    found = set().union(*(imports(path) for module, path in modules().items() if part(module) == "settings"))
    assert {name for name in found if part(name) != "settings"} <= {"errors", "shown"}
