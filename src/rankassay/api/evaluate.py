"""The metrics for users of Python: judgements and runs in, a few numbers out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from rankassay.api.definitions import ATTRIBUTE, counted, definitions
from rankassay.api.reading import (
    DEFAULT,
    NItems,
    PropensitySource,
    asked,
    checked,
    common,
    each,
    longest,
    together,
    training,
    weighed_by,
    with_n_items,
)
from rankassay.artifacts.arrays import Rankings
from rankassay.data import inputs
from rankassay.data.frames import TIES, Qrels, Rows, Tied, Ties, lists_and_tied, lists_with_ties
from rankassay.data.listed import ONE, Listing, Told
from rankassay.data.sources import QrelsSource, RunSource, lasting
from rankassay.errors import RankassayError, one_of
from rankassay.metrics import ties as over_orders
from rankassay.metrics.aggregate import MEANS, aggregate, confidence_interval
from rankassay.metrics.evaluate import (
    BLOCK,
    measure_values,
    reach,
)
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists, blocks
from rankassay.metrics.profiles import PROFILES
from rankassay.metrics.unjudged import condensed, cut
from rankassay.types import Booleans, Floats, Integers

OneRun = RunSource | Lists | Rankings

UNJUDGED = ("nonrelevant", "condensed")


def evaluate(
    qrels: QrelsSource | Qrels | Judgements,
    run: OneRun | Mapping[str, OneRun],
    metrics: str | Sequence[str] = DEFAULT,
    profile: str = "paper",
    threshold: float | None = None,
    per_user: bool = False,
    aggregate: str = "mean",
    *,
    without_relevant: str | None = None,
    users: str = "judged",
    ties: Ties | over_orders.Over | None = None,
    unjudged: str = "nonrelevant",
    depth: int | None = None,
    n_items: NItems = None,
    confidence: float | None = None,
    seed: int = 0,
    propensities: PropensitySource | None = None,
    train: QrelsSource | None = None,
    not_candidates: str = "error",
) -> pd.Series | pd.DataFrame:
    """Return ranking metrics of one run or several: one number each, or one for every user.

    Parameters
    ----------
    qrels : frame, dict, path, Qrels or Judgements
        What users think of items: a frame with the columns user, item and rating; a dict {user:
        {item: rating}}; the path of a TREC qrels file; any other form that
        `rankassay.data.sources.rows_of` lists; or the result of `rankassay.judged` for one of
        these, so that several runs share the work. Ids are text or whole numbers, the same in all
        rows. The pipeline's Judgements do as well, with a threshold of their own.
    run : frame, dict, path, array, Lists or Rankings, or a dict of several by their names
        What a system lists for them: a frame with the columns user, item and score or rank (the
        lowest comes first); a dict {user: {item: score}}; the path of a TREC run file, or its
        lines; triples (user, item, score); a scipy matrix of scores; or an array (n_users, k) of
        items, best first: `rankassay.data.sources.rows_of` lists all forms. In any form with scores
        and ranks, scores order the items as in trec_eval, and the log says where the ranks
        disagree. Scores, of which the highest comes first, also serve as the predicted ratings of
        MAE, MSE, RMSE and NMAE. Users without judgements are ignored. With Judgements: the
        pipeline's Lists or Rankings for the same test set. Several may be a list of paths, too,
        and get the names of the files.
    metrics : sequence of str
        Metrics with cut-offs and parameters, as in "nDCG@10", "AP(denominator='min_cutoff')@10" or
        "Bpref"; `rankassay.metrics.catalogue.METRICS` names all. Other names of them do as well,
        such as "Recall@10", "hit_rate@10" or "ndcg_cut_10" (`rankassay.metrics.names.SPELLINGS`),
        and the measures of ir_measures that mean the same.
    profile : {"paper", "trec", "as-run", "blog", "rendle"}
        The definitions to use where a metric has several; see `rankassay.metrics.profiles`.
    threshold : float or None
        Items rated at least this high are relevant. None is 1 for ratings of 0 and 1 and for whole
        ones up to 4 with a 0 (as in trec_eval), and 4 for 1 to 5 stars; other ratings need one, see
        `rankassay.metrics.relevance.usual_threshold`. Judgements that were made with one have it:
        another one is an error.
    per_user : bool
        Whether to return every user's values instead of one number for all.
    aggregate : {"mean", "geometric", "harmonic", "quadratic", "median"}
        How to make one number for all users; users without a value (NaN) do not count.
    without_relevant : {"value", "nan"} or None
        A user without relevant items gets the formula's value (mostly 0), which counts in means,
        or none; None is as in the profile.
    users : {"judged", "listed"}
        Who counts: every user with judgements, with those who have no list mostly scoring 0
        (trec_eval with -c), or only those who have a list (trec_eval without).
    ties : {"item", "trec", "input", "expected", "worst", "best"} or None
        Which of two items with equal scores comes first: the one with the smaller id (whole
        numbers by their value, also those that are text, and then other text); the one with the
        larger id as a string, as in trec_eval; or the one that is first in `run`. The last three
        give each user the mean over all orders of the items with equal scores, the least or the
        greatest value, for the metrics in `rankassay.metrics.ties.METRICS`. None is
        "trec", for runs of all forms.
    unjudged : {"nonrelevant", "condensed"}
        What becomes of listed items that the user has not judged: they take their places, and are
        not relevant; or they leave the lists, which are then condensed ones (trec_eval with -J).
        Under the profile trec, ratings below 0 are no judgements, see `bpref` and `infap`.
    depth : int or None
        Where lists are cut before anything else; None leaves them whole, and Rankings as deep as
        the pipeline stored them.
    n_items : int, Series, frame or None
        How many items could have been listed, for AUC, LAUC, Fallout, MCC and their like: one
        number for all, a Series by user, or a frame with the columns user and n_items.
    confidence : float or None
        The level, such as 0.95, of bootstrap intervals over users that are returned with the
        aggregates.
    seed : int
        Of the bootstrap.
    propensities : str, frame, Series, dict or path, or None
        The probability that each judged rating is observed, in (0, 1], for IPS, SNIPS and
        Stratified: the name of a column of `qrels`, if that is a frame; a frame with the columns
        user, item and propensity, or any other form of judgements with propensities in the place of
        ratings; or propensities of items: a dict {item: propensity}, a Series by item, or a frame
        with the columns item and propensity. Those of ratings that are not judged do no harm.
    train : frame, dict, path or matrix, or None
        The ratings that the systems learned from, in any form of `qrels`. No list may hold items
        that the user rated there. Without `propensities` they give some: (n + 1) / (max n + 1) for
        an item that was rated n times.
    not_candidates : {"error", "drop", "keep"}
        What becomes of listed items that the user rated in training: an error with their number;
        they leave the lists before anything else, and items below move up; or they stay, as where
        items are listed again. A warning and `rankassay.describe` say how many there are. Those
        that the user judged in `qrels`, too, stay.

    Returns
    -------
    Series, float64 (n_metrics,)
        The aggregates by the names of the metrics, as given. Its `attrs["definitions"]`, and those
        of frames, say how they were made, and of how many users and ties; `rankassay.describe`
        puts it in sentences, and `rankassay.api.definitions.definitions` has the keys.
    DataFrame
        With `confidence`: one row per metric, with the columns value, low and high. With
        `per_user`: one row per user, in the order of first appearance in `qrels`, with the columns
        user and the metrics. Of several runs: one row per run, with a column for each metric; with
        `confidence`, one row per run and metric; with `per_user`, a first column run.

    Examples
    --------
    >>> import rankassay, pandas as pd
    >>> qrels = pd.DataFrame(
    ...     {"user": ["ann", "ann", "bob"], "item": ["film", "book", "song"], "rating": [5, 2, 4]}
    ... )
    >>> run = pd.DataFrame(
    ...     {"user": ["ann", "ann", "bob"], "item": ["game", "film", "song"], "score": [3, 2, 1]}
    ... )
    >>> rankassay.evaluate(qrels, run, ["P@1", "RR@10"])
    P@1      0.50
    RR@10    0.75
    dtype: float64
    >>> rankassay.evaluate(qrels, run, ["P@1", "RR@10"], per_user=True)
      user  P@1  RR@10
    0  ann  0.0    0.5
    1  bob  1.0    1.0

    Several runs, in several forms:

    >>> runs = {"mine": run, "theirs": [("ann", "film", 0.9), ("bob", "song", 0.8)]}
    >>> rankassay.evaluate(qrels, runs, ["P@1", "RR@10"]).reset_index()
          run  P@1  RR@10
    0    mine  0.5   0.75
    1  theirs  1.0   1.00
    """
    orders = (*TIES, *over_orders.OVER)
    how = {"aggregate": aggregate, "ties": ties, "orders": orders, "users": users, "depth": depth}
    metrics, depth = asked(metrics, profile, without_relevant, **how)
    choices = Choices(
        metrics,
        profile,
        inputs.flag("per_user", per_user),
        aggregate,
        without_relevant,
        users,
        ties,
        unjudged,
        depth,
        n_items,
        None if confidence is None else inputs.level("confidence", confidence),
        inputs.whole("seed", seed),
    )
    choices.check(isinstance(qrels, Judgements))
    qrels = checked(qrels, threshold, propensities)
    rows = None if train is None else training(train)
    if isinstance(qrels, Judgements):
        if rows is not None:
            raise RankassayError(
                "train: expected judgements with ids next to training ratings, found those of the "
                "pipeline; leave train out."
            )
    elif rows is not None and qrels.judgements.propensity is None:
        qrels = weighed_by(qrels, rows)
    ids = qrels if isinstance(qrels, Qrels) else None
    listing = Listing(ids, rows, not_candidates)

    found, said, count = {}, {}, {}
    for name, own in each(run):
        own = own if ids is None else listing.rows(own, name)
        found[name], said, count[ONE if name is None else name] = choices.of_run(qrels, own)
    if not isinstance(run, Told):
        listing.tell()
    result = together(found)
    result.attrs[ATTRIBUTE] = said | {"counted": count, "not_candidates": listing.defined()}
    return result


@dataclass(frozen=True)
class Choices:
    """The arguments of `evaluate`; its parameters describe each."""

    metrics: Sequence[str]
    profile: str
    per_user: bool
    aggregate: str
    without_relevant: str | None
    users: str
    ties: Ties | over_orders.Over | None
    unjudged: str
    depth: int | None
    n_items: NItems
    confidence: float | None
    seed: int

    @property
    def how(self) -> tuple[Sequence[str], str, str | None]:
        """The function from judgements and lists to users' values."""
        return self.metrics, self.profile, self.without_relevant

    @property
    def read(self) -> int:
        """The number of places that are read of each list."""
        return reach(self.metrics, self.depth)

    def check(self, as_arrays: bool) -> None:
        """Raise RankassayError for values that contradict each other.

        `as_arrays` says whether the judgements are those of the pipeline.
        """
        if self.confidence is not None and self.per_user:
            raise RankassayError("per_user and confidence exclude each other; give one of them.")
        over = self.ties in over_orders.OVER
        if over:
            over_orders.check(self.metrics, self.profile)
        if over and as_arrays:
            raise RankassayError(
                f"ties: {self.ties} needs the scores of a run, and lists for Judgements have none; "
                "give judgements and runs with ids, or leave ties out."
            )
        one_of("choice for unjudged items", self.unjudged, UNJUDGED)
        if over and self.unjudged == "condensed":
            raise RankassayError(
                f"ties: {self.ties} is over all orders of lists with unjudged items; give ties as "
                "item, trec or input, or leave unjudged out."
            )

    def of_run(
        self, qrels: Qrels | Judgements, run: Rows | Lists | Rankings
    ) -> tuple[pd.Series | pd.DataFrame, dict[str, Any], dict[str, Any]]:
        """Return the result of `evaluate` for one run, its definitions, and who was counted."""
        read = self._in_any_order if self.ties in over_orders.OVER else self._in_order
        listed = read(qrels, run)
        counts = listed.has_list if self.users == "listed" else slice(None)
        if self.per_user:
            result = pd.DataFrame(np.concatenate([*listed.values]), columns=self.metrics)
            n_values = result.notna().sum().to_numpy()
            result.insert(0, "user", listed.who[counts].array, allow_duplicates=True)
        else:
            how = (self.aggregate, self.confidence, self.seed)
            result, n_values = _aggregated(listed.values, self.metrics, *how)
        without = 0 if self.users == "listed" else int((~listed.has_list).sum())
        n_users = int(listed.has_list.sum()) + without
        relevant = listed.judgements.n_relevant[counts]
        count = counted(
            self.metrics,
            n_users,
            without,
            n_values,
            listed.tied,
            without_relevant=int((relevant == 0).sum()),
            longest=listed.longest,
            places=None if self.read == WHOLE_LIST else self.read,
        )
        said = definitions(
            *self.how,
            threshold=listed.judgements.threshold,
            scale=None if isinstance(qrels, Judgements) else qrels.scale,
            ties=listed.order,
            users=self.users,
            unjudged=self.unjudged,
            depth=self.depth,
            aggregate=None if self.per_user else self.aggregate,
            confidence=self.confidence,
            seed=None if self.confidence is None else self.seed,
        )
        return result, said, count

    def _in_order(self, qrels: Qrels | Judgements, run: Rows | Lists | Rankings) -> "_Listed":
        """Return the lists of a run, whose items are in one order, and users' values."""
        if isinstance(qrels, Judgements):
            who, judgements, order, tied = pd.Index(qrels.users), qrels, None, None
            lists = Lists.of(run, qrels) if isinstance(run, Rankings) else run
            if not isinstance(lists, Lists):
                found = type(run).__name__
                raise RankassayError(f"with Judgements, expected Lists or Rankings, found {found}.")
            lists.check(qrels)
        else:
            who, judgements, order = qrels.users, qrels.judgements, self.ties or "trec"
            lists, tied = lists_and_tied(run, qrels, order, self.read)
        lists = with_n_items(judgements, lists, self.n_items, who)
        end = longest(lists, run)
        lists = lists if self.depth is None else cut(lists, self.depth)  # AUC reads beyond it
        places = self.depth or (run.depth if isinstance(run, Rankings) else WHOLE_LIST)
        values = self._values(judgements, lists, places)
        return _Listed(who, judgements, lists.length > 0, end, order, tied, values)

    def _values(self, judgements: Judgements, lists: Lists, depth: int) -> Iterator[Floats]:
        """Yield the values of successive blocks of users, float64 (n_users_in_block, n_metrics)."""
        listed = lists.length > 0
        if self.unjudged == "condensed":
            lists = condensed(judgements, cut(lists, depth), PROFILES[self.profile].negative)
        # At the depth that lists really have, items are put in order without sorting.
        depth = min(depth, max(1, int(lists.length.max(initial=0))))
        for first, last in blocks(judgements.n_users, BLOCK):
            whole = last - first == judgements.n_users  # keeps what was computed for another run
            part = judgements if whole else judgements.block(first, last)
            own = lists if whole else lists.block(judgements, first, last)
            values = measure_values(judge(part, own, depth), *self.how)
            yield values if self.users == "judged" else values[listed[first:last]]

    def _in_any_order(self, qrels: Qrels, run: Rows) -> "_Listed":
        """Return the same with values over all orders of items with equal scores."""
        who, judgements = qrels.users, qrels.judgements
        lists, *bounds, tied = lists_with_ties(run, qrels, self.read)
        lists = with_n_items(judgements, lists, self.n_items, who)
        metrics, *how = self.how
        values = over_orders.tied_values(
            judgements, lists, *bounds, metrics, self.ties, *how, self.depth or WHOLE_LIST
        )
        has_list = lists.length > 0
        counting = iter([values if self.users == "judged" else values[has_list]])
        return _Listed(who, judgements, has_list, longest(lists), self.ties, tied, counting)


