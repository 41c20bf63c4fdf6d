# What the rules look up about the systems of a dataset, recommenders and runs, and about what an
# analysis needs that a dataset may not have.


def runs_of(dataset):
    """Return the run files of a dataset by the names of their systems."""
    return RUNS.get(dataset, {})


def systems_of(dataset, whole=False):
    """Return the labels of a dataset's systems by name; `whole` leaves out lists that end."""
    catalogue = config["recommender_catalogue"]
    labels = {name: catalogue[name]["label"] for name in config["recommenders"]}
    return labels if whole else labels | {name: name for name in runs_of(dataset)}


def run_file(wildcards):
    """Return the file of a run."""
    runs = runs_of(wildcards.dataset)
    if wildcards.run not in runs:
        # Snakemake would wrap any other exception in a traceback.
        sys.exit(f"assayer: there is no run '{wildcards.run}' of {wildcards.dataset}.")
    return runs[wildcards.run]


def run_choices(wildcards):
    """Return the options by which a run is read."""
    entry = dataset_entry(wildcards.dataset)
    choices = {name: config["systems"][name] for name in ("ties", "not_candidates")}
    if systems.can_train(entry):
        choices["candidates"] = config["candidates"]
    elif "items" in entry:
        choices["n_items"] = entry["items"]
    return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in choices.items())


def ranking_paths(wildcards, whole=False):
    """Return the rankings of all systems on a dataset."""
    names = systems_of(wildcards.dataset, whole)
    return [f"results/{wildcards.dataset}/rankings/{name}.npz" for name in names]


def ranking_arguments(wildcards, input, whole=False):
    """Return NAME=PATH for the rankings of all systems, quoted for the shell."""
    return named_arguments(systems_of(wildcards.dataset, whole).values(), input.rankings)


@functools.cache
def lacking(name, dataset):
    """Return what an analysis needs and a dataset does not have, in words; empty if nothing."""
    entry = dataset_entry(dataset)
    if name == "train" and not systems.can_train(entry):
        return "training ratings"
    if name == "aspects" and not has_aspects(dataset):
        return "aspects of the items"
    # Of a paper's claims neither synthetic data can test any, nor judgements of unknown origin.
    if name == "claims" and entry["kind"] in ("synthetic", "qrels"):
        return "claims about it"
    if name not in registry.ANALYSES:
        return ""
    analysis = registry.ANALYSES[name]
    study, _, short = name.partition("/")
    settings = config[study]["analyses"].get(short, {})
    if analysis.whole_rankings and len(systems_of(dataset, whole=True)) < 2:
        return "systems that rank all items, which run files do not"
    if systems.counts_items(settings.get("metrics") or []) and not systems.has_items(entry):
        return "the number of items that could be listed"
    inputs = analysis.inputs
    if settings.get("count") == "test":  # the popularity of items, in place of training ratings
        inputs = [name for name in inputs if name != "train"]
    return next(filter(None, (lacking(name, dataset) for name in inputs)), "")


def left_out():
    """Say which configured analyses are left out on datasets whose systems are runs."""
    lines = []
    for dataset in filter(runs_of, config["datasets"]):
        reasons = {}
        for name, analysis in registry.ANALYSES.items():
            study, _, short = name.partition("/")
            if short in config[study]["analyses"] and not analysis.constructed:
                reasons.setdefault(lacking(name, dataset), []).append(name)
        said = [f"  without {why}: {', '.join(names)}" for why, names in reasons.items() if why]
        lines += said and [f"Left out on {dataset}, if asked for:", *said]
    return "\n".join(lines)
