"""Which judgements of random items are observed, and which are set aside as the truth.

Where people judged random items, the ratings that a system would have of them are a part of these
judgements: those of items that they had known before, or had discovered. A metric is computed on
the observed part, and compared with the truth. There are three designs of how the two are kept
apart:

- set-aside: before the ratings are split, all pairs that could not be observed become the truth,
  and each of the others with probability a, the share that is set aside. The rest is the ratings,
  which train and test: the two sides share no rating. Of a user who judged a share j of the items,
  a pair is in the truth with probability ::

      j      if it could not be observed
      j a    if it could be observed; with probability r (1 - a) j it trains

  where r is the share of the ratings that trains, independent of what the user thinks of the item.
  So excluding what trains takes known pairs from the candidates, by a known probability, and
  nothing else.
- separate: the judgements are a separate file next to ratings that users chose to give. Nothing is
  set aside.
- as-published: all that was known is observed, and all that was judged is the truth, but for what
  trains (Cañamares and Castells, "Should I follow the crowd?", SIGIR 2018, section 6). The two
  share the test ratings, and what trains leaves the truth, which takes more from popular items.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Ratings
from rankassay.data.entries import SEPARATE, SET_ASIDE
from rankassay.data.prepare import prepare, selected
from rankassay.data.truth import alike
from rankassay.errors import Place, RankassayError, number_of, one_of
from rankassay.seeds import generator
from rankassay.types import Booleans, Floats, Integers, Integers32

SCENARIOS = ("as-is", "relevance-independent", "item-independent")


def discovered(
    item: Integers32, relevant: Booleans, known: Booleans, scenario: str, seed: int
) -> Booleans:
    r"""Return which of the judged items count as discovered, bool (n_judgements,).

    Each judgement is drawn on its own:

    - as-is: nothing is drawn; those that were known.
    - relevance-independent: :math:`P(known \mid \pi(i))`, the share of known ones among the
      judgements of another item, by a random permutation of the items: since popular items are
      liked more, it removes the information that discovery has on an item's relevance.
    - item-independent: :math:`P(known \mid relevant)` or :math:`P(known \mid not\ relevant)`,
      over the judgements of all items. Items differ only by how many like them.

    The authors' code also draws for unjudged pairs, as not relevant; here only judged ones can be.
    """
    one_of("scenario of discovery", scenario, SCENARIOS)
    if scenario == "as-is":
        return known
    rng = generator(seed, "discovery", scenario)
    if scenario == "item-independent":
        chance = _shares(relevant.astype(np.int32), known, 2)[relevant.astype(np.int32)]
    else:
        n_items = int(item.max(initial=-1)) + 1
        judged = np.flatnonzero(np.bincount(item, minlength=n_items))
        shares = np.full(n_items, np.nan)
        shares[judged] = rng.permutation(_shares(item, known, n_items)[judged])
        chance = shares[item]
    return rng.random(len(item)) < chance


def _shares(group: Integers32, known: Booleans, n: int) -> Floats:
    """Return the share of known judgements in each of n groups; 0 in those without any."""
    return np.bincount(group, known, n) / np.maximum(np.bincount(group, minlength=n), 1)


def set_aside(observable: Booleans, share: float, seed: int) -> Booleans:
    """Return which judged pairs become the truth: those not observable, and a share of others.

    What is drawn for a pair depends on the seed and its place alone, not on other pairs' flags.
    """
    drawn = generator(seed, "truth", "set aside").random(len(observable))
    return ~observable | (drawn < share)


@dataclass(frozen=True)
class Judged:
    """All judgements of random items of a dataset, and whether each is observed or set aside."""

    pairs: Ratings  # an entry per judged pair, sorted by user and then item
    observable: Booleans  # bool (n_pairs,): known before, or discovered; all where that is not said
    observed: Booleans  # whether it is one of the ratings
    true: Booleans  # whether it is in the truth

    @property
    def ratings(self) -> Ratings:
        """The observed ratings, with the users and items that have any."""
        return selected(self.pairs, self.observed)

    @property
    def truth(self) -> pd.DataFrame:
        """The pairs that are the truth as lines: user, item, rating and known (observable)."""
        own = self.true
        frame = {
            name: pd.Categorical.from_codes(index[own], pd.Index(ids.astype(object)))
            for name, index, ids in (
                ("user", self.pairs.user, self.pairs.user_ids),
                ("item", self.pairs.item, self.pairs.item_ids),
            )
        }
        rating = self.pairs.rating[own].astype(np.float64)
        return pd.DataFrame(frame | {"rating": rating, "known": self.observable[own]})

    def counts(self, ratings: Ratings) -> Integers:
        """Return how many items with observed ratings each user of them judged, (n_users,)."""
        user, item = (
            pd.Index(ids).get_indexer(own)
            for ids, own in (
                (ratings.user_ids, self.pairs.user_ids),
                (ratings.item_ids, self.pairs.item_ids),
            )
        )
        there = (user[self.pairs.user] >= 0) & (item[self.pairs.item] >= 0)
        return np.bincount(user[self.pairs.user[there]], minlength=len(ratings.user_ids))

    def lost(self) -> tuple[int, int]:
        """Return how many users lost all observable pairs to the truth, and how many had any."""
        n = len(self.pairs.user_ids)
        had, has = (
            np.bincount(self.pairs.user[own], minlength=n) > 0
            for own in (self.observable, self.observed)
        )
        return int((had & ~has).sum()), int(had.sum())


def judged(
    table: pd.DataFrame,
    known: Booleans | None,
    source: Mapping[str, Any],
    seed: int,
    place: Place | None = None,
    aspects: Any = None,
) -> Judged:
    """Return the judgements of a file, of which a part is observed and a part is the truth.

    `known`, bool (n_lines,), is whether the user knew the item before; of several lines of a pair,
    one is enough. The seed is that of the run: variants of a dataset share its truth.
    """
    design, policy = source["truth"], source["duplicates"]
    if policy == "error" and place:
        alike(table, place)
        policy = "first"
    pairs = prepare(table, aspects, policy)
    if known is None:
        observable = np.ones(len(pairs.rating), dtype=bool)
    else:
        flags = prepare(table.assign(rating=known.astype(np.float64)), duplicates="max").rating == 1
        # The threshold is given where it counts, for discovery that depends on relevance alone.
        counts = design["discovery"] == "item-independent"
        relevant = pairs.rating >= np.float32(source["threshold"] if counts else 0)
        observable = discovered(pairs.item, relevant, flags, design["discovery"], seed)
    if design["design"] != SET_ASIDE:
        return Judged(pairs, observable, observable, np.ones(len(observable), dtype=bool))
    true = set_aside(observable, design["set_aside"], seed)
    return Judged(pairs, observable, ~true, true)


def check_observed(found: Judged, source: Mapping[str, Any], path: str) -> None:
    """Raise RankassayError where no pair can be observed, or most users lost all to the truth."""
    design = source["truth"]
    if not found.observable.any():
        raise RankassayError(
            f"{path}: expected ratings of items known before, found none; check the column that "
            f"'known' of the entry's truth names, {design['known']!r}."
        )
    lost, had = found.lost()
    if 2 * lost > had or not found.observed.any():
        raise RankassayError(
            f"{path}: expected ratings to train on of most users, found none left of {lost:,} of "
            f"{number_of(had, 'user')}, as all of theirs are set aside as the truth; lower "
            f"'set_aside' of the entry's truth, {design['set_aside']:g}."
        )


def check_true(found: Judged, ratings: Ratings, source: Mapping[str, Any], path: str) -> None:
    """Raise RankassayError where no judgement is left for the truth, or `ratings` were others."""
    own = found.ratings
    names = ("user", "item", "user_ids", "item_ids")
    if not all(np.array_equal(getattr(own, name), getattr(ratings, name)) for name in names):
        raise RankassayError(
            f"{path}: expected the {number_of(len(ratings.rating), 'rating')} that were read "
            f"before, found {len(own.rating):,}, or others: the truth would share some; read both "
            "with the same seed, threshold and entry."
        )
    design = source["truth"]
    if design["design"] == SET_ASIDE and found.counts(ratings).sum() == len(ratings.rating):
        raise RankassayError(
            f"{path}: expected judgements to set aside as the truth, found none of users and items "
            f"that have ratings left; change 'set_aside' of the entry's truth, "
            f"{design['set_aside']:g}, or give more judgements."
        )


def is_separate(source: Mapping[str, Any]) -> bool:
    """Whether a dataset's ratings are no judgements of random items, as those are elsewhere."""
    return (source.get("truth") or {}).get("design", SEPARATE) == SEPARATE
