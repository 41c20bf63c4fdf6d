"""Which ranking metric can I trust, at which cut-off, on my data.

    import assayer
    print(assayer.judge(qrels, runs, train))  # what to report, and how far to trust it
    assayer.evaluate(qrels, run, ["nDCG@10", "P@10"])

    assayer.summary()  # of a run of the workflow, in sentences
    assayer.results("robustness/sparsity")
    assayer.draw("robustness/figure-6")

See `assayer.judge`, `assayer.evaluate` and `python -m assayer --help`.
"""

__version__ = "0.4.0.dev0"

# Imported on use, so that importing the package takes no time.
_PUBLIC = {
    "AssayerError": "assayer.errors",
    "across_datasets": "assayer.api.across",
    "beyond": "assayer.api.beyond",
    "bounds": "assayer.api.bounds",
    "compare": "assayer.api.comparison",
    "correct_sampled": "assayer.api.sampled",
    "describe": "assayer.api.describe",
    "discriminative_power": "assayer.api.compare",
    "draw": "assayer.api.results",
    "evaluate": "assayer.api.evaluate",
    "judge": "assayer.api.judge",
    "judged": "assayer.api.evaluate",
    "permutation_test": "assayer.api.compare",
    "preferences": "assayer.api.preferences",
    "rank_correlation": "assayer.api.correlations",
    "read_qrels": "assayer.data.trec",
    "read_run": "assayer.data.trec",
    "reliability": "assayer.api.reliability",
    "required_users": "assayer.api.reliability",
    "results": "assayer.api.results",
    "robustness": "assayer.api.robustness",
    "sensitivity": "assayer.api.sensitivity",
    "summary": "assayer.api.answers",
    "ties": "assayer.api.ties",
    "write_qrels": "assayer.data.trec",
    "write_run": "assayer.data.trec",
}

__all__ = [*_PUBLIC]


def __getattr__(name: str):
    """Import a public name on its first use."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'assayer' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    """Return the names of the package."""
    return sorted([*globals(), *_PUBLIC])
