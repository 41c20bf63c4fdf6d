"""Protocols: how a dataset is split into training and test, its filters, and their checks."""

import datetime
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from rankassay.config.systems import check_name
from rankassay.config.titles import data_of, entry_of
from rankassay.data.entries import SET_ASIDE, completed
from rankassay.errors import RankassayError, written
from rankassay.studies.settings import Count, Number, OneLine, Settings, Share, Text

UTC = datetime.UTC
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]|$)")
# Kinds of datasets that are neither filtered nor split: they come split, or as values of metrics.
COMPLETE = ("qrels", "scores")
HOLD_OUT = "hold_out_users"


def _seconds(value: int | str | datetime.date) -> int:
    """Return a time in seconds since 1970; a date without a time is its midnight, in UTC."""
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        try:
            # Python takes 20011231 for a date, too, which without quotes would be seconds.
            if not DATE.match(value):
                raise ValueError
            value = datetime.datetime.fromisoformat(value)
        except ValueError:
            raise ValueError(
                "expected seconds since 1970, or a date as in 2001-12-31 or 2001-12-31T12:00"
            ) from None
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime.combine(value, datetime.time())
    return int(value.replace(tzinfo=value.tzinfo or UTC).timestamp())


Time = Annotated[
    int | datetime.datetime | datetime.date | Text,
    AfterValidator(_seconds),
]
Fraction = Annotated[
    Share,
    Field(description="Share of each user's ratings that is put aside for testing."),
]
Rounding = Annotated[
    Literal["floor", "nearest", "ceil"],
    Field(description="How the number of a user's test ratings is made whole."),
]


class RandomSplit(Settings):
    """A random part of each user's ratings is put aside for testing."""

    method: Literal["random"] = Field("random", description="A random part of each user's ratings.")
    test_fraction: Fraction = 0.2
    rounding: Rounding = "floor"


class FoldsSplit(Settings):
    """The ratings are dealt into folds at random, each of which is the test set once."""

    method: Literal["folds"] = Field(description="One of several random folds is tested.")
    folds: Annotated[int, Field(ge=2)] = Field(5, description="Number of folds.")
    unit: Literal["user", "ratings"] = Field(
        "user",
        description="user: each user's ratings are dealt into the folds. ratings: those of all "
        "users together, so that a user may be without training or test ratings in a fold.",
    )
    too_few: Literal["error", "spread"] = Field(
        "error",
        description="With the unit user: a user with fewer ratings than folds is an error, or has "
        "no test ratings in some folds, which are drawn at random (spread).",
    )


class LeaveLastSplit(Settings):
    """The last ratings of each user are tested."""

    method: Literal["leave_last"] = Field(description="The last ratings of each user are tested.")
    n: Count = Field(
        1, description="How many are tested; a user with no more than that keeps the first one."
    )


class TemporalShareSplit(Settings):
    """The last part of each user's ratings is tested."""

    method: Literal["temporal_share"] = Field(
        description="The last part of each user's ratings is tested."
    )
    test_fraction: Fraction = 0.2
    rounding: Rounding = "floor"


class GlobalTimeSplit(Settings):
    """Ratings before a point in time are for training, those at it or later for testing."""

    method: Literal["global_time"] = Field(
        description="Ratings from a point in time on are tested, one point for all users."
    )
    point: Time | None = Field(
        None,
        description="The point, in seconds since 1970 or as a date (2001-12-31, 2001-12-31T12:00), "
        "in UTC.",
    )
    share: Share | None = Field(
        None,
        description="In place of `point`, the share of all ratings that come before it; those of "
        "one time are never torn apart.",
    )
    targets: Literal["all", "first", "last"] = Field(
        "all",
        description="Which of a user's ratings from the point on are tested: all, the first or the "
        "last one. Others of them are in neither part.",
    )
    cold_users: Literal["keep", "drop"] = Field(
        "keep",
        description="Whether users without training ratings are tested (keep), or not (drop).",
    )

    @model_validator(mode="after")
    def _one_point(self) -> Self:
        if (self.point is None) == (self.share is None):
            raise ValueError("expected either a point in time, or a share of all ratings")
        return self


