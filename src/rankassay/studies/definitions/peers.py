"""Other libraries that compute the same metrics, each called in one function.

Every library gets the same judgements and the same order of items: a score is the number of items
from its place to the end of the list, so that no tie and no rounding of scores can change the
order. Lists are cut before they are handed over, because some metrics of these libraries take
whole lists only.
"""

import importlib.metadata
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.errors import RankassayError, one_of
from rankassay.metrics.judgements import Judgements
from rankassay.metrics.profiles import PROFILES, Profile
from rankassay.types import Booleans, Floats, Integers32

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]
Values = dict[str, dict[str, float]]  # by metric and user

FINEST = 100  # the largest denominator of ratings that are fractions
HIGHEST = 100_000  # level: trec_eval has a table of all levels up to the highest, for each user
UNLISTED = "unlisted"  # an item that no list has; the names of others are numbers


@dataclass(frozen=True)
class Known:
    """A known difference that no parameter of ours can express: its text, and the users concerned.

    `users` returns a mask over the users, bool (n_users,).
    """

    text: str
    users: Callable[[Judgements], Booleans]


@dataclass(frozen=True)
class Peer:
    """A library: how it is called, and the definitions that it is known to use.

    `call` takes judgements, a run cut at the cut-off, the relevance level and the library's names
    of the metrics; it returns the values of the users whom the library values.
    """

    call: Callable[[Qrels, Run, int, Mapping[str, str]], Values]
    distributions: tuple[str, ...]  # the packages that provide it, the first of which to install
    metrics: Mapping[str, str]  # its names, with `k` for the cut-off and `l` for the level
    # Our definitions that its values are known to equal: what differs from them is unexplained.
    stated: Profile
    without_list: Literal["value", "nan"] = "value"  # of a user: scores 0, or is excluded
    known: Mapping[str, Known] = field(default_factory=dict)  # by metric

    @property
    def version(self) -> str | None:
        """The installed version, or None."""
        for name in self.distributions:
            try:
                return importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                continue
        return None


def choose(names: Sequence[str] | None) -> dict[str, str | None]:
    """Return the version of each peer that is to be called, and None for those not installed.

    Peers that are named must be installed; None is all, installed or not. Raises RankassayError for
    an unknown name, or one that is not installed.
    """
    versions = {name: peer.version for name, peer in PEERS.items()}
    for name in names or []:
        one_of("peer", name, PEERS)
        if versions[name] is None:
            raise RankassayError(
                f"the peer '{name}' is not installed; pip install {PEERS[name].distributions[0]}"
            )
    return {name: versions[name] for name in PEERS if names is None or name in names}


def judgements(test: sp.csr_matrix, threshold: float) -> tuple[Qrels, int]:
    """Return the test ratings as whole numbers, as these libraries take them, and the level.

    Ratings with halves are multiplied by 2, and so on: where the gain is the rating itself, this
    changes no normalised metric. Ratings below 0 become -1: trec_eval does not distinguish them,
    and a user with none above -2 ends its process. A user with none above -1 has an unlisted item
    of level 0, too, which changes no value. Raises RankassayError for ratings that libraries do not
    bear: that no factor up to 100 makes whole, beyond 100,000, or with a threshold up to 0.
    """
    ratings = test.data.astype(np.float64)
    for factor in range(1, FINEST + 1):
        whole = np.rint(ratings * factor)
        if np.allclose(whole, ratings * factor, rtol=0, atol=1e-4):
            break
    else:
        raise RankassayError(
            "other libraries take whole ratings only; expected ratings that a factor up to "
            f"{FINEST} makes whole, found others"
        )
    if threshold <= 0 or whole.max(initial=0) > HIGHEST:
        raise RankassayError(
            f"other libraries take a threshold above 0 and levels up to {HIGHEST}, found the "
            f"threshold {threshold:g} and the level {whole.max(initial=0):.0f}"
        )
    whole = np.maximum(whole, -1)
    qrels = {
        user_id(user): {
            str(item): int(rating)
            for item, rating in zip(test.indices[own], whole[own], strict=True)
        }
        for user in np.flatnonzero(np.diff(test.indptr))
        for own in [slice(test.indptr[user], test.indptr[user + 1])]
    }
    for own in qrels.values():
        if max(own.values()) < 0:
            own[UNLISTED] = 0
    # The small difference keeps the noise of the product from lifting the level.
    return qrels, max(1, int(np.ceil(threshold * factor - 1e-4)))


def user_id(user: int) -> str:
    """Return a user's name; names are in the order of the users, also as strings."""
    return f"{user:09d}"


def as_run(rankings: Rankings, users: Integers32) -> Run:
    """Return a system's lists, best first; users without a list are excluded."""
    # Each item's name, and each place's score, is made once and not once for each user.
    listed = rankings.items
    names = [str(item) for item in range(listed.max(initial=-1) + 1)]
    scores = [float(rankings.depth - k) for k in range(rankings.depth)]
    lists = ((user_id(user), listed[user].tolist()) for user in users)
    return {
        user: {names[i]: score for i, score in zip(items, scores, strict=True) if i >= 0}
        for user, items in lists
        if items[0] >= 0
    }


