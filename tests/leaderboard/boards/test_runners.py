"""What is public of runners, and what they find out about items: who may ask, and how it is shown."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.utils.html import escape

from leaderboard.accounts.throttles import StudyThrottle
from leaderboard.models import BestResult, Board, SubmissionItem
from leaderboard.runners.queries import SHOWN, confinement
from leaderboard.submissions.services import minimise_bests, withdraw
from optarena import limits
from optarena.specs import environment_spec
from optarena.studies import text_difference
from runner.database import database_now
from runner.machines import presence
from runner.machines.machine import Machine
from runner.machines.presence import SelfTest
from runner.models import Calibration, Runner, Study, StudyState, Verification
from runner.queue import leases
from runner.queue import studies as study_queue
from runner.queue.sweeping import sweep
from runner.selectors import able_runners
from tests.factories import make_calibration, make_work
from tests.kit.arena import rolled_back
from tests.kit.boards import World, document, fail, make_world, record, record_all, submit, verifications

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoDbBlocker, Settings
    from rest_framework.test import APIClient


pytestmark = pytest.mark.django_db


BEFORE = "define i32 @f() {\n  %1 = alloca i32 ; <script>\n  ret i32 0\n}"
AFTER = "define i32 @f() {\n  ret i32 0 ; a & b\n}"
ACTIONS = [3, 7, 7, 9]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Made once: what a test does beside it is undone."""
    with django_db_blocker.unblock(), rolled_back():
        yield make_world()


@pytest.fixture(autouse=True)
def _stays_live(settings: Settings) -> None:
    """The worker has reported once, before the first test."""
    settings.OPTARENA_LEASE_SECONDS = 12 * 3600


@pytest.fixture(scope="module")
def worker(world: World, broker: str) -> Runner:
    machine = Machine(fingerprint={}, versions={})
    return presence.announce_runner(name="celery@host", hardware_class="x86_64-cpu", machine=machine)


@pytest.fixture(scope="module")
def item(world: World, worker: Runner) -> SubmissionItem:
    """A verified item of four actions, of which the first alone has an effect."""
    submission = submit(world.user, document([ACTIONS, [2], [3]]))
    record_all(submission, 90, 80, 70)
    return submission.items.get(position=0)


def place(item: SubmissionItem, rest: str = "") -> str:
    return f"/api/v1/submissions/{item.submission_id}/items/{item.position}/{rest}"


def answer(result: dict[str, Any]) -> None:
    lease = leases.lease_next(worker="test")
    assert lease is not None
    study_queue.end_study(lease=lease, result=result)


def page(client: Client, item: SubmissionItem, query: str = "") -> str:
    response = client.get(item.get_absolute_url() + query)
    assert response.status_code == 200
    return response.content.decode()


