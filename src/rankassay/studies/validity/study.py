"""The study of validity: does the ranking of systems agree with the true one?"""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from rankassay.declared.columns import (
    CORRELATION,
    COUNT,
    FLAG,
    GAMMA,
    KEY,
    NUMBER,
    P_VALUE,
    RANK,
    SHARE,
    SIZE,
    columns,
)
from rankassay.metrics.catalogue import weighs
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.parameters import check_settings
from rankassay.studies.entries import JUDGED, JUDGED_ITEMS, MEASURED, Analysis, Figure, Study, Table
from rankassay.studies.settings import (
    PERMUTATIONS,
    REPLICATES,
    Count,
    Cutoffs,
    Distinct,
    Metrics,
    Number,
    OneLine,
    Permutations,
    Resamples,
    Settings,
    Share,
    Text,
    as_value_error,
)
from rankassay.studies.validity.words_kinds import APART, BIASES, KINDS

PLAIN = ("P", "R", "AP", "nDCG", "RR", "Bpref", "infAP")


def _one_plain(metrics: list[str]) -> list[str]:
    """Refuse unbiased estimators alone: sentences on worlds are about plain metrics."""
    if all(map(weighs, metrics)):
        raise ValueError("expected a metric that needs no propensities among them, such as P")
    return metrics


def _one_of_all(kinds: list[str]) -> list[str]:
    """Refuse only kinds that are reported separately: there would be no summary over kinds."""
    if {*kinds} <= {*APART}:
        raise ValueError(f"expected a kind of worlds besides {', '.join(APART)}, such as base")
    return kinds


Users = Annotated[int, Field(ge=10, description="Users of a simulated world.")]
Items = Annotated[int, Field(ge=10, description="Items of a simulated world.")]
Strengths = Annotated[
    Distinct[Annotated[Number, Field(ge=0, le=10)]],
    Field(description="Strengths of the bias, by which log-propensities vary; 0 is none."),
]
Density = Annotated[
    Share, Field(description="The expected share of a world's ratings that are observed.")
]
Inclusion = Annotated[
    Literal["design", "counts"],
    Field(
        description="Where the probabilities of being judged come from: the design of the truth, "
        "or the number of each item's judgements."
    ),
]


class Section(Settings):
    """Settings of several analyses: simulated worlds by bias, and data with a truth."""

    metrics: Annotated[Metrics, AfterValidator(_one_plain)] = Field(
        [*PLAIN, "IPS", "SNIPS", "Stratified"],
        description="Metrics in worlds, without parameters, or of your own as module:function.",
    )
    cutoffs: Cutoffs = [5, *range(10, 101, 10)]
    density: Density = 0.08
    strengths: Strengths = [0, 0.5, 1, 1.5]
    users: Users = 500
    items: Items = 400
    repetitions: Count = Field(
        4, description="Worlds of each bias, each of which is observed at each strength."
    )
    world_resamples: Resamples = Field(
        1000,
        description="Resamples of the worlds, from which intervals come; 0 for none, or at least "
        "40.",
    )
    yardstick_cutoffs: Cutoffs = Field(
        [10],
        description="Cut-offs of the true utilities, which do not follow the metric's.",
    )
    inclusion: Inclusion = "design"
    resamples: Resamples = 200


class ClosedWorld(Settings):
    """Popularity and average rating in worlds of independent items, by formula."""

    worlds: Annotated[int, Field(ge=2)] = Field(
        10_000, description="Worlds that are drawn; the means are over them."
    )
    items: Annotated[int, Field(ge=2)] = Field(3700, description="Items of a closed world.")


class Kinds(Settings):
    """Simulated worlds of several kinds: measures and pairs of systems, and their truth."""

    kinds: Annotated[Distinct[Literal[*KINDS]], AfterValidator(_one_of_all)] = Field(
        [*KINDS], description="What decides which ratings are observed."
    )
    worlds: Count = Field(
        20,
        description="Worlds of each kind in each of two halves: measures are chosen on one, and "
        "what is said of the choice is of the other.",
    )
    users: Annotated[Users, Field(ge=40)] = 500
    items: Annotated[Items, Field(ge=40)] = 400
    relevant: Share = Field(0.15, description="The share of all items that a user likes.")
    density: Density = 0.08


