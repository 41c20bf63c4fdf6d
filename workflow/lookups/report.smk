# What the rules look up about the report.

# Of the configuration: what changes no number; and of a dataset what the numbers depend on.
UNSHOWN = ("raw_dir", "shards", "tuning", "report", "claims")
SHOWN_OF_DATASETS = ("label", "kind", "licence", "parameters", "scale", "duplicates", "threshold")


def report_studies():
    """Return the studies that the report shows, in the registry's order."""
    return [name for name in registry.studies() if name in config["report"]["studies"]]


def figure_of_report(path):
    """Return what the report shows of a figure: its file, and the datasets in it."""
    _, study, *dataset, file = Path(path).parts
    return {"svg": path, "datasets": dataset or datasets_of_figure(study, Path(file).stem)}


def study_of_report(study):
    """Return what the report shows of a study."""
    paths = study_outputs(study)
    return {
        "name": study,
        "cutoff": config[study]["cutoff"],
        "figures": [figure_of_report(path) for path in paths if path.endswith(".svg")],
        "tables": [path for path in paths if path.endswith(".md")],
    }


def data_of_report(studies):
    """Return the datasets whose results are behind figures and tables, by analysis."""
    found = {}
    for study in studies:
        figures = [Path(figure["svg"]) for figure in study["figures"]]
        published = [registry.FIGURES[f"{study['name']}/{path.stem}"].analysis for path in figures]
        names = [f"{study['name']}/{analysis}" for analysis in published]
        for table in study["tables"]:
            names += registry.TABLES[f"{study['name']}/{Path(table).stem}"].inputs
        for name in dict.fromkeys(names):
            for needed in [name, *sorted(registry.needs(name))]:
                if needed in registry.ANALYSES:
                    alone = registry.ANALYSES[needed].constructed
                    datasets = ["constructed"] if alone else analysis_datasets(name)
                    found.setdefault(needed, {}).update(dict.fromkeys(datasets))
    return {name: [*datasets] for name, datasets in found.items()}


def claims_of_report():
    """Return the lists of claims and the verdicts of the report's studies."""
    return {
        study: {
            "claims": claims_path(study),
            "verdicts": [path for path in verdict_paths() if Path(path).parent.name == study],
        }
        for study in report_studies()
        if study in config["claims"]
    }


def fidelity_of_report():
    """Return the datasets whose systems are compared with published ones by the studies anyway."""
    made = "published" in config["robustness"]["analyses"] and "robustness" in report_studies()
    return [dataset for dataset in config["datasets"] if made and can_compare(dataset)]


def settings_of_report():
    """Return the part of the configuration that the results depend on."""
    unshown = {*UNSHOWN, *registry.studies()} - {*report_studies()}
    settings = {key: value for key, value in config.items() if key not in unshown}
    recommenders = config["recommender_catalogue"]
    settings["recommender_catalogue"] = {
        name: recommenders[name] for name in config["recommenders"] if name in recommenders
    }
    settings["dataset_catalogue"] = {
        data_of(name): {
            key: value for key, value in dataset_entry(name).items() if key in SHOWN_OF_DATASETS
        }
        for name in config["datasets"]
    }
    return settings


@functools.cache
def report_contents():
    """Return what the report shows."""
    studies = [study_of_report(study) for study in report_studies()]
    titled = sorted({*config["datasets"], *config["dataset_catalogue"], "constructed"})
    return {
        "datasets": [
            {
                "name": name,
                "title": dataset_title(name),
                "synthetic": dataset_entry(name)["kind"] == "synthetic",
            }
            for name in config["datasets"]
        ],
        # Claims may be about datasets that are not studied.
        "titles": {name: dataset_title(name) for name in titled},
        # A study of which nothing is configured has no section.
        "studies": [study for study in studies if study["figures"] or study["tables"]],
        "data": data_of_report(studies),
        "claims": claims_of_report(),
        "fidelity": fidelity_of_report(),
        "captions": os.path.relpath(BASE / "workflow/report"),
        "settings": settings_of_report(),
    }


def report_inputs(wildcards):
    """Return the files that the report is made from."""
    contents = report_contents()
    captions = Path(contents["captions"])
    paths = [
        f"results/{of}/{name}.csv" for name, all_of in contents["data"].items() for of in all_of
    ]
    for study in contents["studies"]:
        files = [figure["svg"] for figure in study["figures"]] + study["tables"]
        paths += [*files, *(f"{path[:-3]}.csv" for path in study["tables"])]
        paths += [str(captions / study["name"] / f"{Path(path).stem}.rst") for path in files]
    for claims in contents["claims"].values():
        paths += [claims["claims"], *claims["verdicts"]]
    for dataset in contents["fidelity"]:
        tables = ["fidelity", "fidelity-summary"]
        paths += [f"figures/fidelity/{dataset}.svg", str(captions / "fidelity/systems.rst")]
        paths += [f"results/{dataset}/{table}.csv" for table in tables]
    return list(dict.fromkeys(paths))


def report_code():
    """Return the code of the report, with its templates, scripts and styles."""
    templates = Path(os.path.relpath(BASE)) / "src/assayer/report/templates"
    return [*stage_code("report"), *sorted(map(str, templates.iterdir()))]