@dataclass(frozen=True)
class _Listed:
    """One run's users' ids, judgements and ties, and blocks of their values."""

    who: pd.Index
    judgements: Judgements
    has_list: Booleans
    longest: int
    order: Ties | over_orders.Over | None
    tied: Tied | None
    values: Iterator[Floats]


def evaluated(
    qrels: Any,
    runs: Mapping[str, Any],
    metrics: Sequence[str],
    profile: str,
    threshold: float | None,
    *,
    depth: int | None = None,
    unequal_depths: bool = False,
    **choices: Any,
) -> tuple[pd.DataFrame, list[str]]:
    """Return the result of `evaluate` by user, and the metrics: at the depth that all runs have."""
    qrels = checked(qrels, threshold)
    choices |= {"profile": profile, "per_user": True}
    runs = {name: lasting(run, f"the run {name}") for name, run in runs.items()}
    found = evaluate(qrels, runs, metrics, depth=depth, **choices)
    counted = found.attrs[ATTRIBUTE]["counted"]
    ends = {name: counted[name]["longest"] for name in runs}
    measures, shared = common(metrics, ends, depth, unequal_depths)
    if (measures, shared) == ([*metrics], depth):
        return found, measures
    return evaluate(qrels, Told(runs), measures, depth=shared, **choices), measures


