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
from rankassay.studies.entries import JUDGED_ITEMS, Analysis, Figure, Study, Table, reads

# The analyses that answer questions in sentences.
ANSWERED = ("split_half", "required_users", "effect_sizes", "type_errors")

ANALYSES: dict[str, Analysis] = {
    # How far an order can be relied on, and how many users it takes.
    "generalizability": Analysis(
        "rankassay.statistics.generalizability:run",
        "Variance components, how far orders and means can be relied on, and the users it takes.",
        reads("scores"),
        "settings:Generalizability",
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "split-half": Analysis(
        "rankassay.statistics.split_half:run",
        "Agreement of the rankings over two sets of users, compared with theory.",
        reads("scores"),
        "settings:SplitHalf",
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "swap-rates": Analysis(
        "swap_rates:run",
        "How often other users show the opposite, by the size of the difference.",
        reads("scores"),
        "settings:SwapRates",
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "required-users": Analysis(
        "rankassay.statistics.power_analysis:required_users",
        "Users that it takes to find a difference, by formula and by resampling.",
        reads("scores"),
        "settings:RequiredUsers",
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "power": Analysis(
        "rankassay.statistics.power_analysis:power",
        "Power to find a difference, by the number of users.",
        reads("scores"),
        "settings:Power",
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    # Effect sizes.
    "effect-sizes": Analysis(
        "effects:effect_sizes",
        "How many differences are significant, and how many of these are too small to matter.",
        reads(p_values="robustness/p-values"),
        "settings_effects:Effects",
    ),
    "systems": Analysis(
        "effects:systems",
        "Which systems each one beats significantly.",
        reads("means", p_values="robustness/p-values"),
        "settings_effects:Effects",
    ),
    # What significance tests are worth.
    "type-errors": Analysis(
        "type_errors:run",
        "How often significance tests err where the truth is known (Urbano et al., 2019).",
        reads("scores"),
        "settings_audit:TypeErrors",
        ("cutoffs",),
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "type-errors-published": Analysis(
        "type_errors:published",
        "Errors of significance tests on TREC's tracks, next to the published rates.",
        reads(type_errors="reliability/type-errors", published="published/type-errors"),
        "settings_audit:TypeErrorsPublished",
        across=True,
    ),
    # Across datasets.
    "systems-across": Analysis(
        "rankassay.answers.across:systems_across",
        "The order of the systems across datasets.",
        reads("means"),
        "rankassay.studies.settings:Across",
        across=True,
        runs=True,
    ),
    "metrics-across": Analysis(
        "rankassay.answers.across:metrics_across",
        "The ranks of the metrics by each criterion across datasets, and whether they differ.",
        reads(
            discriminative_power="robustness/discriminative-power",
            summary="robustness/summary",
        ),
        "rankassay.studies.settings:MetricsAcross",
        across=True,
        runs=True,
        optional=("summary",),
    ),
    # What others found of power.
    "claims": Analysis(
        "claims:run",
        "What is claimed of reliability, judged.",
        reads(
            "claims",
            discriminative_power="robustness/discriminative-power",
            type_errors="reliability/type-errors",
            split_half="reliability/split-half",
            required_users="reliability/required-users",
        ),
        compares=True,
    ),
}

STEPS = {
    "split-half": ("generalizability", "split-half", "swap-rates"),
    "required-users": ("required-users", "power"),
    "effect-sizes": ("effect-sizes", "systems"),
}

FIGURES: dict[str, Figure] = {
    # How far an order can be relied on, and how many users it takes.
    "split-half": Figure("figures:split_half", "split-half", "dataset"),
    "swap-rates": Figure("figures:swap_rates", "swap-rates", "dataset"),
    "power": Figure("figures:power", "power", "dataset"),
    # Effect sizes.
    # What significance tests are worth.
    "type-errors": Figure("figures_audit:type_errors", "type-errors", "dataset"),
    "type-errors-published": Figure(
        "figures_audit:type_errors_published", "type-errors-published", "across"
    ),
    # Across datasets.
    "systems-across": Figure(
        "rankassay.answers.figures:systems_across", "systems-across", "across"
    ),
    "metrics-across": Figure(
        "rankassay.answers.figures:metrics_across", "metrics-across", "across"
    ),
    "claims": Figure("rankassay.claims.figure:claims", "claims", "datasets"),
}

TABLES: dict[str, Table] = {
    # How far an order can be relied on, and how many users it takes.
    "generalizability": Table(
        "tables:generalizability", reads(generalizability="reliability/generalizability")
    ),
    "split-half": Table("tables:split_half", reads(split_half="reliability/split-half")),
    "swap-rates": Table("tables:swap_rates", reads(swap_rates="reliability/swap-rates")),
    "required-users": Table(
        "tables:required_users", reads(required_users="reliability/required-users")
    ),
    # Effect sizes.
    "effect-sizes": Table(
        "tables_effects:effect_sizes", reads(effect_sizes="reliability/effect-sizes")
    ),
    "systems": Table("tables_effects:systems", reads(systems="reliability/systems")),
    # What significance tests are worth.
    "type-errors": Table("tables_audit:type_errors", reads(type_errors="reliability/type-errors")),
    "type-errors-published": Table(
        "tables_audit:type_errors_published", reads(measured="reliability/type-errors-published")
    ),
    # Across datasets.
    "systems-across": Table(
        "rankassay.answers.tables_across:systems_across",
        reads(systems_across="reliability/systems-across"),
    ),
    "metrics-across": Table(
        "rankassay.answers.tables_across:metrics_across",
        reads(metrics_across="reliability/metrics-across"),
    ),
    "answers": Table(
        "table_answers:answers",
        {name: f"reliability/{name.replace('_', '-')}" for name in ANSWERED},
        optional=ANSWERED,
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
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
