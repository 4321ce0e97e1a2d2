"""The pages of entries, lists and people: what they show, to whom, and that they work without scripts."""

from __future__ import annotations

import base64
import html
import re
import subprocess
import sys
import uuid
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import JSONField, Value
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from datasets.loading import load_dataset
from leaderboard.boards.services import board_definitions, load_boards
from leaderboard.models import Board, Submission, SubmissionItem
from leaderboard.people import queries as people_queries
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions.services import withdraw
from optarena.datasets import BUILTIN, datasets
from optarena.limits import MAX_LEADERS
from optarena.specs import board_specs, environment_spec
from optarena.state import read_states
from runner.machines.machine import Machine
from runner.machines.presence import announce_runner
from runner.models import Runner, State, VerificationAttempt
from runner.queue import leases, transitions
from tests.factories import make_board, make_dataset, make_user
from tests.kit.arena import rolled_back
from tests.kit.boards import (
    URIS,
    World,
    agent,
    document,
    fail,
    owner_of,
    record,
    record_all,
    replay_result,
    submit,
    take,
    verifications,
)
from tests.kit.credit import entry
from tests.kit.pages import cannot_keep_focus, text
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings


pytestmark = pytest.mark.django_db


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
        "/data/",
        "/datasets/",
        "/compare/",
        "/search/?q=nothing",
    ):
        assert client.get(address).status_code == 200, address
    for address in ("/boards/none/", "/boards/none/programs/", "/boards/none/build/", "/environments/none/"):
        assert client.get(address).status_code == 404, address


def test_the_board_page_shows_ranks_references_and_why_there_is_none(client: Client, world: World) -> None:
    record_all(submit(world.user, document(agent="winner")), 90, 90, 90)
    partial = submit(world.other, document([[4]], agent="unfinished", effort={"trained_on_test_set": True}))
    record_all(partial, 80)
    submit(world.other, document([[7]], agent="running"))
    page = text(client.get("/boards/test-ic/?utm_source=elsewhere"))
    assert page.index("winner") < page.index("LLVM -Oz") < page.index("LLVM -O2") < page.index("unfinished")
    assert "1 of 3 benchmarks are verified; a rank needs all. Not verified: beta, gamma." in page
    assert page.index("unfinished") < page.index("Being verified") < page.index("running")
    assert "trained on test set" in page
    assert "optarena submit" in page
    assert reverse("leaderboard-api:standings-csv", args=["test-ic"]) in page


def test_what_is_below_the_reference_or_not_complete_never_reads_as_a_win(
    client: Client, anonymous: APIClient, world: World
) -> None:
    worse = submit(world.user, document(agent="worse"))
    record_all(worse, 104, 108, 110)
    part = submit(world.other, document([[4]], agent="part"))
    record_all(part, 90)
    words = "7.3 % larger"
    for address in ("/", "/boards/"):
        page = text(client.get(address))
        assert "Nobody has beaten -Oz yet." in page, address
        assert f'The best entry: <span class="worse">{words}</span>' in page, address
        assert "<strong>0." not in page, address
    named = f'<span class="worse">{words} than -Oz</span>'
    pages = {
        world.board.get_absolute_url(): f'<span class="worse">{words}</span>',
        worse.get_absolute_url(): f'<span class="worse">{words}</span>',
        f"/compare/?entry={worse.pk}&entry=level:Oz": named,
        "/users/ada/": named,
        "/users/ada/agent/?name=worse": named,
    }
    for address, expected in pages.items():
        page = text(client.get(address))
        assert expected in page, address
        assert "mprovement" not in page, address
    rows = {row["agent"]: row for row in anonymous.get("/api/v1/boards/test-ic/standings/").json()["results"]}
    figures = ("score", "saving", "mean_improvement", "gap", "against_reference")
    assert [rows["part"][name] for name in figures] == [None, None, None, None, ""]
    assert rows["worse"]["saving"] == pytest.approx(1 - (1.04 * 1.08 * 1.1) ** (1 / 3))
    told = anonymous.get(f"/api/v1/submissions/{part.pk}/").json()
    assert [told[name] for name in ("score", "saving", "mean_improvement", "largest_ratio")] == [None] * 4
    for address in (part.get_absolute_url(), "/users/bob/", "/users/bob/agent/?name=part", "/submissions/"):
        page = text(client.get(address))
        assert "0.411" not in page, address
    best = submit(world.other, document([[4], [5], [6]], agent="best"))
    record_all(best, 90, 95, 100)
    page = text(client.get("/"))
    assert f"<strong>{(100**2 / 90 / 95) ** (1 / 3):.4f}</strong> <bdi>best</bdi>" in page
    assert '<span class="better">5.1 % smaller than -Oz</span>' in page


