# What the rules look up about published means.

import csv


def published_path():
    """Return the file of the published means of systems."""
    return os.path.relpath(BASE / "data/published/robustness/system-means.csv")


@functools.cache
def published_systems():
    """Return the published dataset and recommender pairs."""
    with open(published_path(), encoding="utf-8") as file:
        return {(row["dataset"], row["recommender"]) for row in csv.DictReader(file)}


def compared_recommenders(dataset):
    """Return the configured recommenders whose means on a dataset were published."""
    return [name for name in config["recommenders"] if (dataset, name) in published_systems()]


def can_compare(dataset):
    """Say whether systems on a dataset have published means, and lists as long as the authors'."""
    return config["depth"] >= 100 and bool(compared_recommenders(dataset))


def fidelity_outputs(wildcards):
    """Return the comparisons of all datasets that can be compared; an error if none can."""
    datasets = [name for name in config["datasets"] if compared_recommenders(name)]
    if not datasets:
        known = ", ".join(sorted({dataset for dataset, _ in published_systems()}))
        # Snakemake would wrap any other exception in a traceback.
        sys.exit(
            "assayer: fidelity: no configured dataset has published means of a configured "
            f"recommender; published are {known}."
        )
    return expand(
        "results/{dataset}/{table}.csv", dataset=datasets, table=["fidelity", "fidelity-summary"]
    ) + expand("figures/fidelity/{dataset}.{kind}", dataset=datasets, kind=["pdf", "svg", "png"])


def compared_rankings(wildcards):
    """Return the rankings of the systems that are compared on a dataset; an error if none are."""
    recommenders = compared_recommenders(wildcards.dataset)
    if not recommenders:
        sys.exit(f"assayer: no configured recommender has published means on {wildcards.dataset}.")
    return [f"results/{wildcards.dataset}/rankings/{name}.npz" for name in recommenders]


def compared_arguments(wildcards, input):
    """Return RECOMMENDER:LABEL=PATH for the systems that are compared, quoted for the shell."""
    labels = config["recommender_catalogue"]
    recommenders = compared_recommenders(wildcards.dataset)
    names = [f"{name}:{labels[name]['label']}" for name in recommenders]
    return named_arguments(names, input.rankings)


def fidelity_panels(wildcards):
    """Return the dataset that a comparison shows, as JSON."""
    title = dataset_title(wildcards.dataset)
    return json.dumps({"panels": [{"dataset": wildcards.dataset, "title": title}]})
