"""Entry point of `python -m rankassay`, and of the command `rankassay`."""

import gc
import sys

from rankassay.cli import fork_client, garbage, interrupts, memory, streams, threads

streams.replace_closed()
streams.escape_unknown()
interrupts.expect()
threads.one()


def main() -> int:
    """Run a command or a job, and return its exit status."""
    if (status := fork_client.elsewhere(sys.argv[1:])) is not None:
        return status
    garbage.rarely()
    memory.keep()

    from rankassay.cli.main import main as here

    try:
        return here()
    finally:
        gc.freeze()  # else all is looked at once more as the process ends


if __name__ == "__main__":
    sys.exit(main())