def test_other_entries_of_an_agent_are_on_a_toggle(client: Client, world: World) -> None:
    record_all(submit(world.user), 90, 90, 90)
    record_all(submit(world.user, document([[4], [5], [6]])), 95, 95, 95)
    folded = text(client.get("/boards/test-ic/"))
    assert '<a href="?all=1&amp;owner=ada">1 more of this owner</a>' in folded
    assert "Its owner has a better entry." not in folded
    assert "Its owner has a better entry." in text(client.get("/boards/test-ic/?all=1"))


def test_a_page_polls_while_replays_run_and_then_is_loaded_again(client: Client, world: World) -> None:
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
    assert "<p>Replayed 1 time on 1 machine." in text(client.get(f"{submission.get_absolute_url()}items/0/"))


def test_an_item_page_shows_the_trace_and_how_to_repeat_it_or_why_not(client: Client, world: World) -> None:
    submission = submit(world.user, document([[1, 2, 3]]))
    record_all(submission, 90)
    page = text(client.get(f"{submission.get_absolute_url()}items/0/"))
    spec = environment_spec("llvm-ic-v0")
    assert f"optarena replay http://testserver{submission.get_absolute_url()}items/0/" in page
    assert spec.action_table.names[2] in page
    assert page.count('<tr class="no-op">') == 2
    assert "<polyline points=" in page
    assert "around -Oz and the final value" in page
    assert "Chart of all values, from 400 to 90" in page
    assert "\N{MINUS SIGN}310" in page
    assert "same output" in page
    assert client.get(f"{submission.get_absolute_url()}items/1/").status_code == 404
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


def test_pasted_results_or_a_file_become_one_submission(pages: Client, world: World) -> None:
    response = pages.post("/submit/", form(description="how", compilations="7", trained_on_test_set="on"))
    submission = Submission.objects.get()
    assert response["Location"] == submission.get_absolute_url()
    assert (submission.agent, submission.owner, submission.compilations) == ("web agent", world.user, 7)
    assert submission.trained_on_test_set
    assert submission.items.count() == 3

    def upload() -> SimpleUploadedFile:
        return SimpleUploadedFile("results.csv", csv_lines(*URIS).encode())

    refused = pages.post("/submit/", form(file=upload()))
    assert "or choose a file, not both" in refused.content.decode()
    first, second = (pages.post("/submit/", form(states="", file=upload(), key="f")) for _ in range(2))
    assert (first.status_code, first["Location"]) == (302, second["Location"])
    assert (Submission.objects.count(), SubmissionItem.objects.count()) == (2, 6)


@pytest.mark.parametrize(
    ("query", "chosen"),
    [("", "llvm-ic"), ("?board=aaa", "aaa"), ("?board=nowhere", "llvm-ic"), ("?board=frozen", "llvm-ic")],
)
def test_the_form_begins_with_the_board_of_its_address_or_with_the_main_one(
    pages: Client, world: World, query: str, chosen: str
) -> None:
    for slug in ("aaa", "frozen", "llvm-ic"):
        make_board(slug=slug, title=slug)
    Board.objects.filter(slug="frozen").update(state=Board.State.FROZEN)
    options = re.findall(r'<option value="([^"]+)"( selected)?', text(pages.get(f"/submit/{query}")))
    assert next((slug for slug, selected in options if selected), options[0][0]) == chosen


