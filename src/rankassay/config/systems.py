"""The systems that were not made here: run files of other libraries, and where they end.

A run is as deep as its longest list; shorter ones are of users for whom it had fewer items. No
cut-off lies deeper than the shallowest run, as the shorter lists would lose there.
"""

import functools
import glob
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rankassay.config.titles import data_of, entry_of
from rankassay.data.entries import file_of, is_implicit, run_name
from rankassay.errors import RankassayError, unknown
from rankassay.metrics.catalogue import entry as entry_of_metric
from rankassay.metrics.catalogue import weighs
from rankassay.recommenders.catalogue import OF_RATINGS
from rankassay.studies import STUDIES

PLACE = "config: systems.runs:"
Ends = dict[str, dict[str, int]]  # the length of runs by dataset and name
MARKS = re.compile("[{}<>]")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


def check_name(place: str, kind: str, name: str, names: Iterable[str]) -> None:
    """Raise RankassayError, with the place in the configuration, unless a name is a known one."""
    if name not in list(names):  # a name may be anything that YAML can hold
        raise RankassayError(f"{place} {unknown(kind, name, names)}")


def check_path(place: str, path: str) -> None:
    """Refuse a path that Snakemake takes for a pattern, or that its report would run."""
    if MARKS.search(path):
        raise RankassayError(
            f"{place} expected a path without {{, }}, < and >, which mean something to Snakemake "
            f"and its report, found '{path}'; rename it."
        )


def patterns(runs: str | Sequence[str] | None) -> list[str]:
    """Return the configured patterns as a list; null is none, a string is one."""
    return [runs] if isinstance(runs, str) else list(runs or [])


def run_files(runs: str | Sequence[str] | None, dataset: str) -> dict[str, str]:
    """Return the run files of a dataset by the names of their systems, in order of the names."""
    found: dict[str, str] = {}
    for pattern in patterns(runs):
        place = pattern.replace("{dataset}", dataset)
        check_path(PLACE, place)
        files = [path for path in sorted(glob.glob(place)) if Path(path).is_file()]
        if not files:
            raise RankassayError(
                f"{PLACE} expected files that fit '{place}', found none in {Path().absolute()}."
            )
        for path in files:
            check_path(PLACE, path)
            name = run_name(path)
            if not NAME.fullmatch(name):
                raise RankassayError(
                    f"{PLACE} the file {path} names its system '{name}'; expected a letter from A "
                    "to Z, small or capital, or a digit first, and then such letters, digits, "
                    "dots, hyphens, underscores and plus signs: rename the file."
                )
            other = found.setdefault(name, path)
            if other != path:
                raise RankassayError(
                    f"{PLACE} the files {other} and {path} name the same system, '{name}'; rename "
                    "one of them."
                )
    return dict(sorted(found.items()))


def can_train(entry: Mapping) -> bool:
    """Return whether a dataset of the catalogue has training ratings."""
    if entry["kind"] == "qrels":
        return "train" in entry or bool(file_of(entry, "train"))
    return entry["kind"] != "scores"


def has_lists(config: Mapping, dataset: str) -> bool:
    """Return whether a dataset has lists of items, and not only values of metrics."""
    return entry_of(config, dataset)["kind"] != "scores"


def has_items(entry: Mapping) -> bool:
    """Return whether the number of items of a dataset that could be listed is known."""
    return can_train(entry) or "items" in entry


def made_on(config: Mapping, dataset: str) -> list[str]:
    """Return the recommenders of a dataset, without those of ratings where it has none."""
    names, catalogue = config["recommenders"], config["recommender_catalogue"]
    entry = config["dataset_catalogue"].get(data_of(config, dataset))  # an unknown dataset has none
    if entry is None or not is_implicit(entry):
        return [*names]
    return [name for name in names if catalogue[name]["method"] not in OF_RATINGS]


