"""The code that a job depends on: when it changes, the job runs again.

It is known by its content: neither when a file was written nor where it lies makes a difference, so
that a module that is replaced by an older one counts, and a folder that has moved does not.
"""

import ast
import functools
import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from rankassay import _PUBLIC as PUBLIC
from rankassay.artifacts.files import checksum
from rankassay.declared.jobs import MODULES
from rankassay.lookup import is_of_library, module_of, source_of

PACKAGE = "rankassay"
# They list what there is: what a job uses of it is tracked by the modules that it names, and
# settings by their values.
UNTRACKED = ("rankassay.studies", "rankassay.studies.entries")

content_of = functools.cache(checksum)  # a plan reads each module once


class Code:
    """The files of the package, and the user's own modules, wherever Python finds them.

    Parameters
    ----------
    project : Path
        The folder of the project.
    """

    def __init__(self, project: Path) -> None:
        source = Path(os.path.relpath(source_of(project)))
        self.package = source / PACKAGE
        self.of = functools.cache(self._of)
        self.file = functools.cache(self._file)
        self.needs = functools.cache(self._needs)

    def of_job(self, job: str, *targets: str, files: Iterable[Path] = ()) -> str:
        """Return the checksum of the code of a job, and of the "module:attribute" that it loads.

        `files` are other files of the package that the job reads.
        """
        module = f"{PACKAGE}.jobs.{MODULES.get(job, job)}"
        paths = [*self.of(module, *map(module_of, targets)), *map(str, files)]
        # In an order that does not depend on where they lie.
        found = hashlib.sha256("".join(sorted(map(content_of, paths))).encode())
        return f"code {found.hexdigest()[:24]}"

    def _of(self, *modules: str) -> list[str]:
        """Return the files of some modules and of every module that they import."""
        found = {each for module in modules for each in _with_parents(module) if self.file(each)}
        queue = [*found]
        while queue:
            new = self.needs(queue.pop()) - found
            found |= new
            queue += new
        return sorted(str(self.file(module)) for module in found)

    def _needs(self, module: str) -> set[str]:
        """Return the modules that a module imports, of the package and of the user."""
        path = self.file(module)
        if module.partition(".")[0] == PACKAGE:
            names: Iterable[str] = imports_of(path.read_text(encoding="utf-8"))
        else:
            names = _imports_of_user(path.read_bytes(), module, path.stem == "__init__")
        return {each for name in names for each in _with_parents(name) if self.file(each)}

    def _file(self, module: str) -> Path | None:
        """Return the file of a module that is tracked: of the package, or of the user.

        Libraries, among which an installed package lies, are no code of a job.
        """
        parts = module.split(".")
        if module in UNTRACKED or "" in parts:
            return None
        if parts[0] != PACKAGE:
            return _file_of_user(module)
        stem = self.package.parent.joinpath(*parts)
        return next(filter(Path.exists, (stem.with_suffix(".py"), stem / "__init__.py")), None)


def _with_parents(module: str) -> list[str]:
    """Return a module and, of the user's, the packages that it lies in: importing it runs them.

    >>> _with_parents("mine.models.first"), _with_parents("rankassay.jobs.score")
    (['mine', 'mine.models', 'mine.models.first'], ['rankassay.jobs.score'])
    """
    parts = module.split(".")
    if parts[0] == PACKAGE:
        return [module]
    return [".".join(parts[: n + 1]) for n in range(len(parts))]


IMPORT = re.compile(
    r"^[ ]*(?:from ([\w.]+) import (\([^)]*\)|[^\n(]+)|import ([\w., ]+))", re.MULTILINE
)


def imports_of(text: str) -> list[str]:
    """Return the names of all modules, and objects in them, that a module of the package imports.

    Searching takes a tenth of the time of parsing, and all modules are read to plan a run. It knows
    the forms that the package's style allows.
    """
    names: list[str] = []
    for source, objects, modules in IMPORT.findall(text):
        imported = [
            words.split()[0] for words in re.split("[(),]", objects or modules) if words.split()
        ]
        names += [source, *(f"{source}.{name}" for name in imported)] if source else imported
    return names


def _imports_of_user(text: bytes, module: str, is_package: bool) -> Iterator[str]:
    """Yield the same for a module of the user, for all forms of import statement.

    What is only named while it runs (`importlib.import_module`) is not found. A module that cannot
    be parsed imports nothing: its job will report it.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            if any(alias.name == PACKAGE for alias in node.names):
                yield from PUBLIC.values()
        elif isinstance(node, ast.ImportFrom):
            # One dot is the package itself, which of a package is the module.
            above = module.split(".")
            above = above[: len(above) - node.level + is_package] if node.level else []
            source = ".".join([*above, *filter(None, [node.module])])
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)
            if source == PACKAGE:  # which imports its parts on use
                yield from (PUBLIC[alias.name] for alias in node.names if alias.name in PUBLIC)


def _file_of_user(module: str) -> Path | None:
    """Return the file of a module that is no library's, without importing anything.

    It is looked for in the folder of the run, and then wherever Python finds modules.
    """
    path: list[str] | None = None
    if module.partition(".")[0] in sys.stdlib_module_names:
        return None
    for name in _with_parents(module):
        spec = next(filter(None, _specs(name, path)), None)
        if spec is None:
            return None
        path = [*spec.submodule_search_locations] if spec.submodule_search_locations else []
    if not spec.origin or not Path(spec.origin).is_file() or is_of_library(spec.origin):
        return None
    return Path(os.path.relpath(spec.origin))


def _specs(name: str, path: list[str] | None) -> Iterator:
    """Yield the specs that Python's finders have for a module in the folders of `path`."""
    folders = [str(Path.cwd()), *sys.path] if path is None else path
    for finder in sys.meta_path:
        plain = path is None and getattr(finder, "__name__", "") != "PathFinder"
        yield finder.find_spec(name, None if plain else folders)
