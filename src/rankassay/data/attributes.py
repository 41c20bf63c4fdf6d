"""Attributes in the order of a dataset's users or items, and which groups are too small."""

import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from rankassay.errors import RankassayError, number_of
from rankassay.types import Texts

log = logging.getLogger(__name__)

OTHER = "other"
HAIR = 1e-6  # of a user: 0.29 of 100 is a little less than 29 in floating point


def values_of(
    values: Mapping[str, str],
    described: Mapping[str, Any],
    ids: Texts,
    what: tuple[str, str, str],
) -> Texts:
    """Return the value of one attribute for each user or item, str (n,), empty for none.

    `values` are those of the attribute by id; of ids that the dataset does not have they are
    ignored. Its description has the largest share that may be `missing` (default 0), and the
    `min_size` of groups (default 1), of which smaller ones are put together as "other". `what` has
    the file, whose ids they are, and the attribute, for messages.
    """
    path, kind, name = what
    found = [values.get(own, "") for own in ids.tolist()]
    missing = found.count("")
    allowed = described.get("missing", 0)
    if missing > allowed * len(found) + HAIR:
        without = ids[found.index("")]
        share = -(-(10**4) * missing // len(found)) / 1e4
        raise RankassayError(
            f"{path}: expected the {name} of all {number_of(len(found), kind)}"
            f"{f' but a share of {allowed:g}' if allowed else ''}, found that of "
            f"{len(found) - missing}; it is missing for '{without}', for instance. Complete the "
            f"file, or raise 'missing' of the attribute to {share:g}."
        )
    sizes = Counter(filter(None, found))
    small = {group for group, n in sizes.items() if n < described.get("min_size", 1)}
    found = [OTHER if group in small else group for group in found]
    groups = Counter(filter(None, found))
    if len(groups) < 2:
        raise RankassayError(
            f"{path}: expected two groups of {kind}s by {name}, or more, found "
            f"{', '.join(map(repr, groups)) or 'none'}; correct how the attribute is read, or "
            "remove it."
        )
    alone = [group for group, n in groups.items() if n == 1]
    log.info(
        "%s: %s of %ss, %d of them of one; %s of no group",
        *(name, number_of(len(groups), "group"), kind, len(alone), number_of(missing, kind)),
    )
    return np.array(found, dtype=np.str_)
