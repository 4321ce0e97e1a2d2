"""The pages about runners and the API: what is public of them, and their calibrations."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from leaderboard.runners.queries import SHOWN, confinement
from runner.clock import database_now
from runner.machines import presence
from runner.machines.machine import Machine
from runner.machines.presence import SelfTest
from runner.models import Calibration, Runner, Verification
from tests.factories import make_calibration, make_work

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

NAME = "celery@secret-host"
TESTED = SelfTest(
    checks=[{"name": "folders", "ok": True, "detail": "/secret/folder", "seconds": 0.25}], seconds=0.25
)
MACHINE = Machine(
    fingerprint={
        "cpu": "Some CPU",
        "cores": 4,
        "kernel": "6.1",
        "microcode": "0x7",
        "mitigations": "meltdown: PTI",
        "gpus": [{"name": "Some GPU", "uuid": "GPU-secret"}],
    },
    versions={"llvm": "22.1.8"},
)
DRIFT = "Calibration: integer work takes 2.1 times as long as in its history."


def announce(name: str = NAME, **given: Any) -> Runner:
    return presence.announce_runner(
        name=name, hardware_class="x86_64-cpu", machine=MACHINE, life=uuid.uuid4(), tested=TESTED, **given
    )


def listed(client: Client) -> list[dict[str, Any]]:
    answer = client.get("/api/v1/runners/").json()
    assert answer["next"] is None
    found: list[dict[str, Any]] = answer["results"]
    return found


def details(client: Client, runner: Runner) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/v1/runners/{runner.pk}/").json()
    return found


def test_every_runner_that_was_seen_lately_is_listed_with_its_state(client: Client) -> None:
    now = database_now()
    live, stopped, paused = announce("a"), announce("b"), announce("c", drift=DRIFT)
    presence.dismiss_runner(runner_id=stopped.pk)
    lost = announce("d")
    Runner.objects.filter(pk=lost.pk).update(seen_at=now - timedelta(days=2))
    announce("e", now=now - timedelta(days=31))
    found = {one["id"]: one["state"] for one in listed(client)}
    assert found == {live.pk: "live", stopped.pk: "stopped", paused.pk: "paused", lost.pk: "lost"}
    page = client.get("/runners/").content.decode()
    for state in set(found.values()):
        assert f'data-state="{state}"' in page
    assert DRIFT in page


def test_of_a_name_only_the_last_life_is_listed(client: Client) -> None:
    former = announce()
    Verification.objects.filter(pk=make_work().pk).update(runner=former)
    presence.dismiss_runner(runner_id=former.pk)
    last = announce()
    assert [one["id"] for one in listed(client)] == [last.pk]
    assert details(client, former)["state"] == "stopped"


def test_neither_names_nor_folders_nor_uuids_are_public(client: Client) -> None:
    runner = announce()
    make_calibration(NAME)
    for address in (
        "/runners/",
        f"/runners/{runner.pk}/",
        "/api/v1/runners/",
        f"/api/v1/runners/{runner.pk}/",
    ):
        content = client.get(address).content.decode()
        assert ("secret" in content, "Some GPU" in content) == (False, True), address
    assert f'href="/runners/{runner.pk}/"' in client.get("/queue/").content.decode()


def test_a_runner_shows_its_machine_and_its_test(client: Client) -> None:
    runner = announce()
    page = client.get(f"/runners/{runner.pk}/").content.decode()
    for text in ("Microcode", "0x7", "meltdown: PTI", "folders", "not been calibrated yet", "No result"):
        assert text in page
    checks = details(client, runner)["self_test"]["checks"]
    assert checks == [{"name": "folders", "ok": True, "seconds": 0.25}]


def test_confinement_is_that_of_a_result(client: Client) -> None:
    runner = announce()
    assert details(client, runner)["confinement"] == ""
    sandbox = {"confined": True, "landlock": 7, "seccomp": True, "memory_group": 5 << 30}
    Verification.objects.filter(pk=make_work().pk).update(runner=runner, sandbox=sandbox)
    assert details(client, runner)["confinement"] == "Landlock 7, seccomp, 5120 MiB of memory"
    assert confinement({"confined": False, "seccomp": True}) == ""
    tools = {"cc1": "18a3", "as": "41fe"}
    assert confinement({"confined": True, "seccomp": True, "tools": tools}) == "seccomp, starts only cc1, as"


def test_calibrations_are_shown_the_latest_first_with_the_limits_of_their_history(client: Client) -> None:
    runner = announce()
    for factor in (1.0, 1.01, 0.99, 1.02, 1.0):
        make_calibration(NAME, factor)
    make_calibration(NAME, 2.1, drift=DRIFT)
    make_calibration("celery@other", 9.0)
    found = details(client, runner)
    assert found["drift"] == DRIFT
    assert [one["entries"][0]["seconds"] for one in found["calibrations"]] == pytest.approx(
        [0.021, 0.01, 0.0102, 0.0099, 0.0101, 0.01]
    )
    page = client.get(f"/runners/{runner.pk}/").content.decode()
    assert page.count("<polyline") == 2 * 2  # each of the two workloads, for wide and for narrow screens
    assert page.count('class="limit"') == 2 * 2 * 2
    assert ">21.0<" in page
    assert page.count(DRIFT) == 1


def test_a_changed_machine_or_set_begins_a_new_history(client: Client) -> None:
    runner = announce()
    for _ in range(5):
        make_calibration(NAME)
    make_calibration(NAME, 3.0, cpu="Another CPU")
    begins = [one["begins"] for one in details(client, runner)["calibrations"]]
    assert begins == ["Changed: processor", "", "", "", "", ""]
    Calibration.objects.filter(pk=make_calibration(NAME, cpu="Another CPU").pk).update(
        version="llvm 2-23.1.0"
    )
    begins = [one["begins"] for one in details(client, runner)["calibrations"]]
    assert begins[:2] == ["Calibration set llvm 2-23.1.0", "Changed: processor"]
    page = client.get(f"/runners/{runner.pk}/").content.decode()
    assert "A new history. Calibration set llvm 2-23.1.0." in page
    assert "<polyline" not in page


def make_many(number: int) -> None:
    """So many calibrations like the only one, each a day before the next."""
    row = Calibration.objects.values().get()
    del row["id"], row["role"]
    Calibration.objects.bulk_create(
        Calibration(**row | {"at": row["at"] - timedelta(days=days)}) for days in range(1, number + 1)
    )


def test_only_the_latest_calibrations_are_shown_and_the_limits_of_a_history_that_is_older(
    client: Client,
) -> None:
    runner = announce()
    make_calibration(NAME, 2.1, drift=DRIFT)
    make_many(SHOWN)
    for _ in range(5):
        make_calibration(NAME, now=database_now() - timedelta(days=SHOWN + 7))
    found = details(client, runner)["calibrations"]
    assert (len(found), {one["drift"] for one in found}) == (SHOWN, {DRIFT})
    page = client.get(f"/runners/{runner.pk}/").content.decode()
    assert page.count('class="limit"') == 2 * 2 * 2


TOLD: list[dict[str, Any]] = [
    {"vector": [], "conditions": 3, "fingerprint": []},
    {"vector": {"a": {"seconds": "x"}, "b": {"seconds": -1, "spread": 0}, "c": 7}},
    {"conditions": {"load_average": "high"}},
    {"vector": {"a": {"seconds": 10**400, "spread": 10**400}, "b": {"seconds": 1.7e308, "spread": 0}}},
    {"vector": {"a": {"seconds": 0.01, "spread": -(10**400)}}, "conditions": {"load_average": [10**400]}},
]
TESTED_AT = (5, "0001-01-01", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00")


def test_whatever_a_worker_says_the_pages_are_shown(client: Client) -> None:
    runner = announce()
    for _ in range(6):
        make_calibration(NAME)
    places = ("/runners/", f"/runners/{runner.pk}/", "/api/v1/runners/", f"/api/v1/runners/{runner.pk}/")
    for told in TOLD:
        Calibration.objects.update(**told)
        for at in TESTED_AT:
            checks = [None, {"seconds": "?"}, {"seconds": 10**400}]
            Runner.objects.update(self_test={"checks": checks, "at": at}, fingerprint={"cpu": None})
            for address in places:
                assert client.get(address).status_code == 200, (told, at)


def test_a_runner_that_does_not_exist_is_not_found(client: Client) -> None:
    assert client.get("/runners/999/").status_code == 404
    answer = client.get("/api/v1/runners/999/")
    assert answer.status_code == 404
    assert "/api/v1/runners/" in answer.json()["detail"]
