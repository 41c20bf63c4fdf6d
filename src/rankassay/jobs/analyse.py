"""Job: run one analysis of a study.

An analysis is a function that gets what its entry declares (`rankassay.studies.entries.Analysis`):
its inputs and settings, and, of `dataset` (its name), `seed`, `evaluation`, `shard` and `runs` (the
datasets of the run, for an analysis across them), those that its parameters name. Where a metric
needs them, `evaluation` has the propensities of the test ratings. One that does not ask for its
`shard` gets a share of the settings that are shared. One that compares gets
`rankassay.statistics.replicated.Replicated` in place of the tables that have replicates.

Of large data, an analysis of metrics is run several times, each for as many of them as take
`rankassay.artifacts.shards.AT_ONCE` bytes: the parts that jobs can share, one job can do one
after the other.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from rankassay.artifacts import replicate
from rankassay.artifacts.arrays import (
    Attributes,
    Rankings,
    Ratings,
    Replicates,
    Truth,
    read_matrix,
)
from rankassay.artifacts.explain import checked
from rankassay.artifacts.files import Pathlike
from rankassay.artifacts.mapped import StoredRankings, StoredScores
from rankassay.artifacts.shards import WHOLE, Shard, successive
from rankassay.artifacts.tables import read_table, write_table
from rankassay.errors import RankassayError
from rankassay.jobs.arguments import add, add_paths, joined, json_object, json_objects
from rankassay.lookup import find, load, names_of_parameters
from rankassay.statistics.replicated import Replicated
from rankassay.studies import ANALYSES
from rankassay.studies.entries import Analysis


def _aspects(path: Pathlike) -> Ratings:
    """Read a dataset of which the aspects are wanted: its ratings, most of it, are let go."""
    none = np.empty(0, dtype=np.int32)
    ratings = {"user": none, "item": none, "rating": none.astype(np.float32)}
    return replace(Ratings.load(path), **ratings, timestamp=None, tested=None)


def _on_use(name: str) -> Any:
    """Return a function of few analyses: importing it would make it the code of every one."""
    return load(f"rankassay.{name}")


LOADERS = {
    "train": read_matrix,
    "test": read_matrix,
    "split/propensities": read_matrix,
    "truth": Truth.load,
    "propensities": read_matrix,
    "scores": StoredScores.load,
    "ratings": Ratings.load,
    "aspects": _aspects,
    "attributes": Attributes.load,
    "claims": lambda path: _on_use("claims.lists:read")(path),
}
REPLICATES = "_replicates"  # after the name of an input: the replicates of its table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("name", help="study and analysis, as in robustness/sparsity")
    add_paths(parser, "inputs", "INPUT=PATH", "what it reads, by its entry's names", nargs="*")
    parser.add_argument(
        "--replicates", type=json_objects, help="those of the protocols, with their files (JSON)"
    )
    add_paths(parser, "--rankings", "SYSTEM=RANKINGS", "lists of the systems (npz)", nargs="*")
    add(parser, "--evaluation", "--shard", "--settings", "--seed", dataset="its configured name")
    parser.add_argument(
        "--own-scores", action="store_true", help="the scores are of the part alone, not of all"
    )
    parser.add_argument(
        "--claims-of", metavar="DATASET", nargs="+", help="whose claims to judge, if of others"
    )
    parser.add_argument(
        "--published", action="store_true", help="judge published numbers of that dataset, too"
    )
    parser.add_argument(
        "--cutoff", type=json.loads, help="of claims that name none; see jobs.cutoffs (JSON)"
    )
    parser.add_argument(
        "--runs", type=json_object, help="the run's datasets and variants, with their titles (JSON)"
    )
    parser.add_argument(
        "--calibrated",
        action="store_true",
        help="the systems' settings were chosen to match published means",
    )
    parser.add_argument(
        "--output",
        nargs="+",
        required=True,
        help="table to write (csv), and of an analysis that has them its replicates (npz)",
    )


def run(options: argparse.Namespace) -> None:
    """Load the inputs of the analysis, run it and save its table."""
    entry = find("analysis", options.name, ANALYSES)
    function, wanted = function_of(entry)
    settings = _settings(entry, options.settings)
    if not entry.shared and options.shard != WHOLE:
        raise RankassayError(
            f"--shard: {options.name} has nothing that jobs can share; leave it out."
        )
    by_scores = entry.shared == ("measures",) and "scores" in entry.inputs.values()
    given = settings if {*entry.shared} <= {*settings} else options.evaluation
    own: dict[str, Any] = {}
    if entry.shared and not by_scores:
        own = shares({name: given[name] for name in entry.shared}, options.shard)
        _check_share(options, sum(map(len, own.values())))
        own = {} if "shard" in wanted else own
    arguments = _arguments(options, entry)
    if by_scores and not options.own_scores:
        arguments["scores"] = StoredScores.load(dict(options.inputs)["scores"], options.shard)
        _check_share(options, len(arguments["scores"].measures))
    named = ("dataset", "seed", "shard", "evaluation", "runs")
    known = {name: getattr(options, name) for name in named}
    arguments |= {name: value for name, value in known.items() if name in wanted}
    each = _values(given, arguments["rankings"]) if own and entry.in_turn else 0
    found = []
    for part in _in_turn(own, each):
        given |= part
        found.append(_replicated(function(**arguments, **settings)))
    _write(Replicated.joined(found, entry.within), *options.output)


def function_of(entry: Analysis) -> tuple[Callable[..., Any], set[str]]:
    """Return the function of an analysis, and the names of its parameters.

    Of one with a valuation, it makes that first, and gives it to the function.
    """
    function = load(entry.function)
    wanted = names_of_parameters(function)
    if not entry.valuation:
        return function, wanted
    valuation = load(entry.valuation)
    taken = names_of_parameters(valuation)

    def of_valuation(**given: Any) -> Any:
        made = valuation(**{name: value for name, value in given.items() if name in taken})
        return function(made, **{name: value for name, value in given.items() if name in wanted})

    return of_valuation, wanted | taken


def _settings(entry: Analysis, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of an analysis, and those of others that it borrows, checked."""
    others = {*entry.borrows, *entry.common}
    own = {name: value for name, value in given.items() if name not in others}
    found = checked(entry.settings, own).model_dump()
    found |= {name: given[name] for name in entry.common}
    for name, other in entry.borrows.items():
        borrowed = given.get(name)
        model = ANALYSES[other].settings
        found[name] = None if borrowed is None else checked(model, borrowed).model_dump()
    return found


