"""Analysis: does the order of the systems stay without a part of the users or judgements?"""

from collections.abc import Iterable, Sequence
from typing import Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd

from assayer.metrics.beyond.sums import Sums
from assayer.statistics.incomplete import random_parts, unpopular_parts
from assayer.statistics.popularity import popularity as popularity_of
from assayer.statistics.rank_correlation import tau_b
from assayer.statistics.set_measures import parts_of_users
from assayer.studies.beyond.systems import Asked, Names, Systems, ordered
from assayer.types import Floats

COLUMNS = ["metric", "cutoff", "removed", "level", "samples", "undefined", "tau"]


def robustness(
    evaluation: dict,
    seed: int,
    *,
    users: Sequence[float],
    sparsity: Sequence[float],
    popularity: Sequence[float],
    samples: int,
    **asked: Unpack[Asked],
) -> pd.DataFrame:
    """Correlate the order of the systems on a part with that on the whole.

    The settings are those of `assayer.studies.beyond.settings.Robustness`. Three things are taken
    away: users with their lists and test ratings, at random ("users"); test ratings at random
    ("sparsity"), and those of the items with the most training ratings ("popularity"), as in the
    study of robustness. Test ratings change only what reads them: of other metrics there are no
    rows of the last two.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, removed (users, sparsity or popularity), level (the percentage that
        is left; of popularity, of the items), samples, undefined (samples without a correlation, as
        one side ties all systems), tau (the mean of Kendall's tau-b over the others, NaN if there
        is none) and systems (how many there are).
    """
    systems = Systems.of(evaluation, **asked)
    names, n_users = systems.names, systems.n_users
    everybody = np.ones((1, n_users))
    # Bytes, of which users have many: they are numbers where they are used.
    weights = {level: parts_of_users(n_users, level, samples, seed) for level in users}
    weights = {level: own.astype(np.uint8) for level, own in weights.items()}
    [reference], *orders = _orders(systems.by_system(), [everybody, *weights.values()], names)
    rows = []
    for level, own in zip(weights, orders, strict=True):
        rows += _rows(names, "users", level, [tau_b(order, reference) for order in own])
    judging = systems.judging()
    own = reference[[names.index(name) for name in judging]]
    start, item = systems.accuracy.judgements.start, systems.accuracy.item
    removed = {
        "sparsity": random_parts(start, sparsity, samples, seed),
        "popularity": unpopular_parts(item, popularity_of(asked["train"]), popularity, "items"),
    }
    for what, parts in removed.items():
        for level, masks in parts.items():
            taus = []
            for keep in masks:
                [[order]] = _orders(systems.by_system(keep, judging), [everybody], judging)
                taus.append(tau_b(order, own))
            rows += _rows(judging, what, level, taus)
    # Where a job's share has no metric there are no rows.
    return pd.DataFrame(rows, columns=COLUMNS).assign(systems=len(asked["rankings"]))


def _orders(
    systems: Iterable[Iterable[Sums]], weightings: Sequence[npt.NDArray], names: Names
) -> list[Floats]:
    """Return the values that order the systems under each of some weightings of the users.

    Of (n_weights, n_users) weights they are float64 (n_weights, n_measures, n_systems). Systems are
    weighed one after the other, so that the sums of all of them are never there together.
    """
    found: list[list[Floats]] = [[] for _ in weightings]
    for measures in systems:
        values = [[measure.of(weights) for weights in weightings] for measure in measures]
        for place, own in enumerate(found):
            own.append(np.array([each[place] for each in values]))
    n_users = weightings[0].shape[1]
    return [ordered(np.array(own).T, names, n_users) for own in found]


def _rows(names: Names, what: str, level: float, taus: Iterable[Floats]) -> list[dict]:
    taus = np.array([*taus])
    rows = []
    for (metric, cutoff), own in zip(names, taus.T, strict=True):
        known = own[~np.isnan(own)]
        rows.append(
            {
                "metric": metric,
                "cutoff": cutoff,
                "removed": what,
                "level": level,
                "samples": len(own),
                "undefined": len(own) - len(known),
                "tau": known.mean() if len(known) else np.nan,
            }
        )
    return rows
