"""The study of protocols: what depends on the split, the filter, the fold and the seed?"""

from rankassay.declared.columns import CORRELATION, COUNT, FLAG, KEY, NUMBER, RANK, SHARE, columns
from rankassay.studies.entries import Analysis, Figure, Study, Table

ANALYSES = {
    "splits": Analysis(
        "replicates:splits",
        about=(
            "What is in training and test under each protocol, and what training knows of later."
        ),
    ),
    "components": Analysis("orders:components", "settings:Components", evaluation=("aggregate",)),
    "agreement": Analysis("orders:agreement", "settings:Agreement", evaluation=("aggregate",)),
    "winners": Analysis(
        "orders:winners",
        about="The winner under each protocol, and whether another one is more than luck.",
        evaluation=("aggregate",),
    ),
    "criteria": Analysis(
        "conclusions:criteria",
        about="Robustness and discriminative power of the metrics under each protocol.",
        of={"summary": "robustness/summary"},
        by_protocol=True,
    ),
    "conclusions": Analysis(
        "conclusions:conclusions",
        about="The verdicts on what Valcarce et al. (RecSys 2018) claim, under each protocol.",
        of={"verdicts": "robustness/claims"},
        by_protocol=True,
    ),
    "claims": Analysis(
        "claims:run",
        about="The study's claims, judged.",
        reads=("claims", "components", "agreement", "winners", "criteria"),
    ),
}

STEPS = {
    "agreement": ("splits", "components", "agreement", "winners"),
}

FIGURES = {
    "components": Figure(
        "views:components",
        "components",
        "dataset",
        "What the scores of systems (their ranks, unless changed) depend on: the shares of the "
        "variance due to the systems under all protocols, to the protocol (also to the split "
        "alone and to the filter alone), and to the seed or fold.",
    ),
    "agreement": Figure(
        "views:agreement",
        "agreement",
        "dataset",
        "How far each protocol agrees with the reference (the first one): the correlation of "
        "the rankings of a replicate of each, on average, with 95 % intervals over resampled "
        "users. Marks: the same of two replicates of one of the two protocols, which differ by "
        "seed or fold alone.",
    ),
    "winners": Figure(
        "views:winners",
        "winners",
        "dataset",
        "Which system wins under each protocol by each metric. Bold: the winner of the "
        "reference, the first protocol, loses there in at least 95 % of the resamples of the "
        "users.",
    ),
    "conclusions": Figure(
        "views:conclusions",
        "conclusions",
        "dataset",
        "What becomes of the findings of Valcarce et al. (RecSys 2018) when the data is split "
        "or filtered otherwise. Each column is a protocol, judged on its first replicate, and "
        "each row a finding. What differs between the two columns of the first protocol is "
        "luck: of another seed or fold.",
    ),
    "claims": Figure(
        "rankassay.claims.figure:claims",
        "claims",
        "datasets",
        "What is said of protocols, and what was found: whether another split, filter or point "
        "in time changes the order of the systems by more than luck, and whether what Valcarce "
        "et al. (RecSys 2018) conclude stays. No paper says this of these protocols.",
    ),
}

TABLES = {
    "splits": Table("views:splits"),
    "components": Table("views:components_table"),
    "agreement": Table("views:agreement_table"),
    "winners": Table("views:winners_table"),
    "criteria": Table("views:criteria"),
    "conclusions": Table("views:conclusions_table"),
    "answers": Table("answers:answers"),
}

COLUMNS = {
    **columns(
        KEY,
        "protocol factor reference number winner second reference_winner outcome id claim verdict",
    ),
    **columns(COUNT, "removed train_ratings test_ratings train_users train_items test_items"),
    **columns(COUNT, "test_users_with_later train_ratings_after_own_test"),
    **columns(COUNT, "train_ratings_after_first_test test_users_after_whom_trained"),
    **columns(COUNT, "test_ratings_of_later_items test_ratings_of_new_items new_test_items"),
    **columns(COUNT, "test_users_without_training test_ratings_without_training"),
    **columns(CORRELATION, "within lowest highest"),
    **columns(SHARE, "in_replicates in_resamples"),
    **columns(RANK, "reference_rank"),
    **columns(FLAG, "changed beyond_luck"),
    **columns(NUMBER, "share variance shortfall"),
}

STUDY = Study(
    "protocols",
    "The study of protocols: what depends on the split, the filter, the fold and the seed.",
    "what depends on the protocol",
    cutoff=10,
    data=("ml-100k", "ml-latest-small"),
    section="settings:Section",
    on_request=True,
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