class SemiSynthetic(Settings):
    """A real matrix that a model completed: what would be observed of it, and the completion."""

    users: Annotated[int, Field(ge=10)] = Field(
        500, description="Users who are drawn from those of the dataset, at most."
    )
    items: Annotated[int, Field(ge=10)] = Field(
        400, description="Items that are drawn from those of the dataset, at most."
    )
    biases: Distinct[Literal[*BIASES]] = Field(
        [*BIASES], description="What the ratings that are observed depend on."
    )
    repetitions: Count = Field(2, description="How often the ratings are observed.")
    cutoffs: Cutoffs = [5, *range(10, 101, 10)]
    strengths: Strengths = [0, 0.5, 1, 1.5]


class Estimators(Settings):
    """The cost of unbiasedness: propensity estimators compared with plain metrics."""

    gains: Distinct[Literal["P", "R", "DCG", "RR", "AUC"]] = Field(
        ["P", "R", "DCG", "RR"], description="What a relevant item adds at its place."
    )
    cutoffs: Cutoffs = [5, 10, 20, 50, 100]
    samples: Permutations = PERMUTATIONS
    replicates: Resamples = REPLICATES


class Agreement(Settings):
    """The systems' order on the test ratings, and on judgements of random items."""

    estimators: Distinct[Literal["HT", "Hajek", "DR", "plain"]] = Field(
        ["HT", "Hajek", "DR", "plain"],
        description="How true utilities are estimated from a sample of judgements; the first for "
        "all of them, the others for P.",
    )


class Trained(Settings):
    """A recommender that is trained for this analysis alone."""

    label: OneLine = Field(description="Its name for readers.")
    method: Text = Field(description="A recommender of the catalogue, or module:class.")
    settings: dict[str, Any] = Field(default={}, description="The parameters of its class.")

    @model_validator(mode="after")
    def _takes_its_settings(self) -> Self:
        """Refuse an unknown method, and settings that it does not take."""
        with as_value_error():
            check_settings(recommender(self.method), self.settings)
        return self


def _of_the_paper() -> list[Trained]:
    """Return the eight of the paper."""
    knn: dict[str, Any] = {"normalised": True, "min_raters": 3}
    imf: dict[str, Any] = {"regularization": 1, "iterations": 20, "target": "rating"}
    chosen: list[tuple[str, str, dict[str, Any]]] = [
        ("Random", "random", {}),
        ("Popularity", "popularity", {}),
        ("Average rating", "average-rating", {}),
        ("kNN", "user-knn", {"neighbours": 100}),
        ("Normalised kNN (full)", "user-knn", knn | {"neighbours": 10}),
        ("Normalised kNN (test)", "user-knn", knn | {"neighbours": 1000}),
        ("iMF (full)", "wrmf", imf | {"factors": 50, "alpha": 1}),
        ("iMF (test)", "wrmf", imf | {"factors": 10, "alpha": 100}),
    ]
    return [Trained(label=label, method=method, settings=own) for label, method, own in chosen]


def _distinct_labels(recommenders: list[Trained]) -> list[Trained]:
    labels = [each.label for each in recommenders]
    for label in labels:
        if labels.count(label) > 1:
            raise ValueError(f"expected different labels, found '{label}' twice")
    return recommenders


Recommenders = Annotated[list[Trained], Field(min_length=2), AfterValidator(_distinct_labels)]


class TargetFolds(Settings):
    """Systems that rank the test items and N others, for growing N, in each of some folds."""

    sizes: Distinct[Annotated[int, Field(ge=0)]] = Field(
        [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000],
        description="Numbers N of items that are added to the test items; all items come last, "
        "and larger numbers are left out.",
    )
    folds: Annotated[int, Field(ge=2)] = Field(
        5, description="Parts of the ratings, each of which is the test set once."
    )
    metrics: Distinct[Literal["P", "R", "AP", "nDCG", "RR"]] = Field(
        ["P", "nDCG", "R"], description="Metrics of the lists; relevance is binary in all of them."
    )
    cutoffs: Cutoffs = [10]
    recommenders: Recommenders = Field(
        default_factory=_of_the_paper,
        description="Recommenders, by default the paper's: settings called full are the best where "
        "all items are targets, those called test where test items alone are.",
    )


