"""Preferences between the lists of several systems for users of Python."""

import itertools
from collections.abc import Mapping

import numpy as np
import pandas as pd

from rankassay import __version__
from rankassay.api.definitions import ATTRIBUTE, counted
from rankassay.api.reading import NItems, common, longest, with_ids, with_n_items
from rankassay.data import inputs
from rankassay.data.frames import TIES, Qrels, Tied, Ties, lists_and_tied
from rankassay.data.listed import Listing
from rankassay.data.sources import Paths, QrelsSource, RunSource, check_several, lasting
from rankassay.errors import NeedsCutoffError, RankassayError, one_of
from rankassay.metrics.catalogue import METRICS, PREFERENCE
from rankassay.metrics.evaluate import Measure, computed, measure_values, named
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.names import SIGN, direction, parts
from rankassay.metrics.preferences import Places, signs
from rankassay.metrics.unjudged import cut
from rankassay.statistics.pairwise_orders import ORDERS
from rankassay.statistics.pairwise_orders import order as ordered
from rankassay.statistics.permutation import permutation_test
from rankassay.types import Floats


def preferences(
    qrels: QrelsSource | Qrels,
    runs: Mapping[str, RunSource] | Paths,
    kind: str = "RPP",
    threshold: float | None = None,
    *,
    order: str | None = None,
    cutoff: int | None = None,
    unequal_depths: bool = False,
    ties: Ties | None = None,
    n_items: NItems = None,
    n_permutations: int = 10_000,
    seed: int = 0,
) -> pd.DataFrame | pd.Series:
    """Return which of each two runs users prefer, from their lists and without a metric.

    Parameters
    ----------
    qrels, threshold, ties, n_items
        As in `rankassay.evaluate`. A user without relevant items prefers nothing, and does not
        count; to one whom a run has no list for, nothing relevant is listed.
    runs : dict of runs by their names, or list of paths
        Two or more, each in one of the forms of `rankassay.evaluate`.
    kind : str
        - "RPP": at how many recall levels one list is better, less the others, with the parameters
          weights="uniform", "inverse" or "log" of the levels, and graded=True for all ratings from
          the threshold on, as in "RPP(weights='log')"
        - "lexirecall": the list whose last relevant item stands higher, and so on upwards
        - "lexiprecision": the list whose first relevant item stands higher, and so on downwards,
          with by="reciprocal" for by how much
        - "sign of AP", or of any other metric: the list that it gives the better value

        `rankassay.metrics.preferences` has the definitions and their sources.
    order : {"mean", "wins", "borda", "copeland", "mc4"} or None
        Return the runs in order by their preferences in place of the pairs;
        `rankassay.statistics.pairwise_orders.order` says how.
    cutoff : int or None
        Where lists are cut; None takes them whole.
    unequal_depths : bool
        Whether lists go on where the longest one of another run ends; else all are cut there.
    n_permutations, seed
        Of the test, in which users' preferences are reversed at random; see
        `rankassay.permutation_test`.

    Returns
    -------
    DataFrame
        One row per pair of runs, with the columns run_a, run_b, preference (the mean over users,
        from -1 to 1 and above 0 where run_a is better), wins, ties and losses (shares of the users,
        of run_a), users (how many have a preference) and p_value (two-sided). Without users they
        are NaN.
    Series
        With `order`: the scores of the runs, the best first.

    Examples
    --------
    >>> import rankassay
    >>> qrels = {"ann": {"film": 5, "book": 4, "game": 1}, "bob": {"song": 4}}
    >>> runs = {
    ...     "a": {"ann": ["film", "game", "book"], "bob": ["song"]},
    ...     "b": {"ann": ["game", "film", "book"], "bob": ["song"]},
    ... }
    >>> rankassay.preferences(qrels, runs)[["run_a", "run_b", "preference", "wins", "ties"]]
      run_a run_b  preference  wins  ties
    0     a     b        0.25   0.5   0.5
    >>> rankassay.preferences(qrels, runs, "lexirecall", order="wins")
    a    0.75
    b    0.25
    dtype: float64
    """
    kind = inputs.text("kind", kind)
    seed = inputs.whole("seed", seed)
    n_permutations = inputs.whole("n_permutations", n_permutations, 1)
    if order is not None:
        one_of("order", order, ORDERS)
    if ties is not None:
        one_of("order of ties", ties, TIES)
    cutoff = None if cutoff is None else inputs.whole("cutoff", cutoff, 1)
    measure = _check(kind)
    runs = check_several(runs)
    qrels = with_ids(qrels, threshold)
    runs = {name: lasting(run, f"the run {name}") for name, run in runs.items()}
    asked, listing, ties = cutoff, Listing(qrels), ties or "trec"
    read = _read(runs, listing, qrels, ties, cutoff)
    listing.tell()
    ends = {name: longest(own) for name, (own, _) in read.items()}
    cutoff = common(["RR"], ends, cutoff, unequal_depths)[1]  # which reads whole lists, as these do
    if cutoff != asked:  # ties are counted in the places that are read
        read = _read(runs, Listing(qrels), qrels, ties, cutoff)
    judgements, depth, lists, count = qrels.judgements, cutoff or WHOLE_LIST, [], {}
    for name, (own, tied) in read.items():
        without = int((own.length == 0).sum())
        more = {"longest": ends[name], "places": cutoff}
        count[name] = counted([], len(own.length), without, [], tied, **more)
        lists.append(with_n_items(judgements, own, n_items, qrels.users))
    if measure:
        found = _signs(judgements, lists, measure, depth, asked)
    else:
        found = computed(kind, PREFERENCE, Places.of(judgements, lists, depth))
    if order is None:
        result = _table(found, [*runs], n_permutations, seed)
    else:
        result = pd.Series(ordered(found, order), index=[*runs]).sort_values(
            ascending=False, kind="stable"
        )
    choices = {"kind": kind, "order": order, "cutoff": cutoff, "threshold": judgements.threshold}
    choices |= {
        "scale": qrels.scale,
        "n_permutations": n_permutations,
        "seed": seed,
        "users": "judged",
    }
    said = {"ties": ties, "counted": count, "rankassay": __version__}
    result.attrs[ATTRIBUTE] = said | choices
    return result


