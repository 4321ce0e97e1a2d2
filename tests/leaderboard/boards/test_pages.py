"""The pages: what they show, to whom, and that they work without scripts."""

from __future__ import annotations

import uuid

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import JSONField, Value
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from leaderboard.models import Submission, SubmissionItem
from optarena.specs import environment_spec
from runner.models import State, VerificationAttempt
from runner.queue import leases, transitions
from tests.factories import make_user
from tests.kit.boards import (
    URIS,
    World,
    document,
    fail,
    record,
    record_all,
    replay_result,
    submit,
    take,
    verifications,
)
from tests.kit.pages import cannot_keep_focus, text


def csv_lines(*uris: str) -> str:
    commandline = environment_spec("llvm-ic-v0").commandline((1, 2))
    return "".join(f'{uri},,,"{commandline}"\n' for uri in uris)


def form(**changes: object) -> dict[str, object]:
    return {"board": "test-ic", "agent": "web agent", "states": csv_lines(*URIS), "key": "k"} | changes


@pytest.mark.django_db
def test_every_page_opens_on_an_empty_server(client: Client) -> None:
    lists = ("/", "/boards/", "/submissions/", "/environments/", "/queue/", "/records/", "/records/feed/")
    for address in (
        *lists,
        "/environments/llvm-ic-v0/",
        "/portable/",
        "/runners/",
        "/datasets/",
        "/compare/",
    ):
        assert client.get(address).status_code == 200, address
    for address in ("/boards/none/", "/boards/none/programs/", "/environments/none/"):
        assert client.get(address).status_code == 404, address


def test_the_board_page_shows_ranks_references_and_why_a_row_is_not_ranked(
    client: Client, world: World
) -> None:
    record_all(submit(world.user, document(agent="winner")), 90, 90, 90)
    partial = submit(world.other, document([[4]], agent="unfinished", effort={"trained_on_test_set": True}))
    record_all(partial, 80)
    submit(world.other, document([[7]], agent="running"))
    page = text(client.get("/boards/test-ic/"))
    assert page.index("winner") < page.index("LLVM -Oz") < page.index("LLVM -O2") < page.index("unfinished")
    assert "1 of 3 benchmarks are verified; a rank needs all. Missing: beta, gamma." in page
    assert page.index("unfinished") < page.index("Being verified") < page.index("running")
    assert "trained on test set" in page
    assert "optarena submit" in page
    assert reverse("leaderboard-api:standings-csv", args=["test-ic"]) in page


def test_other_entries_of_an_agent_are_on_a_toggle(client: Client, world: World) -> None:
    record_all(submit(world.user), 90, 90, 90)
    record_all(submit(world.user, document([[4], [5], [6]])), 95, 95, 95)
    assert "Its family of agents has a better entry." not in text(client.get("/boards/test-ic/"))
    assert "Its family of agents has a better entry." in text(client.get("/boards/test-ic/?all=1"))


def test_the_home_page_shows_boards_leaders_queue_and_how_to_start(client: Client, world: World) -> None:
    record_all(submit(world.user, document(agent="winner")), 90, 90, 90)
    assert "The queue is empty" in text(client.get("/"))
    submit(world.other, document([[7]]))
    page = text(client.get("/"))
    for expected in (
        "Test board",
        "winner",
        "waiting",
        "pip install .",
        "OPTARENA_URL=http://testserver",
    ):
        assert expected in page, expected


def test_a_verifying_submission_polls_and_a_finished_one_tells_an_open_page_to_reload(
    client: Client, world: World
) -> None:
    submission = submit(world.user)
    progress = reverse("leaderboard:progress", args=[submission.pk])
    record(verifications(submission)[0], 90)
    page = text(client.get(submission.get_absolute_url()))
    assert 'hx-trigger="every 2s"' in page
    assert '<noscript><meta http-equiv="refresh"' in page
    assert "1 of 3 replays have ended" in page
    part = client.get(progress)
    assert 'hx-trigger="every 2s"' in text(part)
    assert cannot_keep_focus(text(part)) == []
    assert "HX-Refresh" not in part.headers
    record_all(submission, 90, 90, 90)
    page = text(client.get(submission.get_absolute_url()))
    assert ("hx-trigger" in page, "http-equiv" in page) == (False, False)
    assert client.get(progress).headers["HX-Refresh"] == "true"


def test_claims_stand_beside_measurements_with_reason_and_remedy(client: Client, world: World) -> None:
    body = document()
    body["items"][0]["claims"] = {"ir_instructions": 77}
    submission = submit(world.user, body)
    record(verifications(submission)[0], 1234)
    fail(verifications(submission)[1], "env:timeout", "step 3 (inline)")
    page = text(client.get(submission.get_absolute_url()))
    for expected in (
        "77",
        "1,234",
        "claim:mismatch",
        "optarena replay",
        "env:timeout",
        "step 3 (inline)",
        "Remove the action",
    ):
        assert expected in page, expected


