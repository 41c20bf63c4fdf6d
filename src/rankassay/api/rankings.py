"""Rankings of anything: the correlation of two, and average ranks across datasets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from rankassay.answers.findings import average_ranks, groups
from rankassay.data import inputs
from rankassay.data.columns import of_values
from rankassay.data.sources import is_dictionary
from rankassay.declared.correlations import ALIASES, CORRELATIONS, OVERLAPS, PERSISTENCE
from rankassay.errors import RankassayError, has_code, one_of, shortened, written
from rankassay.lookup import load
from rankassay.statistics import across_datasets as across
from rankassay.statistics import small_differences
from rankassay.statistics.rank_biased_overlap import Overlap, rank_biased_overlap
from rankassay.statistics.rank_correlation import correlation as correlation_of
from rankassay.statistics.region import Region
from rankassay.types import Shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


@dataclass(frozen=True, repr=False)
class AcrossDatasets(Shown):
    """The result of `rankassay.across_datasets`.

    Attributes
    ----------
    ranks : Series
        The average ranks of the systems, the best first.
    chi2 : float
        Friedman's statistic, corrected for ties; NaN where all systems are equal.
    f, p : float
        The statistic of Iman and Davenport, and its p-value: are all systems alike?
    critical_difference : float
        Nemenyi's: how far two average ranks have to be apart.
    groups : list of lists of str
        The maximal sets of systems that do not differ significantly by it, which the diagram joins.
    pairs : DataFrame
        One row per pair of systems, the one with the better average rank as a: the columns of
        `rankassay.statistics.across_datasets.compared`.
    n_datasets : int
    """

    ranks: pd.Series
    chi2: float
    f: float
    p: float
    critical_difference: float
    groups: list[list[str]]
    pairs: pd.DataFrame = field(repr=False)
    n_datasets: int

    def plot(self) -> "Figure":
        """Draw the critical-difference diagram.

        A notebook shows the figure as it is. Raises RankassayError if matplotlib is not installed.
        """
        diagram = load("rankassay.drawing.comparison:diagram")
        from rankassay.drawing.style import in_notebooks  # on use: matplotlib is an extra

        places = groups(self.ranks.to_numpy(), self.critical_difference)
        return in_notebooks(diagram(self.ranks, self.critical_difference, places))


def across_datasets(
    table: pd.DataFrame,
    equivalence: float | str = "1%",
    alpha: float = 0.05,
    samples: int = 50_000,
    seed: int = 0,
    higher_is_better: bool = True,
) -> AcrossDatasets:
    """Test whether a system is better across datasets, by ranks and by a Bayesian test.

    Parameters
    ----------
    table : DataFrame (n_datasets, n_systems)
        The value of each system on each dataset by one metric, such as its mean nDCG@10.
    equivalence : float or str
        The region of practical equivalence: differences below it do not matter. A number is in the
        metric's unit; a percentage such as "1%" is of the better value on each dataset.
    alpha : float
        The level of Nemenyi's test.
    samples : int
        Draws of the Bayesian signed-rank test.
    seed : int
    higher_is_better : bool

    Returns
    -------
    AcrossDatasets
        Friedman's test with the correction of Iman and Davenport, Nemenyi's (Demsar, JMLR 7, 2006),
        and the Bayesian signed-rank test of all pairs (Benavoli et al., JMLR 18, 2017). They are
        defined in `rankassay.statistics.across_datasets`. The column `apart` of the pairs is true
        only with six datasets or more: with fewer, not even winning on all of them is significant
        by an exact sign test.

    Examples
    --------
    >>> import rankassay, numpy as np, pandas as pd
    >>> rng = np.random.default_rng(0)
    >>> table = pd.DataFrame(rng.random((10, 3)) / 5 + [0.3, 0.5, 0.45], columns=[*"xyz"])
    >>> found = rankassay.across_datasets(table)
    >>> found.ranks.to_dict(), round(found.p, 6), found.groups
    ({'y': 1.2, 'z': 1.9, 'x': 2.9}, 8e-06, [['y', 'z'], ['z', 'x']])
    >>> found.pairs[["system_a", "system_b", "wins", "p_nemenyi", "probably_a"]].round(3)
      system_a system_b  wins  p_nemenyi  probably_a
    0        y        z     8      0.261       0.984
    1        y        x    10      0.000       1.000
    2        z        x     9      0.065       1.000
    """
    table = inputs.frame("table", table)
    values = of_values("table", table, "dataset")
    higher_is_better = inputs.flag("higher_is_better", higher_is_better)
    alpha, seed = inputs.level("alpha", alpha), inputs.whole("seed", seed)
    samples, region = inputs.whole("samples", samples, 1), Region.of(equivalence)
    names = [*map(written, table.columns)]
    if min(values.shape) < 2 or len({*names}) < len(names) or not all(map(has_code, names)):
        raise RankassayError(
            "table: expected a row for each dataset and a column for each system, two or more of "
            f"both with distinct names; found {values.shape[0]} rows and {values.shape[1]} columns."
        )
    if np.isnan(values).any():
        row, column = np.argwhere(np.isnan(values))[0]
        raise RankassayError(
            f"table: expected a value of every system on every dataset, found none of "
            f"'{names[column]}' on '{written(table.index[row])}'; drop that row or column."
        )
    better = values if higher_is_better else -values
    if not inputs.is_whole(table):  # what rounding leaves of equal values is no rank
        better = small_differences.joined(better)
    test = across.friedman(better)
    pairs = across.compared(better, names, region, alpha, samples, seed)
    critical = across.critical_difference(*values.shape, alpha)
    ranks = average_ranks(pairs)
    places = groups(ranks.to_numpy(), critical)
    joined = [[*ranks.index[first : last + 1]] for first, last in places]
    return AcrossDatasets(ranks, test.chi2, test.f, test.p, critical, joined, pairs, len(values))
