"""What do the checks of artifacts cost in a run?

    ./run python benchmarks/checks.py RAW_DIR FOLDER [DATASET]

Runs the study of a dataset, MovieLens 1M if not named, in an empty folder, which is kept. Each
process of the run adds up the seconds that it spends in checksums, and in looking at indices before
kernels use them. They are compared with all CPU seconds of the run.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Python runs this at the start of each process, from the folder of the package: a copy, since that
# is where all jobs look for it. The package is not imported before.
SITE = """
import atexit, functools, os, sys, time
spent, depth = dict(), [0]

def timed(owner, name):
    function = getattr(owner, name)
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        depth[0] += 1
        start = time.process_time()
        try:
            return function(*args, **kwargs)
        finally:
            depth[0] -= 1
            if not depth[0]:
                spent[name] = spent.get(name, 0) + time.process_time() - start
    setattr(owner, name, wrapper)

@atexit.register
def write():
    if spent:
        with open(os.path.join({folder!r}, str(os.getpid())), "w") as file:
            file.writelines(f"{{name}} {{value}}\\n" for name, value in spent.items())

if "rankassay" in sys.orig_argv or "snakemake" in sys.orig_argv:
    from rankassay.artifacts import checksums
    for name in ("checksum", "checked"):
        timed(checksums, name)
    from rankassay.artifacts import arrays
    timed(arrays, "sound")
    timed(arrays.Rankings, "_sound")
"""


def main(raw: str, folder: str, dataset: str = "ml-1m") -> None:
    """Run the study of a dataset in a folder, and print the seconds."""
    with tempfile.TemporaryDirectory() as copy:
        spent = Path(copy, "spent")
        spent.mkdir()
        for name in ("Snakefile", "environment.yml", "config", "workflow", "src"):
            copied = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copied(ROOT / name, Path(copy, name))
        Path(copy, "src/sitecustomize.py").write_text(SITE.format(folder=str(spent)))
        command = [sys.executable, "-m", "snakemake", "--cores", "2"]
        command += ["--snakefile", Path(copy, "workflow/Snakefile"), "--directory", folder]
        command += ["--config", f"raw_dir={Path(raw).resolve()}", f'datasets=["{dataset}"]']
        environment = os.environ | {"PYTHONPATH": str(Path(copy, "src"))}
        subprocess.run(command, check=True, env=environment)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        total = used.ru_utime + used.ru_stime
        found: dict[str, float] = {}
        for path in spent.iterdir():
            for line in path.read_text().splitlines():
                name, value = line.split()
                found[name] = found.get(name, 0) + float(value)
        for name, value in found.items():
            print(f"{name}: {value:.1f} s")
        part = sum(found.values())
        print(f"checks: {part:.1f} of {total:.0f} CPU seconds, {part / total:.2%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
