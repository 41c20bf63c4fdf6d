# The configuration, checked, and the code that a job depends on.

import ast
import functools
from functools import partial
import json
import os
import re
import shlex
import sys
from types import SimpleNamespace

sys.path.insert(0, str(BASE / "src"))
sys.path.append(os.getcwd())  # for recommenders and metrics of the user's own
shell.prefix(f"export PYTHONPATH={shlex.quote(str(BASE / 'src'))}; ")

from assayer import registry, titles
from assayer.config import systems
from assayer.config import validate
from assayer.data.entries import completed
from assayer.errors import AssayerError
from assayer.seeds import derive

if workflow.is_main_process:
    try:
        validate(config, BASE / "workflow/schemas")
    except AssayerError as error:
        sys.exit(f"assayer: {error}")
config["dataset_catalogue"] = {
    name: completed(name, entry) for name, entry in config["dataset_catalogue"].items()
}
RUNS = {
    dataset: systems.run_files(config["systems"]["runs"], dataset) for dataset in config["datasets"]
}


wildcard_constraints:
    dataset="|".join([*config["dataset_catalogue"], *config["variants"], "constructed"]),
    recommender="|".join(config["recommender_catalogue"]),
    run="|".join({re.escape(name) for runs in RUNS.values() for name in runs}) or "(?!)",
    shard=r"\d+",
    study="|".join(registry.studies()),
    analysis="|".join(name.partition("/")[2] for name in registry.ANALYSES),
    figure="|".join(name.partition("/")[2] for name in registry.FIGURES),
    table="|".join(name.partition("/")[2] for name in registry.TABLES),


# The registry holds names only; what a job uses from it is tracked by the modules it names.
UNTRACKED = "assayer.registry"


@functools.cache
def imports_of(path):
    """Return the names of all that a module imports, whether modules or what is in them."""
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return names


@functools.cache
def code(*modules):
    """Return the files of some modules and of every module they import.

    Modules are those of the package and those in the folder of the run.
    """
    roots = (Path(os.path.relpath(BASE)) / "src", Path())
    found, queue = {}, list(modules)
    while queue:
        name = queue.pop()
        stems = [root.joinpath(*name.split(".")) for root in roots]
        paths = [p for stem in stems for p in (stem.with_suffix(".py"), stem / "__init__.py")]
        path = next((p for p in paths if p.exists()), None)
        if path is None or name in found or name.startswith(UNTRACKED):
            continue
        found[name] = str(path)
        queue += imports_of(path)
    return sorted(found.values())


def stage_code(stage, *targets):
    """Return the code of a stage and of the registry's objects that it loads."""
    return code(f"assayer.stages.{stage}", *map(registry.module_of, targets))


def named_arguments(names, paths):
    """Return NAME=PATH for names and paths in step, quoted for the shell."""
    return " ".join(shlex.quote(f"{name}={path}") for name, path in zip(names, paths))


def success_message():
    """Say where the results are."""
    page = "results/report.html" if Path("results/report.html").exists() else "the target report"
    return (
        "\nFigures are in figures/, tables in results/tables/, all numbers in results/.\n"
        f"One page with everything: {page}"
    )


def failure_message(logs):
    """Say what went wrong: the last line of each failed job's log, and how to go on."""
    text = "".join(Path(path).read_text(encoding="utf-8", errors="replace") for path in logs)
    lines = []
    for name in dict.fromkeys(re.findall(r"^\s*log: (.+?) \(check log file", text, re.MULTILINE)):
        job_log = Path(name)
        content = job_log.read_text(errors="replace").split("\n") if job_log.exists() else []
        said = [line for line in content if line.strip()]
        lines.append(f"{said[-1]}\n  (log: {name})" if said else f"no message (log: {name})")
    what = "\n".join(lines) or "Snakemake's message above says what went wrong."
    return (
        f"\n{what}\n\nWhat is finished is kept: the same command goes on from there, and with "
        "--keep-going it\nfinishes all that does not depend on what failed. If it says that the "
        "directory is locked,\nfirst: snakemake --unlock"
    )
