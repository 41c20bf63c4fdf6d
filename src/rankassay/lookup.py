"""Objects by name: "module:attribute", imported on use, or a key of a table of names."""

import ast
import contextlib
import functools
import importlib
import importlib.util
import inspect
import operator
import os
import re
import site
import sys
import sysconfig
import textwrap
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Unpack, get_args, get_origin

from rankassay.errors import RankassayError, not_installed, shortened, unknown


def source_of(project: Path) -> Path:
    """Return the folder that holds the package: `src` of a checkout, or where it is installed.

    An installed package brings the workflow in a folder `pipeline` of its own.
    """
    own = project / "src"
    return own if own.is_dir() else project.parents[1]


def is_of_library(file: str) -> bool:
    """Return whether a file is Python's or of an installed library, and not the user's."""
    return file.startswith(_library_folders())


@functools.cache
def _library_folders() -> tuple[str, ...]:
    return tuple(
        os.path.join(folder, "")
        for folder in (
            sysconfig.get_path("stdlib"),
            *site.getsitepackages(),
            site.getusersitepackages(),
        )
    )


def module_of(target: str) -> str:
    """Return the module part of a "module:attribute" name."""
    return target.partition(":")[0]


def load(target: str):
    """Import and return the object that "module:attribute" names."""
    module, _, attribute = target.partition(":")
    try:
        _load_own(module.partition(".")[0])
        return operator.attrgetter(attribute)(importlib.import_module(module))
    except (Exception, SystemExit) as error:  # anything that the user's module may raise
        raise _not_loaded(target, error) from error


_own: dict[str, str] = {}  # the files of the modules that came from a folder of a run


def _load_own(name: str) -> None:
    """Load the user's module or package of a name from the folder of the run, if it has one.

    By its path alone: with the folder before the others that Python searches, each of its modules
    would take the place of one of Python's or of a library. It becomes the last of them, for what
    the user's module imports.
    """
    known = (name in sys.modules and name not in _own) or name in sys.stdlib_module_names
    if known or not name.isidentifier():
        return
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.append(folder)
    spec = PathFinder.find_spec(name, [folder])
    if spec is None or spec.origin is None:  # a plain folder is found as the last, too
        return
    if name in sys.modules:
        if spec.origin != _own[name]:  # which would be taken for the one of this folder
            raise ImportError(
                f"this process has loaded {_own[name]}, and the folder of the run has another "
                f"module '{name}'; rename one, or start Python anew"
            )
        return
    sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(sys.modules[name])
    except BaseException:
        del sys.modules[name]
        raise
    _own[name] = spec.origin


def names_of_parameters(function: Callable) -> set[str]:
    """Return the names of a function's parameters, those of an unpacked TypedDict among them."""
    names: set[str] = set()
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            if get_origin(parameter.annotation) is Unpack:  # others may be of any name
                [unpacked] = get_args(parameter.annotation)
                names |= {*unpacked.__annotations__}
        else:
            names.add(name)
    return names


def _not_loaded(target: str, error: BaseException) -> RankassayError:
    """Return the error for something that cannot be loaded, with the place in the user's code."""
    missing = not_installed(error) if isinstance(error, ImportError) else None
    if missing:
        return missing
    if place := _raised_at(error):
        said = error.msg if isinstance(error, SyntaxError) else error
        remedy = "install it, or correct the file" if isinstance(error, ImportError) else "mend it"
        return RankassayError(
            f"cannot load '{target}': {type(error).__name__}: {said} ({place}); {remedy}."
        )
    known = module_of(target) in sys.modules
    where = f" ({file_of(target)})" if known and isinstance(error, AttributeError) else ""
    return RankassayError(
        f"cannot load '{target}': {error}{where}; expected module:attribute, with the module in "
        "the folder of the run or installed."
    )


def _raised_at(error: BaseException) -> str | None:
    """Return the file and the line of the user's own code where an import failed.

    That is the last one that ran and is of no library; None if it failed before any did.
    """
    if isinstance(error, SyntaxError) and error.filename:  # of code that never ran
        return error.filename + (f", line {error.lineno}" if error.lineno else "")
    ran = [
        f"{frame.filename}, line {frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if not (frame.filename.startswith("<") or frame.filename in (__file__, importlib.__file__))
    ]
    own = [place for place in ran if not is_of_library(place)]
    return next(reversed(own or ran), None)


