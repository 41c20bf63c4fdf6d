"""Stage: run one analysis of a study.

An analysis is a function that names what it wants: the artifacts that its registry entry lists,
`dataset` (its name), `seed`, `evaluation` (threshold, measures, profile and so on) and settings of
its own. It gets just these. One that compares gets `assayer.statistics.replicated.Replicated` in
place of the tables that have replicates.
"""

import argparse
import inspect
import logging
import time

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

log = logging.getLogger(__name__)

LOADERS = {
    "train": read_matrix,
    "test": read_matrix,
    "scores": Scores.load,
    "aspects": Ratings.load,
    "claims": read_claims,
}
REPLICATES = "replicates/"  # before the name of an analysis: those of its table


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
    analysis = load(find("analysis", options.name, ANALYSES).function)
    given = {name: getattr(options, name) for name in ("dataset", "seed", "evaluation")}
    measures = given["evaluation"].get("measures", [])
    chosen = options.shard.of(len(measures))
    given["evaluation"]["measures"] = measures[chosen.start : chosen.stop]
    for name, path in sorted(options.inputs, key=lambda pair: pair[0].startswith(REPLICATES)):
        # The result of another analysis is handed over under its own name.
        key = name.rpartition("/")[2].replace("-", "_")
        if name.startswith(REPLICATES):
            given[key] = _replicated(given[key], path)
        else:
            given[key] = LOADERS.get(name, read_table)(path)
    if options.claims_of and "claims" in given:
        claims = given["claims"]
        given["claims"] = about(claims, options.dataset, options.claims_of, options.published)
    if options.rankings:
        given["rankings"] = {name: Rankings.load(path) for name, path in options.rankings}
    wanted = inspect.signature(analysis).parameters
    arguments = {name: value for name, value in given.items() if name in wanted}
    _write(analysis(**arguments, **options.settings), *options.output)
    log.info("%s: %.1f s", options.name, time.monotonic() - began)


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
