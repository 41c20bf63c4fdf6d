"""How often a process looks for objects that hold each other and nobody else holds."""

import gc


def rarely() -> None:
    """Look more rarely: else it takes a quarter of importing modules, and a tenth of compiling."""
    gc.set_threshold(100_000, 50, 50)