class HoldOutUsersSplit(Settings):
    """Some users are held out: no model learns from them, and some of their ratings are tested."""

    method: Literal["hold_out_users"] = Field(
        description="Users are held out; models are told a part of their ratings afterwards."
    )
    users: Share = Field(0.2, description="Share of the users who are held out, at random.")
    test_fraction: Fraction = 0.2
    rounding: Rounding = "floor"
    last: Count | None = Field(
        None,
        description="In place of `test_fraction`, how many of the last ratings of each held-out "
        "user are tested.",
    )

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        # Filled-in defaults of the other way are no choice.
        if self.last is not None and (self.test_fraction, self.rounding) != (0.2, "floor"):
            raise ValueError("the keys 'test_fraction' and 'rounding' have no place with 'last'")
        return self


def method(split: Any) -> str:
    """Return the method of a split, which is random where it is not said."""
    if isinstance(split, Mapping):
        return written(split.get("method", "random"))
    return getattr(split, "method", "random")


Split = Annotated[
    Annotated[RandomSplit, Tag("random")]
    | Annotated[FoldsSplit, Tag("folds")]
    | Annotated[LeaveLastSplit, Tag("leave_last")]
    | Annotated[TemporalShareSplit, Tag("temporal_share")]
    | Annotated[GlobalTimeSplit, Tag("global_time")]
    | Annotated[HoldOutUsersSplit, Tag("hold_out_users")],
    Discriminator(method),
]

When = Annotated[
    Literal["before", "after"],
    Field(description="Before the split, or after it: then of the training ratings alone."),
]


class KCore(Settings):
    """Users and items with few ratings are excluded."""

    kind: Literal["k_core"] = Field(description="Users and items with few ratings are left out.")
    users: Count | None = Field(None, description="The fewest ratings of a user who stays.")
    items: Count | None = Field(None, description="The fewest ratings of an item that stays.")
    iterate: bool = Field(
        True,
        description="Whether it is done again until all who stay have enough, or once: users "
        "first, then items.",
    )
    when: When = "before"

    @model_validator(mode="after")
    def _of_something(self) -> Self:
        if self.users is None and self.items is None:
            raise ValueError("expected the fewest ratings of users, of items, or of both")
        return self


class LeastRating(Settings):
    """Ratings below a value are excluded."""

    kind: Literal["least_rating"] = Field(description="Ratings below a value are left out.")
    rating: Number = Field(description="The least rating that stays, in units of the scale.")
    when: When = "before"


class Window(Settings):
    """Ratings outside of a span of time are excluded."""

    kind: Literal["window"] = Field(description="Ratings outside of a span of time are left out.")
    from_: Time | None = Field(
        None,
        alias="from",
        description="The first time that stays, in seconds since 1970 or as a date, in UTC.",
    )
    to: Time | None = Field(None, description="The first time after it that does not stay.")
    when: When = "before"

    @model_validator(mode="after")
    def _of_something(self) -> Self:
        if self.from_ is None and self.to is None:
            raise ValueError("expected from, to, or both")
        if self.from_ is not None and self.to is not None and self.from_ >= self.to:
            raise ValueError(f"expected from to be before to, found {self.from_} and {self.to}")
        return self


class SampleUsers(Settings):
    """A random sample of the users stays."""

    kind: Literal["sample_users"] = Field(description="A random sample of the users stays.")
    users: Count | None = Field(None, description="How many users stay.")
    share: Share | None = Field(None, description="In place of it, which share of them.")
    when: When = "before"

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.users is None) == (self.share is None):
            raise ValueError("expected either a number of users, or a share of them")
        return self


Filter = Annotated[KCore | LeastRating | Window | SampleUsers, Field(discriminator="kind")]
Filters = Annotated[
    list[Filter],
    Field(description="What is left out, before or after the split: steps, in their order."),
]


class Protocol(Settings):
    """A way to split a dataset, and its filters."""

    label: OneLine = Field(description="Name in figures and tables.")
    split: Split = RandomSplit()
    filter: Filters = []


def protocol_of(config: Mapping[str, Any], dataset: str) -> Mapping[str, Any]:
    """Return the `split` and `filter` of a dataset: those of its protocol, or the run's."""
    name = protocol_name(config, dataset)
    return config["protocol_catalogue"][name] if name else config


