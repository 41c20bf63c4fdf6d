"""Analysis: is the ranking robust to missing users or judgements?"""

from collections.abc import Iterator, Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from rankassay.artifacts.shards import grouped
from rankassay.statistics import popularity as popular
from rankassay.statistics import sparsity as sparse
from rankassay.statistics.incomplete import correlations_table
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.set_measures import parts_of_users
from rankassay.studies.beyond.systems import Asked, Systems, ordered
from rankassay.types import Floats

COLUMNS = ["metric", "cutoff", "removed", "level", "samples", "undefined", "tau"]
COLUMNS += ["low", "high", "standard_error", "correlation"]


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
    """Correlate the ranking of systems on a part with that on the whole.

    The settings are those of `rankassay.studies.beyond.study.Robustness`. Three things are taken
    away: users with their lists and test ratings, at random ("users"); test ratings at random
    ("sparsity"), and those of the items with the most training ratings ("popularity"), as in the
    study of robustness. Test ratings change only what reads them: of other metrics there are no
    rows of the last two.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, removed (users, sparsity or popularity), level (the percentage that
        is left; of popularity, of the items), those of `rankassay.statistics.sparsity.run`, of
        which low, high and standard_error are empty where nothing is drawn at random, and systems
        (how many there are). low and high are over the random parts: resampling users would mean to
        compute each measure of all users, such as the coverage of a catalogue, again for every
        part.
    """
    systems = Systems.of(evaluation, **asked)
    judging, number = systems.judging(), np.bincount(asked["train"].indices)
    number = np.pad(number, (0, asked["train"].shape[1] - len(number)))
    by_users = _without_users(systems, users, samples, seed)
    found = {
        "users": correlations_table(systems.measures, "level", by_users, sparse.over_samples),
        "sparsity": sparse.robustness(judging, sparsity, samples, seed),
        "popularity": popular.robustness(judging, number, popularity, seed),
    }
    parts = []
    for removed, own in found.items():
        table = own.table.rename(columns={"percentage": "level"})
        if len(table):  # by the levels, which jobs share
            table = table.iloc[grouped(table["level"].tolist())]
        if removed == "popularity":
            table = table.assign(samples=1)
        parts.append(table.assign(removed=removed).reindex(columns=COLUMNS))
    # Those of a job's share: whole numbers stay such only among tables with rows.
    parts = [part for part in parts if len(part)] or parts[:1]
    return pd.concat(parts, ignore_index=True).assign(systems=systems.n_systems)


def _without_users(
    systems: Systems, levels: Sequence[float], samples: int, seed: int
) -> Iterator[tuple[float, Floats]]:
    """Yield by level the input of `correlations_table`, for parts of the users."""
    whole = systems.means()[0]
    for level in levels:
        weights = parts_of_users(systems.n_users, level, samples, seed)
        values = [[own.of(weights) for own in measures] for measures in systems.by_system()]
        orders = ordered(np.array(values).T, systems.names, systems.n_users)
        yield level, tau_b(orders, whole)[:, None, :, None]
