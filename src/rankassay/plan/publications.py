"""Look-ups of the rules about what is shown: advice on each dataset, figures and tables."""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rankassay.artifacts.files import write_lines
from rankassay.lookup import find, unknown
from rankassay.plan.analyses import PROPENSITIES, Analyses
from rankassay.plan.rules import Wildcards, ending
from rankassay.studies import ANALYSES, FIGURES, STUDIES, TABLES, needs, of_study

PICTURES = ("pdf", "svg", "png")
TEXTS = ("csv", "md", "tex")
# Where the propensities of a dataset come from that advice takes; by popularity it has its own.
TAKEN = ("known", "fitted")
# Metrics that advice is about in addition to the configured ones.
USUAL = ("nDCG", "IPS", "P", "CP")


class Advice:
    """The advice on the datasets of a configuration; values of metrics alone get none."""

    def __init__(self, analyses: Analyses) -> None:
        self.analyses = analyses
        self.systems = analyses.systems
        self.data = analyses.data
        self.config = analyses.config
        self.paths = self.data.advice

    def inputs(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the artifacts that advice rests on, by name."""
        dataset = wildcards.dataset
        paths: dict[str, Any] = {"test": f"results/{dataset}/split/test.npz"}
        return (
            paths | {"rankings": self.systems.rankings(wildcards)} | self._optional_inputs(dataset)
        )

    def _optional_inputs(self, dataset: str) -> dict[str, str]:
        """Return those that some datasets lack."""
        paths = {}
        if not self.systems.lacking("train", dataset):
            paths["train"] = f"results/{dataset}/split/train.npz"
        if self._weights(dataset) == "given":
            paths["propensities"] = PROPENSITIES.format(dataset=dataset)
        if not self.systems.lacking("truth", dataset):
            paths["truth"] = self.data.companion("truth", dataset)
        return paths

    def for_advise(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the systems' rankings, and how advice is made; reference systems rank the same."""
        dataset = wildcards.dataset
        return {
            "rankings": self.systems.labelled(wildcards),
            "candidates": self.data.candidates(wildcards),
            "evaluation": self.analyses.judged(dataset, "metrics", "cutoffs"),
            "about": self.about(dataset),
            "seed": self.config["seed"],
        }

    def _weights(self, dataset: str) -> str:
        """Return where propensities come from, as in `rankassay.advice.given.Given.weights`."""
        if not self.systems.lacking("split/propensities", dataset):
            return "given" if self.data.estimate(dataset) in TAKEN else "popularity"
        return "none"

    def of_study(self, study: str) -> list[str]:
        """Return the advice on all datasets, of the study that it is made with."""
        return [*self.paths.values()] if STUDIES[study].advice else []

    def about(self, dataset: str) -> dict[str, Any]:
        """Return the description of the data for texts; its title is of who shows them."""
        entry, runs = self.data.entry(dataset), [*self.systems.runs.get(dataset, ())]
        return ({"runs": runs} if runs else {}) | {
            "dataset": self.data.of(dataset),
            "synthetic": entry["kind"] == "synthetic",
            "scale": entry.get("scale"),
            "threshold_reason": entry.get("default_for"),
        }

    @ending
    def code(self, wildcards: Wildcards) -> str:
        """Return the code of the job and of its metrics, and the simulations that ship."""
        reference = self.data.code.package / "advice/reference"
        metrics = self.analyses.metrics([*self.config["metrics"]["names"], *USUAL])
        return self.data.code.of_job("advise", *metrics, files=sorted(reference.glob("*.csv")))


class Publications:
    """The figures and tables of a configuration."""

    def __init__(self, analyses: Analyses, advice: Advice) -> None:
        self.analyses = analyses
        self.advice = advice
        self.data = analyses.data
        self.config = analyses.config

    def of_study(self, study: str) -> list[str]:
        """Return the figures and tables of a study, as far as its configured analyses allow."""
        return [*self.shown(study), *self._means(study), *self.advice.of_study(study)]

    def shown(self, study: str) -> list[str]:
        """Return the files of the figures and tables of a study."""
        figures: list[str] = []
        for name, figure in of_study(FIGURES, study).items():
            analysis = f"{study}/{figure.analysis}"
            datasets = self._shown(analysis)
            if datasets and figure.panels != "dataset":
                figures.append(f"{study}/{name}")
            if figure.panels in ("metrics", "dataset"):
                figures += [f"{study}/{dataset}/{name}" for dataset in datasets]
        tables = [
            f"{study}/{name}"
            for name, table in of_study(TABLES, study).items()
            if all(map(self._shown, table.required))
            and any(map(self._shown, table.inputs.values()))
        ]
        return [
            *(f"figures/{stem}.{kind}" for stem in figures for kind in PICTURES),
            *(f"results/tables/{stem}.{kind}" for stem in tables for kind in TEXTS),
        ]

    def _means(self, study: str) -> list[str]:
        """Return the means of all systems, for a study that reads the users' values of them."""
        read = any(
            "scores" in entry.inputs.values() and self.analyses.configured(f"{study}/{name}")
            for name, entry in of_study(ANALYSES, study).items()
        )
        return [f"results/{name}/means.csv" for name in self.config["datasets"] if read]

    def _shown(self, analysis: str) -> list[str]:
        """Return the datasets of an analysis, or none if it is not configured.

        Nor are there any for verdicts on claims that are not about the data, or what reads them.
        """
        inputs = ANALYSES[analysis].inputs.values() if analysis in ANALYSES else ()
        claims = self.analyses.claims
        if "claims" in inputs and analysis.partition("/")[0] not in claims.shown:
            return []
        read = (name.partition("/") for name in needs(analysis))
        if not all(claims.are_about_data(study) for study, _, name in read if name == "claims"):
            return []
        return self.analyses.datasets(analysis) if self.analyses.configured(analysis) else []

    def datasets_of(self, study: str, figure: str) -> list[str]:
        """Return the datasets that a figure shows which is not of one dataset."""
        entry = FIGURES[f"{study}/{figure}"]
        datasets = self.analyses.datasets(f"{study}/{entry.analysis}")
        if entry.panels != "metrics":
            return datasets
        featured = self.config[study]["featured"]["dataset"]
        return [featured if featured in datasets else datasets[0]]

    def datasets(self, wildcards: Wildcards) -> list[str]:
        """Return the datasets that a figure shows."""
        own = getattr(wildcards, "dataset", None)
        return [own] if own else self.datasets_of(wildcards.study, wildcards.figure)

    def panels(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return the subjects of the panels of a figure."""
        section = self.config[wildcards.study]
        figure = FIGURES[f"{wildcards.study}/{wildcards.figure}"]
        metrics: Iterable[str] = ()
        if figure.panels == "metrics":
            [dataset] = self.datasets(wildcards)
            of_cutoffs = ANALYSES[f"{wildcards.study}/{figure.analysis}"].of_cutoffs
            metrics = self.data.metrics(dataset)
            if of_cutoffs and not self.data.has_lists(dataset):
                metrics = self.data.at_cutoffs(dataset)
            if not getattr(wildcards, "dataset", None):
                featured = section["featured"]["metric"]
                metrics = [featured if featured in metrics else metrics[0]]
        titles = {dataset: self.data.title(dataset) for dataset in self.datasets(wildcards)}
        return figure.shown(titles, None, [*metrics])  # its cut-off is told once

    @ending
    def figure_tables(self, wildcards: Wildcards) -> list[str]:
        """Return the results that a figure shows, one for each of its datasets."""
        figure = find("figure", f"{wildcards.study}/{wildcards.figure}", FIGURES)
        name = f"{wildcards.study}/{figure.analysis}"
        return [self.analyses.table(name, dataset) for dataset in self.datasets(wildcards)]

    @ending
    def table_inputs(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the results that a table is made from, those of all datasets, by name."""
        return {
            key: [self.analyses.table(name, dataset) for dataset in datasets]
            for key, (name, datasets) in self._read(wildcards).items()
        }

    def _read(self, wildcards: Wildcards) -> dict[str, tuple[str, list[str]]]:
        """Return the results that a table is made from and their datasets, by name."""
        table = find("table", f"{wildcards.study}/{wildcards.table}", TABLES)
        found = {}
        for key, name in table.inputs.items():
            can_lack = key in table.optional
            datasets = self._shown(name) if can_lack else self.analyses.datasets(name)
            if datasets or not can_lack:
                found[key] = name, datasets
        return found

    def table_settings(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the context of a table."""
        names = TABLES[f"{wildcards.study}/{wildcards.table}"].inputs.values()
        datasets = [dataset for name in names for dataset in self.analyses.datasets(name)]
        datasets += [dataset for name in names for dataset in self.analyses.behind(name)]
        published = STUDIES[wildcards.study].folder / f"published/{wildcards.table}.csv"
        n_systems = (len(self.analyses.systems.of(name)) for name in self.config["datasets"])
        return {
            "titles": {dataset: self.data.title(dataset) for dataset in datasets},
            "variants": self.analyses.claims.variants(),
            "cutoff": self.data.cutoff(wildcards.study),
            "n_systems": max(n_systems),
            "published": os.path.relpath(published) if published.exists() else None,
        }

    def verdicts(self) -> list[str]:
        """Return the verdicts on each dataset that can test a claim."""
        return [f"results/{dataset}/{name}.csv" for name, dataset in self._judging(True)]

    def _judging(self, configured: bool) -> list[tuple[str, str]]:
        """Return the analyses that judge claims and are configured, or not, with their datasets."""
        kinds = ("claims", "constructed-claims")
        names = (f"{study}/{kind}" for study in self.analyses.claims.files for kind in kinds)
        return [
            (name, dataset)
            for name in names
            if name in ANALYSES and self.analyses.configured(name) == configured
            for dataset in self.analyses.datasets(name)
        ]

    def for_collect_claims(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the verdicts on each dataset, and the claims of each study.

        With them go the analyses that would make other verdicts and are left out.
        """
        untrained = self.analyses.systems.untrained
        return {
            "verdicts": [(Path(path).parent.name, path) for path in self.verdicts()],
            "claims": self.analyses.claims.files,
            "left_out": [own for own in self._judging(False) if not untrained(own[0])],
            "variants": self.analyses.claims.variants(),
        }

    def inputs(self, study: str) -> list[str]:
        """Return the results that the figures and tables of a study show, and its cut-off."""
        found = [path for own in self._figures(study) for path in self.figure_tables(own)]
        for own in self._tables(study):
            found += [path for paths in self.table_inputs(own).values() for path in paths]
        return [*dict.fromkeys([*found, *self.data.advising(study)])]

    def jobs(self, study: str) -> Callable[[Wildcards], list[tuple[str, dict[str, Any]]]]:
        """Return a function of the wildcards: the jobs that make the figures and tables."""

        def several(wildcards: Wildcards) -> list[tuple[str, dict[str, Any]]]:
            figures = [("figure", self.for_figure(own)) for own in self._figures(study)]
            return [*figures, *(("table", self.for_table(own)) for own in self._tables(study))]

        return several

    def for_figure(self, own: SimpleNamespace) -> dict[str, Any]:
        """Return the results that a figure shows, by dataset, and its panels."""
        return {
            "name": f"{own.study}/{own.figure}",
            "tables": dict(zip(self.datasets(own), self.figure_tables(own), strict=True)),
            "panels": self.panels(own),
            "cutoff": self.data.cutoff(own.study),
            "output": str(own.path),
        }

    def for_table(self, own: SimpleNamespace) -> dict[str, Any]:
        """Return the results that a table is made from, by input and dataset, and its context."""
        paths = self.table_inputs(own)
        return {
            "name": f"{own.study}/{own.table}",
            "tables": {
                key: dict(zip(datasets, paths[key], strict=True))
                for key, (_, datasets) in self._read(own).items()
            },
            "settings": self.table_settings(own),
            "output": str(own.path),
        }

    def code(self, study: str) -> Callable[[Wildcards], str]:
        """Return a function for the code of the jobs that draw and write, and their functions."""
        figures = {FIGURES[f"{study}/{own.figure}"].function for own in self._figures(study)}
        tables = {TABLES[f"{study}/{own.table}"].function for own in self._tables(study)}
        of_job = self.data.code.of_job
        found = f"{of_job('figure', *sorted(figures))}, {of_job('table', *sorted(tables))}"
        return lambda wildcards: found

    def _figures(self, study: str) -> list[SimpleNamespace]:
        """Return the figures of a study, each with its dataset if it has one, and its path."""
        pictures = [Path(path) for path in self.shown(study) if path.endswith(".pdf")]
        return [
            SimpleNamespace(
                study=study, figure=path.stem, path=path, dataset="/".join(path.parts[2:-1])
            )
            for path in pictures
        ]

    def _tables(self, study: str) -> list[SimpleNamespace]:
        """Return the tables of a study, each with its path."""
        paths = [Path(path) for path in self.shown(study) if path.startswith("results/tables/")]
        return [
            SimpleNamespace(study=study, table=path.stem, path=path)
            for path in paths
            if path.suffix == ".csv"
        ]

    def why_not(self, path: str) -> str | None:
        """Return why no job makes a figure or table, or None if the path is of neither.

        Its name is unknown, or the configuration leaves out its analysis, or it has other files.
        """
        kind, folder, catalogue = (
            ("figure", "figures", FIGURES)
            if path.startswith("figures/")
            else ("table", "results/tables", TABLES)
        )
        study = path.removeprefix(f"{folder}/").partition("/")[0]
        if not path.startswith(f"{folder}/") or study not in STUDIES:
            return None
        known, name = of_study(catalogue, study), Path(path).stem
        if name not in known:
            return str(unknown(f"{kind} of {study}", name, known))
        files = (file for file in self.shown(study) if file.startswith(folder))
        shown = [file for file in files if Path(file).stem == name]
        if shown:
            return f"expected a file of {study}/{name}, found '{path}'. Known: {', '.join(shown)}."
        entry = known[name]
        analyses = [f"{study}/{entry.analysis}"] if kind == "figure" else entry.inputs.values()
        return self.analyses.why_left_out(analyses) or (
            f"{study}/{name}: expected data that it can be made of; found none in this run."
        )

    @staticmethod
    def caption(name: str) -> str:
        """Return the file of a caption, which Snakemake's report reads, and none but it."""
        path = Path(".snakemake/captions", f"{name}.rst").absolute()
        if any(word.startswith("--report") for word in sys.argv):
            path.parent.mkdir(parents=True, exist_ok=True)
            caption = (FIGURES.get(name) or TABLES[name]).caption
            table = Path("results/tables", f"{name}.md")  # whose title is the first line
            if not caption and table.is_file():
                caption = table.read_text(encoding="utf-8").partition("\n")[0]
            write_lines([caption or f"The table {name}."], path)
        return str(path)

    def in_report(self, path: str) -> dict[str, Any]:
        """Return where Snakemake's report shows a figure or table, and its caption; else nothing.

        Of the formats of each it shows the one that a browser can.
        """
        kind, name = Path(path).suffix, Path(path).stem
        if kind not in (".svg", ".csv"):
            return {}
        table = kind == ".csv"
        study, *dataset = Path(path).parts[2 if table else 1 : -1]
        place = "Tables" if table else "Figures of the paper"
        return {
            "caption": self.caption(f"{study}/{name}"),
            "category": study,
            "subcategory": f"All metrics on {'/'.join(dataset)}" if dataset else place,
            "labels": {"table" if table else "figure": name},
        }
