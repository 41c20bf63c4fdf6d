"""The same runs under every definition: where values differ, whether rankings do, and why.

"Evaluation metrics for recommender systems", a blog post of 2017, found no agreement on the
definitions behind the names of metrics. Each source of definitions, a profile or another library,
is compared with the reference, which is the configured profile.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.errors import RankassayError, number_of
from rankassay.lookup import find, load
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.catalogue import metric as metric_target
from rankassay.metrics.evaluate import Measure, evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.profiles import PROFILES, Profile
from rankassay.progress import progress
from rankassay.statistics.orders import DECIMALS
from rankassay.statistics.rank_correlation import tau_b
from rankassay.studies.definitions import peers as libraries
from rankassay.types import Floats, Integers

log = logging.getLogger(__name__)

Measures = Sequence[tuple[str, int]]  # metrics and cut-offs

TOLERANCE = 1e-9  # values of a user that are nearer than this are the same
NOT_INSTALLED = "not installed"
NO_METRIC = "has no such metric"
SAME = "same definition"


@dataclass(frozen=True)
class Source:
    """A set of definitions: a profile, or a library with the definitions it is known to use."""

    name: str
    stated: Profile
    without_relevant: str  # "value" or "nan": what a user without relevant items gets,
    without_list: str = "value"  # and a user without a list
    version: str | None = None  # of a library
    absence: str = ""  # why a library has no values of any metric

    @property
    def peer(self) -> libraries.Peer | None:
        """The library, if it is one."""
        return None if self.name in PROFILES else libraries.PEERS[self.name]

    def absent(self, metric: str) -> str:
        """Return why there are no values of a metric; empty if there are."""
        if self.absence:
            return self.absence
        return NO_METRIC if self.peer and metric not in self.peer.metrics else ""

    def measure(self, metric: str, cutoff: int) -> Measure:
        """Return the definition as a measure that holds under the profile `paper`, written out."""
        return Measure(
            metric, tuple(sorted(self.stated.parameters.get(metric, {}).items())), cutoff
        )

    def choices(self, metric: str) -> dict:
        """Return every choice in which definitions of a metric can differ, with its value."""
        parameters = load(metric_target(metric)).__kwdefaults__ or {}
        users = {name: getattr(self, name) for name in ("without_relevant", "without_list")}
        return parameters | self.stated.parameters.get(metric, {}) | users


def all_sources(evaluation: dict, peers: Sequence[str] | None) -> list[Source]:
    """Return the sources: the configured profile, the other profiles, and the peers."""
    first = find("profile", evaluation["profile"], PROFILES)
    chosen = evaluation["without_relevant"] or first.without_relevant
    others = [name for name in PROFILES if name != evaluation["profile"]]
    sources = [Source(evaluation["profile"], first, chosen)]
    sources += [Source(name, PROFILES[name], PROFILES[name].without_relevant) for name in others]
    for name, version in libraries.choose(peers).items():
        peer = libraries.PEERS[name]
        absence = NOT_INSTALLED if version is None else ""
        sources.append(Source(name, peer.stated, "value", peer.without_list, version, absence))
        if version is None:
            log.warning("%s: not installed, not compared", name)
        else:
            log.info("%s %s", name, version)
    return sources


def explain(metric: str, source: Source, reference: Source, differs: bool, unexplained: int) -> str:
    """Return why a source's values differ from the reference's.

    `differs` is whether any user's value does, and `unexplained` to how many users a library gives
    another value than is known of it.
    """
    own, other = source.choices(metric), reference.choices(metric)
    parts = [
        f"{name}: {_short(value)} instead of {_short(other[name])}"
        for name, value in own.items()
        if value != other[name]
    ]
    text = "; ".join(parts) or SAME
    if parts and not differs:
        text += " (no user differs)"
    if unexplained:
        users = number_of(unexplained, "user", ("differs", "differ"))
        text += f"; {users} otherwise, unexplained"
    known = source.peer.known.get(metric) if source.peer else None
    return f"{text}; {known.text}" if known and differs else text


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def discrepancies(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    peers: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Evaluate all systems under every profile and with every peer, and compare.

    Of `evaluation`, the `profile` with `without_relevant` is the reference; `aggregate` makes the
    means.

    Returns
    -------
    DataFrame
        A row for each metric, cut-off, source and system, with the columns version: of the library;
        empty for a profile; value, place: the mean over the users who have a value, and the
        system's place by it; max_difference: the largest difference of a user's value from that of
        the reference; differing: users whose two values differ by more than 1e-9; left_out: users
        who have a value under one of the two only; unexplained: users for whom a library's value
        differs from its known definition; users: all users with test ratings; tau, reordered:
        Kendall's tau-b between the rankings of systems under the source and under the reference,
        and the pairs of systems that the two reverse; same_as: the first source that gives every
        user and system the same value; definition: the equivalent measure under the profile
        `paper`; reason: the choices that differ from the reference's, and differences that no
        choice explains. A source without values has one row for each metric and cut-off, with the
        reason.
    """
    judgements = Judgements.of(test, evaluation["threshold"])
    sources = all_sources(evaluation, peers)
    measures = [*product(metrics, cutoffs)]
    judged: tuple[libraries.Qrels, int] = ({}, 0)
    if any(_is_called(source) for source in sources):
        try:
            judged = libraries.judgements(test, evaluation["threshold"])
        except RankassayError as error:
            log.warning("%s: the libraries are left out", error)
            sources = [
                replace(own, absence=str(error)) if _is_called(own) else own for own in sources
            ]
    callable_peers = [source.name for source in sources if _is_called(source)]
    compared = []
    for ranking in progress(rankings.values(), "systems"):
        ours = _stated_values(judgements, ranking, sources, measures)
        theirs = ours.copy()
        library_run = libraries.as_run(ranking, judgements.users) if callable_peers else {}
        for s, source in enumerate(sources):
            if source.name in callable_peers:
                theirs[s] = _peer_values(source.name, judged, library_run, measures)
                # Of users whom a known difference concerns, the library's values are as stated.
                for m, (metric, _) in enumerate(measures):
                    if metric in source.peer.known:
                        users = source.peer.known[metric].users(judgements)
                        ours[s][users, m] = theirs[s][users, m]
        compared.append(_compare(theirs, ours, evaluation["aggregate"]))
    return _table(sources, measures, [*rankings], compared, judgements.n_users)


