"""How often a process collects garbage: objects that only refer to each other."""

import gc


def rarely() -> None:
    """Collect rarely: else it takes a quarter of importing modules, and a tenth of compiling."""
    gc.set_threshold(100_000, 50, 50)
