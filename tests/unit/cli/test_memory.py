"""What becomes of memory: the next arrays get what the last ones had."""

import platform
import subprocess
import sys

import pytest

ARRAYS = """
import resource
import sys

import numpy as np

from rankassay.cli import memory

if sys.argv[1:]:
    memory.keep()
for _ in range(20):
    arrays = [np.zeros(300_000) + 1 for _ in range(40)]  # of 2.4 MB
    del arrays
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
"""


@pytest.mark.slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries have no such option")
def test_pages_are_not_asked_for_again():
    plain, kept = (
        int(subprocess.check_output([sys.executable, "-c", ARRAYS, *words]))
        for words in ((), ("keep",))
    )
    assert kept < plain / 3