def _arguments(options: argparse.Namespace, entry: Analysis) -> dict[str, Any]:
    """Load the inputs of an analysis, by the names of its parameters."""
    paths = dict(options.inputs)
    arguments = {
        name: _input(kind, paths[name], paths.get(name + REPLICATES))
        for name, kind in entry.inputs.items()
        if name in paths
    }
    if entry.judges:  # an analysis that the configuration leaves out
        arguments = dict.fromkeys(entry.inputs) | arguments
    arguments |= _of_several(options.inputs, "protocol" if entry.by_protocol else "dataset")
    if options.claims_of and "claims" in arguments:
        whose = (options.dataset, options.claims_of, options.published)
        arguments["claims"] = _on_use("claims.lists:about")(arguments["claims"], *whose)
    if options.calibrated and "claims" in arguments:
        arguments["claims"] = [claim | {"calibrated": True} for claim in arguments["claims"]]
    if options.cutoff and "claims" in arguments:
        at = _on_use("jobs.cutoffs:cutoff")(options.cutoff)
        arguments["claims"] = _on_use("claims.lists:at_cutoff")(arguments["claims"], at)
    if options.replicates:
        [name] = (name for name, kind in entry.inputs.items() if kind == "replicates")
        arguments[name] = replicate.load(options.replicates)
    if options.rankings:
        arguments["rankings"] = {name: StoredRankings.load(path) for name, path in options.rankings}
    if "test_propensities" in paths:
        options.evaluation["propensities"] = read_matrix(paths["test_propensities"])
    return arguments