def by_run(users: pd.DataFrame, metrics: Sequence[str]) -> Floats:
    """Return the values of several runs by user, float64 (n_users, n_runs, n_metrics)."""
    shape = (users["run"].nunique(), -1, len(metrics))
    values = users[[*metrics]].to_numpy(np.float64).reshape(shape)
    return np.ascontiguousarray(np.moveaxis(values, 0, 1))


def _aggregated(
    values, metrics, how, confidence, seed
) -> tuple[pd.Series | pd.DataFrame, Integers]:
    """Return the aggregates of blocks of values, and how many users have one, (n_metrics,)."""
    if confidence is None and how in MEANS:
        found, n_values = _mean(values, how)
        return pd.Series(found, index=metrics), np.broadcast_to(n_values, len(metrics))
    values = np.concatenate([*values])
    found, n_values = aggregate(values, how), (~np.isnan(values)).sum(axis=0)
    if confidence is None:
        return pd.Series(found, index=metrics), n_values
    low, high = confidence_interval(values, how, confidence, seed=seed)
    return pd.DataFrame({"value": found, "low": low, "high": high}, index=metrics), n_values


def _mean(values: Iterator[Floats], how: str) -> tuple[Floats, Integers]:
    """Return a mean over blocks of users, of which one is in memory at a time, and their counts."""
    transform, invert = MEANS[how]
    count, sums = 0, 0
    for block in values:
        has_value = ~np.isnan(block)
        count = count + has_value.sum(axis=0)
        everywhere = bool(has_value.all())  # a sum with a mask takes much longer
        sums = sums + transform(block).sum(axis=0, where=everywhere or has_value)
    return np.where(count > 0, invert(sums / np.maximum(count, 1)), np.nan), count
