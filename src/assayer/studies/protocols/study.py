"""The study of protocols: what depends on the split, the filter, the fold and the seed?"""

from assayer.studies.entries import Analysis, Figure, Study, Table, reads

ANALYSES = {
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
}
FIGURES = {"conclusions": Figure("figure_conclusions:conclusions", "conclusions", "dataset")}
TABLES = {
    "criteria": Table("tables_conclusions:criteria", reads(criteria="protocols/criteria")),
    "conclusions": Table(
        "tables_conclusions:conclusions", reads(conclusions="protocols/conclusions")
    ),
}
STUDY = Study(
    "protocols",
    "The study of protocols: what depends on the split, the filter, the fold and the seed.",
    "what depends on the protocol",
    cutoff=10,
    section="section:Section",
    on_request=True,
    data=("ml-100k", "ml-latest-small"),
    analyses=ANALYSES,
    figures=FIGURES,
    tables=TABLES,
)