def test_a_form_that_cannot_be_used_comes_back_and_says_why(pages: Client, world: World) -> None:
    states = csv_lines(URIS[0], URIS[0], "benchmark://boards-v0/nothing")
    response = pages.post("/submit/", form(states=states))
    assert response.status_code == 422
    page = response.content.decode()
    assert "Nothing was stored" in page
    assert "2 problems" in page
    assert "benchmark://boards-v0/nothing" in page
    assert "web agent" in page
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


def test_quarantined_items_are_reviewed_in_the_admin_site_and_no_verdict_is_edited(world: World) -> None:
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
    for model in ("board", "submission", "submissionitem", "standing"):
        assert admin.get(reverse(f"admin:leaderboard_{model}_add")).status_code == 403
    change = reverse("admin:leaderboard_submissionitem_change", args=[item.pk])
    assert admin.post(change, {"verdict": "verified"}).status_code == 403


def test_the_first_page_of_the_admin_site_says_what_waits(world: World) -> None:
    operator, helper = Client(), Client()
    operator.force_login(make_user("root", staff=True))
    assert "Nothing waits for a decision." in text(operator.get("/admin/"))
    record_all(submit(world.user), 50, 50, 90)
    runner = announce_runner(
        name="celery@host", hardware_class="x86_64-cpu", machine=Machine(fingerprint={}, versions={})
    )
    Runner.objects.filter(pk=runner.pk).update(paused_at=runner.started_at)
    page = text(operator.get("/admin/"))
    [address] = re.findall('<a href="([^"]+)">2 quarantined items</a>', page)
    assert "2 items of submissions" in text(operator.get(html.unescape(address)))
    assert '<a href="/runners/">1 paused runner</a>' in page
    assert not re.search(r">(Demands|Payers|Studies|Blobs|Dataset versions)<", page)
    assert ">Questions about results<" in page
    helper_user = make_user("helper")
    helper_user.is_staff = True
    helper_user.save()
    helper.force_login(helper_user)
    assert "quarantined" not in text(helper.get("/admin/"))


