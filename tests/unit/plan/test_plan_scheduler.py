"""How often Snakemake looks for jobs, and where it runs a line of Python."""

import inspect
from types import SimpleNamespace

import pytest
from snakemake.executors.local import Executor

from assayer.plan.scheduler import keep_python_here, look_after_jobs, studies_named


@pytest.mark.parametrize(("here", "left"), [(True, None), (False, "100/1s")])
def test_only_where_jobs_are_submitted_are_there_so_many_a_second(here, left):
    scheduler = SimpleNamespace(job_rate_limiter="100/1s")
    look_after_jobs(SimpleNamespace(local_exec=here, scheduler=scheduler))
    assert scheduler.job_rate_limiter == left


@pytest.mark.parametrize("here", [True, False])
def test_a_line_of_python_is_run_in_this_process_where_jobs_are_run_here(here):
    executor = SimpleNamespace(use_threads=False)
    scheduler = SimpleNamespace(_executor=executor)
    keep_python_here(SimpleNamespace(local_exec=here, scheduler=scheduler))
    assert executor.use_threads == here
    # What Snakemake asks before it starts a copy of itself.
    assert "self.use_threads" in inspect.getsource(Executor.run_single_job)


@pytest.mark.parametrize("change", [look_after_jobs, keep_python_here])
def test_a_scheduler_of_another_form_stays_as_it_is(change):
    scheduler = SimpleNamespace()
    change(SimpleNamespace(local_exec=True, scheduler=scheduler))
    assert vars(scheduler) == {}


@pytest.mark.parametrize(
    ("targets", "studies", "named"),
    [
        (["all"], None, None),
        (["report"], None, None),
        (["all", "goals"], ["robustness"], {"robustness"}),
        (["goals", "analyse"], ["robustness", "goals"], {"goals"}),
        (["means"], None, set()),
    ],
)
def test_the_studies_that_a_run_names(targets, studies, named):
    jobs = [SimpleNamespace(rule=SimpleNamespace(name=name)) for name in targets]
    config = {} if studies is None else {"studies": studies}
    workflow = SimpleNamespace(
        dag=SimpleNamespace(jobs=jobs), config_settings=SimpleNamespace(overwrite_config=config)
    )
    assert studies_named(workflow) == named
