"""The study of reliability: how much does the ranking depend on the sample of users?"""

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

ANALYSES = {
    "generalizability": Analysis(
        "rankassay.statistics.generalizability:run",
        "settings:Generalizability",
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
        "settings:RequiredUsers",
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
        "settings:TypeErrors",
        evaluation=("cutoffs",),
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "type-errors-published": Analysis(
        "type_errors:type_errors_published",
        "settings:TypeErrorsPublished",
        of={"published": "published/type-errors"},
        across=True,
    ),
    "systems-across": Analysis(
        "rankassay.answers.across:systems_across",
        "settings:SystemsAcross",
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
    section="settings:Section",
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
