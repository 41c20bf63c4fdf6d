"""The contents of the report, and the files that it is made from."""

import functools
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rankassay.config.titles import PLACES
from rankassay.plan.publications import Publications
from rankassay.plan.steps import Simulations
from rankassay.studies import ANALYSES, FIGURES, STUDIES, TABLES, evidence, needs

# Of the configuration: what changes no number; and of a dataset what the numbers depend on.
UNSHOWN = ("raw_dir", "shards", "tuning", "studies", "claims")
SHOWN_OF_DATASETS = (
    *("label", "kind", "licence", "parameters", "scale", "duplicates", "truth", "threshold"),
    "default_for",  # the scale, where the threshold is the usual one
)


class Report:
    """The page with all results of a run."""

    def __init__(self, publications: Publications, simulations: Simulations) -> None:
        self.publications = publications
        self.simulations = simulations
        self.analyses = publications.analyses
        self.data = publications.data
        self.config = publications.config

    @property
    def code(self) -> str:
        """The code of the report, with its templates, scripts, styles and captions."""
        package = self.data.code.package
        files = [path for path in (package / "report/templates").iterdir() if path.is_file()]
        # What studies and their parts are called, and captions.
        files += (package / "studies").glob("*/study.py")
        return self.data.code.of_job("report", files=sorted(files))

    @functools.cached_property
    def contents(self) -> dict[str, Any]:
        """All that the page shows."""
        studies = [self._study(name) for name in STUDIES if name in self.config["studies"]]
        names, advice = self.config["datasets"], self.publications.advice.paths
        variants = self.analyses.claims.variants()
        titled = sorted({*names, *variants, *self.config["dataset_catalogue"], *PLACES})
        return {
            "datasets": [
                {
                    "name": name,
                    "title": self.data.title(name),
                    "synthetic": self.data.entry(name)["kind"] == "synthetic",
                    "advice": advice.get(name),
                }
                for name in names
            ],
            # Claims may be about datasets that are not studied.
            "titles": {name: self.data.title(name) for name in titled},
            # A study of which nothing is configured has no section.
            "studies": [study for study in studies if study["figures"] or study["tables"]],
            "data": self._data(studies),
            "claims": self.analyses.claims.shown,
            "verdicts": "results/claims.csv",
            "sentences": "results/claims-sentences.csv",
            "variants": variants,
            "fidelity": self._fidelity(),
            "settings": self._settings(),
        }

    @property
    def digest(self) -> str:
        """The checksum of the contents, which a log can show."""
        return hashlib.sha256(json.dumps(self.contents).encode()).hexdigest()

    def inputs(self, wildcards: Any = None) -> list[str]:
        """Return the files that the report is made from."""
        contents = self.contents
        paths = [
            f"results/{dataset}/{name}.csv"
            for name, datasets in contents["data"].items()
            for dataset in datasets
        ]
        paths += [*self.publications.advice.paths.values()]
        for study in contents["studies"]:
            files = [figure["svg"] for figure in study["figures"]] + study["tables"]
            paths += [*files, *(f"{path[:-3]}.csv" for path in study["tables"])]
        paths += [contents["verdicts"], contents["sentences"]] if contents["claims"] else []
        for dataset in contents["fidelity"]:
            tables = ("fidelity", "fidelity-summary")
            paths.append(f"figures/fidelity/{dataset}.svg")
            paths += [f"results/{dataset}/{table}.csv" for table in tables]
        return list(dict.fromkeys(map(os.path.normpath, paths)))

    def advice(self) -> dict[str, dict[str, str]]:
        """Return the title of each dataset that gets advice, and the path of that."""
        paths = self.publications.advice.paths
        return {name: {"title": self.data.title(name), "path": paths[name]} for name in paths}

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return by dataset the summaries that studies make, as the overview shows the first."""
        return {
            dataset: [
                {
                    "title": self.data.title(dataset),
                    "study": study,
                    "path": self.analyses.table(name, dataset),
                    "cutoff": self.data.cutoff(study),
                }
                for name in evidence("summary")
                if (study := name.partition("/")[0]) in self.config["studies"]
                and dataset in self.analyses.datasets(name)
            ]
            for dataset in self.config["datasets"]
        }

    def answers(self) -> list[tuple[str, str]]:
        """Return the studies that answer questions in a table of sentences, with its path."""
        studies = self.contents["studies"]
        return [(study["name"], study["answers"]) for study in studies if study["answers"]]

    def titles(self) -> dict[str, str]:
        """Return the titles in tables of the run's datasets, and of results of none or of all."""
        return {name: self.data.title(name) for name in self.config["datasets"]} | PLACES

    def _study(self, study: str) -> dict[str, Any]:
        """Return the part of a study."""
        paths = self.publications.of_study(study)
        return {
            "name": study,
            "cutoff": self.data.cutoff(study),
            "figures": [self._figure(path) for path in paths if path.endswith(".svg")],
            "tables": [path for path in paths if path.endswith(".md")],
            "answers": next((path for path in paths if path.endswith("/answers.csv")), None),
        }

    def _figure(self, path: str) -> dict[str, Any]:
        """Return a figure: its file, and the datasets in it."""
        _, study, *dataset, file = Path(path).parts
        datasets = dataset or self.publications.datasets_of(study, Path(file).stem)
        return {"svg": path, "datasets": datasets}

    def _data(self, studies: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
        """Return the datasets whose results are behind figures and tables, by analysis."""
        found: dict[str, dict[str, None]] = {}
        for study in studies:
            figures = [Path(figure["svg"]).stem for figure in study["figures"]]
            names = [
                f"{study['name']}/{FIGURES[f'''{study['name']}/{f}'''].analysis}" for f in figures
            ]
            for table in study["tables"]:
                names += TABLES[f"{study['name']}/{Path(table).stem}"].inputs.values()
            for name in filter(self.analyses.configured, dict.fromkeys(names)):
                for needed in [name, *sorted(needs(name, self.simulations.shipped))]:
                    if needed in ANALYSES and self.analyses.configured(needed):
                        place = ANALYSES[needed].place
                        datasets = [place] if place else self.analyses.behind(name)
                        found.setdefault(needed, {}).update(dict.fromkeys(datasets))
        return {name: [*datasets] for name, datasets in found.items()}

    def _fidelity(self) -> list[str]:
        """Return the datasets whose systems are compared with published ones by the studies."""
        compared = [name for name, entry in ANALYSES.items() if "fidelity" in entry.inputs.values()]
        made = any(
            name.partition("/")[0] in self.config["studies"] and self.analyses.configured(name)
            for name in compared
        )
        possible = self.analyses.fidelity.possible
        return [dataset for dataset in self.config["datasets"] if made and possible(dataset)]

    def _settings(self) -> dict[str, Any]:
        """Return the part of the configuration that the results depend on."""
        unshown = {*UNSHOWN, *STUDIES} - {*self.config["studies"]}
        settings = {key: value for key, value in self.config.items() if key not in unshown}
        if ends := self.analyses.systems.ends:
            settings["longest_lists_of_runs"] = ends
        recommenders = self.config["recommender_catalogue"]
        settings["recommender_catalogue"] = {
            name: recommenders[name] for name in self.config["recommenders"]
        }
        settings["dataset_catalogue"] = {
            self.data.of(name): {
                key: value
                for key, value in self.data.entry(name).items()
                if key in SHOWN_OF_DATASETS
            }
            for name in self.config["datasets"]
        }
        return settings
