"""Datasets as readers see them."""

from collections.abc import Mapping
from typing import Any

# What stands in place of a dataset: of what needs none, and of what is about all of them.
PLACES = {"constructed": "Constructed rankings", "across": "Across datasets"}


def dataset_title(config: Mapping[str, Any], dataset: str) -> str:
    """Return the name of a dataset or variant for readers; synthetic data always says so.

    Parameters
    ----------
    config
        The merged configuration of a run.
    dataset
        One of its datasets, or one of `PLACES`.
    """
    if dataset in PLACES:
        return PLACES[dataset]
    variant = config["variants"].get(dataset)
    name = variant["of"] if variant else dataset
    entry = config["dataset_catalogue"][name]
    title = entry.get("label", name) + " (synthetic)" * (entry["kind"] == "synthetic")
    return f"{title}, {variant['label']}" if variant else title
