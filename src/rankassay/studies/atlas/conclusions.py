"""Conclusions of the atlas in sentences, each from the rows of a finding or of the datasets.

A conclusion is classed by these rules:

- holds as measured on a dataset: all rows of the finding hold for what was measured, with the
  dataset's own settings and with the others
- contradicted on a dataset: by the verdict over all settings
- Not shown on MovieLens: it does not hold as measured on most datasets of the findings' own source
- General: it does on these, and on the share `general` of the others
- Contradicted elsewhere: it does on these, and is contradicted on another
- Mostly MovieLens: it does on these, and on half of the others at most
- Open: it does on these, and on more than half of the others, but on less than the share `general`

The first that fits counts, in this order.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import pandas as pd

from rankassay.errors import listed
from rankassay.studies.atlas.counts import FAILS, as_measured

GENERAL, CONTRADICTED, ALONE = "General", "Contradicted elsewhere", "Mostly MovieLens"
OPEN, NOT_SHOWN = "Open", "Not shown on MovieLens"
ANALOGY, WHERE = "Analogy", "Where findings fail"
KINDS = (GENERAL, CONTRADICTED, ALONE, OPEN, NOT_SHOWN)

# The paper's advice, and what it rests on, by sentence.
ADVICE = {
    "p-most-robust": "precision is the metric most robust to sparsity and to popularity bias",
    "deeper-conclusion": "cut-offs around 100 are more robust and have a higher discriminative "
    "power than cut-offs of 5 to 10",
    "power-ndcg-first": "nDCG has the highest discriminative power",
    "mrr-least-robust": "MRR is the metric least robust to sparsity and to popularity bias",
    "sparsity-half": "every metric ranks the systems with τ above .9 on half of the test ratings",
    "sparsity-poor": "bpref, infAP and MRR are less robust to sparsity than the other metrics",
    "power-poor": "bpref and infAP have a low discriminative power",
    "metrics-map-ndcg": "MAP and nDCG rank the systems almost the same",
}
COUNTS = ("holds_source", "n_source", "holds_others", "n_others")
COLUMNS = ["number", "kind", "sentence", "conclusion", "datasets", *COUNTS]
COLUMNS += ["fails_on", "changed_on"]


def conclusions(
    findings: pd.DataFrame,
    datasets: pd.DataFrame,
    *,
    source: Collection[str],
    general: float,
    sparse: float,
) -> pd.DataFrame:
    """Return the conclusions, at most ten, each with the numbers that it says.

    Parameters
    ----------
    findings : DataFrame
        As `rankassay.studies.atlas.findings.findings` returns it.
    datasets : DataFrame
        As `rankassay.studies.atlas.datasets.datasets` returns it.
    source, general, sparse
        Those of `rankassay.studies.atlas.settings.Conclusions`.

    Returns
    -------
    DataFrame
        Columns number, from 1; kind, one of `KINDS`, or what it is about; sentence, the finding, or
        empty; conclusion, in words; datasets, on how many it rests; holds_source, n_source,
        holds_others and n_others, on how many datasets the finding holds, of how many, of its
        source and of the others; fails_on and changed_on, the titles of the datasets on which it is
        contradicted, and of those on which other settings change the verdict.
    """
    known = findings[findings["sentence"].isin([*ADVICE])]
    rows = [
        _of_finding(own.set_index("dataset"), source, general)
        for name in ADVICE
        if len(own := known[known["sentence"] == name])
    ]
    rows.sort(key=lambda row: KINDS.index(row["kind"]))
    rows += [*_analogy(findings, datasets, sparse), *_where(datasets)]
    found = pd.DataFrame(rows, columns=COLUMNS[1:])
    found.insert(0, "number", range(1, len(found) + 1))
    return found.astype(dict.fromkeys(COUNTS, "Int64"))


def kind(source: tuple[int, int], others: tuple[int, int], fails: int, general: float) -> str:
    """Return the class of a finding.

    Parameters
    ----------
    source, others : pair of int
        On how many datasets of its source it holds, of how many; and on how many of the others.
    fails : int
        On how many of the others it fails.
    general : float

    >>> kind((3, 3), (7, 8), 1, 0.75), kind((3, 3), (5, 8), 1, 0.75), kind((2, 3), (4, 8), 0, 0.75)
    ('General', 'Contradicted elsewhere', 'Mostly MovieLens')
    >>> kind((3, 3), (5, 8), 0, 0.75), kind((1, 3), (8, 8), 0, 0.75)
    ('Open', 'Not shown on MovieLens')
    """
    if 2 * source[0] <= source[1]:
        return NOT_SHOWN
    if others[1] and others[0] >= general * others[1]:
        return GENERAL
    if fails:
        return CONTRADICTED
    return ALONE if 2 * others[0] <= others[1] else OPEN


def _of_finding(own: pd.DataFrame, source: Collection[str], general: float) -> dict[str, Any]:
    """Return the conclusion on a finding, whose rows are indexed by dataset."""
    inside = own.index.isin([*source])
    both = as_measured(own)
    fails, changed = own["outcome"] == FAILS, own["changed"].astype(bool)
    first, rest = ((int(both[part].sum()), int(part.sum())) for part in (inside, ~inside))
    name, found = own["sentence"].iloc[0], kind(first, rest, int(fails[~inside].sum()), general)
    said = f"{found}: {ADVICE[name]} (holds as measured on {first[0]} of {first[1]} "
    said += (
        f"MovieLens datasets and on {rest[0]} of {rest[1]} others{_except(own.loc[fails, 'title'])}"
    )
    said += f"; tuning changes the verdict on {changed.sum()})" if changed.any() else ")"
    return {
        "kind": found,
        "sentence": name,
        "conclusion": f"{said}.",
        "datasets": len(own),
        **dict(zip(COUNTS, (*first, *rest), strict=True)),
        "fails_on": _titles(own[fails]),
        "changed_on": _titles(own[changed]),
    }


def _except(titles: pd.Series) -> str:
    """Return the datasets on which a finding is contradicted, as the end of a clause."""
    return f"; contradicted on {_listed(titles)}" if len(titles) else ""


def _listed(titles: Iterable[str]) -> str:
    """Return titles of datasets as a list in a sentence, which has no commas but its own.

    >>> _listed(["MovieLens 1M", "Last.fm, given split"])
    'MovieLens 1M and Last.fm (given split)'
    """
    parts = (title.partition(", ") for title in titles)
    return listed([f"{name} ({more})" if more else name for name, _, more in parts])


def _most_of(n: int, what: str) -> str:
    """Return most of a number of datasets in words.

    >>> _most_of(3, "denser"), _most_of(1, "denser")
    ('most of the 3 denser datasets', 'the one denser dataset')
    """
    return f"the one {what} dataset" if n == 1 else f"most of the {n} {what} datasets"


def _titles(rows: pd.DataFrame) -> str:
    return "; ".join(rows["title"])


def _analogy(
    findings: pd.DataFrame, datasets: pd.DataFrame, sparse: float
) -> Sequence[dict[str, Any]]:
    """Return what sparse datasets make of the findings that the paper has of its sparse ones."""
    there = findings[findings["elsewhere"].astype(bool)]
    thin = datasets[datasets["density"] <= sparse]
    if there.empty or thin.empty or len(thin) == len(datasets):
        return []
    both = as_measured(there)
    within = there["dataset"].isin(thin["dataset"])
    n = there["sentence"].nunique()
    most = [
        int((both[own].groupby(there.loc[own, "sentence"]).mean() > 0.5).sum())
        for own in (within, ~within)
    ]
    return [
        {
            "kind": ANALOGY,
            "sentence": "",
            "conclusion": f"{ANALOGY}, not a reproduction: the paper reports {n} findings for "
            f"LibraryThing or BeerAdvocate alone, of which {most[0] or 'none'} hold as measured on "
            f"{_most_of(len(thin), 'sparse')} ({_listed(thin['title'])}; density at most "
            f"{_decimal(sparse)}) and {most[1] or 'none'} on "
            f"{_most_of(len(datasets) - len(thin), 'denser')}.",
            "datasets": len(datasets),
            "fails_on": "",
            "changed_on": "",
        }
    ]


def _where(datasets: pd.DataFrame) -> Sequence[dict[str, Any]]:
    """Return where most and where fewest findings lack support; nothing without any dataset."""
    if datasets.empty:
        return []
    share = datasets["lacking"] / datasets["findings"]
    ends = []
    for best in (share.max(), share.min()):
        own = datasets[share == best]
        row = own.iloc[0]
        ends.append(f"{_listed(own['title'])} ({row['lacking']} of {row['findings']})")
    return [
        {
            "kind": WHERE,
            "sentence": "",
            "conclusion": f"{WHERE}: the most do not hold as measured on {ends[0]}, and the fewest "
            f"on {ends[1]}; {len(datasets)} datasets are too few to say what predicts it.",
            "datasets": len(datasets),
            "fails_on": "",
            "changed_on": "",
        }
    ]


def _decimal(value: float) -> str:
    """Return a share without the zero before its point.

    >>> _decimal(0.00277)
    '.00277'
    """
    return f"{value:.10f}".rstrip("0").removeprefix("0")
