"""The truth and the outcomes that `rankassay.judge` is given: from ids to arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from rankassay.advice import sentences
from rankassay.advice.apart import Apart, Judged, seems_taken_out, taken_apart
from rankassay.advice.truth import Outcomes, Truth, doubts
from rankassay.data.frames import Qrels, Rows, Ties, lists_of, once
from rankassay.data.ids import places, shown
from rankassay.data.sources import QrelsSource
from rankassay.data.truth_source import (
    OUTCOMES,
    TRUTH,
    OutcomeSource,
    TruthRows,
    outcome_rows,
    truth_rows,
)
from rankassay.drawing.sentences import fill
from rankassay.errors import RankassayError, unknown
from rankassay.metrics.judgements import Judgements, as_exact
from rankassay.metrics.relevance import usual_threshold
from rankassay.studies.validity.names import NEW
from rankassay.studies.validity.yardsticks import Sample
from rankassay.types import Integers

NAMED = 3  # systems that a note names


def read_truth(
    source: QrelsSource,
    qrels: Rows,
    runs: Mapping[str, Rows],
    train: Rows | None = None,
    threshold: float | None = None,
    ties: Ties = "trec",
    seed: int = 0,
) -> tuple[Qrels, Truth]:
    """Return the qrels without the pairs of a truth, and the truth of the runs' lists.

    The source has judgements of items that users did not choose, see
    `rankassay.data.truth_source.truth_rows`. The threshold is that of both; None is the usual one
    of the qrels, and of a truth on another scale its own. `ties` are those of `rankassay.evaluate`.
    The seed draws what is set aside where most of the qrels are among the judgements.
    """
    qrels = once(qrels).by_ids()
    whole = Qrels.of(qrels, threshold)
    given = truth_rows(source)
    liked = _threshold(given.rows, qrels, whole.judgements.threshold, threshold)
    numbers = Numbers.of(whole, given.rows, train, runs)
    judged = numbers.pairs(given.rows, given)
    if not len(judged.user):
        raise _of_others("user", whole.users, given.rows.users)
    trained = None if train is None else numbers.pairs(train)
    n_users, n_items = len(numbers.users), len(numbers.items)
    apart = taken_apart(numbers.pairs(qrels), judged, trained, n_users, n_items, seed)
    if apart.why:
        note = fill(sentences.UNKNOWN_KNOWN, both=apart.both, qrels=len(apart.stay))
        return whole, Truth(None, {}, why=apart.why, notes=(note,))
    _check(apart, judged, liked)
    left = _observed_qrels(whole, qrels, apart, numbers, liked)
    sample, systems = _sample(apart, places(left.users, numbers.users), numbers, liked, runs, ties)
    others = len(given.rows.users) - len(np.unique(judged.user))
    notes = _notes(apart, whole, left, numbers, judged, trained, others)
    if liked != whole.judgements.threshold:
        own = whole.judgements.threshold
        notes.append(fill(sentences.OWN_THRESHOLD, truth=liked, qrels=own))
    truth = Truth(sample, systems, apart.share)
    if sample.known is not None and NEW not in truth.told:
        notes.append(sentences.NOTHING_NEW)
    warnings = doubts(sample, systems, *_popular(train, trained, apart, numbers))
    return left, replace(truth, notes=tuple(notes), warnings=tuple(warnings))


def read_outcomes(source: OutcomeSource, names: Sequence[str]) -> Outcomes:
    """Return the online outcomes of systems that are among the `names` of the runs.

    For the forms of `source` see `rankassay.data.truth_source.outcome_rows`.
    """
    found = outcome_rows(source)
    for name in found.index:
        if name not in names:
            raise unknown(f"system among {OUTCOMES}", name, names)
    if len(found) < 2:
        raise RankassayError(
            f"{OUTCOMES}: expected those of at least two runs, found {len(found)}; one system has "
            "no order."
        )
    without = [name for name in names if name not in found.index]
    drawn = int(found["error"].notna().sum())
    exact = len(found) - drawn
    notes = [
        *([fill(sentences.DRAWN, n=drawn)] if drawn else []),
        *([fill(sentences.EXACT, n=exact)] if exact else []),
        *([fill(sentences.WITHOUT, systems=_named(without))] if without else []),
    ]
    return Outcomes(found["value"].to_dict(), found["error"].to_dict(), tuple(notes))


def _named(systems: Sequence[str]) -> str:
    more = f" and {len(systems) - NAMED} more" if len(systems) > NAMED else ""
    return f"{', '.join(systems[:NAMED])}{more}"


@dataclass(frozen=True)
class Numbers:
    """The users of the qrels, and all items, by their numbers.

    Those of items begin with the items of the qrels, in their order.
    """

    users: pd.Index
    items: pd.Index

    @classmethod
    def of(
        cls, qrels: Qrels, truth: Rows, train: Rows | None, runs: Mapping[str, Rows]
    ) -> "Numbers":
        """Return the numbers of the items of the qrels and of all else."""
        items = qrels.items
        for rows in (*([] if train is None else [train]), *runs.values()):
            items = _with_new_ids(items, rows.items)
        if len(truth.items) and not (places(items, truth.items) >= 0).any():
            raise _of_others("item", items, truth.items)
        return cls(qrels.users, _with_new_ids(items, truth.items))

    def pairs(self, rows: Rows, given: TruthRows | None = None) -> Judged:
        """Return the pairs of the users by their numbers, in the order of the rows."""
        user = places(self.users, rows.users)[rows.user]
        item = places(self.items, rows.items)[rows.item]
        own = (None, None) if given is None else (given.known, given.inclusion)
        return Judged(user, item, rows.value, *own).taken(user >= 0)


def _with_new_ids(items: pd.Index, others: pd.Index) -> pd.Index:
    """Return ids with those of others that are not among them."""
    new = others[places(items, others) < 0]
    if not len(new):
        return items
    if items.dtype != new.dtype:  # as whole numbers and text
        items, new = items.astype(object), new.astype(object)
    return items.append(new)


def _threshold(truth: Rows, qrels: Rows, usual: float, threshold: float | None) -> float:
    """Return from which rating on an item of the truth is liked; the qrels' range is a scale."""
    low, high = qrels.value.min(), qrels.value.max()
    same = truth.value.min() >= low and truth.value.max() <= high
    if threshold is None and not same:
        usual = usual_threshold(truth.value, TRUTH)[0]
    return as_exact(usual if threshold is None else threshold, truth.kind)


