"""Sums over users on parts of a test set, of the metrics that studies resample most.

They equal `rankassay.metrics.evaluate.measure_sums` of `Judged.sample`, which serves the other
metrics. Here the judged items of a system are read once for all metrics, and no array is made for
each of them: the result is the same, and takes a third of the time. It is the same to the last bit
except for parts of a single user, for whom the divisor may be split differently.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rankassay.kernels import kernel
from rankassay.metrics.catalogue import entry
from rankassay.metrics.evaluate import groups_of, measure_sums, resolve
from rankassay.metrics.judged import EPSILON, Judged
from rankassay.metrics.judgements import Judgements
from rankassay.metrics.ndcg import Base, Gain, dcg, discounted, gains_of
from rankassay.metrics.totals import between_cutoffs, unit_of
from rankassay.types import Booleans, Floats, Integers

# What a relevant item contributes where it stands: 1, its share of the relevant items, one over the
# place of the first, and shares of the precision there, of the non-relevant items above that it is
# preferred to, and of the precision inferred.
FORMS = ("hit", "share", "precision", "first", "preference", "inferred")
HIT, SHARE, PRECISION, FIRST, PREFERENCE, INFERRED = range(6)

BLOCK = 128  # items whose indices fit the fastest cache
SIX = 6  # metrics that are added up at once, as `_form_sums` has it written out


@dataclass(frozen=True)
class Gains:
    """An nDCG at some cut-offs; the other attributes are the parameters of `dcg`."""

    cutoffs: tuple[int, ...]
    gain: Gain
    log_base: Base
    relevant_only: bool

    def contribution(self, judged: Judged) -> Floats:
        """Return the discounted gain of each listed item, float64 (n_entries,)."""
        given = {"gain": self.gain, "log_base": self.log_base}
        cutoffs = np.array(self.cutoffs)
        return dcg(judged, cutoffs, **given, relevant_only=self.relevant_only).contribution

    def best(self, whole: Judgements, kept: npt.NDArray[np.uint8]) -> Floats:
        """Return the divisors of users' gains at each cut-off and below the last.

        Float64 (n_users, n_cutoffs + 1): the ideal gain, and infinity where there is none, for then
        there are no gains, and below the last.
        """
        gains = whole.remember(
            ("gains", self.gain, self.relevant_only),
            lambda: gains_of(whole.ideal_rating, whole.threshold, self.gain, self.relevant_only),
        )
        start, own = _kept_gains(whole.start, whole.best_first, kept, gains)
        ideal = discounted(start, own, np.array(self.cutoffs), self.log_base)
        best = np.full((len(ideal), ideal.shape[1] + 1), np.inf)
        np.copyto(best[:, :-1], ideal, where=ideal > 0.0)
        return best


@dataclass(frozen=True)
class Plan:
    """How the measures are computed."""

    # cut-offs, forms and columns (n_forms, n_cutoffs) of those with the same cut-offs, six at most
    forms: list[tuple[tuple[int, ...], Integers, Integers]]
    gains: list[tuple[Integers, Gains]]  # columns, and what is gained
    rest: list[int]  # the columns of all other measures
    divisor: Floats  # (n_measures,): what sums are divided by at the end, but for those of the rest


class PartSums:
    """The sums of some measures, of one system after the other; see the module.

    `whole` is the whole test set, of which the part keeps some judgements; `group` and `n_groups`
    are of its users. The others are as `measure_sums` and `Judgements.sample` take them.
    """

    def __init__(
        self,
        measures: Sequence[str],
        profile: str,
        whole: Judgements,
        keep: Booleans,
        unjudged_users: str,
        group: Integers,
        n_groups: int,
    ) -> None:
        self.measures, self.profile = measures, profile
        self.whole, self.keep, self.unjudged_users = whole, keep, unjudged_users
        self.plan = _plan(tuple(measures), profile, bool(whole.scale[0] < 0))
        # As bytes: of a bool, a compiler makes a branch that no processor foresees.
        self.kept = keep.view(np.uint8)
        n_kept, liked = _counted(whole.start, whole.relevant.view(np.uint8), self.kept)
        self.liked, self.bound = liked, np.minimum(liked, n_kept - liked)
        self.share = np.divide(1.0, liked, out=np.zeros(len(liked)), where=liked > 0)
        self.group, self.n_groups = group, n_groups
        counts = group[n_kept > 0] if unjudged_users == "drop" else group
        self.users = np.bincount(counts, minlength=n_groups).astype(np.float64)[:, None]
        self.divisors: dict[Gains, Floats] = {}
        # Written anew for each system: memory that is asked for anew is slower than the work on it.
        self.hits = np.empty((4, 0), dtype=np.int32)
        self.divided = np.zeros((SIX, 0))
        self.values = np.empty((0, 1))

    @cached_property
    def part(self) -> Judgements:
        """The judgements of the part."""
        if self.unjudged_users == "zero" and self.keep.all():
            return self.whole
        return self.whole.sample(self.keep, self.unjudged_users)

    def of(self, judged: Judged, sums: Floats) -> tuple[Floats, Floats]:
        """Compute `measure_sums` of `judged.sample(keep, part)`.

        `judged` is the system on the whole test set. The sums, (n_groups, n_measures), are written
        where the caller wants them, and the result is how many users have a value, and the divisors
        of the sums.
        """
        count, divisor, n_hits = self.users, self.plan.divisor, 0
        for columns, gains in self.plan.gains:
            n_hits = self._read(judged, gains)
            groups = (self.group, self.n_groups)
            _gain_sums(self.values, self._best(gains), *groups, columns, sums)
        if self.plan.forms and not self.plan.gains:
            n_hits = self._read(judged)
        for cutoffs, forms, columns in self.plan.forms:
            self._of_forms(judged, n_hits, cutoffs, forms, columns, sums)
        if self.plan.rest:
            divisor = divisor.copy()
            rest = [self.measures[column] for column in self.plan.rest]
            sample = judged.sample(self.keep, self.part)
            group = self.group[np.searchsorted(self.whole.users, self.part.users)]
            found = measure_sums(sample, rest, group, self.n_groups, self.profile)
            sums[:, self.plan.rest], counted, divisor[self.plan.rest] = found
            if (counted != self.users).any():  # some users' values are undefined
                count = np.repeat(count, len(self.measures), axis=1)
                count[:, self.plan.rest] = counted
        return count, divisor

    def _read(self, judged: Judged, gains: Gains | None = None) -> int:
        """Read the kept items: write the hits and gains, and return how many hits there are."""
        items, contribution, between = judged.items, np.empty(0), np.empty(0, dtype=np.int64)
        if self.hits.shape[1] <= len(items.rank):
            self.hits = np.empty((4, len(items.rank) + 1), dtype=np.int32)
        if gains is not None:
            contribution = judged.remember(("gains", gains), lambda: gains.contribution(judged))
            between = _between(judged, gains.cutoffs)
            shape = (self.whole.n_users, len(gains.cutoffs) + 1)
            if self.values.shape != shape:
                self.values = np.empty(shape)
        lists = (items.judgement, self.kept, items.row, items.rank, items.relevant.view(np.uint8))
        return _read(*lists, self.hits, contribution, between, self.values)

    def _best(self, gains: Gains) -> Floats:
        if gains not in self.divisors:
            self.divisors[gains] = gains.best(self.whole, self.kept)
        return self.divisors[gains]

    def _of_forms(
        self,
        judged: Judged,
        n: int,
        cutoffs: tuple[int, ...],
        forms: Integers,
        columns: Integers,
        sums: Floats,
    ) -> None:
        """Write the sums of metrics of hits, of which there are `n`."""
        if self.divided.shape[1] < n:
            self.divided = np.zeros((SIX, self.hits.shape[1]))
        of_users = (self.liked, self.share, self.bound)
        sizes = _contributions(self.hits, n, forms, *of_users, self.divided)
        lists = (self.hits, n, sizes, _between(judged, cutoffs))
        _form_sums(*lists, self.group, self.n_groups, self.divided, columns, sums)


def _between(judged: Judged, cutoffs: tuple[int, ...]) -> Integers:
    """Return how many cut-offs are above each rank of a system's items; see `between_cutoffs`."""
    return judged.remember(
        ("between", cutoffs),
        lambda: between_cutoffs(int(judged.items.rank.max(initial=0)), np.array(cutoffs)),
    )


