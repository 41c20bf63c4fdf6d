# What the rules look up about the claims of papers.


def claims_path(study):
    """Return the file of a study's claims, of the run's folder or else of the project."""
    path = config["claims"][study]
    return path if Path(path).is_file() else os.path.relpath(BASE / path)


def claims_paths():
    """Return the files of the claims of all studies."""
    return [claims_path(study) for study in config["claims"]]


def verdict_paths():
    """Return the verdicts on each dataset that can test a claim."""
    return [
        f"results/{dataset}/{study}/{analysis}.csv"
        for study in config["claims"]
        for analysis in ("claims", "constructed-claims")
        if analysis in config[study]["analyses"]
        for dataset in analysis_datasets(f"{study}/{analysis}")
    ]


def verdict_publications():
    """Return the figures and tables of verdicts."""
    outputs = [path for study in config["claims"] for path in study_outputs(study)]
    return [path for path in outputs if Path(path).stem == "claims"]


def verdict_arguments(wildcards, input):
    """Return STUDY=PATH for the verdicts on each dataset, quoted for the shell."""
    return named_arguments([Path(path).parent.name for path in input.verdicts], input.verdicts)


def claims_arguments(wildcards, input):
    """Return STUDY=PATH for the claims of each study, quoted for the shell."""
    return named_arguments(config["claims"].keys(), input.claims)
