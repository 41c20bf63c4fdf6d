"""The benchmark of the critical path, on graphs small enough to try every chain."""

import base64
import importlib.util
import json
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest

PATH = Path(__file__).parents[3] / "benchmarks/critical_path.py"


@pytest.fixture(scope="module")
def benchmark():
    spec = importlib.util.spec_from_file_location("critical_path", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", range(20))
def test_no_chain_takes_longer(benchmark, seed):
    rng = np.random.default_rng(seed)
    n = 6
    seconds = rng.integers(1, 9, n).astype(float).tolist()
    earlier = {job: {other for other in range(job) if rng.random() < 0.4} for job in range(n)}
    chains = [
        chain
        for length in range(1, n + 1)
        for chain in permutations(range(n), length)
        if all(a in earlier[b] for a, b in pairwise(chain))
    ]
    longest = max(sum(seconds[job] for job in chain) for chain in chains)
    found = benchmark.critical_path(seconds, earlier)
    assert tuple(found) in chains
    assert sum(seconds[job] for job in found) == longest


def test_records_of_one_job_are_put_together(benchmark, tmp_path):
    def record(output, rule, inputs, start, end):
        name = base64.b64encode(output.encode()).decode()
        path = tmp_path / ".snakemake/metadata" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {"rule": rule, "log": [f"logs/{rule}.log"], "input": inputs}
        path.write_text(json.dumps(content | {"starttime": start, "endtime": end}))

    record("results/a.csv", "first", ["data/x"], 1.0, 4.0)
    record("results/b.csv", "first", ["data/x"], 1.01, 4.0)
    record("results/c.csv", "second", ["results/b.csv"], 4.5, 6.0)
    record("results/touched.csv", "third", [], None, None)
    jobs = benchmark.jobs_of(tmp_path)
    assert sorted(job.name for job in jobs) == ["first first.log", "second second.log"]
    seconds = [job.seconds for job in jobs]
    path = benchmark.critical_path(seconds, benchmark.before(jobs))
    assert [jobs[job].name for job in path] == ["first first.log", "second second.log"]
    assert sum(seconds) == pytest.approx(4.5)
