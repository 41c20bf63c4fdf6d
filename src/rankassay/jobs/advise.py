"""Job: which measure to report on a dataset, why, and what to do next."""

import argparse
import logging
from collections.abc import Mapping
from typing import Any

from rankassay import __version__
from rankassay.advice.advise import advise
from rankassay.advice.candidates import PAPER
from rankassay.advice.given import Given
from rankassay.advice.of_split import given_of
from rankassay.advice.settings import Settings
from rankassay.artifacts.arrays import Truth, read_matrix
from rankassay.artifacts.files import write_json
from rankassay.artifacts.mapped import StoredRankings
from rankassay.jobs.arguments import add, add_paths, json_object

log = logging.getLogger(__name__)

# With the study's 50 parts and 100,000 permutations, the weighted and centred measures,
# which have no quick sums, take six minutes on a million ratings; fewer add Monte Carlo error only.
MOST = {"samples": 10, "permutations": 10_000}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "test")
    add_paths(parser, "rankings", "SYSTEM=RANKINGS", "lists of the systems (npz)")
    parser.add_argument("--train", help="training matrix (npz)")
    parser.add_argument("--propensities", help="those of the test ratings, where known (npz)")
    parser.add_argument("--truth", help="judgements of random items (npz)")
    parser.add_argument("--about", type=json_object, required=True, help="the data in words (JSON)")
    add(
        parser,
        "--candidates",
        "--evaluation",
        "--settings",
        "--seed",
        output="advice to write (json)",
    )


def run(options: argparse.Namespace) -> None:
    """Load the input of advice, compute it and save it."""
    given, truth = given_of(
        read_matrix(options.test),
        {name: StoredRankings.load(path) for name, path in options.rankings},
        options.evaluation["threshold"],
        read_matrix(options.train) if options.train else None,
        read_matrix(options.propensities) if options.propensities else None,
        Truth.load(options.truth) if options.truth else None,
        options.about,
        options.candidates,
        options.seed,
    )
    chosen = settings_of(options.settings, options.evaluation, given, options.seed)
    found = advise(given, chosen, truth)
    write_json(found.to_dict(__version__), options.output)
    for entry in found.recommendation:
        log.info("%s: %s", entry["verdict"], entry["measure"])


def settings_of(
    shared: Mapping[str, Any], evaluation: Mapping[str, Any], given: Given, seed: int
) -> Settings:
    """Return the settings of advice, those that it shares with studies taken from these.

    An analysis that is left out (None) leaves the defaults. Of random parts at a level and of
    permutations it takes at most `MOST`: the study's own are for its own tables. The metrics are
    asked for where they are not those of a configuration that names none; the cut-offs are its own
    as far as the lists go.
    """
    cutoffs = [cutoff for cutoff in evaluation["cutoffs"] if cutoff <= given.depth]
    sparsity, popular, power = (shared.get(k) or {} for k in ("sparsity", "popularity", "power"))
    known = {
        "levels": sparsity.get("levels"),
        "samples": sparsity.get("samples"),
        "percentages": popular.get("percentages"),
        "permutations": power.get("samples") if power.get("test") == "permutation" else None,
        "resamples": sparsity.get("resamples"),
        "metrics": None if {*evaluation["metrics"]} == {*PAPER} else evaluation["metrics"],
        "cutoffs": cutoffs,
        "profile": evaluation["profile"],
    }
    known = {name: value for name, value in known.items() if value}
    known |= {name: min(known[name], most) for name, most in MOST.items() if name in known}
    known = {name: tuple(v) if isinstance(v, list) else v for name, v in known.items()}
    return Settings(seed=seed, without_relevant=evaluation["without_relevant"], **known)
