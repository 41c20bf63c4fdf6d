"""Imports within the package point one way."""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankassay

SOURCE = Path(__file__).parents[3] / "src"
ROOT = SOURCE / "rankassay"

# From what knows of nothing else to what knows of all else. A package may import those of the
# layers before its own; two of the same layer do not know each other, but for those of the first.
LAYERS = (
    ("errors", "types", "seeds", "progress", "kernels", "selection", "lookup"),
    ("declared",),
    ("artifacts",),
    ("metrics",),
    ("recommenders",),
    ("data",),
    ("statistics",),
    ("drawing",),
    ("claims",),
    ("answers",),
    ("studies",),
    ("tuning", "advice"),
    ("config",),
    ("plan", "report", "api"),
    ("jobs", "cli"),
    ("__main__",),
)
PLACE = {package: place for place, layer in enumerate(LAYERS) for package in layer}
TARGET = re.compile(r"^(rankassay(?:\.\w+)+):\w+$")  # a function by its name, as catalogues have it


def name_of(path: Path) -> str:
    """Return the name by which a module is imported."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


@functools.cache
def tree_of(module: str) -> ast.Module:
    """Return a module's syntax tree, made on use: to collect the tests takes none."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def named(node: ast.AST, modules) -> Iterator[str]:
    """Yield the modules of the package that a statement imports, or a string names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in modules)
    elif isinstance(node, ast.ImportFrom) and node.module in modules:
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            yield inner if inner in modules else node.module
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from (target for target in TARGET.findall(node.value) if target in modules)


def used(tree: ast.Module, modules=MODULES) -> set[str]:
    """Return the modules that one knows of, also if it imports them on use."""
    return {module for node in ast.walk(tree) for module in named(node, modules)}


def imported(tree: ast.Module, modules=MODULES) -> set[str]:
    """Return the modules that are imported when one is: not those within functions."""
    found, left = set(), list(tree.body)
    while left:
        node = left.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.update(named(node, modules))
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            left += ast.iter_child_nodes(node)
    return found


def package_of(module: str) -> str:
    """Return the package that a module is in, or its own name at the root."""
    return [*module.split("."), ""][1]


def upward(module: str, others: set[str]) -> list[str]:
    """Return those of a module's imports that are not in a layer before its own."""
    own = package_of(module)
    if not own:  # the package itself, whose public names are of all layers
        return []
    lowest = max(PLACE.get(own, len(LAYERS)), 1)
    away = {other for other in others if package_of(other) not in ("", own)}
    return sorted(o for o in away if PLACE.get(package_of(o), len(LAYERS)) >= lowest)


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import one another, directly or through others."""
    reached = {}
    for start in edges:
        seen, left = set(), [*edges[start]]
        while left:
            if (module := left.pop()) not in seen:
                seen.add(module)
                left += edges.get(module, ())
        reached[start] = seen
    groups = {
        tuple(sorted(b for b in reached[a] if a in reached.get(b, ())))
        for a in edges
        if a in reached[a]
    }
    return sorted(map(list, groups))


def study_of(module: str) -> str | None:
    """Return the study that a module belongs to; None for what all studies share, and others."""
    _, package, study, *_ = [*module.split("."), "", ""]
    return study if package == "studies" and study and (ROOT / package / study).is_dir() else None


def test_every_module_has_its_layer():
    assert {package_of(module) for module in MODULES} - {""} <= set(PLACE)


def test_the_map_for_contributors_has_the_packages_in_the_order_of_the_layers():
    text = (SOURCE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    _, _, rest = text.partition("\nsrc/rankassay/ ")
    own = rest.partition("\ntests/unit/ ")[0].splitlines()[1:]
    columns = [re.match(r"  (\S+(?:, \S+)*)(?:  |$)", line) for line in own]
    names = [name.strip("/") for found in columns if found for name in found[1].split(", ")]
    expected = ["studies/<study" if n == "studies" else n for n in PLACE if n != "__main__"]
    assert [name.rstrip(">") for name in names] == expected


def test_few_modules_stand_at_the_root():
    modules = {path.stem for path in ROOT.glob("*.py")}
    assert modules == {*LAYERS[0], "__init__", "__main__"}
    assert len(modules) <= 9


@pytest.mark.slow
@pytest.mark.parametrize("package", [name for layer in LAYERS for name in layer])
def test_imports_point_to_layers_below(package):
    offenders = {
        module: found
        for module in MODULES
        if package_of(module) == package and (found := upward(module, used(tree_of(module))))
    }
    assert offenders == {}


def test_no_study_knows_another():
    offenders = {
        module: others
        for module in MODULES
        if (own := study_of(module))
        and (others := {m for m in used(tree_of(module)) if study_of(m) not in (None, own)})
    }
    assert offenders == {}


def test_what_studies_share_knows_none_of_them_and_they_not_their_list():
    for module in MODULES:
        if package_of(module) == "studies":
            others = used(tree_of(module))
            if study_of(module):
                assert "rankassay.studies" not in others, module
            elif module != "rankassay.studies":
                assert not any(map(study_of, others)), module


def test_no_modules_import_one_another():
    assert circles({module: imported(tree_of(module)) for module in MODULES}) == []


def test_what_points_the_wrong_way_is_found():
    modules = {
        "rankassay.metrics.a",
        "rankassay.studies.x",
        "rankassay.errors",
        "rankassay.report.page",
    }
    tree = ast.parse(
        "import rankassay.errors\n"
        "def later():\n"
        "    from rankassay.studies import x\n"
        "PAGE = 'rankassay.report.page:page'\n"
    )
    modules |= {"rankassay.studies"}
    assert imported(tree, modules) == {"rankassay.errors"}
    found = used(tree, modules)
    assert found == {"rankassay.errors", "rankassay.studies.x", "rankassay.report.page"}
    assert upward("rankassay.metrics.a", found) == ["rankassay.report.page", "rankassay.studies.x"]
    assert upward("rankassay.lookup", {"rankassay.errors"}) == []
    assert upward("rankassay.lookup", {"rankassay.metrics.a"}) == ["rankassay.metrics.a"]
    assert upward("rankassay.advice.a", {"rankassay.tuning.b"}) == ["rankassay.tuning.b"]
    assert upward("rankassay.api.a", {"rankassay.cli.b"}) == ["rankassay.cli.b"]


def test_circles_are_found():
    edges = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "d"}}
    assert circles(edges) == [["b", "c"], ["d"]]


def test_no_public_name_is_that_of_a_module():
    """The import of such a module would put it in the place of the function."""
    taken = {path.stem for path in ROOT.iterdir() if path.stem != "__init__"}
    assert not taken & {*rankassay.__all__}
