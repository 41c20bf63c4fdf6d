# What the rules look up about measures and analyses.


def metric_targets(names=()):
    """Return the registry's objects for the named metrics, or else for the configured ones."""
    metrics = {registry.bare(name) for name in names or config["metrics"]["names"]}
    return sorted(registry.DIVERSITY_METRICS.get(name) or registry.metric(name) for name in metrics)


def evaluation_spec(wildcards):
    """Return what the metrics need to know of a dataset, as JSON."""
    metrics = config["metrics"]
    measures = [f"{name}@{cutoff}" for name in metrics["names"] for cutoff in metrics["cutoffs"]]
    choices = {key: metrics[key] for key in ("profile", "without_relevant", "aggregate")}
    known = {"measures": measures} | choices
    if wildcards.dataset != "constructed":
        known["threshold"] = dataset_entry(wildcards.dataset)["threshold"]
    return json.dumps(known)


# Analyses with replicates for resampled users.
REPLICATED = [name for name, entry in registry.ANALYSES.items() if entry.replicated]


def as_analysis(wildcards):
    """Return the wildcards of a rule for an analysis, from those with its whole name."""
    study, analysis = wildcards.name.split("/")
    return SimpleNamespace(dataset=wildcards.dataset, study=study, analysis=analysis)


def analysis_entry(wildcards):
    """Return the registry's entry of an analysis."""
    return registry.ANALYSES[f"{wildcards.study}/{wildcards.analysis}"]


def analysis_datasets(name):
    """Return the datasets for which an analysis is run; "constructed" is run without any."""
    if name in registry.ANALYSES and registry.ANALYSES[name].constructed:
        return ["constructed"]
    datasets = config["datasets"]
    if name == "statistics":
        return list(dict.fromkeys(map(data_of, datasets)))
    return [dataset for dataset in datasets if not lacking(name, dataset)]


def analysis_table(name, dataset):
    """Return the result of an analysis, or of a stage, that belongs to a dataset."""
    folder = "constructed" if analysis_datasets(name) == ["constructed"] else dataset
    folder = data_of(dataset) if name == "statistics" else folder
    return f"results/{folder}/{name}.csv"


def analysis_inputs(wildcards):
    """Return the artifacts that an analysis reads, by name; an error if the dataset has not all."""
    entry, paths = analysis_entry(wildcards), {}
    refuse(wildcards)
    for name in entry.inputs:
        if name == "rankings":
            paths[name] = ranking_paths(wildcards, entry.whole_rankings)
        elif name in ("train", "test"):
            paths[name] = f"results/{wildcards.dataset}/split/{name}.npz"
        elif name == "aspects":
            paths[name] = ratings_path(wildcards)
        elif name == "claims":
            paths[name] = claims_path(wildcards.study)
        elif name == "scores":
            paths[name] = f"results/{wildcards.dataset}/scores.npz"
        elif name == "fidelity" and not can_compare(wildcards.dataset):
            continue
        elif name.startswith("published/"):
            table = name.removeprefix("published/")
            paths[name] = os.path.relpath(BASE / f"data/published/{wildcards.study}/{table}.csv")
        else:
            paths[name] = analysis_table(name, wildcards.dataset)
            if entry.compares and name in REPLICATED:
                paths[f"replicates/{name}"] = str(Path(paths[name]).with_suffix(".npz"))
    return paths


def refuse(wildcards):
    """End the run if an analysis that was asked for by name cannot be done on a dataset."""
    name = f"{wildcards.study}/{wildcards.analysis}"
    if wildcards.dataset != "constructed" and (reason := lacking(name, wildcards.dataset)):
        sys.exit(f"assayer: {name}: dataset '{wildcards.dataset}' is without {reason}.")


def analysis_arguments(wildcards, input):
    """Return the artifacts that an analysis reads as NAME=PATH, quoted for the shell."""
    whole = analysis_entry(wildcards).whole_rankings
    return named_inputs(analysis_inputs(wildcards), wildcards, input, whole)


def named_inputs(paths, wildcards, input, whole=False):
    """Return artifacts as NAME=PATH, quoted for the shell."""
    ranked = paths.pop("rankings", None) and ranking_arguments(wildcards, input, whole)
    inputs = named_arguments(paths.keys(), paths.values())
    return f"{inputs} --rankings {ranked}" if ranked else inputs


def claims_choice(wildcards):
    """Return the options that say which claims are judged on a dataset.

    A variant is judged by all that is claimed of its data; a dataset that no claim is about, by
    those claims about another one that give no number.
    """
    data = data_of(wildcards.dataset)
    if "claims" not in analysis_entry(wildcards).inputs or wildcards.dataset == "constructed":
        return ""
    other = dataset_entry(data).get("claims_of", data)
    return f"--claims-of {other}" + (" --published" if other == data else "")


def analysis_code(wildcards):
    """Return the code of an analysis; metrics count for those that evaluate."""
    entry = analysis_entry(wildcards)
    settings = config[wildcards.study]["analyses"][wildcards.analysis]
    evaluates = "rankings" in entry.inputs or "metrics" in settings
    metrics = metric_targets(settings.get("metrics")) if evaluates else []
    return stage_code("analyse", entry.function, *metrics)


def analysis_settings(wildcards):
    """Return the settings of an analysis, as JSON."""
    return json.dumps(config[wildcards.study]["analyses"][wildcards.analysis])
