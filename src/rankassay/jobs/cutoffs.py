"""The cut-off at which a job shows a study's results."""

from collections.abc import Mapping
from typing import Any

from rankassay.advice.cutoffs import among
from rankassay.artifacts.files import read_json


def cutoff(chosen: int | Mapping[str, Any]) -> int:
    """Return a study's cut-off; one that follows the data is found in the advice on its datasets.

    Of the `possible` ones it is the deepest that suits all datasets, whose `advice` are files:
    {"possible": [...], "advice": [...]}.
    """
    if not isinstance(chosen, Mapping):
        return chosen
    advised = [read_json(path)["data"]["cutoff"] for path in chosen["advice"]]
    return among(chosen["possible"], advised)
