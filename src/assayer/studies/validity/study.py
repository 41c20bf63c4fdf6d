"""The study of validity: does a metric order systems as the truth would?"""

from assayer.studies.entries import Analysis, Figure, Study, Table, reads

ANALYSES = {
    "closed-world": Analysis(
        "closed_world:run",
        "Popularity and average rating in worlds of independent items, by formula.",
        reads(published="published/closed-world"),
        "settings:ClosedWorld",
        constructed=True,
    ),
}

FIGURES: dict[str, Figure] = {
    "closed-world": Figure("figures:closed_world", "closed-world", "constructed"),
}

TABLES: dict[str, Table] = {
    "closed-world": Table("tables:closed_world", reads(closed_world="validity/closed-world")),
}

STUDY = Study(
    "validity",
    "The study of validity: does a metric order systems as the truth would?",
    "validity, where a truth is known",
    cutoff=10,
    data=("ml-1m", "coat"),
    analyses=ANALYSES,
    figures=FIGURES,
    tables=TABLES,
)
