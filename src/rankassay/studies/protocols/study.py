"""The study of protocols: what depends on the split, the filter, the fold and the seed?"""

from rankassay.declared.columns import CORRELATION, COUNT, FLAG, KEY, NUMBER, RANK, SHARE, columns
from rankassay.studies.entries import Analysis, Figure, Study, Table, reads

ANALYSES = {
    "splits": Analysis(
        "splits:run",
        "What is in training and test under each protocol, and what training knows of later.",
        reads("replicates"),
    ),
    "components": Analysis(
        "components:run",
        "How much of the order of systems is the system's, the split's, the filter's, the seed's "
        "and the fold's.",
        reads("replicates"),
        "settings:Components",
        ("aggregate",),
        replicated=True,
    ),
    "agreement": Analysis(
        "agreement:run",
        "Correlation of the systems' orders between protocols and within them.",
        reads("replicates"),
        "settings:Agreement",
        ("aggregate",),
        replicated=True,
    ),
    "winners": Analysis(
        "winners:run",
        "The winner under each protocol, and whether another one is more than luck.",
        reads("replicates"),
        "settings:Winners",
        ("aggregate",),
    ),
    "criteria": Analysis(
        "conclusions:criteria",
        "Robustness and discriminative power of the metrics under each protocol.",
        reads(summary="robustness/summary"),
        by_protocol=True,
    ),
    "conclusions": Analysis(
        "conclusions:conclusions",
        "The verdicts on what Valcarce et al. (RecSys 2018) claim, under each protocol.",
        reads(verdicts="robustness/claims"),
        by_protocol=True,
    ),
    "claims": Analysis(
        "claims:run",
        "The study's claims, judged.",
        reads(
            "claims",
            components="protocols/components",
            agreement="protocols/agreement",
            winners="protocols/winners",
            criteria="protocols/criteria",
        ),
        compares=True,
    ),
}

STEPS = {
    "agreement": ("splits", "components", "agreement", "winners"),
}

FIGURES = {
    "components": Figure("figures:components", "components", "dataset"),
    "agreement": Figure("figures:agreement", "agreement", "dataset"),
    "winners": Figure("figure_winners:winners", "winners", "dataset"),
    "conclusions": Figure("figure_conclusions:conclusions", "conclusions", "dataset"),
    "claims": Figure("rankassay.claims.figure:claims", "claims", "datasets"),
}

TABLES = {
    "splits": Table("tables:splits", reads(splits="protocols/splits")),
    "components": Table("tables:components", reads(components="protocols/components")),
    "agreement": Table("tables:agreement", reads(agreement="protocols/agreement")),
    "winners": Table("tables:winners", reads(winners="protocols/winners")),
    "criteria": Table("tables_conclusions:criteria", reads(criteria="protocols/criteria")),
    "conclusions": Table(
        "tables_conclusions:conclusions", reads(conclusions="protocols/conclusions")
    ),
    "answers": Table(
        "table_answers:answers",
        reads(
            components="protocols/components",
            agreement="protocols/agreement",
            winners="protocols/winners",
            conclusions="protocols/conclusions",
        ),
        optional=("components", "agreement", "winners", "conclusions"),
    ),
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
    section="section:Section",
    on_request=True,
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
