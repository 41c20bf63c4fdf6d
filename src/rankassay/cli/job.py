"""Do jobs of a run, one after another, as the rules of the workflow ask for them.

A job is a function of keyword arguments in `rankassay.jobs`. Standard input has it as JSON, such as
{"means": {"scores": "scores.npz", "aggregate": "mean", "output": "means.csv"}}, or an array of
several. A second object has further arguments of a single job: the files that its rule names.
"""

import argparse
import inspect
import json
import logging
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rankassay.declared.jobs import MODULES
from rankassay.errors import RankassayError, unknown
from rankassay.lookup import find, load

log = logging.getLogger(__name__)

LOGS, USAGE = "logs", "results/benchmarks"
INPUT = 0  # the standard input, also of a process that was forked for the job


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--log",
        help=f"file in {LOGS}: time and memory are written under the same name in {USAGE}",
    )


def run(options: argparse.Namespace) -> None:
    """Do the jobs, and write their time and memory."""
    from rankassay import kernels  # on use: it imports numpy

    kernels.FEW = kernels.FEW_OF_A_JOB
    began = time.monotonic()
    with open(INPUT, "rb", closefd=False) as given:
        several = read(given.read())
    for name, arguments in several:
        options.called = name.replace("_", "-")
        if len(several) > 1:
            options.called += f" {arguments.get('name', '')}".rstrip()
        do(name, arguments)
        log.info("done in %.1f s", time.monotonic() - began)
    if options.log:
        from rankassay.artifacts.usage import write  # on use: it imports numpy

        place = Path(USAGE, Path(options.log).relative_to(LOGS)).with_suffix(".tsv")
        write(place, time.monotonic() - began)


def read(text: bytes) -> list[tuple[str, dict[str, Any]]]:
    """Return the jobs and their arguments; raises RankassayError for what are none."""
    try:
        jobs, *files = _documents(text.decode())
        several = jobs if isinstance(jobs, list) else [jobs]
        found = [(name, dict(own)) for each in several for name, own in each.items()]
        if not found:
            raise ValueError
        for more in files:
            [(name, own)] = found
            found = [(name, more | own)]
    except (ValueError, TypeError, AttributeError):
        shown = text.decode(errors="replace")
        raise RankassayError(
            'expected a job on standard input, as {"means": {"scores": "scores.npz", ...}}, '
            f"found {shown!r}."
        ) from None
    return found


def _documents(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    while text := text.strip():
        value, end = decoder.raw_decode(text)
        yield value
        text = text[end:]


def do(name: str, arguments: Mapping[str, Any]) -> None:
    """Do a job; raises RankassayError for an argument that it does not know, or that it lacks."""
    function = load(f"rankassay.jobs.{find('job', name, MODULES)}:{name}")
    parameters = inspect.signature(function).parameters
    for each in arguments:
        if each not in parameters:
            raise unknown(f"argument of {name}", each, parameters)
    for each, parameter in parameters.items():
        if parameter.default is parameter.empty and each not in arguments:
            raise RankassayError(f"expected the argument '{each}' of {name}, found none.")
    function(**arguments)
