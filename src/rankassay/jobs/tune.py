"""Job: score one point of a recommender's grid on a part of the training ratings."""

import logging
import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from rankassay.artifacts.arrays import read_held_out, read_matrix
from rankassay.artifacts.tables import write_table
from rankassay.data.feedback import binary
from rankassay.data.parts import split
from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.evaluate import Measure, evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.folding import of_users
from rankassay.recommenders.rank import rank

log = logging.getLogger(__name__)


def tune(
    train: str,
    output: str,
    method: str,
    settings: Mapping[str, Any],
    seed: int,
    depth: int,
    candidates: str,
    measure: str,
    profile: str,
    threshold: float,
    test_fraction: float,
    rounding: str,
    relevant: float | None = None,
) -> None:
    """Split, fit, rank, evaluate and save the mean over users.

    A point that the data cannot take, such as more factors than items, is a row without a score
    and with the reason: the other points of the grid are still worth comparing.
    """
    known = read_matrix(train)
    held_out = read_held_out(train)
    if held_out is not None:
        known = of_users(known, ~held_out)
    training, validation = split(known, test_fraction, rounding, seed)
    if relevant is not None:
        validation = binary(validation, relevant)
    judgements = Judgements.of(validation, threshold)
    judgements.check_relevant()
    depth = Measure.parse(measure).cutoff or depth
    model = load(recommender(method))(**settings)
    row = {"measure": measure, "score": math.nan, "error": ""}
    try:
        model = model.fit(training, seed)
        rankings = rank(model, training, validation, depth, candidates)
    except RankassayError as error:
        row["error"] = str(error)
        log.warning("warning: no score, this point is left out: %s", error)
    else:
        lists = [Lists.of(rankings, judgements)]
        values = evaluate(judgements, lists, [measure], profile, depth)
        row["score"] = float(aggregate(values[:, 0, 0]))
        log.info("%s %.4f", Measure.parse(measure), row["score"])
    write_table(pd.DataFrame([row]), output)
