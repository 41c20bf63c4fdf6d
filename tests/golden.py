"""Hold what the program gives against the golden manifest, `tests/golden/`.

    ./run python tests/golden.py                  make all of it and list what differs, by kind
    ./run python tests/golden.py --run FOLDER     with a finished run of config/test.yaml
    ./run python tests/golden.py --write          after a change that is wanted: the new manifest

`manifest.json` has the SHA-256 of each result, table, figure and answer of the judge; sentences are
apart from the numbers next to them. `refused.json` has the message of each input that is refused:
the files in `dependability/corpus/*/refused`, and the calls in `refused.yaml`. Numbers depend on
the processor in their last digits: elsewhere than on the machine of `made_with` they are listed,
and only a message that differs ends with status 1.
"""

import argparse
import contextlib
import hashlib
import json
import logging
import os
import platform
import shlex
import subprocess
import sys
import tempfile
import warnings
from functools import partial
from pathlib import Path

import judged_made_up
import pandas as pd
import threadpoolctl
import yaml
from called import called

import rankassay
from rankassay.cli import demo_data
from rankassay.config.check import validate
from rankassay.errors import RankassayError

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests/golden"
SHOWN = 20  # names of one kind
sys.path.insert(0, str(ROOT / "tests/dependability"))


def sha256(content):
    return hashlib.sha256(content if isinstance(content, bytes) else _text(content)).hexdigest()


def _text(content):
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")


def made_with():
    """Return what numbers may depend on: Python, the system, and the processor's linear algebra."""
    cores = {own.get("architecture") for own in threadpoolctl.threadpool_info()} - {None}
    python = ".".join(platform.python_version_tuple()[:2])
    return f"Python {python}, {platform.system()} {platform.machine()}, {' '.join(sorted(cores))}"


# ---- A run of config/test.yaml -------------------------------------------------------------------


def run(folder):
    """Make the run in a folder."""
    command = (sys.executable, "-m", "snakemake", "--snakefile", ROOT / "workflow/Snakefile")
    options = ("--cores", "2", "--directory", folder, "--configfile", ROOT / "config/test.yaml")
    subprocess.run([*command, *options], check=True, cwd=ROOT, capture_output=True)


def artifacts(folder):
    """Return the checksums of a finished run's artifacts: {kind: {path: SHA-256}}."""
    found = {kind: {} for kind in ("results", "tables", "figures", "sentences")}
    for path in sorted(json.loads((folder / "results/manifest.json").read_text())["artifacts"]):
        file = folder / path
        if not file.is_file():  # listed as one of the old manifest alone
            continue
        if path.startswith("figures/"):
            found["figures"][path] = sha256(file.read_bytes())
        elif path.startswith("results/tables/"):
            found["tables"][path] = sha256(file.read_bytes())
        elif file.suffix in (".csv", ".json"):
            numbers, sentences = _apart(_cells(file))
            found["results"][path] = sha256(numbers)
            if sentences:
                found["sentences"][path] = sha256(sentences)
        else:
            found["results"][path] = sha256(file.read_bytes())
    return found


def _cells(file):
    if file.suffix == ".json":
        return json.loads(file.read_text(encoding="utf-8"))
    table = pd.read_csv(file, dtype=str, keep_default_na=False)
    return [[*table], *table.to_numpy(object).tolist()]


def _apart(content):
    """Return nested content without its sentences, and these in their order."""
    sentences = []

    def without(own):
        if isinstance(own, dict):
            return {key: without(value) for key, value in own.items()}
        if isinstance(own, list):
            return [without(value) for value in own]
        if isinstance(own, str) and " " in own and own.rstrip().endswith((".", "?", ":")):
            sentences.append(own)
            return None
        return own

    return without(content), sentences


# ---- Answers of the judge ------------------------------------------------------------------------


def answers(folder):
    """Return the checksums of the judge's JSON on five datasets."""
    demo_data.write(_made(folder / "demo"), 0)
    runs = [f"demo/{name}.run" for name in demo_data.SYSTEMS]
    made = judged_made_up.write(_made(folder / "made"))
    one = [line.split() for line in Path(made[0]).read_text().splitlines()]
    liked = "".join(f"{user},{item},1\n" for user, _, item, rating in one if int(rating) > 3)
    (folder / "liked.csv").write_text("user,item,rating\n" + liked)
    (folder / "outcomes.csv").write_text(
        "system,value,error\nnoise-1,.3,.01\nnoise-2,.25,.01\nnoise-6,.1,.01\n"
    )
    calls = {
        "graded, with training ratings": ["demo/qrels.txt", *runs, "--train", "demo/train.csv"],
        "graded, alone": ["demo/qrels.txt", *runs, "--seed", "1"],
        "few systems, with training ratings": [*made, "--train", "made/train.csv"],
        "likes alone": ["liked.csv", *made[1:], "--train", "made/train.csv"],
        "outcomes": [*made, "--outcomes", "outcomes.csv", "-m", "nDCG@10", "P@5"],
    }
    return {name: _answer(folder, call) for name, call in calls.items()}


def _made(folder):
    folder.mkdir()
    return folder


