# What the rules look up about work that several jobs share.

# Analyses that the jobs of a run share among them.
BY_MEASURE = [name for name, analysis in registry.ANALYSES.items() if analysis.by_measure]


def measure_shards():
    """Return how many jobs share the measures: there is no more to share than there are measures."""
    metrics = config["metrics"]
    return min(config["shards"], len(metrics["names"]) * len(metrics["cutoffs"]))


def parts(pattern, count):
    """Return a function of the wildcards: the files of all shards, in order."""
    return lambda wildcards: expand(
        pattern, shard=range(1, count + 1), **dict(wildcards.items()), allow_missing=True
    )


def shard_inputs(wildcards):
    """Return the artifacts that a shard of an analysis reads, by name; of others' its own shard."""
    paths = analysis_inputs(as_analysis(wildcards))
    shards = f"results/{wildcards.dataset}/shards"
    if "scores" in paths:
        paths["scores"] = f"{shards}/scores/{wildcards.shard}.npz"
    for name in set(BY_MEASURE).intersection(paths):
        paths[name] = f"{shards}/{name}/{wildcards.shard}.csv"
    return paths


def shard_arguments(wildcards, input):
    """Return the artifacts that a shard reads as NAME=PATH, quoted for the shell."""
    return named_inputs(shard_inputs(wildcards), wildcards, input)
