"""The study of metrics on a sample of the items (Rendle, 2019)."""

from assayer.studies.entries import Analysis, Figure, Table

ANALYSES = {
    "curves": Analysis("assayer.studies.sampling.constructed:curves", (), constructed=True),
    "example": Analysis("assayer.studies.sampling.constructed:example", (), constructed=True),
    "by-size": Analysis("assayer.studies.sampling.constructed:by_size", (), constructed=True),
    "by-rank": Analysis("assayer.studies.sampling.constructed:by_rank", (), constructed=True),
    "orders": Analysis(
        "assayer.studies.sampling.constructed:orders", ("sampling/by-size",), constructed=True
    ),
    "systems": Analysis(
        "assayer.studies.sampling.systems:run", ("train", "test", "rankings"), whole_rankings=True
    ),
    "values": Analysis(
        "assayer.studies.sampling.systems:values",
        ("train", "test", "rankings"),
        whole_rankings=True,
    ),
    "agreement": Analysis("assayer.studies.sampling.systems:agreement", ("sampling/values",)),
    "robustness": Analysis(
        "assayer.studies.sampling.robustness:run",
        ("test", "rankings"),
        whole_rankings=True,
        replicated=True,
    ),
    "corrections": Analysis(
        "assayer.studies.sampling.corrections:run", ("test", "rankings"), whole_rankings=True
    ),
    "claims": Analysis(
        "assayer.studies.sampling.claims:run",
        ("claims", "sampling/systems", "sampling/agreement"),
    ),
    "constructed-claims": Analysis(
        "assayer.studies.sampling.claims:constructed",
        (
            *("claims", "sampling/example", "sampling/by-size", "sampling/by-rank"),
            "sampling/orders",
        ),
        constructed=True,
    ),
}

FIGURES = {
    "figure-1": Figure("assayer.studies.sampling.figures:figure_1", "curves", "constructed"),
    "figure-2": Figure("assayer.studies.sampling.figures:figure_2", "by-size", "constructed"),
    "figure-3": Figure("assayer.studies.sampling.figures:figure_3", "by-rank", "constructed"),
    "systems": Figure("assayer.studies.sampling.figures_systems:orders", "systems", "dataset"),
    "samplers": Figure("assayer.studies.sampling.figures_systems:samplers", "systems", "dataset"),
    "places": Figure("assayer.studies.sampling.figures_systems:places", "values", "dataset"),
    "power": Figure("assayer.studies.sampling.figures_systems:power", "systems", "dataset"),
    "robustness": Figure(
        "assayer.studies.sampling.figures_systems:robustness", "robustness", "dataset"
    ),
    "corrections": Figure(
        "assayer.studies.sampling.figure_corrections:draw", "corrections", "dataset"
    ),
    "claims": Figure("assayer.claims.figure:draw", "claims", "datasets"),
}

TABLES = {
    "example": Table("assayer.studies.sampling.tables:example", ("sampling/example",)),
    "orders": Table("assayer.studies.sampling.tables:orders", ("sampling/orders",)),
    "systems": Table("assayer.studies.sampling.tables:systems", ("sampling/systems",)),
    "wrong": Table("assayer.studies.sampling.tables:wrong", ("sampling/systems",)),
    "corrections": Table("assayer.studies.sampling.tables:corrections", ("sampling/corrections",)),
    "claims": Table("assayer.claims.table:claims", ("sampling/claims",)),
}
