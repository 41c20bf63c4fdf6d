"""What the Snakemake Workflow Catalog asks of a workflow that it lists."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[3]
RULES = sorted((ROOT / "workflow/rules").glob("*.smk"))


def test_the_catalogs_file_says_how_the_workflow_is_used():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert {*usage} == {"mandatory-flags", "software-stack-deployment", "report"}
    assert {*usage["mandatory-flags"]} == {"desc", "flags"}
    ways = usage["software-stack-deployment"]
    assert {*ways} == {"conda", "apptainer", "apptainer+conda"}
    assert any(ways.values())


def test_what_the_catalogs_file_claims_is_there():
    """Each rule that runs a command has the environment, and a report has files and a test."""
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    rules = [
        rule
        for path in RULES
        for rule in re.split(r"^ *rule ", path.read_text(), flags=re.MULTILINE)[1:]
        if re.search(r"^ +shell:", rule, re.MULTILINE)
    ]
    assert len(rules) > 10
    assert usage["software-stack-deployment"]["conda"] is True
    assert [rule.partition(":")[0] for rule in rules if "conda:" not in rule] == []
    assert all((path.parent / "../../environment.yml").resolve().is_file() for path in RULES)
    assert usage["report"] is True
    assert any("report(" in path.read_text() for path in RULES)
    assert '"--report"' in (ROOT / "tests/whole/check_workflow.py").read_text()


def test_the_files_that_the_catalog_looks_for_are_there():
    readme = (ROOT / "README.md").read_text(encoding="utf-8").lower()
    assert "snakemake" in readme
    assert "workflow" in readme
    assert (ROOT / "config/README.md").is_file()
    assert (ROOT / "LICENSE").is_file()
    assert RULES
