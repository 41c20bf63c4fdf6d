"""The study of reliability: how much of an order of systems is luck of the users?"""

from assayer.studies.entries import Analysis, Figure, Study, Table

ANALYSES: dict[str, Analysis] = {
    # How far an order can be relied on, and how many users it takes.
    # Effect sizes.
    # What significance tests are worth.
    # Across datasets.
}

FIGURES: dict[str, Figure] = {
    # How far an order can be relied on, and how many users it takes.
    # Effect sizes.
    # What significance tests are worth.
    # Across datasets.
}

TABLES: dict[str, Table] = {
    # How far an order can be relied on, and how many users it takes.
    # Effect sizes.
    # What significance tests are worth.
    # Across datasets.
}

STUDY = Study(
    "reliability",
    "The study of reliability: how much of an order of systems is luck of the users.",
    "reliability, and what significance tests are worth",
    cutoff=10,
    analyses=ANALYSES,
    figures=FIGURES,
    tables=TABLES,
)
