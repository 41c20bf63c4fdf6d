"""The sections of a configuration, as models; those of studies come from the studies' entries."""

import functools
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, create_model

from rankassay.config.datasets import Dataset
from rankassay.config.protocols import Filters, Protocol, RandomSplit, Split
from rankassay.metrics.names import canonical, parts
from rankassay.studies import STUDIES
from rankassay.studies.entries import Study
from rankassay.studies.settings import (
    Count,
    Distinct,
    Name,
    Number,
    OneLine,
    Profile,
    Settings,
    Share,
    Text,
)


def _without_cutoff(name: str) -> str:
    """Return a metric by its catalogue name; one with a cut-off is left for `check` to refuse."""
    found = parts(name)
    return name if found and found[2] else canonical(name)


# By the catalogue's name, which files and tables have; `check` refuses unknown ones.
MetricName = Annotated[Text, AfterValidator(_without_cutoff)]
MeasureName = Annotated[Text, AfterValidator(canonical)]


class Systems(Settings):
    """Systems other than the recommenders."""

    runs: Text | Distinct[Text] | None = Field(
        None,
        description="Pattern of run files of other libraries, or several, in which {dataset} "
        "stands for the name of a dataset, as in runs/{dataset}/*.run. They are TREC's, tables "
        "with a line of names, JSON or parquet. A file is a system, whose name is that of the "
        "file.",
    )
    ties: Literal["trec", "item", "input"] = Field(
        "trec",
        description="Which of two items with equal scores comes first: the one with the larger id "
        "(as in trec_eval), the one with the smaller id (whole numbers by their value, then text), "
        "or the first in the file.",
    )
    not_candidates: Literal["error", "drop", "keep"] = Field(
        "error",
        description="Lines that no recommender could have made, because the user rated the item in "
        "training or the item is no candidate, are an error, left out, or kept.",
    )
    unequal_depths: bool = Field(
        False,
        description="Whether systems are compared at cut-offs that lie below the longest list of "
        "some run, which has no hits there. Without it, the lists of all are cut where the "
        "first run ends, and so are depth and cut-offs.",
    )


class Propensities(Settings):
    """Where the propensities of ratings come from, for the metrics that need them."""

    estimate: Literal["popularity", "fitted", "known"] | None = Field(
        None,
        description="popularity: a power of the item's number of training ratings. fitted: a "
        "logistic regression on that of the item and of the user. known: those that the dataset "
        "brings. null is known where it does, and else popularity.",
    )
    gamma: Annotated[Number, Field(ge=-1)] = Field(
        1.5,
        description="Of popularity: the power is (gamma + 1) / 2. Yang et al., RecSys 2018, try "
        "1.5 to 3.",
    )


class Metrics(Settings):
    """The metrics and their cut-offs."""

    profile: Profile = Field(
        "paper",
        description="The set of definitions where a metric's own parameters do not say: paper, "
        "trec, as-run, blog or rendle.",
    )
    without_relevant: Literal["value", "nan"] | None = Field(
        None,
        description="Users without relevant items get the formula's value (mostly 0), or none; "
        "null leaves it to the profile.",
    )
    aggregate: Literal["mean", "geometric", "harmonic", "quadratic", "median"] = Field(
        "mean", description="How the values of the users make one number."
    )
    names: Distinct[MetricName] = Field(
        ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"],
        description="Metrics, with parameters if need be, as in nDCG(truncate_ideal=False). Other "
        "names of them do, too: Recall, MAP, hit_rate. Where they are not these seven, the report "
        "recommends one of them.",
    )
    cutoffs: Distinct[Count] = Field(
        [5, *range(10, 101, 10)],
        description="Cut-offs at which every metric is computed, increasing; if not given, those "
        "up to `depth`.",
    )
    propensities: Propensities = Field(
        Propensities(), description="How likely it was that a rating is observed."
    )


class Variant(Settings):
    """A dataset that is split otherwise, or on which recommenders have other settings."""

    of: Name = Field(description="The dataset, a key of dataset_catalogue.")
    label: OneLine = Field(description="Added to the dataset's name in figures and tables.")
    split_seed: Annotated[int, Field(ge=0)] | None = Field(
        None, description="Seed of the split; without it, the split is that of the dataset."
    )
    protocol: Name | None = Field(
        None,
        description="How the ratings are filtered and split, a key of protocol_catalogue; without "
        "it, as `filter` and `split` say.",
    )
    fold: Count | None = Field(
        None, description="Which of the folds is tested, from 1; without it, the first."
    )
    settings: Name | None = Field(
        None,
        description="Another variant of the dataset, whose settings the recommenders have; without "
        "it, those of recommender_catalogue for the variant and its dataset.",
    )
    claims: list[Literal[*STUDIES]] = Field(
        [],
        description="The studies whose claims are judged on the variant as well wherever its "
        "dataset is studied, if its recommenders have other settings.",
    )


def _name_of_a_file(value: Any) -> Any:
    """Refuse a value that cannot be a part of a file's name."""
    number = value is None or isinstance(value, int | float)
    if not (number or (isinstance(value, str) and re.fullmatch("[a-z][a-z0-9_-]*", value))):
        raise ValueError(
            "expected a value that can be in the name of a file: a number (with a dot before an e: "
            "1.0e-5), true, false, null or a name in small letters"
        )
    return value


Tried = Annotated[Any, AfterValidator(_name_of_a_file)]


class Tuning(Settings):
    """The search for the recommenders' settings, on a part of the training ratings."""

    test_fraction: Share = Field(
        0.2,
        description="Share of each user's training ratings that is put aside for validation.",
    )
    measure: MeasureName = Field(
        "nDCG@100", description="The measure by which points are ordered, as in nDCG@100."
    )
    grids: dict[Name, dict[str, Distinct[Tried] | None] | None] = Field(
        {},
        description="By recommender, the values to try of each setting; null leaves a grid, or a "
        "setting of it, out.",
    )