def _read(
    runs: Mapping[str, RunSource], listing: Listing, qrels: Qrels, ties: Ties, cutoff: int | None
) -> dict[str, tuple[Lists, Tied]]:
    """Return the lists of all runs, and how many ties their first places have."""
    depth = cutoff or WHOLE_LIST
    rows = ((name, listing.rows(run, name)) for name, run in runs.items())
    return {name: lists_and_tied(own, qrels, ties, depth) for name, own in rows}


def _check(kind: str) -> Measure | None:
    """Return the measure whose sign is asked for, or None for a preference."""
    sign = kind.startswith(SIGN)
    found = parts(kind.removeprefix(SIGN))
    if found and found[2] is not None:
        raise RankassayError(
            f"kind: expected a {'metric' if sign else 'preference'} without a cut-off, found "
            f"'{kind}'; leave it out here, and give cutoff={found[2]}."
        )
    if sign:
        return Measure.parse(kind.removeprefix(SIGN))
    if found and found[0] in METRICS:
        raise RankassayError(
            f"unknown preference '{kind}'; for that of a metric, write '{SIGN}{kind}'. Known: "
            f"{', '.join(PREFERENCE.metrics)}."
        )
    named(kind, PREFERENCE)
    return None


def _signs(
    judgements: Judgements, lists: list[Lists], measure: Measure, depth: int, cutoff: int | None
) -> Floats:
    """Return the signs of a metric's differences in lists cut at `depth`, (n_users, n_pairs)."""
    name = measure.name if cutoff is None else f"{measure.name}@{depth}"
    if depth < WHOLE_LIST:  # also for metrics that read the whole list and ignore their cut-off
        lists = [cut(own, depth) for own in lists]
    try:
        values = [measure_values(judge(judgements, own), [name]) for own in lists]
    except NeedsCutoffError:  # which has no place in the name here
        raise RankassayError(
            f"kind: the sign of {measure.name} needs lists that are cut; give a cut-off, as in "
            "cutoff=10."
        ) from None
    found = signs(np.hstack(values) * direction(measure.name))
    found[judgements.n_relevant == 0] = np.nan
    return found


def _table(found: Floats, names: list[str], n_permutations: int, seed: int) -> pd.DataFrame:
    """Return the pairs of runs."""
    table = pd.DataFrame([*itertools.combinations(names, 2)], columns=["run_a", "run_b"])
    known = ~np.isnan(found)
    n = known.sum(axis=0)
    count = np.where(n > 0, n, np.nan)
    table["preference"] = np.where(known, found, 0.0).sum(axis=0) / count
    for name, which in (("wins", found > 0), ("ties", found == 0), ("losses", found < 0)):
        table[name] = which.sum(axis=0) / count
    against_nothing = np.stack([found, found * 0.0], axis=1)
    p = permutation_test(against_nothing, n_permutations, seed).p_values[:, 0, 1]
    return table.assign(users=n, p_value=p)
