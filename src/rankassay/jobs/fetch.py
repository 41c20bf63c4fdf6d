"""Job: find or download the files of a dataset."""

from collections.abc import Mapping
from typing import Any

from rankassay.artifacts.files import write_json
from rankassay.data import download


def fetch(
    dataset: str, source: Mapping[str, Any], raw_dir: str, output: str, first_use: str | None = None
) -> None:
    """Find the files of a dataset, or download them, and record their paths and checksums."""
    write_json(download.fetch(dataset, source, raw_dir, first_use=first_use), output)