def shown(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", text))


def test_what_a_step_changes_is_told(api: APIClient, anonymous: APIClient, item: SubmissionItem) -> None:
    where = place(item, "steps/1/difference/")
    nothing = {"position": None, "reason": "", "detail": "", "difference": None}
    assert anonymous.get(where).json() == {"state": "none", **nothing}
    asked = api.post(where)
    assert (asked.status_code, asked.json()) == (202, {"state": "queued", **nothing, "position": 1})
    assert anonymous.get(where).json() == asked.json()
    answer(text_difference(BEFORE, AFTER).as_dict())
    told = anonymous.get(where).json()
    assert (told["state"], told["position"]) == ("done", None)
    assert told["difference"]["added"] == 1
    assert told["difference"]["text"].startswith("@@ -1,4 +1,3 @@\n define i32 @f() {\n-  %1 = alloca")
    again = api.post(where)
    assert (again.status_code, again.json()) == (200, told)
    assert Study.objects.count() == 1


def test_a_step_without_effect_needs_no_worker(api: APIClient, item: SubmissionItem) -> None:
    for response in (
        api.get(place(item, "steps/2/difference/")),
        api.post(place(item, "steps/2/difference/")),
    ):
        assert response.status_code == 200
        assert response.json()["state"] == "done"
        assert response.json()["difference"]["text"] == ""
    assert not Study.objects.exists()


def test_a_step_that_is_not_there_is_refused(api: APIClient, pages: Client, item: SubmissionItem) -> None:
    for step in ("0", "5", "-1", "1.0", "one", "%20", "1" * 30, "²"):
        for ask in (api.get, api.post):
            response = ask(place(item, f"steps/{step}/difference/"))
            assert response.status_code == 422, step
            [problem] = response.json()["errors"]
            assert (problem["field"], problem["remedy"]) == ("step", "Give an integer from 1 to 4."), step
    for step in ("0", "5", "x", ""):
        assert pages.get(f"{item.get_absolute_url()}?step={step}").status_code == 404, step


def test_nothing_is_told_of_an_item_that_is_not_verified_or_not_there(api: APIClient, world: World) -> None:
    submission = submit(world.other, document([[11], [12], [13]]))
    fail(verifications(submission)[1], "env:crash")
    for ask in (api.get, api.post):
        for rest in ("steps/1/difference/", "minimised/"):
            for one in submission.items.filter(position__in=(0, 1)):
                response = ask(place(one, rest))
                assert (response.status_code, response.json()["type"]) == (409, "/problems/#conflict")
                assert "verified item" in response.json()["detail"]
            nowhere = SubmissionItem(submission_id=submission.pk, position=9)
            assert ask(place(nowhere, rest)).status_code == 404
    assert not Study.objects.exists()


def test_a_question_needs_a_worker_of_the_version(
    api: APIClient, item: SubmissionItem, worker: Runner
) -> None:
    Runner.objects.update(digests=["0" * 64])
    assert not able_runners("x86_64-cpu", digest=item.verification.environment_digest).exists()
    for rest in ("steps/1/difference/", "minimised/"):
        response = api.post(place(item, rest))
        assert response.status_code == 409
        assert "No worker of the class x86_64-cpu" in response.json()["detail"]


def test_an_environment_without_a_text_has_no_differences(
    api: APIClient, pages: Client, item: SubmissionItem, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = environment_spec("llvm-ic-v0")
    monkeypatch.setitem(vars(spec), "state_text", "")
    response = api.post(place(item, "steps/1/difference/"))
    assert response.status_code == 409
    assert "llvm-ic-v0 has no text of a program's states." in response.json()["detail"]
    assert "has no text of a program" in page(pages, item, "?step=1")


def test_a_stranger_must_log_in_to_ask(client: Client, anonymous: APIClient, item: SubmissionItem) -> None:
    for rest in ("steps/1/difference/", "minimised/"):
        assert anonymous.post(place(item, rest)).status_code == 401
    text = page(client, item, "?step=1")
    assert "to ask a runner" in text
    assert "Show what it changes" not in text
    assert f"/accounts/login/?next={item.get_absolute_url()}%3Fstep%3D1" in text


def test_an_account_asks_so_often_and_a_question_that_is_refused_does_not_count(
    api: APIClient, item: SubmissionItem, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]["study"] == "60/hour"
    monkeypatch.setattr(StudyThrottle, "THROTTLE_RATES", {"study": "4/hour"})
    with monkeypatch.context() as patch:
        patch.setattr("runner.conf.studies_of_owner", lambda _others: 0)
        refused = [api.post(place(item, "minimised/")) for _ in range(5)]
        assert {(one.status_code, one["Retry-After"]) for one in refused} == {(429, "600")}
    codes = []
    for number in range(5):
        Study.objects.all().delete()
        where = place(item, "minimised/" if number % 2 else "steps/1/difference/")
        codes.append(api.post(where).status_code)
    assert codes == [202] * 4 + [429]
    assert not Study.objects.exists()
    response = api.post(place(item, "minimised/"))
    assert response.json()["type"] == "/problems/#quota-exceeded"
    assert 0 < int(response["Retry-After"]) <= 3600


def test_too_many_questions_are_refused_for_a_while(
    api: APIClient, pages: Client, item: SubmissionItem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.conf.STUDIES_WAITING", 1)
    assert api.post(place(item, "minimised/")).status_code == 202
    response = api.post(place(item, "steps/1/difference/"))
    assert (response.status_code, response["Retry-After"]) == (429, "600")
    text = pages.post(f"{item.get_absolute_url()}steps/1/difference/", follow=True).content.decode()
    assert "1 of your questions wait for workers" in text
    assert Study.objects.get().payer.name == f"user:{item.submission.owner_id}"


def test_actions_that_suffice_are_shown(api: APIClient, pages: Client, item: SubmissionItem) -> None:
    assert api.get(place(item)).json()["minimised"] is None
    assert api.post(place(item, "minimised/")).json()["state"] == "queued"
    assert "one of the next 4 questions" in shown(page(pages, item))
    answer({"kept": [0, 3], "minimal": True, "trials": 9})
    told = api.get(place(item, "minimised/")).json()
    commandline = environment_spec("llvm-ic-v0").commandline([3, 9])
    expected = {"steps": [1, 4], "total": 4, "actions": [3, 9], "minimal": True, "trials": 9}
    assert told["minimised"] == {**expected, "commandline": commandline}
    assert api.get(place(item)).json()["minimised"] == told["minimised"]
    text = shown(page(pages, item))
    assert "Minimised: 2 of 4 actions suffice" in text
    assert "None of the others can be left out alone." in text
    names = [environment_spec("llvm-ic-v0").action_table.names[action] for action in ACTIONS]
    chips = re.findall(r"<li[^>]*>(<del>)?<a href=\"\?step=(\d)#step\">([^<]+)</a>", page(pages, item))
    assert [(bool(gone), int(step), name) for gone, step, name in chips] == [
        (step in (2, 3), step, escape(name)) for step, name in enumerate(names, start=1)
    ]
    Study.objects.all().delete()
    api.post(place(item, "minimised/"))
    answer({"kept": [0, 1, 2, 3], "minimal": True, "trials": 9})
    text = page(pages, item)
    assert "None of the actions can be left out alone." in shown(text)
    assert ("<del>" in text, "Minimised command line" in text) == (False, False)


def test_an_answer_that_cannot_be_read_breaks_no_page_and_can_be_asked_for_again(
    api: APIClient, pages: Client, item: SubmissionItem
) -> None:
    questions = ("minimised/", "steps/1/difference/")
    answers: tuple[dict[str, Any], ...] = ({"kept": [17], "minimal": True, "trials": 9}, {"text": 7})
    for rest, result in zip(questions, answers, strict=True):
        assert api.post(place(item, rest)).status_code == 202
        answer(result)
    assert api.get(place(item, "minimised/")).json()["state"] == "failed"
    assert api.get(place(item, "steps/1/difference/")).json()["reason"] == "infra:internal"
    assert "We could not find out which actions suffice" in shown(page(pages, item, "?step=1"))
    for rest in questions:
        again = api.post(place(item, rest))
        assert (again.status_code, again.json()["state"]) == (202, "queued")
    assert set(Study.objects.values_list("result", "finished_at")) == {(None, None)}


def test_a_failed_question_can_be_asked_again(api: APIClient, pages: Client, item: SubmissionItem) -> None:
    api.post(place(item, "steps/1/difference/"))
    lease = leases.lease_next(worker="test")
    assert lease is not None
    assert "A runner is finding out" in page(pages, item, "?step=1")
    leases.fail(lease=lease, reason="env:replay-timeout", detail="It did not end.")
    text = page(pages, item, "?step=1")
    assert "The whole replay exceeded its time limit." in text
    assert "It did not end." in text
    assert pages.post(f"{item.get_absolute_url()}steps/1/difference/").status_code == 302
    assert Study.objects.get().state == StudyState.QUEUED


def test_the_page_of_a_step_shows_what_it_changes(pages: Client, item: SubmissionItem) -> None:
    where = f"{item.get_absolute_url()}steps/1/difference/"
    response = pages.post(where)
    assert (response.status_code, response["Location"]) == (302, f"{item.get_absolute_url()}?step=1#step")
    answer(text_difference(BEFORE, AFTER).as_dict())
    text = page(pages, item, "?step=1")
    lines = re.findall(r'<span class="(removed|added)">(.+)\n</span>', text)
    told = [(kind, shown(line)) for kind, line in lines]
    assert ("removed", "- %1 = alloca i32 ; &lt;script&gt;") in told
    assert ("added", "+ ret i32 0 ; a &amp; b") in told
    assert '<summary class="hunk">@@ -1,4 +1,3 @@</summary>' in text
    assert "2 lines removed, 1 added; 4 lines before, 3 after." in shown(text)
    assert "Show what it changes" not in text
    Study.objects.all().delete()
    pages.post(where)
    answer(text_difference("x\n" * 9_000, "y\n" * 9_000).as_dict())
    text = shown(page(pages, item, "?step=1"))
    assert "Parts that are too long to be matched line by line" in text
    assert "Only the first 2,000 of 18,001 lines of the difference are kept." in text
    Study.objects.all().delete()
    pages.post(where)
    answer(text_difference("", "  %1 = add i32 %2, 3 ; and so on\n" * 2_000).as_dict())
    text = page(pages, item, "?step=1")
    assert re.search(r"[\d,]+ more lines are not shown", shown(text))
    assert len(text) < limits.SHOWN_TEXT_BYTES + 60_000


def test_steps_without_effect_are_grey_and_one_may_be_chosen(pages: Client, item: SubmissionItem) -> None:
    text = page(pages, item)
    assert text.count('<tr class="no-op">') == 3
    assert text.count('<li class="no-op">') == 3
    assert text.count('class="idle"') == 4, "One run of three steps, on both charts for both screens."
    assert "3 of 4 steps had no effect." in shown(text)
    text = page(pages, item, "?effective=1")
    assert '<tr class="no-op">' not in text
    assert 'class="idle"' not in text
    assert "3 steps without effect are hidden. Show all steps" in shown(text)
    table = environment_spec("llvm-ic-v0").action_table
    text = page(pages, item, "?step=3")
    assert f"Step 3 of 4: {table.names[7]}" in shown(text)
    assert shown(text).count("No effect: the program is the same before and after it.") == 1
    assert text.count('class="chosen"') == 4
    assert '<a rel="prev" href="?step=2#step">' in text
    assert '<a rel="next" href="?step=4#step">' in text
    assert table.descriptions[3] in page(pages, item).replace("&#x27;", "'")  # type: ignore[attr-defined] # LLVM's has them


def test_the_programs_beside_an_item_are_linked(pages: Client, item: SubmissionItem) -> None:
    first, second, third = (page(pages, one) for one in item.submission.items.order_by("position"))
    assert ('rel="prev"' in first, 'rel="next"' in first) == (False, True)
    assert '<a rel="prev" href="' + item.get_absolute_url() + '">← alpha</a>' in second
    assert "gamma →</a>" in second
    assert ('rel="prev"' in third, 'rel="next"' in third) == (True, False)


def test_the_best_result_stands_beside_an_item(pages: Client, world: World, item: SubmissionItem) -> None:
    assert "This item is the best verified result of its program on this board." in page(pages, item)
    better = submit(world.other, document([[8, 8]]))
    record(verifications(better)[0], 70)
    assert BestResult.objects.get(benchmark_uri=item.benchmark_uri).submission == better
    text = page(pages, item)
    assert "Best known: 1.4286" in shown(text)
    assert "IR instructions: 70; this item 90, ratio 1.1111." in shown(text)
    assert escape(environment_spec("llvm-ic-v0").commandline([8, 8])) in text
    assert f'<a href="/users/{world.other.username}/">' in text


def test_best_results_are_minimised_without_being_asked_for_unless_an_operator_objects(
    world: World, item: SubmissionItem, settings: Settings
) -> None:
    worse = submit(world.other, document([[5]]))
    record(verifications(worse)[0], 99)
    settings.OPTARENA_MINIMISE = False
    sweep()
    assert not Study.objects.exists()
    settings.OPTARENA_MINIMISE = True
    sweep()
    assert Study.objects.count() == 3
    assert minimise_bests() == 0
    assert set(Study.objects.values_list("automatic", "kind")) == {(True, "minimised")}
    asked = {study.verification_id for study in Study.objects.all()}
    assert asked == {one.verification_id for one in item.submission.items.all()}


@pytest.mark.parametrize("lonely", [0, 1, 2])
def test_a_class_without_workers_keeps_no_other_from_it(item: SubmissionItem, lonely: int) -> None:
    found = list(verifications(item.submission))
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE runner_verification DISABLE TRIGGER USER")
    Verification.objects.filter(pk=found[lonely].pk).update(hardware_class="of-nobody")
    assert minimise_bests() == 2
    assert not Study.objects.filter(verification=found[lonely]).exists()
    assert minimise_bests() == 0
    Study.objects.all().delete()
    Runner.objects.all().delete()
    assert minimise_bests() == 0, "nobody could do it"


def test_neither_times_nor_withdrawn_are_minimised(
    api: APIClient, world: World, item: SubmissionItem
) -> None:
    Board.objects.update(exact=False)
    response = api.post(place(item, "minimised/"))
    assert response.status_code == 409
    assert "measured times" in response.json()["detail"]
    assert minimise_bests() == 0
    Board.objects.update(exact=True)
    withdraw(submission_id=item.submission_id, actor=world.user)
    assert api.post(place(item, "minimised/")).status_code == 409
    assert api.get(place(item, "steps/1/difference/")).status_code == 409


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
    versions={"llvm": "22.1.8", "llvmlite": "0.50.0", "nvidia-cuda-nvcc": "13.0.88"},
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
    Runner.objects.all().delete()
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
    assert "Linux 6.1, llvmlite 0.50.0, nvidia-cuda-nvcc 13.0.88, LLVM 22.1.8" in page


def test_of_a_name_only_the_last_life_is_listed(client: Client) -> None:
    Runner.objects.all().delete()
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
    row = Calibration.objects.values().get()
    del row["id"], row["role"]
    Calibration.objects.bulk_create(
        Calibration(**row | {"at": row["at"] - timedelta(days=days)}) for days in range(1, number + 1)
    )


def test_the_latest_calibrations_are_shown_with_the_limits_of_older_ones(client: Client) -> None:
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
