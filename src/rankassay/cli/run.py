"""Command: run the workflow, that is, call Snakemake with this package's options."""

import argparse
import importlib.util
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import rankassay
from rankassay.cli.arguments import add_manual
from rankassay.config.layers import entries
from rankassay.errors import RankassayError, not_installed

DESCRIPTION = """\
Run the studies: split the ratings, train the recommenders, evaluate them, judge the metrics, and
write figures, tables and one page, results/report.html. What is finished is kept; the same command
goes on from there. It is a call of Snakemake in the current folder, which --show prints.
"""

EPILOG = """\
examples:
  python -m rankassay run --configfile demo               small synthetic data, offline
  python -m rankassay run --configfile mine.yaml --cores 4
  python -m rankassay run robustness --datasets ml-1m     one study, on a dataset of the catalogue
  python -m rankassay run --configfile mine.yaml -- --keep-going --printshellcmds

Options with several values can be repeated. Behind -- stand options of Snakemake. It shows one
line for each study as it ends, with the time since the start and, once that can be told, how long
the rest takes; with --jobs, one line for each job. The details are in .snakemake/log, and what each
job said in logs.
"""

PASSES_ON = True  # to Snakemake, the words after --


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_manual(parser, DESCRIPTION, EPILOG)
    parser.add_argument(
        "targets",
        metavar="TARGET",
        nargs="*",
        help="studies, or claims, fidelity, report, simulations, splits, trec, tune (all studies)",
    )
    parser.add_argument(
        "--configfile",
        metavar="FILE",
        nargs="+",
        default=[],
        help="configurations, of which later ones override earlier ones; or one that comes with "
        "rankassay, as demo",
    )
    parser.add_argument("--datasets", metavar="NAME", nargs="+", help="in place of the configured")
    parser.add_argument("--studies", metavar="NAME", nargs="+", help="in place of the configured")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        nargs="+",
        default=[],
        help="other keys, as in seed=3 or robustness.cutoff=5; a value is a number, a list or a "
        "section as in a file, or else the text that is typed",
    )
    parser.add_argument("--cores", metavar="N", default="all", help="jobs at a time (all cores)")
    parser.add_argument(
        "-n", "--dry-run", action="store_true", help="show what a run would do, by study"
    )
    unlock = "remove the lock that a killed run left, and run nothing"
    parser.add_argument("--unlock", action="store_true", help=unlock)
    parser.add_argument("--jobs", action="store_true", help="one line a job, not one a study")
    parser.add_argument("--show", action="store_true", help="print the call of Snakemake, only")


def run(options: argparse.Namespace) -> None:
    """Become the process of Snakemake."""
    if importlib.util.find_spec("snakemake") is None:
        raise not_installed(ModuleNotFoundError(name="snakemake")) or RankassayError("no Snakemake")
    files = [*map(configuration, options.configfile)]
    words = [sys.executable, "-P", "-m", "snakemake", *arguments(options, files)]
    if options.cores != "all" and not re.fullmatch("[1-9][0-9]*", options.cores):
        raise RankassayError(
            f"--cores: expected a number from 1 on, or all, found '{options.cores}'."
        )
    if options.show:
        print(shlex.join(words))
        return
    programs = Path(sys.executable).parent  # the jobs are to find this Python first
    environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}
    sys.stdout.flush()
    os.execve(words[0], words, environment)


def arguments(options: argparse.Namespace, files: list[str]) -> Iterator[str]:
    """Yield Snakemake's arguments, without its own name."""
    yield from ("--snakefile", str(snakefile()))
    # By its path: Snakemake would take a profile in the current folder first.
    yield from ("--workflow-profile", str(snakefile().parent / "profiles/default"))
    yield from ("--logger", "rankassay", "--logger-rankassay-lines")
    yield "jobs" if options.jobs else "studies"
    if files:
        yield from ("--configfile", *files)
    named = {"datasets": options.datasets, "studies": options.studies}
    own = [f"{k}={json.dumps(v, ensure_ascii=False)}" for k, v in named.items() if v]
    if own or options.set:
        yield from ("--config", *own, *entries(options.set))
    if options.dry_run:
        yield "--dry-run"
    if options.unlock:
        yield "--unlock"
    yield from ("--cores", options.cores, *options.targets, *options.passed_on)


def snakefile() -> Path:
    """Return the place of the workflow: in the installed package, or in the checkout around it."""
    package = Path(rankassay.__file__).parent
    for folder in (package / "pipeline", package.parents[1]):
        if (found := folder / "workflow/Snakefile").is_file():
            return found
    raise RankassayError(
        f"expected the workflow next to {package}, found none; install rankassay anew."
    )


def configuration(name: str) -> str:
    """Return the path of a configuration that is sound, or of one that comes with the workflow."""
    from rankassay.artifacts import yaml_files

    own = snakefile().parents[1] / "config"
    path = Path(name) if Path(name).is_file() else own / f"{Path(name).name}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(path.stem for path in own.glob("*.yaml")))
        raise RankassayError(
            f"expected a file after --configfile, found none at '{name}'; those that come with "
            f"rankassay: {known}. Targets come before --configfile."
        )
    yaml_files.read_settings(path)
    return str(path)
