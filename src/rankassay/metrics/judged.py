"""The input of metrics: the judged items of each user, where a system's list has them.

A ranking metric depends on a list only through the ranks of its judged items, and on the test set
only through each user's judged ratings. Both are kept flat, one user after another. A metric is
therefore a few operations on arrays, and every metric at every cut-off reads the same arrays.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rankassay.errors import RankassayError
from rankassay.kernels import kernel
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.totals import Entries
from rankassay.selection import sort_by
from rankassay.types import Booleans, Floats, Integers, Integers32

EPSILON = 1e-5  # e of infAP, which counts judged items: here, as all that evaluate it need it
MOST = np.iinfo(np.int32).max  # judgements, whose indices entries hold


@dataclass(frozen=True)
class Judged:
    """One system's lists as a metric sees them."""

    judgements: Judgements
    # of the users in `judgements`; ranks and predictions are those of the whole test set
    lists: Lists
    depth: int  # where the lists are cut
    items: Entries  # the judged items in the lists
    # bool (n_judged,): which judgements of the whole test set count; None is all
    kept: Booleans | None = None
    known_hits: Entries | None = None  # `hits`, where they are known already

    @cached_property
    def _remembered(self) -> dict:
        return {}

    def remember(self, key: tuple, work: Callable[[], Floats]) -> Floats:
        """Return the result of `work` on these lists, computed once for all parts of them."""
        if key not in self._remembered:
            self._remembered[key] = work()
        return self._remembered[key]

    @cached_property
    def hits(self) -> Entries:
        """The relevant items in the lists."""
        if self.known_hits is not None:
            return self.known_hits
        items = self.items
        return Entries(
            *_hits(
                items.start,
                items.row,
                items.rank,
                items.rating,
                items.relevant,
                items.relevant_above,
                items.nonrelevant_above,
                items.judgement,
            )
        )

    @cached_property
    def from_zero(self) -> "Judged":
        """The lists as seen by the ratings of at least 0, for all users; see `bpref`.

        These themselves where no rating is below 0, or where the threshold is.
        """
        own = self.judgements
        if own.scale[0] >= 0 or own.threshold < 0:
            return self
        part = own.remember(("from_zero",), lambda: own.sample(own.rating >= 0, "zero"))
        keep = own.rating >= 0
        if self.kept is not None:
            whole = np.zeros(len(self.kept), dtype=bool)
            whole[self.kept] = keep
            keep = whole
        return self.sample(keep, part)

    @property
    def ranks(self) -> Integers32:
        """The ranks of all judged items, however deep, int32 (n_judged,); 0 is not ranked."""
        return self.lists.ranks if self.kept is None else self.lists.ranks[self.kept]

    @property
    def n_relevant(self) -> Floats:
        """|R_u|, as a column, float64 (n_users, 1)."""
        return self.judgements.n_relevant[:, None]

    def listed(self, cutoffs: Integers) -> Floats:
        """Return the number of items in the first n places, float64 (n_users, n_cutoffs)."""
        places = np.minimum(cutoffs, self.depth)
        return np.minimum(self.lists.length[:, None], places).astype(np.float64)

    def n_candidates(self, metric: str) -> Floats:
        """Return the numbers of items that could have been listed, float64 (n_users, 1)."""
        if self.lists.n_candidates is None:
            raise RankassayError(
                f"the metric {metric} needs the number of items that could be listed; give n_items."
            )
        return self.lists.n_candidates[:, None].astype(np.float64)

    def sample(self, keep: Booleans, part: Judgements) -> "Judged":
        """Return the lists as seen by `part`, the judgements that `keep` keeps; nothing is sorted.

        `keep` is a mask over the judgements of a whole test set, (n_judged,).
        """
        users = self.judgements.users
        rows = part.remember(("rows",), lambda: np.searchsorted(users, part.users))
        n_candidates = self.lists.n_candidates
        lists = replace(
            self.lists,
            length=self.lists.length[rows],
            n_candidates=None if n_candidates is None else n_candidates[rows],
        )
        items = self.items
        kept, hits = _kept(
            items.start, items.judgement, items.rank, items.rating, items.relevant, rows, keep
        )
        return Judged(part, lists, self.depth, Entries(*kept), keep, Entries(*hits))


def judge(judgements: Judgements, lists: Lists, depth: int = WHOLE_LIST) -> Judged:
    """Return the judged items of a system's lists, which are cut at `depth`.

    Raises RankassayError for more test ratings than an int32 counts.
    """
    if len(lists.ranks) > MOST:
        raise RankassayError(
            f"the test set: expected at most {MOST:,} ratings, found {len(lists.ranks):,}; "
            "evaluate some users at a time."
        )
    listed = _listed(judgements.start, lists.ranks, depth)
    entries = Entries(*_looked_up(*listed, lists.ranks, judgements.rating, judgements.threshold))
    return Judged(judgements, lists, depth, entries)


