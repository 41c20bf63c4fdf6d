"""How long the jobs of a run took, and how much memory, from what they wrote of themselves."""

from collections.abc import Mapping

import pandas as pd

from rankassay.artifacts.usage import MEMORY, SECONDS
from rankassay.drawing.text import Printed

GROUP = ["kind", "dataset"]


def table(measured: Mapping[str, Mapping[str, float]]) -> Printed:
    """Return the jobs, kind by kind and dataset by dataset.

    Parameters
    ----------
    measured : mapping
        What a job took (`rankassay.artifacts.usage.read`), by its kind, dataset and name, as in
        analyse/ml-1m/robustness/sparsity; few jobs have all three.
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
