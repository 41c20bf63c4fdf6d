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
from rankassay.studies.entries import JUDGED, JUDGED_ITEMS, MEASURED, Analysis, Figure, Study, Table
from rankassay.studies.validity.names import BIASES

WORLDS = {bias.replace("-", "_"): f"validity/worlds-{bias}" for bias in BIASES}

ANALYSES = {
    "closed-world": Analysis(
        "closed_world:run",
        "settings:ClosedWorld",
        of={"published": "published/closed-world"},
        constructed=True,
    ),
    **{
        f"worlds-{bias}": Analysis(
            f"worlds:worlds_{bias.replace('-', '_')}",
            about=f"Simulated worlds under {bias} bias: what is observed, and the truth.",
            evaluation=("recommenders", "profile", "without_relevant", "aggregate"),
            constructed=True,
            trains=True,
            shared=("repetitions",),
            slow=4,
        )
        for bias in BIASES
    },
    "worlds": Analysis(
        "summary:worlds",
        about="Means over the simulated worlds.",
        reads=(*WORLDS,),
        of=WORLDS,
        constructed=True,
    ),
    "prediction": Analysis(
        "summary:prediction",
        about="Whether robustness to popularity, or power, predicts validity.",
        reads=(*WORLDS,),
        of=WORLDS,
        constructed=True,
    ),
    "kinds-worlds": Analysis(
        "kinds_worlds:run", "settings:Kinds", constructed=True, shared=("kinds",), slow=4
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
        "worlds:semi_synthetic",
        "settings:SemiSynthetic",
        evaluation=("recommenders", "profile", "without_relevant", "aggregate", "threshold"),
        trains=True,
        shared=("biases",),
        slow=4,
    ),
    "target-folds": Analysis(
        "target_items:target_folds",
        "settings:TargetFolds",
        evaluation=("threshold",),
        shared=("folds",),
        slow=3,
    ),
    "target-items": Analysis(
        "target_items:target_items",
        about="The same, all folds together.",
        of={"published": "published/target-items"},
    ),
    "like": Analysis(
        "without_truth:like",
        about="Simulated worlds whose ratings are about as unequal as the dataset's.",
    ),
    "estimators": Analysis(
        "without_truth:estimators",
        "settings:Estimators",
        of={"propensities": "split/propensities"},
        evaluation=JUDGED,
        shared=("gains",),
        holds=JUDGED_ITEMS,
    ),
    "agreement": Analysis(
        "agreement:run",
        "settings:Agreement",
        of={"propensities": "split/propensities"},
        evaluation=(*MEASURED, "metrics", "recommenders"),
        shared=("metrics",),
        within=("yardstick", "utility", "yardstick_cutoff", "estimator", "candidates"),
    ),
    "sensitivity": Analysis(
        "without_truth:sensitivity",
        about="How much selection it takes to reverse each pair of systems; it needs no truth.",
        evaluation=(*JUDGED, "measures"),
    ),
    "sensitivity-winners": Analysis(
        "without_truth:sensitivity_winners",
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
        "figures:kinds",
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
        "figures:estimators",
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
        "figures:agreement",
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
        "figures:sensitivity",
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
        "figures:target_items",
        "target-items",
        "dataset",
        "Values of systems that rank a user's test items and N others, for growing N "
        "(Cañamares and Castells, RecSys 2020, figures 3 and 5). At the left, systems rank "
        "test items alone; at the right, all items. Dashed lines are the published values, "
        "where the data is the paper's. The last panel shows the share of the list for which "
        "systems have scores; the rest is filled at random.",
    ),
    "target-ties": Figure(
        "figures:target_ties",
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
    "target-values": Table("tables:target_items"),
    "target-published": Table("tables:target_published"),
    "closed-world": Table("tables:closed_world"),
    "worlds": Table("tables:worlds"),
    "kinds": Table("tables:kinds"),
    "strategies": Table("tables:strategies"),
    "gamma": Table("tables:gamma"),
    "prediction": Table("tables:prediction"),
    "prediction-on-data": Table("tables:prediction_on_data"),
    "agreement": Table("tables:agreement"),
    "sensitivity": Table("tables:sensitivity", of={"winners": "validity/sensitivity-winners"}),
    "yardsticks": Table("tables:yardsticks"),
    "diagnostics": Table("tables:diagnostics"),
    "estimators": Table("tables:estimators"),
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
    section="settings:Section",
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
