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
from rankassay.artifacts.tables import read_table, read_tables, write_table
from rankassay.errors import RankassayError, one_of
from rankassay.lookup import find, load, names_of_parameters
from rankassay.statistics.replicated import Replicated
from rankassay.studies import ANALYSES, STUDIES
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
PROPENSITIES = "test_propensities"  # an input of analyses with a metric that needs them


def analyse(
    name: str,
    dataset: str,
    inputs: Mapping[str, Any],
    evaluation: dict[str, Any],
    settings: Mapping[str, Any],
    seed: int,
    output: Sequence[str],
    rankings: Mapping[str, str] | None = None,
    replicates: Sequence[Mapping[str, Any]] = (),
    claims: Mapping[str, Any] | None = None,
    runs: Mapping[str, Any] | None = None,
    shard: Sequence[int] = (1, 1),
    own_scores: bool = False,
) -> None:
    """Run an analysis, and save its table and, of one that has them, its replicates.

    `inputs` are files by the names of its entry, or by dataset or protocol of each; `rankings` are
    files by system, and `replicates` those of protocols. `claims` say which are judged: `of` which
    datasets, `published` numbers or not, whether `calibrated`, and the `cutoff` of those without.
    With `own_scores`, the scores are of the part alone.
    """
    entry = find("analysis", name, ANALYSES)
    if not isinstance(shard, Sequence) or len(shard) != 2:
        raise RankassayError(f"shard: expected a part and how many there are, found {shard}.")
    for key, of_name in (("inputs", inputs), ("evaluation", evaluation), ("settings", settings)):
        if not isinstance(of_name, Mapping):
            raise RankassayError(f"{key}: expected what there is by name, found {of_name}.")
    part = Shard(*shard)
    _check_given(entry, inputs, evaluation, rankings)
    function, wanted = function_of(entry)
    chosen = _settings(entry, settings)
    if not entry.shared and part != WHOLE:
        raise RankassayError(f"shard: {name} has nothing that jobs can share; leave it out.")
    by_scores = entry.shared == ("measures",) and "scores" in entry.inputs.values()
    given = chosen if {*entry.shared} <= {*chosen} else evaluation
    own: dict[str, Any] = {}
    if entry.shared and not by_scores:
        own = shares({key: given[key] for key in entry.shared}, part)
        _check_share(name, part, sum(map(len, own.values())))
        own = {} if "shard" in wanted else own
    arguments = _arguments(entry, inputs)
    if claims and "claims" in arguments:
        arguments["claims"] = _judged(arguments["claims"], dataset, **claims)
    if replicates:
        [key] = (key for key, kind in entry.inputs.items() if kind == "replicates")
        arguments[key] = replicate.load(replicates)
    if rankings:
        arguments["rankings"] = {key: StoredRankings.load(path) for key, path in rankings.items()}
    if PROPENSITIES in inputs:
        evaluation["propensities"] = read_matrix(inputs[PROPENSITIES])
    if by_scores and not own_scores:
        arguments["scores"] = StoredScores.load(inputs["scores"], part)
        _check_share(name, part, len(arguments["scores"].measures))
    known = {"dataset": dataset, "seed": seed, "shard": part, "evaluation": evaluation}
    known["runs"] = runs
    arguments |= {key: value for key, value in known.items() if key in wanted}
    each = _values(given, arguments["rankings"]) if own and entry.in_turn else 0
    found = []
    for some in _in_turn(own, each):
        given |= some
        found.append(_replicated(function(**arguments, **chosen)))
    _write(Replicated.joined(found, entry.within), *output)


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


def _check_given(
    entry: Analysis, inputs: Mapping[str, Any], evaluation: Mapping[str, Any], rankings: Any
) -> None:
    """Raise RankassayError for an input that an analysis has not, or one that it lacks."""
    files = {k: v for k, v in entry.inputs.items() if v not in ("rankings", "replicates")}
    known = [*files, *(key + REPLICATES for key in files), PROPENSITIES]
    for key in inputs:
        one_of("input", key, known)
    optional = {*entry.optional, *entry.always}
    if entry.judges:  # it does without results that the configuration leaves out
        optional |= {key for key, kind in files.items() if kind != "claims"}
    lacking = [f"inputs.{key}" for key in files if key not in optional and inputs.get(key) is None]
    lacking += [f"evaluation.{key}" for key in entry.evaluation if key not in evaluation]
    if lacking or ("rankings" in {*entry.required} and not rankings):
        wanted = [*lacking, "rankings"][0]
        raise RankassayError(f"expected {wanted}, which the analysis reads, found none.")


def _settings(entry: Analysis, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of an analysis, and those of others that it borrows, checked."""
    others = {*entry.borrows, *entry.common}
    own = {name: value for name, value in given.items() if name not in others}
    found = checked(entry.model, own).model_dump()
    shared = {name: given[name] for name in entry.common if name in given}
    of_study = checked(STUDIES[entry.study].model, shared).model_dump() if entry.common else {}
    found |= {name: of_study[name] for name in entry.common}
    for name, other in entry.borrows.items():
        borrowed = given.get(name)
        found[name] = None if borrowed is None else _settings(ANALYSES[other], borrowed)
    return found


def _arguments(entry: Analysis, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Load the inputs of an analysis, by the names of its parameters."""
    kind = "protocol" if entry.by_protocol else "dataset"
    found = {
        name: read_tables(paths, kind)
        if isinstance(paths := inputs[name], Mapping)
        else _input(artifact, paths, inputs.get(name + REPLICATES))
        for name, artifact in entry.inputs.items()
        if name in inputs
    }
    # An analysis that judges does without those that the configuration leaves out.
    return dict.fromkeys(entry.inputs) | found if entry.judges else found


def _judged(
    claims: Any, dataset: str, of: Sequence[str], published: bool, calibrated: bool, cutoff: Any
) -> Any:
    """Return the claims that are judged on a dataset."""
    found = _on_use("claims.lists:about")(claims, dataset, of, published)
    if calibrated:  # the systems' settings were chosen to match published means
        found = [claim | {"calibrated": True} for claim in found]
    at = _on_use("jobs.cutoffs:cutoff")(cutoff)
    return _on_use("claims.lists:at_cutoff")(found, at)


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


def _check_share(name: str, part: Shard, entries: int) -> None:
    """Raise RankassayError for a part of the work that has nothing to do."""
    if not entries and part != WHOLE:
        raise RankassayError(
            f"shard {part.number}/{part.count}: expected no more parts than {name} has entries to "
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
