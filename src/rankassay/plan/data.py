"""Look-ups of the rules about datasets and their splits."""

import contextlib
import functools
import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rankassay.advice.cutoffs import AUTO
from rankassay.artifacts.files import FIRST_USE, check_fetched, read_json
from rankassay.config import systems, titles
from rankassay.config.cutoffs import possible
from rankassay.config.protocols import COMPLETE, protocol_of, steps_of
from rankassay.data.entries import (
    ATTRIBUTES,
    BESIDE,
    SEPARATE,
    completed,
    is_implicit,
    measures_of,
    score_files,
)
from rankassay.data.feedback import LIKED
from rankassay.data.readers import READERS
from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.metrics.names import parts, without_cutoff
from rankassay.plan.code import Code
from rankassay.plan.protocols import DRAWN, Protocols
from rankassay.plan.rules import Wildcards, ending, stamp

# What reading a dataset does not depend on.
WORDS = ("label", "licence", "source", "threshold", "default_for", "claims_of", "protocol")
NEVER = "(?!)"  # an expression that nothing fits
# What a dataset may lack, in words.
LACKED = {
    "train": "training ratings",
    "ratings": "training ratings",
    "truth": "judgements of random items",
    "propensities": "known propensities",
    "aspects": "aspects of the items",
    "attributes": "attributes of users or items",
    "claims": "claims about it",
    "replicates": "two protocols that it can be split by",
}


