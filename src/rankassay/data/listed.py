"""The items that runs list: training items among them, and the same few items in all runs.

A recommender is asked for items that the user has not rated in training: lists with such items are
of another task, and lose to those without. They are no candidates, as in the workflow
(`rankassay.data.runs`). A pair that was judged in the test as well is no fault of the list: the
training ratings then hold test ratings, which is said by itself.
"""

import contextlib
import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from pandas.api.types import infer_dtype

from rankassay.data.few_items import FewItems, Sample
from rankassay.data.frames import Qrels, Rows
from rankassay.data.ids import places, shown
from rankassay.data.sources import RunSource, rows_of
from rankassay.data.stored import SOURCES
from rankassay.errors import RankassayError, number_of, one_of
from rankassay.types import Booleans

log = logging.getLogger(__name__)

NOT_CANDIDATES = ("error", "drop", "keep")
ONE = "the run"  # the name of a run without one
TRAINED = 0.05  # share of the judgements in training from which on it is said


class Told(dict[str, Any]):
    """Runs by their names of which all has been said before, as they are read twice."""


class Listing:
    """Runs as they are read, and what there is to say of the items that they list.

    `judged` are who count; items rated in `train` are an error, dropped or kept.
    """

    def __init__(
        self,
        judged: Qrels | Rows | None,
        train: Rows | None = None,
        not_candidates: str = "error",
    ) -> None:
        one_of("choice for items that are not candidates", not_candidates, NOT_CANDIDATES)
        if train is None and not_candidates != "error":
            raise RankassayError(
                f"not_candidates: expected training ratings for '{not_candidates}', as items that "
                "were rated in training are no candidates, found none; give train (--train)."
            )
        self.judged, self.train, self.choice = judged, train, not_candidates
        if train is not None and judged is not None:
            _check_types(judged, train)
        self.found: dict[str | None, dict[str, int]] = {}
        self._sample = Sample(judged)
        self._held: dict[str, list[tuple[str, logging.LogRecord]]] = {}

    def rows(self, run: RunSource | Rows, name: str | None = None) -> Rows:
        """Return the rows of a run, without training items if so chosen."""
        if name is None:
            rows = self._read(run, "the run")
        else:
            with self._holding(name):
                rows = self._read(run, f"the run {name}")
        if self.train is not None:
            rows = self._untrained(rows, self.train, name)
        if name is not None:  # one run alone does not show it
            self._sample.add(rows)
        return rows

    def _read(self, run: RunSource | Rows, what: str) -> Rows:
        """Return the rows of a run; log how many of its users have no judgements, if some have."""
        rows = rows_of(run, what, "score")
        known = np.zeros(0) if self.judged is None else places(self.judged.users, rows.users)
        if (known >= 0).any() and (n := int((known < 0).sum())):
            who = number_of(n, "user", ("has", "have"))  # not as an argument: those of all alike
            SOURCES.info(f"%s: {who} no judgements, and no part in the result", rows.what)
        return rows

    def few(self) -> FewItems | None:
        """Return what shows that all runs list the same few items of a user, or None."""
        return self._sample.few()

    @contextlib.contextmanager
    def _holding(self, name: str) -> Iterator[None]:
        """Hold back the warnings on a run, of which others may have the same, but with an error."""
        thread = threading.get_ident()

        def hold(record: logging.LogRecord) -> bool:
            if record.thread == thread:
                self._held.setdefault(str(record.msg), []).append((name, record))
            return record.thread != thread

        SOURCES.addFilter(hold)
        try:
            yield
        except RankassayError:
            self.tell_of_sources()
            raise
        finally:
            SOURCES.removeFilter(hold)

    def tell_of_sources(self) -> None:
        """Log each warning on the files of runs once, of the first run that has it."""
        for (_, first), *others in self._held.values():
            if others:
                names = ", ".join(str(name) for name, _ in others)
                runs = number_of(len(others), "other run")
                first.msg, first.args = f"{first.getMessage()}; so in {runs}: {names}", ()
            SOURCES.callHandlers(first)
        self._held.clear()

    def tell(self) -> None:
        """Log what has to be known of the runs that were read."""
        self.tell_of_sources()
        known = self.judged is not None and self.train is not None
        trained = doubts(self.judged, self.train) if known else ()
        for sentence in (*trained, *self.sentences(), *filter(None, [self.few()])):
            log.warning("warning: %s", sentence)

    def sentences(self) -> list[str]:
        """Return how many training items of which run were removed, or kept."""
        return [*sentences(self.defined())]

    def defined(self) -> dict[str, Any] | None:
        """Return the choice and what was found by run, as plain values; None without training."""
        if self.train is None:
            return None
        return {
            "choice": self.choice,
            "runs": {ONE if name is None else name: n for name, n in self.found.items()},
        }

    def _untrained(self, rows: Rows, train: Rows, name: str | None) -> Rows:
        """Return rows without training items, or as they are; raises RankassayError for some."""
        seen = shared(rows, train)
        if self.judged is not None:
            counts = places(self.judged.users, rows.users) >= 0
            seen &= counts[rows.user] & ~shared(rows, self.judged)
        n, users = int(seen.sum()), len(np.unique(rows.user[seen]))
        if n and self.choice == "error":
            raise RankassayError(_refused(rows, seen, users))
        self.found[name] = {"items": n, "users": users}
        if not n or self.choice == "keep":
            return rows
        score = None if rows.score is None else rows.score[~seen]
        kept = {each: getattr(rows, each)[~seen] for each in ("user", "item", "value")}
        return replace(rows, score=score, **kept)


