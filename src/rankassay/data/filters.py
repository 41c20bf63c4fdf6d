"""Filters of a dataset: which interactions a study is about, and how many each step removes.

A step is a mapping: its `kind`, a key of `FILTERS`, and that filter's own parameters. Every filter
looks at what the steps before it have left. What is not about a user or an item alone (ratings,
times) is decided by each interaction; a user or item that loses all of them is gone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Ratings
from rankassay.data.parts import HAIR, Parts
from rankassay.data.prepare import selected
from rankassay.errors import RankassayError, number_of, one_of
from rankassay.lookup import names_of_parameters
from rankassay.seeds import generator
from rankassay.types import Booleans

COUNTS = ("users", "items", "ratings")


@dataclass(frozen=True)
class Outcome:
    """What a filter did."""

    kept: Booleans  # bool (n_ratings,): the interactions that are left
    what: str  # the filter in plain words
    rounds: int = 1  # how often something was removed by counting


def k_core(
    ratings: Ratings,
    kept: Booleans,
    users: int | None = None,
    items: int | None = None,
    iterate: bool = True,
) -> Outcome:
    """Keep users with at least `users` interactions, then items with at least `items` of the rest.

    With `iterate` until nothing more is removed: the core, which is the same in any order of
    removal (Batagelj and Zaversnik, 2003). Without, it is done once, and users may have fewer.
    """
    least = {"user": users or 1, "item": items or 1}
    left = {"user": ratings.user[kept], "item": ratings.item[kept]}
    length = {"user": len(ratings.user_ids), "item": len(ratings.item_ids)}
    enough = {side: np.ones(n, dtype=bool) for side, n in length.items()}
    rounds, before = 0, -1
    while len(left["user"]) != before and (iterate or rounds == 0):
        before = len(left["user"])
        for side, n in length.items():
            stays = np.bincount(left[side], minlength=n) >= least[side]
            enough[side] &= stays
            staying = stays[left[side]]
            left = {name: index[staying] for name, index in left.items()}
        rounds += 1
    # The last round of several has only shown that nothing more is removed.
    rounds -= iterate
    kept = kept & enough["user"][ratings.user] & enough["item"][ratings.item]
    return Outcome(kept, _core(least["user"], least["item"], iterate), rounds)


def _core(users: int, items: int, iterate: bool) -> str:
    """Return a k-core in words."""
    if iterate and users == items:
        return f"{users}-core of users and items, iterated"
    sides = {"users": users, "items": items}
    each = [f"{side} with at least {n} interactions" for side, n in sides.items() if n > 1]
    if len(each) < 2:
        return "".join(each) or "users and items with interactions"
    return f"{each[0]} and {each[1]}, iterated" if iterate else f"{each[0]}, then {each[1]}, once"


def least_rating(ratings: Ratings, kept: Booleans, rating: float) -> Outcome:
    """Keep interactions whose rating is at least `rating`; others are unknown to recommenders."""
    enough = ratings.rating >= np.float32(rating)
    return Outcome(kept & enough, f"ratings of at least {rating:g}")


def window(
    ratings: Ratings, kept: Booleans, since: int | None = None, until: int | None = None
) -> Outcome:
    """Keep interactions from `since` on (inclusive) and before `until`, seconds since 1970."""
    if ratings.timestamp is None:
        raise RankassayError(
            "a filter of kind 'window': expected ratings with timestamps, found "
            f"{len(ratings.rating)} without; name the column of the timestamp in the dataset's "
            "entry, or leave this step out."
        )
    inside = kept.copy()
    words = []
    if since is not None:
        inside &= ratings.timestamp >= since
        words.append(f"from {_date(since)}")
    if until is not None:
        inside &= ratings.timestamp < until
        words.append(f"before {_date(until)}")
    return Outcome(inside, " ".join(["interactions", *words]))


def sample_users(
    ratings: Ratings,
    kept: Booleans,
    seed: int,
    users: int | None = None,
    share: float | None = None,
) -> Outcome:
    """Keep all interactions of `users` users, or of a `share` (rounded down), drawn at random.

    The same seed draws the same order of users: a larger sample holds the smaller one.
    """
    n_users = len(ratings.user_ids)
    present = np.flatnonzero(np.bincount(ratings.user[kept], minlength=n_users))
    wanted = users if share is None else int(np.floor(share * len(present) + HAIR))
    order = np.argsort(generator(seed, "filter", "sample_users").random(n_users)[present])
    drawn = np.zeros(n_users, dtype=bool)
    drawn[present[order[:wanted]]] = True
    amount = number_of(users, "user") if share is None else f"{100 * share:g}% of the users"
    return Outcome(kept & drawn[ratings.user], f"{amount}, drawn at random")


FILTERS = {
    "k_core": k_core,
    "least_rating": least_rating,
    "window": window,
    "sample_users": sample_users,
}
# What the configuration calls a parameter whose name Python has taken.
RENAMED = {"from": "since", "from_": "since", "to": "until"}


def filtered(
    ratings: Ratings, steps: Sequence[Mapping[str, Any]], seed: int
) -> tuple[Ratings, pd.DataFrame]:
    """Return the rest of a dataset after all steps, and the table of `applied`, of part "all"."""
    everything = np.ones(len(ratings.rating), dtype=bool)
    kept, rows = applied(ratings, everything, steps, seed)
    return selected(ratings, kept), pd.DataFrame([counted(ratings, everything), *rows])


def filtered_training(
    ratings: Ratings, parts: Parts, steps: Sequence[Mapping[str, Any]], seed: int
) -> tuple[Parts, pd.DataFrame]:
    """Return the parts of a split after steps on training alone, and the table of `applied`.

    Given and test interactions are removed whose item or user had training (or given) ratings
    before and has none now; those without any before are left to the split.
    """
    kept, rows = applied(ratings, parts.train, steps, seed, "train")
    lost = _gone(ratings.item, parts.train, kept)
    fold_in = None if parts.fold_in is None else parts.fold_in & ~lost
    left = Parts(kept, parts.test, fold_in)
    test = parts.test & ~(lost | _gone(ratings.user, parts.known, left.known))
    if not test.any():
        raise RankassayError(
            f"the filter of training, {rows[-1]['what']}: expected test interactions of users and "
            f"items that keep training, found none of {int(parts.test.sum())}; ask for less."
        )
    what = "test interactions of users and items that keep training"
    first = counted(ratings, parts.train, "train")
    rows = [first, *rows]
    if fold_in is not None:
        told = Outcome(fold_in, "what is told of held-out users, of items that keep training")
        rows.append(_row(ratings, parts.fold_in, told, len(steps), "told"))
    rows.append(_row(ratings, parts.test, Outcome(test, what), len(steps), "test"))
    return Parts(kept, test, fold_in), pd.DataFrame(rows)


def _gone(index: np.ndarray, before: Booleans, after: Booleans) -> Booleans:
    """Return whether each interaction's user (or item) is in `before` and not in `after`."""
    n = int(index.max(initial=-1)) + 1
    had, has = (np.bincount(index[part], minlength=n) > 0 for part in (before, after))
    return (had & ~has)[index]


