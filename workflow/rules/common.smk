# What the rules look up: the configuration, checked, and the code that a job depends on.

import ast
import functools
from functools import partial
import json
import os
import re
import shlex
import sys

sys.path.insert(0, str(BASE / "src"))
shell.prefix(f"export PYTHONPATH={shlex.quote(str(BASE / 'src'))}; ")

from assayer import registry
from assayer.config import validate
from assayer.errors import AssayerError
from assayer.seeds import derive

if workflow.is_main_process:
    try:
        validate(config, BASE / "workflow/schemas")
    except AssayerError as error:
        sys.exit(f"assayer: {error}")


wildcard_constraints:
    dataset="|".join(config["dataset_catalogue"]),
    recommender="|".join(config["recommender_catalogue"]),
    study="|".join({name.partition("/")[0] for name in registry.ANALYSES}),
    analysis="|".join(name.partition("/")[2] for name in registry.ANALYSES),
    figure="figure-[0-9]+",
    table="table-[0-9]+",


# The registry holds names only; what a job uses from it is tracked by the modules it names.
UNTRACKED = {"assayer.registry"}


@functools.cache
def code(*modules):
    """Return the files of some modules and of every module of the package they import."""
    source = Path(os.path.relpath(BASE)) / "src"
    found, queue = {}, list(modules)
    while queue:
        name = queue.pop()
        stem = source.joinpath(*name.split("."))
        path = next(
            (p for p in (stem.with_suffix(".py"), stem / "__init__.py") if p.exists()), None
        )
        if path is None or name in found or name in UNTRACKED:
            continue
        found[name] = str(path)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                queue += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                queue += [alias.name for alias in node.names]
    return sorted(found.values())


def stage_code(stage, *targets):
    """Return the code of a stage and of the registry's objects that it loads."""
    return code(f"assayer.stages.{stage}", *map(registry.module_of, targets))


def metric_targets():
    """Return the registry's objects for the configured metrics."""
    metrics = {re.match(r"\w+", name)[0] for name in config["metrics"]["names"]}
    return sorted(registry.METRICS[metric] for metric in metrics)


def dataset_entry(dataset):
    """Return the catalogue entry of a dataset."""
    return config["dataset_catalogue"][dataset]


def source_spec(wildcards):
    """Return what reading a dataset depends on, as JSON: its entry without the words about it."""
    entry = dataset_entry(wildcards.dataset)
    return json.dumps(
        {k: v for k, v in entry.items() if k not in ("label", "licence", "threshold")}
    )


def local_files(wildcards):
    """Return the user's own files of a dataset that is read where it lies."""
    entry = dataset_entry(wildcards.dataset)
    return [entry[key] for key in ("path", "aspects_path") if key in entry]


def source_record(wildcards):
    """Return the record of a dataset's files; synthetic data has none."""
    if dataset_entry(wildcards.dataset)["kind"] == "synthetic":
        return []
    return f"data/processed/{wildcards.dataset}/source.json"


def prepare_code(wildcards):
    """Return the code of the stage that reads a dataset, and of the reader of its format."""
    entry = dataset_entry(wildcards.dataset)
    reader = [registry.READERS[entry["format"]]] if "format" in entry else []
    return stage_code("prepare", *reader)


def recommender_seed(wildcards):
    """Return the seed of one recommender on one dataset."""
    return derive(config["seed"], wildcards.dataset, wildcards.recommender)


def recommender_spec(wildcards, key):
    """Return a recommender's catalogue entry with the settings for a dataset."""
    entry = config["recommender_catalogue"][wildcards.recommender]
    special = entry.get("datasets", {}).get(wildcards.dataset, {})
    settings = entry.get("settings", {}) | special
    return {"method": entry["method"], "settings": json.dumps(settings)}[key]


def recommender_code(wildcards):
    """Return the code of the stage that ranks and of the one recommender."""
    method = config["recommender_catalogue"][wildcards.recommender]["method"]
    return stage_code("recommend", registry.RECOMMENDERS[method])


