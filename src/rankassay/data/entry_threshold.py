"""The threshold of a dataset whose catalogue entry gives none."""

from collections.abc import Mapping
from typing import Any

from rankassay.data.readers import judgements
from rankassay.data.reading import lines_of
from rankassay.metrics.relevance import usual_threshold


def entry_threshold(name: str, entry: Mapping[str, Any]) -> tuple[float, str]:
    """Return the usual threshold of the ratings in a dataset's own file, and of which scale it is.

    The entry, completed, is of the kind `file` or `qrels`.
    """
    path = entry["path"]
    table = judgements.read(path, entry) if entry["kind"] == "qrels" else lines_of(path, entry)
    place = f"config: dataset_catalogue.{name}: {path}"
    return usual_threshold(table["rating"].to_numpy(), place, "the key 'threshold'")
