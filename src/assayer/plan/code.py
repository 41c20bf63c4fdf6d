"""The code that a job depends on: when it changes, the job runs again."""

import functools
import os
import re
from collections.abc import Sequence
from pathlib import Path

from assayer.lookup import module_of, source_of

# They hold names only: what a job uses of them is tracked by the modules that they name.
UNTRACKED = (
    "assayer.studies",
    "assayer.metrics.catalogue",
    "assayer.metrics.names",
    "assayer.recommenders.catalogue",
)


class Code:
    """The files of the package, and of the user's own modules in the folder of the run.

    Parameters
    ----------
    project : Path
        The folder of the project.
    """

    def __init__(self, project: Path) -> None:
        source = Path(os.path.relpath(source_of(project)))
        self.package = source / "assayer"
        self.of = functools.cache(self._of)
        self.file = functools.cache(self._file)
        self.needs = functools.cache(self._needs)

    def of_job(self, job: str, *targets: str) -> list[str]:
        """Return the code of a job, and of the objects "module:attribute" that it loads."""
        return self.of(f"assayer.jobs.{job}", *map(module_of, targets))

    def _of(self, *modules: str) -> list[str]:
        """Return the files of some modules and of every module that they import."""
        found = {module for module in modules if self.file(module)}
        queue = [*found]
        while queue:
            new = self.needs(queue.pop()) - found
            found |= new
            queue += new
        return sorted(str(self.file(module)) for module in found)

    def _needs(self, module: str) -> set[str]:
        """Return the modules that a module imports, of the package and of the user."""
        return {name for name in imports_of(self.file(module)) if self.file(name)}

    def _file(self, module: str) -> Path | None:
        """Return the file of a module that is tracked: of the package, or of the user.

        Beside an installed package lie those of others, which are no code of a job.
        """
        parts = module.split(".")
        if module in UNTRACKED or "" in parts:  # "." is of a relative import
            return None
        stem = (self.package.parent if parts[0] == "assayer" else Path()).joinpath(*parts)
        for path in (stem.with_suffix(".py"), stem / "__init__.py"):
            if path.exists():
                return path
        return None


IMPORT = re.compile(
    r"^[ ]*(?:from ([\w.]+) import (\([^)]*\)|[^\n(]+)|import ([\w., ]+))", re.MULTILINE
)


@functools.cache
def imports_of(path: Path) -> Sequence[str]:
    """Return the names of all that a module imports: modules, and objects in them.

    Searching takes a tenth of the time of parsing, and all modules are read to plan a run.
    """
    names: list[str] = []
    for source, objects, modules in IMPORT.findall(path.read_text(encoding="utf-8")):
        imported = [
            words.split()[0] for words in re.split("[(),]", objects or modules) if words.split()
        ]
        names += [source, *(f"{source}.{name}" for name in imported)] if source else imported
    return names
