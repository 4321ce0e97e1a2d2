"""The scheduling problem as functions: every allowed order gives a feasible schedule, measured twice."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from job_scheduling.problem import Instance, Job, Schedule, Slot, fault, longest_first, parse


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    def job(number: int) -> Job:
        before = st.sets(st.integers(0, number - 1), max_size=3) if number else st.just(set())
        return Job(draw(st.integers(1, 9)), draw(st.integers(0, 20)), tuple(sorted(draw(before))))

    count = draw(st.integers(1, 12))
    return Instance(draw(st.integers(1, 4)), tuple(job(number) for number in range(count)))


def text_of(instance: Instance) -> str:
    jobs = [
        {"duration": job.duration, "release": job.release, "predecessors": list(job.predecessors)}
        for job in instance.jobs
    ]
    return json.dumps({"machines": instance.machines, "jobs": jobs})


def simulated_makespan(instance: Instance, order: list[int]) -> int:
    """The makespan by going through time unit by unit: jobs wait in the given order, nobody overtakes."""
    free = [0] * instance.machines
    end: dict[int, int] = {}
    for number in order:
        job = instance.jobs[number]
        machine = min(range(instance.machines), key=lambda index: (free[index], index))
        time = free[machine]
        while time < job.release or any(time < end[before] for before in job.predecessors):
            time += 1
        end[number] = free[machine] = time + job.duration
    return max(end.values())


@given(instances(), st.data())
def test_every_allowed_order_gives_a_feasible_schedule(instance: Instance, data: st.DataObject) -> None:
    schedule, order = Schedule(instance), []
    while ready := schedule.ready():
        order.append(data.draw(st.sampled_from(ready)))
        schedule.check(order[-1])
        schedule.start(order[-1])
        assert fault(schedule) == ""
    assert sorted(order) == list(range(len(instance.jobs)))
    assert schedule.makespan() == simulated_makespan(instance, order)


@given(instances())
def test_an_unfinished_schedule_is_completed_in_the_order_given(instance: Instance) -> None:
    assert Schedule(instance).completed().makespan() == simulated_makespan(
        instance, list(range(len(instance.jobs)))
    )
    longest = Schedule(instance).completed(longest_first(instance))
    assert fault(longest) == ""
    assert len(longest.slots) == len(instance.jobs)


@given(instances())
def test_an_instance_is_read_back(instance: Instance) -> None:
    assert parse(text_of(instance)) == instance


@pytest.mark.parametrize(
    ("slot", "message"),
    [
        (Slot(1, 0, 3, 5), "job-0 and job-1 overlap on machine 0"),
        (Slot(1, 1, 0, 2), "job-1 runs from 0 to 2, against its release"),
        (Slot(1, 1, 3, 4), "job-1 runs from 3 to 4, against its release or duration"),
        (Slot(2, 1, 2, 3), "job-2 starts before job-0 has ended"),
    ],
)
def test_a_wrong_schedule_is_found_out(slot: Slot, message: str) -> None:
    instance = Instance(2, (Job(4), Job(2, release=1), Job(1, predecessors=(0,))))
    schedule = Schedule(instance, {0: Slot(0, 0, 0, 4), slot.job: slot})
    assert message in fault(schedule)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("[]", "jobs: expected a list of 1 to 32 jobs"),
        ('{"machines": 1, "jobs": []}', "jobs: expected a list of 1 to 32 jobs"),
        ('{"machines": 0, "jobs": [{"duration": 1}]}', "machines: expected an integer from 1 to 32, got 0"),
        ('{"machines": 1, "jobs": [{"duration": true}]}', r"jobs\[0\].duration: expected an integer"),
        ('{"machines": 1, "jobs": [3]}', r"jobs\[0\]: expected an object"),
        (
            '{"machines": 1, "jobs": [{"duration": 1, "predecessors": [0]}]}',
            r"jobs\[0\].predecessors: there is no job before it",
        ),
    ],
)
def test_a_malformed_instance_is_refused_with_its_place(document: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse(document)
