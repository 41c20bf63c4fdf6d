"""Which measure to report: the one that loses least in the worst of some kinds of simulated worlds.

The choice looks at what the data are like, and at no system's score: so it does not spoil the tests
that are made with the measure afterwards.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from rankassay.advice.given import Given
from rankassay.advice.worlds import Worlds, deciding, fewest_users, mean_and_half
from rankassay.metrics.catalogue import weighs
from rankassay.metrics.evaluate import Measure
from rankassay.types import Booleans, Floats

# A measure whose worst loss is at most this much above the least one may be right as well, and
# conclusions have to stand up to it: of ten systems, one pair that reverses changes tau by .04.
DEFENSIBLE = 0.05
# With fewer than this share of the users of the smallest simulated data, rankings are mostly
# chance, and nothing was simulated that is like them.
FEWEST = 0.25
SIMULATED_WEIGHTS = "popularity"  # weights of other propensities are as good as these are


@dataclass(frozen=True)
class Facts:
    """Facts that the choice may depend on: properties of judgements and lists, no system's score.

    Attributes
    ----------
    users : int
        With a relevant item.
    relevant, judged : float
        Medians over these users of their numbers of relevant and of judged items.
    depth : int
        The length of the shortest lists.
    negative : bool
        Whether anything was judged that is not relevant.
    weights : {"none", "popularity", "given"}
        Where the propensities of weighted measures come from.
    """

    users: int
    relevant: float
    judged: float
    depth: int
    negative: bool
    weights: str


@dataclass(frozen=True)
class Choice:
    """The measure to report, and all measures' results in the simulated worlds.

    Attributes
    ----------
    measure : str or None
        None where no measure can be recommended.
    why : tuple of str
        Keys of the reasons why not.
    tied : tuple of str
        Candidates whose worst loss is not significantly greater.
    defensible : tuple of str
        The chosen measure, the conventional one, and the candidates within `DEFENSIBLE` of the
        chosen one's worst loss.
    table : DataFrame
        Index measure, with the columns of `rankassay.advice.worlds.Worlds.summary` and simulated.
    kinds : tuple of str
        The kinds of worlds.
    size : mapping
        What the nearest simulated data look like: name, users, relevant_median, judged_median, and
        worlds (of each kind).
    """

    measure: str | None
    why: tuple[str, ...]
    tied: tuple[str, ...]
    defensible: tuple[str, ...]
    table: pd.DataFrame
    kinds: tuple[str, ...]
    size: Mapping[str, object]


def facts(given: Given) -> Facts:
    """Return the facts that the choice may depend on."""
    return Facts(
        users=int((given.judgements.n_relevant > 0).sum()),
        relevant=given.relevant_median,
        judged=given.judged_median,
        depth=given.depth,
        negative=given.negative,
        weights=given.weights,
    )


def choose(
    measures: Sequence[str], of: Facts, conventional: str, excluded: Collection[str] = ()
) -> Choice:
    """Choose a measure by its worst loss in simulated worlds of the nearest size (`deciding`).

    ::

        loss of m in a kind = max over m' of mean tau(m') - mean tau(m)

    with tau of the ranking of systems under a measure and of their order by true P@10, its mean
    over the worlds of the kind, and m' any measure that was simulated. The measure with the least
    greatest loss over the kinds is chosen. Where that of others is not significantly greater (95 %
    interval of the difference, paired over worlds, by Student's t), their mean loss over all kinds
    decides, and where that ties as well, the more precise one is chosen: the one whose worst loss
    has the least upper end of its interval.

    Parameters
    ----------
    measures : sequence of str
        The candidates, as `Measure.parse` reads them.
    of : Facts
    conventional : str
        The measure that is reported next to the chosen one.
    excluded : collection of str
        Candidates that are not to be chosen, as a truth excludes them.
    """
    names = {measure: str(Measure.parse(measure)) for measure in measures}
    near = deciding(of.users, of.relevant, "graded" if of.negative else "positive")
    known = {measure: near.measures.index(n) for measure, n in names.items() if _is_in(near, n, of)}
    table = near.summary().reindex(names.values()).set_axis(names, axis=0)
    table.loc[~table.index.isin(known)] = np.nan
    table.insert(0, "simulated", table.index.isin(known))
    left = [measure for measure in known if measure not in excluded]
    why = _why_not(left, of)
    if why:
        return _choice(None, why, (), (conventional,), table, near)
    chosen, tied = _least_loss(near, {measure: known[measure] for measure in left})
    bound = table.loc[chosen, "worst_loss"] + DEFENSIBLE
    others = [measure for measure in left if table.loc[measure, "worst_loss"] <= bound]
    defensible = tuple(dict.fromkeys([chosen, conventional, *others]))
    return _choice(chosen, (), tied, defensible, table, near)


def _is_in(near: Worlds, name: str, of: Facts) -> bool:
    """Whether the worlds have results for a measure on such data, by its canonical name."""
    cutoff = Measure.parse(name).cutoff
    fits = cutoff is None or cutoff <= of.depth
    return name in near.measures and fits and (of.weights == SIMULATED_WEIGHTS or not weighs(name))


def _why_not(left: Sequence[str], of: Facts) -> tuple[str, ...]:
    """Return the reasons for which no measure can be chosen."""
    if not left:
        return ("not-simulated",)
    return ("size",) if of.users < FEWEST * fewest_users() else ()


def _least_loss(near: Worlds, places: Mapping[str, int]) -> tuple[str, tuple[str, ...]]:
    """Return the measure that is chosen, and those whose worst loss does not differ from the least.

    `places` are the candidates' columns in the worlds.
    """
    names, columns = list(places), list(places.values())
    losses, validity = near.worst[1][:, columns], near.tau.mean(axis=0)[:, columns]
    least = losses.mean(axis=0).argmin()
    alike = np.flatnonzero(_does_not_exceed(losses, losses[:, [least]]))
    best = alike[validity.mean(axis=0)[alike].argmax()]
    valid = alike[_does_not_exceed(validity[:, [best]], validity[:, alike])]
    mean, half = mean_and_half(losses)
    chosen = valid[(mean + half)[valid].argmin()]
    return names[chosen], tuple(names[c] for c in alike if c != chosen)


def _does_not_exceed(a: Floats, b: Floats) -> Booleans:
    """Whether the mean of each column is not significantly greater than another's, by worlds."""
    mean, half = mean_and_half(a - b)
    return mean <= half


def _choice(
    measure: str | None,
    why: tuple[str, ...],
    tied: tuple[str, ...],
    defensible: tuple[str, ...],
    table: pd.DataFrame,
    near: Worlds,
) -> Choice:
    size = {"name": near.size, "feedback": near.feedback, **near.looks}
    return Choice(measure, why, tied, defensible, table, near.kinds, size)
