"""The inputs of a judge: judgements, runs and training ratings, matched by their ids."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from rankassay.advice.given import AS_GIVEN, Given
from rankassay.advice.references import fitted
from rankassay.advice.truth import Truth
from rankassay.api.judge_truth import read_truth
from rankassay.api.reading import (
    PropensitySource,
    each,
    item_counts,
    longest,
    training,
    weighed_by,
    with_ids,
    with_propensities,
)
from rankassay.data.frames import Qrels, Rows, Tied, Ties, lists_and_tied
from rankassay.data.ids import places, texts
from rankassay.data.listed import Listing, doubts, shared
from rankassay.data.numerals import natural_order
from rankassay.data.sources import QrelsSource, RunSource, rows_of
from rankassay.data.tables import SYNTHETIC
from rankassay.errors import RankassayError, number_of
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.unjudged import cut
from rankassay.types import Integers

MISSING = 0.05  # share of the users without a list from which on the screen says so
ONE = "run"  # what a run without a name is called


@dataclass(frozen=True)
class Read:
    """What was read, by the ids that users and items have."""

    qrels: Qrels  # with propensities, where some are known
    lists: Mapping[str, Lists]
    train: Rows | None
    truth: Truth | None
    weights: str  # one of `rankassay.advice.given.WEIGHTS`
    notes: tuple[str, ...]  # what was assumed, one sentence each
    warnings: tuple[str, ...]  # what has to be known of the answer


def read(
    qrels: QrelsSource | Qrels,
    runs: RunSource | Mapping[str, RunSource],
    train: QrelsSource | None,
    truth: QrelsSource | None,
    propensities: PropensitySource | None,
    threshold: float | None,
    ties: Ties,
    depth: int | None,
    seed: int,
    not_candidates: str = "error",
) -> Read:
    """Return the data of the sources; the parameters are those of `rankassay.judge`."""
    rows = None if train is None else training(train)
    listed: Mapping[str, RunSource | Rows] = {
        ONE if name is None else str(name): run for name, run in each(runs)
    }
    true = None
    if truth is not None:
        if isinstance(qrels, Qrels | Judgements):  # those that the truth has are removed
            raise RankassayError(
                "qrels: expected judgements as a frame, a file or another form of rows, as a truth "
                f"is given, found {type(qrels).__name__}; give what they were made of."
            )
        judged = rows_of(qrels, "the judgements", "rating")
        listing = Listing(judged, rows, not_candidates)
        listed = {name: listing.rows(run, name) for name, run in listed.items()}
        left, true = read_truth(truth, judged, listed, rows, threshold, ties, seed)
        if depth is not None:
            systems = {name: cut(own, depth) for name, own in true.systems.items()}
            true = replace(true, systems=systems)
    made = with_ids(qrels if true is None else left, threshold)
    if propensities is not None:
        made = with_propensities(made, propensities, qrels)
    if true is None:
        made = made.by_ids()  # how the rows of a file stand changes no number
    # Judgements that are made already may have some.
    weights = "none" if made.judgements.propensity is None else "given"
    notes = [*_of_judgements(made, rows)]
    if rows is not None and weights == "none":
        made, weights = weighed_by(made, rows), "popularity"
        notes.append("An item of n training ratings has the propensity (n + 1) / (max n + 1).")
    lists = {}
    if true is None:
        listing = Listing(made, rows, not_candidates)
    for name, run in listed.items():
        own = run if isinstance(run, Rows) else listing.rows(run, name)
        found, tied = lists_and_tied(own, made, ties)
        lists[name] = found if depth is None else cut(found, depth)
        notes += _of_ties(name, tied, ties)
    listing.tell_of_sources()
    check(lists)
    warnings = [*filter(None, [listing.few()]), *_warnings(made, rows, lists)]
    if said := listing.sentences():  # the screen has room for one of them
        others = f"; so in {number_of(len(said) - 1, 'other run')}." if len(said) > 1 else "."
        warnings.append(said[0].removesuffix(".") + others)
        notes += said[1:]
    return Read(made, lists, rows, true, weights, tuple(notes), tuple(map(str, warnings)))


def check(lists: Mapping[str, Lists]) -> None:
    """Raise RankassayError for a run without any item, and for two runs of different users."""
    for name, own in lists.items():
        if not longest(own):
            raise RankassayError(
                f"the run {name}: expected items for users with judgements, found none; leave it "
                "out."
            )
    for (first, one), (second, other) in combinations(lists.items(), 2):
        if not ((one.length > 0) & (other.length > 0)).any():
            raise RankassayError(
                f"runs: expected lists of the same users, found none who has one in {first} and in "
                f"{second}; compare runs of the same users."
            )


def given(own: Read, references: bool | None, seed: int) -> Given:
    """Return the input of advice; reference systems are fitted if wanted, or None and possible."""
    if references and own.train is None:
        raise RankassayError(
            "references: expected training ratings to fit reference systems to, found none; give "
            "train (--train)."
        )
    depth = min(longest(lists) for lists in own.lists.values())
    fit = references is not False and own.train is not None
    fit = fit and bool(own.qrels.judgements.relevant.any())
    number = _numbers(own.qrels, own.train)
    counts = None
    if own.train is not None:
        counts = np.zeros(len(number), dtype=np.int64)
        counts[number] = item_counts(own.qrels, own.train)
    return Given(
        own.qrels.judgements,
        number[own.qrels.item],
        own.lists,
        fitted(own.train, own.qrels, depth, seed) if fit else {},
        counts,
        own.weights,
        _counts(own.train),
        _about(own),
        own.notes,
    )


def _numbers(qrels: Qrels, train: Rows | None) -> Integers:
    """Return the places of all items in the natural order of their ids, int64 (n_items,).

    Items are those of `item_counts`. Of equally popular ones the first counts as less popular: this
    depends on the ids, as in the workflow, and not on the lines of a file.
    """
    names = texts(qrels.items)
    if train is not None:
        names += texts(train.items[places(qrels.items, train.items) < 0])
    number = np.empty(len(names), dtype=np.int64)
    number[natural_order(names)] = np.arange(len(names))
    return number


def propensities_of(own: Read) -> pd.Series | pd.DataFrame | None:
    """Return the propensities as `rankassay.evaluate` takes them: by item, or by user and item."""
    judgements, qrels = own.qrels.judgements, own.qrels
    if judgements.propensity is None:
        return None
    if own.weights == "popularity":
        _, first = np.unique(qrels.item, return_index=True)
        items = qrels.items[qrels.item[first]]
        return pd.Series(judgements.propensity[first], index=items, name="propensity")
    return pd.DataFrame(
        {
            "user": qrels.users[judgements.row],
            "item": qrels.items[qrels.item],
            "propensity": judgements.propensity,
        }
    )


def _counts(train: Rows | None) -> dict[str, int]:
    if train is None:
        return {}
    return {"ratings": len(train.value), "users": len(train.users), "items": len(train.items)}


def _about(own: Read) -> dict[str, object]:
    """Return the description of the data for texts."""
    threshold = own.qrels.judgements.threshold
    reason = own.qrels.scale or f"{AS_GIVEN}: {threshold:g}"
    users = own.qrels.users.tolist()
    made = all(isinstance(user, str) and user.startswith(SYNTHETIC) for user in users)
    return {"threshold_reason": reason, "synthetic": made, "warnings": [*own.warnings]}


def _of_judgements(qrels: Qrels, train: Rows | None) -> Iterator[str]:
    """Yield the assumptions on the judgements."""
    scale = qrels.scale
    said = f", which is usual for {scale}" if scale else ""
    yield f"Items rated at least {qrels.judgements.threshold:g} are relevant{said}."
    if train is not None and (both := int(shared(qrels, train).sum())):
        have = number_of(both, "judged pair", ("is", "are"))
        yield f"{have} of a user and an item that the training ratings have, too."


def _of_ties(name: str, tied: Tied, ties: Ties) -> Iterator[str]:
    """Yield how many items of a run have equal scores."""
    if tied.items:
        yield (
            f"{name}: {number_of(tied.items, 'listed item')} of {number_of(tied.users, 'user')} "
            f"share a {tied.by} with another; their order is by the rule {ties}."
        )


def _warnings(qrels: Qrels, train: Rows | None, lists: Mapping[str, Lists]) -> Iterator[str]:
    """Yield the warnings for a reader."""
    if train is not None:
        yield from doubts(qrels, train)
    yield from _without_list(lists, qrels.judgements)


def _without_list(lists: Mapping[str, Lists], judgements: Judgements) -> Sequence[str]:
    """Return which runs have no list for many users with a relevant item, who count as misses."""
    counted = judgements.n_relevant > 0
    if not counted.any():
        return []
    empty = {name: own.length[counted] == 0 for name, own in lists.items()}
    many = {name: own.mean() for name, own in empty.items() if own.mean() >= MISSING}
    if not many:
        return []
    worst = max(many, key=many.__getitem__)
    some = f"; so {'does' if len(many) == 2 else 'do'} {number_of(len(many) - 1, 'other run')}"
    users = number_of(len(empty[worst]), "user")
    if not counted.all():
        users += " with relevant items"
    return [
        f"{worst} has no list for {empty[worst].sum():,} of {users}, who count as misses"
        f"{some if len(many) > 1 else ''}."
    ]