ANALYSES = {
    "closed-world": Analysis(
        "closed_world:run",
        ClosedWorld,
        of={"published": "published/closed-world"},
        constructed=True,
    ),
    "worlds-item-independent": Analysis(
        "simulation:worlds_item_independent",
        about="Simulated worlds under item-independent bias: what is observed, and the truth.",
        evaluation=("recommenders", "profile", "without_relevant", "aggregate"),
        constructed=True,
        trains=True,
        shared=("repetitions",),
        slow=4,
    ),
    "worlds-popularity-driven": Analysis(
        "simulation:worlds_popularity_driven",
        about="Simulated worlds under popularity-driven bias: what is observed, and the truth.",
        evaluation=("recommenders", "profile", "without_relevant", "aggregate"),
        constructed=True,
        trains=True,
        shared=("repetitions",),
        slow=4,
    ),
    "worlds-relevance-driven": Analysis(
        "simulation:worlds_relevance_driven",
        about="Simulated worlds under relevance-driven bias: what is observed, and the truth.",
        evaluation=("recommenders", "profile", "without_relevant", "aggregate"),
        constructed=True,
        trains=True,
        shared=("repetitions",),
        slow=4,
    ),
    "worlds-mixed": Analysis(
        "simulation:worlds_mixed",
        about="Simulated worlds under mixed bias: what is observed, and the truth.",
        evaluation=("recommenders", "profile", "without_relevant", "aggregate"),
        constructed=True,
        trains=True,
        shared=("repetitions",),
        slow=4,
    ),
    "worlds": Analysis(
        "summary:worlds",
        about="Means over the simulated worlds.",
        reads=("item_independent", "popularity_driven", "relevance_driven", "mixed"),
        of={
            "item_independent": "validity/worlds-item-independent",
            "popularity_driven": "validity/worlds-popularity-driven",
            "relevance_driven": "validity/worlds-relevance-driven",
            "mixed": "validity/worlds-mixed",
        },
        constructed=True,
    ),
    "prediction": Analysis(
        "summary:prediction",
        about="Whether robustness to popularity, or power, predicts validity.",
        reads=("item_independent", "popularity_driven", "relevance_driven", "mixed"),
        of={
            "item_independent": "validity/worlds-item-independent",
            "popularity_driven": "validity/worlds-popularity-driven",
            "relevance_driven": "validity/worlds-relevance-driven",
            "mixed": "validity/worlds-mixed",
        },
        constructed=True,
    ),
    "kinds-worlds": Analysis(
        "kinds_worlds:run", Kinds, constructed=True, shared=("kinds",), slow=4
    ),
    "kinds": Analysis(
        "kinds_summary:kinds",
        about="How valid each measure is in each kind of worlds.",
        of={"worlds": "validity/kinds-worlds"},
        constructed=True,
    ),
    "strategies": Analysis(
        "kinds_summary:strategies",
        about="Whether power or robustness leads to a valid measure, by kind of worlds.",
        of={"worlds": "validity/kinds-worlds"},
        constructed=True,
    ),
    "gamma": Analysis(
        "kinds_summary:gamma",
        about="How often pairs have the wrong sign that are significant at a bound of weights.",
        of={"worlds": "validity/kinds-worlds"},
        constructed=True,
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        about="What is claimed of worlds with a truth, judged.",
        reads=("claims", "closed_world", "worlds", "prediction"),
        constructed=True,
    ),
    "semi-synthetic": Analysis(
        "semi_synthetic:run",
        SemiSynthetic,
        evaluation=("recommenders", "profile", "without_relevant", "aggregate", "threshold"),
        trains=True,
        shared=("biases",),
        slow=4,
    ),
    "target-folds": Analysis(
        "target_folds:run", TargetFolds, evaluation=("threshold",), shared=("folds",), slow=3
    ),
    "target-items": Analysis(
        "target_items:run",
        about="The same, all folds together.",
        of={"published": "published/target-items"},
    ),
    "like": Analysis(
        "like:run", about="Simulated worlds whose ratings are about as unequal as the dataset's."
    ),
    "estimators": Analysis(
        "estimators:run",
        Estimators,
        of={"propensities": "split/propensities"},
        evaluation=JUDGED,
        shared=("gains",),
        holds=JUDGED_ITEMS,
    ),
    "agreement": Analysis(
        "agreement:run",
        Agreement,
        of={"propensities": "split/propensities"},
        evaluation=(*MEASURED, "metrics", "recommenders"),
        shared=("metrics",),
        within=("yardstick", "utility", "yardstick_cutoff", "estimator", "candidates"),
    ),
    "sensitivity": Analysis(
        "sensitivity:run",
        about="How much selection it takes to reverse each pair of systems; it needs no truth.",
        evaluation=(*JUDGED, "measures"),
    ),
    "sensitivity-winners": Analysis(
        "sensitivity:winners",
        about=("The same of the winner and its nearest rival, and how many pairs are significant."),
    ),
    "diagnostics": Analysis(
        "diagnostics:run",
        about="Whether the judgements that are the truth are what they are taken for.",
        evaluation=("threshold",),
        holds=JUDGED_ITEMS,
    ),
    "prediction-on-data": Analysis(
        "summary:prediction_on_data",
        about=(
            "Whether robustness to popularity, or power, goes with validity on data with a truth."
        ),
        of={
            "popularity": "robustness/popularity",
            "discriminative_power": "robustness/discriminative-power",
        },
    ),
    "claims": Analysis(
        "claims:run",
        about="What is claimed of target items, judged.",
        reads=("claims", "target_items"),
    ),
}

