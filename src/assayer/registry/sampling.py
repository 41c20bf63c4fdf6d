"""The study of metrics on a sample of the items (Rendle, 2019)."""

from assayer.registry.entries import Analysis, Figure, Table

ANALYSES = {
    "curves": Analysis("assayer.analysis.sampling.constructed:curves", (), constructed=True),
    "example": Analysis("assayer.analysis.sampling.constructed:example", (), constructed=True),
    "by-size": Analysis("assayer.analysis.sampling.constructed:by_size", (), constructed=True),
    "by-rank": Analysis("assayer.analysis.sampling.constructed:by_rank", (), constructed=True),
    "orders": Analysis(
        "assayer.analysis.sampling.constructed:orders", ("sampling/by-size",), constructed=True
    ),
    "systems": Analysis(
        "assayer.analysis.sampling.systems:run", ("train", "test", "rankings"), whole_rankings=True
    ),
    "values": Analysis(
        "assayer.analysis.sampling.systems:values",
        ("train", "test", "rankings"),
        whole_rankings=True,
    ),
    "agreement": Analysis("assayer.analysis.sampling.systems:agreement", ("sampling/values",)),
    "robustness": Analysis(
        "assayer.analysis.sampling.robustness:run",
        ("test", "rankings"),
        whole_rankings=True,
        replicated=True,
    ),
    "corrections": Analysis(
        "assayer.analysis.sampling.corrections:run", ("test", "rankings"), whole_rankings=True
    ),
    "claims": Analysis(
        "assayer.analysis.sampling.verdicts:run",
        ("claims", "sampling/systems", "sampling/agreement"),
    ),
    "constructed-claims": Analysis(
        "assayer.analysis.sampling.verdicts:constructed",
        (
            *("claims", "sampling/example", "sampling/by-size", "sampling/by-rank"),
            "sampling/orders",
        ),
        constructed=True,
    ),
}

FIGURES = {
    "figure-1": Figure("assayer.figures.sampling:figure_1", "curves", "constructed"),
    "figure-2": Figure("assayer.figures.sampling:figure_2", "by-size", "constructed"),
    "figure-3": Figure("assayer.figures.sampling:figure_3", "by-rank", "constructed"),
    "systems": Figure("assayer.figures.sampling_systems:orders", "systems", "dataset"),
    "samplers": Figure("assayer.figures.sampling_systems:samplers", "systems", "dataset"),
    "places": Figure("assayer.figures.sampling_systems:places", "values", "dataset"),
    "power": Figure("assayer.figures.sampling_systems:power", "systems", "dataset"),
    "robustness": Figure("assayer.figures.sampling_systems:robustness", "robustness", "dataset"),
    "corrections": Figure("assayer.figures.sampling_corrections:draw", "corrections", "dataset"),
    "claims": Figure("assayer.figures.claims:draw", "claims", "datasets"),
}

TABLES = {
    "example": Table("assayer.tables.sampling:example", ("sampling/example",)),
    "orders": Table("assayer.tables.sampling:orders", ("sampling/orders",)),
    "systems": Table("assayer.tables.sampling:systems", ("sampling/systems",)),
    "wrong": Table("assayer.tables.sampling:wrong", ("sampling/systems",)),
    "corrections": Table("assayer.tables.sampling:corrections", ("sampling/corrections",)),
    "claims": Table("assayer.tables.claims:claims", ("sampling/claims",)),
}
