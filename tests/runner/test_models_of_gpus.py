"""A class of GPUs measures on one model, whoever appears first."""

from __future__ import annotations

from uuid import uuid4

import pytest

from runner.machines import presence
from runner.machines.machine import Machine
from runner.machines.presence import SelfTest
from runner.models import Runner
from tests.kit.work import at_once


@pytest.mark.django_db(transaction=True)
def test_of_two_models_that_appear_at_one_moment_one_takes_work() -> None:
    """Each has asked for others before: there were none."""
    models = iter(("NVIDIA H100", "NVIDIA H200"))
    passed = SelfTest(seconds=0.1, checks=[{"name": "folders", "ok": True, "detail": "", "seconds": 0.1}])

    def appear() -> Runner:
        model = next(models)
        return presence.announce_runner(
            name=model,
            hardware_class="x86_64-cuda",
            machine=Machine(fingerprint={"gpus": [{"name": model}]}, versions={}),
            life=uuid4(),
            tested=passed,
        )

    paused = [one for one in at_once(2, appear) if one.paused_at is not None]
    assert len(paused) == 1
    assert "times of different models are not compared" in paused[0].pause_reason
    presence.record_self_test(runner_id=paused[0].pk, tested=passed)
    paused[0].refresh_from_db()
    assert paused[0].paused_at is not None, "The other one is still there."
    presence.dismiss_runner(runner_id=Runner.objects.exclude(pk=paused[0].pk).get().pk)
    presence.record_self_test(runner_id=paused[0].pk, tested=passed)
    paused[0].refresh_from_db()
    assert paused[0].paused_at is None