def applied(
    ratings: Ratings,
    kept: Booleans,
    steps: Sequence[Mapping[str, Any]],
    seed: int,
    part: str = "all",
) -> tuple[Booleans, list[dict[str, Any]]]:
    """Apply steps to a part of the ratings: which are kept, and of each step a row of counts.

    `part` is "all" of the ratings, "train", "told" or "test".
    """
    rows = []
    for number, step in enumerate(steps, 1):
        outcome = _apply(ratings, kept, step, seed)
        row = _row(ratings, kept, outcome, number, part)
        if not row["ratings"]:
            raise RankassayError(
                f"step {number} of the filter, {outcome.what}: expected interactions that it "
                f"keeps, found none among {row['ratings_removed']} of "
                f"{number_of(row['users_removed'], 'user')} with "
                f"{number_of(row['items_removed'], 'item')}; ask for less, or leave the step out."
            )
        kept = outcome.kept
        rows.append(row)
    return kept, rows


def _apply(ratings: Ratings, kept: Booleans, step: Mapping[str, Any], seed: int) -> Outcome:
    """Apply one step."""
    kind = step.get("kind")
    one_of("kind of filter", kind, FILTERS)
    given = {
        RENAMED.get(key, key): value
        for key, value in step.items()
        if key not in ("kind", "when") and value is not None
    }
    if "seed" in names_of_parameters(FILTERS[kind]):
        given["seed"] = seed
    return FILTERS[kind](ratings, kept, **given)


def _row(
    ratings: Ratings, before: Booleans, outcome: Outcome, number: int, part: str
) -> dict[str, Any]:
    """Return the row of a step."""
    had, has = (_numbers(ratings, mask) for mask in (before, outcome.kept))
    removed = {f"{name}_removed": had[name] - has[name] for name in COUNTS}
    return {
        "part": part,
        "step": number,
        "what": outcome.what,
        "rounds": outcome.rounds,
        **has,
        **removed,
    }


def unfiltered(ratings: Ratings) -> pd.DataFrame:
    """Return the table of `filtered` where there are no steps, without another copy of all."""
    return pd.DataFrame([counted(ratings, np.ones(len(ratings.rating), dtype=bool))])


def counted(ratings: Ratings, kept: Booleans, part: str = "all") -> dict[str, Any]:
    """Return the row of step 0: the counts before any step."""
    return _row(ratings, kept, Outcome(kept, "before any step", 0), 0, part)


def _numbers(ratings: Ratings, kept: Booleans) -> dict[str, int]:
    """Return the numbers of users, items and ratings of a part."""
    users, items = (
        int(np.count_nonzero(np.bincount(index[kept]))) for index in (ratings.user, ratings.item)
    )
    return {"users": users, "items": items, "ratings": int(np.count_nonzero(kept))}


def _date(seconds: int) -> str:
    """Return a time as people write it: the day alone, where it is midnight (UTC)."""
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):  # of a unit other than seconds
        return f"time {seconds}"
    return f"{moment:%Y-%m-%d}" if seconds % 86400 == 0 else f"{moment:%Y-%m-%d %H:%M:%S}"
