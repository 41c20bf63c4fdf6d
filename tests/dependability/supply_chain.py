"""Look at what is installed and at what is committed: `.../supply_chain.py [--advisories FOLDER]`.

It needs the packages of requirements-audit.lock, and does three things. It searches the committed
files for secrets. It writes the list of all parts (SBOM, CycloneDX) to FILE of `--sbom FILE`, and
compares it with the lock. It compares the locks with known vulnerabilities, and fails if one is
named there: with those that the package index knows, or, where nobody answers, with what
docs/advisories.json says of an earlier comparison: how old it is, and which pins were released
later, so that it says nothing of them.

`--advisories FOLDER` compares with a checkout of the PyPA's advisory database instead
(github.com/pypa/advisory-database), and writes docs/advisories.json. The days of the releases come
from the package index, through uv.
"""

import argparse
import datetime
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
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
    """Return the pins of a lock, as (name, version)."""
    text = path.read_text(encoding="utf-8")
    return {*re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\]+)", text, re.MULTILINE)}


def pins():
    """Return the pins of all locks; a package has several where they depend on Python's version."""
    return sorted({"==".join(pin) for path in LOCKS for pin in locked(path)})


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
    return sorted(locked(ROOT / "requirements.lock") - elsewhere - listed)


# ---- Known vulnerabilities -----------------------------------------------------------------------


def asked():
    """Return what the index says of the locks, in the form of the record; None without answer."""
    found, answered = {}, set()
    for path in LOCKS:
        options = ("--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner")
        told = json.loads(program("pip_audit", "-r", path, *options, "off"))["dependencies"]
        for package in (package for package in told if "skip_reason" not in package):
            pin = f"{package['name']}=={package['version']}"
            answered.add(pin)
            if package["vulns"]:
                found[pin] = [known["id"] for known in package["vulns"]]
    if not answered:
        return None
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return _record("the package index", today, None, found, dict.fromkeys(answered, today))


def looked_up(folder, days):
    """Return what a checkout of the advisory database says of the locks.

    `days` has the day on which each pin was released, where that is known.
    """
    newest, read, found = "", 0, {}
    compared = [pin.partition("==")[::2] for pin in pins()]
    for path in sorted((folder / "vulns").glob("*/*.yaml")):
        advisory = yaml.safe_load(path.read_text(encoding="utf-8"))
        newest = max(newest, str(advisory["modified"])[:10])
        versions = [version for name, version in compared if name == path.parent.name]
        if not versions or "withdrawn" in advisory:
            continue
        read += 1
        for version in versions:
            if any(affects(part, version) for part in advisory["affected"]):
                found.setdefault(f"{path.parent.name}=={version}", []).append(advisory["id"])
    if not newest:
        sys.exit(f"supply chain: expected advisories in {folder / 'vulns'}, found none")
    return _record("github.com/pypa/advisory-database", newest, read, found, days)


def _record(source, until, read, found, days):
    """Return what is known of each pin: its vulnerabilities, that it has none, or nothing.

    Nothing is known of what was released after the source's last day, or on an unknown day.
    """
    clean = {pin: days.get(pin) for pin in pins() if pin not in found}
    known = {pin: day for pin, day in clean.items() if day and day <= until}
    return {"source": source, "known_until": until, "advisories": read, "found": found} | {
        "none known": known,
        "unknown": {pin: day for pin, day in clean.items() if pin not in known},
    }


def released():
    """Return the day on which the first file of each pin came to the package index, by uv."""
    if not shutil.which("uv"):
        sys.exit("supply chain: expected uv, which asks for the days of releases; pip install uv")
    days = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pylock.toml"
        for path in LOCKS:
            options = ("--no-deps", "--universal", "--python-version", "3.11", "--quiet")
            command = ("uv", "pip", "compile", path, *options, "--output-file", file)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            for package in tomllib.loads(file.read_text(encoding="utf-8"))["packages"]:
                files = [*package.get("wheels", ()), *filter(None, [package.get("sdist")])]
                times = [own["upload-time"] for own in files if "upload-time" in own]
                pin = f"{package['name']}=={package['version']}"
                days[pin] = min(times).date().isoformat() if times else None
            file.unlink()
    return days


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
    """Return lines about a comparison: what is known of the pins, how old that is, and what not."""
    age = (today - datetime.date.fromisoformat(record["known_until"])).days
    known = [pin for pin in pins() if pin in record["none known"]]
    yield (
        f"vulnerabilities: {record['source']} knew of none in {len(known)} of {len(pins())} pins "
        f"on {record['known_until']}, {age} days ago"
    )
    unknown = [pin for pin in pins() if pin not in record["found"] | record["none known"]]
    if unknown:
        yield (
            f"vulnerabilities: unknown for {len(unknown)} pins, released later or not compared: "
            f"{', '.join(unknown)}"
        )
    for pin, names in record["found"].items():
        yield f"vulnerabilities: {pin} has {', '.join(names)}"


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
        record = looked_up(options.advisories, released())
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    else:
        record = asked() or json.loads(RECORD.read_text(encoding="utf-8"))
    today = datetime.datetime.now(datetime.UTC).date()
    print("\n".join([*report(record, today), *bad]))
    sys.exit(bool(bad or record["found"]))


if __name__ == "__main__":
    main()
