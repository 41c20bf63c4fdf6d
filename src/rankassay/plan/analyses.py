"""Look-ups of the rules about analyses: their inputs, code and settings."""

import itertools
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rankassay.config.titles import PLACES
from rankassay.data.entries import ATTRIBUTES, is_implicit
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import bare, metric, weighs
from rankassay.plan.published import Claims, Fidelity
from rankassay.plan.recommenders import Recommenders
from rankassay.plan.rules import Wildcards, ending
from rankassay.plan.systems import Systems
from rankassay.recommenders.catalogue import recommender
from rankassay.studies import ANALYSES, STUDIES, needs
from rankassay.studies.entries import JUDGED

# The files of a dataset that are no tables.
ARRAYS = {
    "train": "results/{dataset}/split/train.npz",
    "test": "results/{dataset}/split/test.npz",
    "attributes": "results/{dataset}/split/attributes.npz",
    "split/propensities": "results/{dataset}/split/propensities.npz",
    "scores": "results/{dataset}/scores.npz",
}
PROPENSITIES = ARRAYS["split/propensities"]
# The tables about a dataset's files, which its variants share.
OF_DATA = ("statistics", "truth")
# The analyses with replicates for resampled users.
REPLICATED = tuple(name for name, entry in ANALYSES.items() if entry.replicated)


