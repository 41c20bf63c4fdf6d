"""The page on one's own runs, as it stands: all of a study of run files and judgements alone."""

import pages

from rankassay.cli import demo_data


def test_the_study_of_runs_and_judgements_alone_is_made_whole(snakemake, tmp_path):
    pages.write("own-runs.md", tmp_path)
    (tmp_path / "demo").mkdir()
    demo_data.write(tmp_path / "demo", 0)
    process = snakemake(tmp_path, "robustness", "--cores", 2, "--configfile", "judged.yaml")
    assert process.returncode == 0, process.stderr + process.stdout
    assert (tmp_path / "figures/robustness/summary.png").is_file()
    assert (tmp_path / "results/judged/robustness/sparsity.csv").is_file()
