"""The code that a job depends on: when it changes, the job runs again."""

import ast
import functools
import os
from collections.abc import Sequence
from pathlib import Path

from assayer.lookup import module_of

# They hold names only: what a job uses of them is tracked by the modules that they name.
UNTRACKED = ("assayer.studies", "assayer.metrics.catalogue", "assayer.recommenders.catalogue")


class Code:
    """The files of the package, and of the user's own modules in the folder of the run.

    Parameters
    ----------
    project : Path
        The folder of the project.
    """

    def __init__(self, project: Path) -> None:
        self.project = Path(os.path.relpath(project))
        self.roots = (self.project / "src", Path())
        self.of = functools.cache(self._of)

    def of_job(self, job: str, *targets: str) -> list[str]:
        """Return the code of a job, and of the objects "module:attribute" that it loads."""
        return self.of(f"assayer.jobs.{job}", *map(module_of, targets))

    def _of(self, *modules: str) -> list[str]:
        """Return the files of some modules and of every module that they import."""
        found: dict[str, str] = {}
        queue = list(modules)
        while queue:
            name = queue.pop()
            path = None if name in UNTRACKED or name in found else self._file(name)
            if path is not None:
                found[name] = str(path)
                queue += imports_of(path)
        return sorted(found.values())

    def _file(self, module: str) -> Path | None:
        """Return the file of a module, if it is one of the package or of the user."""
        for root in self.roots:
            stem = root.joinpath(*module.split("."))
            for path in (stem.with_suffix(".py"), stem / "__init__.py"):
                if path.exists():
                    return path
        return None


@functools.cache
def imports_of(path: Path) -> Sequence[str]:
    """Return the names of all that a module imports: modules, and objects in them."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return names