@functools.cache
def _plan(measures: tuple[str, ...], profile: str, below_zero: bool) -> Plan:
    """Return how measures are computed under a profile, perhaps of ratings below 0."""
    forms: dict[tuple, list] = {}
    gains, rest, every = [], [], np.arange(len(measures))
    for metric, parameters, columns, cutoffs in groups_of(measures):
        _, given = resolve(metric, parameters, profile)
        several = len(cutoffs) > 1  # one cut-off divides what a single item contributes
        form, wanted = entry(metric).form or (None, None)
        # `negative` says nothing of ratings from 0 on.
        if not below_zero or given.get("negative") == "nonrelevant":
            given.pop("negative", None)
        if given == wanted and (several or metric != "P"):
            forms.setdefault(tuple(cutoffs), []).append((FORMS.index(form), every[columns]))
        elif metric == "nDCG" and several and _is_of_judgements(**given):
            of = (given["gain"], given["log_base"], given["ideal"] == "relevant")
            gains.append((every[columns], Gains(tuple(cutoffs), *of)))
        else:
            rest += every[columns].tolist()
    together, divisor = [], np.ones(len(measures))
    for cutoffs, own in forms.items():
        for first in range(0, len(own), SIX):
            batch, to = map(np.array, zip(*own[first : first + SIX], strict=True))
            together.append((cutoffs, batch, to))
            divisor[to[batch == HIT]] = cutoffs  # a divisor of the cut-off alone
    divisor.flags.writeable = False  # every part has the same one
    return Plan(together, gains, rest, divisor)


