"""How a dataset's files are read: their names, formats and columns, and companion files."""

import re
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from rankassay.data import numerals
from rankassay.data.readers import FORMS
from rankassay.studies.settings import (
    Count,
    Distinct,
    Number,
    Settings,
    Share,
    Text,
)

Column = Annotated[Annotated[int, Field(ge=0)] | Text, Field(union_mode="left_to_right")]
Position = Annotated[Column, Field(description="Position from 0, or name.")]
Separator = Annotated[
    Text | None,
    Field(
        description="What stands between two columns: any characters, `\\t` for a tab, or "
        "`whitespace` for any number of blanks and tabs. With a comma or semicolon, fields may be "
        "quoted. If not given, a comma where the name of the file ends in .csv, and a tab in .tsv."
    ),
]
Header = Annotated[
    bool | None,
    Field(
        description="Whether the first line holds the names of the columns; if not given, it does "
        "where columns are given by name."
    ),
]
Encoding = Annotated[
    Text | None,
    Field(description="Encoding of the text, for instance latin-1; utf-8 if not given."),
]
Blanks = Annotated[
    Literal["keep"] | None,
    Field(
        description="keep: blanks around ids in columns, as in quotes, belong to them; if not "
        "given, they are left out."
    ),
]


def _one_group(pattern: str) -> str:
    """Refuse anything but a regular expression with one group."""
    try:
        found = re.compile(pattern).groups
    except re.error as error:
        raise ValueError(f"expected a regular expression, found {pattern!r}: {error}") from None
    if found != 1:
        raise ValueError(
            f"expected a regular expression with one group in brackets, found {found} of them in "
            f"{pattern!r}"
        )
    return pattern


def _increasing(numbers: list[float]) -> list[float]:
    """Refuse numbers of which one is not above the one before it."""
    if any(b <= a for a, b in pairwise(numbers)):
        raise ValueError(f"expected increasing numbers, found {numbers}")
    return numbers


class Columns(Settings):
    """Where the fields of a rating are: positions from 0, or names (of a header, or keys)."""

    user: Position
    item: Position
    rating: Column | None = Field(
        description="Position from 0, or name; null where there is none, as for plays or clicks: "
        "then every line is a rating of 1.",
    )
    timestamp: Column | None = Field(
        None,
        description="Position or name of the time, by default in seconds since 1970 (see "
        "`timestamp_format`). May be left out; a position that the file does not have, or a key "
        "that some dicts do not have, means no timestamps.",
    )


Format = Annotated[
    Literal[*FORMS] | None,
    Field(
        description=" ".join(f"{name}: {form.says}." for name, form in FORMS.items())
        + " If not given, npz or parquet where the file's name ends so, and else delimited. "
        "Files that are packed by gzip, xz or zstd are unpacked while reading.",
    ),
]
Lead = Annotated[
    Literal["user", "count"] | None,
    Field(
        description="What stands before the items in a line of `lists`: the user's id, or the "
        "number of items. Nothing if not given.",
    ),
]
ColumnsOf = Annotated[
    Columns | None,
    Field(
        description="Where the fields of a rating are: positions from 0, or names (of a header, or "
        "keys of dicts). Other columns are ignored. If not given, the names user, item and rating.",
    ),
]
TimestampFormat = Annotated[
    Annotated[Text, AfterValidator(numerals.check_time_form)] | None,
    Field(
        description="How times are written: as numbers, in s, ms, us or ns since 1970; iso, as in "
        "2012-04-03T18:00:09Z or 2012-04-03; or by a pattern of Python's strptime, as in %Y/%m/%d. "
        "Times without a zone are in UTC, and parts of a second are cut off. s if not given; "
        "parquet's own timestamps need none.",
    ),
]


class Files(Settings):
    """The raw files: names in raw_dir/<dataset>/, and in the archive."""

    ratings: Text = Field(description="The file of ratings.")
    aspects: Text | None = Field(
        None, description="The file of the items' aspects; may be absent in raw_dir."
    )
    truth: Text | None = Field(None, description="The file of judgements of random items.")
    propensities: Text | None = Field(None, description="The file of the ratings' propensities.")
    user_attributes: Text | None = Field(
        None, description="The file of the users' attributes; may be absent in raw_dir."
    )
    item_attributes: Text | None = Field(
        None, description="The file of the items' attributes; may be absent in raw_dir."
    )


class SplitFiles(Settings):
    """The raw files of ratings that come split: names in raw_dir/<dataset>/."""

    ratings: Text = Field(description="The judgements.")
    train: Text | None = Field(None, description="The training ratings.")


class Aspects(Settings):
    """How the file of the items' aspects is read: names in a column, or a flag for each aspect."""

    separator: Separator = None
    header: Header = None
    encoding: Encoding = None
    item: Column = Field(description="Position from 0, or name, of the column with the item's id.")
    labels: Column | None = Field(
        None,
        description="Position from 0, or name, of the column with the aspects of an item.",
    )
    label_separator: Text | None = Field(
        None,
        description='What stands between two aspects in that column, for instance ","; "|" if not '
        "given. Blanks around an aspect do not count.",
    )
    none: Text | None = Field(None, description="The label that stands for no aspects.")
    first_flag: Annotated[int, Field(ge=0)] | None = Field(
        None, description="Position from 0 of the first column of flags."
    )
    names: Distinct[Text] | None = Field(
        None, description="The aspects that the flags stand for, in their order."
    )

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        given = self.model_fields_set
        if given >= {"first_flag", "names"} and given.isdisjoint(
            {"labels", "label_separator", "none"}
        ):
            return self
        if "labels" in given and given.isdisjoint({"first_flag", "names"}):
            return self
        raise ValueError("expected either labels, or first_flag and names")


