"""The study of reliability: how much does the ranking depend on the sample of users?"""

from math import ceil
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rankassay.declared.columns import (
    CORRELATION,
    COUNT,
    KEY,
    OF_PAIRS,
    P_VALUE,
    PERCENT,
    SHARE,
    SIZE,
    columns,
)
from rankassay.studies.entries import JUDGED_ITEMS, Analysis, Figure, Study, Table
from rankassay.studies.settings import (
    Count,
    Distinct,
    Equivalence,
    Number,
    Settings,
    Share,
    Text,
)

Percent = Annotated[Number, Field(gt=0)]


class Section(Settings):
    """Settings of several analyses."""

    repetitions: Count = Field(100, description="How often two sets of users are drawn.")
    percentages: Distinct[Percent] = Field(
        [1, 2, 5, 10],
        description="Differences to find, in percent of the better system's mean.",
    )
    alpha: Share = Field(0.05, description="Level of tests, but for those of type-errors.")
    pair: Literal["median", "neighbours", "worst"] = Field(
        "median",
        description="Which pair of systems stands for all: the one that needs the median number of "
        "users, the same among neighbours in the order of means, or the one that needs most.",
    )


class Generalizability(Settings):
    """Variance components, how far orders and means can be relied on, and the users it takes."""

    levels: Distinct[Share] = Field(
        [0.95], description="Levels that the coefficients are to reach."
    )


class RequiredUsers(Settings):
    """Users that it takes to find a difference, by formula and by resampling."""

    differences: list[Percent] = Field(
        [0.01], description="Differences to find, in units of the metrics."
    )
    power: Share = Field(0.8, description="How likely the difference is to be found.")
    resampled_cutoffs: Distinct[Count] = Field(
        [10], description="Cut-offs at which resampling checks the formula."
    )
    samples: Count = Field(2000, description="Resamples of the users.")
    most_users: Count = Field(
        20_000, description="Where more users than that would be drawn, there is no resampling."
    )


class TypeErrors(Settings):
    """How often significance tests err where the truth is known (Urbano et al., 2019)."""

    audited_cutoffs: Distinct[Count] = Field(
        [10],
        description="Cut-offs of the metrics; of a run that has none of them, its first one. "
        "Metrics without a cut-off take part, too.",
    )
    users: Distinct[Annotated[int, Field(ge=2)]] | None = Field(
        None, description="Users of a trial; as many as the dataset has if null."
    )
    deltas: list[Annotated[Number, Field(gt=0)]] = Field(
        [0.01], description="Differences of means, of which errors of types II and III are counted."
    )
    alphas: Distinct[Share] = Field([0.05], description="Levels at which tests reject.")
    trials: Count = Field(1000, description="Simulated tests of each kind, size and difference.")
    samples: Count = Field(1000, description="Permutations, and resamples of the bootstrap.")
    tie: Annotated[Number, Field(ge=0)] = Field(
        0.0, description="The sign test counts differences of at most this as none."
    )

    @model_validator(mode="after")
    def _deltas_differ(self) -> Self:
        """Refuse a difference that is named twice."""
        for delta in self.deltas:
            if self.deltas.count(delta) > 1:
                raise ValueError(f"deltas: expected different ones, found {delta:g} twice.")
        return self

    @model_validator(mode="after")
    def _samples_can_reject(self) -> Self:
        """Refuse so few samples that p, of at least 1 / (samples + 1), never is at most alpha."""
        least = ceil(round(1 / min(self.alphas, default=1.0) - 1, 6))
        if self.samples < least:
            raise ValueError(
                f"samples: expected at least {least}, found {self.samples}; with fewer, "
                f"resampling never rejects at {min(self.alphas):g}. Set more samples, or a "
                "larger alpha."
            )
        return self


class TypeErrorsPublished(Settings):
    """Errors of significance tests on TREC's tracks, next to the published rates."""

    datasets: Distinct[Text] = Field(
        ["trec-5", "trec-6", "trec-7", "trec-8"],
        description="The tracks; nothing is compared unless all are there.",
    )


