"""Analysis: does the method of ranking systems by preferences between pairs matter?"""

import itertools
from typing import Unpack

import numpy as np
import pandas as pd

from rankassay.statistics.pairwise_orders import ORDERS, circular_triads, order
from rankassay.statistics.rank_correlation import tau_b
from rankassay.studies.preferences.systems import Asked, Compared
from rankassay.types import Booleans, Floats

COLUMNS = ["metric", "cutoff", "method", "tau", "winner", "circular"]


def aggregation(evaluation: dict, **asked: Unpack[Asked]) -> pd.DataFrame:
    """Correlate the rankings of `rankassay.statistics.pairwise_orders` with that by means.

    The settings are those of `rankassay.studies.preferences.study.Aggregation`.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, method (one of `rankassay.statistics.pairwise_orders.ORDERS`), tau
        (Kendall's tau-b with the order by mean preferences, NaN where one side ties all systems),
        winner (the systems that come first, between commas), circular (triples of systems each of
        which most users prefer to the next; the same for all methods) and systems (how many there
        are). No row without users.
    """
    systems = Compared.of(evaluation, **asked)
    titles = np.array([*asked["rankings"]])
    rows = []
    ordered = itertools.starmap(_ordered, systems.pairs())
    for (metric, cutoff), (scores, circular) in zip(systems.names, ordered, strict=True):
        for how, found in scores.items():
            tau = float(tau_b(found, scores["mean"]))
            best = ", ".join(titles[found == found.max()])
            rows.append(
                {"metric": metric, "cutoff": cutoff, "method": how, "tau": tau}
                | {"winner": best, "circular": circular}
            )
    return pd.DataFrame(rows, columns=COLUMNS).assign(systems=len(titles))


def _ordered(preferences: Floats, tied: Booleans) -> tuple[dict[str, Floats], int]:
    """Return the systems' scores by each method, none without users, and `circular_triads`.

    The preferences, (n_users, n_pairs), are written to: ties are 0.
    """
    if np.isnan(preferences).all():
        return {}, 0
    preferences[tied] = 0.0
    return {how: order(preferences, how) for how in ORDERS}, circular_triads(preferences)