def test_a_board_whose_compiler_is_not_installed_says_so(world: World, client: Client) -> None:
    submission = entry(world.user, value=90)
    version = world.board.environment_version
    version.env_id = "gone-v0"
    version.save()
    for address in (world.board.get_absolute_url(), submission.get_absolute_url()):
        answer = client.get(address)
        assert answer.status_code == 404
        assert "gone-v0" in answer.content.decode()
    for address in (
        "/",
        "/boards/",
        "/submissions/",
        "/users/ada/",
        "/api/v1/boards/",
        "/api/v1/submissions/",
    ):
        assert client.get(address).status_code == 200, address
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
        with rolled_back():
            now = timezone.now()
            VerificationAttempt.objects.create(
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
            assert answer.json()["attempts"][0]["evidence"] == (
                evidence if isinstance(evidence, dict) else {}
            )


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


def counts(page: str) -> dict[str, int]:
    figures = re.findall(r"<dt>([^<]*)</dt><dd>(?:<a [^>]*>)?(\d+)", page)
    return {name: int(number) for name, number in figures[:3]}


def test_the_home_page_counts_programs_entries_and_verified_results(client: Client, world: World) -> None:
    empty = text(client.get("/"))
    assert counts(empty) == {"Programs": 3, "Entries": 0, "Results verified by replay": 0}
    assert ("The queue is empty" in empty, "The best score" in empty) == (True, False)
    record_all(submit(world.user, document(agent="first")), 95, 95, 95)
    record_all(submit(world.other, document([[4], [5], [6]], agent="winner")), 90, 90, 90)
    submit(world.other, document([[7]]))
    page = text(client.get("/"))
    assert counts(page) == {"Programs": 3, "Entries": 3, "Results verified by replay": 6}
    start = ("pip install .", "OPTARENA_URL=http://testserver")
    shown = ("Test board", "winner", "Waiting", "The best verified score at each time")
    for expected in (*start, *shown, "over time; the page of the board has the numbers"):
        assert expected in page, expected
    assert "over time; the list has the numbers" in text(client.get("/boards/test-ic/"))


def test_pages_say_how_long_ago_a_thing_was_and_when(client: Client, world: World) -> None:
    record_all(submit(world.user, document()), 95, 95, 95)
    submit(world.other, document([[7]]))
    runner = announce_runner(
        name="celery@host", hardware_class="x86_64-cpu", machine=Machine(fingerprint={}, versions={})
    )
    exact = r'<time datetime="[\d-]+T[\d:.]+\+00:00" title="[\d-]+ [\d:]+ UTC">(?:now|[^<]+ ago)</time>'
    for address in ("/", "/submissions/", "/queue/", "/runners/", f"/runners/{runner.pk}/"):
        page = client.get(address).content.decode()
        assert re.search(exact, page), address
        assert not re.search(r">now<| ago\b", re.sub(exact, "", page)), address


def test_the_home_page_shows_boards_with_entries_before_those_without(client: Client, world: World) -> None:
    make_board(slug="a-new-one", title="A new one")
    submit(world.user, document())
    cards = re.findall(r"<h3>([^<]+)</h3>", client.get("/").content.decode())
    assert cards.index("Test board") < cards.index("A new one")
    for number in range(12):
        make_board(slug=f"more-{number}", title=f"More {number}")
    page = client.get("/").content.decode()
    assert page.count("<h3>More ") == 10, "it shows 12 cards"
    assert "2 more boards" in page


@pytest.mark.soak
def test_its_agent_writes_results_for_a_board(client: Client, tmp_path: Path, settings: Settings) -> None:
    settings.OPTARENA_BOARD_DATASETS = {"programs-v0": "kernels-v0"}
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / "kernels-v0")
    load_boards(definitions=board_definitions()[:1])
    page = client.get("/").content.decode()
    [agent] = re.findall(r'aria-label="A first agent"><code>(.*?)</code>', page, re.DOTALL)
    assert board_specs()[0].environment in agent
    subprocess.run([sys.executable, "-c", html.unescape(agent)], cwd=tmp_path, check=True, timeout=120)
    states = read_states((tmp_path / "results.csv").read_text(), format="csv", metrics=[])
    assert [state.benchmark for state in states] == list(datasets()["kernels-v0"].uris())


ENTRIES = 12


def submit_many(items: int) -> Submission:
    names = [f"p{number:03}" for number in range(items)]
    make_dataset("many-v0", names)
    make_board(slug="many", title="Many", dataset="many-v0")
    rows = [{"benchmark": f"benchmark://many-v0/{name}", "actions": [1]} for name in names]
    return submit(make_user("ada"), {"board": "many", "agent": "agent", "items": rows})


def tie(world: World, entries: int = ENTRIES) -> None:
    made = [submit(owner_of(agent(number)), document(agent=agent(number))) for number in range(entries)]
    record_all(made[0], 90, 90, 90)


