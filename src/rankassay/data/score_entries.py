"""Entries of the catalogue with values of metrics: which measures, in which files."""

import glob
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankassay.data.entries import run_name
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.names import canonical, parts, unknown_metric


def measure_of(name: str, own: Mapping[str, str]) -> str:
    """Return the measure that a table of values names: ours, or one of the user's own.

    >>> measure_of("recip_rank", {}), measure_of("P_10", {}), measure_of("clicks@5", {"clicks": ""})
    ('RR', 'P@10', 'own:clicks@5')
    """
    found = parts(name)
    bare, plain, cutoff = found or (name, None, None)
    if bare in own and not plain:
        return f"own:{bare}" + (f"@{cutoff}" if cutoff else "")
    if bare not in METRICS:
        said = str(unknown_metric(name)).removesuffix(".")
        raise RankassayError(
            f"{said}; or, if it is another metric, write own: {{{bare}: higher}}, or lower, by "
            "which of its values is the better one."
        )
    return canonical(name)


def measures_of(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return the measures of a dataset of scores by the names that its entry has for them."""
    own = entry.get("own") or {}
    found: dict[str, str] = {}
    for name in entry.get("tables") or entry.get("measures") or ():
        measure = measure_of(name, own)
        if measure in found.values():
            raise RankassayError(f"expected each metric once, found '{name}', which is {measure}.")
        found[name] = measure
    for name in own:
        if canonical(name) in METRICS:
            raise RankassayError(
                f"own: '{name}' is the metric {canonical(name)}, which is known; leave it out, or "
                "give it another name."
            )
    return found


def score_files(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of a dataset of scores, by kind: a metric, a table or a system."""
    if entry.get("tables"):
        return dict(entry["tables"])
    if entry.get("table"):
        return {"table": entry["table"]}
    found: dict[str, str] = {}
    for path in sorted(filter(lambda path: Path(path).is_file(), glob.glob(entry["results"]))):
        other = found.setdefault(run_name(path), path)
        if other != path:
            raise RankassayError(
                f"the files {other} and {path} name the same system, '{run_name(path)}'; rename "
                "one of them."
            )
    if not found:
        raise RankassayError(
            f"expected files that fit '{entry['results']}', found none in {Path().absolute()}."
        )
    return found
