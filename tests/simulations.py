"""Hold the tables of simulations that are shipped against simulations, or make them anew.

    ./run python tests/simulations.py                   simulate a part of each, and compare
    ./run snakemake simulations --directory FOLDER      simulate all of each, with shipped settings
    ./run python tests/simulations.py --write FOLDER    ship the tables of that run

`src/rankassay/studies/simulations.json` has the SHA-256 of each table and of what it was made with
(settings and seed), and the version that made it. A part is the first entry of what jobs can share:
a world, a kind of worlds, a metric. Numbers depend on the processor in their last digits: elsewhere
than on the machine of `machine`, lines that differ are listed and pass.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from golden import made_with

import rankassay
from rankassay.artifacts.files import read_json
from rankassay.artifacts.shards import join_tables, pack
from rankassay.config import layers
from rankassay.plan import Plan
from rankassay.plan.analyses import of
from rankassay.plan.steps import PLACE
from rankassay.studies import ANALYSES, needs

ROOT = Path(__file__).parents[1]
KNOWN = ROOT / "src/rankassay/studies/simulations.json"
MOST = 1000  # jobs that share an analysis: more than there are entries
WHOLE = "all,"  # what begins a line about all entries, of which a part has none


def plan(**settings):
    """Return the plan of the shipped settings, in the current folder."""
    return Plan(layers.whole(layers.shipped(ROOT), settings), ROOT)


def write(folder):
    """Ship the tables of a run of the target `simulations`."""
    os.chdir(folder)
    own = plan().simulations
    tables = {}
    for name in own.known:
        made = Path(own.made(name))
        own.file(name).parent.mkdir(exist_ok=True)
        pack(made, own.file(name))
        tables[name] = {"made_with": own.made_with(name), "sha256": sha256(made)}
    about = {"version": rankassay.__version__, "machine": made_with()}
    KNOWN.write_text(json.dumps(about | {"tables": tables}, indent=2) + "\n")


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def parts(own, names):
    """Make the first part of analyses, in the current folder, by one process."""
    jobs = []
    for name in names:
        place, entries = of(PLACE, name), own.shards.of(name) if ANALYSES[name].shared else 1
        shard = {"shard": (1, entries)} if entries > 1 else {}
        output = {"output": [f"results/{PLACE}/{name}.csv"]}
        jobs.append({"analyse": own.analyses.for_analyse(place) | shard | output})
    command = [sys.executable, "-P", "-m", "rankassay", "job"]
    subprocess.run(command, input=json.dumps(jobs), text=True, check=True)


def differing(own, name):
    """Return the lines of a part that the shipped table has not; ends if it is another table."""
    if name not in own.simulations.shipped:
        sys.exit(f"{name}: the shipped table was made with other settings, or another seed")
    join_tables([own.simulations.file(name)], "shipped.csv")
    if sha256("shipped.csv") != own.simulations.known[name]["sha256"]:
        sys.exit(f"{name}: the shipped table is not that of its checksum")
    shipped = {*Path("shipped.csv").read_text().splitlines()}
    part = Path(f"results/{PLACE}/{name}.csv").read_text().splitlines()
    print(f"{name}: {len(part)} of {len(shipped)} lines made again")
    return [line for line in part if line not in shipped and not line.startswith(WHOLE)]


def check():
    """Simulate a part of each, print what differs, and return the status."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        own = plan(shards=MOST)
        names = own.simulations.known
        parts(own, dict.fromkeys(each for name in names for each in (*needs(name), name)))
        found = {name: lines for name in names if (lines := differing(own, name))}
        os.chdir(ROOT)
    for name, lines in found.items():
        print(f"{name}: {len(lines)} lines differ, such as {lines[0]}")
    elsewhere = read_json(KNOWN)["machine"] != made_with()
    return int(bool(found) and not elsewhere)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", metavar="FOLDER", type=Path, help="ship the tables of this run")
    options = parser.parse_args()
    if options.write:
        write(options.write)
    else:
        sys.exit(check())


if __name__ == "__main__":
    main()
