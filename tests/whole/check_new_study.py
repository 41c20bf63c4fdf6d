"""A study is added by a folder, and one line outside of it."""

import functools
import json

import pandas as pd
import pytest

from rankassay.studies import STUDIES

STUDY = '''
"""The study of how long lists are."""

from rankassay.studies.entries import Analysis, Figure, Study, Table

STUDY = Study(
    "lengths",
    "The study of how long lists are.",
    "how long lists are",
    cutoff=10,
    analyses={"lengths": Analysis("lengths:run", "settings:Lengths")},
    figures={"lengths": Figure("views:lengths", "lengths", "datasets", "The lengths of lists.")},
    tables={"lengths": Table("views:lengths_table")},
)
'''
SETTINGS = '''
"""Settings of the study, by analysis."""

from pydantic import Field

from rankassay.studies.settings import Count, Cutoffs, Settings


class Lengths(Settings):
    """The mean length of lists."""

    cutoffs: Cutoffs = [10]
    times: Count = Field(2, description="The length is multiplied by this.")
'''
LENGTHS = '''
"""How long lists are."""

import pandas as pd


def run(rankings, *, cutoffs, times):
    """Return the lengths."""
    rows = [(name, cutoffs[0], times * ranking.depth) for name, ranking in rankings.items()]
    return pd.DataFrame(rows, columns=["system", "cutoff", "length"])
'''
VIEWS = '''
"""A figure and a table."""

import pandas as pd
from matplotlib.figure import Figure

from rankassay.drawing.table import Table


def lengths(table, panels):
    """Draw the lengths."""
    figure = Figure()
    figure.subplots().bar(table["system"], table["length"])
    return figure


def lengths_table(lengths: pd.DataFrame):
    """Return the lengths as a table."""
    return Table(lengths, "How long lists are.", {})
'''
FILES = {
    "__init__.py": '"""The study of how long lists are."""\n',
    "study.py": STUDY,
    "settings.py": SETTINGS,
    "lengths.py": LENGTHS,
    "views.py": VIEWS,
}


@pytest.fixture(scope="module")
def with_a_study(tmp_path_factory, copy_of_the_code):
    """Return a copy of the project with one more study."""
    folder = tmp_path_factory.mktemp("more") / "rankassay"
    copy_of_the_code(folder)
    studies = folder / "src/rankassay/studies"
    for name, text in FILES.items():
        path = studies / "lengths" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"), encoding="utf-8")
    listed = studies / "__init__.py"
    text = listed.read_text(encoding="utf-8")
    text = text.replace(
        "from rankassay.studies.robustness.study",
        "from rankassay.studies.lengths.study import STUDY as LENGTHS\n"
        "from rankassay.studies.robustness.study",
    )
    last = [*STUDIES][-1].upper()
    assert f"{last})" in text
    listed.write_text(text.replace(f"{last})", f"{last}, LENGTHS)"), encoding="utf-8")
    return folder


def test_a_study_has_a_target_a_section_and_a_part_of_the_report(with_a_study, snakemake):
    folder = with_a_study
    run = functools.partial(snakemake, folder, snakefile=folder / "workflow/Snakefile")
    test = folder / "config/test.yaml"

    def configured(name):
        mine = folder / "mine.yaml"
        analyses = {"lengths": {name: 3}}
        section = {"lengths": {"analyses": analyses}}
        mine.write_text(json.dumps({"studies": ["lengths"], "datasets": ["tiny"]} | section))
        return ["--cores", 2, "--configfile", test, mine]

    process = run("lengths", "report", *configured("times"))
    assert process.returncode == 0, process.stderr + process.stdout
    assert "Done: how long lists are" in process.stdout + process.stderr
    table = pd.read_csv(folder / "results/tiny/lengths/lengths.csv")
    assert set(table["length"]) == {3 * 20}
    assert (folder / "figures/lengths/lengths.png").stat().st_size > 1000
    page = (folder / "results/report.html").read_text(encoding="utf-8")
    assert "The study of how long lists are." in page
    assert "The lengths of lists." in page
    process = run("-n", *configured("tims"))
    assert "unknown key 'tims'; did you mean 'times'?" in process.stdout + process.stderr
