"""Analysis: which systems are identical, so that no metric can find a difference between them?"""

from collections.abc import Mapping

import pandas as pd

from rankassay.artifacts.arrays import Rankings, Scores
from rankassay.statistics.significance import named, placed, same_lists, same_values


def run(scores: Scores, rankings: Mapping[str, Rankings] | None = None) -> pd.DataFrame:
    """Name the pairs of systems with the same value for every user under every measure.

    Systems whose lists are the same are two names of one; those whose lists differ recommend the
    same judged items, or equally good ones. `rankings` are None where values were computed by
    others.

    Returns
    -------
    DataFrame
        Columns system_a and system_b, in the order of the systems, and lists (whether they
        recommend the same lists, too; empty where there are none). No rows without such pairs.
    """
    same = same_values(part.values for part in scores.parts())
    pairs = named(scores.systems, same)
    if rankings is None:
        return pairs.assign(lists=pd.array([pd.NA] * len(pairs), dtype="boolean"))
    alike = placed(scores.systems, named(rankings, same_lists(rankings)))
    return pairs.assign(lists=pd.array(alike[same], dtype="boolean"))
