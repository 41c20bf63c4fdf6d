"""A run of many variants is planned and reported: no command is too long for Linux."""

import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONGEST_WORD = 131_072  # bytes of one word of a command, on Linux
STUDIES = ["aggregation"]
SMALL = {"studies": STUDIES, "recommenders": ["random", "popularity"]}
# Long names make commands as long as those of five times as many variants.
NAME = "tiny-with-a-random-split-of-its-own-by-another-seed" + "-and-a-long-name" * 6
VARIANTS = [f"{NAME}-{number}" for number in range(1, 67)]


@pytest.fixture(scope="module")
def finished(tmp_path_factory, snakemake):
    """Return the folder of a run with one dataset, and the options that make it."""
    folder = tmp_path_factory.mktemp("variants")
    one = folder / "one.yaml"
    one.write_text(json.dumps({"datasets": ["tiny"], **SMALL}))
    options = ["--cores", 2, "--configfile", ROOT / "config/test.yaml"]
    process = snakemake(folder, *options, one)
    assert process.returncode == 0, process.stderr + process.stdout
    return folder, options


def test_many_variants_have_a_report(finished, snakemake):
    folder, options = finished
    many = folder / "many.yaml"
    variants = {
        name: {"of": "tiny", "label": f"{NAME} {number}", "split_seed": number}
        for number, name in enumerate(VARIANTS, start=1)
    }
    config = {"datasets": ["tiny", *VARIANTS], "variants": variants, **SMALL}
    many.write_text(json.dumps(config))
    # The results of the one stand for those of its variants, whose jobs would take an hour.
    for name in VARIANTS:
        for place in ("results", *(f"figures/{study}" for study in STUDIES)):
            # Without their checksums they are no job's, of which a run asks how it was made.
            plain = shutil.ignore_patterns(".*.sha256")
            shutil.copytree(folder / place / "tiny", folder / place / name, ignore=plain)
    for made in ("results/report.html", "results/report.json"):
        (folder / made).unlink()
    made = ["results/report.html", "--rerun-triggers", "mtime"]
    process = snakemake(folder, *made, *options, many)
    assert process.returncode == 0, process.stderr + process.stdout
    contents = (folder / "results/report.json").read_bytes()
    assert len(contents) > LONGEST_WORD
    page = (folder / "results/report.html").read_text(encoding="utf-8")
    assert page.count(f"Tiny data (synthetic), {NAME} 66") > 3
    commands = snakemake(folder, *made, *options, many, "-R", "report_page", "-n", "-p").stdout
    words = (word for line in commands.splitlines() for word in line.split("' '"))
    assert max(len(word.encode()) for word in words) < LONGEST_WORD