STEPS = {
    "worlds": ("closed-world", "worlds", "prediction", "constructed-claims"),
    "kinds": ("kinds", "strategies", "gamma"),
    "claims": ("target-items", "claims"),
    "selection": ("like", "sensitivity", "sensitivity-winners"),
}

FIGURES = {
    "closed-world": Figure(
        "figures:closed_world",
        "closed-world",
        "constructed",
        "The closed world of Cañamares and Castells (SIGIR 2018): P@1 of rankings of "
        "independent items, as test ratings show it and in truth, on average over worlds. The "
        "dashes are the printed means.",
    ),
    "worlds": Figure(
        "figures:worlds",
        "worlds",
        "constructed",
        "Simulated worlds: Kendall's τ between the order of the recommenders under a metric as "
        "observed and their order by true P@10, the share of a list's first ten items that the "
        "user likes, by the bias of what is observed and its strength, with 95 % intervals "
        "over worlds where there are several. All metrics are compared with this one truth. At "
        "strength 0 ratings are missing at random, and τ is below 1 only because there are few.",
    ),
    "worlds-estimators": Figure(
        "figures:worlds_estimators",
        "worlds",
        "constructed",
        "Unbiased estimators in simulated worlds, whose propensities they are told: Kendall's "
        "τ between the order of the recommenders as estimated and their order by true P@10, by "
        "the bias of what is observed and its strength, with 95 % intervals over worlds where "
        "there are several. IPS estimates DCG, SNIPS and Stratified recall; plain metrics "
        "stand next to them.",
    ),
    "popularity": Figure(
        "figures:popularity",
        "worlds",
        "constructed",
        "The rank of the recommender by popularity in simulated worlds, 1 for the best: under "
        "each metric as observed, and by true P@10 (dotted), by the bias of what is observed "
        "and its strength; means over worlds.",
    ),
    "power": Figure(
        "figures:power",
        "worlds",
        "constructed",
        "Validity against discriminative power in simulated worlds: a path for each metric, "
        "from no bias (the open marker) to the strongest. A metric that moves to the right "
        "finds more systems to differ significantly, and one that moves down agrees less with "
        "the order of the systems by true P@10.",
    ),
    "kinds": Figure(
        "figure_kinds:kinds",
        "kinds",
        "constructed",
        "Simulated worlds of several kinds, by what decides which ratings are observed: "
        "Kendall's τ between the systems' order by each measure as observed and their order by "
        "true P@10, the share of a list's first ten items that the user likes, with 95 % "
        "intervals over worlds. All measures are compared with this one truth. Lower values "
        "are better under FP@10, the share of a list that holds items which the user rated and "
        "does not like.",
    ),
    "estimators": Figure(
        "figure_estimators:estimators",
        "estimators",
        "dataset",
        "What unbiasedness costs: plain metrics and their estimators by propensities, by "
        "cut-off. Above, the standard error of a system's mean over users, as a share of the "
        "mean; below, discriminative power (the sum of the p-values of all pairs of different "
        "systems; lower is better) with 95 % intervals over users. A column is what a relevant "
        "item adds at its place: that of precision (P), recall (R), DCG, and the sum of "
        "reciprocal ranks (RR).",
    ),
    "claims": Figure(
        "rankassay.claims.figure:claims",
        "constructed-claims",
        "constructed",
        "What is claimed of worlds with a truth, and what was measured: by Cañamares and "
        "Castells of the closed world, of popularity and of target items, and by us: whether "
        "robustness and power go with validity.",
    ),
    "agreement": Figure(
        "figure_agreement:agreement",
        "agreement",
        "dataset",
        "Data with a truth: Kendall's τ between the order of the systems on test ratings, by "
        "each metric, and their true order, with 95 % intervals over resampled users. The "
        "truth is the share of a list that users like (liked), or like and had not known "
        "before (new), estimated from judgements of random items, which share no rating with "
        "the test set. As published: the same with the observed test ratings as a part of the "
        "truth, without weights, which is biased. A τ with an estimated truth is mostly nearer "
        "to 0 than that with the complete one.",
    ),
    "sensitivity": Figure(
        "figure_sensitivity:sensitivity",
        "sensitivity",
        "dataset",
        "How much selection it takes to change the winner. Test ratings are missing not at "
        "random, so that some hits stand for many that were not observed. If the weights of "
        "user-item pairs lie within [1/Γ, Γ], a rival can overtake the winner only from its Γ "
        "on (bar, and behind its name; Γ = √(D+/D−), with D+ and D− what the winner gains "
        "more, and less, over all hits). The line behind a bar goes to the Γ if all hits of an "
        "item have one weight. Below the dashed line, the default Γ, the data do not settle "
        "which of the two is better. For measures that are no sums over hits (MRR, MAP, "
        "bpref), precision stands in; of nDCG and recall, each user's denominator is held "
        "fixed.",
    ),
    "semi-synthetic": Figure(
        "figures:semi_synthetic",
        "semi-synthetic",
        "dataset",
        "A part of the dataset that a model completed, taken for the truth: Kendall's τ "
        "between the order of the recommenders as observed and their order by true P@10 in "
        "that truth, by the bias of what is observed and its strength. It is no measurement of "
        "what the users would say: it is what a model says that they would. Intervals (95 %) "
        "are over what is observed of the one truth, if it is observed more than once.",
    ),
    "target-items": Figure(
        "figures_targets:target_items",
        "target-items",
        "dataset",
        "Values of systems that rank a user's test items and N others, for growing N "
        "(Cañamares and Castells, RecSys 2020, figures 3 and 5). At the left, systems rank "
        "test items alone; at the right, all items. Dashed lines are the published values, "
        "where the data is the paper's. The last panel shows the share of the list for which "
        "systems have scores; the rest is filled at random.",
    ),
    "target-ties": Figure(
        "figures_targets:target_ties",
        "target-items",
        "dataset",
        "Discriminative power with target items (figure 4 of the same paper): the share of "
        "users for whom two systems have equal values, and that for whom both have 0, on "
        "average over all pairs of systems; the share that the tops of two random lists have "
        "in common; and the sum of the p-values of Student's paired t-tests of all pairs. "
        "Dashed lines are the published values. The published sums of p-values are of 78 "
        "systems, so they are drawn only for runs with the same number.",
    ),
    "target-claims": Figure(
        "rankassay.claims.figure:claims",
        "claims",
        "datasets",
        "What is claimed of systems that rank test items and N others: each row is a sentence, "
        "and each two columns a dataset, of which the first says whether the sentence is "
        "reproduced and the second whether it is general. Folds and targets are drawn once; "
        "the intervals do not hold what other draws would change.",
    ),
}

