# What the rules look up about the claims of papers.


def claimed_datasets():
    """Return the configured datasets that can test a claim: synthetic data never does."""
    return [name for name in config["datasets"] if dataset_entry(name)["kind"] != "synthetic"]


def verdict_arguments(wildcards, input):
    """Return STUDY=PATH for the verdicts on each dataset, quoted for the shell."""
    studies = [Path(path).parent.name for path in input.verdicts]
    return named_arguments(studies, input.verdicts)


def claims_arguments(wildcards, input):
    """Return STUDY=PATH for the claims of each study, quoted for the shell."""
    return named_arguments(config["claims"].keys(), input.claims)