def _is_of_judgements(ideal: str, truncate_ideal: bool, **_: object) -> bool:
    """Return whether an nDCG's ideal list is that of the judgements, cut where the list is."""
    return ideal != "retrieved" and truncate_ideal


@kernel
def _counted(start, relevant, kept):
    """Return how many judgements of each user are kept, and how many of these are relevant."""
    n_users = len(start) - 1
    n_kept, n_relevant = np.empty(n_users), np.empty(n_users)
    for u in range(n_users):
        n, m = 0, 0
        for j in range(start[u], start[u + 1]):
            n += np.int64(kept[j])
            m += np.int64(kept[j] & relevant[j])
        n_kept[u], n_relevant[u] = n, m
    return n_kept, n_relevant


@kernel
def _kept_gains(start, best_first, kept, gains):
    """Return where each user's kept gains start, and these; all are in the order of best lists."""
    own_start, own, n = np.zeros(len(start), dtype=np.int64), np.empty(len(gains) + 1), 0
    for u in range(len(start) - 1):
        for j in range(start[u], start[u + 1]):
            own[n] = gains[j]  # as in `_listed`
            n += np.int64(kept[best_first[j]])
        own_start[u + 1] = n
    return own_start, own[:n]


@kernel
def _listed(judgement, kept, listed):
    """Write which listed judgements are kept, and return how many.

    Each is written, and overwritten unless kept: cheaper than a branch at random. An index without
    a sign needs no look at whether it counts from the end.
    """
    n = np.uint64(0)
    for j in range(len(judgement)):
        listed[n] = j
        n += np.uint64(kept[np.uint64(judgement[j])])
    return np.int64(n)


@kernel
def _read(judgement, kept, row, rank, relevant, hits, contribution, between, values):
    """Write the hits and gains of the kept items, and return how many hits there are.

    Of each hit: the user row, the rank, and how many kept items stand above it that are relevant,
    and that are not, int32 (4, n). Of each user: the gains so far, where the cut-offs between two
    others lie, (n_users, n_cutoffs + 1), unless there are no contributions.
    """
    n, seen, first, first_hit, user, sum_ = 0, 0, 0, 0, -1, 0.0
    gaining, flat, width = len(contribution) > 0, values.reshape(-1), values.shape[1]
    flat[:] = 0.0
    listed = np.empty(BLOCK, dtype=np.int32)
    for start in range(0, len(judgement), BLOCK):
        for k in range(_listed(judgement[start : start + BLOCK], kept, listed)):
            j, to = np.uint64(start + listed[k]), np.uint64(n)
            # Chosen, not branched to: where users change is foreseen by no processor.
            same = row[j] == user
            user, first = row[j], first if same else seen
            first_hit = first_hit if same else n
            above = n - first_hit
            hits[0, to], hits[1, to] = user, rank[j]
            hits[2, to], hits[3, to] = above, seen - first - above
            seen += 1
            n += np.int64(relevant[j])
            if gaining:
                sum_ = (sum_ if same else 0.0) + contribution[j]
                flat[np.uint64(user * width + between[rank[j]])] = sum_
    return n


@kernel(steps=lambda hits, n, forms, *_: n * len(forms), error_model="numpy")
def _contributions(hits, n, forms, liked, share, bound, divided):
    """Write what each hit contributes to each metric, (n_forms, n), and return their sizes.

    `liked`, `share` and `bound` are the relevant items of each user, one over them, and the most
    that Bpref counts.
    """
    sizes = np.zeros(len(divided))
    row, rank, above, others = hits[0, :n], hits[1, :n], hits[2, :n], hits[3, :n]
    # Looked up once, so that the rest are operations on whole arrays.
    own_liked, own_bound = np.empty(n), np.empty(n)
    for k in range(n):
        own_liked[k], own_bound[k] = liked[row[k]], bound[row[k]]
    for f in range(len(forms)):
        form, values = forms[f], divided[f, :n]
        if form == HIT:
            values[:] = 1.0
        elif form == SHARE:
            for k in range(n):
                values[k] = share[row[k]]
        elif form == PRECISION:
            for k in range(n):
                values[k] = (above[k] + 1) / rank[k] / own_liked[k]
        elif form == FIRST:
            for k in range(n):
                values[k] = np.int64(above[k] == 0) / rank[k]
        elif form == PREFERENCE:
            for k in range(n):
                most = own_bound[k]
                preferred = 1.0 - min(np.float64(others[k]), most) / max(most, 1.0)
                values[k] = preferred / own_liked[k]
        elif form == INFERRED:
            for k in range(n):
                inferred = (above[k] + EPSILON) / (above[k] + others[k] + 2 * EPSILON)
                values[k] = (1.0 + (rank[k] - 1) * inferred) / rank[k] / own_liked[k]
        sizes[f] = _size(values)
    return sizes


