"""Entry point of `python -m assayer`, and of the command `assayer`."""

import gc
import os
import sys

from assayer.cli import fork_client, interrupts

interrupts.expect()

# Results must not depend on how many cores the machine has, and BLAS sums in another order on
# another number of threads. This has to be set before numpy is first imported.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"


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
