"""The study of validity: does the ranking of systems agree with the true one?"""

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
from rankassay.studies.entries import (
    JUDGED,
    JUDGED_ITEMS,
    MEASURED,
    Analysis,
    Figure,
    Study,
    Table,
    reads,
)

TRAINED = ("recommenders", "profile", "without_relevant", "aggregate")
WORLDS = {
    bias.replace("-", "_"): f"validity/worlds-{bias}"
    for bias in ("item-independent", "popularity-driven", "relevance-driven", "mixed")
}

ANALYSES = {
    "closed-world": Analysis(
        "closed_world:run",
        "Popularity and average rating in worlds of independent items, by formula.",
        reads(published="published/closed-world"),
        "settings:ClosedWorld",
        constructed=True,
    ),
    **{
        name.removeprefix("validity/"): Analysis(
            f"simulation:worlds_{bias}",
            f"Simulated worlds under {name.removeprefix('validity/worlds-')} bias: what is "
            "observed, and the truth.",
            settings="settings:Worlds",
            evaluation=TRAINED,
            constructed=True,
            shared=("repetitions",),
            trains=True,
            slow=4,
        )
        for bias, name in WORLDS.items()
    },
    "worlds": Analysis(
        "summary:worlds",
        "Means over the simulated worlds.",
        WORLDS,
        "settings:Prediction",
        constructed=True,
        replicated=True,
    ),
    "prediction": Analysis(
        "summary:prediction",
        "Whether robustness to popularity, or power, predicts validity.",
        WORLDS,
        "settings:Prediction",
        constructed=True,
        replicated=True,
    ),
    "kinds-worlds": Analysis(
        "kinds_worlds:run",
        "Simulated worlds of several kinds: measures and pairs of systems, and their truth.",
        settings="settings:Kinds",
        constructed=True,
        shared=("kinds",),
        slow=4,
    ),
    "kinds": Analysis(
        "kinds_summary:kinds",
        "How valid each measure is in each kind of worlds.",
        reads(worlds="validity/kinds-worlds"),
        constructed=True,
    ),
    "strategies": Analysis(
        "kinds_summary:strategies",
        "Whether power or robustness leads to a valid measure, by kind of worlds.",
        reads(worlds="validity/kinds-worlds"),
        constructed=True,
    ),
    "gamma": Analysis(
        "kinds_summary:gamma",
        "How often pairs have the wrong sign that are significant at a bound of weights.",
        reads(worlds="validity/kinds-worlds"),
        constructed=True,
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        "What is claimed of worlds with a truth, judged.",
        reads(
            "claims",
            closed_world="validity/closed-world",
            worlds="validity/worlds",
            prediction="validity/prediction",
        ),
        constructed=True,
        compares=True,
    ),
    "semi-synthetic": Analysis(
        "semi_synthetic:run",
        "A real matrix that a model completed: what would be observed of it, and the completion.",
        reads("train", "test"),
        "settings:SemiSynthetic",
        (*TRAINED, "threshold"),
        shared=("biases",),
        trains=True,
        slow=4,
    ),
    "target-folds": Analysis(
        "target_folds:run",
        "Systems that rank the test items and N others, for growing N, in each of some folds.",
        reads("ratings"),
        "target_settings:TargetFolds",
        ("threshold",),
        shared=("folds",),
        replicated=True,
        slow=3,
    ),
    "target-items": Analysis(
        "target_items:run",
        "The same, all folds together.",
        reads(target_folds="validity/target-folds", published="published/target-items"),
        replicated=True,
        compares=True,
    ),
    "like": Analysis(
        "like:run",
        "Simulated worlds whose ratings are about as unequal as the dataset's.",
        reads("statistics", worlds="validity/worlds"),
    ),
    "estimators": Analysis(
        "estimators:run",
        "The cost of unbiasedness: propensity estimators compared with plain metrics.",
        reads("test", "rankings", propensities="split/propensities"),
        "settings:Estimators",
        JUDGED,
        shared=("gains",),
        holds=JUDGED_ITEMS,
    ),
    "agreement": Analysis(
        "agreement:run",
        "The systems' order on the test ratings, and on judgements of random items.",
        reads("train", "test", "truth", "rankings", "ratings", propensities="split/propensities"),
        "settings:Agreement",
        (*MEASURED, "metrics", "recommenders"),
        shared=("metrics",),
        within=("yardstick", "utility", "yardstick_cutoff", "estimator", "candidates"),
        replicated=True,
    ),
    "sensitivity": Analysis(
        "sensitivity:run",
        "How much selection it takes to reverse each pair of systems; it needs no truth.",
        reads("train", "test", "rankings"),
        evaluation=(*JUDGED, "measures"),
    ),
    "sensitivity-winners": Analysis(
        "sensitivity:winners",
        "The same of the winner and its nearest rival, and how many pairs are significant.",
        reads(sensitivity="validity/sensitivity"),
    ),
    "diagnostics": Analysis(
        "diagnostics:run",
        "Whether the judgements that are the truth are what they are taken for.",
        reads("train", "test", "truth", "rankings"),
        "settings:Diagnostics",
        ("threshold",),
        holds=JUDGED_ITEMS,
    ),
    "prediction-on-data": Analysis(
        "summary:prediction_on_data",
        "Whether robustness to popularity, or power, goes with validity on data with a truth.",
        reads(
            popularity="robustness/popularity",
            discriminative_power="robustness/discriminative-power",
            agreement="validity/agreement",
        ),
    ),
    "claims": Analysis(
        "claims:run",
        "What is claimed of target items, judged.",
        reads("claims", target_items="validity/target-items"),
        compares=True,
    ),
}

