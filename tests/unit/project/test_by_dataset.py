"""The benchmark of time and memory by dataset, on records that are made up."""

import importlib.util
from pathlib import Path

PATH = Path(__file__).parents[3] / "benchmarks/by_dataset.py"


def test_jobs_are_counted_for_their_dataset(tmp_path):
    spec = importlib.util.spec_from_file_location("by_dataset", PATH)
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    for name in ("mine", "mine-tuned"):
        (tmp_path / "results" / name).mkdir(parents=True)
    records = {
        "prepare/mine": (30, 50),
        "recommend/mine/svd": (90, 200),
        "recommend/mine-tuned/svd": (60, 300),
        "analyse/across/reliability/systems": (6, 10),
    }
    for name, (cpu, memory) in records.items():
        path = tmp_path / f"results/benchmarks/{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"s\tmax_rss\tcpu_time\n1\t{memory}\t{cpu}\n")
    found = benchmark.by_dataset([tmp_path])
    assert found.to_dict("split")["data"] == [
        ["mine", 2, 2.0, 200.0],
        ["mine-tuned", 1, 1.0, 300.0],
        ["across", 1, 0.1, 10.0],
    ]
