"""What missing judgements could change: robustness to fewer, and sensitivity to selection."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from rankassay.api.definitions import defined
from rankassay.api.reading import (
    CUTOFF,
    GREATEST,
    Items,
    asked,
    item_counts,
    read_lists,
    training,
    weighed_by,
    with_ids,
)
from rankassay.data import inputs
from rankassay.data.columns import roles
from rankassay.data.frames import Qrels, Rows, Ties
from rankassay.data.ids import ids
from rankassay.data.inputs import opened
from rankassay.data.listed import Listing
from rankassay.data.sources import Paths, QrelsSource, RunSource, check_several, rows_of
from rankassay.declared.correlations import PERSISTENCE
from rankassay.errors import RankassayError, one_of, written
from rankassay.metrics.evaluate import Measure
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import WHOLE_LIST
from rankassay.statistics import incomplete
from rankassay.statistics.judged_systems import UNJUDGED_USERS, TestSet
from rankassay.statistics.rank_correlation import correlation as correlation_of
from rankassay.statistics.sensitivity import pairs

log = logging.getLogger(__name__)

KINDS = ("sparsity", "popularity")
PAIR = ("user", "item")
DIGITS = 15  # of a float64, all of which are right
LEVELS = (100, 90, 80, 70, 60, 50, 40, 30, 20, 10)
METRICS = tuple(f"{name}@{CUTOFF}" for name in ("P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"))
SUMS = tuple(f"{name}@{CUTOFF}" for name in ("P", "R", "nDCG"))  # which have a Γ of their own


def robustness(
    qrels: QrelsSource | Qrels,
    runs: Mapping[str, RunSource] | Paths,
    metrics: str | Sequence[str] = METRICS,
    levels: Sequence[float] = LEVELS,
    samples: int = 50,
    kind: str = "sparsity",
    *,
    threshold: float | None = None,
    profile: str = "paper",
    aggregate: str = "mean",
    without_relevant: str | None = None,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
    stratified: bool = False,
    unjudged_users: str = "drop",
    round_means: int | None = None,
    of: str = "items",
    train: QrelsSource | None = None,
    ties: Ties | None = None,
    depth: int | None = None,
    unequal_depths: bool = False,
    seed: int = 0,
    not_candidates: str = "error",
) -> pd.DataFrame:
    """Return the correlation of rankings as judgements are removed, by metric and level.

    Parameters
    ----------
    qrels : frame, dict, path or Qrels
        As `rankassay.evaluate` takes them; so are threshold, profile, aggregate, without_relevant,
        ties and depth.
    runs : mapping from names to runs, or list of paths
        At least two; each as a run of `rankassay.evaluate`.
    metrics : sequence of str
        As in "nDCG@10".
    levels : sequence of float
        Percentages to keep of the judgements (sparsity), or of the items or ratings (popularity,
        `of`).
    samples : int
        Random parts at each level; only for sparsity.
    kind : {"sparsity", "popularity"}
        Judgements are removed at random, or those on the most popular items first.
    correlation, persistence, stratified, unjudged_users, round_means
        As in `rankassay.statistics.incomplete.sparsity_bias`.
    of : {"items", "ratings"}
        As in `rankassay.statistics.incomplete.popularity_bias`; for popularity only.
    train : frame, dict, path or matrix, or None
        Training ratings, as in `rankassay.evaluate`; popularity counts these. None counts the
        judgements. Of equally popular items, the one that comes first in `qrels` is removed last.
        No list may hold items that the user rated. A frame needs no column rating, nor user.
    unequal_depths : bool
        Whether cut-offs may lie below the longest list of some runs; see `rankassay.compare`.
    seed : int
        Of the random parts.
    not_candidates : {"error", "drop", "keep"}
        What becomes of listed items that the user rated in training, as in `rankassay.evaluate`.

    Returns
    -------
    DataFrame
        As `sparsity_bias` or `popularity_bias` of `rankassay.statistics.incomplete` returns it.
        With all judgements, the correlation tau is 1, except for tau_ap if runs are tied. For
        sparsity, samples_low and samples_high are the 2.5 and 97.5 percentiles of the correlations
        of single samples; tau, the mean of these, may lie outside, as they are no interval of it.

    Examples
    --------
    >>> import rankassay, pandas as pd
    >>> qrels = pd.DataFrame(
    ...     [("ann", "film", 5), ("ann", "book", 2), ("bob", "film", 4), ("bob", "song", 5)],
    ...     columns=["user", "item", "rating"],
    ... )
    >>> runs = {
    ...     "good": {"ann": {"film": 2, "book": 1}, "bob": {"song": 2, "film": 1}},
    ...     "fair": {"ann": {"book": 2, "film": 1}, "bob": {"film": 2, "song": 1}},
    ...     "poor": {"ann": {"book": 2, "song": 1}, "bob": {"book": 2, "film": 1}},
    ... }
    >>> table = rankassay.robustness(qrels, runs, ["RR@2"], levels=[100, 50], kind="popularity")
    >>> print(table[["metric", "percentage", "ratings", "undefined", "tau"]].to_string())
      metric  percentage  ratings  undefined  tau
    0     RR         100        4          0  1.0
    1     RR          50        2          0  1.0
    >>> table = rankassay.robustness(qrels, runs, ["P@2", "RR@2"], levels=[75], samples=20)
    >>> print(table[["metric", "cutoff", "level", "samples"]].to_string())
      metric  cutoff  level  samples
    0      P       2     75       20
    1     RR       2     75       20
    """
    how = {"aggregate": aggregate, "ties": ties, "depth": depth}
    metrics, depth = asked(metrics, profile, without_relevant, **how)
    levels = inputs.percentages("levels", levels)
    samples, seed = inputs.whole("samples", samples, 1), inputs.whole("seed", seed)
    inputs.check_memory("samples", samples, 8 * len(levels) * len(metrics))
    stratified = inputs.flag("stratified", stratified)
    persistence = inputs.number("persistence", persistence, 0, 1)
    if round_means is not None:
        round_means = inputs.whole("round_means", round_means, 0, DIGITS)
    one_of("kind of robustness", kind, KINDS)
    correlation_of(correlation, persistence)
    one_of("choice for unjudged users", unjudged_users, UNJUDGED_USERS)
    runs = check_several(runs, "an order needs several systems")
    qrels = with_ids(qrels, threshold)
    trained = _trained(train)
    rows = trained if isinstance(trained, Rows) else None
    listing = Listing(qrels, rows, not_candidates)
    read = metrics, depth, unequal_depths, listing
    lists, metrics, depth = read_lists(runs, qrels, ties, *read)
    how = {"measures": metrics, "profile": profile, "without_relevant": without_relevant}
    how |= {"aggregate": aggregate}
    arrays = qrels.judgements, qrels.item, [*lists.values()]
    whole = TestSet.of_lists(*arrays, how, depth or WHOLE_LIST)
    whole = replace(whole, unjudged_users=unjudged_users, round_means=round_means)
    order = {"correlation": correlation, "persistence": persistence}
    if kind == "sparsity":
        table = incomplete.without_ratings(whole, levels, samples, seed, stratified, **order).table
        table = table.rename(columns={"low": "samples_low", "high": "samples_high"})
    else:
        n_items = len(qrels.items)
        number = np.bincount(qrels.item, minlength=n_items)
        if trained is not None:
            number = item_counts(qrels, trained)[:n_items]
        table = incomplete.without_popular(whole, number, levels, seed, of, **order).table
    choices = {"ties": ties or "trec", "depth": depth, "not_candidates": listing.defined()}
    return defined(table, qrels, metrics, profile, without_relevant, **choices)


def _trained(train: object) -> Rows | Items | None:
    """Return training ratings; of a frame that names no users, the items of its rows."""
    train = opened(train)
    if train is None:
        return None
    if isinstance(train, pd.DataFrame):
        columns = {role: own for role, own in roles([*train], "rating").items() if role in PAIR}
        if "item" not in columns or any([*train].count(own) > 1 for own in columns.values()):
            found = ", ".join(map(written, train.columns))
            raise RankassayError(f"train: expected a frame with one column item, found {found}.")
        train = train[[*columns.values()]].set_axis([*columns], axis=1)
        if "user" not in columns:
            return Items(*ids("train", "item", train["item"]))
        train = train.assign(rating=1.0)
    rows = rows_of(train, "the training ratings", "rating")
    if not len(rows.value):
        raise RankassayError(f"{rows.what}: expected rows with ratings, found none.")
    return rows


def sensitivity(
    qrels: QrelsSource | Qrels,
    runs: Mapping[str, RunSource] | Paths,
    metrics: str | Sequence[str] = SUMS,
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
    metrics, depth = asked(metrics, profile, without_relevant, ties=ties, depth=depth)
    gamma = None if gamma is None else inputs.number("gamma", gamma, 1, GREATEST)
    runs = check_several(runs, "what is reversed is the order of two")
    qrels = with_ids(qrels, threshold)
    rows = None if train is None else training(train)
    number = None if rows is None else item_counts(qrels, rows)[: len(qrels.items)]
    if rows is not None and qrels.judgements.propensity is None:
        qrels = weighed_by(qrels, rows)
    listing = Listing(qrels, rows, not_candidates)
    read = metrics, depth, unequal_depths, listing
    lists, metrics, depth = read_lists(runs, qrels, ties, *read)
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
