"""The golden manifest covers what it says, and its comparison names what differs."""

import golden
import yaml


def test_200_inputs_and_more_are_refused_in_one_line():
    _, kept = golden.read()
    messages = {name: said.removesuffix("\n[1]") for name, said in kept["refused"].items()}
    own = yaml.safe_load((golden.GOLDEN / "refused.yaml").read_text())["cases"]
    assert {case["name"] for case in own} <= {*messages}
    refused = [
        said for name, said in kept["refused"].items() if not said.endswith(("taken", "[0]"))
    ]
    assert len(refused) > 200
    assert not [said for said in messages.values() if "Error: " in said or "Traceback" in said]


def test_what_differs_is_listed_by_kind(capsys):
    old = {"results": {"a": "0" * 64, "b": "1" * 64}, "refused": {"x": "no x.", "y": "no y."}}
    new = {"results": {"a": "2" * 64, "c": "1" * 64}, "refused": {"x": "no x.", "y": "why?"}}
    assert golden.compare(old, old) == []
    assert golden.compare(old, new) == ["results", "refused"]
    assert golden.compare({**old, "results": new["results"]}, new) == ["refused"]
    said = capsys.readouterr().out
    for line in ("results: 2, 3 not", "a: another", "b: only in the old", "c: only in the new"):
        assert line in said
    assert "    - no y.\n    + why?" in said


def test_sentences_are_apart_from_numbers():
    rows = [["metric", "says"], ["P", "P is robust."], ["nDCG", "0.5"]]
    without, sentences = golden._apart(rows)
    assert sentences == ["P is robust."]
    assert golden._apart([*rows[:1], ["P", "P is not."], rows[2]])[0] == without
