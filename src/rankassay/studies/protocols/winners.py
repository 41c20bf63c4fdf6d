"""Which system wins under each protocol, and is another winner more than chance?"""

import numpy as np
import pandas as pd

from rankassay.artifacts.replicate import Replicate
from rankassay.statistics.orders import settled
from rankassay.studies.protocols.replicate_means import ReplicateMeans
from rankassay.types import Booleans

SURE = 0.95  # the share of resamples in which the reference's winner must lose


def run(
    replicates: list[Replicate], evaluation: dict, seed: int, *, resamples: int
) -> pd.DataFrame:
    """Return the winner under each protocol by each measure.

    Systems are compared by their means over the replicates of a protocol; under metrics where lower
    is better, the lowest mean wins. The reference is the first protocol.

    Returns
    -------
    DataFrame
        The columns metric, cutoff, protocol; winner, all with the highest mean, joined by ", ";
        second, those with the next mean, empty if all are winners; in_replicates, in what share of
        the replicates one of the winners has the highest mean; in_resamples, the same of resamples
        of the users (empty without any); reference_winner, the one under the reference; its place
        here (the best one's, from 1); changed, whether none of the winners is a winner under the
        reference; behind, in what share of the resamples all winners under the reference are below
        the best here; beyond_luck, whether it changed and that share is at least .95.
    """
    found = ReplicateMeans.of(replicates, evaluation["aggregate"], resamples, seed)
    n_users = max(len(own.user_ids) for own in replicates)
    values = found.better
    systems = np.array(found.systems)
    rows = []
    # By protocol, float64 (1 + n_resamples, n_measures, n_systems).
    over = [settled(values[:, :, own].mean(axis=2), n_users) for own in found.members]
    wins = [*map(_wins, over)]
    for m, (metric, cutoff) in enumerate(found.names):
        reference = wins[0][0, m]
        for p, own in enumerate(found.members):
            means, best, drawn = over[p][0, m], wins[p][0, m], wins[p][1:, m]
            below = means[~best]
            second = means == below.max() if len(below) else np.zeros(len(means), bool)
            changed = not (best & reference).any()
            behind = float((~(drawn & reference).any(axis=1)).mean()) if resamples else np.nan
            rows.append(
                {
                    "metric": metric,
                    "cutoff": cutoff,
                    "protocol": found.protocols[p].protocol,
                    "winner": ", ".join(systems[best]),
                    "second": ", ".join(systems[second]),
                    "in_replicates": (_wins(values[0, m, own]) & best).any(axis=1).mean(),
                    "in_resamples": (drawn & best).any(axis=1).mean() if resamples else np.nan,
                    "reference_winner": ", ".join(systems[reference]),
                    "place": 1 + int((means > means[reference].max()).sum()),
                    "changed": changed,
                    "behind": behind,
                    "beyond_luck": changed and behind >= SURE,
                }
            )
    return pd.DataFrame(rows)


def _wins(means: np.ndarray) -> Booleans:
    """Return which systems have the highest mean, bool (..., n_systems)."""
    return means == means.max(axis=-1, keepdims=True)
