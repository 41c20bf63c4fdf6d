"""Comparing runs for users of Python: which differences between systems are more than chance?"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from rankassay.answers.identical import groups
from rankassay.api.definitions import ATTRIBUTE
from rankassay.api.evaluate import OneRun, by_run, evaluated
from rankassay.api.reading import DEFAULT, NItems
from rankassay.data import inputs
from rankassay.data.frames import Qrels, Ties
from rankassay.data.sources import Paths, QrelsSource, check_several
from rankassay.drawing.comparison_table import comparison_table, verdict
from rankassay.drawing.text import Printed, latex, markdown, plain
from rankassay.errors import RankassayError, listed, number_of, one_of, written
from rankassay.lookup import load
from rankassay.metrics.judgements import Judgements
from rankassay.statistics.identical import named, same_values
from rankassay.statistics.paired import CORRECTIONS, compared
from rankassay.statistics.region import Region
from rankassay.statistics.significance import TESTS
from rankassay.types import Shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

log = logging.getLogger(__name__)


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """The result of `rankassay.compare`.

    Attributes
    ----------
    means : DataFrame
        One row per metric and run, in the order given: metric; run; letter, by which tables refer
        to the run; mean; low and high, its interval; rank, 1 for the best mean; and beats, the
        letters of the runs that it beats significantly.
    pairs : DataFrame
        One row per metric and pair of runs, the one with the better mean as run_a: metric; run_a;
        run_b; difference (of the means, a minus b, over the users who have both values); low and
        high, its interval; p_value; corrected; correction, the method of that; significant, if
        corrected is below alpha; d_z, Cohen's effect size of paired values; superiority, the
        share of users who are better off with run_a, where ties count half; and n_users. With
        `equivalence` also region, the e that it is for the pair; p_equivalence, the p-value of the
        difference lying between -e and e; and equivalent, if that, corrected, is below alpha.
    values : DataFrame
        Every user's values: the columns run, user and the metrics.
    definitions : dict
        By which definitions all this was made: those of `rankassay.evaluate`, and test,
        n_permutations, seed, correction, alpha, confidence and equivalence.
    """

    means: pd.DataFrame
    pairs: pd.DataFrame
    values: pd.DataFrame
    definitions: dict[str, Any]

    def plot(self) -> "Figure":
        """Draw the means with their intervals, a panel for each metric.

        Hollow markers are runs that another run beats significantly, and the letters at the right
        name the runs that a run beats. A notebook shows the figure as it is. Raises RankassayError
        if matplotlib is not installed.
        """
        comparison = load("rankassay.drawing.comparison:comparison")
        from rankassay.drawing.style import in_notebooks  # on use: matplotlib is an extra

        return in_notebooks(comparison(self.means, self.definitions["confidence"]))

    def to_latex(
        self, label: str = "comparison", digits: int = 4, baseline: str | None = None
    ) -> str:
        """Return the means as a LaTeX table, with letters for the runs that each one beats.

        With a run as `baseline`, † stands for those that beat it, and ‡ for those that it beats.
        The best mean of a metric is bold. The table needs the package booktabs, and is referred to
        as `tab:<label>`. Raises RankassayError for a label that LaTeX cannot refer to.
        """
        return latex(self._printed(digits, baseline), inputs.text("label", label))

    def to_markdown(self, digits: int = 4, baseline: str | None = None) -> str:
        """Return the means as a Markdown table; marks are those of `to_latex`."""
        return markdown(self._printed(digits, baseline))

    _repr_markdown_ = to_markdown  # what notebooks show

    def __str__(self) -> str:
        """Return the finding under each metric in a sentence, and the means as text."""
        pairs = dict([*self.pairs.groupby("metric", sort=False)])
        by_metric, alpha = self.means.groupby("metric", sort=False), self.definitions["alpha"]
        said = [verdict(own, pairs[metric], alpha) for metric, own in by_metric]
        return "\n".join([*said, "", plain(self._printed(4, None, "Letters in brackets"))]).rstrip()

    def _printed(
        self, digits: int, baseline: str | None, letters: str = "Raised letters"
    ) -> Printed:
        digits = inputs.whole("digits", digits, 0, 15)
        if baseline is not None:
            named = {str(name): name for name in self.means["run"].unique()}  # maybe by numbers
            if isinstance(baseline, int | float):  # pandas made 2.0 of 2, next to 0.5
                baseline = next((n for n, own in named.items() if own == baseline), baseline)
            one_of("baseline", written(baseline), named)
            baseline = named[written(baseline)]
        tables = self.means, self.pairs, self.definitions
        return comparison_table(*tables, digits, baseline, letters)


def compare(
    qrels: QrelsSource | Qrels | Judgements,
    runs: Mapping[str, OneRun] | Paths,
    metrics: str | Sequence[str] = DEFAULT,
    profile: str = "paper",
    threshold: float | None = None,
    *,
    test: str = "permutation",
    n_permutations: int = 100_000,
    seed: int = 0,
    correction: str = "max-t",
    alpha: float = 0.05,
    confidence: float = 0.95,
    equivalence: float | str | None = None,
    without_relevant: str | None = None,
    ties: Ties | None = None,
    depth: int | None = None,
    n_items: NItems = None,
    unequal_depths: bool = False,
) -> Comparison:
    """Evaluate two or more runs, and test for all pairs whether their difference could be chance.

    All users with judgements count, and those without a list mostly score 0. A user without a value
    by a metric takes no part in its tests.

    Parameters
    ----------
    qrels, metrics, profile, threshold, without_relevant, ties, depth, n_items
        As in `rankassay.evaluate`.
    runs : mapping from names to runs, or list of paths
        Two at least; each as a run of `rankassay.evaluate`, in any of its forms.
    test : {"permutation", "bootstrap", "t", "wilcoxon", "sign"}
        See `rankassay.statistics.significance`. Permutations exchange each user's two scores at
        random (Fisher's randomisation test).
    n_permutations : int
        Permutations, or resamples of the bootstrap.
    seed : int
        Of permutations and of intervals.
    correction : {"max-t", "holm", "benjamini-hochberg", "none"}
        For the number of pairs of runs, by each metric on its own. max-t compares with the largest
        standardised difference of any pair in the same permutations (Westfall and Young, 1993), and
        controls the chance of any false rejection, as Holm's does. Holm's takes its place for the
        tests t, wilcoxon and sign, and where runs differ in which users have a value: no joint
        distribution of the pairs is then known. The column `correction` names the method.
    alpha : float
        Pairs whose corrected p-value is below are called significant.
    confidence : float
        The level of the percentile bootstrap intervals over users, which hold for one mean or
        difference each.
    equivalence : float, str or None
        Below which difference two runs count as equal: e itself, or a percentage of the better
        run's mean, such as "1%". Two one-sided t tests (TOST) then show for which pairs that holds;
        they also show that run_b is worse than run_a by less than e. These p-values are corrected
        as the others, with Holm's in the place of max-t.
    unequal_depths : bool
        Whether runs are compared at cut-offs that lie below the longest list of some of them. As
        this is unfair to the shorter ones, all runs are cut to the depth that they have in common,
        and so are cut-offs: of runs of 50 and 100 items, nDCG@100 becomes nDCG@50. A warning says
        so.

    Returns
    -------
    Comparison
        Frames of means and pairs, which `plot()`, `to_latex()` and `to_markdown()` show. Cohen's
        effect size of paired values is ::

            d_z = mean(d) / sd(d),  d = the users' differences, sd with n - 1

        (Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, section 2.3.5); the
        others are defined in `rankassay.statistics.effect_sizes`. A warning names runs with the
        same value for every user under all metrics, such as copies of one file.

    Examples
    --------
    >>> import rankassay, numpy as np
    >>> rng = np.random.default_rng(0)
    >>> ratings = rng.integers(1, 6, size=(40, 30))
    >>> qrels = {u: dict(enumerate(own)) for u, own in enumerate(ratings.tolist())}
    >>> runs = {
    ...     name: np.argsort(noise * rng.normal(size=ratings.shape) - ratings)[:, :10]
    ...     for name, noise in {"sharp": 2, "fair": 2.5, "poor": 4}.items()
    ... }
    >>> found = rankassay.compare(qrels, runs, "P@10", n_permutations=2000)
    >>> found.pairs[["run_a", "run_b", "difference", "low", "high", "corrected", "d_z"]].round(3)
       run_a run_b  difference    low   high  corrected    d_z
    0  sharp  fair        0.04 -0.015  0.093      0.357  0.228
    1  sharp  poor        0.10  0.048  0.153      0.002  0.585
    2   fair  poor        0.06  0.002  0.118      0.149  0.317
    >>> print(found.to_markdown().partition("Raised")[0].strip())
    Means by run; the best ones are bold.
    <BLANKLINE>
    |     | Run   |                   P@10 |
    | --- | ----- | ---------------------: |
    | a   | sharp | **0.7000**<sup>c</sup> |
    | b   | fair  |                 0.6600 |
    | c   | poor  |                 0.6000 |
    """
    metrics = inputs.names("metrics", metrics)
    if len({*metrics}) < len(metrics):
        raise RankassayError(f"metrics: expected distinct names, found {', '.join(metrics)}.")
    seed = inputs.whole("seed", seed)
    n_permutations = inputs.whole("n_permutations", n_permutations, 1)
    alpha, confidence = inputs.number("alpha", alpha, 0, 1), inputs.level("confidence", confidence)
    region = None if equivalence is None else Region.of(equivalence)
    one_of("test", test, TESTS)
    one_of("correction", correction, CORRECTIONS)
    runs = check_several(runs)
    users, metrics = evaluated(
        qrels,
        runs,
        metrics,
        profile,
        threshold,
        unequal_depths=unequal_depths,
        without_relevant=without_relevant,
        ties=ties,
        depth=depth,
        n_items=n_items,
    )
    names = [*runs]
    values = by_run(users, metrics)
    if len(values) < 2:
        raise RankassayError(
            "qrels: expected two users or more, found one: no difference can be tested."
        )
    how = {"test": test, "n_permutations": n_permutations, "seed": seed, "correction": correction}
    how |= {"alpha": alpha, "confidence": confidence}
    for alike in groups(named(names, same_values([values]))):
        log.warning("warning: %s", _identical(alike, len(metrics)))
    means, pairs = compared(values, names, metrics, **how, equivalence=region)
    # The correction in place of max-t in other tests, and for metrics under which users lack
    # values.
    how["correction"] = " and ".join(pairs["correction"].unique())
    definitions = users.attrs[ATTRIBUTE] | how | {"equivalence": equivalence, "aggregate": "mean"}
    return Comparison(means, pairs, users, definitions)


def _identical(names: Sequence[str], n_metrics: int) -> str:
    """Return the sentence that runs have the same values for every user under all metrics."""
    under = "the metric" if n_metrics == 1 else f"all {number_of(n_metrics, 'metric')}"
    pairs = "this pair has" if len(names) == 2 else "these pairs have"
    return (
        f"{listed(names)} have the same value for every user under {under}, so {pairs} p = 1; "
        "check that they are different runs."
    )