def _answer(folder, call):
    process = called(folder, "judge", *call, "--json")
    assert process.returncode == 0, process.stderr
    return sha256(json.loads(process.stdout))


# ---- What is refused -----------------------------------------------------------------------------


def refused():
    """Return the message of each refused input by the name of its case."""
    with tempfile.TemporaryDirectory() as work, _in(work):
        return _files() | {case["name"]: _message(case, work) for case in _cases()}


@contextlib.contextmanager
def _in(folder):
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _files():
    """Return the messages about files of earlier faults."""
    import fuzz_readers

    found = {}
    for path in sorted(fuzz_readers.CORPUS.glob("*/refused/*")):
        target = fuzz_readers.TARGETS[path.parents[1].name]
        file = Path(f"file{target.ending}")
        file.write_bytes(path.read_bytes())
        found["/".join(("corpus", *path.parts[-3::2]))] = _said(partial(target.read, file))
        for left in Path().iterdir():
            left.unlink()
    return found


def _cases():
    return yaml.safe_load((GOLDEN / "refused.yaml").read_text(encoding="utf-8"))["cases"]


def _message(case, work):
    """Return what a call, a configuration or an expression of Python is answered."""
    common = yaml.safe_load((GOLDEN / "refused.yaml").read_text(encoding="utf-8"))["files"]
    with tempfile.TemporaryDirectory(dir=work) as folder, _in(folder):
        for name, content in (common | case.get("files", {})).items():
            Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
        if "call" in case:
            process = called(folder, *shlex.split(case["call"]))
            lines = process.stderr.strip().splitlines()
            lines = lines[-1:] if process.returncode == 2 else lines  # without the usage
            said = "\n".join([*lines, f"[{process.returncode}]"])
        elif "config" in case:
            said = _said(lambda: validate(_changed(case["config"])))
        else:
            names = {"rankassay": rankassay, "pd": pd, "q": {"u": {"a": 5}}, "r": {"u": {"a": 1.0}}}
            said = _said(lambda: eval(case["python"], names))
        for place in (Path(folder).resolve(), folder, ROOT):
            said = said.replace(f"{place}/", "")
        return said


def _changed(changes):
    import fuzz

    config = json.loads(json.dumps(fuzz.shipped("test")))
    for path, value in changes.items():
        inner = config
        *way, last = path.split("/")
        for key in way:
            inner = inner.setdefault(key, {})
        inner[last] = value
    return config


def _said(call):
    with warnings.catch_warnings(action="ignore"):
        try:
            call()
        except RankassayError as error:
            return str(error)
        except Exception as error:  # which none should be
            return f"{type(error).__name__}: {error}"
    return "taken"


# ---- Comparison ----------------------------------------------------------------------------------


def differences(old, new):
    """Yield what differs of one kind, a line each: names, and both messages where they are kept."""
    for name in sorted(old.keys() | new.keys()):
        if (before := old.get(name)) != (after := new.get(name)):
            if before is None or after is None:
                yield f"{name}: only in the {'new' if before is None else 'old'} one"
            elif len(before) == len(after) == 64:
                yield f"{name}: another"
            else:
                yield f"{name}:\n    - {before}\n    + {after}"


def compare(old, new, shown=SHOWN):
    """Print what differs, by kind; return the kinds that do."""
    changed = []
    for kind, own in new.items():
        lines = [*differences(old[kind], own)]
        print(f"{kind}: {len(own)}, {len(lines)} not as in the golden manifest")
        print(*(f"  {line}" for line in lines[:shown]), sep="\n", end="\n" if lines else "")
        if rest := len(lines) - len(lines[:shown]):
            print(f"  and {rest} more (--all lists them)")
        changed += [kind] * bool(lines)
    return changed


def read():
    """Return the golden manifest: where it was made, and {kind: {name: checksum or message}}."""
    manifest = json.loads((GOLDEN / "manifest.json").read_text(encoding="utf-8"))
    messages = json.loads((GOLDEN / "refused.json").read_text(encoding="utf-8"))
    return manifest.pop("made_with"), manifest | {"refused": messages}


def write(found):
    """Write the golden manifest."""
    messages = found.pop("refused")
    for name, content in (
        ("manifest", {"made_with": made_with()} | found),
        ("refused", messages),
    ):
        text = json.dumps(content, indent=0, ensure_ascii=False) + "\n"
        (GOLDEN / f"{name}.json").write_text(text, encoding="utf-8")


def main():
    """Compare or write; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", type=Path, metavar="FOLDER", help="a finished run to compare")
    parser.add_argument("--write", action="store_true", help="write the manifest anew")
    parser.add_argument("--all", action="store_true", help="list all that differs")
    options = parser.parse_args()
    logging.disable()
    with tempfile.TemporaryDirectory() as work:
        folder = options.run or Path(work, "run")
        if not options.run:
            run(folder)
        found = artifacts(folder) | {"judge": answers(_made(Path(work, "judged")))}
    found["refused"] = refused()
    if options.write:
        write(found)
        return 0
    where, old = read()
    changed = compare(old, found, shown=None if options.all else SHOWN)
    if where != made_with():
        print(f"made with {where}; here {made_with()}: numbers may differ in their last digits")
        return int("refused" in changed)
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
