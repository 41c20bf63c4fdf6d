"""Rank correlations of two rankings of anything: systems, items, metrics."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from rankassay.data import inputs
from rankassay.data.sources import is_dictionary
from rankassay.declared.correlations import ALIASES, CORRELATIONS, OVERLAPS, PERSISTENCE
from rankassay.errors import RankassayError, one_of, shortened, written
from rankassay.statistics.rank_biased_overlap import Overlap, rank_biased_overlap
from rankassay.statistics.rank_correlation import correlation as correlation_of

PARTS = tuple(Overlap.__annotations__)
ARRAYS = 8  # of n x n numbers, at a time

Scores = Mapping | pd.Series


def rank_correlation(
    a: Scores,
    b: Scores,
    correlation: str = "tau_b",
    *,
    persistence: float = PERSISTENCE,
    part: str = "extrapolated",
) -> float:
    """Return the rank correlation of two rankings, which may have ties.

    Parameters
    ----------
    a, b : Series or dict
        Scores by name, the higher the better; equal scores are ties. Rank-biased overlap takes
        sides with different names, the beginnings of longer orders, and all others the same names.
    correlation : str
        "tau_b", Kendall's, also "kendall"; "tau_ap", AP correlation, which weighs the top most and
        takes b as the reference; "tau_ap_b", the same of both directions and with ties;
        "spearman"; and rank-biased overlap with the `persistence` p: "rbo" ("rbo_w"), whose tied
        names are equal, "rbo_a", the mean over all orders of tied names (of sides with the same
        names), and "rbo_b", corrected for ties.
    persistence : float
    part : {"extrapolated", "least", "greatest"}
        Of rank-biased overlap: as if both orders went on as they began, or the bounds over all ways
        in which they could go on.

    Returns
    -------
    float
        From -1 to 1, or from 0 to 1 for overlap. NaN where one side ties all names, so that it has
        no order to compare; overlap has a value there, too.

    Notes
    -----
    `rankassay.statistics.rank_correlation` and `rankassay.statistics.rank_biased_overlap` have the
    formulas and their sources.

    Examples
    --------
    >>> import rankassay
    >>> mine, theirs = {"x": 3, "y": 2, "z": 1}, {"x": 2, "y": 3, "z": 1}
    >>> round(rankassay.rank_correlation(mine, theirs), 3)
    0.333
    >>> round(rankassay.rank_correlation(mine, theirs, "rbo"), 3)
    0.9
    """
    one_of("rank correlation", correlation, [*CORRELATIONS, *ALIASES])
    one_of("part", part, PARTS)
    persistence = inputs.number("persistence", persistence, 0, 1)
    correlation = ALIASES.get(correlation, correlation)
    x, y = _scores("a", a), _scores("b", b)
    every = [*dict.fromkeys([*x, *y])]
    inputs.check_memory("the names", ARRAYS * len(every) ** 2, 8)
    first, second = (np.array([side.get(name, np.nan) for name in every]) for side in (x, y))
    same = len(every) == len(x) == len(y)
    if correlation in OVERLAPS:
        return getattr(rank_biased_overlap(first, second, correlation, persistence), part)
    if not same:
        lacking, name = next(
            (side, name) for name in every for side, own in (("a", x), ("b", y)) if name not in own
        )
        raise RankassayError(
            f"{correlation} compares orders of the same names: {lacking} lacks {written(name)}; "
            "leave it out, or take rbo, rbo_a or rbo_b."
        )
    if part != "extrapolated":
        raise RankassayError(f"{correlation} has no part {part}; rbo, rbo_a and rbo_b have.")
    return float(correlation_of(correlation)(first, second))


def _scores(side: str, given: object) -> dict:
    """Return finite scores by name."""
    if isinstance(given, pd.Series):
        if not given.index.is_unique:
            twice = given.index[given.index.duplicated()][0]
            raise RankassayError(f"{side}: expected each name once, found {written(twice)} twice.")
        given = dict(zip(given.index.tolist(), given.tolist(), strict=True))
    if not is_dictionary(given) or not given:
        raise RankassayError(
            f"{side}: expected scores by name, a Series or a dict with at least one, found "
            f"{shortened(given)}."
        )
    return {name: inputs.number(f"{side}, {written(name)}", x) for name, x in given.items()}