def test_an_item_page_shows_the_trace_and_how_to_repeat_it(client: Client, world: World) -> None:
    submission = submit(world.user, document([[1, 2, 3]]))
    record_all(submission, 90)
    page = text(client.get(f"{submission.get_absolute_url()}items/0/"))
    spec = environment_spec("llvm-ic-v0")
    assert f"optarena replay http://testserver{submission.get_absolute_url()}items/0/" in page
    assert spec.action_table.names[2] in page
    assert page.count('class="no-op"') == 2
    assert "<polyline points=" in page
    assert "\N{MINUS SIGN}310" in page
    assert "same output" in page
    assert client.get(f"{submission.get_absolute_url()}items/1/").status_code == 404


def test_an_item_page_without_a_result_opens(client: Client, world: World) -> None:
    waiting, failing = submit(world.user), submit(world.other, document([[4]]))
    fail(verifications(failing)[0], "infra:sandbox-unavailable")
    assert "shown when the replay has ended" in text(client.get(f"{waiting.get_absolute_url()}items/0/"))
    assert "seccomp and Landlock" in text(client.get(f"{failing.get_absolute_url()}items/0/"))


def test_names_and_descriptions_are_text_and_never_markup(client: Client, world: World) -> None:
    evil = "<script>alert(1)</script>"
    submission = submit(
        world.user, document(agent=evil, description=evil, url="https://example.org/?a='><b>")
    )
    for address in ("/", "/boards/test-ic/", "/submissions/", submission.get_absolute_url()):
        assert evil not in text(client.get(address)), address


def test_pasted_results_become_a_submission(pages: Client, world: World) -> None:
    response = pages.post("/submit/", form(description="how", compilations="7", trained_on_test_set="on"))
    submission = Submission.objects.get()
    assert response["Location"] == submission.get_absolute_url()
    assert (submission.agent, submission.owner, submission.compilations) == ("web agent", world.user, 7)
    assert submission.trained_on_test_set
    assert submission.items.count() == 3


def test_an_uploaded_file_becomes_a_submission_and_a_second_click_makes_no_other(
    pages: Client, world: World
) -> None:
    def upload() -> SimpleUploadedFile:
        return SimpleUploadedFile("results.csv", csv_lines(*URIS).encode())

    refused = pages.post("/submit/", form(file=upload()))
    assert "or choose a file, not both" in refused.content.decode()
    first, second = (pages.post("/submit/", form(states="", file=upload())) for _ in range(2))
    assert (first.status_code, first["Location"]) == (302, second["Location"])
    assert (Submission.objects.count(), SubmissionItem.objects.count()) == (1, 3)


def test_bad_rows_are_listed_by_row_and_what_was_written_stays(pages: Client, world: World) -> None:
    states = csv_lines(URIS[0], URIS[0], "benchmark://boards-v0/nothing")
    response = pages.post("/submit/", form(states=states))
    assert response.status_code == 422
    page = response.content.decode()
    assert "Nothing was stored" in page
    assert "2 problems" in page
    assert "benchmark://boards-v0/nothing" in page
    assert "web agent" in page
    assert not Submission.objects.exists()


def test_an_incomplete_form_comes_back_and_a_key_that_was_lost_is_another(
    pages: Client, world: World
) -> None:
    for changes in ({"states": ""}, {"agent": ""}, {"board": "none"}, {"agent": "x" * 81}):
        assert pages.post("/submit/", form(**changes)).status_code == 422
    for key in ("", "k" * 201):
        page = pages.post("/submit/", form(key=key, states="x")).content.decode()
        assert ('name="key"' in page, f'value="{key}"' in page) == (True, False)
    assert not Submission.objects.exists()


def test_forms_need_their_token(world: World) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(world.user)
    submission = submit(world.user)
    assert strict.post("/submit/", form()).status_code == 403
    assert strict.post(reverse("leaderboard:withdraw", args=[submission.pk])).status_code == 403
    assert Submission.objects.get().withdrawn_at is None


def test_a_submission_is_withdrawn_by_its_owner_from_its_page(pages: Client, world: World) -> None:
    mine, theirs = submit(world.user), submit(world.other)
    assert "Withdraw" in text(pages.get(mine.get_absolute_url()))
    assert "Withdraw" not in text(pages.get(theirs.get_absolute_url()))
    address = reverse("leaderboard:withdraw", args=[mine.pk])
    assert pages.post(address)["Location"] == mine.get_absolute_url()
    assert "This submission was withdrawn" in text(pages.get(mine.get_absolute_url()))
    assert pages.post(address, follow=True).status_code == 200


def test_quarantined_items_are_reviewed_in_the_admin_site(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 50, 90, 90)
    admin = Client()
    admin.force_login(make_user("root", staff=True))
    ids = list(submission.items.values_list("pk", flat=True))
    address = reverse("admin:leaderboard_submissionitem_changelist")
    response = admin.post(address, {"action": "publish", "_selected_action": ids}, follow=True)
    assert "1 of 3 items were quarantined" in response.content.decode()
    item = submission.items.get(position=0)
    assert (item.verdict, item.detail) == ("verified", "A reviewer published it.")
    [entry] = LogEntry.objects.select_related("user")
    assert (entry.object_id, entry.user.username) == (str(item.pk), "root")
    assert "root" not in text(Client().get(item.get_absolute_url()))


