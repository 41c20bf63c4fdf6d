"""Commands refuse runs that list training items, or remove these and say so on the screen."""

import judged_made_up as made
import pytest

from rankassay.cli.main import main


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return the judgements, two runs of which the first lists training items first, and these."""
    folder = tmp_path_factory.mktemp("files")
    qrels, *runs = made.write(folder, (1, 2))
    lines = [f"{user} Q0 old{item} 0 9 x\n" for user in made.users() for item in (1, 3)]
    with open(runs[0], "a", encoding="utf-8") as file:
        file.writelines(lines)
    return [qrels, *runs, "--train", str(folder / "train.csv")]


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", "-m", "nDCG@5"],
        ["evaluate", "-m", "nDCG@5", "--propensities"],
        ["sensitivity", "-m", "P@5"],
        pytest.param(["judge", "-m", "P@5", "--no-references"], marks=pytest.mark.slow),
    ],
)
def test_listed_training_items_are_refused_or_removed(command, files, tmp_path, capsys, caplog):
    name, *how = command
    if how[-1] == "--propensities":  # with these, too, training ratings say what may be listed
        rows = [f"i{i},0.5\n" for i in range(made.TESTED)]
        (tmp_path / "weights.csv").write_text("".join(["item,propensity\n", *rows]))
        how += [str(tmp_path / "weights.csv")]
    assert main([name, *files, *how]) == 1
    error = capsys.readouterr().err
    assert len(error.strip().splitlines()) == 1
    assert "found 300 listed items of 150 users, the first one item 'old1' of user 'u0' at" in error
    assert main([name, *files, *how, "--not-candidates", "drop"]) == 0
    shown = " ".join(" ".join([*capsys.readouterr(), *caplog.messages]).split())
    assert "300 listed items of 150 users, rated by them in training, were removed" in shown
