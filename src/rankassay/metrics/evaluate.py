"""Measures by name, and the evaluation of what they measure: one way for all kinds of metrics."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from rankassay.errors import LONGEST, RankassayError, one_of
from rankassay.lookup import find, load
from rankassay.metrics import own
from rankassay.metrics.catalogue import DIVERSITY, RANKING, Kind, entry
from rankassay.metrics.catalogue import metric as target_of
from rankassay.metrics.judged import Judged, judge
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists, blocks
from rankassay.metrics.names import parts, unknown_metric
from rankassay.metrics.parameters import as_text, check_parameters, kinds_of, parameters_of
from rankassay.metrics.profiles import PROFILES, WITHOUT_RELEVANT
from rankassay.metrics.totals import Total, grouped_sums
from rankassay.types import Floats, Integers

BLOCK = 65536  # users at a time: a list takes some 40 bytes a judged item


@dataclass(frozen=True)
class Measure:
    """A metric with its parameters and, unless it takes whole lists, a cut-off.

    Written as in `nDCG(truncate_ideal=False)@10`, by any name in `rankassay.metrics.names`; one of
    the user's own as in `mine:hit_rate@10`, see `rankassay.metrics.own`.
    """

    metric: str
    parameters: tuple[tuple[str, object], ...] = ()
    cutoff: int | None = None

    @classmethod
    @functools.cache
    def parse(cls, text: str, kind: Kind = RANKING) -> Self:
        """Return the measure that a text names; raises RankassayError with the nearest name."""
        found = parts(text)
        if found is None:
            raise _unreadable(text, kind)
        name, parameters, cutoff = found
        name = {known.lower(): known for known in kind.metrics}.get(name.lower(), name)
        if name not in kind.metrics and not (kind is RANKING and ":" in name):
            raise unknown_metric(name, kind.metrics, kind.called)
        if cutoff is not None and not 1 <= int(cutoff) < WHOLE_LIST:
            raise RankassayError(
                f"the cut-off of '{text[:LONGEST]}' must be at least 1 and below {WHOLE_LIST}; "
                "without one, the measure takes the whole list."
            )
        values = tuple(sorted(parameters_of(text, parameters).items()))
        return cls(name, values, int(cutoff) if cutoff else None)

    @property
    def name(self) -> str:
        """The metric with its parameters, without the cut-off."""
        return as_text(self.metric, self.parameters)

    def __str__(self) -> str:
        return self.name if self.cutoff is None else f"{self.name}@{self.cutoff}"


def _unreadable(text: str, kind: Kind) -> RankassayError:
    return RankassayError(
        f"cannot read the {kind.called} '{text[:LONGEST]}'; expected a form like {kind.form}."
    )


def named(text: str, kind: Kind) -> Measure:
    """Return the metric of a kind that a text without a cut-off names.

    Raises RankassayError for another text, and for parameters that the metric does not have.
    """
    measure = Measure.parse(text, kind)
    if measure.cutoff is not None:
        raise _unreadable(text, kind)
    resolve(measure.metric, measure.parameters)
    return measure


def computed(text: str, kind: Kind, *given):
    """Return what the function of a metric, as `named` reads it, makes of the input of its kind.

    That is what the functions of the kind take: lists and cut-offs, or places of relevant items.
    """
    measure = named(text, kind)
    function, parameters = resolve(measure.metric, measure.parameters)
    return function(*given, **parameters)


def diversity_values(lists, metrics: Sequence[str], cutoffs: Sequence[int]) -> Floats:
    """Return metrics of `AspectLists` at every cut-off, float64 (n_users, n_metrics, n_cutoffs)."""
    depths = np.array(cutoffs, dtype=np.int64)
    values = np.empty((lists.interests.n_users, len(metrics), len(depths)))
    for column, text in enumerate(metrics):
        values[:, column] = computed(text, DIVERSITY, lists, depths)
    return values


def grid(metrics: Iterable[str], cutoffs: Iterable[int]) -> list[str]:
    """Return the names of all measures of some metrics at some cut-offs, metric by metric."""
    return [f"{metric}@{cutoff}" for metric in metrics for cutoff in cutoffs]


def reach(measures: Iterable[str], depth: int | None = None) -> int:
    """Return the deepest place that measures read of lists; `WHOLE_LIST` if one reads all."""
    cutoffs = [m.cutoff if entry(m.name).cut else None for m in map(Measure.parse, measures)]
    return min(depth or WHOLE_LIST, max((c or WHOLE_LIST for c in cutoffs), default=0))


def measure_values(
    judged: Judged,
    measures: Sequence[str],
    profile: str = "paper",
    without_relevant: str | None = None,
) -> Floats:
    """Return every measure for every user, float64 (n_users, n_measures); see `evaluate`.

    Measures that differ only in their cut-off are computed together.
    """
    values = np.empty((judged.judgements.n_users, len(measures)))
    for columns, result in _results(judged, measures, profile):
        if isinstance(result, Total) and isinstance(columns, slice):
            result.values(out=values[:, columns])
        else:
            values[:, columns] = result.values() if isinstance(result, Total) else result
    if drops_without_relevant(profile, without_relevant):
        values[judged.judgements.n_relevant == 0] = np.nan
    return values


def measure_sums(
    judged: Judged, measures: Sequence[str], group: Integers, n_groups: int, profile: str = "paper"
) -> tuple[Floats, Floats, Floats]:
    """Return every measure's sums over groups of users: the totals of `measure_values`.

    They are float64 (n_groups, n_measures); then, how many users have a value (one column where all
    have), and the divisors of the sums, float64 (n_measures,). The values of single users are not
    made where sums over users will do; see `Total.sums`.
    """
    sums, divisor = np.empty((n_groups, len(measures))), np.ones(len(measures))
    users = np.bincount(group, minlength=n_groups).astype(np.float64)[:, None]
    count = users
    for columns, result in _results(judged, measures, profile):
        found = result.sums(group, n_groups) if isinstance(result, Total) else None
        if found is not None and not np.isnan(found[0]).any():
            sums[:, columns], divisor[columns] = found
            continue
        # Some users' values are undefined, or the metric is no sum of contributions.
        values = result.values() if isinstance(result, Total) else result
        sums[:, columns], counted = grouped_sums(values, group, n_groups)
        if (counted != users).any():
            if count is users:
                count = np.repeat(users, len(measures), axis=1)
            count[:, columns] = counted
    return sums, count, divisor


def drops_without_relevant(profile: str, without_relevant: str | None = None) -> bool:
    """Return whether users without relevant items are undefined; None leaves it to the profile."""
    choice = find("profile", profile, PROFILES).without_relevant
    choice = choice if without_relevant is None else without_relevant
    one_of("choice for users without relevant items", choice, WITHOUT_RELEVANT)
    return choice == "nan"


def _results(
    judged: Judged, measures: Sequence[str], profile: str
) -> Iterator[tuple[list[int] | slice, Total | Floats]]:
    """Yield the columns of measures that differ only in their cut-off, and their results."""
    find("profile", profile, PROFILES)
    for metric, parameters, columns, cutoffs in groups_of(tuple(measures)):
        function, given = resolve(metric, parameters, profile)
        yield columns, function(judged, cutoffs, **given)


@functools.cache
def groups_of(measures: tuple[str, ...]) -> list[tuple]:
    """Return metric, parameters, columns and cut-offs of measures that differ only in the last."""
    parsed = [Measure.parse(measure) for measure in measures]
    groups: dict[tuple, list[int]] = {}
    for column, measure in enumerate(parsed):
        groups.setdefault((measure.metric, measure.parameters), []).append(column)
    found = []
    for (metric, parameters), columns in groups.items():
        columns.sort(key=lambda column: parsed[column].cutoff or WHOLE_LIST)
        cutoffs = np.array([parsed[c].cutoff or WHOLE_LIST for c in columns], dtype=np.int64)
        found.append((metric, parameters, _slice(columns), cutoffs))
    return found


def evaluate(
    judgements: Judgements,
    systems: Iterable[Lists],
    measures: Sequence[str],
    profile: str = "paper",
    depth: int = WHOLE_LIST,
    without_relevant: str | None = None,
) -> Floats:
    """Return every measure for every user and system, float64 (n_users, n_systems, n_measures).

    Lists are cut at `depth`. A user without relevant items gets the formula's value ("value") or
    none ("nan"); None leaves it to the profile. Users without a list score 0 and are counted.
    """
    systems = list(systems)
    # Block by block of users, so that memory is bounded by the result.
    values = np.empty((judgements.n_users, len(systems), len(measures)))
    for first, last in blocks(judgements.n_users, BLOCK):
        part = judgements.block(first, last)
        for s, lists in enumerate(systems):
            judged = judge(part, lists.block(judgements, first, last), depth)
            values[first:last, s] = measure_values(judged, measures, profile, without_relevant)
    return values


def _slice(columns: list[int]) -> list[int] | slice:
    """Return neighbouring columns as a slice, to which numpy writes twice as fast."""
    first, last = columns[0], columns[-1] + 1
    return slice(first, last) if columns == list(range(first, last)) else columns


def resolve(
    metric: str, parameters: tuple[tuple[str, object], ...], profile: str = "paper"
) -> tuple[Callable, dict]:
    """Return a metric's function and all its parameters under a profile, its defaults included.

    Raises RankassayError for a parameter that the metric does not have, or of another kind.
    """
    function, kinds, defaults = _signature(metric)
    given = PROFILES[profile].parameters.get(metric, {}) | dict(parameters)
    check_parameters(metric, given, kinds)
    return function, defaults | given


def _signature(name: str) -> tuple[Callable, dict[str, object], dict[str, object]]:
    """Return a metric's function, and the kinds and the defaults of its parameters."""
    if ":" in name:  # whose module depends on the folder of the run, and is looked for anew
        return _stated(*own.metric(name))
    return _of_catalogue(name)


@functools.cache
def _of_catalogue(name: str) -> tuple[Callable, dict[str, object], dict[str, object]]:
    function = load(target_of(name))
    return _stated(function, kinds_of(function))


def _stated(
    function: Callable, kinds: dict[str, object]
) -> tuple[Callable, dict[str, object], dict[str, object]]:
    stated = inspect.signature(function).parameters
    return function, kinds, {key: stated[key].default for key in kinds}
