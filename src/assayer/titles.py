"""Moved: until `assayer.claims.lists` and `docs/formats.py` import from the new places."""

from assayer.config.titles import CONSTRUCTED, dataset_title  # noqa: F401
from assayer.drawing.text import listed  # noqa: F401
from assayer.metrics.catalogue import label as metric_name  # noqa: F401