def _values(given: Mapping[str, Any], rankings: Mapping[str, Rankings]) -> int:
    """Return how many values of users there are by a metric: at all cut-offs, by all definitions.

    `given` are the settings that have the metrics, and the cut-offs if there are several.
    """
    users, _ = next(iter(rankings.values())).shape
    metrics, measures = given.get("metrics", {}), len(given.get("cutoffs", [None]))
    if isinstance(metrics, Mapping):
        measures *= max(map(len, metrics.values()), default=1)
    return users * len(rankings) * measures


def _in_turn(own: Mapping[str, Any], each: int) -> Iterator[dict[str, Any]]:
    """Yield the entries that an analysis gets, as many at a time as there may be values of.

    `each` is how many values there are of one; 0 yields all.
    """
    n = sum(map(len, own.values()))
    for some in successive(range(n), each) if n and each else [slice(n)]:
        yield taken(own, range(n)[some])


def _check_share(options: argparse.Namespace, entries: int) -> None:
    """Raise RankassayError for a part of the work that has nothing to do."""
    if not entries and options.shard != WHOLE:
        number, count = options.shard.number, options.shard.count
        raise RankassayError(
            f"--shard {number}/{count}: expected no more parts than {options.name} has entries to "
            "share, found more, so that nothing is left for this one; ask for fewer."
        )


def shares(settings: Mapping[str, Any], shard: Shard) -> dict[str, Any]:
    """Return a job's share of the entries of settings, which are shared one after the other.

    Of a number of repetitions the entries are 0, 1, ...

    >>> shares({"metrics": ["P", "R"], "signs": ["AP"]}, Shard(2, 2))
    {'metrics': ['R'], 'signs': ['AP']}
    """
    entries = {k: range(v) if isinstance(v, int) else v for k, v in settings.items()}
    return taken(entries, shard.of(sum(map(len, entries.values()))))


def taken(entries: Mapping[str, Any], own: range) -> dict[str, Any]:
    """Return some of the entries of settings, by their successive numbers over all of them."""
    found: dict[str, Any] = {}
    before = 0
    for name, several in entries.items():
        first, last = (min(max(at - before, 0), len(several)) for at in (own.start, own.stop))
        before += len(several)
        if isinstance(several, dict):
            found[name] = dict([*several.items()][first:last])
        else:
            found[name] = several[first:last]
    return found


def _of_several(inputs: Sequence[tuple[str, str]], kind: str) -> dict[str, pd.DataFrame]:
    """Load the results of several datasets or protocols, whose names have the form INPUT:NAME."""
    tables: dict[str, dict[str, pd.DataFrame]] = {}
    for key, path in inputs:
        name, of_several, own = key.partition(":")
        if of_several:
            tables.setdefault(name, {})[own] = read_table(path)
    return {name: joined(own, kind) for name, own in tables.items()}


def _input(kind: str, path: str, replicates: str | None) -> Any:
    """Load an input of an analysis, with its replicates if it gets them."""
    loaded = LOADERS.get(kind, read_table)(path)
    if not replicates:
        return loaded
    found = Replicates.load(replicates)
    if len(found.values) != len(loaded):
        raise RankassayError(
            f"{replicates}: expected replicates of {len(loaded)} rows, found {len(found.values)}; "
            "delete the file and run again."
        )
    return Replicated(loaded, str(found.column), found.values)


def _replicated(result: Replicated | pd.DataFrame) -> Replicated:
    """Return a result with its replicates; of a table alone there are none."""
    if isinstance(result, pd.DataFrame):
        return Replicated(result, "", np.empty((len(result), 0)))
    return result


def _write(result: Replicated, table: str, replicates: str | None = None) -> None:
    """Write a result's table, and where it is asked for its replicates."""
    if replicates:
        Replicates(np.array(result.column), result.replicates).save(replicates)
    write_table(result.table, table)
