"""The jobs of a run, by the modules of `rankassay.jobs` that they are functions of.

Jobs of one module are a family: a change of its code runs all of them again.
"""

FAMILIES = {
    "fetch": ("fetch",),
    "prepare": ("prepare",),
    "companions": ("truth", "propensities", "attributes", "estimate_propensities"),
    "split": ("filter", "split"),
    "recommend": ("recommend", "fit", "rank"),
    "exchange": ("import_run", "import_scores", "export"),
    "score": ("score", "means"),
    "join": ("join",),
    "advise": ("advise",),
    "analyse": ("analyse",),
    "published": ("fidelity", "collect_claims"),
    "shown": ("figure", "table"),
    "report": ("report",),
    "tune": ("tune",),
    "grid": ("order_grid", "write_best"),
}
MODULES = {job: module for module, jobs in FAMILIES.items() for job in jobs}