@kernel(
    steps=lambda hits, n, sizes, between, group, n_groups, divided, columns, sums: (
        n + n_groups * columns.size
    )
)
def _form_sums(hits, n, sizes, between, group, n_groups, divided, columns, sums):
    """Write the sums of contributions group by group, down to each cut-off; see `Total.sums`.

    `sizes`, as `_size` has them, are float64 (6,), and `between` are how many cut-offs are above
    each rank. Where fewer metrics are wanted, the rest of `divided`, (6, n), stands idle: to add up
    six at once takes half the time.
    """
    row, rank = hits[0], hits[1]
    n_cutoffs = columns.shape[1]
    width = n_cutoffs + 1
    unit, per_unit = np.empty(6), np.empty(6)
    for f in range(6):
        unit[f], per_unit[f] = unit_of(sizes[f])
    p0, p1, p2, p3, p4, p5 = per_unit
    d0, d1, d2, d3, d4, d5 = divided
    added = np.zeros((n_groups * width, 6))
    for k in range(n):
        own = added[np.uint64(group[row[k]] * width + between[rank[k]])]
        # All are read before any is written: a compiler cannot know that it may.
        a0, a1, a2 = np.rint(d0[k] * p0), np.rint(d1[k] * p1), np.rint(d2[k] * p2)
        a3, a4, a5 = np.rint(d3[k] * p3), np.rint(d4[k] * p4), np.rint(d5[k] * p5)
        a0, a1, a2 = own[0] + a0, own[1] + a1, own[2] + a2
        a3, a4, a5 = own[3] + a3, own[4] + a4, own[5] + a5
        own[0], own[1], own[2], own[3], own[4], own[5] = a0, a1, a2, a3, a4, a5
    for g in range(n_groups):
        for f in range(len(columns)):
            sum_ = 0.0
            for c in range(n_cutoffs):
                sum_ += added[g * width + c, f] * unit[f]
                sums[g, columns[f, c]] = sum_


@kernel
def _size(values):
    """Return the greatest power of two up to the sum in order of numbers that are not negative.

    A sum in order waits for each addition. One of any order is off by less than n 2^-52 of it, so
    that the power is the same unless the sum is as near to one.
    """
    n, size = len(values), _in_any_order(values)
    mantissa, margin = math.frexp(size)[0], n * 2.0**-51
    if not 0.5 + margin < mantissa < 1.0 - margin:
        size = 0.0
        for k in range(n):
            size += values[k]
    return math.ldexp(0.5, math.frexp(size)[1]) if size > 0.0 else 0.0


@kernel(fastmath={"reassoc"})
def _in_any_order(values):
    """Return a sum, the last bits of which depend on the processor."""
    size = 0.0
    for k in range(len(values)):
        size += values[k]
    return size


@kernel(error_model="numpy")
def _gain_sums(values, best, group, n_groups, columns, sums):
    """Write the sums of users' shares of the ideal gain, group by group, at each cut-off.

    They are what `Total.values` and `grouped_sums` make of the kept items. `values`, as `_read`
    writes them, are written over; `best` is what divides, (n_users, n_cutoffs + 1).
    """
    n_users, width = values.shape
    for u in range(n_users):  # without an item between two cut-offs, the sums at both are the same
        sum_ = 0.0
        for c in range(width):
            sum_ = max(sum_, values[u, c])
            values[u, c] = sum_
    flat, below = values.reshape(-1), best.reshape(-1)
    for k in range(len(flat)):
        flat[k] /= below[k]
    size = np.zeros(width)
    for u in range(n_users):
        for c in range(width):
            size[c] += values[u, c]
    unit, per_unit = np.empty(width), np.empty(width)
    for c in range(width):
        unit[c], per_unit[c] = unit_of(size[c])
    added = np.zeros((n_groups, width))
    for u in range(n_users):
        own, value = added[group[u]], values[u]
        for c in range(width):
            own[c] += np.rint(value[c] * per_unit[c])
    for g in range(n_groups):
        for c in range(len(columns)):
            sums[g, columns[c]] = added[g, c] * unit[c]
