"""Metrics beyond accuracy for users of Python: lists and training ratings in, a few numbers out."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay import __version__
from rankassay.api.definitions import ATTRIBUTE, counted
from rankassay.api.reading import each, together
from rankassay.data import inputs
from rankassay.data.frames import TIES, Rows, Tied, Ties, once, ordered
from rankassay.data.ids import flat, ids, places, shown
from rankassay.data.listed import ONE, Listing
from rankassay.data.sources import QrelsSource, RunSource, rows_of
from rankassay.errors import NeedsCutoffError, RankassayError, one_of, shortened, written
from rankassay.metrics.beyond.lists import Catalogue, Groups, Shown, Sums
from rankassay.metrics.catalogue import BEYOND, entry
from rankassay.metrics.diversity.lists import Aspects
from rankassay.metrics.evaluate import Measure, computed, resolve
from rankassay.metrics.judgements import WHOLE_LIST
from rankassay.metrics.relevance import usual_threshold
from rankassay.statistics.draws import Draws
from rankassay.statistics.replicated import interval
from rankassay.statistics.set_measures import of_values, resampled
from rankassay.types import Floats, Integers, Integers32

Attribute = pd.Series | Mapping[object, object]

DEFAULT = ("Coverage@10", "Gini@10", "ARP@10", "EPC@10")
RESAMPLES = 1000


def beyond(
    run: RunSource | Mapping[str, RunSource],
    train: QrelsSource,
    metrics: str | Sequence[str] = DEFAULT,
    *,
    qrels: QrelsSource | None = None,
    threshold: float | None = None,
    aspects: Mapping[object, Iterable[object]] | None = None,
    item_groups: Attribute | None = None,
    user_groups: Attribute | None = None,
    ties: Ties = "trec",
    confidence: float | None = None,
    seed: int = 0,
    not_candidates: str = "error",
) -> pd.Series | pd.DataFrame:
    """Return metrics beyond accuracy of one run or several: coverage, novelty, fairness and others.

    Parameters
    ----------
    run : frame, dict, path or array, or a dict of several by their names
        What a system lists; the forms are those of `rankassay.evaluate`. Every item that could be
        listed should be in `train`, or in `qrels`: these, and those that are listed, are the
        catalogue.
    train : frame, dict, path or matrix
        The ratings that the system learned from, of which popularity is counted; the forms are
        those of judgements in `rankassay.evaluate`.
    metrics : sequence of str
        Metrics with cut-offs and parameters, as in "Coverage@10" or "EPC(discount='log')@10";
        `rankassay.metrics.catalogue.BEYOND_METRICS` names all.
    qrels : as `train`, or None
        What users think of items, for metrics that read it: serendipity, expected exposure, groups
        by relevance, and the quality for groups of users. With these, the users who count are those
        with judgements; else those of the runs.
    threshold : float or None
        Items rated at least this high in `qrels` are relevant; None as in `rankassay.evaluate`.
    aspects : dict {item: aspects} or None
        Such as genres, for intra-list diversity by aspects and calibration.
    item_groups, user_groups : Series or dict or None
        The group of each item or user, such as {"film": "new"}, for metrics of fairness. Those that
        are not there have an unknown group.
    ties : {"item", "trec", "input"}
        Which of two items with equal scores comes first; see `rankassay.evaluate`.
    confidence : float or None
        The level, such as 0.95, of intervals over resampled users, who are drawn with their lists.
    seed : int
        Of the resamples.
    not_candidates : {"error", "drop", "keep"}
        What becomes of listed items that the user rated in training, as in `rankassay.evaluate`.

    Returns
    -------
    Series, float64 (n_metrics,)
        The values by the names of the metrics, as given. `rankassay.describe` says how they were
        made, and of how many users and ties; so it does for frames.
    DataFrame
        With `confidence`: one row per metric, with the columns value, low and high. Of several
        runs: one row per run, with a column for each metric; with `confidence`, one row per run and
        metric.

    Examples
    --------
    >>> import rankassay
    >>> train = {"ann": {"film": 5, "book": 3}, "bob": {"film": 4}, "eve": {"game": 2}}
    >>> run = {"ann": ["game", "song"], "bob": ["book", "game"], "eve": ["film", "book"]}
    >>> rankassay.beyond(run, train, ["Coverage@2", "ARP@2"])
    Coverage@2    1.0
    ARP@2         1.0
    dtype: float64
    """
    metrics, seed = inputs.names("metrics", metrics), inputs.whole("seed", seed)
    threshold = None if threshold is None else inputs.number("threshold", threshold)
    if confidence is not None:
        confidence = inputs.level("confidence", confidence)
    one_of("order of ties", ties, TIES)
    asked = [_measure(name, qrels is not None) for name in metrics]
    trained = once(rows_of(train, "the training ratings", "rating"))
    tested = None if qrels is None else once(rows_of(qrels, "the judgements", "rating"))
    runs = {
        name: rows_of(own, "the run" if name is None else f"the run {name}", "score")
        for name, own in each(run)
    }
    scale = None
    if tested is None:
        threshold = 0.0  # of no ratings
    elif threshold is None:
        threshold, scale = usual_threshold(tested.value, tested.what)
    sides = [trained, *([] if tested is None else [tested]), *runs.values()]
    users, items = (_union(getattr(side, kind) for side in sides) for kind in ("users", "items"))
    catalogue = Catalogue(
        _matrix(trained, users, items),
        None if aspects is None else _aspects(aspects, items),
        None if item_groups is None else _groups("item_groups", item_groups, items, "item"),
        None if user_groups is None else _groups("user_groups", user_groups, users, "user"),
    )
    listing = Listing(tested, trained, not_candidates)
    runs = {name: listing.rows(own, name) for name, own in runs.items()}
    listing.tell()
    counts = _union(own.users for own in ([tested] if tested is not None else runs.values()))
    if not len(counts):
        raise RankassayError("the run: expected the list of some user, found none.")
    rows = places(users, counts)
    nothing = sp.csr_matrix(catalogue.train.shape)
    test = nothing if tested is None else _matrix(tested, users, items)
    depth = max(measure.cutoff or 1 for measure in asked)
    draws = Draws.none(len(rows)) if confidence is None else Draws.of(len(rows), RESAMPLES, seed)
    found, about = {}, {}
    for name, own in runs.items():
        listed, tied = _lists(own, counts, items, ties, depth)
        lists = Shown.of(listed, rows, test, threshold, catalogue)
        measures = [_sums(lists, measure) for measure in asked]
        numbers = np.array([resampled(sums, draws) for sums, _ in measures])
        found[name] = _result(numbers, metrics, asked, confidence)
        without = int((~lists.listed.any(axis=1)).sum())
        n_values = np.array([n for _, n in measures])
        read = None if depth == WHOLE_LIST else depth
        end = int((listed >= 0).sum(axis=1).max(initial=0))
        about[name] = counted(metrics, len(rows), without, n_values, tied, places=read, longest=end)
    result = together(found)
    result.attrs[ATTRIBUTE] = {
        "rankassay": __version__,
        "metrics": dict(zip(metrics, map(_defined, asked), strict=True)),
        "threshold": None if tested is None else threshold,
        "scale": scale,
        "ties": ties,
        "not_candidates": listing.defined(),
        "confidence": confidence,
        "seed": None if confidence is None else seed,
        "catalogue": _data_on_users_and_items(catalogue),
        "counted": {ONE if name is None else name: own for name, own in about.items()},
    }
    return result


def _measure(name: str, judged: bool) -> Measure:
    """Return a measure; raises RankassayError for one that lacks judgements or a cut-off."""
    measure = Measure.parse(name, BEYOND)
    resolve(measure.metric, measure.parameters)
    known = entry(measure.name)
    if not judged and "judgements" in known.needs:
        raise RankassayError(
            f"qrels: expected judgements, which {name} reads, found none; give them, or leave it "
            "out."
        )
    if measure.cutoff is None and known.cut:
        raise NeedsCutoffError(name)
    return measure


def _union(indices: Iterable[pd.Index]) -> pd.Index:
    """Return the distinct ids in order of appearance; raises RankassayError for two kinds."""
    every = pd.Series(flat(own for index in indices for own in index.tolist()), dtype=object)
    return ids("the training ratings and the lists", "user or item", every)[1]


def _matrix(rows: Rows, users: pd.Index, items: pd.Index) -> sp.csr_matrix:
    """Return ratings as a matrix of users by items, in which 0 is a rating, too."""
    row, column = places(users, rows.users)[rows.user], places(items, rows.items)[rows.item]
    order = np.lexsort((column, row))
    start = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(users)))))
    entries = (rows.value[order], column[order].astype(np.int32), start)
    return sp.csr_matrix(entries, shape=(len(users), len(items)))


def _lists(
    run: Rows, users: pd.Index, items: pd.Index, ties: Ties, depth: int
) -> tuple[Integers32, Tied]:
    """Return each user's list down to a depth, padded with -1, and how many ties there are."""
    start, order, tied = ordered(run.once(), ties)
    longest = int(np.diff(start).max(initial=0))
    found = np.full((len(users), max(min(depth, longest), 1)), -1, dtype=np.int32)
    item = places(items, run.items)[run.item[order]]
    for row, own in enumerate(places(run.users, users)):
        if own >= 0:
            listed = item[start[own] : start[own + 1]][: found.shape[1]]
            found[row, : len(listed)] = listed
    return found, Tied.of(run, users, start, order, tied, depth)


