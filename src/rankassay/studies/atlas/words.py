"""Findings in a few words."""

from collections.abc import Mapping

EMPTY = "no claim is about two of these datasets."

SHORT = {
    "gains-alike": "Gains of nDCG rank systems almost the same",
    "cutoffs-lowest": "Most correlations of cut-offs are above .85",
    "cutoffs-ndcg": "Cut-offs of nDCG correlate by at least .9",
    "cutoffs-ndcg-5": "nDCG@5 differs most from other cut-offs",
    "cutoffs-deep": "Cut-offs above 20 correlate very highly",
    "deeper": "Deeper is better, by all metrics and criteria",
    "power-above-50": "nDCG has more power above cut-off 50",
    "metrics-all-alike": "All metrics correlate above .9",
    "metrics-some-below": "Some metrics correlate below .8",
    "metrics-mrr-apart": "MRR differs from the other metrics",
    "metrics-bpref-apart": "bpref differs from the other metrics",
    "metrics-bpref-map": "bpref correlates poorly with MAP",
    "metrics-map-ndcg": "MAP correlates strongly with nDCG",
    "metrics-rest-alike": "The other metrics correlate fairly strongly",
    "sparsity-half": "τ is above .9 on half of the test ratings",
    "sparsity-best": "P and nDCG are very robust to sparsity",
    "sparsity-poor": "bpref, infAP, MRR are less robust to sparsity",
    "sparsity-map": "MAP is more robust to sparsity than bpref, infAP",
    "popularity-extremes": "P is most, MRR least robust to popularity bias",
    "popularity-negative": "Without popular items τ becomes negative",
    "figure-7": "τ without the most popular items, as printed",
    "table-3": "DP at cut-off 100, as printed",
    "power-poor": "bpref and infAP have a low power",
    "power-best": "nDCG, then P have by far the highest power",
    "power-ndcg-first": "nDCG has the highest power",
    "deeper-conclusion": "Cut-offs around 100 are better than 5 to 10",
    "mrr-least-robust": "MRR is least robust to both biases",
    "p-most-robust": "P is most robust to both biases",
}


def short(sentence: str) -> str:
    """Return a finding in a few words; one that has none here by its name.

    >>> short("p-most-robust"), short("my-own")
    ('P is most robust to both biases', 'my own')
    """
    return SHORT.get(sentence, sentence.replace("-", " "))


def said(conclusion: Mapping) -> str:
    """Return what becomes of a verdict over all datasets where one source is left out.

    >>> said({"general": "holds", "verdict_without": "holds", "without": "", "deciding": 0})
    'the same'
    >>> row = {"verdict_without": "inconclusive", "without": "MovieLens", "deciding": 2}
    >>> said(row), said(row | {"deciding": 1})
    ('inconclusive without MovieLens (2 sources change it)', 'inconclusive without MovieLens')
    """
    changed = isinstance(conclusion["without"], str) and conclusion["without"]
    if not changed:
        return "the same"
    n = int(conclusion["deciding"])
    others = f" ({n} sources change it)" if n > 1 else ""
    return f"{conclusion['verdict_without']} without {conclusion['without']}{others}"