def shared(own: Qrels | Rows, others: Qrels | Rows) -> Booleans:
    """Return which pairs of user and item others have, too, bool (n_rows,)."""
    user = places(others.users, own.users)[own.user]
    item = places(others.items, own.items)[own.item]
    both, width = (user >= 0) & (item >= 0), len(others.items)
    pairs = user[both] * width + item[both]
    known = np.sort(others.user * width + others.item)
    # A twentieth of the time of np.isin, which sorts both sides together.
    both[both] = known[np.minimum(np.searchsorted(known, pairs), len(known) - 1)] == pairs
    return both


def doubts(judged: Qrels | Rows, train: Rows) -> Iterator[str]:
    """Yield how many judgements are training ratings, too, and whether no judged user has any."""
    n, both = len(judged.item), int(shared(judged, train).sum())
    if both >= TRAINED * n:
        are = number_of(n, "judgement", ("is a training rating", "are training ratings"))
        yield f"{both:,} of {are}, too: give train (--train) without the test ratings."
    if not (places(train.users, judged.users) >= 0).any():
        found = unlike("user", judged, train)
        yield f"{found}; if they are the same users, give both the same ids."


def unlike(kind: str, *sides: Qrels | Rows, types: Sequence[str] = ("", "")) -> str:
    """Return that no judged user, or item, has a training rating, and how ids of each look."""
    like = [
        shown(getattr(own, f"{kind}s"), 0) + known for own, known in zip(sides, types, strict=True)
    ]
    return (
        f"train: no judged {kind} has a training rating: the {kind}s of the judgements are like "
        f"{like[0]}, those in training like {like[1]}"
    )


def _check_types(judged: Qrels | Rows, train: Rows) -> None:
    """Raise RankassayError where ids are text on one side and numbers on the other: none match."""
    for kind in ("user", "item"):
        types = [infer_dtype(getattr(own, f"{kind}s")) for own in (judged, train)]
        if types.count("string") == 1 and len(train.user):
            found = unlike(kind, judged, train, types=[f" ({each})" for each in types])
            raise RankassayError(f"{found}; give both the same ids, of the same type.")


def sentences(defined: Mapping[str, Any] | None) -> Iterator[str]:
    """Yield how many training items of which run were removed, or kept, from `Listing.defined`."""
    for name, found in (defined or {"runs": {}})["runs"].items():
        if found["items"]:
            one = found["items"] == 1
            done = f"{'was' if one else 'were'} removed before anything else"
            done = ("stays" if one else "stay") if defined["choice"] == "keep" else done
            run = "The run" if name == ONE else f"Run {name}"
            items = number_of(found["items"], "listed item")
            users = number_of(found["users"], "user")
            yield f"{run}: {items} of {users}, rated by them in training, {done}."


def _refused(rows: Rows, seen: Booleans, users: int) -> str:
    """Return the message for listed training items, with the first one."""
    row = int(np.argmax(seen))
    above = (rows.user == rows.user[row]) & (rows.value > rows.value[row])
    return (
        f"{rows.what}: expected no items that the user rated in training, found "
        f"{number_of(seen.sum(), 'listed item')} of {number_of(users, 'user')}, the first one item "
        f"{shown(rows.items, rows.item[row])} of user {shown(rows.users, rows.user[row])} at place "
        f"{above.sum() + 1}; leave such items out of the lists, or give "
        'not_candidates="drop" (--not-candidates drop) to remove them, or "keep".'
    )