class SystemsAcross(Settings):
    """The order of the systems across datasets."""

    equivalence: Equivalence = "1%"
    samples: Count = Field(10_000, description="Draws of the Bayesian signed-rank test.")


ANALYSES = {
    "generalizability": Analysis(
        "rankassay.statistics.generalizability:run",
        Generalizability,
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "split-half": Analysis(
        "rankassay.statistics.split_half:run",
        about="Agreement of the rankings over two sets of users, compared with theory.",
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "swap-rates": Analysis(
        "differences:swap_rates",
        about="How often other users show the opposite, by the size of the difference.",
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "required-users": Analysis(
        "rankassay.statistics.power_analysis:required_users",
        RequiredUsers,
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "power": Analysis(
        "rankassay.statistics.power_analysis:power",
        about="Power to find a difference, by the number of users.",
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "effect-sizes": Analysis(
        "differences:effect_sizes",
        about=(
            "How many differences are significant, and how many of these are too small to matter."
        ),
        of={"p_values": "robustness/p-values"},
    ),
    "systems": Analysis(
        "differences:systems",
        about="Which systems each one beats significantly.",
        of={"p_values": "robustness/p-values"},
    ),
    "type-errors": Analysis(
        "type_errors:type_errors",
        TypeErrors,
        evaluation=("cutoffs",),
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "type-errors-published": Analysis(
        "type_errors:type_errors_published",
        TypeErrorsPublished,
        of={"published": "published/type-errors"},
        across=True,
    ),
    "systems-across": Analysis(
        "rankassay.answers.across:systems_across",
        SystemsAcross,
        across=True,
    ),
    "metrics-across": Analysis(
        "rankassay.answers.across:metrics_across",
        about=(
            "The ranks of the metrics by each criterion across datasets, and whether they differ."
        ),
        of={
            "discriminative_power": "robustness/discriminative-power",
            "summary": "robustness/summary",
        },
        across=True,
    ),
    "claims": Analysis(
        "claims:run",
        about="What is claimed of reliability, judged.",
        reads=("claims", "type_errors", "split_half", "required_users", "discriminative_power"),
        of={"discriminative_power": "robustness/discriminative-power"},
    ),
}

STEPS = {
    "split-half": ("generalizability", "split-half", "swap-rates"),
    "required-users": ("required-users", "power"),
    "effect-sizes": ("effect-sizes", "systems"),
}

FIGURES = {
    "split-half": Figure(
        "figures:split_half",
        "split-half",
        "dataset",
        "Measured reliability: how far two disjoint random sets of users agree on the ranking "
        "of systems, by the number of users of each set (the mean over repetitions), and how "
        "far that is from what generalizability theory predicts for the same number of users: "
        "the correlation of the systems' means is expected to be E ρ², Kendall's τ is that of "
        "normal means with this correlation, and τ_AP is the mapping of E ρ² of the R package "
        "gt4ireval, which was fitted to TREC collections. Above the dashed line, rankings "
        "agree more than predicted.",
    ),
    "swap-rates": Figure(
        "figures:swap_rates",
        "swap-rates",
        "dataset",
        "Swap rates: how often a difference between two systems is reversed in another random "
        "set of the same number of users, by the size of the difference in percent of the "
        "better system's mean. The dashed line is at 5 %.",
    ),
    "power": Figure(
        "figures:power",
        "power",
        "dataset",
        "Power to detect a difference between two systems against the number of users, by "
        "Student's paired t and by formula. The difference is in percent of the better "
        "system's mean, and the pair of systems is the one that the setting `pair` names, by "
        "default the median pair. The dashed lines are at a power of .8 and at the number of "
        "users that there are.",
    ),
    "type-errors": Figure(
        "figures:type_errors",
        "type-errors",
        "dataset",
        "How often five significance tests reject a null hypothesis that is true, with 95 % "
        "intervals, at the dataset's own number of users unless other numbers are configured; "
        "the dashed line is the level of the tests. The null hypothesis is true because "
        "systems' labels were exchanged at random within users, or because users were "
        "simulated with the dependence of two systems and the margin of one of them. "
        "Simulation from exchanged labels shows what of a rate is due to the simulation alone. "
        "The table also has errors of type II (significance is missed) and III (the wrong "
        "direction).",
    ),
    "type-errors-published": Figure(
        "figures:type_errors_published",
        "type-errors-published",
        "across",
        "Errors of five significance tests in simulations from four TREC tracks, against the "
        "rates that Urbano, Lima and Hanjalic published (SIGIR 2019; two-tailed, alpha .05, "
        "from the repository of the paper): type I, and type II for each difference of means. "
        "A point is one number of topics, and one difference. The grey band is a deviation of "
        ".01 for type I and of .05 for type II.",
    ),
    "systems-across": Figure(
        "rankassay.answers.figures:systems_across",
        "systems-across",
        "across",
        "Systems across datasets: their average ranks by each metric over the sources of the "
        "data, 1 is the best. Datasets of one source count as one. In the diagrams, of at most "
        "six metrics, bars join systems whose average ranks differ by less than the critical "
        "difference of Nemenyi's test. With fewer than six sources, or where Friedman's test "
        "does not reject, systems that no bar joins do not differ significantly either.",
    ),
    "metrics-across": Figure(
        "rankassay.answers.figures:metrics_across",
        "metrics-across",
        "across",
        "Metrics across datasets: their average ranks by each criterion over the sources of "
        "the data, 1 is the best. Datasets of one source count as one. The ranks describe "
        "these datasets; the sentences below the table say whether the metrics differ "
        "significantly.",
    ),
    "claims": Figure(
        "rankassay.claims.figure:claims",
        "claims",
        "datasets",
        "What is claimed of reliability, and what was found: how often significance tests err "
        "with the users of a recommender, what theory predicts for rankings, whether the "
        "formula of planning agrees with resampling, and which metric has more power on TREC's "
        "runs.",
    ),
}

TABLES = {
    "generalizability": Table("tables:generalizability"),
    "split-half": Table("tables:split_half"),
    "swap-rates": Table("tables:swap_rates"),
    "required-users": Table("tables:required_users"),
    "effect-sizes": Table("tables:effect_sizes"),
    "systems": Table("tables:systems"),
    "type-errors": Table("tables:type_errors"),
    "type-errors-published": Table(
        "tables:type_errors_published", of={"measured": "reliability/type-errors-published"}
    ),
    "systems-across": Table("rankassay.answers.tables:systems_across"),
    "metrics-across": Table("rankassay.answers.tables:metrics_across"),
    "answers": Table(
        "answers:answers",
        caption=(
            "How much is luck, in short: the conclusions of the analyses of reliability, planning, "
            "effect sizes and significance tests, under nDCG or else the first metric of a dataset."
        ),
    ),
}

COLUMNS = {
    **columns(KEY, "pair against coefficient letter beats null error"),
    **columns(COUNT, "tests there repetitions trials swaps resampled"),
    **columns(COUNT, "required required_90 required_worst needed_e_rho2 needed_phi"),
    **columns(OF_PAIRS, "significant small equivalent open"),
    **columns(PERCENT, "percent"),
    **columns(P_VALUE, "p_nemenyi"),
    **columns(SHARE, "power rate e_rho2 phi probably probably_equivalent"),
    **columns(CORRELATION, "theory mapped"),
    **columns(
        SIZE, "sd delta critical_difference variance_systems variance_users variance_residual"
    ),
}

STUDY = Study(
    "reliability",
    "The study of reliability: how much of an order of systems is luck of the users.",
    "reliability, and what significance tests are worth",
    cutoff=10,
    data=("ml-1m", "trec-5", "trec-6", "trec-7", "trec-8"),
    section=Section,
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
