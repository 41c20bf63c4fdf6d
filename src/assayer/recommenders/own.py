"""The user's own recommenders: classes in files outside the package, named as "module:class"."""

import contextlib
import sys
import traceback
from collections.abc import Iterator

from assayer.errors import AssayerError


@contextlib.contextmanager
def blamed(method: str) -> Iterator[None]:
    """Say in one line, with the file, what goes wrong in a recommender of the user's own.

    Raises AssayerError in place of whatever else is raised meanwhile; nothing is changed for the
    recommenders of the package, whose `method` is a name of the catalogue.
    """
    try:
        yield
    except AssayerError:
        raise
    except (Exception, SystemExit) as error:
        module, _, name = method.partition(":")
        if not name:
            raise
        file = getattr(sys.modules.get(module), "__file__", None) or module
        lines = [
            own.lineno for own in traceback.extract_tb(error.__traceback__) if own.filename == file
        ]
        place = f"{file}, line {lines[-1]}" if lines else file
        raise AssayerError(
            f"{place}: {name} failed with {type(error).__name__}: {error}."
        ) from error
