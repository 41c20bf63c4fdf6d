"""Sensitivity to selection for users of Python: which Γ reverses two runs?

A module of that name would hide the function `rankassay.sensitivity`.
"""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from rankassay.api.definitions import defined
from rankassay.api.depths import common
from rankassay.api.evaluate import CUTOFF, check, checked, longest, read_several
from rankassay.api.propensities import popularity, training, weighed_by
from rankassay.data import inputs
from rankassay.data.frames import Qrels, Ties
from rankassay.data.listed import Listing
from rankassay.data.sources import Paths, QrelsSource, RunSource, check_several
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import Measure
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import WHOLE_LIST
from rankassay.statistics.sensitivity import pairs

log = logging.getLogger(__name__)

METRICS = tuple(f"{name}@{CUTOFF}" for name in ("P", "R", "nDCG"))
GREATEST = 1e6  # Γ: its square times that of any sum is still finite


def sensitivity(
    qrels: QrelsSource | Qrels,
    runs: Mapping[str, RunSource] | Paths,
    metrics: str | Sequence[str] = METRICS,
    *,
    train: QrelsSource | None = None,
    gamma: float | None = None,
    threshold: float | None = None,
    profile: str = "paper",
    without_relevant: str | None = None,
    ties: Ties | None = None,
    depth: int | None = None,
    unequal_depths: bool = False,
    not_candidates: str = "error",
) -> pd.DataFrame:
    """Return how unequally judged items may count until two runs reverse, pair by pair.

    Test ratings are missing not at random: some represent many that were not observed. If the
    weights of user-item pairs lie within [1/Γ, Γ], they cannot reverse a pair while Γ is below its
    γ, the square root of what the leader gains more by what the other does. A pair is significant
    at Γ if it is so under all of these weights; see `rankassay.statistics.sensitivity`, which has
    the formulas. γ says how much selection it would take, not how much there is.

    Parameters
    ----------
    qrels, threshold, profile, without_relevant, ties, depth
        As in `rankassay.evaluate`.
    runs : mapping from names to runs, or list of paths
        At least two; each as a run of `rankassay.evaluate`.
    metrics : sequence of str
        As in "nDCG@10". Precision, DCG, nDCG, recall, measures that are centred and those that
        weigh by propensities are sums over judged items, whose denominators by user are held fixed.
        For others, and for judged-only precision, precision at their cut-off replaces them, which
        the column measure names.
    train : frame, dict, path or matrix, or None
        The ratings that the systems learned from, by which items are popular, as `rankassay.beyond`
        takes them. Without them the column exponent is empty, and precision replaces measures that
        weigh by propensities, which are those of `rankassay.evaluate`.
    gamma : float or None
        The Γ, above 1, of the column p_default, at which pairs are tested in addition to 1,
        1.5, 2, 3 and 4. None is `rankassay.statistics.sensitivity.DEFAULT_GAMMA`.
    unequal_depths : bool
        Whether cut-offs may lie below the longest list of some runs; see `rankassay.compare`.
    not_candidates : {"error", "drop", "keep"}
        What becomes of listed items that the user rated in training, as in `rankassay.evaluate`.

    Returns
    -------
    DataFrame
        A row for each metric and pair, those of the best run first; the columns are those of
        `rankassay.statistics.sensitivity.pairs`, which are metric, cutoff, measure, leader, other,
        difference, hits_leader and hits_other, gamma (γ), gamma_item (γ if an item has one weight
        for all users), exponent, p_value, p_default (the largest under any weights), stands_to,
        default (the `gamma` of p_default) and identical (whether both list the judged items
        alike). A gamma is infinite where no weights reverse the pair, 1 where it is tied, and NaN
        where both runs have the same hits.

    Raises
    ------
    RankassayError
        As for `rankassay.evaluate`, and for fewer than two runs, runs without any hit, and a Γ of
        at most 1.

    Examples
    --------
    >>> import rankassay
    >>> users = [f"user {n}" for n in range(12)]
    >>> qrels = {user: {"film": 5, "song": 5} for user in users}
    >>> films = {user: ["film"] for user in users}
    >>> songs = {user: ["song" if n < 3 else "play"] for n, user in enumerate(users)}
    >>> table = rankassay.sensitivity(qrels, {"films": films, "songs": songs}, "P@1")
    >>> print(table[["leader", "other", "hits_leader", "hits_other", "gamma"]].to_string())
      leader  other  hits_leader  hits_other  gamma
    0  films  songs           12           3    2.0
    >>> print(table[["p_value", "stands_to"]].round(3).to_string())
       p_value  stands_to
    0      0.0        1.0
    """
    metrics = inputs.names("metrics", metrics)
    check(metrics, profile, "mean", without_relevant, ties)
    gamma = None if gamma is None else inputs.number("gamma", gamma, 1, GREATEST)
    depth = None if depth is None else inputs.whole("depth", depth, 1)
    runs = check_several(runs, "what is reversed is the order of two")
    qrels = checked(qrels, threshold)
    if not isinstance(qrels, Qrels):
        raise RankassayError("qrels: expected judgements with ids, found those of the pipeline.")
    rows = None if train is None else training(train)
    number = None if rows is None else popularity(qrels, rows)[: len(qrels.items)]
    if rows is not None and qrels.judgements.propensity is None:
        qrels = weighed_by(qrels, rows)
    listing = Listing(qrels, rows, not_candidates)
    lists = read_several(runs, qrels, ties, listing)
    ends = {name: longest(own) for name, own in lists.items()}
    metrics, depth = common(metrics, ends, depth, unequal_depths)
    judgements = qrels.judgements
    systems = {name: judge(judgements, own, depth or WHOLE_LIST) for name, own in lists.items()}
    how = {"measures": metrics, "profile": profile, "without_relevant": without_relevant}
    table = pairs(judgements, qrels.item, systems, how, number, gamma)
    gained = table[["hits_leader", "hits_other"]].to_numpy().any()  # by DCG, not by hits alone
    if not gained and not any(len(own.hits.rank) for own in systems.values()):
        raise RankassayError(
            f"runs: expected an item rated at least {judgements.threshold:g} in some list, found "
            "none: without hits there is no order; give a lower threshold, or other runs."
        )
    _say_stand_ins(table)
    choices = {"ties": ties or "trec", "depth": depth, "gamma": gamma}
    choices["not_candidates"] = listing.defined()
    own = {str(Measure.parse(metric)) for metric in metrics}
    stand_in = [measure for measure in table["measure"].unique() if measure not in own]
    return defined(table, qrels, [*metrics, *stand_in], profile, without_relevant, **choices)


def _say_stand_ins(table: pd.DataFrame) -> None:
    """Warn of metrics that have no Γ of their own."""
    of = table.drop_duplicates(["metric", "cutoff", "measure"])
    by: dict[str, list[str]] = {}
    for metric, cutoff, measure in zip(of["metric"], of["cutoff"], of["measure"], strict=True):
        name = metric if pd.isna(cutoff) else f"{metric}@{cutoff}"
        if str(Measure.parse(measure)) != name:
            by.setdefault(measure, []).append(name)
    for measure, names in by.items():
        log.warning(
            "warning: %s: only sums over judged items have a Γ, and weighted ones with train; "
            "%s stands in.",
            ", ".join(names),
            measure,
        )
