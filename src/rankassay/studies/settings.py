"""Building blocks of settings: a strict model, and the types that several analyses share.

A setting has one home: the class in `settings.py` of its study, where its type, its default, its
description and its bounds stand. The schema, the reference of keys, `config/config.yaml` and the
messages about mistakes are made from it (`rankassay.config`). The models are pydantic's, which has
all four; dataclasses would need a reader, a schema and messages of our own.
"""

import contextlib
import itertools
import sys
import unicodedata
from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WrapValidator

from rankassay.declared.correlations import CORRELATIONS, OVERLAPS
from rankassay.errors import RankassayError, unknown
from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.names import canonical, unknown_metric
from rankassay.metrics.profiles import PROFILES
from rankassay.statistics.region import Region

T = TypeVar("T")

# Defaults of every study with such an analysis: under a metric, a pair of systems has one p-value,
# DP one interval, and the ranking of systems one correlation at a level, wherever it is shown.
PERMUTATIONS, REPLICATES, PARTS = 100_000, 2000, 50


class Settings(BaseModel):
    """Settings of an analysis, or a section of the configuration: no others, and of these types."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, validate_default=True, allow_inf_nan=False
    )


def _as_given(value: Any, check: Any) -> Any:
    """Check a number, and keep 100 an integer: it is not 100.0 in tables and names of files."""
    check(value)
    return value


def _increasing(values: list) -> list:
    """Refuse values that do not increase: sums down to each cut-off go from one to the next."""
    if values != sorted(values):
        raise ValueError("expected increasing values")
    return values


def _distinct(values: list) -> list:
    """Refuse a repeated value; 1 and 1.0 are the same, 1 and true are not."""
    for x, y in itertools.combinations(values, 2):
        if x == y and isinstance(x, bool) == isinstance(y, bool):
            raise ValueError("expected no value twice")
    return values


def _one_line(label: str) -> str:
    """Refuse text that would break a line of a table or a figure."""
    if any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in label):
        raise ValueError("expected a name in one line, without tabs or other control characters")
    return label


def _known_metric(name: str) -> str:
    """Return a metric by its catalogue name; refuse an unknown or unloadable one."""
    name = canonical(name)
    if ":" in name:
        from rankassay.metrics.evaluate import resolve  # on use: compiled code takes its time

        with as_value_error():
            resolve(name, (), "paper")
    elif name not in METRICS:
        raise ValueError(str(unknown_metric(name)))
    return name


def _known_profile(name: str) -> str:
    """Refuse a set of definitions that is none."""
    if name not in PROFILES:
        raise ValueError(str(unknown("profile", name, PROFILES)))
    return name


@contextlib.contextmanager
def as_value_error() -> Iterator[None]:
    """Turn an error of the package into one that pydantic reports with its place."""
    try:
        yield
    except RankassayError as error:
        raise ValueError(str(error)) from None


def _none_or_enough(number: int) -> int:
    """Refuse resamples too few to put one beyond the ends of an interval of 95 %."""
    if 0 < number < 40:
        raise ValueError("expected 0 or at least 40")
    return number


def _apart_from_all(share: float) -> float:
    """Refuse a share that rounds to 0 or 1 in float64."""
    least = sys.float_info.epsilon  # as `rankassay.data.inputs.level`, which needs pandas
    if not least <= share <= 1 - least:
        raise ValueError(f"expected a share from {least} to {1 - least}")
    return share


def _known_region(value: float | str) -> float | str:
    """Refuse a region of equivalence that is none."""
    with as_value_error():
        Region.of(value)
    return value


Number = Annotated[float, WrapValidator(_as_given)]
Count = Annotated[int, Field(ge=1)]
Share = Annotated[Number, Field(gt=0, lt=1), AfterValidator(_apart_from_all)]
Unit = Annotated[Number, Field(ge=0, le=1)]
Text = Annotated[str, Field(min_length=1)]
OneLine = Annotated[Text, AfterValidator(_one_line)]
Profile = Annotated[Text, AfterValidator(_known_profile)]
Name = Annotated[str, Field(pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]
Distinct = Annotated[list[T], Field(min_length=1), AfterValidator(_distinct)]

Percentages = Annotated[
    Distinct[Annotated[Number, Field(ge=1, le=100)]],
    Field(description="Percentages, from 1 to 100."),
]
Cutoffs = Annotated[
    Distinct[Count],
    AfterValidator(_increasing),
    Field(
        description="Cut-offs at which every metric is computed, increasing; if not given, the "
        "nearest of metrics.cutoffs."
    ),
]
Metrics = Annotated[
    Distinct[Annotated[Text, AfterValidator(_known_metric)]],
    Field(description="Metrics without parameters, or of your own as module:function."),
]
Resamples = Annotated[
    int,
    Field(
        ge=0,
        description="Resamples of the users, from which intervals come; 0 for none, or at least "
        "40: of fewer, none lies beyond the ends of an interval of 95 %.",
    ),
    AfterValidator(_none_or_enough),
]
Level = Annotated[Share, Field(description="Level of the interval.")]
Permutations = Annotated[Count, Field(description="Permutations of the test.")]
Parts = Annotated[Count, Field(description="Random parts of the test set at each level.")]
Equivalence = Annotated[
    Number | Text,
    AfterValidator(_known_region),
    Field(
        description="Differences below this do not matter: in the metric's unit, or such as 1% of "
        "the better system's mean."
    ),
]
Stratified = Annotated[
    bool,
    Field(description="Whether each user keeps the same share of ratings, or all users together."),
]
UnjudgedUsers = Annotated[
    Literal["drop", "zero"],
    Field(description="Whether users left without test ratings leave the means or score 0."),
]
RoundMeans = Annotated[
    Annotated[int, Field(ge=0)] | None,
    Field(description="Decimals to which systems' means are rounded before they are ordered."),
]
Correlation = Annotated[
    Literal[tuple(CORRELATIONS)],
    Field(description="How two orders of the systems are compared."),
]
Also = Annotated[
    Annotated[list[Correlation], AfterValidator(_distinct)],
    Field(
        description="Other correlations of the same rankings, in separate rows; figures show them "
        "next to `correlation`, which everything else reads."
    ),
]
Persistence = Annotated[
    Share, Field(description=f"The p of rank-biased overlap ({', '.join(OVERLAPS)}).")
]
