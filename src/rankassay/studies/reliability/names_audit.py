"""Readers' names of the tests, and of the data, of the audit of tests."""

TESTS = {
    **{"t": "t", "wilcoxon": "Wilcoxon", "sign": "sign"},
    **{"bootstrap": "bootstrap", "permutation": "permutation"},
}
IN_SENTENCES = {
    **{"t": "the t-test", "wilcoxon": "Wilcoxon's test", "sign": "the sign test"},
    **{"bootstrap": "the bootstrap test", "permutation": "the permutation test"},
}
# By how much a measured rate may be off a published one, by the type of the error.
NEAR = {"I": 0.01, "II": 0.05, "III": 0.01}
# The ways to a true null hypothesis.
NULLS = {
    "exchange": "labels exchanged",
    "control": "simulated from exchanged labels",
    "simulation": "simulated from the systems",
}
