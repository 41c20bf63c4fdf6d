"""Objects by name: "module:attribute", imported on use, or a key of a table of names."""

import importlib
import traceback

from assayer.errors import AssayerError, unknown


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
