"""What a recommender has learned, as a file of arrays, for jobs that share the ranking of users."""

import json

import numpy as np
import scipy.sparse as sp

from assayer.artifacts.arrays import write_arrays
from assayer.artifacts.files import Pathlike, reading
from assayer.artifacts.mapped import map_arrays
from assayer.errors import AssayerError


def write_model(learned: dict, path: Pathlike) -> None:
    """Write what a recommender has learned: arrays, CSR matrices, numbers, texts, tuples of these.

    Raises AssayerError for an attribute that is none of these.
    """
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
            return {"array": name}
        value = value.item() if isinstance(value, np.generic) else value
        if not isinstance(value, bool | int | float | str | None):
            raise AssayerError(
                f"what is learned can be saved if it is arrays, sparse matrices, numbers, texts or "
                f"tuples of these; {name} is of type {type(value).__name__}. Change it, or set "
                "shards to 1."
            )
        return {"value": value}

    content = json.dumps({name: outline(name, value) for name, value in learned.items()})
    write_arrays([("outline", np.array(content)), *arrays.items()], path, compressed=False)


def read_model(path: Pathlike) -> dict:
    """Read a model that `write_model` wrote; its arrays are read when they are used.

    Raises AssayerError for anything else.
    """

    def made(part: dict):
        if "csr" in part:
            return sp.csr_matrix(made(part["csr"]), shape=tuple(part["shape"]), copy=False)
        if "tuple" in part:
            return tuple(map(made, part["tuple"]))
        return arrays[part["array"]] if "array" in part else part["value"]

    with reading(path, "a fitted recommender"):
        arrays = map_arrays(path)
        outline = json.loads(str(arrays["outline"]))
        return {name: made(part) for name, part in outline.items()}
