"""What tests of forms put into them: rows of judgements, runs and training ratings, and mistakes.

Rows are (user, item, number).
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Rows = list[tuple[Any, Any, Any]]


@dataclass(frozen=True)
class Content:
    """What is in the inputs of a call: rows of judgements, of runs and of training ratings."""

    qrels: Rows
    runs: Mapping[str, Rows]
    train: Rows
    threshold: float = 4

    def inputs(self) -> dict[str, tuple[Rows, str]]:
        """Return the rows of each input with the name of their number."""
        found = {"qrels": (self.qrels, "rating"), "train": (self.train, "rating")}
        return found | {name: (rows, "score") for name, rows in self.runs.items()}

    def changed(self, user: Callable[[Any], Any], item: Callable[[Any], Any]) -> "Content":
        """Return the same with other ids."""

        def own(rows: Rows) -> Rows:
            return [(user(u), item(i), number) for u, i, number in rows]

        runs = {name: own(rows) for name, rows in self.runs.items()}
        return replace(self, qrels=own(self.qrels), runs=runs, train=own(self.train))


def drawn(
    rng: np.random.Generator,
    n_users: int = 12,
    n_items: int = 9,
    levels: tuple[float, ...] = (1, 2, 3, 4, 5),
    ties: bool = False,
    missing: float = 0,
    shift: float = 0,
    threshold: float = 4,
) -> Content:
    """Return a content of whole numbers as ids, from 0, whose judgements and training differ."""
    judged = rng.random((n_users, n_items)) < 0.5
    judged[:, rng.integers(n_items)] = True  # nobody is without judgements
    ratings = rng.choice(np.array(levels, dtype=float), (n_users, n_items))

    def rows(there, numbers) -> Rows:
        return [
            (int(u), int(i), float(numbers[u, i])) for u, i in zip(*np.nonzero(there), strict=True)
        ]

    runs = {}
    for name in ("a", "b"):
        scores = rng.permutation(n_users * n_items).reshape(n_users, n_items) / 8 + shift
        if ties:
            scores = np.floor(scores / 4)
        listed = rng.random((n_users, n_items)) < 0.7
        listed[rng.random(n_users) < missing] = False
        listed[0, :2] = True
        runs[name] = rows(listed, scores + 0.5)
    train = ~judged & (rng.random((n_users, n_items)) < 0.8)
    train[0, ~judged[0]] = True
    return Content(rows(judged, ratings), runs, rows(train, ratings), threshold)


def named(*names: str) -> Callable[[int], str]:
    """Return a function from whole numbers to ids: the names, and then such as x12."""
    return lambda number: names[number] if number < len(names) else f"x{number}"


def contents() -> dict[str, Content]:
    """Return contents that differ in their ids, ratings and scores."""
    rng = np.random.default_rng(67)
    blanks = named("Pale Ale", "bob lee"), named("La La Land", "5% off", "a  b")
    odd = named("NA", "007", "7", "7.0", "null"), named("nan", "1e3", "01", "1", "True", "#1")
    text = named("ünï", "日本", "é", "e\u0301", "ﬁ"), named("ß", "SS", "🎬", "Ω", "naïve")
    return {
        "whole numbers": drawn(rng),
        "text": drawn(rng).changed(*text),
        "blanks in ids": drawn(rng).changed(*blanks),
        "ids like numbers": drawn(rng).changed(*odd),
        "halves": drawn(rng, levels=(0.5, 1, 3.5, 4.5), threshold=3.5),
        "ties": drawn(rng, ties=True),
        "users without lists": drawn(rng, missing=0.4),
        "one user": drawn(rng, n_users=1),
        "negative scores": drawn(rng, shift=-20, levels=(-1, 0, 2, 4)),
        "large ids": drawn(rng).changed(lambda u: 2**53 + u, lambda i: 2**62 + i),
    }


# Changes of one row after which every form and door refuses: in which input, how, and what the
# message says of it besides the input's name and the row.
@dataclass(frozen=True)
class Fault:
    """A mistake in one input, and what a refusal of it names."""

    input: str
    change: Callable[[Rows], Rows]
    says: str  # a regular expression
    at: int | None = 4  # the row that is named, from 0

    def of(self, content: Content) -> Content:
        """Return a content with the mistake."""
        if self.input in content.runs:
            runs = {**content.runs, self.input: self.change(content.runs[self.input])}
            return replace(content, runs=runs)
        return replace(content, **{self.input: self.change(getattr(content, self.input))})


def _number(at: int, number: Any) -> Callable[[Rows], Rows]:
    return lambda rows: [*rows[:at], (*rows[at][:2], number), *rows[at + 1 :]]


def _id(at: int, place: int, name: Any) -> Callable[[Rows], Rows]:
    return lambda rows: [
        (*(name if n == place else own for n, own in enumerate(row)),) if i == at else row
        for i, row in enumerate(rows)
    ]


def _again(rows: Rows) -> Rows:
    return [*rows[:5], (*rows[3][:2], rows[3][2] + 1), *rows[5:]]


FAULTS = {
    "an item twice": Fault("qrels", _again, "twice|already|second one", 5),
    "an item twice in a run": Fault("b", _again, "twice|already|second one", 5),
    "a rating that is missing": Fault("qrels", _number(4, None), "rating|fields"),
    "a training rating that is missing": Fault("train", _number(4, None), "rating|fields"),
    "a score that is NaN": Fault("b", _number(4, math.nan), "score"),
    "a rating that is text": Fault("qrels", _number(4, "good"), "good"),
    "a score that is text": Fault("b", _number(4, "high"), "high"),
    "an item that is empty": Fault("qrels", _id(4, 1, ""), "item|fields"),
    "a user who is empty": Fault("b", _id(4, 0, ""), "user|fields"),
    "an infinite rating": Fault("qrels", _number(4, math.inf), "inf|3.40282e\\+38|rating"),
    "no common user": Fault(
        "b", lambda rows: [(f"other{u}", i, n) for u, i, n in rows], "other", None
    ),
    "ids of two types": Fault("b", _id(4, 1, 5), "type", None),
}


def traits(rows: Rows) -> set[str]:
    """Return what is in rows that not all forms can hold."""
    ids = [each for row in rows for each in row[:2]]
    numbers = [row[2] for row in rows]
    found = set()
    if not all(isinstance(each, int) and 0 <= each < 1000 for each in ids):
        found.add("names")
    if any(isinstance(each, str) and any(map(str.isspace, each)) for each in ids):
        found.add("blanks")
    if any(str(row[0]).startswith("#") for row in rows):
        found.add("comments")
    if len({row[:2] for row in rows}) < len(rows):
        found.add("twice")
    if len({*map(type, (row[0] for row in rows))}) + len({type(row[1]) for row in rows}) > 2:
        found.add("types")
    if any(isinstance(number, int) and abs(number) >= 2**53 for number in numbers):
        found.add("beyond 2^53")
    if "" in ids:
        found.add("empty")
    if None in numbers:
        found.add("none")
    if any(isinstance(number, str) for number in numbers):
        found.add("words")
    elif any(number is not None and not math.isfinite(number) for number in numbers):
        found.add("not finite")
    if len({(row[0], row[2]) for row in rows}) < len(rows):
        found.add("ties")
    return found
