"""Write docs/developers/licences.md, the licences of what is installed: `python .../licences.py`.

They are read from the packages themselves, so that the environment must be the locked one.
"""

import importlib.metadata
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/developers/licences.md"
# Locked for other systems, and so not installed on every one.
ELSEWHERE = {"colorama": "BSD-3-Clause", "pyreadline3": "BSD-3-Clause"}
LONGEST = 60  # some packages put the whole text where its name should be

HEAD = """\
# Licences

rankassay is under the MIT licence (`LICENSE`). It contains no code of others: it installs the
packages below, which keep their own licences, as they state them. A test keeps this page in step
with `requirements.lock` and with what is installed, and fails for any licence under which rankassay
could not be used as MIT software (GPL, AGPL, SSPL, non-commercial terms). Where the lock has one
version for some versions of Python and another for the others, the words are those of one of them.

docutils names the GPL for an editor mode among its tools, which rankassay never uses; the parts
that it imports are in the public domain or under BSD licences.

| package | licence |
|---|---|
"""


def locked():
    """Return the versions that the lock has of each package, which depend on Python's, by name."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    versions = {}
    for name, version in sorted(re.findall(r"^([a-z0-9][\w.-]*)==(\S+)", lock, re.MULTILINE)):
        versions.setdefault(name, []).append(version)
    return versions


def licence(name):
    """Return what an installed package says of its licence, or None if it is not installed."""
    try:
        package = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return ELSEWHERE.get(name)
    said = package.metadata.get("License-Expression") or package.metadata.get("License") or ""
    if said and len(said) <= LONGEST and "\n" not in said:
        return said
    classifiers = package.metadata.get_all("Classifier") or []
    named = [text.rpartition(" :: ")[2] for text in classifiers if text.startswith("License ::")]
    return " or ".join(named) or _first_line(package)


def _first_line(package):
    """Return the first line of the licence file that a package brings."""
    for file in package.files or ():
        if re.match(r"(?i)licen[cs]e|copying", file.name):
            return file.read_text().strip().splitlines()[0].strip("# ")
    return "not stated"


def page():
    """Return the page."""
    return HEAD + "".join(f"| {name} | {licence(name)} |\n" for name in locked())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {len(locked())} packages")
