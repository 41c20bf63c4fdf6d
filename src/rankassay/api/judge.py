"""The answer in one call: which measure to report on these data, why, and what to do next.

A module of that name would hide the function `rankassay.judge`.
"""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from rankassay import __version__
from rankassay.advice import words, words_evidence
from rankassay.advice.advise import advise
from rankassay.advice.findings import Findings
from rankassay.advice.given import Settings
from rankassay.advice.truth import YARDSTICKS
from rankassay.api import judge_inputs
from rankassay.api.judge_truth import read_outcomes
from rankassay.api.reading import GREATEST, ONE_MEASURE, PropensitySource, asked
from rankassay.artifacts.files import write_lines
from rankassay.data import inputs
from rankassay.data.frames import Qrels, Ties
from rankassay.data.sources import QrelsSource, RunSource
from rankassay.data.truth_source import OutcomeSource
from rankassay.drawing.text import latex
from rankassay.errors import RankassayError, one_of, shortened
from rankassay.lookup import load
from rankassay.statistics.sensitivity import DEFAULT_GAMMA
from rankassay.types import Shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE = "rankassay.report.advice_page:{}"


@dataclass(frozen=True, repr=False)
class Advice(Shown):
    """The result of `rankassay.judge`; printed or in a console, it is the answer on one screen.

    Attributes
    ----------
    findings : Findings
        All that was found: `rankassay.advice.findings` names its tables and their columns.
    propensities : Series, frame or None
        What `rankassay.evaluate` needs for a weighted measure, by item, or by user and item; None
        where no measure can be weighted.
    """

    findings: Findings
    propensities: pd.Series | pd.DataFrame | None = None

    @property
    def recommendation(self) -> dict[str, Any]:
        """What to report: measure, conventional, written, avoid and more.

        The keys are those of `rankassay.advice.findings.Findings`; measures are in a form that
        `rankassay.evaluate` takes. Where two yardsticks of a truth choose differently, it is the
        first, and `recommendations` has both.
        """
        return self.recommendations[0]

    @property
    def recommendations(self) -> list[dict[str, Any]]:
        """What to report, for each yardstick where these choose differently."""
        return self.findings.recommendation

    @property
    def table(self) -> pd.DataFrame:
        """The measures: what they are worth in simulations, and how they rank the runs."""
        return self.findings.measures.set_index("measure")

    @property
    def systems(self) -> pd.DataFrame:
        """The systems from best to worst under the recommended measure."""
        return self.findings.systems.set_index("system")

    @property
    def pairs(self) -> pd.DataFrame:
        """The pairs of runs: how much they differ, and whether one may write it."""
        return self.findings.pairs

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as values for JSON; `schema` is the version of its form."""
        return self.findings.to_dict(__version__)

    @cached_property
    def _dict(self) -> dict[str, Any]:
        return self.to_dict()

    def __str__(self) -> str:
        """Return the answer as text of at most 24 lines of 100 characters."""
        return "\n".join(words.screen(self._dict))

    def explain(self) -> str:
        """Return the rows that each line of the answer comes from."""
        return "\n".join(words_evidence.explain(self._dict))

    def _repr_html_(self) -> str:
        """Return the answer for a notebook: its card, or the text if the card cannot be drawn."""
        try:
            return load(PAGE.format("notebook"))(self._dict)
        except RankassayError:
            return f"<pre>{html.escape(str(self))}</pre>"

    def plot(self) -> "Figure":
        """Draw the order of the runs by the conventional and the recommended measure.

        A notebook shows the figure as it is. Raises RankassayError if matplotlib is not installed.
        """
        slopes = load("rankassay.advice.figure:slopes")
        from rankassay.drawing.style import in_notebooks  # on use: matplotlib is an extra

        return in_notebooks(slopes(self._dict))

    def to_html(self, path: str | Path) -> None:
        """Write the answer with its evidence as one page, which opens without a network.

        Raises RankassayError if what makes the page is not installed.
        """
        write_lines([load(PAGE.format("page"))(self._dict)], inputs.path("path", path))

    def to_latex(self, label: str = "judge") -> str:
        """Return the systems with their intervals, and whom each beats, as a LaTeX table.

        It needs the package booktabs, and is referred to as `tab:<label>`. Raises RankassayError
        for a label that LaTeX cannot refer to.
        """
        printed = words_evidence.systems(self._dict)
        return latex(printed, inputs.text("label", label))


def judge(
    qrels: QrelsSource | Qrels,
    runs: RunSource | Mapping[str, RunSource],
    train: QrelsSource | None = None,
    truth: QrelsSource | None = None,
    *,
    outcomes: OutcomeSource | None = None,
    propensities: PropensitySource | None = None,
    metrics: str | Sequence[str] | None = None,
    cutoffs: Sequence[int] | None = None,
    threshold: float | None = None,
    yardstick: str | None = None,
    profile: str = "paper",
    ties: Ties | None = None,
    depth: int | None = None,
    gamma: float | None = None,
    references: bool | None = None,
    seed: int = 0,
    not_candidates: str = "error",
) -> Advice:
    """Say which measure to report on these data, how far to trust it, and what to do next.

    Parameters
    ----------
    qrels, threshold, profile, ties, depth, propensities
        As in `rankassay.evaluate`.
    runs : mapping from names to runs, list of paths, or one run
        Each as a run of `rankassay.evaluate`; one alone cannot be ranked.
    train : frame, dict, path or matrix, or None
        The ratings that the systems learned from, as `rankassay.evaluate` takes judgements. They
        say which items are popular, by which hits are weighted, and reference systems are fitted to
        them, which show whether the data are like simulated ones.
    truth : frame, dict, path or matrix, or None
        Judgements of items that the users did not choose, such as random ones: user, item and
        rating, and, if there are, known (whether the user had known the item) and inclusion (the
        probability that the pair was judged). Measures that agree significantly less with them
        than the best does are not recommended. Pairs that `qrels` have, too, leave these.
    outcomes : frame, Series, dict or path, or None
        What systems achieved online: system, value and error (its standard error), as another
        truth of their order.
    yardstick : {"liked", "new"} or None
        What counts in the truth: liked items, or those of them that are new to the user. None
        recommends for each, where they choose differently.
    metrics : sequence of str or None
        Metrics or measures, as in "nDCG@10", that are shown, too, the first next to the recommended
        one. None is nDCG@10 with relevant items alone as gain.
    cutoffs : sequence of int or None
        Of metrics without one, and of measures that a truth may choose; None is 10, or less where
        lists are shorter.
    gamma : float or None
        The Γ, above 1, up to which conclusions have to stand; None is
        `rankassay.statistics.sensitivity.DEFAULT_GAMMA`.
    references : bool or None
        Whether reference systems are fitted; None does so where there are training ratings.
    seed : int
        Of all that is drawn at random.
    not_candidates : {"error", "drop", "keep"}
        What becomes of listed items that the user rated in training, as in `rankassay.evaluate`;
        the answer begins with how many there are.

    Returns
    -------
    Advice
        What to report (`recommendation`), the tables behind it, and the answer as text, HTML,
        LaTeX, a figure or a dictionary.

    Raises
    ------
    RankassayError
        As `rankassay.evaluate`; for training ratings of other items, runs without any item, and two
        runs of different users.

    Examples
    --------
    >>> import rankassay, numpy as np
    >>> rng = np.random.default_rng(0)
    >>> ratings = rng.integers(1, 6, size=(60, 40))
    >>> qrels = {u: dict(enumerate(own[:20])) for u, own in enumerate(ratings.tolist())}
    >>> runs = {
    ...     name: np.argsort(noise * rng.normal(size=ratings.shape) - ratings)[:, :10]
    ...     for name, noise in {"sharp": 1, "fair": 2, "poor": 8}.items()
    ... }
    >>> advice = rankassay.judge(qrels, runs)
    >>> advice.recommendation["conventional"], [*advice.systems.index]
    ("nDCG(gain='binary')@10", ['sharp', 'fair', 'poor'])
    """
    ties = "trec" if ties is None else ties
    gamma = DEFAULT_GAMMA if gamma is None else gamma
    gamma, seed = inputs.number("gamma", gamma, 1, GREATEST), inputs.whole("seed", seed)
    references = None if references is None else inputs.flag("references", references)
    shown = ONE_MEASURE if metrics is None else metrics
    shown, depth = asked(shown, profile, ties=ties, depth=depth)
    if yardstick is not None:
        one_of("yardstick", yardstick, YARDSTICKS)
    settings = Settings(
        seed=seed,
        gamma=gamma,
        metrics=None if metrics is None else tuple(shown),
        cutoffs=_cutoffs(cutoffs),
        yardstick=yardstick,
        profile=profile,
    )
    how = (threshold, ties, depth, seed, not_candidates)
    own = judge_inputs.read(qrels, runs, train, truth, propensities, *how)
    online = None if outcomes is None else read_outcomes(outcomes, [*own.lists])
    found = advise(judge_inputs.given(own, references, seed), settings, own.truth, online)
    return Advice(found, judge_inputs.propensities_of(own))


def _cutoffs(cutoffs: Sequence[int] | None) -> tuple[int, ...] | None:
    """Return cut-offs in increasing order; raises RankassayError for anything else."""
    if cutoffs is None:
        return None
    if isinstance(cutoffs, str) or not isinstance(cutoffs, Sequence) or not len(cutoffs):
        raise RankassayError(
            f"cutoffs: expected whole numbers such as [10, 50], found {shortened(cutoffs)}."
        )
    return tuple(sorted({inputs.whole("cutoffs", own, 1) for own in cutoffs}))
