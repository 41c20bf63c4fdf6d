"""The values of measures that an analysis reads in addition to those of the job `score`."""

from collections.abc import Iterator, Mapping, Sequence

import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.artifacts.shards import successive
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.types import Floats


def evaluated(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    measures: Sequence[str],
) -> tuple[Judgements, Floats]:
    """Return the judgements of a test set, and every measure for every user and system.

    The values are float64 (n_users, n_systems, n_measures); `evaluation` has the threshold, profile
    and without_relevant of `rankassay.metrics.evaluate.evaluate`, and propensities where a measure
    needs them. Lists are cut at the length to which all were kept.
    """
    judgements, lists, choices = _judged(test, rankings, evaluation)
    return judgements, evaluate(judgements, lists, measures, *choices)


def evaluated_parts(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    measures: Sequence[str],
    depth: int | None = None,
) -> Iterator[Floats]:
    """Yield the values of `evaluated` by successive measures, which take less memory than all.

    Lists are cut at `depth`, if it is given.
    """
    judgements, lists, choices = _judged(test, rankings, evaluation, depth)
    for own in successive(measures, judgements.n_users * len(lists)):
        yield evaluate(judgements, lists, measures[own], *choices)


def _judged(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    depth: int | None = None,
) -> tuple[Judgements, list[Lists], tuple]:
    """Return the judgements, the systems' lists, and the choices that `evaluate` takes."""
    propensities = evaluation.get("propensities")
    judgements = Judgements.of(test, evaluation["threshold"], propensities)
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    depth = depth or min(ranking.depth for ranking in rankings.values())
    return judgements, lists, (evaluation["profile"], depth, evaluation["without_relevant"])
