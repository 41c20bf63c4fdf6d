"""Which ranking metric can I trust, at which cut-off, on my data.

    import rankassay
    print(rankassay.judge(qrels, runs, train))  # what to report, and how far to trust it
    rankassay.evaluate(qrels, run, ["nDCG@10", "P@10"])

    rankassay.summary()  # of a run of the workflow, in sentences
    rankassay.results("robustness/sparsity")
    rankassay.draw("robustness/figure-6")

See `rankassay.judge`, `rankassay.evaluate` and `python -m rankassay --help`.

What a function cannot take it refuses by a `RankassayError` of one line, which says what was
expected, what was found and what to do: unknown names, with the nearest known one; missing columns
or numbers; an item that is listed or judged twice; ids that never match; values of another shape,
infinite or out of range; and fewer runs, systems or users than a comparison needs.
"""

__version__ = "0.4.0.dev0"

# Imported on use, so that importing the package takes no time.
_PUBLIC = {
    "RankassayError": "rankassay.errors",
    "across_datasets": "rankassay.api.rankings",
    "beyond": "rankassay.api.beyond",
    "bounds": "rankassay.api.bounds",
    "compare": "rankassay.api.comparison",
    "correct_sampled": "rankassay.api.sampled",
    "describe": "rankassay.api.definitions",
    "discriminative_power": "rankassay.api.significance",
    "draw": "rankassay.api.results",
    "evaluate": "rankassay.api.evaluate",
    "judge": "rankassay.api.judge",
    "judged": "rankassay.api.reading",
    "permutation_test": "rankassay.api.significance",
    "preferences": "rankassay.api.preferences",
    "rank_correlation": "rankassay.api.rankings",
    "read_qrels": "rankassay.data.tables",
    "read_run": "rankassay.data.tables",
    "reliability": "rankassay.api.reliability",
    "required_users": "rankassay.api.reliability",
    "results": "rankassay.api.results",
    "robustness": "rankassay.api.incompleteness",
    "sensitivity": "rankassay.api.incompleteness",
    "summary": "rankassay.api.results",
    "ties": "rankassay.api.bounds",
    "write_qrels": "rankassay.data.trec",
    "write_run": "rankassay.data.trec",
}

__all__ = [*_PUBLIC]


def __getattr__(name: str):
    """Import a public name on its first use."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'rankassay' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    """Return the names of the package."""
    return sorted([*globals(), *_PUBLIC])
