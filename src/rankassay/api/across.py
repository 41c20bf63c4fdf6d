"""Systems compared across datasets, for users of Python."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from rankassay.answers.average_ranks import average_ranks, groups
from rankassay.api.results import in_notebooks
from rankassay.data import inputs
from rankassay.data.doubts import of_values
from rankassay.errors import RankassayError, has_code, written
from rankassay.lookup import load
from rankassay.statistics import across_datasets as across
from rankassay.statistics import small_differences
from rankassay.statistics.region import Region
from rankassay.types import Shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
        diagram = load("rankassay.drawing.critical_difference:diagram")
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