@kernel(steps=lambda start, ranks, depth: len(ranks) + len(start) * (depth if depth <= 1024 else 1))
def _listed(start, ranks, depth):
    """Return the start of each user's listed judgements, and their indices, each user's by rank."""
    n_users = len(start) - 1
    entry = np.empty(len(ranks) + 1, dtype=np.int64)
    listed_start = np.zeros(n_users + 1, dtype=np.int64)
    n = 0
    if depth > 1024:
        keys, space = ranks.astype(np.float64), np.empty_like(entry)  # sorted so elsewhere, too
        for u in range(n_users):
            first = n
            for j in range(start[u], start[u + 1]):
                entry[n] = j
                n += ranks[j] >= 1 and ranks[j] <= depth
            sort_by(keys, entry[first:n], space)
            listed_start[u + 1] = n
        return listed_start, entry[:n].copy()
    # In short lists, each item goes to its place, the last of which is for those not listed.
    # Both loops are without branches that a processor could not foresee.
    place = np.full(depth + 1, -1, dtype=np.int64)
    for u in range(n_users):
        for j in range(start[u], start[u + 1]):
            listed = ranks[j] >= 1 and ranks[j] <= depth
            place[ranks[j] - 1 if listed else depth] = j
        for k in range(depth):
            entry[n] = place[k]
            n += place[k] >= 0
            place[k] = -1
        listed_start[u + 1] = n
    return listed_start, entry[:n].copy()


@kernel
def _looked_up(start, judgement, ranks, ratings, threshold):
    """Return the entries of the listed judgements; see the attributes of Entries."""
    n = len(judgement)
    row = np.empty(n, dtype=np.int32)
    rank = np.empty(n, dtype=np.int32)
    rating = np.empty(n)
    relevant = np.empty(n, dtype=np.bool_)
    relevant_above = np.empty(n, dtype=np.int32)
    nonrelevant_above = np.empty(n, dtype=np.int32)
    for u in range(len(start) - 1):
        seen = 0
        for j in range(start[u], start[u + 1]):
            row[j] = u
            rank[j] = ranks[judgement[j]]
            rating[j] = ratings[judgement[j]]
            relevant[j] = rating[j] >= threshold
            relevant_above[j] = seen
            nonrelevant_above[j] = j - start[u] - seen
            seen += relevant[j]
    known = start, row, rank, rating, relevant, relevant_above, nonrelevant_above
    return (*known, judgement.astype(np.int32))


@kernel
def _kept(start, judgement, rank, rating, relevant, rows, keep):
    """Return the entries of the users `rows` that are kept, and the relevant ones among them.

    Both are as the attributes of Entries. All is written always, and overwritten unless kept:
    cheaper than a branch at random, and one pass in place of two.
    """
    n_rows, size = len(rows), len(judgement) + 1
    item_start, hit_start = np.zeros(n_rows + 1, np.int64), np.zeros(n_rows + 1, np.int64)
    item_row, item_judgement = np.empty(size, np.int32), np.empty(size, np.int32)
    item_rank, item_rating = np.empty(size, np.int32), np.empty(size)
    item_relevant = np.empty(size, np.bool_)
    item_above, item_not_above = np.empty(size, np.int32), np.empty(size, np.int32)
    hit_row, hit_judgement = np.empty(size, np.int32), np.empty(size, np.int32)
    hit_rank, hit_rating = np.empty(size, np.int32), np.empty(size)
    hit_above, hit_not_above = np.empty(size, np.int32), np.empty(size, np.int32)
    n, m = 0, 0
    for u in range(n_rows):
        for j in range(start[rows[u]], start[rows[u] + 1]):
            above, not_above = m - hit_start[u], n - item_start[u] - (m - hit_start[u])
            item_row[n], item_judgement[n], item_rank[n] = u, judgement[j], rank[j]
            item_rating[n], item_relevant[n] = rating[j], relevant[j]
            item_above[n], item_not_above[n] = above, not_above
            hit_row[m], hit_judgement[m], hit_rank[m] = u, judgement[j], rank[j]
            hit_rating[m], hit_above[m], hit_not_above[m] = rating[j], above, not_above
            kept = keep[judgement[j]]
            n += kept
            m += kept & relevant[j]
        item_start[u + 1], hit_start[u + 1] = n, m
    items = item_start, item_row[:n], item_rank[:n], item_rating[:n], item_relevant[:n]
    hits = hit_start, hit_row[:m], hit_rank[:m], hit_rating[:m], np.ones(m, np.bool_)
    return (
        (*items, item_above[:n], item_not_above[:n], item_judgement[:n]),
        (*hits, hit_above[:m], hit_not_above[:m], hit_judgement[:m]),
    )


@kernel(steps=lambda start, row, *_: len(start) + len(row))
def _hits(start, row, rank, rating, relevant, relevant_above, nonrelevant_above, judgement):
    """Return the relevant entries; see the attributes of Entries."""
    hit_start = np.zeros(len(start), dtype=np.int64)
    hits = np.empty(len(row) + 1, dtype=np.int64)
    n = 0
    for u in range(len(start) - 1):
        for j in range(start[u], start[u + 1]):
            hits[n] = j  # as in `_kept`
            n += relevant[j]
        hit_start[u + 1] = n
    hits = hits[:n]
    known = hit_start, row[hits], rank[hits], rating[hits], np.ones(n, dtype=np.bool_)
    return (*known, relevant_above[hits], nonrelevant_above[hits], judgement[hits])
