"""How near our systems are to the published ones."""

from assayer.registry.entries import Figure

FIGURES = {
    "systems": Figure("assayer.figures.fidelity:draw", "fidelity", "datasets"),
}