def _of_others(kind: str, ours: pd.Index, theirs: pd.Index) -> RankassayError:
    """Return the error for a truth that shares no user or item with the rest."""
    return RankassayError(
        f"{TRUTH}: expected {kind}s of the qrels, as {shown(ours, 0)}, found only others, as "
        f"{shown(theirs, 0)}; give both the same ids, of the same type."
    )


def _check(apart: Apart, judged: Judged, liked: float) -> None:
    """Raise RankassayError where no judgement is left, or none is relevant."""
    if not len(apart.true.user):
        raise RankassayError(
            f"{TRUTH}: expected judgements of items that a user of the qrels did not rate in "
            f"training, found none among {len(judged.user):,}; give others, or leave it out."
        )
    if not apart.true.rating.max() >= liked:
        raise RankassayError(
            f"{TRUTH}: expected judgements of at least {liked:g}, the threshold, found none above "
            f"{apart.true.rating.max():g}: nobody would like anything; lower threshold "
            "(--threshold), or give judgements on the scale of the qrels."
        )


def _observed_qrels(
    whole: Qrels, qrels: Rows, apart: Apart, numbers: Numbers, liked: float
) -> Qrels:
    """Return the observed qrels: those that stay, and those of their scale that join them."""
    join = apart.join
    if liked != whole.judgements.threshold:
        join = join.taken([])
    user = places(qrels.users, numbers.users)[join.user]
    rows = replace(
        qrels,
        user=np.concatenate([qrels.user[apart.stay], user]),
        item=np.concatenate([qrels.item[apart.stay], join.item]),
        value=np.concatenate([qrels.value[apart.stay], join.rating]),
        items=numbers.items if len(join.user) else qrels.items,
    )
    return replace(Qrels.of(rows, whole.judgements.threshold), scale=whole.scale)