def test_the_admin_site_opens_and_edits_no_verdict(world: World) -> None:
    submission = submit(world.user)
    admin = Client()
    admin.force_login(make_user("root", staff=True))
    for model in ("board", "submission", "submissionitem", "standing"):
        assert admin.get(reverse(f"admin:leaderboard_{model}_changelist")).status_code == 200
        assert admin.get(reverse(f"admin:leaderboard_{model}_add")).status_code == 403
    item = submission.items.get(position=0)
    change = reverse("admin:leaderboard_submissionitem_change", args=[item.pk])
    assert admin.post(change, {"verdict": "verified"}).status_code == 403


def test_a_board_whose_compiler_is_not_installed_says_so(world: World, client: Client) -> None:
    submission = submit(world.user)
    version = world.board.environment_version
    version.env_id = "gone-v0"
    version.save()
    for address in (world.board.get_absolute_url(), submission.get_absolute_url()):
        answer = client.get(address)
        assert answer.status_code == 404
        assert "gone-v0" in answer.content.decode()
    assert client.get("/boards/").status_code == 200
    assert client.get("/api/v1/boards/test-ic/standings/").status_code == 422


def test_what_our_machines_could_not_verify_is_not_called_failed(client: Client, world: World) -> None:
    submission = submit(world.user)
    fail(verifications(submission)[0], "infra:machine-busy")
    fail(verifications(submission)[1], "env:crash")
    item, other = submission.items.order_by("position")[:2]
    page = client.get(item.get_absolute_url()).content.decode()
    assert 'data-state="could not be verified"' in page
    crashed = client.get(other.get_absolute_url()).content.decode()
    assert "<code>optarena replay</code> reproduces the crash." in crashed
    assert "no idle one was found" in page
    assert 'data-state="failed"' in client.get(other.get_absolute_url()).content.decode()
    for address in (submission.get_absolute_url(), "/queue/"):
        page = client.get(address).content.decode()
        assert 'data-state="could not be verified"' in page, address
        assert 'data-state="failed"' in page, address


def test_an_item_shows_every_attempt_that_did_not_succeed(pages: Client, world: World) -> None:
    submission = submit(world.user)
    item = submission.items.get(position=0)
    address = item.get_absolute_url()
    assert "Attempts" not in text(pages.get(address))
    first = verifications(submission)[0]
    lease = take(first)
    evidence = {"alone": True, "time_factor": 3.0, "busy_percent_during": 4.4}
    report = leases.AttemptReport(
        reason="env:timeout", detail="In step 3", failed_step=3, seconds=30, evidence=evidence
    )
    leases.record_suspicion(lease=lease, report=report)
    page = text(pages.get(address))
    assert "exceeded its time limit.</strong> In step 3 <code>env:timeout</code>" in page
    assert "Alone, 30.0 s, 3 times the limits of time, processes waited for a processor 4 %" in page
    assert "It was suspected, so the replay was repeated." in page
    assert "Attempt 2 is running." in page
    leases.give_back(lease=lease, reason="infra:killed", detail="<gone>")
    page = text(pages.get(address))
    assert "The replay was queued again." in page
    assert "&lt;gone&gt;" in page
    assert "Attempt 3 is waiting for a worker." in page


def test_whatever_a_worker_gives_as_evidence_the_page_is_shown(client: Client, world: World) -> None:
    submission = submit(world.user)
    for evidence in (
        {"alone": False, "time_factor": "three", "busy_percent_during": []},
        {"time_factor": 3.0},
        ["alone"],
        None,
        3,
    ):
        now = timezone.now()
        made = VerificationAttempt.objects.create(
            id=uuid.uuid4(),
            verification=verifications(submission)[0],
            number=1,
            lease_attempt=0,
            worker="w",
            started_at=now,
            ended_at=now,
            decision="whatever",
            reason="env:crash",
            evidence=Value(evidence, JSONField()),
        )
        page = text(client.get(submission.items.get(position=0).get_absolute_url()))
        ran = isinstance(evidence, dict) and "alone" in evidence
        assert ("Beside others, 0.0 s." if ran else "Ended or noticed as lost after 0.0 s.") in page
        answer = client.get(reverse("leaderboard-api:item", args=[submission.pk, 0]))
        assert answer.json()["attempts"][0]["evidence"] == (evidence if isinstance(evidence, dict) else {})
        made.delete()


def test_an_item_tells_when_a_repetition_succeeded(client: Client, world: World) -> None:
    submission = submit(world.user)
    lease = take(verifications(submission)[0])
    leases.record_suspicion(lease=lease, report=leases.AttemptReport(reason="env:crash", detail="In step 0"))
    leases.advance(lease=lease, to=State.MEASURING)
    result = replay_result(verifications(submission)[0], 90)
    outcome = transitions.ReplayOutcome(result=result.as_dict(), metrics=dict(result.metrics), sandbox={})
    leases.record(lease=lease, outcome=outcome)
    page = text(client.get(submission.items.get(position=0).get_absolute_url()))
    assert "Attempt 2 succeeded, and its result was recorded." in page
    assert "verified" in page
