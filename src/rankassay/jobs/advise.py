"""Job: which measure to report on a dataset, why, and what to do next."""

import logging
from collections.abc import Mapping
from typing import Any

from rankassay import __version__
from rankassay.advice.advise import advise as advice_on
from rankassay.advice.given import Given, Settings
from rankassay.advice.of_split import given_of
from rankassay.advice.rule import PAPER
from rankassay.artifacts.arrays import Truth, read_matrix
from rankassay.artifacts.files import write_json
from rankassay.artifacts.mapped import StoredRankings

log = logging.getLogger(__name__)


def advise(
    test: str,
    rankings: Mapping[str, str],
    about: Mapping[str, Any],
    evaluation: Mapping[str, Any],
    candidates: str,
    seed: int,
    output: str,
    train: str | None = None,
    propensities: str | None = None,
    truth: str | None = None,
) -> None:
    """Save the advice on a dataset; `rankings` are files by system, `about` is the data in words.

    Propensities are given where they are known, and the truth where items were judged at random.
    """
    given, known = given_of(
        read_matrix(test),
        {name: StoredRankings.load(path) for name, path in rankings.items()},
        evaluation["threshold"],
        read_matrix(train) if train else None,
        read_matrix(propensities) if propensities else None,
        Truth.load(truth) if truth else None,
        about,
        candidates,
        seed,
    )
    found = advice_on(given, settings_of(evaluation, given, seed), known)
    write_json(found.to_dict(__version__), output)
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