def _is_called(source: Source) -> bool:
    return source.peer is not None and not source.absence


def _stated_values(
    judgements: Judgements, ranking: Rankings, sources: Sequence[Source], measures: Measures
) -> Floats:
    """Return one system's values under our definitions, (n_sources, n_users, n_measures)."""
    lists = Lists.of(ranking, judgements)
    values = np.empty((len(sources), judgements.n_users, len(measures)))
    for s, source in enumerate(sources):
        names = [str(source.measure(*measure)) for measure in measures]
        values[s] = evaluate(
            judgements, [lists], names, "paper", ranking.depth, source.without_relevant
        )[:, 0]
        if source.without_list == "nan":
            values[s][lists.length == 0] = np.nan
    return values


def _peer_values(
    name: str, judged: tuple[libraries.Qrels, int], run: libraries.Run, measures: Measures
) -> Floats:
    """Return one system's values by a library, (n_users, n_measures)."""
    qrels, level = judged
    values = np.full((len(qrels), len(measures)), np.nan)
    for cutoff in {cutoff for _, cutoff in measures}:
        columns = [m for m, (_, depth) in enumerate(measures) if depth == cutoff]
        metrics = [measures[m][0] for m in columns]
        cut = libraries.cut(run, cutoff)
        values[:, columns] = libraries.values(name, qrels, cut, level, metrics, cutoff)
    return values