def dataset_title(dataset):
    """Return the name of a dataset for readers; synthetic data always says so."""
    entry = dataset_entry(dataset)
    return f"{entry['label']} (synthetic)" if entry["kind"] == "synthetic" else entry["label"]


def evaluation_spec(wildcards):
    """Return what the metrics need to know of a dataset, as JSON."""
    metrics = config["metrics"]
    measures = [f"{name}@{cutoff}" for name in metrics["names"] for cutoff in metrics["cutoffs"]]
    threshold = dataset_entry(wildcards.dataset)["threshold"]
    return json.dumps({"threshold": threshold, "measures": measures, "profile": metrics["profile"]})


def ranking_paths(wildcards):
    """Return the rankings of all systems on a dataset."""
    return [
        f"results/{wildcards.dataset}/rankings/{recommender}.npz"
        for recommender in config["recommenders"]
    ]


def ranking_arguments(wildcards, input):
    """Return NAME=PATH for the rankings of all systems, quoted for the shell."""
    labels = config["recommender_catalogue"]
    return " ".join(
        shlex.quote(f"{labels[name]['label']}={path}")
        for name, path in zip(config["recommenders"], input.rankings)
    )


def analysis_entry(wildcards):
    """Return the registry's entry of an analysis."""
    return registry.ANALYSES[f"{wildcards.study}/{wildcards.analysis}"]


def analysis_inputs(wildcards):
    """Return the artifacts that an analysis reads, by name."""
    paths = {}
    for name in analysis_entry(wildcards).inputs:
        if name == "rankings":
            paths[name] = ranking_paths(wildcards)
        elif name in ("train", "test"):
            paths[name] = f"results/{wildcards.dataset}/split/{name}.npz"
        elif name == "scores":
            paths[name] = f"results/{wildcards.dataset}/scores.npz"
        else:
            paths[name] = f"results/{wildcards.dataset}/{name}.csv"
    return paths


def analysis_arguments(wildcards, input):
    """Return the artifacts that an analysis reads as NAME=PATH, quoted for the shell."""
    paths = analysis_inputs(wildcards)
    systems = ranking_arguments(wildcards, input) if paths.pop("rankings", None) else ""
    inputs = " ".join(shlex.quote(f"{name}={path}") for name, path in paths.items())
    return f"{inputs} --rankings {systems}" if systems else inputs


def analysis_code(wildcards):
    """Return the code of an analysis; metrics count for those that evaluate."""
    entry = analysis_entry(wildcards)
    metrics = metric_targets() if "rankings" in entry.inputs else []
    return stage_code("analyse", entry.function, *metrics)


def analysis_settings(wildcards):
    """Return the settings of an analysis, as JSON."""
    return json.dumps(config[wildcards.study]["analyses"][wildcards.analysis])


def study_outputs(study):
    """Return the figures and tables of a study that its configured analyses allow."""
    analyses = config[study]["analyses"]
    stems = [
        name if not dataset else name.replace("/", f"/{dataset}/")
        for name, figure in registry.FIGURES.items()
        if name.startswith(f"{study}/") and figure.analysis in analyses
        for dataset in ["", *(config["datasets"] if figure.panels == "metrics" else [])]
    ]
    tables = [
        name
        for name, table in registry.TABLES.items()
        if name.startswith(f"{study}/")
        and all(i.rpartition("/")[2] in [*analyses, "statistics"] for i in table.inputs)
    ]
    figures = expand("figures/{stem}.{kind}", stem=stems, kind=["pdf", "svg", "png"])
    return figures + expand("results/tables/{stem}.{kind}", stem=tables, kind=["csv", "md", "tex"])


def featured_dataset(study):
    """Return the dataset that the figures of one dataset show."""
    return config[study]["featured"]["dataset"] or config["datasets"][0]


def figure_datasets(wildcards):
    """Return the datasets that a figure shows."""
    if "dataset" in wildcards.keys():
        return [wildcards.dataset]
    figure = registry.FIGURES[f"{wildcards.study}/{wildcards.figure}"]
    if figure.panels == "metrics":
        return [featured_dataset(wildcards.study)]
    return config["datasets"]