class Recommender(Settings):
    """One recommender."""

    method: str = Field(
        description="Name of a method of the package, or module:class for one of your own, whose "
        "module is in the folder of the run or installed."
    )
    label: OneLine = Field(description="Name in tables and figures.")
    settings: dict[str, Any] = Field({}, description="Parameters of the method's class.")
    datasets: dict[str, dict[str, Any]] = Field(
        {},
        description="Parameters that differ on some datasets or variants, by the dataset's name.",
    )


class General(Settings):
    """What a run computes."""

    seed: Annotated[int, Field(ge=0)] = Field(
        2018, description="Seed of the split, the recommenders and the analyses."
    )
    raw_dir: Text = Field(
        "data/raw",
        description="Folder that is searched for the datasets' files first, and that downloads go "
        "to.",
    )
    datasets: Distinct[Name] = Field(
        ["ml-1m", "librarything", "beeradvocate"],
        description="The datasets to study: names of dataset_catalogue, or of variants.",
    )
    recommenders: Distinct[Name] | Annotated[list, Field(max_length=0)] = Field(
        [
            *("random", "popularity", "chi2", "kld", "rsv", "rocchio", "rm1", "rm2"),
            *("lm-wsr-ub", "lm-wsr-ib", "nncosngbr-ub", "nncosngbr-ib", "slim", "ht", "svd"),
            *("puresvd", "bprmf", "wrmf", "lda", "plsa", "uir-item"),
        ],
        description="The recommenders to compare: names of recommender_catalogue. With those of "
        "systems.runs, there must be at least two systems.",
    )
    systems: Systems = Systems()
    split: Split = Field(
        RandomSplit(),
        description="How the ratings are split into training and test; docs/splits.md has the "
        "methods and their keys. Datasets that come split are not split again.",
    )
    filter: Filters = []
    candidates: Literal["test_items", "all_items"] = Field(
        "test_items",
        description="Which items are ranked for a user who did not rate them in training: those of "
        "the test set (of any user), or all items of the dataset. On datasets with judgements of "
        "random items it is always all.",
    )
    depth: Count = Field(100, description="Length of the lists; no cut-off can be deeper.")
    shards: Annotated[int, Field(ge=1, le=1000)] = Field(
        1,
        description="Jobs that share the users of a ranking, or the measures, metrics or levels of "
        "an analysis, on large data.",
    )
    metrics: Metrics = Metrics()
    studies: Distinct[Literal[*STUDIES]] = Field(
        [name for name, study in STUDIES.items() if not study.on_request],
        description="The studies that `all` and the report make.",
    )
    variants: dict[Name, Variant] = Field(
        {},
        description="Datasets whose test set is drawn otherwise, or on which recommenders have "
        "other settings, by name; see sensitivity.yaml.",
    )
    claims: dict[Literal[*STUDIES], Text] = Field(
        {},
        description="Files of claims in place of a study's own, by study.",
    )
    tuning: Tuning = Tuning()
    dataset_catalogue: dict[Name, Dataset] = Field(
        {}, description="The datasets that `datasets` can name."
    )
    protocol_catalogue: dict[Name, Protocol] = Field(
        {}, description="The protocols that `variants` can name."
    )
    recommender_catalogue: dict[Name, Recommender] = Field(
        {}, description="The recommenders that `recommenders` can name."
    )
    calibrated: Distinct[Name] | Annotated[list, Field(max_length=0)] = Field(
        [],
        description="Datasets whose published means the settings in recommender_catalogue were "
        "chosen to match: claims about numbers made of these means are counted apart. A variant "
        "on which a recommender has other settings does not count among them.",
    )


class Featured(Settings):
    """The figures of one metric on one dataset; figures of all others are drawn in addition."""

    dataset: Name | None = Field(None, description="One of `datasets`; null is the first one.")
    metric: MetricName | None = Field(
        None, description="One of `metrics.names`; null is nDCG or, without it, the first of them."
    )


def section_of(study: Study) -> type[Settings]:
    """Return the model of a study's section: its cut-off, and the settings of its analyses."""
    analyses = {
        name.replace("-", "_"): (
            entry.model | None,
            Field(default_factory=entry.model, alias=name, description=entry.description),
        )
        for name, entry in study.analyses.items()
    }
    fields: dict[str, Any] = {}
    if study.featured:
        fields["featured"] = (Featured, Field(Featured(), description=Featured.__doc__))
    fields["cutoff"] = (
        Count | Literal["auto"],
        Field(
            study.cutoff,
            description="Cut-off at which figures and tables compare the metrics; if not given, "
            "the nearest that is computed. auto is the deepest usual one that the lists reach and "
            "that half of the users with a relevant test item can fill, on all datasets of the run"
            + (", and the default for data of your own." if study.advice else "."),
        ),
    )
    own = study.model.model_fields
    fields |= {name: (info.annotation, info) for name, info in own.items()}
    model = create_model(f"{study.name}_analyses", __base__=Settings, **analyses)
    about = "The settings of each analysis; null in their place leaves it out."
    fields["analyses"] = (model, Field(default_factory=model, description=about))
    return create_model(f"{study.name}_section", __base__=Settings, **fields)


@functools.cache
def configuration() -> type[Settings]:
    """Return the model of a whole configuration, with the sections of all studies."""
    sections: Mapping[str, Any] = {
        study.name: (model, Field(default_factory=model, description=study.title))
        for study in STUDIES.values()
        for model in [section_of(study)]
    }
    return create_model("Configuration", __base__=General, **sections)
