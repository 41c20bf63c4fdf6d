"""Datasets as readers see them."""

from collections.abc import Mapping
from typing import Any

# Names in place of a dataset's: of results that need none, and of those about all datasets.
PLACES = {"constructed": "Constructed rankings", "across": "Across datasets"}


def data_of(config: Mapping[str, Any], dataset: str) -> str:
    """Return the dataset whose data this is: of a variant another one, or else itself."""
    return config["variants"].get(dataset, {}).get("of", dataset)


def entry_of(config: Mapping[str, Any], dataset: str) -> Mapping[str, Any]:
    """Return the entry of the catalogue for a dataset, or for the data of a variant."""
    return config["dataset_catalogue"][data_of(config, dataset)]


def dataset_title(config: Mapping[str, Any], dataset: str) -> str:
    """Return the name of a dataset, a variant or one of `PLACES` for readers."""
    if dataset in PLACES:
        return PLACES[dataset]
    variant, entry = config["variants"].get(dataset), entry_of(config, dataset)
    title = entry.get("label", data_of(config, dataset)) + " (synthetic)" * (
        entry["kind"] == "synthetic"
    )
    return f"{title}, {variant['label']}" if variant else title
