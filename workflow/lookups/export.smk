# What the rules look up about TREC files.


def trec_outputs(wildcards):
    """Return the judgements of all configured datasets, and the lists of all recommenders."""
    return expand(
        "results/{dataset}/trec/{file}",
        dataset=config["datasets"],
        file=["qrels.txt", *(f"{recommender}.run" for recommender in config["recommenders"])],
    )
