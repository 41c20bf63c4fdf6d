# What the rules look up about files for other tools.


def split_exports(wildcards):
    """Return the training ratings and the judgements of all configured datasets."""
    return expand(
        "results/{dataset}/trec/{file}",
        dataset=config["datasets"],
        file=["train.csv", "qrels.txt"],
    )


def trec_outputs(wildcards):
    """Return the same, and the lists of all recommenders."""
    return split_exports(wildcards) + expand(
        "results/{dataset}/trec/{recommender}.run",
        dataset=config["datasets"],
        recommender=config["recommenders"],
    )
