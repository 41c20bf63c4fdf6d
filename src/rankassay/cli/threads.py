"""One thread for each process, in place of numpy's default."""

import os


def one() -> None:
    """Let BLAS and OpenMP use one thread; to be called before numpy is first imported.

    Results must not depend on how many cores the machine has, and BLAS sums in another order on
    another number of threads.
    """
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