def cut(run: Run, cutoff: int) -> Run:
    """Return the first items of every list."""
    return {user: dict(itertools.islice(items.items(), cutoff)) for user, items in run.items()}


def values(
    name: str, qrels: Qrels, run: Run, level: int, metrics: Sequence[str], cutoff: int
) -> Floats:
    """Compute metrics by a peer, float64 (n_users, n_metrics), in the order of `qrels`.

    `qrels` and `level` are as `judgements` returns them; `run` is cut at the cut-off. NaN stands
    for a user without a value, and for metrics that the peer does not have.
    """
    peer = PEERS[name]
    names = {m: peer.metrics[m].format(k=cutoff, l=level) for m in metrics if m in peer.metrics}
    found = peer.call(qrels, run, level, names)
    by_metric = [found.get(m, {}) for m in metrics]
    columns = [[own.get(user, np.nan) for user in qrels] for own in by_metric]
    return np.array(columns, dtype=np.float64).T


def _pytrec_eval(qrels: Qrels, run: Run, level: int, names: Mapping[str, str]) -> Values:
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(names.values()), relevance_level=level)
    found = evaluator.evaluate(run)
    keys = {metric: name.replace(".", "_") for metric, name in names.items()}
    return {m: {user: own[key] for user, own in found.items()} for m, key in keys.items()}


def _ranx(qrels: Qrels, run: Run, level: int, names: Mapping[str, str]) -> Values:
    import ranx

    # One thread: what a failing user takes along depends on how users are shared out.
    judged, listed = ranx.Qrels(qrels), ranx.Run(run)
    ranx.evaluate(judged, listed, [*names.values()], make_comparable=True, threads=1)
    return {metric: listed.scores[name] for metric, name in names.items()}


def _ir_measures(qrels: Qrels, run: Run, level: int, names: Mapping[str, str]) -> Values:
    import ir_measures

    metrics = {ir_measures.parse_measure(name): metric for metric, name in names.items()}
    found: Values = {metric: {} for metric in names}
    for value in ir_measures.iter_calc([*metrics], qrels, run):
        found[metrics[value.measure]][value.query_id] = value.value
    return found


TREC = PROFILES["trec"].parameters
SET_F = {"F1": {"denominator": "listed"}}  # trec_eval's set_F has the precision of set_P

# By metric, the names of pytrec_eval, ranx and ir_measures.
NAMES = {
    "P": ("P.{k}", "precision@{k}-l{l}", "P(rel={l})@{k}"),
    "R": ("recall.{k}", "recall@{k}-l{l}", "R(rel={l})@{k}"),
    "AP": ("map_cut.{k}", "map@{k}-l{l}", "AP(rel={l})@{k}"),
    "nDCG": ("ndcg_cut.{k}", "ndcg@{k}-l{l}", "nDCG@{k}"),
    "RR": ("recip_rank", "mrr@{k}-l{l}", "RR(rel={l})@{k}"),
    "Bpref": ("bpref", "bpref-l{l}", "Bpref(rel={l})"),
    "infAP": ("infAP", None, "infAP(rel={l})"),
    "F1": ("set_F", "f1@{k}-l{l}", "SetF(rel={l})"),
    "Success": ("success.{k}", "hit_rate@{k}-l{l}", "Success(rel={l})@{k}"),
}
PYTREC_EVAL, RANX, IR_MEASURES = (
    {metric: own for metric, own in zip(NAMES, names, strict=True) if own}
    for names in zip(*NAMES.values(), strict=True)
)

PEERS = {
    "pytrec_eval": Peer(
        _pytrec_eval,
        ("pytrec-eval-terrier", "pytrec-eval"),
        PYTREC_EVAL,
        Profile("trec_eval 9", TREC | SET_F),
        without_list="nan",
    ),
    "ranx": Peer(
        _ranx,
        ("ranx",),
        RANX,
        Profile(
            "ranx 0.3: below the level nothing gains; bpref divides by zero",
            {"nDCG": {"ideal": "relevant"}, "Bpref": {"without_nonrelevant": "nan"}},
        ),
        known={
            "Bpref": Known(
                "ranx fails silently at the first user without relevant items, and with it all "
                "later users (of the same thread, here one) score 0; a user without judged "
                "non-relevant items is left without a value, or gets 0 without a hit, and a single "
                "user without a value makes ranx's own mean NaN",
                lambda judged: (
                    np.logical_or.accumulate(judged.n_relevant == 0) | (judged.n_nonrelevant == 0)
                ),
            )
        },
    ),
    "ir_measures": Peer(
        _ir_measures,
        ("ir-measures",),
        IR_MEASURES,
        Profile("ir_measures 0.4, by way of trec_eval 9", TREC | SET_F),
    ),
}