def _aspects(source: Mapping[object, Iterable[object]], items: pd.Index) -> Aspects:
    """Return the aspects of items; those of unknown ones are passed over."""
    if not isinstance(source, Mapping) or any(
        isinstance(own, str | bytes) or not isinstance(own, Iterable) for own in source.values()
    ):
        raise RankassayError("aspects: expected a dict {item: aspects}, as in {'film': ['drama']}.")
    place = _places("aspects", source, items)
    source = {item: [*own] for item, own in source.items()}
    for item, own in source.items():
        if not all(isinstance(name, Hashable) and not _missing(name) for name in own):
            raise RankassayError(
                "aspects: expected names of aspects, such as 'drama', found "
                f"{shortened(own)} for {written(item, repr)}."
            )
    every = dict.fromkeys(name for own in source.values() for name in own)
    names = {name: k for k, name in enumerate(every)}
    shows = np.zeros((len(items), max(len(names), 1)), dtype=bool)
    for row, own in zip(place, source.values(), strict=True):
        if row >= 0:
            shows[row, [names[name] for name in own]] = True
    return Aspects.of(shows)


def _missing(name: object) -> bool:
    return pd.api.types.is_scalar(name) and bool(pd.isna(name))


def _groups(what: str, source: Attribute, known: pd.Index, kind: str) -> Groups:
    """Return groups by an attribute; raises RankassayError where no id is known."""
    if isinstance(source, pd.Series):
        if not source.index.is_unique:
            raise RankassayError(f"{what}: expected each {kind} once, found some twice; keep one.")
        source = source.to_dict()
    if not isinstance(source, Mapping):
        raise RankassayError(f"{what}: expected a Series or a dict {{{kind}: group}}.")
    source = {key: name for key, name in source.items() if not _missing(name)}
    if wrong := [name for name in source.values() if not isinstance(name, Hashable)]:
        raise RankassayError(
            f"{what}: expected the name of a group for each {kind}, found "
            f"{shortened(wrong[0])} ({type(wrong[0]).__name__}); write it as text."
        )
    place = _places(what, source, known)
    there = place >= 0
    # A group of which nobody is known is none: it would deserve exposure that it cannot have.
    own = [written(name) for name, found in zip(source.values(), there, strict=True) if found]
    names = {name: k for k, name in enumerate(dict.fromkeys(own))}
    group = np.full(len(known), -1, dtype=np.int32)
    group[place[there]] = np.array([names[name] for name in own], dtype=np.int32)
    return Groups(tuple(names), group)