def figure_panels(wildcards):
    """Return what each panel of a figure shows, as JSON."""
    study = config[wildcards.study]
    figure = registry.FIGURES[f"{wildcards.study}/{wildcards.figure}"]
    metrics = [None]
    if figure.panels == "metrics":
        everything = "dataset" in wildcards.keys()
        metrics = config["metrics"]["names"] if everything else [study["featured"]["metric"]]
    panels = [
        {"dataset": dataset, "title": dataset_title(dataset), "cutoff": study["cutoff"]}
        | ({"metric": metric} if metric else {})
        for dataset in figure_datasets(wildcards)
        for metric in metrics
    ]
    return json.dumps({"panels": panels})


def figure_tables(wildcards):
    """Return the tables that a figure shows, one for each of its datasets."""
    analysis = registry.FIGURES[f"{wildcards.study}/{wildcards.figure}"].analysis
    return [
        f"results/{dataset}/{wildcards.study}/{analysis}.csv"
        for dataset in figure_datasets(wildcards)
    ]


def figure_arguments(wildcards, input):
    """Return DATASET=PATH for the tables that a figure shows, quoted for the shell."""
    pairs = zip(figure_datasets(wildcards), input.tables)
    return " ".join(shlex.quote(f"{dataset}={path}") for dataset, path in pairs)


def figure_code(wildcards):
    """Return the code of the stage that draws and of the one figure."""
    figure = registry.FIGURES[f"{wildcards.study}/{wildcards.figure}"]
    return stage_code("figure", figure.function)


def table_inputs(wildcards):
    """Return the result tables that a table is made from, those of all datasets, by name."""
    names = registry.TABLES[f"{wildcards.study}/{wildcards.table}"].inputs
    return {
        name.rpartition("/")[2]: expand(
            "results/{dataset}/{n}.csv", dataset=config["datasets"], n=name
        )
        for name in names
    }


def table_arguments(wildcards, input):
    """Return NAME:DATASET=PATH for everything that a table is made from, quoted for the shell."""
    return " ".join(
        shlex.quote(f"{name}:{dataset}={path}")
        for name in table_inputs(wildcards)
        for dataset, path in zip(config["datasets"], input[name])
    )


def table_settings(wildcards):
    """Return what a table needs to know of the study, as JSON."""
    published = BASE / f"data/published/{wildcards.study}/{wildcards.table}.csv"
    return json.dumps(
        {
            "titles": {dataset: dataset_title(dataset) for dataset in config["datasets"]},
            "cutoff": config[wildcards.study]["cutoff"],
            "n_systems": len(config["recommenders"]),
            "published": os.path.relpath(published) if published.exists() else None,
        }
    )


def table_code(wildcards):
    """Return the code of the stage that writes tables and of the one table."""
    entry = registry.TABLES[f"{wildcards.study}/{wildcards.table}"]
    return stage_code("table", entry.function)


def caption(wildcards):
    """Return the caption of a figure or table in the report."""
    name = wildcards.figure if "figure" in wildcards.keys() else wildcards.table
    path = BASE / f"workflow/report/{wildcards.study}/{name}.rst"
    return path.read_text(encoding="utf-8")


def success_message():
    """Say where the results are."""
    return (
        "\nFigures are in figures/robustness, tables in results/tables/robustness, all numbers in "
        "results/.\nOne page with everything: snakemake --report report.html"
    )


def failure_message(path):
    """Say what went wrong: the last line of each failed job's log, and how to go on."""
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    lines = []
    for name in dict.fromkeys(re.findall(r"^\s*log: (.+?) \(check log file", text, re.MULTILINE)):
        job_log = Path(name)
        content = job_log.read_text(errors="replace").split("\n") if job_log.exists() else []
        said = [line for line in content if line.strip()]
        lines.append(f"{said[-1]}\n  (log: {name})" if said else f"no message (log: {name})")
    what = "\n".join(lines) or "Snakemake's message above says what went wrong."
    return (
        f"\n{what}\n\nWhat is finished is kept: the same command goes on from there. "
        "If it says that the directory is locked, first: snakemake --unlock"
    )
