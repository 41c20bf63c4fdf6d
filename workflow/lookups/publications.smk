# What the rules look up about figures and tables.


def is_configured(name):
    """Say whether an analysis is configured, and so are all that it reads."""
    if name not in registry.ANALYSES:
        return True
    study, _, analysis = name.partition("/")
    inputs = registry.ANALYSES[name].inputs
    return analysis in config[study]["analyses"] and all(map(is_configured, inputs))


def study_outputs(study):
    """Return the figures and tables of a study that its configured analyses allow."""
    analyses = [f"{study}/{analysis}" for analysis in config[study]["analyses"]]
    configured = {name for name in analyses if is_configured(name)} | {"statistics"}
    stems = []
    for name, figure in registry.of_study(registry.FIGURES, study).items():
        datasets = analysis_datasets(f"{study}/{figure.analysis}")
        if f"{study}/{figure.analysis}" in configured and datasets:
            if figure.panels != "dataset":
                stems.append(f"{study}/{name}")
            if figure.panels in ("metrics", "dataset"):
                stems += [f"{study}/{dataset}/{name}" for dataset in datasets]
    tables = [
        f"{study}/{name}"
        for name, table in registry.of_study(registry.TABLES, study).items()
        if configured.issuperset(table.inputs) and all(map(analysis_datasets, table.inputs))
    ]
    return expand("figures/{stem}.{kind}", stem=stems, kind=["pdf", "svg", "png"]) + expand(
        "results/tables/{stem}.{kind}", stem=tables, kind=["csv", "md", "tex"]
    )


def featured_dataset(study, analysis):
    """Return the dataset that the figures of one dataset show, of those with the analysis."""
    featured, datasets = config[study]["featured"]["dataset"], analysis_datasets(analysis)
    return featured if featured in datasets else datasets[0]


def figure_datasets(wildcards):
    """Return the datasets that a figure shows."""
    if "dataset" in wildcards.keys():
        return [wildcards.dataset]
    return datasets_of_figure(wildcards.study, wildcards.figure)


def datasets_of_figure(study, name):
    """Return the datasets that a figure shows which is not of one dataset."""
    figure = registry.FIGURES[f"{study}/{name}"]
    analysis = f"{study}/{figure.analysis}"
    if figure.panels == "metrics":
        return [featured_dataset(study, analysis)]
    return analysis_datasets(analysis)


def figure_panels(wildcards):
    """Return what each panel of a figure shows, as JSON."""
    study = config[wildcards.study]
    figure = registry.FIGURES[f"{wildcards.study}/{wildcards.figure}"]
    metrics = []
    if figure.panels == "metrics":
        everything = "dataset" in wildcards.keys()
        metrics = config["metrics"]["names"] if everything else [study["featured"]["metric"]]
    named = {dataset: dataset_title(dataset) for dataset in figure_datasets(wildcards)}
    panels = figure.shown(named, study["cutoff"], metrics)
    return json.dumps({"panels": panels})


def figure_tables(wildcards):
    """Return the tables that a figure shows, one for each of its datasets."""
    analysis = registry.FIGURES[f"{wildcards.study}/{wildcards.figure}"].analysis
    return [
        analysis_table(f"{wildcards.study}/{analysis}", dataset)
        for dataset in figure_datasets(wildcards)
    ]


def figure_arguments(wildcards, input):
    """Return DATASET=PATH for the tables that a figure shows, quoted for the shell."""
    return named_arguments(figure_datasets(wildcards), input.tables)


def figure_code(wildcards):
    """Return the code of the stage that draws and of the one figure."""
    figure = registry.FIGURES[f"{wildcards.study}/{wildcards.figure}"]
    return stage_code("figure", figure.function)


def table_inputs(wildcards):
    """Return the result tables that a table is made from, those of all datasets, by name."""
    names = registry.TABLES[f"{wildcards.study}/{wildcards.table}"].inputs
    return {
        name.rpartition("/")[2]: [
            analysis_table(name, dataset) for dataset in analysis_datasets(name)
        ]
        for name in names
    }


def table_arguments(wildcards, input):
    """Return NAME:DATASET=PATH for everything that a table is made from, quoted for the shell."""
    names = registry.TABLES[f"{wildcards.study}/{wildcards.table}"].inputs
    keys = [
        f"{name.rpartition('/')[2]}:{dataset}"
        for name in names
        for dataset in analysis_datasets(name)
    ]
    return named_arguments(
        keys, [path for paths in table_inputs(wildcards).values() for path in paths]
    )


def table_settings(wildcards):
    """Return what a table needs to know of the study, as JSON."""
    published = BASE / f"data/published/{wildcards.study}/{wildcards.table}.csv"
    names = registry.TABLES[f"{wildcards.study}/{wildcards.table}"].inputs
    datasets = [dataset for name in names for dataset in analysis_datasets(name)]
    return json.dumps(
        {
            "titles": {dataset: dataset_title(dataset) for dataset in datasets},
            "variants": config["variants"],
            "cutoff": config[wildcards.study]["cutoff"],
            "n_systems": max(len(systems_of(dataset)) for dataset in config["datasets"]),
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
