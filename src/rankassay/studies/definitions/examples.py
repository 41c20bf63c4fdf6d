"""The worked example of a blog post on metrics: its printed tables compared with our metrics.

"Evaluation metrics for recommender systems", a blog post of 2017, computes each metric for five
users by hand; its eight tables of values (sections 1.4, 2.4, 3.4, 4.4, 5.4 and 6.3) are the test of
anything that claims to use its definitions, the profile `blog`.
"""

import numpy as np
import pandas as pd

from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.types import Floats

# The relevant items of each user, and the items that are recommended.
USERS = (
    ((1, 2, 3, 4, 5, 6), (1, 6, 8)),
    ((2, 4, 6), (1, 2, 3, 4, 5)),
    ((2, 4, 6), ()),
    ((), (1, 2, 3, 4)),
    ((), ()),
)
PROFILE = "blog"
MEAN = "mean"
# The post cuts some values after three decimals (2/3 is .666) and rounds others.
PRINTED = 0.001


def examples(examples: pd.DataFrame) -> pd.DataFrame:
    """Compute every cell of the post's tables.

    `examples` are the printed cells: columns section, quantity (a metric, or IDCG), cutoff, user (1
    to 5, or mean), printed (as text) and value (its number, empty for NaN and for no value). The
    result is the same with the columns measured, difference (measured less the printed value) and
    agrees (whether they are nearer than 0.001, or both are no number).
    """
    found = []
    for quantity, cutoff in zip(examples["quantity"], examples["cutoff"], strict=True):
        own = _ideal(cutoff) if quantity == "IDCG" else _values(f"{quantity}@{cutoff}")
        users = {str(number): value for number, value in enumerate(own, start=1)}
        found.append(users | {MEAN: aggregate(own)})
    measured = np.array([own[str(user)] for own, user in zip(found, examples["user"], strict=True)])
    printed = examples["value"].to_numpy(np.float64)
    # The post leaves the means of DCG and IDCG out.
    measured[(examples["printed"] == "-").to_numpy()] = np.nan
    difference = measured - printed
    agrees = (np.abs(difference) < PRINTED) | (np.isnan(measured) & np.isnan(printed))
    return examples.assign(measured=measured, difference=difference, agrees=agrees.astype(int))


def _values(measure: str) -> Floats:
    """Return a measure of each user of the example, float64 (5,)."""
    judgements, lists = _example()
    return evaluate(judgements, [lists], [measure], PROFILE)[:, 0, 0]


def _ideal(cutoff: int) -> Floats:
    """Return the DCG that the first items of each list would have in their best order.

    The cut-off comes before the sorting, as the post's normalisation has it.
    """
    dcg, ndcg = _values(f"DCG@{cutoff}"), _values(f"nDCG@{cutoff}")
    return np.divide(dcg, ndcg, out=np.where(np.isnan(dcg), np.nan, 0.0), where=ndcg > 0)


def _example() -> tuple[Judgements, Lists]:
    """Return the example's judgements, all relevant at a threshold of 1, and its lists."""
    count = [len(labels) for labels, _ in USERS]
    ranks = [
        predictions.index(item) + 1 if item in predictions else 0
        for labels, predictions in USERS
        for item in labels
    ]
    judgements = Judgements(
        np.arange(len(USERS), dtype=np.int32),
        np.cumsum([0, *count]).astype(np.int64),
        np.ones(sum(count)),
        1.0,
    )
    length = np.array([len(predictions) for _, predictions in USERS], dtype=np.int32)
    return judgements, Lists(np.array(ranks, dtype=np.int32), length)
