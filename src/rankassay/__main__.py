"""Entry point of `python -m rankassay`, and of the command `rankassay`."""

import gc
import sys

if __name__ == "__main__" and __spec__ and not sys.flags.safe_path:
    del sys.path[0]  # the current folder, whose modules are the user's

from rankassay.cli import fork_client, process

process.replace_closed_outputs()
process.escape_unknown()
process.expect_interrupt()
process.use_one_thread()


def main() -> int:
    """Run a command or a job, and return its exit status."""
    if (status := fork_client.elsewhere(sys.argv[1:])) is not None:
        return status
    process.collect_rarely()

    from rankassay.cli.main import main as here

    try:
        return here()
    finally:
        gc.freeze()  # else all is looked at once more as the process ends


if __name__ == "__main__":
    sys.exit(main())
