"""What the robustness analyses share: the systems' values on a part of the test set."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from numba import njit

from assayer.analysis.rank_correlation import rounded
from assayer.artifacts import Rankings
from assayer.errors import one_of
from assayer.metrics.evaluate import Measure, measure_aggregates, measure_values
from assayer.metrics.judged import Judged, judge
from assayer.metrics.judgements import WHOLE_LIST, Integers, Judgements, Lists
from assayer.seeds import generator

Mask = npt.NDArray[np.bool_]

UNJUDGED_USERS = ("drop", "zero")


@dataclass(frozen=True)
class TestSet:
    """The judgements of a test set and where each system ranks the judged items.

    Evaluating a part of the test set needs nothing else: no ranking is made again.

    Attributes
    ----------
    judgements : Judgements
    systems : list of Judged
    evaluation : dict
        measures, profile, without_relevant and aggregate, as `assayer.metrics.evaluate` takes them.
    unjudged_users : {"drop", "zero"}
        Whether users whom a part leaves no judgement leave the means or score 0.
    round_means : int or None
        Decimals to which the systems' values are rounded before they are ordered.
    """

    __test__ = False  # the name is the field's term; pytest should not collect it

    judgements: Judgements
    systems: list[Judged]
    evaluation: dict
    unjudged_users: str = "drop"
    round_means: int | None = None

    def __post_init__(self) -> None:
        one_of("choice for unjudged users", self.unjudged_users, UNJUDGED_USERS)

    @classmethod
    def of(
        cls,
        test: sp.csr_matrix,
        rankings: Mapping[str, Rankings],
        evaluation: dict,
        unjudged_users: str = "drop",
        round_means: int | None = None,
    ) -> Self:
        """Return the test set of a dataset, whose `evaluation` has a threshold, too."""
        judgements = Judgements.of(test, evaluation["threshold"])
        depth = min(ranking.depth for ranking in rankings.values())
        lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
        whole = cls.of_lists(judgements, lists, evaluation, depth)
        return replace(whole, unjudged_users=unjudged_users, round_means=round_means)

    @classmethod
    def of_lists(
        cls,
        judgements: Judgements,
        systems: Iterable[Lists],
        evaluation: dict,
        depth: int = WHOLE_LIST,
    ) -> Self:
        """Return the test set that judgements make, and systems whose lists are cut at `depth`."""
        return cls(judgements, [judge(judgements, lists, depth) for lists in systems], evaluation)

    @property
    def measures(self) -> list[Measure]:
        """The measures, parsed."""
        return [Measure.parse(measure) for measure in self.evaluation["measures"]]

    def means(self, keep: Mask | None = None) -> npt.NDArray[np.float64]:
        """Return the systems' values on the kept test ratings, float64 (n_measures, n_systems)."""
        spec = self.evaluation
        means = [
            measure_aggregates(
                judged,
                spec["measures"],
                spec["profile"],
                spec["without_relevant"],
                spec["aggregate"],
            )
            for judged in self._part(keep)
        ]
        return rounded(np.array(means).T, self.round_means)

    def values(self, keep: Mask | None = None) -> npt.NDArray[np.float64]:
        """Return every user's values on the kept test ratings.

        float64 (n_users, n_systems, n_measures), for all users; NaN for those whom the part leaves
        no judgement, if they are dropped.
        """
        spec = self.evaluation
        systems = self._part(keep)
        users = np.searchsorted(self.judgements.users, systems[0].judgements.users)
        shape = (self.judgements.n_users, len(systems), len(spec["measures"]))
        values = np.full(shape, np.nan)
        for s, judged in enumerate(systems):
            values[users, s] = measure_values(
                judged, spec["measures"], spec["profile"], spec["without_relevant"]
            )
        return values

    def _part(self, keep: Mask | None) -> list[Judged]:
        """Return the systems as the kept test ratings judge them."""
        if keep is None:
            return self.systems
        part = self.judgements.sample(keep, self.unjudged_users)
        return [judged.sample(keep, part) for judged in self.systems]


def random_part(
    start: Integers, level: float, number: int, seed: int, stratified: bool = False
) -> Mask:
    """Return which test ratings a random part keeps, `level` percent of them, bool (n_judged,).

    Parameters
    ----------
    start : int64 (n_users + 1,)
        As in `Judgements`.
    level : float
    number, seed : int
        The part depends on the seed, the level and its number alone. The draw of a rating is the
        random number of the same index in one counter-based stream.
    stratified : bool
        Whether the share is taken of each user's ratings or of all of them at once. Of all, the
        number kept is rounded to the nearest. Of a user's, it is rounded down or up at random, such
        that it is right on average, and that the first users together keep their share within one.

    Notes
    -----
    Each part of the size is equally likely: of the last n ratings, k of which are still to be kept,
    the first is kept with probability k / n (Knuth, TAOCP 2, section 3.4.2, algorithm S).
    """
    rng = generator(seed, "sparsity", f"{level:g}", number)
    draws = rng.random(start[-1])
    if not stratified:
        return _selected(draws, start[[0, -1]], np.array([round(start[-1] * level / 100)]))
    # A whole share stays whole: its remainder must not depend on the last bits of products.
    shares = np.round(start * (level / 100), 6) + rng.random() * (1 - 1e-6)
    return _selected(draws, start, np.diff(np.floor(shares).astype(np.int64)))


@njit(cache=True)
def _selected(draws, start, count):
    """Keep `count` of the entries between successive starts, at random."""
    keep = np.zeros(len(draws), dtype=np.bool_)
    for u in range(len(count)):
        wanted = count[u]
        for j in range(start[u], start[u + 1]):
            keep[j] = draws[j] * (start[u + 1] - j) < wanted
            wanted -= keep[j]
    return keep
