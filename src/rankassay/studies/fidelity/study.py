"""How close our systems are to the published ones."""

from rankassay.studies.entries import Figure, Study

FIGURES = {
    "systems": Figure(
        "views:systems",
        "fidelity",
        "datasets",
        "How close the systems come to the published ones: the mean over users of P@10 and of "
        "nDCG@100 (with an ideal list that is not cut) for each system (filled), next to the "
        "mean that the authors published (open). On the right is the difference as a "
        "percentage of the published mean, in bold if it is more than 3 %. The systems are in "
        "the order of their published nDCG. Our split of the ratings is not the authors', so "
        "differences of one or two per cent mean nothing.",
    ),
}

STUDY = Study(
    "fidelity",
    "How near our systems are to the published ones.",
    "our systems next to the published ones",
    figures=FIGURES,
)
