"""Sensitivity to selection: how unequal the weights of hits may be until two systems reverse."""

# Bounds of weights at which pairs are tested, beside 1, and the one that sentences are about: the
# smallest of them at which few significant pairs had the wrong sign in simulated worlds, see
# `assayer.studies.validity`.
GAMMAS = (1.5, 2.0, 3.0, 4.0)
DEFAULT_GAMMA = 3.0
