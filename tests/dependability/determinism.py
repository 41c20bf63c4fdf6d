"""Run a part of the study twice, as differently as can be: `.../determinism.py [TARGET ...]`.

One core and two, another seed of Python's hashes, all keys of the configuration in reverse, another
folder whose name has blanks and letters beyond ASCII: the bytes of all artifacts must be the same.
The target `all` stands for the whole of config/test.yaml.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml
from crash import ENVIRONMENT, ROOT, TARGETS
from fuzz import shipped


def backwards(tree):
    """Return a configuration with the keys of every mapping in reverse."""
    if isinstance(tree, dict):
        return {key: backwards(value) for key, value in reversed(tree.items())}
    return tree


def run(folder, targets, config, cores, hash_seed):
    """Run the workflow in a folder with a configuration."""
    folder.mkdir(parents=True)
    file = folder / "config of this run.yaml"
    file.write_text(yaml.safe_dump(config, sort_keys=False, allow_unicode=True), encoding="utf-8")
    began = time.monotonic()
    process = subprocess.run(
        [
            *(sys.executable, "-m", "snakemake", "--snakefile", ROOT / "workflow/Snakefile"),
            *("--directory", folder, "--cores", str(cores), *targets, "--configfile", file),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=ENVIRONMENT | {"PYTHONHASHSEED": str(hash_seed)},
    )
    assert process.returncode == 0, process.stdout + process.stderr
    print(f"{cores} cores in {folder.name!r}: {time.monotonic() - began:.0f} s", flush=True)


def main(targets):
    """Run twice and compare; exit with the status of `verify`."""
    with tempfile.TemporaryDirectory() as work:
        plain, strange = Path(work) / "plain", Path(work) / "a straße" / "ἄλλη 结果"
        config = shipped("test")
        if targets == TARGETS:
            config = config | {"datasets": ["tiny"]}
        run(plain, targets, config, cores=1, hash_seed=0)
        run(strange, targets, backwards(config), cores=2, hash_seed=1)
        command = [sys.executable, "-m", "rankassay", "verify", plain, strange]
        return subprocess.run(command, check=False, env=ENVIRONMENT).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or TARGETS))
