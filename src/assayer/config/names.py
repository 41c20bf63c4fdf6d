"""Whether what a configuration names is there, and takes the settings that it is given."""

import inspect
from collections.abc import Callable, Iterable

from assayer.errors import AssayerError, unknown


def check_name(place: str, kind: str, name: str, names: Iterable[str]) -> None:
    """Raise AssayerError, with the place in the configuration, unless a name is a known one."""
    if name not in list(names):  # a name may be anything that YAML can hold
        raise AssayerError(f"{place} {unknown(kind, name, names)}")


def check_settings(
    place: str, function: Callable, settings: dict, given: Iterable[str] = ()
) -> None:
    """Check that a class or function takes these settings, and gets all that it needs.

    Parameters
    ----------
    place : str
        Where the settings stand, for the message.
    function : callable
        Whose parameters they are.
    settings : dict
    given : iterable of str
        Parameters that are no settings.
    """
    parameters = {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in given
    }
    for name in settings:
        if name not in parameters:
            raise AssayerError(f"{place}: {unknown('setting', name, parameters or ['none'])}")
    for name, parameter in parameters.items():
        if parameter.default is inspect.Parameter.empty and name not in settings:
            raise AssayerError(f"{place}: the setting '{name}' is missing.")
