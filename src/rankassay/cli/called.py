"""How the command line was called, for texts that show commands."""

import os
import sys
from pathlib import Path

MODULE = "python -m rankassay"
VARIABLE = (
    "RANKASSAY_CALLED"  # what a script that calls the module wants to be shown: `run` sets it
)


def program() -> str:
    """Return how the command line was called: by its own name, by a script, or as a module."""
    own = Path(sys.argv[0]).stem
    return own if own == "rankassay" else os.environ.get(VARIABLE, MODULE)
