"""Look at what is installed and at what is committed: `.../supply_chain.py [--advisories FOLDER]`.

It needs the packages of requirements-audit.lock, and does three things. It searches the committed
files for secrets. It writes the list of all parts (SBOM, CycloneDX) to FILE of `--sbom FILE`, and
compares it with the lock. It compares the locks with known vulnerabilities, and fails if one is
named there: with those that the package index knows, or, where nobody answers, with what
docs/advisories.json says of an earlier comparison, how old it is, and what it did not cover.

`--advisories FOLDER` compares with a checkout of the PyPA's advisory database instead
(github.com/pypa/advisory-database), and writes docs/advisories.json.
"""

import argparse
import datetime
import json
import re
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

import yaml
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "docs/advisories.json"
LOCKS = sorted(ROOT.glob("requirements*.lock"))
# Texts that look random are no secrets here: hashes, seeds, checksums.
NOT_SECRETS = ("HexHighEntropyString", "Base64HighEntropyString")
# The packages stand in PYTHONPATH, which is hidden from what they look at.
START = """
import os, runpy, sys
del os.environ["PYTHONPATH"], sys.argv[0]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def locked(path):
    """Return the versions of a lock, by package."""
    text = path.read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\]+)", text, re.MULTILINE))


def packages():
    """Return the versions of all locks, by package."""
    return {name: version for path in LOCKS for name, version in locked(path).items()}


def program(*arguments):
    """Run one of the packages of requirements-audit.lock and return what it prints."""
    process = subprocess.run(
        [sys.executable, "-c", START, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    # pip-audit's status is 1 if it found something.
    if process.returncode not in (0, 1) or not process.stdout:
        sys.exit(f"supply chain: {' '.join(map(str, arguments))} failed: {process.stderr}")
    return process.stdout


def secrets(folder):
    """Return the places of what looks like a secret in the files of a folder, if git has them."""
    disabled = [word for name in NOT_SECRETS for word in ("--disable-plugin", name)]
    with chdir(folder):
        found = json.loads(program("detect_secrets", "scan", *disabled))["results"]
    return [
        f"{path}, line {secret['line_number']}: {secret['type']}"
        for path, several in found.items()
        for secret in several
    ]


def finds_secrets():
    """Return whether a secret would be found: a scanner that finds nothing proves nothing."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "key.py").write_text("KEY = 'AKIA" + "Z7QX" * 4 + "'\n")
        subprocess.run(["git", "init", "--quiet", folder], check=True)
        subprocess.run(["git", "-C", folder, "add", "."], check=True)
        return bool(secrets(folder))


def bill():
    """Return the SBOM of the environment as a dict in the form of CycloneDX."""
    return json.loads(
        program(
            "cyclonedx_py", "environment", "--output-reproducible", "--validate", sys.executable
        )
    )


def unlisted(parts):
    """Return what the lock names for this platform and the SBOM does not, or in another version."""
    listed = {(re.sub(r"[-_.]+", "-", part["name"].lower()), part["version"]) for part in parts}
    marked = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\]+) *;", re.MULTILINE)
    elsewhere = {*marked.findall((ROOT / "requirements.lock").read_text(encoding="utf-8"))}
    return sorted({*locked(ROOT / "requirements.lock").items()} - elsewhere - listed)


# ---- Known vulnerabilities -----------------------------------------------------------------------


def asked():
    """Return what the index says of the locks, in the form of the record; None without answer."""
    found, answered = [], set()
    for path in LOCKS:
        options = ("--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner")
        told = json.loads(program("pip_audit", "-r", path, *options, "off"))["dependencies"]
        for package in (package for package in told if "skip_reason" not in package):
            answered.add(package["name"])
            found += [
                {"package": package["name"], "version": package["version"], "id": known["id"]}
                for known in package["vulns"]
            ]
    if not answered:
        return None
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    compared = {name: version for name, version in packages().items() if name in answered}
    return {"source": "the package index", "known_until": today, "packages": compared} | {
        "advisories": None,
        "found": found,
    }


def looked_up(folder):
    """Return what a checkout of the advisory database says of the locks."""
    newest, read, found = "", 0, []
    compared = packages()
    for path in sorted((folder / "vulns").glob("*/*.yaml")):
        advisory = yaml.safe_load(path.read_text(encoding="utf-8"))
        newest = max(newest, str(advisory["modified"])[:10])
        if path.parent.name not in compared or "withdrawn" in advisory:
            continue
        read += 1
        version = compared[path.parent.name]
        if any(affects(part, version) for part in advisory["affected"]):
            found.append({"package": path.parent.name, "version": version, "id": advisory["id"]})
    if not newest:
        sys.exit(f"supply chain: expected advisories in {folder / 'vulns'}, found none")
    return {"source": "github.com/pypa/advisory-database", "known_until": newest} | {
        "packages": compared,
        "advisories": read,
        "found": found,
    }


def affects(part, version):
    """Return whether a version is among those that a part of an advisory names (OSV schema)."""
    if version in part.get("versions", ()):
        return True
    for span in part.get("ranges", ()):
        if span["type"] != "ECOSYSTEM":
            continue
        inside = False
        for event in span["events"]:
            (kind, bound), *_ = event.items()
            inside = _after(event, kind, bound, Version(version), inside)
        if inside:
            return True
    return False


def _after(event, kind, bound, version, inside):
    """Return whether a version is affected when the events up to this one have been read."""
    try:
        reached = bound == "0" or Version(bound) <= version
        past = Version(bound) < version if kind == "last_affected" else reached
    except InvalidVersion:
        sys.exit(f"supply chain: expected a version in an advisory, found {event}")
    return (inside or reached) if kind == "introduced" else (inside and not past)


def report(record, today):
    """Return lines about a comparison: how old it is, what it covers, what it found."""
    age = (today - datetime.date.fromisoformat(record["known_until"])).days
    yield (
        f"vulnerabilities: {len(record['packages'])} packages were compared with what "
        f"{record['source']} knew on {record['known_until']}, {age} days ago"
    )
    newer = [
        name for name, version in packages().items() if record["packages"].get(name) != version
    ]
    if newer:
        yield f"vulnerabilities: not compared, or in another version: {', '.join(newer)}"
    for known in record["found"]:
        yield f"vulnerabilities: {known['package']} {known['version']} has {known['id']}"


def main():
    """Look at everything, say what was found, and fail if it is bad."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sbom", type=Path, metavar="FILE")
    parser.add_argument("--advisories", type=Path, metavar="FOLDER")
    options = parser.parse_args()

    bad = [f"secrets: {place}" for place in secrets(ROOT)]
    bad += [] if finds_secrets() else ["secrets: the scanner did not find one put there on purpose"]
    print("secrets: committed files were searched")
    parts = bill()
    bad += [
        f"parts: {name} {version} is in the lock and not installed"
        for name, version in unlisted(parts["components"])
    ]
    if options.sbom:
        options.sbom.write_text(json.dumps(parts, indent=1) + "\n", encoding="utf-8")
    print(f"parts: {len(parts['components'])} packages are installed")

    if options.advisories:
        record = looked_up(options.advisories)
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    else:
        record = asked() or json.loads(RECORD.read_text(encoding="utf-8"))
    today = datetime.datetime.now(datetime.UTC).date()
    print("\n".join([*report(record, today), *bad]))
    sys.exit(bool(bad or record["found"]))


if __name__ == "__main__":
    main()
