# What the rules look up about datasets and recommenders.


def data_of(dataset):
    """Return the dataset whose data this is: of a variant another one, or else itself."""
    return config["variants"][dataset]["of"] if dataset in config["variants"] else dataset


def dataset_entry(dataset):
    """Return the catalogue entry of a dataset, or of the data of a variant."""
    return config["dataset_catalogue"][data_of(dataset)]


def ratings_path(wildcards):
    """Return the ratings of a dataset; its variants share them."""
    return f"data/processed/{data_of(wildcards.dataset)}/ratings.npz"


def split_seed(wildcards):
    """Return the seed of the split of a dataset."""
    return config["variants"].get(wildcards.dataset, {}).get("split_seed", config["seed"])


def source_spec(wildcards):
    """Return what reading a dataset depends on, as JSON: its entry without the words about it."""
    entry = dataset_entry(wildcards.dataset)
    words = ("label", "licence", "threshold", "claims_of")
    return json.dumps({key: value for key, value in entry.items() if key not in words})


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
    return titles.dataset_title(config, dataset)


def recommender_seed(wildcards):
    """Return the seed of one recommender on one dataset."""
    return derive(config["seed"], data_of(wildcards.dataset), wildcards.recommender)


def recommender_spec(wildcards, key):
    """Return a recommender's catalogue entry with the settings for a dataset."""
    entry = config["recommender_catalogue"][wildcards.recommender]
    special = entry.get("datasets", {})
    settings = entry.get("settings", {}) | special.get(data_of(wildcards.dataset), {})
    settings |= special.get(wildcards.dataset, {})
    return {"method": entry["method"], "settings": json.dumps(settings)}[key]


def recommender_code(wildcards, stage="recommend"):
    """Return the code of a stage and of the one recommender."""
    method = config["recommender_catalogue"][wildcards.recommender]["method"]
    return stage_code(stage, registry.recommender(method))