def _compare(values: Floats, stated: Floats, how: str) -> dict[str, npt.NDArray]:
    """Compare one system's values with those of the first source, the reference, and as stated.

    The results are (n_sources, n_measures), see `discrepancies` for their names; `equal`,
    (n_sources, n_sources, n_measures), says which sources give the same.
    """
    size, differing, left_out = _difference(values, values[:1])
    _, otherwise, missing = _difference(values, stated)
    pairs = [_difference(values, values[s : s + 1])[1:] for s in range(len(values))]
    equal = np.array([np.add(*pair) == 0 for pair in pairs])
    found = {"value": np.array([aggregate(own, how) for own in values]), "max_difference": size}
    found |= {"differing": differing, "left_out": left_out}
    return found | {"unexplained": otherwise + missing, "equal": equal}


def _difference(values: Floats, other: Floats) -> tuple[Floats, npt.NDArray, npt.NDArray]:
    """Return the largest difference, and how many users differ or have one value, by measure."""
    gap = np.abs(values - other)
    one_missing = np.isnan(values) != np.isnan(other)
    largest = np.where(np.isnan(gap), 0.0, gap).max(axis=1, initial=0.0)
    return largest, (gap > TOLERANCE).sum(axis=1), one_missing.sum(axis=1)


def changes_of_order(values: Floats, reference: Floats) -> tuple[Floats, Integers]:
    """Return tau-b of two valuations, and the number of pairs of systems that they reverse.

    Both are float64 (..., n_systems). NaN counts as 0; values that are equal to 12 decimals tie.
    """
    x, y = (np.round(np.nan_to_num(v), DECIMALS) for v in (values, reference))
    first, second = np.triu_indices(x.shape[-1], k=1)
    product = np.sign(x[..., first] - x[..., second]) * np.sign(y[..., first] - y[..., second])
    return tau_b(x, y), (product < 0).sum(axis=-1)


def _table(
    sources: Sequence[Source],
    measures: Measures,
    systems: Sequence[str],
    compared: Sequence[dict[str, npt.NDArray]],
    n_users: int,
) -> pd.DataFrame:
    """Return the rows of all measures, sources and systems."""
    columns = {name: np.array([one[name] for one in compared]) for name in compared[0]}
    equal = columns.pop("equal").all(axis=0)
    by_system = np.moveaxis(columns["value"], 0, -1)  # (n_sources, n_measures, n_systems)
    tau, reordered = changes_of_order(by_system, by_system[:1])
    parts = []
    for m, (metric, cutoff) in enumerate(measures):
        for s, source in enumerate(sources):
            head = {"metric": metric, "cutoff": cutoff, "source": source.name}
            head["version"] = source.version or ""
            if source.absent(metric):
                parts.append(pd.DataFrame([head | {"reason": source.absent(metric)}]))
                continue
            own = {name: values[:, s, m] for name, values in columns.items()}
            differs = bool((own["differing"] + own["left_out"]).any())
            tail = {"users": n_users, "tau": tau[s, m], "reordered": reordered[s, m]}
            tail["same_as"] = sources[int(equal[s, :, m].argmax())].name
            tail["definition"] = str(source.measure(metric, cutoff))
            unexplained = int(own["unexplained"].max())
            tail["reason"] = explain(metric, source, sources[0], differs, unexplained)
            parts.append(pd.DataFrame(head | {"system": systems} | own | tail))
    return _tidy(pd.concat(parts, ignore_index=True))


def _tidy(table: pd.DataFrame) -> pd.DataFrame:
    """Add the systems' places, and put the columns in their order and counts in whole numbers."""
    by_source = [table[name] for name in ("metric", "cutoff", "source")]
    places = table["value"].round(DECIMALS).groupby(by_source).rank(method="min", ascending=False)
    whole = ["place", "differing", "left_out", "unexplained", "users", "reordered"]
    table = table.assign(place=places).astype(dict.fromkeys(whole, "Int64"))
    order = ["metric", "cutoff", "source", "version", "system", "value", "place", "max_difference"]
    order += ["differing", "left_out", "unexplained", "users", "tau", "reordered"]
    return table[[*order, "same_as", "definition", "reason"]]
