"""The study of averages over users, and of users with few ratings."""

from rankassay.declared.columns import COUNT, KEY, columns
from rankassay.studies.entries import JUDGED, JUDGED_ITEMS, Analysis, Figure, Study, Table, reads

COLUMNS = {
    **columns(KEY, "aggregate"),
    **columns(COUNT, "smallest largest"),
}

STUDY = Study(
    "aggregation",
    "The study of averages over users, and of users with few ratings.",
    "averages over users, and groups of users",
    cutoff=100,
    data=("ml-1m", "librarything", "beeradvocate"),
    analyses={
        "groups": Analysis(
            "groups:run",
            "Averages, robustness and power in groups of users.",
            reads("train", "test", "rankings"),
            "settings:Groups",
            JUDGED,
            replicated=True,
            shared=("metrics",),
            within=("criterion", "aggregate", "group"),
            holds=JUDGED_ITEMS,
        ),
        "claims": Analysis(
            "rankassay.claims.judge:claims",
            "The study's claims about data, judged.",
            reads("claims", groups="aggregation/groups"),
            compares=True,
        ),
    },
    figures={
        "claims": Figure("rankassay.claims.figure:claims", "claims", "datasets"),
        "groups": Figure("figures:groups", "groups", "dataset"),
    },
    tables={
        "groups": Table("tables:groups", reads(groups="aggregation/groups")),
    },
    columns=COLUMNS,
)