def find(kind: str, name: str, table: dict):
    """Return `table[name]`; raises RankassayError naming the nearest known name."""
    if not isinstance(name, str) or name not in table:
        raise unknown(kind, name, table)
    return table[name]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a class: whether it must be given, and its type as the source has it."""

    required: bool
    type: str


@functools.cache
def parameters(target: str) -> dict[str, Parameter]:
    """Return the parameters of a class by name.

    Those of the package's dataclasses are read from their source: to import compiled code takes
    seconds, which planning a run need not.

    Parameters
    ----------
    target : str
        "module:class".
    """
    module, _, name = target.partition(":")
    if not module.startswith("rankassay."):
        return _signature(target, load(target))
    return dict(_fields(module, name))


def _signature(target: str, found: Any) -> dict[str, Parameter]:
    """Return the parameters of a user's class; raises RankassayError for anything else."""
    if not isinstance(found, type):
        raise RankassayError(f"cannot use '{target}': expected a class, found {shortened(found)}.")
    try:
        own = inspect.signature(found).parameters.values()
    except ValueError:  # of classes that are compiled
        raise RankassayError(
            f"cannot use '{target}': expected a class whose parameters are known, found {found!r}."
        ) from None
    return {p.name: Parameter(p.default is p.empty, _written(p.annotation)) for p in own}


def _written(annotation: Any) -> str:
    """Return a type as a source has it."""
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _fields(module: str, name: str) -> Iterator[tuple[str, Parameter]]:
    """Yield the fields of a dataclass or TypedDict and of its bases, those first."""
    tree = _source(module)
    imported = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    if name not in classes:
        if imported.get(name, ("",))[0].startswith("rankassay."):
            yield from _fields(*imported[name])
        return
    for base in classes[name].bases:
        if isinstance(base, ast.Name):
            yield from _fields(module, base.id)
    typed = any(ast.unparse(base) == "TypedDict" for base in classes[name].bases)
    if not typed and not any("dataclass" in ast.unparse(n) for n in classes[name].decorator_list):
        return
    for node in classes[name].body:
        own = isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        if own and "ClassVar" not in ast.unparse(node.annotation):
            yield node.target.id, Parameter(node.value is None, ast.unparse(node.annotation))


@dataclass(frozen=True)
class Header:
    """What the source of a function says of it: its parameters' types as written, by name."""

    parameters: dict[str, str]
    returns: str


@functools.cache
def header(target: str) -> Header | None:
    """Return the header of a function of the package, of whose module the source is read alone.

    Those of an unpacked TypedDict are among its parameters. None for what is made by a call.
    """
    module, _, name = target.partition(":")
    owner, _, name = name.rpartition(".")
    text = _text(module).partition(f"\nclass {owner}")[2] if owner else _text(module)
    form = rf"^ *def {name}\(.*?\)(?: -> [^\n]+)?:$"
    found = re.search(form, text, re.MULTILINE | re.DOTALL)
    if found is None:
        return None
    [function] = ast.parse(f"{textwrap.dedent(found[0])} ...").body
    known = {}
    for own in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        known[own.arg] = ast.unparse(own.annotation) if own.annotation else ""
    others = function.args.kwarg and function.args.kwarg.annotation
    if others and (unpacked := re.fullmatch(r"Unpack\[(\w+)\]", ast.unparse(others))):
        known |= {key: own.type for key, own in _fields(module, unpacked[1])}
    return Header(known, ast.unparse(function.returns) if function.returns else "")


@functools.cache
def _source(module: str) -> ast.Module:
    """Return the syntax tree of a module, which is not imported."""
    return ast.parse(_text(module))


@functools.cache
def _text(module: str) -> str:
    """Return the source of a module of the package."""
    stem = Path(__file__).parents[1].joinpath(*module.split("."))
    path = stem.with_suffix(".py")
    return (path if path.is_file() else stem / "__init__.py").read_text(encoding="utf-8")


def file_of(name: str) -> str:
    """Return the file of the module that "module:attribute" names, once it has been loaded."""
    module = name.partition(":")[0]
    return getattr(sys.modules.get(module), "__file__", None) or module


def place_of(name: str) -> str:
    """Return the file, and the line where it is known, of the function or class of such a name."""
    found = load(name)
    file = file_of(name)
    try:
        elsewhere = inspect.getsourcefile(inspect.unwrap(found)) != file  # imported by the module
        if elsewhere or inspect.ismodule(found):  # a module has no line
            return file
        return f"{file}, line {inspect.getsourcelines(found)[1]}"
    except (OSError, TypeError, ValueError):  # compiled code, or neither of both
        return file


@contextlib.contextmanager
def blamed(name: str) -> Iterator[None]:
    """Report errors of the user's "module:attribute" in one line, with the file.

    Raises RankassayError in place of any other error that is raised meanwhile; errors of plain
    names, those of a catalogue, are not changed.
    """
    try:
        yield
    except RankassayError:
        raise
    except (Exception, SystemExit) as error:
        attribute = name.partition(":")[2]
        if not attribute:
            raise
        file = file_of(name)
        lines = [
            own.lineno for own in traceback.extract_tb(error.__traceback__) if own.filename == file
        ]
        place = f"{file}, line {lines[0]}" if lines else file
        raise RankassayError(
            f"{place}: {attribute} failed with {type(error).__name__}: {error}."
        ) from error
