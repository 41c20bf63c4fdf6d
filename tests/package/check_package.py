"""The wheel and the source package, made and used as a user would: a step of .ci/run.

It needs the packages of requirements-package.lock. They are built and looked at by twine; the wheel
is installed with the light core alone, by every Python from 3.11 on that is found here, into empty
environments, where the README's example in Python gives what the README says; and the workflow
inside it runs in an empty folder.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rankassay import __version__

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
BLOCK = re.compile(r"^```python\n(.*?)^```\n+```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def call(*command, folder, **more):
    """Run a command with nothing of this project in its environment; return what it prints."""
    hidden = ("PYTHONPATH", "VIRTUAL_ENV", "NUMBA_CACHE_DIR")
    environment = {k: v for k, v in os.environ.items() if k not in hidden} | more
    process = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return process.returncode, process.stdout, process.stderr


def succeed(*command, folder, **more):
    """Run a command that has to succeed; return what it prints."""
    status, out, said = call(*command, folder=folder, **more)
    if status:
        sys.exit(f"package: {' '.join(map(str, command))}: status {status}\n{out}{said}")
    return out


def packages(folder):
    """Build the wheel and the source package, have twine look at them, and return the wheel."""
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT]
    path = {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    succeed(*build, folder=folder, **path)
    files = sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")])
    assert len(files) == 2, files
    succeed(sys.executable, "-m", "twine", "check", "--strict", *files, folder=folder, **path)
    print("package:", ", ".join(f"{file.name} {file.stat().st_size // 1000} kB" for file in files))
    assert all(f"rankassay-{__version__}" in file.name for file in files), files
    return next(file for file in files if file.suffix == ".whl")


def pythons():
    """Yield the Pythons of each version that are on this machine and can make environments."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in VERSIONS:
        found = [shutil.which(f"python{version}"), *pyenv.glob(f"{version}.*/bin/python")]
        for python in filter(None, found):
            if call(python, "-c", "import ensurepip, venv", folder=ROOT)[0] == 0:
                yield version, python
                break
        else:
            print(f"package: Python {version}: not tried, none is here")


def use(python, wheel, folder):
    """Install the wheel with the light core into an empty environment, and use it."""
    succeed(python, "-m", "venv", folder / "env", folder=folder)
    own = folder / "env/bin/python"
    install = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    succeed(*install, "--require-hashes", "-r", ROOT / "requirements-core.lock", folder=folder)
    succeed(*install, "--no-deps", wheel, folder=folder)
    examples = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert examples, "README.md has no example in Python"
    for code, expected in examples:
        out = succeed(own, "-c", code, folder=folder)
        assert out == expected, f"README.md says\n{expected}but it is\n{out}"
    command = folder / "env/bin/rankassay"
    (folder / "qrels").write_text("ann 0 film 5\n")
    (folder / "a.run").write_text("ann Q0 book 1 2 a\nann Q0 film 2 1 a\n")
    out = succeed(command, "evaluate", "qrels", "a.run", "-m", "RR@10", folder=folder)
    assert out.split() == ["run", "RR@10", "a", "0.5000"], out
    for command_line in (["run"], ["datasets"]):
        status, _, said = call(command, *command_line, folder=folder)
        assert status == 1, said
        assert re.fullmatch(r"rankassay \w+: .* pip install '\.\[\w+\]'\n", said), said


def workflow(wheel, folder):
    """Run a part of the workflow in an environment with the wheel and all it needs."""
    succeed(sys.executable, "-m", "venv", folder / "env", folder=folder)
    install = [folder / "env/bin/python", "-m", "pip", "install", "--quiet", "--no-compile"]
    succeed(*install, "--require-hashes", "-r", ROOT / "requirements.lock", folder=folder)
    succeed(*install, "--no-deps", wheel, folder=folder)
    run = [folder / "env/bin/rankassay", "run", "results/tiny/means.csv"]
    out = succeed(*run, "--configfile", "test", "--cores", "2", folder=folder)
    assert (folder / "results/tiny/means.csv").is_file(), out
    manifest = (folder / "results/manifest.json").read_text(encoding="utf-8")
    assert '"src/rankassay/metrics/ndcg.py"' in manifest


def main():
    """Check both packages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "dist").mkdir()
        wheel = packages(folder / "dist")
        for version, python in pythons():
            (folder / version).mkdir()
            use(python, wheel, folder / version)
            print(f"package: Python {version}: the README's example, and the command: right")
        (folder / "run").mkdir()
        workflow(wheel, folder / "run")
        print("package: the workflow runs where the wheel is installed")


if __name__ == "__main__":
    main()
