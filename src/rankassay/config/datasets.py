"""What an entry of the dataset catalogue may hold, by kind."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rankassay.config.dataset_checks import (
    check_beside,
    check_described,
    check_design,
    check_ending,
    check_feedback,
    check_reached,
    check_shape,
    given_keys,
    refuse,
)
from rankassay.config.dataset_files import (
    Aspects,
    Attributes,
    Blanks,
    ColumnsOf,
    Encoding,
    Files,
    Format,
    Header,
    Lead,
    Propensities,
    Published,
    Separator,
    SplitFiles,
    TimestampFormat,
    Truth,
)
from rankassay.data.entries import (
    BESIDE,
    DESCRIBED,
    SHAPE,
    format_of,
    measures_of,
)
from rankassay.studies.settings import (
    Count,
    Distinct,
    Number,
    OneLine,
    Settings,
    Text,
    as_value_error,
)

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
        description="Checksum of what the URLs deliver, whether downloaded or found; "
        "docs/datasets.md says which files are compared with what.",
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
        given, paths = given_keys(self), [f"{part}_path" for part in BESIDE]
        if "path" in given:
            refuse(self, "with a path", "urls", "archive", "checksum")
            if "files" not in given:  # members of a zip file go to the folder
                refuse(self, "with a path", "folder")
        elif not given >= {"urls", "files"}:
            raise ValueError("expected a path, or urls and files")
        else:
            refuse(self, "without a path", *paths)
        for key in paths:
            if key in given:
                refuse(self, f"with {key}", "files")
        form = format_of(self.model_dump(exclude_none=True))
        for part in DESCRIBED:
            check_described(self, part)
        check_shape(self, form, self.path or "")
        for part in ("truth", "propensities"):
            check_beside(self, part, form)
        if self.truth:
            check_design(self, self.truth, form)
        check_reached(self.threshold, self.scale)
        check_feedback(self)
        return self


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
        if "items" in given_keys(self) and (self.train or (self.files and self.files.train)):
            raise ValueError(
                "the key 'items' has no place together with 'train', which has them; remove it"
            )
        if (self.files is None) == (self.path is None):
            raise ValueError("expected either a path, or files")
        if self.files is None:
            refuse(self, "without files", "folder")
        else:
            refuse(self, "with files", "train")
            if self.threshold is None:
                raise ValueError("the key 'threshold' is missing: the least relevant rating")
        own = self.model_dump(exclude_none=True, include={*SHAPE})
        paths = (self.path, self.train, *((self.files and self.files.model_dump()) or {}).values())
        for path in filter(None, paths) if own else ():
            check_shape(self, format_of({"path": path} | own), path)
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
        check_reached(self.threshold, self.parameters.scale)
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
        refuse(self, f"with {form}", *unread[form])
        files = [self.table] if self.table else (self.tables or {}).values()
        for path in files if self.separator is None else ():
            check_ending(path)
        with as_value_error():
            measures_of(self.model_dump())
        return self


Dataset = Annotated[
    FileDataset | QrelsDataset | SyntheticDataset | ScoresDataset, Field(discriminator="kind")
]


class Catalogue(Settings):
    """Datasets by name, without the rest of a configuration."""

    dataset_catalogue: dict[Text, Dataset]