def protocol_name(config: Mapping[str, Any], dataset: str) -> str | None:
    """Return the protocol that a variant names, or else its dataset; None if neither does."""
    own = config["variants"].get(dataset, {}).get("protocol")
    return own or entry_of(config, dataset).get("protocol")


def comes_split(entry: Mapping[str, Any]) -> bool:
    """Return whether a dataset of the catalogue comes split: it is not split again."""
    return entry["kind"] in COMPLETE


def holds_out(config: Mapping[str, Any], dataset: str) -> bool:
    """Return whether users of a dataset are held out; data that comes split is not split again."""
    given = comes_split(entry_of(config, dataset))
    return not given and protocol_of(config, dataset)["split"]["method"] == HOLD_OUT


def needs_times(protocol: Mapping[str, Any]) -> str | None:
    """Return the key of a protocol's step that needs timestamps, or None."""
    split = protocol["split"]
    if split["method"] in ("leave_last", "temporal_share", "global_time") or split.get("last"):
        return f"split.method: {split['method']}"
    windows = (f"filter[{k}]" for k, step in enumerate(protocol["filter"]) if "to" in step)
    return next(windows, None)


def steps_of(protocol: Mapping[str, Any], when: str) -> list[Mapping[str, Any]]:
    """Return the steps of a protocol's filter before or after the split, without saying when."""
    return [
        {key: value for key, value in step.items() if key != "when" and value is not None}
        for step in protocol["filter"]
        if step["when"] == when
    ]


def check_protocols(config: dict) -> None:
    """Check that every dataset and variant can be split and filtered by its protocol."""
    for name in dict.fromkeys([*config["datasets"], *config["variants"]]):
        _check_protocol(config, name)


def _check_protocol(config: Mapping[str, Any], dataset: str) -> None:
    """Check that a dataset, or a variant of one, can be split and filtered as its protocol says."""
    variant, data = config["variants"].get(dataset, {}), data_of(config, dataset)
    entry = entry_of(config, dataset)
    own, named = entry.get("protocol"), variant.get("protocol")
    for place, name in ((f"variants.{dataset}", named), (f"dataset_catalogue.{data}", own)):
        if name is not None:
            known = config["protocol_catalogue"]
            check_name(f"config: {place}.protocol:", "protocol", name, known)
    protocol = protocol_of(config, dataset)
    said = f"protocol_catalogue.{named or own}." if named or own else ""
    fold, folds = variant.get("fold"), protocol["split"].get("folds", 0)
    if fold is not None and fold > folds:
        of = f"1 to {folds}, the folds of" if folds else "no fold, as there is none of"
        raise RankassayError(
            f"config: variants.{dataset}.fold: expected {of} {said}split, found {fold}."
        )
    if named and comes_split(entry):
        raise RankassayError(
            f"config: variants.{dataset}.protocol: '{data}' comes with its own test set and is "
            "not split; remove it."
        )
    needed = needs_times(protocol)
    if needed and not may_have_times(entry):
        raise RankassayError(
            f"config: {said}{needed} needs timestamps, which '{data}' is without; give "
            f"dataset_catalogue.{data}.columns.timestamp, or choose another protocol."
        )
    whole = completed(data, entry)
    known = [part for part in ("truth", "propensities") if whole.get(part)]
    if known and steps_of(protocol, "before"):
        raise RankassayError(
            f"config: {said}filter: '{data}' has {known[0]} of all its users and items, some of "
            "whom a filter before the split may remove; say 'when: after' of its steps, or choose "
            "another protocol."
        )
    aside = (whole.get("truth") or {}).get("design") == SET_ASIDE
    if aside and any(step["kind"] == "least_rating" for step in steps_of(protocol, "after")):
        raise RankassayError(
            f"config: {said}filter: a part of the judgements of '{data}' is set aside as the "
            "truth, which is weighed as if what users like and what they do not like trained "
            "alike; remove the step least_rating, or choose another protocol."
        )


def may_have_times(entry: Mapping[str, Any]) -> bool:
    """Return whether the ratings of a dataset may have timestamps; a column may not be there."""
    if entry["kind"] != "file":
        return True
    matrix = entry.get("format") == "matrix"
    return not matrix and (entry.get("columns") or {}).get("timestamp") is not None
