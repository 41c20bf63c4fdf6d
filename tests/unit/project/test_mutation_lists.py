"""The lists of deliberate faults (tests/mutation.py) fit the code as it is."""

import ast
import re
import shlex

import mutation
import pytest

pytestmark = pytest.mark.slow

ROOT = mutation.ROOT
FAULTS = [fault for group in mutation.groups() for fault in mutation.faults(group)]


@pytest.mark.parametrize("group", mutation.groups())
def test_a_list_has_enough_faults_and_each_once(group):
    listed = mutation.faults(group)
    assert len(listed) >= 60
    assert len({(fault.file, fault.old, fault.new) for fault in listed}) == len(listed)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.file}: {fault.why}")
def test_a_fault_can_be_put_into_the_code(fault):
    assert fault.file.startswith(f"{mutation.PACKAGE}/")
    code = (ROOT / fault.file).read_text(encoding="utf-8")
    changed = fault.put_into(code)
    compile(changed, fault.file, "exec")
    assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(code))
    assert fault.why.strip()


@pytest.mark.parametrize("tests", sorted({fault.tests for fault in FAULTS}))
def test_the_tests_of_a_fault_exist(tests):
    for selection in shlex.split(tests):
        file, *names = selection.split("::")
        code = (ROOT / file).read_text(encoding="utf-8")
        for name in names:
            assert re.search(rf"^\s*(def|class) {re.escape(name.partition('[')[0])}\b", code, re.M)


def test_a_fault_that_has_no_place_or_two_is_refused():
    fault = mutation.Fault("made-up", "src/rankassay/x.py", "a < b", "a <= b", "", "")
    assert fault.put_into("if a < b:") == "if a <= b:"
    for code in ("if b > a:", "a < b < c or a < b"):
        with pytest.raises(ValueError, match="not once"):
            fault.put_into(code)


def test_what_has_to_be_compiled_again_is_found():
    imports = {
        "src/rankassay/a.py": mutation.imported("import numpy as np\n"),
        "src/rankassay/b.py": mutation.imported("from rankassay.a import kernel\n"),
        "src/rankassay/c.py": mutation.imported("from rankassay import b\n"),
        "src/rankassay/d.py": mutation.imported("import json\n"),
    }
    found = mutation.importers("src/rankassay/a.py", imports)
    assert found == ["src/rankassay/b.py", "src/rankassay/c.py"]
    assert mutation.importers("src/rankassay/d.py", imports) == []


@pytest.mark.parametrize(
    ("verdicts", "reasons", "well"),
    [
        (["caught"] * 19 + ["survived"], [""] * 19 + ["equivalent"], True),
        (["caught"] * 18 + ["survived"] * 2, [""] * 18 + ["equivalent"] * 2, False),
        (["caught"] * 19 + ["survived"], [""] * 20, False),
        (["caught"] * 19 + ["error"], [""] * 20, False),
        (["caught"] * 20, [""] * 19 + ["equivalent"], False),
    ],
)
def test_the_report_is_well_when_what_must_be_caught_is(verdicts, reasons, well, capsys):
    results = [
        mutation.Result(mutation.Fault("g", "f.py", "", "", "", "why", reason), verdict, 1.0)
        for verdict, reason in zip(verdicts, reasons, strict=True)
    ]
    assert mutation.report(results) is well
    share = f"{verdicts.count('caught') / 20:.1%}"
    assert re.search(rf"^g +20 +{verdicts.count('caught')} +{share}", capsys.readouterr().out, re.M)
