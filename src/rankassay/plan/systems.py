"""Look-ups of the rules about the systems of a dataset: recommenders, and runs of others."""

import functools
from collections.abc import Iterable
from typing import Any

from rankassay.config import systems
from rankassay.config.systems import (
    can_train,
    counts_items,
    has_items,
    run_files,
)
from rankassay.data.entries import ATTRIBUTES
from rankassay.errors import RankassayError
from rankassay.plan.data import LACKED, Data
from rankassay.plan.protocols import STUDY, WHOLE
from rankassay.plan.rules import Wildcards, ending, stamp
from rankassay.studies import ANALYSES, STUDIES

# What a dataset with only values of metrics has, and what it lacks, in words.
OF_VALUES = ("scores", "means")
NO_LISTS = "ratings and lists of items"
UNTRAINED = "recommenders to train"


class Systems:
    """The systems of each dataset, and the inputs that its analyses may lack."""

    def __init__(self, data: Data, ends: systems.Ends) -> None:
        self.data, self.ends = data, ends
        self.config = data.config
        patterns = self.config["systems"]["runs"]
        self.runs = {
            name: run_files(patterns, name)
            for name in filter(data.has_lists, self.config["datasets"])
        }
        self.lacking = functools.cache(self._lacking)

    def of(self, dataset: str, whole: bool = False) -> dict[str, str]:
        """Return the labels of a dataset's systems by name; `whole` leaves out lists that end.

        Of values of metrics there are none: their systems are known to who reads them.
        """
        if not self.data.has_lists(dataset):
            return {}
        catalogue = self.config["recommender_catalogue"]
        names = self.data.protocols.recommenders(dataset)
        labels = {name: catalogue[name]["label"] for name in names}
        return labels if whole else labels | {name: name for name in self.runs.get(dataset, ())}

    @ending
    def run_file(self, wildcards: Wildcards) -> str:
        """Return the file of a run; raises RankassayError if there is none."""
        runs = self.runs.get(wildcards.dataset, {})
        if wildcards.run not in runs:
            raise RankassayError(f"there is no run '{wildcards.run}' of {wildcards.dataset}.")
        return runs[wildcards.run]

    @ending
    def run_stamp(self, wildcards: Wildcards) -> str:
        """Return a stamp of the file of a run that changes when it does."""
        return stamp([self.run_file(wildcards)])

    def for_import_run(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return how a run is read."""
        entry = self.data.entry(wildcards.dataset)
        choices = {name: self.config["systems"][name] for name in ("ties", "not_candidates")}
        choices["depth"] = self.config["depth"]
        if can_train(entry):
            choices["candidates"] = self.data.candidates(wildcards)
        elif "items" in entry:
            choices["n_items"] = entry["items"]
        return choices

    def rankings(self, wildcards: Wildcards, whole: bool = False) -> list[str]:
        """Return the rankings of all systems on a dataset."""
        maker = self.data.protocols.maker
        dataset = wildcards.dataset
        return [
            f"results/{maker(dataset, name)}/rankings/{name}.npz"
            for name in self.of(dataset, whole)
        ]

    def labelled(self, wildcards: Wildcards) -> dict[str, str]:
        """Return the rankings of all systems by label."""
        return dict(zip(self.of(wildcards.dataset).values(), self.rankings(wildcards), strict=True))

    def _lacking(self, name: str, dataset: str) -> str:
        """Return what an analysis needs and a dataset lacks; empty if nothing."""
        entry = self.data.entry(dataset)
        kind = entry["kind"]
        if kind == "scores":
            return self._lacking_values(name, dataset)
        if name == "split/propensities":
            name = "propensities" if self.data.estimate(dataset) == "known" else "train"
        if name in ANALYSES:
            return self._lacking_analysis(name, dataset)
        conditions = {
            "replicates": lambda: len(self.data.protocols.names(dataset)) > 1,
            "train": lambda: can_train(entry),
            "ratings": lambda: can_train(entry),
            # The items of synthetic data always have aspects.
            "aspects": lambda: kind == "synthetic" or {*entry} & {"aspects", "aspects_path"},
            "attributes": lambda: {*entry} & {*ATTRIBUTES},
            "truth": lambda: self.data.has_truth(dataset),
            "propensities": lambda: self.data.has_propensities(dataset),
            # Neither synthetic data can test any, nor judgements of unknown origin.
            "claims": lambda: kind not in ("synthetic", "qrels") or "claims_of" in entry,
        }
        return "" if name not in conditions or conditions[name]() else LACKED[name]

    def _lacking_analysis(self, name: str, dataset: str) -> str:
        """Name the same of an analysis on a dataset with lists."""
        analysis, entry = ANALYSES[name], self.data.entry(dataset)
        study, _, short = name.partition("/")
        section = self.config[study]
        known = short in section["analyses"]
        settings = STUDIES[study].settings_of(short, section) if known else {}
        if analysis.by_protocol and (reason := self.lacking("replicates", dataset)):
            return reason
        if self.untrained(name):
            return UNTRAINED
        if analysis.whole_rankings and len(self.of(dataset, whole=True)) < 2:
            return "systems that rank all items, which run files do not"
        if counts_items(settings.get("metrics") or []) and not has_items(entry):
            return "the number of items that could be listed"
        inputs: Iterable[str] = analysis.required
        if settings.get("count") == "test":  # popularity counts these, not training ratings
            inputs = [name for name in inputs if name != "train"]
        return next(filter(None, (self.lacking(name, dataset) for name in inputs)), "")

    def _lacking_values(self, name: str, dataset: str) -> str:
        """Name the same on a dataset with values of metrics alone."""
        if name in ANALYSES:
            if ANALYSES[name].of_cutoffs and not self.data.at_cutoffs(dataset):
                return "a metric at two cut-offs"
            inputs = ANALYSES[name].required
            return next(filter(None, (self.lacking(name, dataset) for name in inputs)), "")
        known = name in (*OF_VALUES, "claims") or name.startswith("published/")
        return "" if known else NO_LISTS

    def untrained(self, name: str) -> bool:
        """Return whether an analysis, or one that it reads, needs recommenders that are missing."""
        if self.config["recommenders"] or name not in ANALYSES:
            return False
        return ANALYSES[name].trains or any(map(self.untrained, ANALYSES[name].required))

    def shortened(self) -> str:
        """Return, in words, which runs end before the depth, and what that changes."""
        return systems.said_of_ends(self.config, self.ends)

    def _reasons(self, dataset: str, studies: Iterable[str]) -> dict[str, list[str]]:
        """Return the analyses that are left out where systems were not made here, by reason."""
        reasons: dict[str, list[str]] = {}
        if self.data.has_lists(dataset) and not self.runs[dataset]:
            return reasons
        for name, analysis in ANALYSES.items():
            study, _, short = name.partition("/")
            if study in studies and short in self.config[study]["analyses"] and not analysis.place:
                reasons.setdefault(self.lacking(name, dataset), []).append(name)
        reasons.pop("", None)
        return reasons

    def left_out_in_short(self) -> str:
        """Return a line on what is skipped on each dataset, where no study was named."""
        lines = []
        for dataset in self.config["datasets"]:
            reasons = self._reasons(dataset, self.config["studies"])
            reasons.pop(LACKED["claims"], None)  # not expected where no paper is about the data
            if counts := [f"{len(own)} without {why}" for why, own in reasons.items()]:
                lines.append(f"Analyses skipped on {dataset}: {', '.join(counts)}.")
            if names := self.data.protocols.without_ratings(dataset):
                lines.append(
                    f"Recommenders skipped on {dataset}, as they predict ratings and there are "
                    f"none: {', '.join(names)}."
                )
        if any(line.startswith("Analyses") for line in lines):
            lines.append(
                "docs/own-runs.md says how to give what is missing; name a study as the target, "
                "such as robustness, to see which they are."
            )
        return "\n".join(lines)

    def left_out(self, studies: Iterable[str] | None = None) -> str:
        """Return, in words, the analyses of some studies that are left out; of all without any."""
        studies = self.config["studies"] if studies is None else {*studies}
        found: dict[tuple[str, ...], list[str]] = {}
        for dataset in self.config["datasets"]:
            reasons = self._reasons(dataset, studies)
            said = (f"  without {why}: {', '.join(own)}" for why, own in reasons.items())
            found.setdefault(tuple(said), []).append(dataset)
        for dataset in self.config["datasets"]:
            without = self.data.protocols.left_out(dataset) if STUDY in studies else {}
            if self.runs.get(dataset, True):  # for the study as a whole, reported above
                without.pop(WHOLE, None)
            reasons_said = tuple(f"  {what}, {reason}" for what, reason in without.items())
            found.setdefault(reasons_said, []).append(dataset)
        for dataset in self.config["datasets"]:
            names = self.data.protocols.without_ratings(dataset)
            if names:
                said = f"  as it has no ratings, which they predict: {', '.join(names)}"
                found.setdefault((said,), []).append(dataset)
        lines = []
        names = [name for name in ANALYSES if ANALYSES[name].constructed and self.untrained(name)]
        if names := [name for name in names if name.partition("/")[0] in studies]:
            lines = [f"Left out without {UNTRAINED}: {', '.join(names)}"]
        for reasons_said, datasets in found.items():
            head = f"Left out on {', '.join(datasets)}, if asked for:"
            lines += [head, *reasons_said] if reasons_said else []
        return "\n".join(lines)