STEPS = {
    "worlds": ("closed-world", "worlds", "prediction", "constructed-claims"),
    "kinds": ("kinds", "strategies", "gamma"),
    "claims": ("target-items", "claims"),
    "selection": ("like", "sensitivity", "sensitivity-winners"),
}

FIGURES: dict[str, Figure] = {
    "closed-world": Figure("figures:closed_world", "closed-world", "constructed"),
    "worlds": Figure("figures:worlds", "worlds", "constructed"),
    "worlds-estimators": Figure("figures:worlds_estimators", "worlds", "constructed"),
    "popularity": Figure("figures:popularity", "worlds", "constructed"),
    "power": Figure("figures:power", "worlds", "constructed"),
    "kinds": Figure("figure_kinds:kinds", "kinds", "constructed"),
    "estimators": Figure("figure_estimators:estimators", "estimators", "dataset"),
    "claims": Figure("rankassay.claims.figure:claims", "constructed-claims", "constructed"),
    "agreement": Figure("figure_agreement:agreement", "agreement", "dataset"),
    "sensitivity": Figure("figure_sensitivity:sensitivity", "sensitivity", "dataset"),
    "semi-synthetic": Figure("figures:semi_synthetic", "semi-synthetic", "dataset"),
    "target-items": Figure("figures_targets:target_items", "target-items", "dataset"),
    "target-ties": Figure("figures_targets:target_ties", "target-items", "dataset"),
    "target-claims": Figure("rankassay.claims.figure:claims", "claims", "datasets"),
}

TABLES: dict[str, Table] = {
    "target-values": Table(
        "tables_targets:target_items", reads(target_items="validity/target-items")
    ),
    "target-published": Table(
        "tables_targets:target_published", reads(target_items="validity/target-items")
    ),
    "closed-world": Table("tables:closed_world", reads(closed_world="validity/closed-world")),
    "worlds": Table("tables:worlds", reads(worlds="validity/worlds")),
    "kinds": Table("tables_kinds:kinds", reads(kinds="validity/kinds")),
    "strategies": Table("tables_kinds:strategies", reads(strategies="validity/strategies")),
    "gamma": Table("tables_kinds:gamma", reads(gamma="validity/gamma")),
    "prediction": Table("tables:prediction", reads(prediction="validity/prediction")),
    "prediction-on-data": Table(
        "tables:prediction_on_data", reads(prediction_on_data="validity/prediction-on-data")
    ),
    "agreement": Table("tables:agreement", reads(agreement="validity/agreement")),
    "sensitivity": Table(
        "tables_sensitivity:sensitivity", reads(winners="validity/sensitivity-winners")
    ),
    "yardsticks": Table("tables:yardsticks", reads(agreement="validity/agreement")),
    "diagnostics": Table("tables:diagnostics", reads(diagnostics="validity/diagnostics")),
    "estimators": Table("table_estimators:estimators", reads(estimators="validity/estimators")),
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
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