class Data:
    """The datasets of a configuration."""

    def __init__(self, config: Mapping[str, Any], code: Code) -> None:
        self.config = config
        self.code = code
        self.catalogue = {
            name: completed(name, entry) for name, entry in config["dataset_catalogue"].items()
        }
        self.protocols = Protocols(config, self.catalogue)
        self.variants = {**config["variants"], **self.protocols.variants}

    def of(self, dataset: str) -> str:
        """Return the dataset whose data this is: of a variant another one, or else itself."""
        return self.variants[dataset]["of"] if dataset in self.variants else dataset

    def is_split(self, dataset: str) -> bool:
        """Return whether a variant is split differently from its dataset."""
        return not {"split_seed", "protocol", "fold"}.isdisjoint(self.variants.get(dataset, {}))

    def settings_of(self, dataset: str) -> str:
        """Return the dataset or variant whose settings the recommenders of one have.

        A variant that names none has settings of its own where the catalogue of recommenders gives
        it some, or where nothing else makes it one.
        """
        variant = self.variants.get(dataset)
        if variant is None:
            return dataset
        catalogue = self.config["recommender_catalogue"].values()
        own = any(dataset in entry.get("datasets", {}) for entry in catalogue)
        usual = variant["of"] if self.is_split(dataset) and not own else dataset
        return variant.get("settings") or usual

    def entry(self, dataset: str) -> Mapping[str, Any]:
        """Return the catalogue entry of a dataset, or of the data of a variant.

        A threshold that it does not give is the usual one of the file's ratings.
        """
        name = self.of(dataset)
        entry = self.catalogue[name]
        if entry["kind"] in ("file", "qrels") and "threshold" not in entry:
            usual = load("rankassay.data.judgements:entry_threshold")(name, entry)
            entry = entry | dict(zip(("threshold", "default_for"), usual, strict=True))
            self.catalogue[name] = entry
        return entry

    def title(self, dataset: str) -> str:
        """Return the name of a dataset for readers; synthetic data always says so."""
        return titles.dataset_title({**self.config, "variants": self.variants}, dataset)

    def has_lists(self, dataset: str) -> bool:
        """Return whether a dataset has lists of items, and not only values of metrics."""
        return dataset in titles.PLACES or systems.has_lists(self.config, self.of(dataset))

    def any_of(self, with_lists: bool) -> str:
        """Return an expression of the names of all datasets with lists, or of all without."""
        names = (*self.catalogue, *self.variants)
        found = [name for name in names if self.has_lists(name) == with_lists]
        return "|".join(map(re.escape, found)) or NEVER

    def measures(self, dataset: str) -> list[str]:
        """Return the measures on a dataset: the configured ones, or those that it has values of."""
        if not self.has_lists(dataset):
            return [*measures_of(self.entry(dataset)).values()]
        metrics = self.config["metrics"]
        return [f"{name}@{cutoff}" for name in metrics["names"] for cutoff in metrics["cutoffs"]]

    def metrics(self, dataset: str) -> list[str]:
        """Return the metrics on a dataset, without their cut-offs."""
        if self.has_lists(dataset):
            return self.config["metrics"]["names"]
        return [*dict.fromkeys(map(without_cutoff, self.measures(dataset)))]

    def cutoffs(self, dataset: str) -> list[int]:
        """Return the cut-offs of the metrics on a dataset, in order of appearance."""
        found = (parts(measure) for measure in self.measures(dataset))
        return [*dict.fromkeys(int(named[2]) for named in found if named and named[2])]

    def at_cutoffs(self, dataset: str) -> list[str]:
        """Return the metrics that a dataset has at several cut-offs."""
        counts = Counter(map(without_cutoff, self.measures(dataset)))
        return [name for name, count in counts.items() if count > 1]

    def has_truth(self, dataset: str) -> bool:
        """Return whether a dataset has judgements of random items."""
        return bool(self.entry(dataset).get("truth"))

    def has_propensities(self, dataset: str) -> bool:
        """Return whether the propensities of a dataset's ratings are known."""
        return bool(self.entry(dataset).get("propensities"))

    def cutoff(self, study: str) -> int | dict[str, list]:
        """Return the cut-off of a study, or inputs to choose it by; see `jobs.cutoffs.cutoff`."""
        cutoff = self.config[study]["cutoff"]
        if cutoff != AUTO:
            return cutoff
        return {"possible": possible(self.config, study), "advice": self.advising(study)}

    def advising(self, study: str) -> list[str]:
        """Return the advice that the cut-off of a study follows."""
        return [*self.advice.values()] if self.config[study]["cutoff"] == AUTO else []

    @functools.cached_property
    def advice(self) -> dict[str, str]:
        """The advice on each dataset of the run, but for those of values of metrics alone."""
        datasets = filter(self.has_lists, self.config["datasets"])
        return {dataset: f"results/{dataset}/advice.json" for dataset in datasets}

    def companion(self, part: str, dataset: str) -> str:
        """Return the truth or the propensities of a dataset; its variants share them."""
        return f"data/processed/{self.of(dataset)}/{part}.npz"

    def truth(self, wildcards: Wildcards) -> str:
        """Return the judgements of random items of a dataset."""
        return self.companion("truth", wildcards.dataset)

    def candidates(self, wildcards: Wildcards) -> str:
        """Return which items are ranked: where random items were judged, all of them."""
        return "all_items" if self.has_truth(wildcards.dataset) else self.config["candidates"]

    def lists(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how long lists are, and of which items, as options of the jobs that make some."""
        return {"depth": self.config["depth"], "candidates": self.candidates(wildcards)}

    def ratings(self, wildcards: Wildcards) -> str:
        """Return the ratings of a dataset that its filter leaves; equal variants share them."""
        prepared = self.prepared(wildcards)
        steps = self.steps(wildcards.dataset, "before")
        return self.filtered(wildcards.dataset) + ".npz" if steps else prepared

    def prepared(self, wildcards: Wildcards) -> str:
        """Return all ratings of a dataset, before any filter; its variants share them."""
        return f"data/processed/{self.of(wildcards.dataset)}/ratings.npz"

    def protocol(self, dataset: str) -> Mapping[str, Any]:
        """Return how a dataset is split and filtered: `split` and `filter`."""
        return protocol_of({**self.config, "variants": self.variants}, dataset)

    def steps(self, dataset: str, when: str) -> list[Mapping[str, Any]]:
        """Return the steps of a dataset's filter before or after its split, in their order.

        Data that comes split, or as values of metrics, is taken as it is.
        """
        if self.entry(dataset)["kind"] in COMPLETE:
            return []
        return steps_of(self.protocol(dataset), when)

    def filtered(self, dataset: str) -> str:
        """Return the path, without its ending, of a filtered dataset."""
        key = self._filter_key(self.steps(dataset, "before"))
        return f"data/processed/{self.of(dataset)}/filtered/{key}"

    def filter_counts(self, wildcards: Wildcards) -> str | list[str]:
        """Return the table of counts that the filter before the split removed, if there is one."""
        dataset = wildcards.dataset
        return self.filtered(dataset) + ".csv" if self.steps(dataset, "before") else []

    def _filter_key(self, steps: list[Mapping[str, Any]]) -> str:
        """Return the name of a filter's result: a checksum of its steps and their seed."""
        seed = self.config["seed"] if any(step["kind"] in DRAWN for step in steps) else None
        return hashlib.sha256(json.dumps([steps, seed]).encode()).hexdigest()[:12]

    def counted(self, dataset: str) -> dict[str, float]:
        """Return the least relevant count of implicit feedback, as `relevant`, or nothing."""
        entry = self.catalogue.get(self.of(dataset), {"kind": "none"})
        binary = entry["kind"] in ("file", "qrels") and is_implicit(entry)
        return {"relevant": self.entry(dataset)["threshold"]} if binary else {}

    def threshold(self, dataset: str) -> float | None:
        """Return the least relevant rating of the test set, if that is one of lists."""
        return LIKED if self.counted(dataset) else self.entry(dataset).get("threshold")

    def checked(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the threshold that is checked at the split, and before models, and whose it is.

        It is no parameter of rules: a change would split and fit all again.
        """
        dataset = wildcards.dataset
        return {"dataset": self.of(dataset), "threshold": self.threshold(dataset)}

    def for_fetch(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return which files of a dataset are found or downloaded, and where to."""
        places = {"raw_dir": self.config["raw_dir"], "first_use": FIRST_USE}
        return {"dataset": wildcards.dataset, "source": self._source(wildcards.dataset)} | places

    def for_prepare(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how a dataset's ratings are read."""
        dataset = wildcards.dataset
        return {"dataset": dataset, "source": self._source(dataset), "seed": self.config["seed"]}

    def for_scores(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how values of metrics that others computed are read."""
        return {"source": self._source(wildcards.dataset)}

    def for_filter(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the steps before the split that a file of filtered ratings is named by.

        Any dataset can be filtered by any protocol: the file's name does not depend on it.
        """
        protocols = (self.config, *self.config["protocol_catalogue"].values())
        known = {self._filter_key(steps_of(each, "before")): each for each in protocols}
        if wildcards.filter not in known:
            raise RankassayError(
                f"data/processed/{wildcards.dataset}/filtered/{wildcards.filter}: expected the "
                "ratings of a filter of this configuration, found none that they are named by; "
                "ask for the results of a dataset or variant."
            )
        steps = steps_of(known[wildcards.filter], "before")
        return {"steps": steps, "seed": self.config["seed"]}

    def for_split(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how a dataset is split and then filtered.

        Splits that make no folds have the first one alone.
        """
        dataset = wildcards.dataset
        variant = self.variants.get(dataset, {})
        return {
            "split": self.protocol(dataset)["split"],
            "fold": variant.get("fold", 1),
            "seed": variant.get("split_seed", self.config["seed"]),
            "steps": self.steps(dataset, "after"),
            **self.counted(dataset),
        }

    def _source(self, dataset: str) -> dict[str, Any]:
        """Return the settings by which a dataset's ratings are read."""
        entry = self.entry(dataset)
        truth = entry.get("truth") or {}
        unread = {*self._independent_keys(dataset), "truth", "propensities", *ATTRIBUTES}
        read = {key: value for key, value in entry.items() if key not in unread}
        # A correction of how judgements are read must not have all recommenders trained again.
        if truth and truth["design"] != SEPARATE:
            drawn = ("known", "discovery", "design", "set_aside")
            read["truth"] = {key: truth[key] for key in drawn if key in truth}
        return read

    def _independent_keys(self, dataset: str) -> tuple[str, ...]:
        """Return the keys that reading a dataset does not depend on: mostly also the threshold."""
        drawn = (self.entry(dataset).get("truth") or {}).get("discovery") == "item-independent"
        return tuple(word for word in WORDS if not (drawn and word == "threshold"))

    def for_truth(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how judgements of random items are read."""
        unread = (*self._independent_keys(wildcards.dataset), *ATTRIBUTES, "propensities")
        return {"source": self._without(wildcards.dataset, *unread), "seed": self.config["seed"]}

    def for_propensities(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how known propensities are read."""
        return {"source": self._without(wildcards.dataset, *WORDS, *ATTRIBUTES, "truth")}

    def for_attributes(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how attributes are read."""
        entry = self.entry(wildcards.dataset)
        return {"source": {key: entry[key] for key in ATTRIBUTES if key in entry}}

    def _without(self, dataset: str, *unread: str) -> dict[str, Any]:
        return {key: value for key, value in self.entry(dataset).items() if key not in unread}

    def attributes_record(self, wildcards: Wildcards) -> str:
        """Return the record of the files that attributes are in; a dataset's variants share it."""
        return f"data/processed/{self.of(wildcards.dataset)}/source.json"

    def _described(self, part: str, dataset: str) -> Mapping[str, Any]:
        """Return how the truth or the propensities are read; raises RankassayError without any."""
        described = self.entry(dataset).get(part)
        if not described:
            raise RankassayError(
                f"dataset '{dataset}' is without {LACKED[part]}; ask for those of one that has "
                f"them, or give its entry {part}_path or files.{part}."
            )
        return described

    @ending
    def local_files(self, wildcards: Wildcards) -> list[str]:
        """Return the user's own files of a dataset that is read where it lies."""
        entry = self.entry(wildcards.dataset)
        if entry["kind"] == "scores":
            return [*score_files(entry).values()]
        keys = ("path", *(f"{part}_path" for part in BESIDE))
        return [entry[key] for key in keys if key in entry]

    def check_raw(self) -> None:
        """Raise RankassayError for raw files that were altered since the run's datasets were read.

        The job that reads them would say so, but need not run again. Checksums are made of files
        that are newer than their record, or of another size. The user's own files are looked at by
        `local_stamp`.
        """
        for dataset in dict.fromkeys(map(self.of, self.config["datasets"])):
            if "path" in self.config["dataset_catalogue"][dataset]:
                continue  # its files are the user's, and those of another path are of no concern
            own = {*self.local_files(SimpleNamespace(dataset=dataset))}
            with contextlib.suppress(OSError):  # jobs report missing files
                place = Path(f"data/processed/{dataset}/source.json")
                read = place.stat().st_mtime_ns
                for file in read_json(place).values():
                    known = Path(file["path"]).stat()
                    newer = known.st_mtime_ns > read or known.st_size != file.get("size")
                    if newer and file["path"] not in own:
                        check_fetched(file["path"], file["sha256"])

    @ending
    def local_stamp(self, wildcards: Wildcards) -> str:
        """Return a stamp of the user's files of a dataset that changes when they do."""
        return stamp(self.local_files(wildcards))

    def record(self, wildcards: Wildcards) -> str | list[str]:
        """Return the record of a dataset's files; synthetic data has none."""
        dataset = wildcards.dataset
        synthetic = self.entry(dataset)["kind"] == "synthetic"
        return [] if synthetic else f"data/processed/{dataset}/source.json"

    def prepare_code(self, wildcards: Wildcards) -> str:
        """Return the code of the job that reads a dataset, and of the reader of its format."""
        return self._code("prepare", self.entry(wildcards.dataset))

    @ending
    def truth_code(self, wildcards: Wildcards) -> str:
        """Return the same of the job that reads judgements of random items."""
        described = self._described("truth", wildcards.dataset)
        entry = self.entry(wildcards.dataset)
        return self._code("truth", described if described["design"] == SEPARATE else entry)

    @ending
    def propensities_code(self, wildcards: Wildcards) -> str:
        """Return the code of the job that reads known propensities."""
        self._described("propensities", wildcards.dataset)
        return self.code.of_job("propensities")

    def _code(self, job: str, described: Mapping[str, Any]) -> str:
        reader = [READERS[described["format"]]] if "format" in described else []
        return self.code.of_job(job, *reader)

    def estimate(self, dataset: str) -> str:
        """Return the source of the propensities of a dataset's ratings: known or estimated."""
        known = "known" if self.has_propensities(dataset) else "popularity"
        return self.config["metrics"]["propensities"]["estimate"] or known

    def known_propensities(self, wildcards: Wildcards) -> str | list[str]:
        """Return the propensities that a dataset brings, if they are to be taken."""
        dataset = wildcards.dataset
        known = self.estimate(dataset) == "known"
        return self.companion("propensities", dataset) if known else []

    def for_estimate(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how propensities are estimated."""
        estimate = self.estimate(wildcards.dataset)
        gamma = self.config["metrics"]["propensities"]["gamma"]
        return {"estimate": estimate} | ({"gamma": gamma} if estimate == "popularity" else {})

    def split_exports(self) -> list[str]:
        """Return the training ratings and judgements of all datasets, for other tools.

        Where a dataset has judgements of random items, these are among them.
        """
        return [
            f"results/{dataset}/trec/{file}"
            for dataset in filter(self.has_lists, self.config["datasets"])
            for file in ("train.csv", "qrels.txt", *["truth.txt"] * self.has_truth(dataset))
        ]

    def trec_outputs(self) -> list[str]:
        """Return the same, and the lists of all recommenders."""
        return self.split_exports() + [
            f"results/{dataset}/trec/{name}.run"
            for dataset in filter(self.has_lists, self.config["datasets"])
            for name in self.protocols.recommenders(dataset)
        ]
