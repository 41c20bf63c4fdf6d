"""Fitted recommenders as files of arrays, for jobs that share the ranking of users."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import sound, write_arrays
from rankassay.artifacts.files import Pathlike, reading
from rankassay.artifacts.mapped import map_arrays
from rankassay.errors import RankassayError


def about(method: str, settings: Mapping[str, Any], train: sp.csr_matrix) -> dict[str, Any]:
    """Return a model's origin, which what ranks by it has to match: kernels look users up."""
    users, items = map(int, train.shape)
    of_train = {"users": users, "items": items, "ratings": int(train.nnz)}
    return json.loads(json.dumps({"method": method, "settings": settings, **of_train}))


def write_model(learned: dict, path: Pathlike, made: Mapping[str, Any] | None = None) -> None:
    """Write a fitted recommender: arrays, CSR matrices, numbers, texts, tuples of these."""
    arrays: dict[str, np.ndarray] = {}

    def outline(name: str, value) -> dict:
        if sp.issparse(value):
            matrix = sp.csr_matrix(value)
            parts = (matrix.data, matrix.indices, matrix.indptr)
            return {"csr": outline(name, parts), "shape": matrix.shape}
        if isinstance(value, tuple | list):
            return {"tuple": [outline(f"{name}.{i}", part) for i, part in enumerate(value)]}
        if isinstance(value, np.ndarray) and value.dtype != object:
            arrays[name] = value
            return {"array": name, "is": _outline(value)}
        value = value.item() if isinstance(value, np.generic) else value
        if not isinstance(value, bool | int | float | str | None):
            raise RankassayError(
                f"what is learned can be saved if it is arrays, sparse matrices, numbers, texts or "
                f"tuples of these; {name} is of type {type(value).__name__}. Change it, or set "
                "shards to 1."
            )
        return {"value": value}

    parts = {name: outline(name, value) for name, value in learned.items()}
    content = json.dumps({"made": made, "learned": parts})
    write_arrays([("outline", np.array(content)), *arrays.items()], path, compressed=False)


def read_model(path: Pathlike, made: Mapping[str, Any] | None = None) -> dict:
    """Read a model that `write_model` wrote; its arrays are read when they are used.

    Whole numbers, by which kernels index, are looked at once (2 ms a million). Raises
    RankassayError for anything else, and if it was not made as `made` says.
    """

    def value_of(part: dict):
        if "csr" in part:
            content, shape = value_of(part["csr"]), tuple(part["shape"])
            return sound(sp.csr_matrix(content, shape=shape, copy=False))
        if "tuple" in part:
            return tuple(map(value_of, part["tuple"]))
        if "array" not in part:
            return part["value"]
        if _outline(arrays[part["array"]]) != part["is"]:
            raise ValueError(f"{part['array']} is another array than the one that was written")
        return arrays[part["array"]]

    with reading(path, "a fitted recommender"):
        arrays = map_arrays(path)
        outline = json.loads(str(arrays["outline"]))
        learned = {name: value_of(part) for name, part in outline["learned"].items()}
        found = dict(outline["made"] or {})
    for key, expected in (made or {}).items():
        if found.get(key) != expected:
            raise RankassayError(
                f"{path}: expected a model that was fitted with {key} {expected}, found "
                f"{found.get(key)}; give the method, the settings and the training ratings of the "
                "model, or fit it again."
            )
    return learned


def _outline(array: np.ndarray) -> list:
    """Return the type and shape of an array and, of whole numbers, the least and the greatest."""
    ends = array.dtype.kind in "iu" and array.size
    return [array.dtype.str, [*array.shape], [int(array.min()), int(array.max())] if ends else []]
