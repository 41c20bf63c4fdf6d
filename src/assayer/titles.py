"""Names as readers see them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

CONSTRUCTED = "Constructed rankings"
# By what the field calls it, where that is not the name in the registry.
METRIC_NAMES = {
    "R": "Recall",
    "AP": "MAP",
    "RR": "MRR",
    "Bpref": "bpref",
    "alpha_nDCG": "α-nDCG",
    "alpha_beta_nDCG": "αβ-nDCG",
    "S_Recall": "S-Recall",
    "S_RR": "S-RR",
    "S_RR(aspects='judged')": "S-RR",
    "ERR_IA": "ERR-IA",
}


def metric_name(name: str) -> str:
    """Return a metric's name for readers; of one of the user's own, without its module."""
    return METRIC_NAMES.get(name) or re.sub(r"^[\w.]+:", "", name)


def dataset_title(config: Mapping[str, Any], dataset: str) -> str:
    """Return the name of a dataset or variant for readers; synthetic data always says so.

    Parameters
    ----------
    config
        The merged configuration of a run.
    dataset
        One of its datasets, or "constructed", the place of what needs no dataset.
    """
    if dataset == "constructed":
        return CONSTRUCTED
    variant = config["variants"].get(dataset)
    name = variant["of"] if variant else dataset
    entry = config["dataset_catalogue"][name]
    title = entry.get("label", name) + " (synthetic)" * (entry["kind"] == "synthetic")
    return f"{title}, {variant['label']}" if variant else title


def listed(names: Sequence[str]) -> str:
    """Return names as words.

    >>> listed(["P", "MAP", "nDCG"])
    'P, MAP and nDCG'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
