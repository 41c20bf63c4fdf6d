"""What the scripts that `.ci/run` or a person starts import from the package is there.

The tests of README's command do not run these scripts, so a name that is gone would break them
unnoticed: benchmarks, checks of whole runs, altered inputs.
"""

import ast
from pathlib import Path
from types import ModuleType

import pytest
from each import each

ROOT = Path(__file__).parents[3]
SCRIPTS = sorted(
    path
    for folder in ("benchmarks", "tests", "docs")
    for path in (ROOT / folder).rglob("*.py")
    if path.name != "conftest.py"
    if not {"unit", "_build"} & {*path.relative_to(ROOT).parts}
)
OF_OTHERS = {"rankassay.api.ir_measures"}  # needs packages that the tests do not install


def imported(module, name):
    """Return what `from module import name` finds; None where it finds nothing."""
    try:
        return getattr(__import__(module, fromlist=[name]), name, None)
    except ModuleNotFoundError:
        return None


def missing(tree):
    """Yield what a script imports from the package, and of its modules reads or patches, in vain.

    Modules that share their name with a variable of the script are left out.
    """
    nodes = [*ast.walk(tree)]
    taken = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "rankassay"
        if node.module not in OF_OTHERS
        for alias in node.names
    }
    own = {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    modules = {}
    for bound, (module, name) in taken.items():
        found = imported(module, name)
        if found is None:
            yield f"{module}.{name}"
        elif isinstance(found, ModuleType) and bound not in own:
            modules[bound] = found
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=bound), attr=name):
                pass
            case ast.Call(
                func=ast.Attribute(attr="setattr"),
                args=[ast.Name(id=bound), ast.Constant(value=str(name)), *_],
            ):
                pass
            case _:
                continue
        if bound in modules and not hasattr(modules[bound], name):
            yield f"{modules[bound].__name__}.{name}"


def test_there_are_scripts():
    names = {path.name for path in SCRIPTS}
    assert {"check_shared_analyses.py", "memory.py", "fuzz.py", "render.py"} <= names


@pytest.mark.slow
@each("path", SCRIPTS)
def test_what_a_script_takes_from_the_package_is_there(path):
    assert [*missing(ast.parse(path.read_text(encoding="utf-8")))] == []


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("from rankassay.artifacts import anew\nmonkeypatch.setattr(anew, 'HELP', 0)", "HELP"),
        ("from rankassay.artifacts import anew\nanew.gone(1)", "gone"),
        ("from rankassay.artifacts.anew import nothing", "nothing"),
        ("from rankassay.artifacts import nothing", "nothing"),
    ],
)
def test_what_is_gone_is_named(script, expected):
    assert [name.split(".")[-1] for name in missing(ast.parse(script))] == [expected]
