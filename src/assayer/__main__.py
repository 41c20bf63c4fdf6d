"""Entry point of `python -m assayer`, and of the command `assayer`."""

import gc
import sys

from assayer.cli import fork_client, interrupts, threads

interrupts.expect()
threads.one()


def main() -> int:
    """Run a command or a job, and return its exit status."""
    if (status := fork_client.elsewhere(sys.argv[1:])) is not None:
        return status
    # Looking for cycles among all that was imported takes a quarter of what starting Python takes:
    # while modules are imported, and again when the process ends.
    gc.set_threshold(100_000, 50, 50)

    from assayer.cli.main import main as here

    try:
        return here()
    finally:
        gc.freeze()


if __name__ == "__main__":
    sys.exit(main())