TABLES = {
    "target-values": Table(
        "tables_targets:target_items",
        caption=(
            "Values of systems that rank a user's test items and N others, for growing N, with the "
            "best of each metric in bold. Where the best changes along a row, the choice of target "
            "items decides which system wins."
        ),
    ),
    "target-published": Table(
        "tables_targets:target_published",
        caption=(
            "The published numbers about target items next to those of this run, in short: how far "
            "apart the values of each system are over all metrics and sizes, and those of "
            "coverage, ties and overlap. The single values are in "
            "``results/<dataset>/validity/target-items.csv``. Only data of the paper has rows."
        ),
    ),
    "closed-world": Table("tables:closed_world"),
    "worlds": Table("tables:worlds"),
    "kinds": Table("tables_kinds:kinds"),
    "strategies": Table(
        "tables_kinds:strategies",
        caption=(
            "Whether discriminative power, robustness to sparsity or robustness to popularity "
            "leads to a valid measure in simulated worlds of several kinds: the agreement with the "
            "systems' order by true P@10 of the measure that is best by each criterion in each "
            "world, next to that of nDCG@10."
        ),
    ),
    "gamma": Table(
        "tables_kinds:gamma",
        caption=(
            "How often pairs of systems have the wrong sign although they differ significantly at "
            "a bound Γ of the weights of hits, in simulated worlds whose truth is known. The "
            "default Γ of the sensitivity analysis rests on this table, made of more worlds."
        ),
    ),
    "prediction": Table(
        "tables:prediction",
        caption=(
            "Whether robustness to popularity, or discriminative power, goes with validity in "
            "simulated worlds: Kendall's τ of the criterion and of the agreement with the true "
            "order, among the measures of a world and among the worlds of a measure. The true "
            "order is that by true P@10 for all measures; and, as a second question, that of each "
            "measure by itself (own), which says nothing of what users like."
        ),
    ),
    "prediction-on-data": Table(
        "tables:prediction_on_data",
        caption=(
            "Whether measures with more robustness to popularity, or more discriminative power, "
            "are also more valid, on data with a truth: Kendall's τ of the criterion and of the "
            "agreement with the true order, over the measures. In simulated worlds the same is "
            "asked with intervals."
        ),
    ),
    "agreement": Table("tables:agreement"),
    "sensitivity": Table(
        "tables_sensitivity:sensitivity", of={"winners": "validity/sensitivity-winners"}
    ),
    "yardsticks": Table(
        "tables:yardsticks",
        caption=(
            "The true ranking of the systems under each yardstick and each estimator, on data with "
            "a truth, and how the metrics' observed orders agree with it. Yardsticks are different "
            "questions, and may have opposite answers; estimators are answers to the same one, of "
            "which those without weights are biased."
        ),
    ),
    "diagnostics": Table(
        "tables:diagnostics",
        caption=(
            "Whether the judgements that are the truth can be trusted, on data with a truth: how "
            "likely candidates are to be judged, by popularity and by what users knew; whether "
            "liking goes with knowing within items; how many judgements each system's lists rest "
            "on; and how many ratings truth and test set share."
        ),
    ),
    "estimators": Table("table_estimators:estimators"),
}

COLUMNS = {
    **columns(
        KEY, "of among strategy observed_winner true_winner gain fold leader rival rival_item other"
    ),
    **columns(COUNT, "measures wrong significant size hits hits_leader hits_other hits_rival"),
    **columns(COUNT, "same standing"),
    **columns(GAMMA, "gamma gamma_item default"),
    **columns(P_VALUE, "p_default"),
    **columns(
        SHARE, "conclusions winner_agrees no_judged relevant world_gini at_1 at_1.5 at_2 at_3 at_4"
    ),
    **columns(RANK, "popularity_observed popularity_true"),
    **columns(CORRELATION, "popularity sparsity robustness"),
    **columns(SIZE, "error loss winner_loss variance relative_error power stands_to"),
    **columns(SIZE, "ratio ratio_all ratio_50 ratio_90 ratio_95 ratio_99"),
    **columns(NUMBER, "apart right regret total exponent"),
    **columns(FLAG, "chosen"),
}

STUDY = Study(
    "validity",
    "The study of validity: whether the ranking of systems agrees with the true one.",
    "validity, where a truth is known",
    cutoff=10,
    data=("ml-1m",),
    section=Section,
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