class Analyses:
    """The analyses of a configuration.

    The wildcards of the methods are dataset and name, as in robustness/sparsity.
    """

    def __init__(
        self,
        systems: Systems,
        recommenders: Recommenders,
        fidelity: Fidelity,
        claims: Claims,
    ) -> None:
        self.systems = systems
        self.recommenders = recommenders
        self.fidelity = fidelity
        self.claims = claims
        self.data = systems.data
        self.config = systems.config
        self.score_code = self.data.code.of_job("score", *self.metrics())

    def datasets(self, name: str) -> list[str]:
        """Return the datasets for which an analysis is run."""
        place = ANALYSES[name].place if name in ANALYSES else ""
        if place == "across":
            behind = self.behind(name)
            wanted = self._settings(name).get("datasets", []) if self.configured(name) else []
            read = (needed for needed in ANALYSES[name].required if _is_across(needed))
            made = len(behind) > 1 and {*wanted} <= {*behind} and all(map(self.datasets, read))
            return [place] if made else []
        if place:
            return [place]
        datasets = [*self.config["datasets"], *self.accompanying(name)]
        found = [dataset for dataset in datasets if not self.systems.lacking(name, dataset)]
        return list(dict.fromkeys(map(self.data.of, found))) if name in OF_DATA else found

    def accompanying(self, name: str) -> list[str]:
        """Return the variants on which claims are judged in addition to a dataset of the run.

        Lists that others made are of the dataset alone: with them there are none.
        """
        if name not in ANALYSES or not ANALYSES[name].judges or self.config["systems"]["runs"]:
            return []
        study, chosen = name.partition("/")[0], self.config["datasets"]
        return [
            variant
            for variant, own in self.config["variants"].items()
            if study in own.get("claims", ()) and own["of"] in chosen and variant not in chosen
            if self.recommenders.all_of(variant) != self.recommenders.all_of(own["of"])
        ]

    def behind(self, name: str) -> list[str]:
        """Return the datasets whose results an analysis reads.

        Of a dataset and its variants an analysis of all datasets reads the first: they are no
        datasets more.
        """
        if name not in ANALYSES or not ANALYSES[name].across:
            return self.datasets(name)
        read = filter(self._by_dataset, ANALYSES[name].required)
        having = [{*self.datasets(needed)} for needed in read]
        first: dict[str, str] = {}
        for dataset in self.config["datasets"]:
            if all(dataset in datasets for datasets in having):
                first.setdefault(self.data.of(dataset), dataset)
        return [*first.values()]

    @staticmethod
    def _by_dataset(artifact: str) -> bool:
        """Whether there is an artifact for each dataset."""
        of_none = artifact.startswith("published/") or _is_across(artifact)
        return not of_none and artifact != "claims"

    def configured(self, name: str) -> bool:
        """Whether an analysis and all analyses that it reads are configured.

        For one that judges claims, some suffice: claims about the others are not asked.
        """
        if name not in ANALYSES:
            return True
        if not self._chosen(name) or self.systems.untrained(name):
            return False
        entry = ANALYSES[name]
        read = [self.configured(needed) for needed in entry.required if needed in ANALYSES]
        return any(read) if entry.judges and read else all(read)

    def _chosen(self, name: str) -> bool:
        """Whether the configuration does not leave an analysis out."""
        study, _, analysis = name.partition("/")
        return analysis in self.config[study]["analyses"]

    def why_left_out(self, names: Iterable[str]) -> str | None:
        """Return why the configuration leaves analyses, or one that they need, out; None if not."""
        resting = (needed for name in names for needed in (name, *sorted(needs(name))))
        out = (name for name in resting if name in ANALYSES and not self._chosen(name))
        return next(map(_leaves_out, out), None)

    def left_out(self) -> str:
        """Return, in words, what depends on analyses that the configuration leaves out."""
        resting = [
            name
            for name in ANALYSES
            if name.partition("/")[0] in self.config["studies"]
            and self._chosen(name)
            and not self.configured(name)
            and self.datasets(name)  # others are reported as lacking something on datasets
        ]
        lines = []
        for name in itertools.filterfalse(self._chosen, ANALYSES):
            if taken := [other for other in resting if name in needs(other)]:
                lines.append(
                    f"Left out, as the configuration leaves out {name} (null): {', '.join(taken)}"
                )
        return "\n".join(lines)

    def table(self, name: str, dataset: str) -> str:
        """Return the result of an analysis, or of another job, that belongs to a dataset."""
        if name in ANALYSES and ANALYSES[name].place:
            dataset = ANALYSES[name].place
        elif name in OF_DATA:
            dataset = self.data.of(dataset)
        return f"results/{dataset}/{name}.csv"

    @ending
    def inputs(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the artifacts that an analysis reads, by name.

        Raises
        ------
        RankassayError
            If the dataset has not all that it needs.
        """
        name, dataset = wildcards.name, wildcards.dataset
        if self.systems.untrained(name):
            raise RankassayError(f"{name}: there is no recommender to train; name some.")
        if dataset not in PLACES and (reason := self.systems.lacking(name, dataset)):
            raise RankassayError(f"{name}: dataset '{dataset}' is without {reason}.")
        if dataset == "across" and not self.datasets(name):
            wanted = self._settings(name).get("datasets")
            needed = f"the datasets {', '.join(wanted)}" if wanted else "two datasets or more"
            raise RankassayError(
                f"{name}: expected {needed} with what it compares, in addition to variants of "
                f"them; found {self.behind(name)}."
            )
        entry, paths = ANALYSES[name], {}
        if self._weighs(name):
            paths["test_propensities"] = PROPENSITIES.format(dataset=dataset)
        for key, artifact in entry.inputs.items():
            if key in entry.optional and not self._possible(artifact, dataset, name):
                continue
            if entry.judges and not self.configured(artifact):
                continue  # claims about it are then not asked
            if entry.across and self._by_dataset(artifact):
                paths[key] = [self.table(artifact, own) for own in self._having(artifact, name)]
                continue
            if entry.by_protocol and artifact in ANALYSES:
                judged = self.data.protocols.judged(dataset).values()
                paths[key] = [self.table(artifact, own) for own in judged]
                continue
            if artifact == "replicates":
                of = self.data.protocols.of(dataset)
                paths[key] = [path for own in of for path in self._of_replicate(own.name).values()]
                continue
            paths[key] = self._artifact(artifact, name, wildcards)
            if entry.compares and artifact in REPLICATED:
                paths[f"{key}_replicates"] = str(Path(paths[key]).with_suffix(".npz"))
        if "claims" in paths and dataset not in PLACES:
            paths["cutoff"] = self.data.advising(name.partition("/")[0])
        return paths

    def _of_replicate(self, name: str) -> dict[str, str]:
        """Return the files of a replicate that analyses of protocols read."""
        own = SimpleNamespace(dataset=name)
        place = f"results/{name}"
        files = {"scores": f"{place}/scores.npz", "ratings": self.data.ratings(own)}
        files |= {key: f"{place}/split/{key}.csv" for key in ("summary", "leakage")}
        return files | {"removed": f"{place}/split/filter.csv"}

    def _replicates(self, dataset: str) -> list[dict[str, Any]]:
        """Return the replicates on a dataset, with their files."""
        found = []
        for own in self.data.protocols.of(dataset):
            protocol = self.data.protocols.described(own.protocol)
            named = {key: getattr(own, key) for key in ("protocol", "kind", "number")}
            described = {key: json.dumps(protocol[key]) for key in ("split", "filter")}
            found.append(named | described | {"files": self._of_replicate(own.name)})
        return found

    def _having(self, artifact: str, name: str) -> list[str]:
        """Return the datasets behind an analysis that have an artifact.

        Of verdicts on claims these are variants, too: they say what other settings make of them.
        """
        having, behind = self.datasets(artifact), self.behind(name)
        if artifact in ANALYSES and ANALYSES[artifact].judges:
            data = {*map(self.data.of, behind)}
            return [dataset for dataset in having if self.data.of(dataset) in data]
        return [dataset for dataset in behind if dataset in having]

    def _runs(self) -> dict[str, dict[str, Any]]:
        """Return what the datasets of the run and their variants are, by name.

        Keys of each: title, that of the data; of, the dataset whose data it is; source, where its
        ratings come from; label, settings and split, as `rankassay.claims.verdicts.over_splits` has
        them; and implicit, whether it has no ratings.
        """
        variants = self.claims.variants()
        found = {}
        for name in dict.fromkeys([*self.config["datasets"], *variants]):
            of, entry = self.data.of(name), self.data.entry(name)
            found[name] = {"title": (title := self.data.title(of)), "of": of}
            found[name]["source"] = entry.get("source", title)
            found[name] |= {"label": "", "settings": name, "split": False} | variants.get(name, {})
            found[name]["implicit"] = is_implicit(entry)
        return found

    def _weighs(self, name: str) -> bool:
        """Whether an analysis evaluates lists by a metric that needs propensities."""
        entry, metrics = ANALYSES[name], self._settings(name).get("metrics") or []
        if {"measures", "metrics"} & {*entry.evaluation}:
            metrics = [*metrics, *self.config["metrics"]["names"]]
        return "rankings" in entry.inputs.values() and any(map(weighs, metrics))

    def _grouped(self, name: str, dataset: str) -> bool:
        """Whether an analysis makes groups by an attribute that a dataset has.

        Others must not fail with a file of attributes that they do not read.
        """
        entry, settings = self.data.entry(dataset), self._settings(name)
        groups = ((settings.get(part.replace("attributes", "groups")), part) for part in ATTRIBUTES)
        return any(own in entry.get(part, {}).get("attributes", ()) for own, part in groups)

    def _possible(self, artifact: str, dataset: str, name: str) -> bool:
        """Whether an artifact, which an analysis can do without, is made for a dataset."""
        if artifact == "fidelity":
            return self.fidelity.possible(dataset)
        if artifact == "attributes" and not self._grouped(name, dataset):
            return False
        made = artifact not in ANALYSES or artifact.partition("/")[0] in self.config["studies"]
        if dataset == "across":
            there = bool(self._having(artifact, name))
        else:
            there = not self.systems.lacking(artifact, dataset)
        return made and self.configured(artifact) and there

    def _artifact(self, artifact: str, name: str, wildcards: Wildcards) -> Any:
        """Return the file of an input of an analysis; of rankings, those of all systems."""
        study, dataset = name.partition("/")[0], wildcards.dataset
        if artifact == "rankings":
            return self.systems.rankings(wildcards, ANALYSES[name].whole_rankings)
        if artifact in ("ratings", "aspects"):
            return self.data.ratings(wildcards)
        if artifact in ("truth", "propensities"):
            return self.data.companion(artifact, dataset)
        if artifact == "claims":
            return self.claims.path(study)
        if artifact in ARRAYS:
            return ARRAYS[artifact].format(dataset=dataset)
        if artifact.startswith("published/"):
            folder = self.data.code.package / f"studies/{study}"
            return str(folder / f"{artifact}.csv")
        return self.table(artifact, dataset)

    def propensities(self, wildcards: Wildcards) -> str | list[str]:
        """Return the propensities of the test ratings, if a configured metric needs them."""
        needed = any(map(weighs, self.config["metrics"]["names"]))
        return PROPENSITIES.format(dataset=wildcards.dataset) if needed else []

    def for_score(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the systems' rankings, and how which measures are computed."""
        evaluation = self.judged(wildcards.dataset, "measures")
        return {"rankings": self.systems.labelled(wildcards), "evaluation": evaluation}

    def for_analyse(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return all arguments of an analysis, but for its output."""
        return self.reading(wildcards, self.inputs(wildcards))

    def reading(self, wildcards: Wildcards, paths: Mapping[str, Any]) -> dict[str, Any]:
        """Return the same of an analysis that reads some artifacts."""
        name, dataset = wildcards.name, wildcards.dataset
        entry = ANALYSES[name]
        given = {
            "name": name,
            "dataset": dataset,
            "inputs": self._named_inputs(name, dataset, paths),
            "evaluation": self.evaluation(wildcards),
            "settings": self.settings(wildcards),
            "seed": self.config["seed"],
        }
        if "rankings" in paths:
            labels = self.systems.of(dataset, entry.whole_rankings).values()
            given["rankings"] = dict(zip(labels, paths["rankings"], strict=True))
        if "replicates" in entry.inputs.values():
            given["replicates"] = self._replicates(dataset)
        if "claims" in paths and dataset not in PLACES:
            given["claims"] = self.claims.whose(dataset) | {
                "calibrated": self.recommenders.calibrated(dataset),
                "cutoff": self.data.cutoff(name.partition("/")[0]),
            }
        if entry.runs:
            given["runs"] = self._runs()
        return given

    def _named_inputs(self, name: str, dataset: str, paths: Mapping[str, Any]) -> dict[str, Any]:
        """Return the files that an analysis reads; several are by dataset, or by protocol."""
        entry = ANALYSES[name]
        apart = {key for key, kind in entry.inputs.items() if kind == "replicates"}
        found: dict[str, Any] = {}
        for key, path in paths.items():
            if key in apart | {"rankings", "cutoff"}:
                continue
            if isinstance(path, list):
                by_protocol = self.data.protocols.judged(dataset) if entry.by_protocol else ()
                owners = by_protocol or self._having(entry.inputs[key], name)
                path = dict(zip(owners, path, strict=True))
            found[key] = path
        return found

    @ending
    def code(self, wildcards: Wildcards) -> str:
        """Return the code of an analysis; metrics count for those that evaluate."""
        name = wildcards.name
        entry = ANALYSES[name]
        settings = self._settings(name)
        evaluates = "rankings" in entry.inputs.values() or "metrics" in settings
        evaluates = evaluates or "measures" in entry.evaluation
        needed = self.metrics(settings.get("metrics")) if evaluates else []
        if "recommenders" in entry.evaluation:
            needed += self.recommenders.targets()
        needed += [recommender(own["method"]) for own in settings.get("recommenders", ())]
        needed += [entry.function, *filter(None, [entry.valuation])]
        study = name.partition("/")[0]
        claims = [Path(self.claims.path(study))] if "claims" in entry.inputs else []
        return self.data.code.of_job("analyse", *needed, files=claims)

    @ending
    def settings(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the settings of an analysis, and those that it borrows."""
        borrowed = {
            parameter: self._settings(other) if self._chosen(other) else None
            for parameter, other in ANALYSES[wildcards.name].borrows.items()
        }
        return self._settings(wildcards.name) | borrowed

    def evaluation(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the settings of metrics that an analysis reads."""
        return self._evaluation(ANALYSES[wildcards.name].evaluation, wildcards.dataset)

    def judged(self, dataset: str, *more: str) -> dict[str, Any]:
        """Return the settings of metrics that users' values depend on, and some more by name."""
        return self._evaluation((*JUDGED, *more), dataset)

    def _settings(self, name: str) -> dict[str, Any]:
        """Return the settings of an analysis; an error if it is left out."""
        study, _, short = name.partition("/")
        if not self._chosen(name):
            raise RankassayError(_leaves_out(name))
        return STUDIES[study].settings_of(short, self.config[study])

    def _evaluation(self, keys: Iterable[str], dataset: str) -> dict[str, Any]:
        metrics = self.config["metrics"]
        known = {key: metrics[key] for key in ("profile", "without_relevant", "aggregate")}
        known["metrics"] = self.data.metrics(dataset)
        known["measures"] = self.data.measures(dataset)
        if "cutoffs" in keys:
            known["cutoffs"] = self.data.cutoffs(dataset)
        if "recommenders" in keys:
            known["recommenders"] = self.recommenders.all_of(dataset)
        if "families" in keys:
            known["families"] = self.recommenders.families(dataset)
        if dataset not in PLACES:
            known["threshold"] = self.data.threshold(dataset)
        return {key: known[key] for key in keys}

    def metrics(self, names: Any = ()) -> list[str]:
        """Return "module:function" of the named metrics, or else of the configured ones."""
        metrics = {bare(name) for name in names or self.config["metrics"]["names"]}
        return sorted(map(metric, metrics))


def _leaves_out(name: str) -> str:
    """Return the message where the configuration leaves an analysis out."""
    study, _, short = name.partition("/")
    reading = [other for other in ANALYSES if name in ANALYSES[other].inputs.values()]
    needed = f", which {', '.join(reading)} read" if reading else ""
    return (
        f"{name}: the configuration leaves this analysis out (null){needed}; give "
        f"{study}.analyses.{short} settings, such as {{}}, or ask for results that do not depend "
        "on it."
    )


def _is_across(artifact: str) -> bool:
    """Whether an artifact is the result of an analysis of all datasets at once."""
    return artifact in ANALYSES and ANALYSES[artifact].across


def outputs(name: str) -> list[str]:
    """Return the patterns of the files of an analysis: its table, and its replicates if any.

    >>> outputs("robustness/p-values")
    ['results/{dataset}/robustness/p-values.csv']
    """
    kinds = ("csv", "npz") if name in REPLICATED else ("csv",)
    return [f"results/{{dataset}}/{name}.{kind}" for kind in kinds]


def of(dataset: str, name: str) -> SimpleNamespace:
    """Return the wildcards of an analysis."""
    return SimpleNamespace(dataset=dataset, name=name)
