"""Jobs: compute every measure for every user and system, and the means over users."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Scores, read_matrix
from rankassay.artifacts.mapped import StoredRankings, StoredScores
from rankassay.artifacts.shards import Shard, successive
from rankassay.artifacts.tables import write_table
from rankassay.metrics import aggregate as aggregates
from rankassay.metrics.evaluate import Measure, evaluate
from rankassay.metrics.judgements import Judgements, Lists

log = logging.getLogger(__name__)


def score(
    test: str,
    rankings: Mapping[str, str],
    evaluation: Mapping[str, Any],
    output: str,
    propensities: str | None = None,
    shard: Sequence[int] = (1, 1),
) -> None:
    """Save the values of all users by the measures of a shard; `rankings` are files by system."""
    measures = evaluation["measures"]
    chosen = Shard(*shard).of(len(measures))
    measures = measures[chosen.start : chosen.stop]
    weights = read_matrix(propensities) if propensities else None
    judgements = Judgements.of(read_matrix(test), evaluation["threshold"], weights)
    judgements.check_relevant()
    # Of each system only what the judgements see of it is kept.
    lists, depths = [], []
    for path in rankings.values():
        ranking = StoredRankings.load(path)
        lists.append(Lists.of(ranking, judgements))
        depths.append(ranking.depth)
    systems = np.array([*rankings])
    choices = (evaluation["profile"], min(depths), evaluation["without_relevant"])
    # Of large data some measures at a time: their values would be many times what they are made of.
    parts = (
        Scores(
            evaluate(judgements, lists, measures[own], *choices),
            judgements.users,
            systems,
            np.array(measures[own]),
        )
        for own in successive(measures, judgements.n_users * len(lists))
    )
    Scores.write(parts, np.array(measures), output)
    counted = (len(lists), judgements.n_users, len(measures))
    log.info("%d systems, %d users, %d measures", *counted)


def means(scores: str, aggregate: str, output: str) -> None:
    """Save one number for each measure and system: columns system, metric, cutoff, mean."""
    stored = StoredScores.load(scores)
    parts = [aggregates.aggregate(part.values, aggregate) for part in stored.parts()]
    table = np.concatenate(parts, axis=1)
    measures = [Measure.parse(str(measure)) for measure in stored.measures]
    rows = (
        {"system": system, "metric": measure.name, "cutoff": measure.cutoff, "mean": value}
        for measure, column in zip(measures, table.T, strict=True)
        for system, value in zip(stored.systems, column, strict=True)
    )
    write_table(pd.DataFrame(rows), output)
