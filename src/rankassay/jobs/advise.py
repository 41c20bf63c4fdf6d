"""Job: which measure to report on a dataset, why, and what to do next."""

import argparse
import logging
from collections.abc import Mapping
from typing import Any

from rankassay import __version__
from rankassay.advice.advise import advise
from rankassay.advice.given import Given, Settings
from rankassay.advice.of_split import given_of
from rankassay.advice.rule import PAPER
from rankassay.artifacts.arrays import Truth, read_matrix
from rankassay.artifacts.files import write_json
from rankassay.artifacts.mapped import StoredRankings
from rankassay.jobs.arguments import add, add_paths, json_object

log = logging.getLogger(__name__)


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
    found = advise(given, settings_of(options.evaluation, given, options.seed), truth)
    write_json(found.to_dict(__version__), options.output)
    for entry in found.recommendation:
        log.info("%s: %s", entry["verdict"], entry["measure"])


def settings_of(evaluation: Mapping[str, Any], given: Given, seed: int) -> Settings:
    """Return the settings of advice for an evaluation.

    The metrics are asked for where they are not those of a configuration that names none; the
    cut-offs are its own as far as the lists go.
    """
    metrics = None if {*evaluation["metrics"]} == {*PAPER} else tuple(evaluation["metrics"])
    cutoffs = tuple(cutoff for cutoff in evaluation["cutoffs"] if cutoff <= given.depth)
    return Settings(
        seed=seed,
        metrics=metrics,
        cutoffs=cutoffs or None,
        profile=evaluation["profile"],
        without_relevant=evaluation["without_relevant"],
    )
