"""What an entry of the dataset catalogue may hold, by kind."""

import re
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from rankassay.data import numerals
from rankassay.data.entries import (
    AS_PUBLISHED,
    BESIDE,
    DESCRIBED,
    MADE,
    SEPARATORS,
    SHAPE,
    ending,
    format_beside,
    format_of,
    has_ones,
    is_implicit,
)
from rankassay.data.readers import FORMS
from rankassay.data.score_entries import measures_of
from rankassay.studies.settings import (
    Count,
    Distinct,
    Number,
    OneLine,
    Settings,
    Share,
    Text,
    as_value_error,
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
Threshold = Annotated[
    Number,
    Field(description="The least rating that makes an item relevant, in units of the scale."),
]
Feedback = Annotated[
    Literal["explicit", "implicit"] | None,
    Field(
        description="explicit: the numbers are ratings. implicit: they are that, or how often, "
        "something was clicked, played or bought; docs/own-data.md says what differs. If not "
        "given, implicit where lines are without rating, are counted or added up, and else "
        "explicit."
    ),
]
Label = Annotated[
    OneLine | None,
    Field(description="Name in figures and tables; that in the catalogue if not given."),
]
Source = Annotated[
    OneLine | None,
    Field(
        description="Where its ratings come from: datasets of one source resemble one another, and "
        "count as one where results are compared across datasets. If not given, the dataset is a "
        "source of its own, by its label."
    ),
]
Licence = Annotated[
    str | None,
    Field(description="The terms under which the data may be used; for the reader only."),
]
Page = Annotated[
    Annotated[str, Field(pattern=r"^https?://\S+$")] | None,
    Field(description="The page that offers the data and says more of them; for the reader."),
]
ClaimsOf = Annotated[
    Text | Distinct[Text] | None,
    Field(
        description="The dataset, or several, whose claims are judged on this one, too, but for "
        "those that give a number."
    ),
]
Folder = Annotated[
    Annotated[str, Field(pattern=r"^[^/\\.][^/\\]*$")] | None,
    Field(
        description="The folder in raw_dir with the files, which several datasets may share; the "
        "name of the dataset if not given."
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


class FileDataset(Settings):
    """Ratings from a file."""

    kind: Literal["file"] = Field(description="The source is a file of ratings.")
    label: Label = None
    source: Source = None
    licence: Licence = None
    page: Page = None
    folder: Folder = None
    urls: list[Annotated[str, Field(pattern="^https?://")]] | None = Field(
        None,
        description="Addresses of the archive, or of the ratings file if there is no archive, "
        "tried in order. May be empty if the file can only be had by hand.",
    )
    archive: Annotated[str, Field(pattern=r"^[^/\\.][^/\\]*$")] | None = Field(
        None, description="Name of the zip file that the URLs deliver."
    )
    checksum: (
        Annotated[str, Field(pattern="^(md5:[0-9a-fA-F]{32}|sha256:[0-9a-fA-F]{64})$")] | None
    ) = Field(
        None,
        description="Checksum of what the URLs deliver. Enforced on downloads; a file that was "
        "already there is used as it is, and its checksum is recorded.",
    )
    files: Files | None = Field(
        None,
        description="The raw files: names in raw_dir/<dataset>/, and in the archive, where the "
        "full name of a member or the last part of it will do. With `path`, members of that zip "
        "file.",
    )
    path: Text | None = Field(
        None,
        description="A local file of ratings, instead of `urls`; with `files`, a zip file that "
        "contains them.",
    )
    aspects_path: Text | None = Field(
        None, description="A local file of the items' aspects, in addition to `path`."
    )
    truth_path: Text | None = Field(
        None, description="A local file of judgements of random items, in addition to `path`."
    )
    propensities_path: Text | None = Field(
        None, description="A local file of the ratings' propensities, in addition to `path`."
    )
    user_attributes_path: Text | None = Field(
        None, description="A local file of the users' attributes, in addition to `path`."
    )
    item_attributes_path: Text | None = Field(
        None, description="A local file of the items' attributes, in addition to `path`."
    )
    format: Format = None
    lead: Lead = None
    separator: Separator = None
    header: Header = None
    encoding: Encoding = None
    blanks: Blanks = None
    columns: ColumnsOf = None
    timestamp_format: TimestampFormat = None
    rating_divisor: Annotated[Number, Field(gt=0)] = Field(
        1, description="The numbers in the file are divided by this."
    )
    decimals: Annotated[int, Field(ge=0, le=5)] | None = Field(
        None,
        description="Ratings are rounded to this number of decimals, for measured ratings "
        "such as shares of a video. Without it, a rating that float32 takes for a shorter one is "
        "an error.",
    )
    scale: Annotated[list[Number], Field(min_length=2, max_length=2)] | None = Field(
        None,
        description="The least and greatest rating (once divided); others are errors. Any if not "
        "given.",
    )
    missing_user: Literal["error", "skip", "one-user"] = Field(
        "error",
        description="What becomes of lines without user: an error, left out (skip), or taken as "
        "those of one more user (one-user). They are counted.",
    )
    bad_lines: Annotated[int, Field(ge=0)] = Field(
        0,
        description="How many lines of the ratings that are not as described may be left out. They "
        "are named in the log and counted in the statistics. One more is an error.",
    )
    aspects: Aspects | None = Field(
        None,
        description="How the file of the items' aspects is read: names in one column (`labels`), "
        "or one column of 0 and 1 for each aspect (`first_flag`, `names`).",
    )
    truth: Truth | None = Field(
        None,
        description="How judgements of random items are read, from a file of their own or from "
        "that of the ratings.",
    )
    propensities: Propensities | None = Field(
        None, description="How the file of the ratings' propensities is read."
    )
    user_attributes: Attributes | None = Field(
        None, description="How the file of the users' attributes is read, such as their gender."
    )
    item_attributes: Attributes | None = Field(
        None, description="How the file of the items' attributes is read, such as their year."
    )
    duplicates: Literal["error", "first", "last", "mean", "max", "sum", "count"] = Field(
        "error",
        description="What happens to several ratings of one item by one user: an error, the first "
        "or last (by timestamp, or by file order where there are none), their mean, the greatest, "
        "their sum, or how many there are, as of plays and clicks.",
    )
    feedback: Feedback = None
    threshold: Threshold | None = Field(
        None,
        description="The least rating that makes an item relevant, in units of the scale. If not "
        "given it is 1 of implicit feedback, and of a file that is named by `path` the usual one "
        "of its ratings: 1 of 0 and 1 and of whole ones up to 4 with a 0, and 4 of 1 to 5 stars.",
    )
    protocol: Text | None = Field(
        None,
        description="How this dataset is split and filtered, a name of protocol_catalogue; as the "
        "run says if not given.",
    )
    claims_of: ClaimsOf = None
    published: Published | None = Field(
        None, description="Published statistics that the prepared dataset is compared to."
    )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        given, paths = _given(self), [f"{part}_path" for part in BESIDE]
        if "path" in given:
            _without(self, "with a path", "urls", "archive", "checksum")
            if "files" not in given:  # members of a zip file go to the folder
                _without(self, "with a path", "folder")
        elif not given >= {"urls", "files"}:
            raise ValueError("expected a path, or urls and files")
        else:
            _without(self, "without a path", *paths)
        for key in paths:
            if key in given:
                _without(self, f"with {key}", "files")
        form = format_of(self.model_dump(exclude_none=True))
        for part in DESCRIBED:
            self._check_described(part)
        _check_shape(self, form, self.path or "")
        for part in ("truth", "propensities"):
            self._check_beside(part, form)
        if self.truth:
            self._check_design(self.truth, form)
        _check_reached(self.threshold, self.scale)
        self._check_feedback()
        return self

    def _check_described(self, part: str) -> None:
        """Check that a file of aspects or attributes is described, and can be taken apart."""
        name, described = self._file(part), getattr(self, part)
        if name and described is None:
            raise ValueError(
                f"the key '{part}' is missing, which describes the file of {part.replace('_', ' ')}"
            )
        if described and not name and part != "aspects":
            raise ValueError(f"{part}: no file is named; give files.{part}, or {part}_path")
        for own in {*described.attributes} & {*MADE[part]} if described and part in MADE else ():
            raise ValueError(
                f"{part}: the name '{own}' stands for groups by training ratings; choose another"
            )
        if name and described.separator is None:
            _check_ending(name, f"{part}: ")

    def _check_beside(self, part: str, own: str) -> None:
        """Check how judgements of random items, or propensities, are read in addition to ratings.

        `own` is the format of the ratings.
        """
        described, file = getattr(self, part), self._file(part)
        if not file:
            if part == "propensities" and described:
                raise ValueError(f"{part}: no file is named; give files.{part}, or its path")
            return
        if own == "lists":
            raise ValueError(f"a file of {part} has no place with the format {own}; remove it")
        form = (described and described.format) or format_beside(own, part, file)
        if form == "delimited" != own and not (described and described.separator):
            _check_ending(file, f"{part}: ")
        if described:
            _without(described, f"with the format {form}", *FORMS[form].unread, part=part)

    def _check_design(self, truth: Truth, form: str) -> None:
        """Check the description of a truth, in its own file or in that of ratings of a format."""
        given = _given(truth)
        if "known" not in given and truth.discovery != "as-is":
            raise ValueError("truth: the key 'discovery' needs 'known', the column of a flag")
        if file := self._file("truth"):
            why = f"next to the file '{file}'"
            _without(truth, why, "known", "design", "set_aside", part="truth")
            form = truth.format or format_beside(form, "truth", file)
            if "inclusion" in given and form != "delimited":
                raise ValueError("truth: the key 'inclusion' needs a file of the format delimited")
            return
        if not given & {"known", "design"}:
            raise ValueError(
                "truth: no file is named; give files.truth, or truth_path, or the column 'known' "
                "of the ratings, or 'design: set-aside' if the ratings are of random items"
            )
        if truth.design == AS_PUBLISHED:
            if "known" not in given:
                raise ValueError(
                    "truth: the design as-published needs 'known', the column of a flag"
                )
            _without(truth, f"with the design {AS_PUBLISHED}", "set_aside", part="truth")
        why = "together with 'known'" if "known" in given else "without a file of the truth"
        keys = ("format", "separator", "header", "encoding", "columns", "inclusion")
        _without(truth, why, *keys, part="truth")
        if "known" in given:
            if form != "delimited":
                raise ValueError("truth: the key 'known' needs ratings of the format delimited")
            _without(self, "with truth.known", "bad_lines")

    def _check_feedback(self) -> None:
        """Check that implicit feedback has no keys of ratings."""
        entry = self.model_dump(exclude_none=True)
        if self.columns:
            entry["columns"] = self.columns.model_dump()
        ones = has_ones(entry)
        if not is_implicit(entry):
            if self.threshold is None and self.path is None:
                raise ValueError("the key 'threshold' is missing: the least relevant rating")
            if ones:
                raise ValueError(
                    "feedback: expected implicit where lines are without rating; remove the key, "
                    "or name the column of the ratings"
                )
            return
        _without(self, "with implicit feedback, which has no scale", "scale")
        _without(self, "with implicit feedback, of which no judgements are known", "truth")
        threshold = 1 if self.threshold is None else self.threshold
        if threshold <= 0:
            raise ValueError(
                f"threshold: expected a count above 0 of implicit feedback, found {threshold:g}"
            )
        if ones and self.duplicates not in ("count", "sum") and threshold > 1:
            raise ValueError(
                f"threshold: every line counts 1, and nothing reaches {threshold:g}; remove the "
                "key, or count lines by 'duplicates: count'"
            )

    def _file(self, part: str) -> str | None:
        """Return the name of a file next to that of the ratings, if there is one."""
        return getattr(self, f"{part}_path") or getattr(self.files, part, None)


def _check_ending(path: str, place: str = "") -> None:
    """Refuse a file without separator whose name does not tell it."""
    if ending(path) not in SEPARATORS:
        raise ValueError(
            f"{place}the key 'separator' is missing; what stands between the columns of '{path}' "
            "is known of .csv and .tsv only"
        )


def _check_reached(threshold: float | None, scale: list[float] | None) -> None:
    """Refuse a threshold above the scale, if both are known."""
    if scale and threshold is not None and threshold > scale[1]:
        raise ValueError(
            f"threshold: expected at most {scale[1]:g}, the end of the scale, found "
            f"{threshold:g}, which no rating reaches: nobody would like anything"
        )


def _given(entry: Settings) -> set[str]:
    """Return the keys of an entry that were given; a null says the same as none."""
    return {key for key in entry.model_fields_set if getattr(entry, key) is not None}


def _without(entry: Settings, why: str, *keys: str, part: str = "") -> None:
    """Refuse keys of an entry, or of a part of it, that were given."""
    if found := [f"'{key}'" for key in keys if key in _given(entry)]:
        has, it = ("keys", "them") if found[1:] else ("key", "it")
        verb = "have" if found[1:] else "has"
        place = f"{part}: " if part else ""
        raise ValueError(
            f"{place}the {has} {', '.join(found)} {verb} no place {why}; remove {it}, or set {it} "
            "to null where this entry extends another"
        )


def _check_shape(entry: "FileDataset | QrelsDataset", form: str, path: str) -> None:
    """Check that the keys of how a file is read are consistent."""
    given, why = _given(entry), f"with the format {form}"
    _without(entry, why, *FORMS[form].unread, *FORMS[form].undone)
    if form != "lists":
        _without(entry, why, "lead")
    if FORMS[form].named and entry.columns:
        if any(isinstance(column, int) for column in entry.columns.model_dump().values()):
            raise ValueError(f"the columns of {form} are known by name; give names")
    elif form == "delimited" and not ("separator" in given or ending(path) in SEPARATORS):
        raise ValueError("the key 'separator' is missing: what stands between two columns")
    if "timestamp_format" in given and not (entry.columns and entry.columns.timestamp is not None):
        raise ValueError(
            "timestamp_format: no column of times is named; name all columns, as in columns: "
            "{user: user, item: item, rating: rating, timestamp: time}, or remove the key"
        )


class QrelsDataset(Settings):
    """A given test set: judgements, perhaps with training ratings; it is not split."""

    kind: Literal["qrels"] = Field(description="The source is a file of judgements.")
    label: Label = None
    source: Source = None
    licence: Licence = None
    page: Page = None
    folder: Folder = None
    files: SplitFiles | None = Field(
        None,
        description="In place of `path` and `train`, the raw files: names in raw_dir/<dataset>/.",
    )
    path: Text | None = Field(
        None,
        description="The judgements: a TREC qrels file (user iter item rating), a table whose "
        "first line names its columns (user, item and rating, or as other tools call them), JSON "
        "or parquet. `format` and what follows it describe others.",
    )
    train: Text | None = Field(
        None,
        description="The training ratings, in any of these forms. Without them, no recommender "
        "can be trained, and analyses that need the popularity of items or the size of profiles "
        "are left out.",
    )
    items: Count | None = Field(
        None,
        description="How many items could have been listed for every user, for metrics that count "
        "them (AUC, MCC, Fallout, ...); without it, they are left out.",
    )
    format: Format = None
    lead: Lead = None
    separator: Separator = None
    header: Header = None
    encoding: Encoding = None
    blanks: Blanks = None
    columns: ColumnsOf = None
    timestamp_format: TimestampFormat = None
    feedback: Feedback = None
    threshold: Threshold | None = Field(
        None,
        description="The least rating that makes an item relevant. If not given it is 1 of ratings "
        "of 0 and 1 and of whole ones up to 4 with a 0, and 4 of 1 to 5 stars.",
    )
    claims_of: ClaimsOf = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if "items" in _given(self) and (self.train or (self.files and self.files.train)):
            raise ValueError(
                "the key 'items' has no place together with 'train', which has them; remove it"
            )
        if (self.files is None) == (self.path is None):
            raise ValueError("expected either a path, or files")
        if self.files is None:
            _without(self, "without files", "folder")
        else:
            _without(self, "with files", "train")
            if self.threshold is None:
                raise ValueError("the key 'threshold' is missing: the least relevant rating")
        own = self.model_dump(exclude_none=True, include={*SHAPE})
        paths = (self.path, self.train, *((self.files and self.files.model_dump()) or {}).values())
        for path in filter(None, paths) if own else ():
            _check_shape(self, format_of({"path": path} | own), path)
        return self


class SyntheticParameters(Settings):
    """Parameters of simulated ratings; `rankassay.data.synthetic.generate` explains them."""

    users: Count = Field(description="Number of users, each of whom has a rating.")
    items: Count = Field(description="Number of items, each of which has a rating.")
    ratings: Count = Field(description="Number of ratings.")
    gini: Annotated[Number, Field(ge=0, lt=1)] = Field(
        description="Gini coefficient of the items' numbers of ratings, their unequal popularity."
    )
    aspects: int | None = Field(None, description="How many aspects there are.")
    factors: int | None = Field(None, description="How many latent factors.")
    scale: Annotated[list[int], Field(min_length=2, max_length=2)] | None = Field(
        None, description="The least and the greatest rating."
    )
    min_profile: Count | None = Field(None, description="The fewest ratings of a user.")
    top_share: Number | None = Field(
        None, description="The largest share of users who rate one item."
    )
    strength: Number | None = Field(
        None, description="How strongly affinity drives what a user rates."
    )


class SyntheticDataset(Settings):
    """Simulated ratings."""

    kind: Literal["synthetic"] = Field(description="The ratings are simulated.")
    label: OneLine = Field(description='Name in figures and tables, where "(synthetic)" is added.')
    source: Source = None
    licence: Licence = None
    parameters: SyntheticParameters = Field(
        description="What to simulate; the seed is that of the run."
    )
    threshold: Threshold

    @model_validator(mode="after")
    def _reached(self) -> Self:
        _check_reached(self.threshold, self.parameters.scale)
        return self


class ScoresDataset(Settings):
    """The users' values of metrics, by system, without lists: those of TREC's topics, say."""

    kind: Literal["scores"] = Field(description="The source is values of metrics.")
    label: Label = None
    source: Source = None
    licence: Licence = None
    tables: Annotated[dict[Text, Text], Field(min_length=1)] | None = Field(
        None,
        description="A file for each metric, as in {AP: ap.csv, P@10: p10.csv}: a row for each "
        "user, a column for each system, and a header with the systems' names. An empty cell, NA "
        "or NaN is a missing value.",
    )
    users: Text | None = Field(
        None,
        description="The column of `tables` that names the users. Without it, the rows of all "
        "tables are the same users, in the same order.",
    )
    table: Text | None = Field(
        None,
        description="In place of `tables`, one file with the columns user, system, metric and "
        "value; others are ignored.",
    )
    results: Text | None = Field(
        None,
        description="In place of `tables`, a pattern of files as `trec_eval -q` writes them, as in "
        "results/*.txt. A file is a system, whose name is that of the file.",
    )
    measures: Distinct[Text] | None = Field(
        None,
        description="The metrics to take from `table` or `results`, by the names that they have "
        "there or by ours: map or AP, P_10 or P@10.",
    )
    absent: Literal["error", "none", "zero"] = Field(
        "error",
        description="What becomes of users whom `table` or `results` give no line for a system: an "
        "error, no value, or 0, as `trec_eval -c` counts them.",
    )
    separator: Separator = None
    own: dict[Annotated[str, Field(pattern=r"^[A-Za-z]\w*$")], Literal["higher", "lower"]] = Field(
        {},
        description="Metrics that are not known here, and whether the higher value is the better "
        "one. Where the lower is, values are negated.",
    )

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        forms = [name for name in ("tables", "table", "results") if getattr(self, name)]
        if len(forms) != 1:
            raise ValueError(
                "expected one of tables, table and results, found "
                f"{' and '.join(forms) if forms else 'none'}"
            )
        [form] = forms
        if form != "tables" and not self.measures:
            raise ValueError(f"the key 'measures' is missing: what to take from {form}")
        unread = {
            "tables": ("measures", "absent"),
            "table": ("users",),
            "results": ("users", "separator"),
        }
        _without(self, f"with {form}", *unread[form])
        files = [self.table] if self.table else (self.tables or {}).values()
        for path in files if self.separator is None else ():
            _check_ending(path)
        with as_value_error():
            measures_of(self.model_dump())
        return self


Dataset = Annotated[
    FileDataset | QrelsDataset | SyntheticDataset | ScoresDataset, Field(discriminator="kind")
]


class Catalogue(Settings):
    """Datasets by name, without the rest of a configuration."""

    dataset_catalogue: dict[Text, Dataset]
