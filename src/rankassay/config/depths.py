"""Where run files end: no cut-off lies deeper, as the shorter lists would lose there.

A run is as deep as its longest list; shorter ones are of users for whom it had fewer items.
"""

import functools
import os
from collections import Counter
from collections.abc import Mapping
from typing import Any

from rankassay.config.systems import has_lists, run_files
from rankassay.errors import RankassayError
from rankassay.studies import STUDIES

Ends = dict[str, dict[str, int]]


def run_ends(config: Mapping[str, Any]) -> Ends:
    """Return the length of the longest list of each run that ends before `depth`, by dataset."""
    found: Ends = {}
    patterns, depth = config["systems"]["runs"], config["depth"]
    for dataset in config["datasets"]:
        if has_lists(config, dataset):
            for name, path in run_files(patterns, dataset).items():
                if 0 < (end := longest_list(path, depth)) < depth:
                    found.setdefault(dataset, {})[name] = end
    return found


def at_common_depth(config: dict[str, Any], ends: Ends) -> dict[str, Any]:
    """Return a configuration whose cut-offs lie where all runs have items, unless asked otherwise.

    A cut-off below becomes the deepest place that all have.
    """
    if not ends or config["systems"]["unequal_depths"]:
        return config
    first = min(end for own in ends.values() for end in own.values())
    sections = {key: _cut(config[key], first) for key in ("metrics", *STUDIES)}
    return config | sections | {"depth": first}


def said(config: Mapping[str, Any], ends: Ends) -> str:
    """Return where runs end, and what that changes, for the user; empty if none does."""
    if not ends:
        return ""
    runs = "; ".join(
        f"{name} ({dataset}) at {end}" for dataset, own in ends.items() for name, end in own.items()
    )
    if config["systems"]["unequal_depths"]:
        return (
            f"Run files end before the depth of {config['depth']}: {runs}. They have no hits below,"
            " where other systems do, as systems.unequal_depths allows."
        )
    return (
        f"Run files end before the depth that was asked for: {runs}. All systems are compared in "
        f"the first {config['depth']} places, and deeper cut-offs became this one; "
        "systems.unequal_depths: true goes deeper."
    )


def longest_list(path: str, most: int) -> int:
    """Return the length of a run's longest list, or `most` if some list has as many items.

    Of a file that cannot be read, which its job says, it is `most`.
    """
    try:
        status = os.stat(path)
        return _longest(path, most, status.st_mtime_ns, status.st_size)
    except (RankassayError, OSError):
        return most


@functools.cache
def _longest(path: str, most: int, *stamp: int) -> int:
    from rankassay.data.opening import MARK, open_bytes  # on use: they import pandas
    from rankassay.data.tables import read

    count: Counter[bytes] = Counter()
    longest = 0
    with open_bytes(path) as file:
        for line in file:
            line = line if count else line.removeprefix(MARK.encode())
            if not count and line.strip() and not _is_trec(line):
                return min(most, int(read(path, "score")["user"].value_counts().max()))
            user = line.split(None, 1)[:1]
            if user:
                count[user[0]] += 1
                longest = max(longest, count[user[0]])
            if longest >= most:
                break
    return longest


def _is_trec(line: bytes) -> bool:
    """Whether a first line is surely one of a TREC run, whose users can be counted at once."""
    from rankassay.data.tables import RUN  # on use, as above

    tabs = len(RUN) - 1
    return (
        len(line.split()) == len(RUN)
        and line.count(b"\t") in (0, tabs)
        and not any(mark in line for mark in b",;:|{[")
    )


def _cut(value: Any, first: int, key: str = "") -> Any:
    """Return settings in which no cut-off is deeper than `first`."""
    if isinstance(value, Mapping):
        return {name: _cut(own, first, name) for name, own in value.items()}
    if key.endswith("cutoffs") and isinstance(value, list):
        return [*dict.fromkeys(min(cutoff, first) for cutoff in value)]
    return min(value, first) if key.endswith("cutoff") and isinstance(value, int) else value
