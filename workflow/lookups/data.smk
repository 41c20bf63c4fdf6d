# What the rules look up about datasets and recommenders.


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


def has_aspects(dataset):
    """Say whether the items of a dataset have aspects; those of synthetic data always do."""
    entry = dataset_entry(dataset)
    return entry["kind"] == "synthetic" or not {"aspects", "aspects_path"}.isdisjoint(entry)


def dataset_title(dataset):
    """Return the name of a dataset for readers; synthetic data always says so."""
    if dataset == "constructed":
        return "Constructed rankings"
    entry = dataset_entry(dataset)
    return f"{entry['label']} (synthetic)" if entry["kind"] == "synthetic" else entry["label"]


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
    return stage_code("recommend", registry.recommender(method))
