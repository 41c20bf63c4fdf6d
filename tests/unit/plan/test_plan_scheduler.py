"""How often Snakemake looks for jobs."""

from types import SimpleNamespace

import pytest

from assayer.plan.scheduler import look_after_jobs


@pytest.mark.parametrize(("here", "left"), [(True, None), (False, "100/1s")])
def test_only_where_jobs_are_submitted_are_there_so_many_a_second(here, left):
    scheduler = SimpleNamespace(job_rate_limiter="100/1s")
    look_after_jobs(SimpleNamespace(local_exec=here, scheduler=scheduler))
    assert scheduler.job_rate_limiter == left


def test_a_scheduler_of_another_form_stays_as_it_is():
    scheduler = SimpleNamespace()
    look_after_jobs(SimpleNamespace(local_exec=True, scheduler=scheduler))
    assert vars(scheduler) == {}