def check(config: dict) -> None:
    """Check the systems of every configured dataset; raises RankassayError for a mistake."""
    runs, recommenders = config["systems"]["runs"], config["recommenders"]
    for pattern in patterns(runs):
        if len(config["datasets"]) > 1 and "{dataset}" not in pattern:
            raise RankassayError(
                f"{PLACE} there are several datasets, so '{pattern}' needs {{dataset}} in it, as "
                "in runs/{dataset}/*.run."
            )
    for dataset in config["datasets"]:
        variant, data = config["variants"].get(dataset, {}), data_of(config, dataset)
        entry = entry_of(config, dataset)
        if not has_lists(config, dataset):
            if variant:
                raise RankassayError(
                    f"config: variants.{dataset}.of: '{data}' has values of metrics and nothing "
                    "that could be split or trained otherwise; remove the variant."
                )
            continue
        files = run_files(runs, dataset)
        if recommenders and not can_train(entry):
            raise RankassayError(
                "config: recommenders: none can be trained, because dataset "
                f"'{data}' has no training ratings; write 'recommenders: []', or give "
                f"dataset_catalogue.{data}.train."
            )
        if "split_seed" in variant and entry["kind"] == "qrels":
            raise RankassayError(
                f"config: variants.{dataset}.split_seed: '{data}' brings its own judgements and "
                "is not split; remove it."
            )
        _check_names(config, files)
        usable = made_on(config, dataset)
        if len(files) + len(usable) < 2:
            without = "" if len(usable) == len(recommenders) else f" that '{data}' suits"
            raise RankassayError(
                f"config: recommenders: expected at least 2 of them{without}, or of them and of "
                f"systems.runs, to compare; found {[*usable, *files]}."
            )
        _check_propensities(config, data)
        for name in config["metrics"]["names"]:
            if counts_items([name]) and not has_items(entry):
                raise RankassayError(
                    f"config: metrics.names: {name} needs the number of items that could be listed;"
                    f" give dataset_catalogue.{data}.items, or leave out the metric."
                )


def _check_propensities(config: dict, data: str) -> None:
    """Check that propensities, or ratings to estimate them from, exist if they are needed."""
    entry = config["dataset_catalogue"][data]
    metric = next(filter(weighs, config["metrics"]["names"]), None)
    if metric is None:
        return
    estimate = config["metrics"]["propensities"]["estimate"]
    if estimate == "known" and not file_of(entry, "propensities"):
        raise RankassayError(
            f"config: metrics.propensities.estimate: {metric} needs propensities, and dataset "
            f"'{data}' brings none; write popularity or fitted, or give "
            f"dataset_catalogue.{data}.propensities_path."
        )
    if not (estimate == "known" or file_of(entry, "propensities") or can_train(entry)):
        raise RankassayError(
            f"config: metrics.names: {metric} needs propensities, which are estimated from "
            f"training ratings, and dataset '{data}' has none; give "
            f"dataset_catalogue.{data}.train, or leave out the metric."
        )


def _check_names(config: dict, files: Mapping[str, str]) -> None:
    """Check that no run has the name or the label of a recommender."""
    labels = {config["recommender_catalogue"][name]["label"] for name in config["recommenders"]}
    for name, path in files.items():
        if name in config["recommenders"] or name in labels:
            raise RankassayError(
                f"{PLACE} the file {path} has the name of the recommender '{name}'; rename it, or "
                "leave out the recommender."
            )


def counts_items(metrics: Sequence[str]) -> bool:
    """Return whether some of the metrics depend on the number of items that could be listed."""
    return any("items" in entry_of_metric(metric).needs for metric in metrics)


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
    """Return a configuration whose cut-offs lie where all runs have items, unless asked not to."""
    if not ends or config["systems"]["unequal_depths"]:
        return config
    first = min(end for own in ends.values() for end in own.values())
    sections = {key: _cut(config[key], first) for key in ("metrics", *STUDIES)}
    return config | sections | {"depth": first}


def said_of_ends(config: Mapping[str, Any], ends: Ends) -> str:
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
    """Return the length of a run's longest list, at most `most`, also if it cannot be read."""
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
