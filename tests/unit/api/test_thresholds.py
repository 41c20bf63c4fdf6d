"""Every function and command takes the usual threshold of the ratings, and says which."""

import pandas as pd
import pytest

import rankassay
from rankassay.cli.main import main
from rankassay.errors import RankassayError

RUNS = {"a": {"u": {"x": 2, "y": 1}}, "b": {"u": {"y": 2, "x": 1}, "v": {"x": 1}}}


def doors(qrels, **given):
    """Return what each function says of the runs, by its name."""
    measures = ["P@1", "RR", "nDCG@10"]
    judged = rankassay.judged(qrels, **given)
    train = {"w": {"x": 1, "y": 1}}
    return {
        "evaluate": rankassay.evaluate(qrels, RUNS, measures, **given),
        "judged": rankassay.evaluate(judged, RUNS, measures),
        "compare": rankassay.compare(qrels, RUNS, "RR", test="t", **given).means,
        "preferences": rankassay.preferences(qrels, RUNS, n_permutations=9, **given),
        "bounds": rankassay.bounds(qrels, RUNS, "RR", **given),
        "ties": rankassay.ties(qrels, RUNS, "RR", **given),
        "beyond": rankassay.beyond(RUNS, train, "Serendipity@1", qrels=qrels, **given),
        "robustness": rankassay.robustness(
            qrels, RUNS | {"c": RUNS["a"]}, "RR", samples=2, levels=[50], **given
        ),
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("best", "worst", "threshold", "scale"),
    [
        (1, 0, 1, "ratings of 0 and 1"),
        (3, 0, 1, "whole ratings up to 4 with 0 or less, as in trec_eval"),
        (1, -2, 1, "whole ratings up to 4 with 0 or less, as in trec_eval"),
        (5, 3, 4, "ratings of 1 to 5 stars"),
    ],
)
def test_every_door_has_the_same_threshold_and_says_which(best, worst, threshold, scale):
    qrels = {"u": {"x": best, "y": worst}, "v": {"x": best, "z": worst}}
    found, expected = doors(qrels), doors(qrels, threshold=threshold)
    for door, values in found.items():
        pd.testing.assert_frame_equal(values, expected[door])
    for door in ("evaluate", "judged", "preferences", "beyond"):
        line = f"Items rated {threshold} or higher are relevant"
        assert f"{line}, the default for {scale}." in rankassay.describe(found[door])
        assert f"{line}.\n" in rankassay.describe(expected[door])
    assert found["evaluate"].loc["b", "P@1"] == 0.5


def test_every_door_asks_for_the_threshold_of_other_ratings():
    qrels = {"u": {"x": 10, "y": 7}, "v": {"x": 8, "z": 2}}
    for name in ("evaluate", "compare", "preferences", "bounds", "ties", "robustness"):
        given = (qrels, RUNS | {"c": RUNS["a"]})
        with pytest.raises(RankassayError, match=r"found whole ones from 2 to 10; .*--threshold"):
            getattr(rankassay, name)(*given)
    with pytest.raises(RankassayError, match="found whole ones from 2 to 10"):
        rankassay.beyond(RUNS, qrels, "Serendipity@1", qrels=qrels)


@pytest.mark.parametrize("command", ["evaluate", "compare", "plan", "bounds"])
def test_the_commands_say_which_threshold_they_took(command, tmp_path, capsys):
    qrels = pd.DataFrame({"user": ["u", "u", "v", "v"], "item": [*"xyxz"], "rating": [1, 0, 1, 0]})
    rankassay.write_qrels(qrels, tmp_path / "qrels")
    for name, run in RUNS.items():
        lines = [f"{u} Q0 {i} 0 {s} t" for u, own in run.items() for i, s in own.items()]
        (tmp_path / name).write_text("\n".join(lines))
    files = [str(tmp_path / name) for name in ("qrels", "a", "b")]
    main([command, *files, "-m", "RR"])
    said = capsys.readouterr().err
    assert "Items rated 1 or higher are relevant, the default for ratings of 0 and 1." in said