class Attribute(Settings):
    """How the values of one attribute are read, each of which makes a group of users or items."""

    column: Position
    pattern: Annotated[Text, AfterValidator(_one_group)] | None = Field(
        None,
        description="A regular expression with one group in brackets, which is the value; where a "
        "field does not fit, the value is not known. The whole field if not given.",
    )
    none: Text | None = Field(
        None,
        description="The value that stands for one that is not known; an empty field does, too.",
    )
    boundaries: Annotated[list[Number], Field(min_length=1), AfterValidator(_increasing)] | None = (
        Field(
            None,
            description="Increasing numbers: values are numbers, and a group has those from one "
            "boundary on and below the next. As they are if not given.",
        )
    )
    min_size: Count = Field(
        1,
        description="Groups with fewer users or items are merged into `other`. With 1, the "
        "default, none are.",
    )
    missing: Annotated[Number, Field(ge=0, le=1)] = Field(
        0,
        description="The largest share of the rated items, or of the users, whose value may not be "
        "known; they are of no group. More of them are an error.",
    )


class Attributes(Settings):
    """How a file of attributes is read: a user or item per line, and a column for each attribute.

    Attributes make the groups that metrics of fairness compare.
    """

    separator: Separator = None
    header: Header = None
    encoding: Encoding = None
    id: Column = Field(
        description="Position from 0, or name, of the column with the id of the user or item."
    )
    attributes: Annotated[dict[Text, Attribute], Field(min_length=1)] = Field(
        description="By a name of your own, as in {gender: {column: 1}}."
    )


class Truth(Settings):
    """Judgements of items that were chosen at random, which users did not select.

    They are in a separate file; in that of the ratings with a column `known`; or the ratings
    themselves are such judgements (`design: set-aside`). How a separate file is read, and is not
    said here, is as for the ratings.
    """

    design: Literal["set-aside", "as-published"] | None = Field(
        None,
        description="What of the judgements in the ratings' own file is the truth. set-aside: "
        "before the split all that users had not known, and the share `set_aside` of the rest, so "
        "that the observed ratings and the truth share none. as-published: all that was judged, "
        "but for training, as in Cañamares and Castells (SIGIR 2018): test ratings are in both. "
        "set-aside if not given. A truth in a file of its own is taken as it is.",
    )
    set_aside: Share | None = Field(
        None,
        description="The share of the judgements that users could have given as ratings that is "
        "set aside as the truth, above 0 and below 1: of those with `known` 1, or of all without "
        "that column. If not given, 0.25 with `known` and else 0.5.",
    )
    inclusion: Column | None = Field(
        None,
        description="Position from 0, or name, of a column of the truth's own file with the "
        "probability, above 0 and at most 1, that the pair was drawn to be judged; if not given, "
        "each user's items are equally likely.",
    )

    known: Column | None = Field(
        None,
        description="Position from 0, or name, of a column of the ratings' file that is 1 where "
        "the user knew the item before and else 0. All lines are judgements then, and those with "
        "1 are what can be observed; `design` says which of them are the ratings.",
    )
    discovery: Literal["as-is", "relevance-independent", "item-independent"] = Field(
        "as-is",
        description="Which of the judgements in a file with `known` are observed: those that were "
        "known (as-is), or as many drawn at random, with the share of another item's judgements "
        "that were known (relevance-independent) or the share of the relevant and of the other "
        "judgements that were known (item-independent).",
    )
    unknown: Literal["error", "skip"] | None = Field(
        None,
        description="What becomes of judgements by users, or of items, without any observed "
        "rating: an error, or left out (skip) and counted. If not given, skip with `known`, and "
        "else an error.",
    )
    format: Literal["delimited", "dicts", "matrix", "parquet"] | None = Field(
        None,
        description="As that of the ratings, whose format it is if not given and the name of the "
        "file does not end in .parquet.",
    )
    separator: Separator = None
    header: Header = None
    encoding: Encoding = None
    columns: Columns | None = Field(
        None, description="Where the fields of a judgement are, as for the ratings."
    )


class PropensityColumns(Settings):
    """Where the fields of a propensity are: positions from 0, or names of a header."""

    user: Position
    item: Position
    propensity: Position


class Propensities(Settings):
    """The probability that the rating of an item by a user is observed, above 0 and at most 1.

    How the file is read, and is not said here, is as for the ratings.
    """

    format: Literal["delimited", "matrix"] | None = Field(
        None,
        description="delimited: a propensity per line, in columns. matrix: a line per user, a "
        "column per item, as of such ratings. That of the ratings if not given.",
    )
    separator: Separator = None
    header: Header = None
    encoding: Encoding = None
    columns: PropensityColumns | None = Field(
        None,
        description="Where the fields are: positions from 0, or names of a header. If not given, "
        "the names user, item and propensity.",
    )


class Published(Settings):
    """Published statistics that the prepared dataset is compared to."""

    users: int | None = Field(None, description="Number of users.")
    items: int | None = Field(None, description="Number of rated items.")
    ratings: int | None = Field(None, description="Number of ratings.")
    lines: int | None = Field(
        None, description="Number of lines, before several of one user and item become one."
    )
    density: Number | None = Field(
        None, description="Ratings divided by users times items, a fraction."
    )
    gini: Number | None = Field(
        None, description="Gini coefficient of the items' numbers of ratings."
    )