def _places(what: str, source: Mapping, known: pd.Index) -> Integers:
    """Return the place of each key; raises RankassayError if none is known."""
    keys = ids(what, "item or user", pd.Series(flat(source), dtype=object))[1]
    if len(keys) != len(source):
        raise RankassayError(f"{what}: expected ids, found a key that is none; leave it out.")
    place = places(known, keys)
    if not (place >= 0).any():
        found = shown(keys, 0) if len(keys) else "none"
        raise RankassayError(
            f"{what}: expected ids like {shown(known, 0)}, found {found} and no other one that is "
            "known; give the same ids as in the lists."
        )
    return place


def _sums(lists: Shown, measure: Measure) -> tuple[Sums, int]:
    """Return a measure of the lists, and how many users have a value: all, of one of the whole."""
    found = computed(measure.name, BEYOND, lists, np.array([measure.cutoff or 1]))
    if isinstance(found, list):
        return found[0], len(lists.items)
    return of_values(found)[0], int((~np.isnan(found)).sum())


def _defined(measure: Measure) -> dict[str, object]:
    """Return the definition of a measure, with all its parameters."""
    _, given = resolve(measure.metric, measure.parameters)
    cutoff = measure.cutoff if entry(measure.metric).cut else None
    return {"metric": measure.metric, "cutoff": cutoff} | given


def _data_on_users_and_items(catalogue: Catalogue) -> dict[str, object]:
    """Return the data on users and items, in numbers and names."""
    users, items = catalogue.train.shape
    told = {"users": users, "items": items, "ratings": catalogue.train.nnz}
    aspects, groups = catalogue.aspects, (catalogue.item_groups, catalogue.user_groups)
    names = [None if own is None else [*own.names] for own in groups]
    told |= {"aspects": None if aspects is None else aspects.matrix.shape[1]}
    return told | {"item_groups": names[0], "user_groups": names[1]}


def _result(numbers: Floats, metrics: Sequence[str], asked: Sequence[Measure], level: float | None):
    if level is None:
        return pd.Series(numbers[:, 0], index=metrics)
    # Centred resamples can lie where no value of a metric does.
    bounds = np.array([entry(measure.name).bounds for measure in asked]).T
    low, high = interval(numbers[:, 0], numbers[:, 1:], level, bounds)
    return pd.DataFrame({"value": numbers[:, 0], "low": low, "high": high}, index=metrics)