def _sample(
    apart: Apart,
    kept: Integers,
    numbers: Numbers,
    liked: float,
    runs: Mapping[str, Rows],
    ties: Ties,
) -> tuple[Sample, dict]:
    """Return the judgements that are the truth, and the runs; `kept` are rows of users, or -1."""
    users = np.flatnonzero(apart.judged > 0)
    place = kept[users]
    none = place < 0
    place[none] = 1 + kept.max() + np.arange(none.sum())
    users, place = users[np.argsort(place)], np.sort(place)
    row_of = np.full(len(kept), -1)
    row_of[users] = np.arange(len(users))
    row = row_of[apart.true.user]
    order = np.argsort(row, kind="stable")
    true, row = apart.true.taken(order), row[order]
    start = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(users)))))
    judgements = Judgements(np.arange(len(users), dtype=np.int32), start, true.rating, liked)
    told = Qrels(judgements, numbers.users[users], numbers.items, true.item)
    systems = {name: lists_of(rows, told, ties) for name, rows in runs.items()}
    listed = np.any([own.ranks > 0 for own in systems.values()], axis=0)
    if not (listed & (true.rating >= liked)).any():
        raise RankassayError(
            f"{TRUTH}: expected liked items that a run lists for the same user, found none among "
            f"{len(row):,} judgements; give judgements of listed items, or leave it out."
        )
    weight = apart.weight[order]
    low = float(true.rating.min())
    return Sample(place, row, true.item, true.rating, true.known, weight, liked, low), systems


def _popular(
    train: Rows | None, trained: Judged | None, apart: Apart, numbers: Numbers
) -> tuple[Integers | None, Integers | None]:
    """Return the training ratings of each item by all users, and by those of the truth."""
    if train is None or trained is None:
        return None, None
    n_items = len(numbers.items)
    number = np.bincount(places(numbers.items, train.items)[train.item], minlength=n_items)
    own = apart.judged[trained.user] > 0
    return number, np.bincount(trained.item[own], minlength=n_items)


def _notes(
    apart: Apart,
    whole: Qrels,
    left: Qrels,
    numbers: Numbers,
    judged: Judged,
    trained: Judged | None,
    others: int,
) -> list[str]:
    """Return the assumptions on the judgements."""
    n_items, n_left = len(numbers.items), len(left.item)
    n_true, n_users = len(apart.true.user), int((apart.judged > 0).sum())
    if apart.share is not None:
        values = {"both": apart.both, "qrels": len(whole.item), "share": apart.share}
        notes = [fill(sentences.SPLIT, values, truth=n_true, left=n_left)]
        notes += [sentences.WITHOUT_TRAIN] if trained is None else []
    else:
        notes = []
        if apart.both:
            notes.append(fill(sentences.SHARED, both=apart.both, left=n_left))
    random = judged.inclusion is None
    rests_on = sentences.RESTS_ON if random else sentences.RESTS_ON_PROBABILITIES
    notes.append(fill(rests_on, judgements=n_true, users=n_users, items=n_items))
    if others:
        notes.append(fill(sentences.OTHERS, users=others))
    if trained is not None:
        in_train = int(np.isin(judged.key(n_items), trained.key(n_items)).sum())
        notes += [fill(sentences.TRAINED, n=in_train)] if in_train else []
    expected = float((apart.judged[whole.judgements.row] / n_items).sum())
    if random and seems_taken_out(apart, expected):
        notes.append(fill(sentences.TAKEN_OUT, expected=expected))
    return notes
