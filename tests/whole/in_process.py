"""A run of the workflow within this process: the words of its jobs, one after the other.

The plan says what each job reads and gets, as the rules look it up; what Snakemake adds (the order,
the processes, what need not be made again) costs more than jobs on so few data.
"""

import copy
import functools
import itertools
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

from rankassay.cli.main import main
from rankassay.config import layers
from rankassay.plan import Plan
from rankassay.plan.analyses import of
from rankassay.plan.claims import TABLES
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
            self._job(f"means results/{dataset}/scores.npz --aggregate mean --output {path}")
        elif path == f"results/{dataset}/advice.json":
            self._advise(path, dataset)
        elif path in TABLES:
            self._collect()
        else:
            raise AssertionError(f"nothing makes {path}")

    def _job(self, *words):
        """Run a job by the words of its command."""
        words = shlex.split(" ".join(words))
        assert main(words) == 0, words

    def _analyse(self, name, dataset, path):
        wildcards, analyses = of(dataset, name), self.plan.analyses
        self.make(*analyses.inputs(wildcards).values())
        output = [path] + [path[:-3] + "npz"] * ANALYSES[name].replicated
        self._job(
            f"analyse {name} {analyses.arguments(wildcards)} --output {' '.join(output)}",
        )

    def _advise(self, path, dataset):
        wildcards, advice = SimpleNamespace(dataset=dataset), self.plan.advice
        inputs = advice.inputs(wildcards)
        self.make(*inputs.values())
        self._job(f"advise {inputs['test']} {advice.arguments(wildcards)} --output {path}")

    def _publish(self, path, kind, study, dataset, name):
        shown, own = self.plan.publications, {"dataset": dataset} if dataset else {}
        if kind == "figures":
            wildcards = SimpleNamespace(study=study, figure=name, **own)
            advice = self.plan.analyses.cutoffs.inputs(study)
            self.make(*shown.figure_tables(wildcards), *advice)
            job, words = "figure", shown.figure_arguments(wildcards)
        else:
            wildcards = SimpleNamespace(study=study, table=name)
            advice = self.plan.analyses.cutoffs.inputs(study)
            self.make(*shown.table_inputs(wildcards).values(), *advice)
            job, words = "table", shown.table_arguments(wildcards)
        self._job(f"{job} {study}/{name} {words} --output {path}")

    def _prepare(self, dataset):
        data, wildcards = self.plan.data, SimpleNamespace(dataset=dataset)
        place, source = f"data/processed/{dataset}", shlex.quote(data.source(wildcards))
        record = " ".join(data.record(wildcards))
        if record:  # synthetic data has none
            self._job(f"fetch {dataset} --source {source} --raw-dir raw --output {record}")
        self._job(
            f"prepare {dataset} {record} --source {source} {data.seed}",
            f"--ratings {place}/ratings.npz --statistics results/{dataset}/statistics.csv",
        )
        self.made |= {f"results/{dataset}/statistics.csv", f"{place}/ratings.npz"}

    def _split(self, dataset):
        data, wildcards = self.plan.data, SimpleNamespace(dataset=dataset)
        self.make(data.ratings(wildcards))
        place = f"results/{dataset}/split"
        self._job(
            f"split {data.ratings(wildcards)} {data.split_arguments(wildcards)}",
            f"--train {place}/train.npz --test {place}/test.npz",
            f"--summary {place}/summary.csv --leakage {place}/leakage.csv",
            f"--removed {place}/filter.csv",
        )

    def _attributes(self, path, dataset):
        data, wildcards = self.plan.data, SimpleNamespace(dataset=dataset)
        self.make(data.ratings(wildcards))
        self._job(
            f"attributes {data.ratings(wildcards)} {data.attributes_record(wildcards)}",
            f"--source {shlex.quote(data.attributes_source(wildcards))} --output {path}",
        )

    def _recommend(self, path, dataset, name):
        wildcards = SimpleNamespace(dataset=dataset, recommender=name)
        place, words = (
            f"results/{dataset}/split",
            self.plan.recommenders.recommend_arguments(wildcards),
        )
        self.make(f"{place}/train.npz")
        self._job(f"recommend {place}/train.npz {place}/test.npz {words} --output {path}")

    def _score(self, path, dataset):
        wildcards, plan = SimpleNamespace(dataset=dataset), self.plan
        self.make(f"results/{dataset}/split/test.npz", *plan.systems.rankings(wildcards))
        words = plan.analyses.score_arguments(wildcards)
        self._job(f"score results/{dataset}/split/test.npz {words} --output {path}")

    def _collect(self):
        analyses = self.plan.analyses
        self.make(*analyses.verdicts())
        self._job(
            f"collect-claims {analyses.collect_arguments()}",
            f"--output {TABLES[0]} --totals {TABLES[1]} --sentences {TABLES[2]}",
        )
