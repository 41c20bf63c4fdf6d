"""The study of reliability: how much of an order of systems is luck of the users?"""

from assayer.studies.entries import Analysis, Figure, Study, Table, reads

ANALYSES: dict[str, Analysis] = {
    # How far an order can be relied on, and how many users it takes.
    # Effect sizes.
    # What significance tests are worth.
    # Across datasets.
    # What others found of power.
    "claims": Analysis(
        "assayer.claims.judge:claims",
        "What is claimed of reliability, judged.",
        reads("claims", discriminative_power="robustness/discriminative-power"),
        compares=True,
    ),
}

FIGURES: dict[str, Figure] = {
    # How far an order can be relied on, and how many users it takes.
    # Effect sizes.
    # What significance tests are worth.
    # Across datasets.
    "claims": Figure("assayer.claims.figure:claims", "claims", "datasets"),
}

TABLES: dict[str, Table] = {
    # How far an order can be relied on, and how many users it takes.
    # Effect sizes.
    # What significance tests are worth.
    # Across datasets.
    "claims": Table("assayer.claims.table:claims", reads(claims="reliability/claims")),
}

STUDY = Study(
    "reliability",
    "The study of reliability: how much of an order of systems is luck of the users.",
    "reliability, and what significance tests are worth",
    cutoff=10,
    data=("trec-5", "trec-6", "trec-7", "trec-8"),
    analyses=ANALYSES,
    figures=FIGURES,
    tables=TABLES,
)