def test_the_items_of_a_submission_are_on_pages_which_ask_for_the_progress_of_the_same(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.submissions.pages.ITEMS_A_PAGE", 4)
    submission = submit_many(10)
    address = submission.get_absolute_url()
    seen = []
    for number in (1, 2, 3):
        page = text(client.get(f"{address}?page={number}"))
        shown = [name for name in range(10) if f">p{name:03}</a>" in page]
        assert f"items {shown[0] + 1} to {shown[-1] + 1} of 10" in page
        asked = f"{address}progress/" + (f"?page={number}" if number > 1 else "")
        assert f'hx-get="{asked}"' in page
        assert f">p{shown[0]:03}</a>" in text(client.get(asked))
        seen += shown
    assert seen == list(range(10))
    assert 'rel="next"' not in page
    assert text(client.get(f"{address}?page=99")) == page.replace("?page=99", "?page=3")


def test_a_page_without_a_number_is_refused(client: Client, world: World) -> None:
    one = submit(world.user, document())
    person = f"/users/{world.user.username}/"
    lists = ("/boards/test-ic/", "/boards/test-ic/programs/", "/records/", "/submissions/", person)
    parts = (one.get_absolute_url(), f"{one.get_absolute_url()}progress/")
    entries = f"/compare/?entry={one.pk}&entry=level:Oz&"
    agents = f"{person}agent/?name={one.agent}&"
    for address in (*(f"{one}?" for one in (*lists, *parts)), entries, agents):
        for number in ("two", "1000000"):
            answer = client.get(f"{address}page={number}")
            assert answer.status_code == 422, address
            assert "page: There is no such page. Give a number from 1 to 999999." in answer.content.decode()
        assert client.get(f"{address}page=").status_code == 200, address
    for number in ("0", "-1", "1.5", "1" * 400):
        assert client.get(f"/records/?page={number}").status_code == 422


def test_a_tally_counts_what_the_items_say(world: World) -> None:
    submission = submit(world.user)
    first, second, _ = verifications(submission)
    record(first, 90)
    fail(second, "semantics:output-differs")
    other = submit(world.other, document([[5], [6], [7]]))
    for verification, value in zip(verifications(other), (20, 90, 90), strict=True):
        record(verification, value)
    for one in submission_queries.add_figures(list(submission_queries.list_submissions())):
        counts = Counter(one.items.values_list("verdict", flat=True))
        assert submission_queries.tally(one).by_verdict() == counts
        assert submission_queries.tally(one).total == counts.total()


def test_progress_counts_the_steps_of_replays_that_run(world: World) -> None:
    submission = submit(world.user)
    first, second, _ = verifications(submission)
    record(first, 90)
    leases.report_progress(lease=(lease := take(second)), done=0, total=2)
    leases.advance(lease=lease, to="replaying")  # type: ignore[arg-type] # its text
    leases.report_progress(lease=lease, done=1, total=2)
    assert submission_queries.progress(submission) == pytest.approx((1 + 0.45) / 3)


def test_a_long_timeline_leaves_out_its_replays(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission_queries, "LOGGED_ITEMS", 2)
    submission = submit(world.user)
    take(verifications(submission)[0])
    texts = [event.text for event in submission_queries.timeline(submission)]
    assert texts == ["Submitted with 3 items"]


def test_a_board_names_some_leaders_and_sends_its_file_in_parts(world: World, anonymous: APIClient) -> None:
    tie(world)
    leaders = anonymous.get("/api/v1/boards/test-ic/").json()["leaders"]
    assert [one["agent"] for one in leaders] == [agent(number) for number in range(MAX_LEADERS)]
    rows = anonymous.get("/api/v1/boards/test-ic/standings/").json()["results"]
    assert [row["rank"] for row in rows] == [1] * ENTRIES
    response = anonymous.get("/api/v1/boards/test-ic/standings.csv")
    assert response.streaming
    lines = [part.decode() for part in response]
    assert len(lines) == 1 + 1 + ENTRIES + 4, "the head, the virtual best, the entries, the levels"
    assert all(line.count("\n") == 1 for line in lines)
    # A page that begins within a tie continues its rank.
    record_all(submit(world.other, document([[7], [8], [9]])), 80, 80, 80)
    address, seen = "/api/v1/boards/test-ic/standings/?page_size=5", []
    pages = []
    while address:
        page = anonymous.get(address).json()
        pages.append(address)
        seen += [(row["position"], row["rank"]) for row in page["results"]]
        address = page["next"]
    assert seen == [(1, 1), *((position, 2) for position in range(2, ENTRIES + 2))]
    back = anonymous.get(page["previous"]).json()
    assert back["results"] == anonymous.get(pages[-2]).json()["results"]


def test_a_cursor_that_no_page_of_a_board_gave_is_refused(world: World, anonymous: APIClient) -> None:
    for cursor in ("x", "o=1&r=1", "p=50", "o=99999999999999999999", "o=-1"):
        given = cursor if cursor == "x" else base64.b64encode(cursor.encode()).decode()
        response = anonymous.get("/api/v1/boards/test-ic/standings/", {"cursor": given})
        assert response.status_code == 404
        assert response.json()["type"].endswith("invalid-cursor")


def test_submissions_can_be_limited_to_what_exists(pages: Client, world: World) -> None:
    submit(world.user, document(agent="mine alone"))
    submit(world.other, document(agent="theirs"))
    assert "theirs" in text(pages.get("/submissions/"))
    Submission.objects.bulk_create(
        Submission(board=world.board, owner=world.other, agent="many", content_sha256=f"{n:064}")
        for n in range(60)
    )
    listed = pages.get("/submissions/?owner=bob").content.decode()
    [last] = re.findall(r'href="(\?[^"]*)" aria-label="\d, the last page"', listed)
    shown = pages.get(f"/submissions/{last.replace('&amp;', '&')}")
    assert 'rel="next"' not in shown.content.decode(), "the number of pages leads to the last"
    assert "theirs" in text(shown)
    mine = text(pages.get("/submissions/?mine=1"))
    assert "mine alone" in mine
    assert "theirs" not in mine
    login = Client().get("/submissions/?mine=1")["Location"]
    assert login == "/accounts/login/?next=/submissions/%3Fmine%3D1"
    assert pages.get("/submissions/?board=test-ic&owner=ada").status_code == 200
    for query, told in (("board=tset-ic", "tset-ic"), ("owner=nobody", "no user of this name")):
        answer = pages.get(f"/submissions/?{query}")
        assert answer.status_code == 422
        assert told in answer.content.decode()


def get(place: str, **query: str) -> Any:
    answer = APIClient().get(place, query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_person_has_the_best_entry_of_each_board_with_its_rank_and_figures(world: World) -> None:
    make_board(slug="second", title="Second board")
    entry(world.other, ((4,), (5,), (6,)), value=80, agent="ahead")
    entry(world.user, value=95, agent="worse")
    best = entry(world.user, ((7,), (7,), (7,)), value=85, agent="better")
    only = entry(world.user, ((8,), (8,), (8,)), value=70, board="second")
    entry(world.other, ((7, 9), (7, 9), (7, 9)), value=85, agent="copy")
    rows = {one["board"]: one for one in get("/api/v1/users/ada/")["best"]}
    assert {slug: (one["submission"], one["rank"]) for slug, one in rows.items()} == {
        "test-ic": (str(best.pk), 2),
        "second": (str(only.pk), 1),
    }
    assert get("/api/v1/users/ada/")["figures"] == {"entries": 3, "finds": 9, "records": 3}
    assert get("/api/v1/users/bob/")["figures"] == {"entries": 2, "finds": 3, "records": 3}


def test_agents_are_families_whose_newest_entry_stands_first(world: World) -> None:
    names = ("Greedy", "greedy-2", "other", "greedy (v1.1)")
    made = [entry(world.user, ((n,), (n,), (n,)), agent=name, value=90 - n) for n, name in enumerate(names)]
    rows = get("/api/v1/users/ada/agents/")["results"]
    assert [(one["name"], one["family"], one["entries"]) for one in rows] == [
        ("greedy (v1.1)", "greedy", 3),
        ("other", "other", 1),
    ]
    assert len(get("/api/v1/users/ada/agents/", page_size="1")["results"]) == 1
    rows = get("/api/v1/users/ada/entries/", agent="greedy")["results"]
    assert [one["submission"] for one in rows] == [str(made[n].pk) for n in (3, 1, 0)]
    assert [one["rank"] for one in rows] == [1, None, None]
    assert rows[1]["unranked"] == "Its owner has a better entry."
    for one in made:
        withdraw(submission_id=one.pk, actor=world.user)
    assert get("/api/v1/users/ada/agents/")["results"] == []
    assert get("/api/v1/users/ada/entries/", agent="greedy")["results"] == []


def test_a_bad_query_is_named(world: World) -> None:
    for query, field in (
        ({}, "agent"),
        ({"agent": " "}, "agent"),
        ({"agent": "x" * 81}, "agent"),
        ({"agent": "agent", "board": "nowhere"}, "board"),
        ({"agent": "agent", "colour": "red"}, "colour"),
        ({"agent": "agent", "page_size": "0"}, "page_size"),
    ):
        answer = APIClient().get("/api/v1/users/ada/entries/", query)
        [problem] = answer.json()["errors"]
        assert (answer.status_code, problem["field"], bool(problem["remedy"])) == (422, field, True)


def test_an_unknown_person_is_not_found(client: Client, world: World) -> None:
    for place in ("/users/eve/", "/users/eve/agent/", "/api/v1/users/eve/", "/records/?owner=eve"):
        answer = client.get(place)
        assert (answer.status_code, "eve" in answer.content.decode()) == (404, True)
    make_user("eve")
    assert "No entries on a board yet." in text(client.get("/users/eve/"))


def test_the_best_score_of_an_agent_over_time_only_rises(client: Client, world: World) -> None:
    for number, value in enumerate((90, 95, 80)):
        entry(world.user, ((number,), (number,), (number,)), value=value)
    course = people_queries.development(world.user, "agent", world.board)
    assert [round(score, 3) for _, score in course["best"]] == [round(100 / 90, 3), 1.25]
    assert len(course["entries"]) == 3
    assert not course["is_cut"]
    waiting = submit(world.user, document(((5,), (5,), (5,)), agent="Agent 2"))
    page = text(client.get("/users/ada/agent/?name=agent"))
    assert page.count("<polyline") == 2  # for wide and for narrow screens
    assert "1.1111" in page
    assert waiting.get_absolute_url() in page
    assert client.get("/users/ada/agent/?name=agent&board=nowhere").status_code == 404
    assert client.get("/users/ada/agent/?name=unknown").status_code == 404


def test_pages_of_results_lead_to_people(client: Client, world: World) -> None:
    made = entry(world.user)
    for place in (
        "/boards/test-ic/",
        "/submissions/",
        "/records/",
        made.get_absolute_url(),
        f"/submissions/{made.pk}/items/0/",
    ):
        assert 'href="/users/ada/"' in text(client.get(place)), place
    assert "/users/ada/agent/?name=agent" in text(client.get(made.get_absolute_url()))


def test_what_people_say_about_themselves_is_drawn_safely(pages: Client, world: World) -> None:
    form = {
        "affiliation": "Here & there",
        "url": "https://example.org/",
        "about": "**me** <script>x</script>",
    }
    assert pages.post("/accounts/settings/", form).status_code == 302
    page = text(pages.get("/users/ada/"))
    assert "Here &amp; there" in page
    assert '<a href="https://example.org/" rel="nofollow noopener ugc">' in page
    assert "<strong>me</strong> &lt;script&gt;" in page
    assert get("/api/v1/users/ada/")["profile"] == form


def test_a_bad_profile_is_refused_and_what_a_program_leaves_out_stays(api: APIClient) -> None:
    for given, field in (
        ({"url": "javascript:alert(1)"}, "url"),
        ({"affiliation": "x" * 121}, "affiliation"),
        ({"about": "a\u0000b"}, "about"),
        ({"username": "root"}, "username"),
        ([1], "document"),
    ):
        answer = api.post("/api/v1/auth/me/", given, format="json")
        assert answer.status_code == 422
        assert [one["field"] for one in answer.json()["errors"]] == [field]
    api.post("/api/v1/auth/me/", {"affiliation": "Here"}, format="json")
    body = api.post("/api/v1/auth/me/", {"about": "me"}, format="json").json()
    assert body["profile"] == {"affiliation": "Here", "url": "", "about": "me"}


def test_an_entry_that_is_being_verified_has_no_score_here_either(world: World) -> None:
    made = submit(world.user, document(agent="half done"))
    for verification in verifications(made)[:-1]:
        record(verification, 90)
    [best] = get("/api/v1/users/ada/")["best"]
    [listed] = get("/api/v1/users/ada/entries/", agent="half done")["results"]
    for row in (best, listed):
        assert (row["pending"], row["score"], row["score_interval"]) == (1, None, None)
