"""Entry point of `python -m assayer`, and of the command `assayer`."""

import os
import sys

from assayer.cli import interrupts

interrupts.expect()

# Results must not depend on how many cores the machine has, and BLAS sums in another order on
# another number of threads. This has to be set before numpy is first imported.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

from assayer.cli.main import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
