"""How close our systems are to the published ones."""

from rankassay.studies.entries import Figure, Study

STUDY = Study(
    "fidelity",
    "How near our systems are to the published ones.",
    "our systems next to the published ones",
    figures={"systems": Figure("figure:systems", "fidelity", "datasets")},
)
