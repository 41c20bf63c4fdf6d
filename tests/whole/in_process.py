"""A run of the workflow within this process: its jobs, one after the other.

The plan says what each job reads and gets, as the rules look it up; what Snakemake adds (the order,
the processes, what need not be made again) costs more than jobs on so few data.
"""

import copy
import functools
import itertools
import json
import re
from pathlib import Path
from types import SimpleNamespace

from rankassay.cli.job import do
from rankassay.config import layers
from rankassay.plan import Plan
from rankassay.plan.analyses import of
from rankassay.plan.published import TABLES
from rankassay.studies import ANALYSES

ROOT = Path(__file__).parents[2]
PUBLICATION = re.compile(r"(figures|results/tables)/([^/]+)/(?:([^/]+)/)?([^/]+)\.\w+")
RANKING = re.compile(r"results/([^/]+)/rankings/([^/]+)\.npz")


def configured(*changes):
    """Return the shipped configuration with some changes, of which the last goes before others."""
    own = functools.reduce(layers.over, changes, {})
    return copy.deepcopy(layers.whole(layers.shipped(ROOT), own))


class Run:
    """A run in the current folder, by a configuration."""

    def __init__(self, config):
        self.plan = Plan(config, ROOT)
        self.made = set()
        self.analyses = {
            self.plan.analyses.table(name, dataset): (name, dataset)
            for name, entry in ANALYSES.items()
            for dataset in ([entry.place] if entry.place else self.plan.config["datasets"])
        }

    def make(self, *paths):
        """Make files that are not there, and what they are made from."""
        for path in itertools.chain.from_iterable([p] if isinstance(p, str) else p for p in paths):
            path = re.sub(r"\.(svg|png)$", ".pdf", re.sub(r"\.(md|tex)$", ".csv", path))
            if path not in self.made and not Path(path).exists():
                self.made.add(path)
                self._make(path)

    def _make(self, path):
        dataset = path.split("/")[1]
        if path in self.analyses:
            self._analyse(*self.analyses[path], path)
        elif path.removesuffix("npz") + "csv" in self.analyses:
            self.make(path.removesuffix("npz") + "csv")
        elif found := PUBLICATION.fullmatch(path):
            self._publish(path, *found.groups())
        elif found := RANKING.fullmatch(path):
            self._recommend(path, *found.groups())
        elif path.startswith("data/processed/") or path == f"results/{dataset}/statistics.csv":
            self._prepare(path.split("/")[2 if path.startswith("data") else 1])
        elif path == f"results/{dataset}/split/attributes.npz":
            self._attributes(path, dataset)
        elif path.startswith(f"results/{dataset}/split/"):
            self._split(dataset)
        elif path == f"results/{dataset}/scores.npz":
            self._score(path, dataset)
        elif path == f"results/{dataset}/means.csv":
            self.make(f"results/{dataset}/scores.npz")
            scores = f"results/{dataset}/scores.npz"
            self._job("means", {"aggregate": "mean"}, scores=scores, output=path)
        elif path == f"results/{dataset}/advice.json":
            self._advise(path, dataset)
        elif path in TABLES:
            self._collect()
        else:
            raise AssertionError(f"nothing makes {path}")

    def _job(self, name, given, **files):
        """Do a job as the plan describes it, with the files of its rule."""
        do(name, json.loads(json.dumps(files | given)))

    def _analyse(self, name, dataset, path):
        wildcards, analyses = of(dataset, name), self.plan.analyses
        self.make(*analyses.inputs(wildcards).values())
        output = [path] + [path[:-3] + "npz"] * ANALYSES[name].replicated
        self._job("analyse", analyses.for_analyse(wildcards), output=output)

    def _advise(self, path, dataset):
        wildcards, advice = SimpleNamespace(dataset=dataset), self.plan.advice
        inputs = advice.inputs(wildcards)
        self.make(*inputs.values())
        self._job("advise", advice.for_advise(wildcards), **inputs, output=path)

    def _publish(self, path, kind, study, dataset, name):
        shown, own = self.plan.publications, {"dataset": dataset} if dataset else {}
        if kind == "figures":
            wildcards = SimpleNamespace(study=study, figure=name, path=path, **own)
            advice = self.plan.data.advising(study)
            self.make(*shown.figure_tables(wildcards), *advice)
            self._job("figure", shown.for_figure(wildcards))
        else:
            wildcards = SimpleNamespace(study=study, table=name, path=path)
            advice = self.plan.data.advising(study)
            self.make(*shown.table_inputs(wildcards).values(), *advice)
            self._job("table", shown.for_table(wildcards))

    def _prepare(self, dataset):
        data, wildcards = self.plan.data, SimpleNamespace(dataset=dataset)
        files = {
            "ratings": f"data/processed/{dataset}/ratings.npz",
            "statistics": f"results/{dataset}/statistics.csv",
        }
        self.made |= {*files.values()}
        if record := data.record(wildcards):  # synthetic data has none
            given = data.for_fetch(wildcards) | {"raw_dir": "raw", "first_use": None}
            self._job("fetch", given, output=record)
            files["record"] = record
        self._job("prepare", data.for_prepare(wildcards), **files)

    def _split(self, dataset):
        data, wildcards = self.plan.data, SimpleNamespace(dataset=dataset)
        self.make(data.ratings(wildcards))
        place = f"results/{dataset}/split"
        files = {name: f"{place}/{name}.npz" for name in ("train", "test")}
        files |= {name: f"{place}/{name}.csv" for name in ("summary", "leakage")}
        files |= {"removed": f"{place}/filter.csv", "counts": data.filter_counts(wildcards)}
        self._job("split", data.for_split(wildcards), ratings=data.ratings(wildcards), **files)

    def _attributes(self, path, dataset):
        data, wildcards = self.plan.data, SimpleNamespace(dataset=dataset)
        self.make(data.ratings(wildcards))
        files = {"ratings": data.ratings(wildcards), "record": data.attributes_record(wildcards)}
        self._job("attributes", data.for_attributes(wildcards), **files, output=path)

    def _recommend(self, path, dataset, name):
        wildcards = SimpleNamespace(dataset=dataset, recommender=name)
        files = {part: f"results/{dataset}/split/{part}.npz" for part in ("train", "test")}
        self.make(files["train"])
        self._job(
            "recommend", self.plan.recommenders.for_recommend(wildcards), **files, output=path
        )

    def _score(self, path, dataset):
        wildcards, plan = SimpleNamespace(dataset=dataset), self.plan
        test = f"results/{dataset}/split/test.npz"
        self.make(test, *plan.systems.rankings(wildcards))
        propensities = plan.analyses.propensities(wildcards) or None
        given = plan.analyses.for_score(wildcards)
        self._job("score", given, test=test, propensities=propensities, output=path)

    def _collect(self):
        publications = self.plan.publications
        self.make(*publications.verdicts())
        files = dict(zip(("output", "totals", "sentences"), TABLES, strict=True))
        self._job("collect_claims", publications.for_collect_claims(SimpleNamespace()), **files)
