"""Tables that the page adds to those of the studies: metrics by criterion, and the jobs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd

from rankassay.answers import findings, words
from rankassay.answers.findings import BY_YARDSTICK
from rankassay.answers.tables import summary as table_of
from rankassay.answers.words import names
from rankassay.artifacts.usage import MEMORY, SECONDS
from rankassay.drawing.table import printed
from rankassay.drawing.text import Printed

UNKNOWN = "unknown: there are no replicates for resampled users"


@dataclass(frozen=True)
class Compared:
    """The metrics on one dataset: the best by each criterion, and all of them as a table.

    `caveat` says that there are too few systems to compare them, or is empty.
    """

    caveat: str
    evidence: Printed
    metrics: Printed


def by_criterion(summary: pd.DataFrame, dataset: str, title: str, cutoff: int) -> Compared:
    """Return how metrics compare by the summary of a dataset, at a cut-off."""
    rows = summary.assign(dataset=dataset)
    whole = table_of(rows, cutoff, {dataset: title})
    own = replace(whole, frame=whole.frame.drop(columns="Dataset"))
    caveat = words.too_few(rows, "metrics cannot be judged")
    return Compared(caveat, _evidence(rows, cutoff), printed(own))


def _evidence(rows: pd.DataFrame, cutoff: int) -> Printed:
    """Return the best metrics under each criterion, and those tied with them."""
    cells = []
    for criterion, what in findings.WITH_VALIDITY.items():
        found = findings.finding(rows, criterion, cutoff)
        if found is None:
            continue
        digits = 2 if criterion == "power" else 3
        value = f"{found.value:.{digits}f}"
        if pd.notna(found.low):
            value += f" ({found.low:.{digits}f} to {found.high:.{digits}f})"
        said = names(found.rivals) if found.rivals else "none: all others are significantly worse"
        if not found.others:
            said = "all are equal" if len(found.best) > 1 else "no other is compared"
        elif len(found.unknown) == len(found.others):
            said = UNKNOWN
        elif found.unknown:
            said = f"{names(found.rivals) or 'none'}; without replicates, unknown for "
            said += names(found.unknown)
        robust = found.robust or criterion in BY_YARDSTICK  # of these the sentences say more
        best = names(found.best) + ("" if robust else f", not robust (below {findings.ROBUST})")
        cells.append((what, best, value, said))
    heads = ["Criterion", f"First at @{cutoff}", "Value", "Tied with it (95%)"]
    return Printed.plain(heads, cells, [False] * len(heads))


GROUP = ["kind", "dataset"]


def of_jobs(measured: Mapping[str, Mapping[str, float]]) -> Printed:
    """Return the jobs by kind and dataset; `measured` has what each took, as `usage.read` has it.

    Its keys are kind, dataset and name, as in analyse/ml-1m/robustness/sparsity; few have all.
    """
    rows = []
    for path, job in sorted(measured.items()):
        kind, _, rest = path.partition("/")
        dataset, _, name = rest.partition("/")
        rows.append((kind, dataset, name or dataset or kind, job[SECONDS], job[MEMORY]))
    jobs = pd.DataFrame(rows, columns=[*GROUP, "name", "seconds", "memory"])
    cells = []
    for (kind, dataset), own in jobs.groupby(GROUP, sort=False):
        longest = own.loc[own["seconds"].idxmax()]
        cells.append(
            [
                *(kind, dataset or "–", f"{len(own)}", f"{own['seconds'].sum():.1f}"),
                f"{longest['name']} ({longest['seconds']:.1f} s)",
                "–" if own["memory"].isna().all() else f"{own['memory'].max():.0f}",
            ]
        )
    total = [f"{len(jobs)}", f"{jobs['seconds'].sum():.1f}", "", f"{jobs['memory'].max():.0f}"]
    if len(jobs):
        cells.append(["all", "", *total])
    names = ["Kind", "Dataset", "Jobs", "Seconds, all", "Longest", "Memory at most (MB)"]
    marked = [[(text, row[0] == "all") for text in row] for row in cells]
    return Printed(names, marked, [False, False, True, True, False, True])
