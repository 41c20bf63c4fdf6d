"""How near our systems are to the published ones."""

from assayer.studies.entries import Figure

FIGURES = {
    "systems": Figure("assayer.studies.robustness.figure_fidelity:draw", "fidelity", "datasets"),
}
