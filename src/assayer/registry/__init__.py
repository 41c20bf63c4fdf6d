"""The names that a configuration may use, each with the object that it stands for.

Adding a recommender, metric, analysis, figure or table is one file and one line here: in
`recommenders`, `metrics`, or the module of a study, whose names are prefixed with its own, as in
robustness/sparsity. Objects are named as "module:attribute" and imported on use, so that this
package stays light: the workflow imports it to know what depends on what.
"""

import importlib
import re
import traceback

from assayer.errors import AssayerError, unknown
from assayer.registry import (
    aggregation,
    definitions,
    diversity,
    fidelity,
    goals,
    robustness,
    sampling,
)
from assayer.registry.entries import Analysis, Figure, Table
from assayer.registry.metrics import COUNTING_ITEMS, DIVERSITY_METRICS, METRICS
from assayer.registry.recommenders import READERS, RECOMMENDERS

__all__ = [
    "ANALYSES",
    "COUNTING_ITEMS",
    "DIVERSITY_METRICS",
    "FIGURES",
    "METRICS",
    "READERS",
    "RECOMMENDERS",
    "TABLES",
]
STUDIES = (robustness, aggregation, definitions, diversity, goals, sampling, fidelity)


def _entries(kind: str) -> dict:
    """Return the entries of all studies, by study and name."""
    return {
        f"{study.__name__.rpartition('.')[2]}/{name}": entry
        for study in STUDIES
        for name, entry in getattr(study, kind, {}).items()
    }


ANALYSES: dict[str, Analysis] = _entries("ANALYSES")
FIGURES: dict[str, Figure] = _entries("FIGURES")
TABLES: dict[str, Table] = _entries("TABLES")


def studies() -> list[str]:
    """Return the studies that have analyses."""
    return list(dict.fromkeys(name.partition("/")[0] for name in ANALYSES))


def needs(name: str) -> set[str]:
    """Return all that an analysis reads, and what that was made from, by name."""
    inputs = ANALYSES[name].inputs if name in ANALYSES else ()
    return set(inputs).union(*map(needs, inputs))


def of_study(table: dict, study: str) -> dict:
    """Return the entries of one study, by their names within it."""
    prefix = f"{study}/"
    return {k.removeprefix(prefix): v for k, v in table.items() if k.startswith(prefix)}


def recommender(method: str) -> str:
    """Return "module:class" for a method: a name of the registry, or a class of the user's own.

    The latter is written as "module:class" already, and imported from the folder of the run or
    from wherever Python finds the module.
    """
    return method if ":" in method else find("method", method, RECOMMENDERS)


def metric(name: str) -> str:
    """Return "module:function" for a metric: a name of the registry, or a function of the user's.

    The latter is written as "module:function", as with `recommender`.
    """
    return name if ":" in name else find("metric", name, METRICS)


def bare(measure: str) -> str:
    """Return the name of a measure's metric, without parameters and cut-off.

    >>> bare("nDCG(gain='exp')@10")
    'nDCG'
    """
    return re.match(r"\s*([^(@\s]*)", measure)[1]


def module_of(target: str) -> str:
    """Return the module part of a "module:attribute" name."""
    return target.partition(":")[0]


def load(target: str):
    """Import and return the object that "module:attribute" names."""
    module, _, attribute = target.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise AssayerError(
            f"cannot load '{target}': {error}; expected module:attribute, with the module in the "
            "folder of the run or installed."
        ) from error
    except Exception as error:  # whatever the code of the user's own module may raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = "" if isinstance(error, SyntaxError) else f" ({last.filename}, line {last.lineno})"
        raise AssayerError(
            f"cannot load '{target}': {type(error).__name__}: {error}{where}."
        ) from error


def find(kind: str, name: str, table: dict):
    """Return `table[name]`; raises AssayerError naming the nearest known name."""
    if name not in table:
        raise unknown(kind, name, table)
    return table[name]
