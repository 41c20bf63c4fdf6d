"""Job: run one analysis of a study.

An analysis is a function that gets what its entry declares (`assayer.studies.entries.Analysis`):
its inputs and settings, and, of `dataset` (its name), `seed` and `evaluation`, those that its
parameters name. One that compares gets `assayer.statistics.replicated.Replicated` in place of the
tables that have replicates.
"""

import argparse
import inspect
import logging
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from assayer.artifacts.arrays import Rankings, Ratings, Replicates, Scores, read_matrix
from assayer.artifacts.files import read_table, write_table
from assayer.artifacts.shards import WHOLE
from assayer.claims.lists import about
from assayer.claims.lists import read as read_claims
from assayer.errors import AssayerError
from assayer.jobs.arguments import json_object, named_path, shard
from assayer.lookup import find, load
from assayer.statistics.replicated import Replicated
from assayer.studies import ANALYSES
from assayer.studies.entries import Analysis

log = logging.getLogger(__name__)

LOADERS = {
    "train": read_matrix,
    "test": read_matrix,
    "scores": Scores.load,
    "aspects": Ratings.load,
    "claims": read_claims,
}
REPLICATES = "_replicates"  # after the name of an input: the replicates of its table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("name", help="study and analysis, as in robustness/sparsity")
    parser.add_argument("inputs", nargs="*", type=named_path, metavar="INPUT=PATH")
    parser.add_argument("--rankings", nargs="*", type=named_path, metavar="SYSTEM=RANKINGS")
    parser.add_argument("--dataset", required=True, help="its name in the configuration")
    parser.add_argument("--claims-of", metavar="DATASET", help="whose claims to judge, if another")
    parser.add_argument(
        "--published", action="store_true", help="judge published numbers of that dataset, too"
    )
    parser.add_argument("--evaluation", type=json_object, required=True)
    parser.add_argument("--shard", type=shard, default=WHOLE, help="some measures, as in 2/7")
    parser.add_argument("--settings", type=json_object, default={})
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument(
        "--output",
        nargs="+",
        required=True,
        help="table to write (csv), and of an analysis that has them its replicates (npz)",
    )


def run(options: argparse.Namespace) -> None:
    """Load what the analysis reads, run it and save its table."""
    began = time.monotonic()
    entry = find("analysis", options.name, ANALYSES)
    function = load(entry.function)
    evaluation = options.evaluation
    if "measures" in evaluation:
        chosen = options.shard.of(len(evaluation["measures"]))
        evaluation["measures"] = evaluation["measures"][chosen.start : chosen.stop]
    paths = dict(options.inputs)
    arguments = {name: _input(entry, name, paths) for name in entry.inputs if name in paths}
    if options.claims_of and "claims" in arguments:
        claims = arguments["claims"]
        chosen = (options.dataset, options.claims_of, options.published)
        arguments["claims"] = about(claims, *chosen)
    if options.rankings:
        arguments["rankings"] = {name: Rankings.load(path) for name, path in options.rankings}
    wanted = inspect.signature(function).parameters
    given = {"dataset": options.dataset, "seed": options.seed, "evaluation": evaluation}
    arguments |= {name: value for name, value in given.items() if name in wanted}
    _write(function(**arguments, **options.settings), *options.output)
    log.info("%s: %.1f s", options.name, time.monotonic() - began)


def _input(entry: Analysis, name: str, paths: Mapping[str, str]) -> Any:
    """Load what an analysis reads under a name, with its replicates if it gets them."""
    loaded = LOADERS.get(entry.inputs[name], read_table)(paths[name])
    replicates = paths.get(name + REPLICATES)
    return _replicated(loaded, replicates) if replicates else loaded


def _write(result: Replicated | pd.DataFrame, table: str, replicates: str | None = None) -> None:
    """Write a result's table, and where it is asked for its replicates; of none there are none."""
    frame = result.table if isinstance(result, Replicated) else result
    if replicates:
        values, column = np.empty((len(frame), 0)), ""
        if isinstance(result, Replicated):
            values, column = result.replicates, result.column
        Replicates(np.array(column), values).save(replicates)
    write_table(frame, table)


def _replicated(table: pd.DataFrame, path: str) -> Replicated:
    """Return a table with the replicates in a file, which must be of as many rows."""
    found = Replicates.load(path)
    if len(found.values) != len(table):
        raise AssayerError(
            f"{path}: expected replicates of {len(table)} rows, found {len(found.values)}; delete "
            "the file and run again."
        )
    return Replicated(table, str(found.column), found.values)
