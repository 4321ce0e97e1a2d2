"""Games: who may ask what, what a page shows of a state, and how a program that was played is submitted."""

from __future__ import annotations

import html
import json
import re
import shlex
import threading
import uuid
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.test.signals import template_rendered
from django.utils import timezone
from django.utils.html import escape

from leaderboard.accounts.throttles import PlayThrottle, VisitorPlayThrottle
from leaderboard.common import kept_answers
from leaderboard.models import Board, Submission, SubmissionItem
from leaderboard.play import pages as play_pages
from leaderboard.play import queries as play_queries
from leaderboard.submissions.services import withdraw
from leaderboard.submissions.steps import Fold, folded_lines
from optarena import limits
from optarena.specs import environment_spec
from optarena.specs.results import ReplayResult
from optarena.studies import ActionOutcome, LookAheadResult, TextPart
from runner import conf
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import EnvironmentVersion, Payer, Runner, Study, StudyState
from runner.queue import studies as study_queue
from runner.queue.leases import fail, heartbeat
from tests.factories import (
    ENVIRONMENT,
    make_benchmark,
    make_board,
    make_dataset,
    make_range,
    make_user,
    make_version,
)
from tests.kit.boards import document, record_all, replay_result, submit, verifications
from tests.kit.pages import text
from tests.kit.work import next_lease, together

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.template import Template
    from pytest_django import Settings


SPEC = environment_spec(ENVIRONMENT)
NAMES = SPEC.action_table.names
VERSION = SPEC.digest[:12]
PAGE = "/play/boards-v0/alpha/"


@pytest.fixture(autouse=True)
def board(db: None) -> Board:
    make_dataset()
    presence.announce_runner(
        name="celery@host",
        hardware_class="x86_64-cpu",
        machine=Machine(fingerprint={}, versions={}),
        life=uuid.uuid4(),
    )
    return make_board()


def address(*actions: int, more: str = "") -> str:
    said = f"?environment={ENVIRONMENT}&version={VERSION}&actions={','.join(map(str, actions))}"
    return f"{PAGE}{said}{more}" if actions else f"{PAGE}?environment={ENVIRONMENT}{more}"


def form(*actions: int, **pressed: str) -> dict[str, str]:
    said = {"environment": ENVIRONMENT, "version": VERSION, "actions": ",".join(map(str, actions))}
    return said | pressed


def browser(user: User | None = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def found(actions: int = 0, *tried: ActionOutcome, **given: Any) -> LookAheadResult:
    parts = (
        TextPart(name="main", lines=2, added=1, removed=1, text=" a\n-b\n+c"),
        TextPart(name="huge", lines=9_000, added=0, removed=0, text=None),
    )
    costs = tuple(range(100, 99 - actions, -1))
    told: dict[str, Any] = {"costs": costs, "idle": (), "parts": parts, "total": len(tried)}
    return LookAheadResult(tried=tried, **(told | given))


def answer(look: LookAheadResult) -> None:
    study_queue.end_study(lease=next_lease("test"), result=look.as_dict())


MOVES = (
    ActionOutcome(0, 100, effect=False, error="", ends=False),
    ActionOutcome(1, 90, effect=True, error="", ends=False),
    ActionOutcome(2, 120, effect=True, error="", ends=False),
    ActionOutcome(3, None, effect=False, error="out-of-memory", ends=True),
    ActionOutcome(4, 60, effect=True, error="", ends=False),
)


def test_a_page_asks_for_nothing_and_a_form_does() -> None:
    page = text(browser().get(PAGE))
    assert "Nobody has looked at this state yet" in page
    assert '<dd aria-live="polite">400' in page  # the dataset has what the program as given costs
    assert not Study.objects.exists()
    reply = browser().post(PAGE, form(look="1"))
    assert (reply.status_code, reply.headers["Location"]) == (302, PAGE)
    [study] = Study.objects.all()
    assert (study.kind, study.payer.name if study.payer else "") == ("look-ahead", "visitors")
    page = text(browser().get(PAGE))
    assert "one of the next 4 questions" in page
    assert f'hx-get="{PAGE}"' in page


@pytest.mark.django_db(transaction=True)
def test_pages_of_states_that_nobody_has_looked_at_do_not_wait_for_each_other() -> None:
    are_drawn = threading.Barrier(2)

    def draw(template: Template, **_: Any) -> None:
        if template.name == "leaderboard/play.html":
            are_drawn.wait(timeout=60)

    template_rendered.connect(draw)
    try:
        pages = together(*[partial(browser().get, address(action)) for action in (1, 2)])
    finally:
        template_rendered.disconnect(draw)
    assert [page.status_code for page in pages] == [200, 200]


def test_actions_are_sorted_by_what_they_gain() -> None:
    browser().post(PAGE, form(look="1"))
    answer(found(0, *MOVES))
    page = text(browser().get(PAGE))
    places = [page.index(f'id="pick-{number}"') for number in (4, 1, 2, 0)]
    assert places == sorted(places)
    for said in ("−40", "−10", "+20", "1 without effect", "out-of-memory"):  # noqa: RUF001 - a minus sign
        assert said in page
    assert 'value="4" data-key="1"' in page
    assert "hx-trigger" not in page


def test_a_filter_leaves_actions_with_the_text() -> None:
    browser().post(PAGE, form(look="1"))
    answer(found(0, *MOVES))
    page = text(browser().get(address(more=f"&q={NAMES[1]}")))
    assert 'id="pick-1"' in page
    assert 'id="pick-4"' not in page


def test_a_pick_leads_to_the_next_state_and_its_cost_is_known_at_once() -> None:
    browser().post(PAGE, form(look="1"))
    answer(found(0, *MOVES))
    reply = browser().post(PAGE, form(pick="4"))
    assert reply.headers["Location"] == address(4)
    page = text(browser().get(address(4)))
    assert '<dd aria-live="polite">60' in page
    assert f'href="{PAGE}" data-undo' in page.replace("&amp;", "&")
    answer(found(1, *MOVES))
    assert f"<code>{escape(SPEC.commandline([4]))}</code>" in text(browser().get(address(4)))


def test_a_script_gets_the_next_state_at_once_as_the_part_that_it_swaps() -> None:
    htmx = {"HX-Request": "true"}
    reply = browser().post(PAGE, form(pick="4"), headers=htmx)
    part = text(reply)
    assert (reply.status_code, reply.headers["HX-Push-Url"]) == (200, address(4))
    assert f'hx-get="{address(4)}"' in part.replace("&amp;", "&")
    [shown] = re.findall(r'hx-headers="([^"]+)"', part)
    seen = htmx | json.loads(html.unescape(shown))
    assert browser().get(address(4), headers=seen).status_code == 204
    assert browser().post(PAGE, form(pick="4"), headers=seen).status_code == 200  # what a player does counts
    for here, headers, is_whole in (
        (address(4), htmx, False),
        (address(4), htmx | {"HX-History-Restore-Request": "true"}, True),
        (address(4), {}, True),
    ):
        page = text(browser().get(here, headers=headers))
        assert ("<html" in page, 'id="play"' in page) == (is_whole, True)


def test_a_page_that_waits_is_drawn_again_when_its_turn_is_much_nearer_or_has_come() -> None:
    for number in range(5):
        browser().post(PAGE, form(pick=str(number)))
    headers = {"HX-Request": "true"}

    def look() -> str:
        reply = browser().get(address(4), headers=headers)
        if reply.status_code == 204:
            return ""
        [shown] = re.findall(r'hx-headers="([^"]+)"', text(reply))
        headers.update(json.loads(html.unescape(shown)))
        return text(reply)

    assert "one of the next 8 questions" in look()
    answer(found(1, *MOVES))
    assert "one of the next 4 questions" in look()
    for _ in range(3):
        answer(found(1, *MOVES))
        assert not look()
    next_lease("test")
    assert "A runner is finding out" in look()


def test_why_a_script_is_refused_is_told_in_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VisitorPlayThrottle, "THROTTLE_RATES", {"visitor_play": "0/hour"})
    told = text(browser().post(PAGE, form(pick="4"), headers={"HX-Request": "true"}))
    assert "those who are logged in have more" in told


def test_what_changes_of_a_program_or_its_boards_is_shown_at_once(board: Board) -> None:
    visitor, where = browser(), address(1)
    visitor.post(PAGE, form(1, look="1"))
    answer(found(1, *MOVES))
    offered = f"Submit this program to {board.title}"
    assert offered in text(visitor.get(where))
    Board.objects.update(title="Another")
    assert "Submit this program to Another" in text(visitor.get(where))
    Board.objects.update(state=Board.State.FROZEN)
    assert "Submit this program" not in text(visitor.get(where))
    board.dataset_version.benchmarks.update(title="Renamed")
    assert "Play Renamed" in text(visitor.get(where))


def test_the_chosen_part_is_shown_with_what_the_last_step_changed() -> None:
    browser().post(PAGE, form(look="1"))
    answer(found(0, *MOVES))
    page = text(browser().get(PAGE))
    assert '<span class="removed">-' in page
    assert '<span class="added">+' in page
    assert "9,000 lines, which are too long to be kept" in text(browser().get(address(more="&part=huge")))


def test_while_it_is_looked_at_what_was_found_is_shown_without_keys() -> None:
    browser().post(PAGE, form(look="1"))
    part = found(0, *MOVES, total=7)
    study_queue.report_findings(lease=next_lease("test"), progress=part.as_dict())
    page = text(browser().get(PAGE))
    assert "2 more are being tried" in page
    assert "data-key" not in page
    assert re.search(r'hx-trigger="every [456]\d\dms"', page)


def test_a_page_that_waits_gets_nothing_while_nothing_is_new() -> None:
    visitor = browser()
    visitor.post(PAGE, form(look="1"))
    lease = next_lease("test")

    def again(page: str) -> tuple[str, int]:
        [asked] = re.findall(r'hx-get="([^"]+)" hx-headers="([^"]+)"', page)
        here, seen = map(html.unescape, asked)
        reply = visitor.get(here, headers=json.loads(seen) | {"HX-Request": "true"})
        return reply.content.decode(), reply.status_code

    page = text(visitor.get(address(more="&part=huge")))
    assert again(page) == ("", 204)
    study_queue.report_findings(lease=lease, progress=found(0, *MOVES, total=7).as_dict())
    page, status = again(page)
    assert (status, "2 more are being tried" in page) == (200, True)
    assert '<option value="huge" selected>' in page
    assert again(page) == ("", 204)
    heartbeat(lease=lease)
    assert again(page) == ("", 204)
    study_queue.interrupt_study(lease=lease, progress=found(0, *MOVES, total=7).as_dict())
    assert again(page) == ("", 204)
    lease = next_lease("test")
    study_queue.end_study(lease=lease, result=found(0, *MOVES).as_dict())
    page, _ = again(page)
    assert "1 without effect" in page
    assert "hx-headers" not in page


def test_a_page_that_waits_is_not_given_what_another_has_just_got(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.OPTARENA_KEPT_ANSWERS_SECONDS = 3600
    monkeypatch.setattr(kept_answers, "_snapshot", lambda: "1:1:")
    browser().post(PAGE, form(look="1"))
    visitors, htmx = browser(), {"HX-Request": "true"}  # both of one server, without cookies
    page = text(visitors.get(PAGE, headers=htmx))
    [seen] = re.findall(r'hx-headers="([^"]+)"', page)
    reply = visitors.get(PAGE, headers=htmx | json.loads(html.unescape(seen)))
    assert reply.status_code == 204
    assert text(visitors.get(PAGE, headers=htmx)) == page


def test_a_page_that_waits_does_not_wait_for_one_that_is_drawn() -> None:
    browser().post(PAGE, form(look="1"))
    [seen] = re.findall(r'hx-headers="([^"]+)"', text(browser().get(PAGE)))
    answer(found(0, *MOVES))
    headers = json.loads(html.unescape(seen)) | {"HX-Request": "true"}
    meanwhile: list[int] = []

    def ask(template: Template, **_: Any) -> None:
        if template.name == "leaderboard/play.html":
            meanwhile.append(browser().get(PAGE, headers=headers).status_code)

    template_rendered.connect(ask)
    try:
        page = browser().get(PAGE)
    finally:
        template_rendered.disconnect(ask)
    assert (page.status_code, meanwhile) == (200, [204])
    assert "1 without effect" in text(browser().get(PAGE, headers=headers))


def test_parts_are_named_with_what_changed() -> None:
    browser().post(PAGE, form(look="1"))
    parts = (
        TextPart(name="main", lines=2, added=1_000, removed=1, text=" a"),
        TextPart(name="", lines=1, added=0, removed=0, text=" b"),
        TextPart(name='a"<b>', lines=1, added=0, removed=0, text=" c"),
    )
    answer(found(0, *MOVES, parts=parts))
    page = text(browser().get(PAGE))
    assert '<option value="main" selected>main, changed: −1 +1,000</option>' in page  # noqa: RUF001 - a minus sign
    assert '<option value="">outside of functions</option>' in page
    assert '<option value="a&quot;&lt;b&gt;">a&quot;&lt;b&gt;</option>' in page


def test_the_text_is_drawn_once_while_moves_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw(text: str, language: str) -> tuple[list[Fold], int]:
        drawn.append(text)
        return folded_lines(text, language)

    monkeypatch.setattr(play_pages, "folded_lines", draw)
    browser().post(PAGE, form(look="1"))
    lease = next_lease("test")
    for moves in (MOVES[:2], MOVES):
        study_queue.report_findings(lease=lease, progress=found(0, *moves, total=7).as_dict())
        assert '<span class="added">+' in text(browser().get(PAGE))
    study_queue.end_study(lease=lease, result=found(0, *MOVES).as_dict())
    assert '<span class="added">+' in text(browser().get(PAGE))
    assert len(drawn) == 1


def test_a_step_at_which_the_compiler_fails_is_told() -> None:
    browser().post(PAGE, form(pick="3"))
    fail(lease=next_lease("test"), reason="env:timeout", detail="In step 0: it took too long.")
    page = text(browser().get(address(3)))
    assert "In step 0: it took too long." in page
    assert "Try each action" in page


@pytest.mark.parametrize("actions", [(), (2,)])
def test_the_command_is_one_for_a_shell_and_names_the_environment(actions: tuple[int, ...]) -> None:
    browser().post(PAGE, form(*actions, look="1"))
    answer(found(len(actions), *MOVES))
    page = text(browser().get(address(*actions)))
    [shown] = re.findall(r"<code>(optarena play [^<]+)</code>", page)
    said = shlex.shlex(html.unescape(shown), posix=True, punctuation_chars=True)
    assert list(said) == ["optarena", "play", f"http://testserver{address(*actions)}"]


def test_a_line_has_what_a_worker_wrote_into_it() -> None:
    browser().post(PAGE, form(look="1"))
    part = TextPart(name="main", lines=1, added=0, removed=0, text=" a\rb\r\n c\r")
    answer(found(0, *MOVES, parts=(part,)))
    assert browser().get(PAGE).status_code == 200


WRONG_MOVE = ActionOutcome(-1_000, 1, effect=True, error="", ends=False)


@pytest.mark.parametrize(
    "result",
    [{}, {"costs": "many"}, found().as_dict() | {"tried": [[1]]}, found(0, WRONG_MOVE).as_dict()],
)
def test_whatever_a_worker_wrote_a_page_is_shown(result: dict[str, Any]) -> None:
    browser().post(PAGE, form(look="1"))
    study_queue.end_study(lease=next_lease("test"), result=result)
    page = browser().get(PAGE)
    assert page.status_code == 200
    assert "infra:internal" in text(page)


OUTPUTS = ReplayResult(
    environment=ENVIRONMENT, digest="", benchmark="", benchmark_sha256="", actions=(1,), ok=True
).as_dict() | {"measurement": {}}


@pytest.mark.parametrize(
    "broken",
    [
        {"metrics": None},
        {"metrics": {SPEC.metrics[0].name: "many"}},
        {"metrics": {SPEC.metrics[0].name: 10**400}},
        {"measurement": None},
    ],
)
def test_whatever_a_worker_wrote_of_outputs_a_page_is_shown(broken: dict[str, Any]) -> None:
    browser().post(PAGE, form(1, look="1"))
    answer(found(1, *MOVES))
    browser().post(PAGE, form(1, outputs="1"))
    study_queue.end_study(lease=next_lease("test"), result=OUTPUTS | broken)
    page = browser().get(address(1))
    assert page.status_code == 200
    assert "infra:internal" in text(page)


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("?actions=999", 422, "Give an integer from 0 to"),
        ("?actions=1,,2", 422, "Give integers with commas"),
        ("?actions=-1", 422, "Give integers with commas"),
        ("?actions=1.2", 422, "Give an integer from 0 to"),
        ("?size=7", 422, "no size"),
        (f"?actions={','.join(['1'] * 10_001)}", 422, "10,001 actions"),
        ("?environment=nothing", 404, "no environment"),
        ("?environment=gcc-v0", 422, "gcc-v0 does not play the programs of boards-v0. Choose one of these: "),
        ("?actions=1&version=abc", 422, "no version"),
        ("?actions=1&version=ffffffffffff", 422, "no version"),
    ],
)
def test_a_wrong_address_is_refused(query: str, status: int, said: str) -> None:
    page = browser().get(PAGE + query)
    assert (page.status_code, said in page.content.decode()) == (status, True)


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ("1,2,999,4", "1,2"),
        ("1,,2", "1"),
        ("x", ""),
        (",".join(["1"] * 501), ",".join(["1"] * 500)),
        (f"1,x&version={'a' * 12}", ""),
    ],
)
def test_a_wrong_address_leads_to_the_longest_part_that_is_right(given: str, right: str) -> None:
    EnvironmentVersion.objects.create(env_id=ENVIRONMENT, digest="a" * 64, spec={"actions": NAMES})
    page = browser().get(f"{PAGE}?environment={ENVIRONMENT}&actions={given}")
    near = escape(address(*map(int, right.split(",")))) if right else PAGE
    assert (page.status_code, f'href="{near}"' in page.content.decode()) == (422, True)
    assert browser().get(html.unescape(near)).status_code == 200


@pytest.mark.parametrize("name", ["nothing", "gcc-v0"])
def test_a_wrong_environment_leads_to_the_usual_one(name: str) -> None:
    page = browser().get(f"{PAGE}?environment={name}&actions=1")
    assert f'href="{PAGE}"' in page.content.decode()


@pytest.mark.parametrize("where", ["/play/boards-v0/nothing/", "/play/nothing-v0/alpha/"])
def test_a_program_that_is_not_hosted_has_no_page(where: str) -> None:
    assert browser().get(where).status_code == 404


def test_a_game_has_an_end() -> None:
    actions = [1] * limits.PLAYED_ACTIONS
    assert browser().get(address(*actions)).status_code == 200
    assert browser().post(PAGE, form(*actions, pick="1")).status_code == 422
    assert not Study.objects.exists()


def test_a_link_of_another_version_offers_the_same_actions_of_today() -> None:
    old = ["gone", NAMES[4], NAMES[1]]
    EnvironmentVersion.objects.create(env_id=ENVIRONMENT, digest="a" * 64, spec={"actions": old})
    page = text(browser().get(f"{PAGE}?environment={ENVIRONMENT}&version={'a' * 12}&actions=1,0,2"))
    part = page.partition('<div id="play">')[2]  # what a page that is open swaps
    assert "<code>gone</code>" in part
    assert address(4, 1) in part.replace("&amp;", "&")


def test_a_link_of_a_version_with_more_actions_than_today_is_carried() -> None:
    old = [*(f"gone {number}" for number in range(len(NAMES))), NAMES[4]]
    EnvironmentVersion.objects.create(env_id=ENVIRONMENT, digest="a" * 64, spec={"actions": old})
    link = f"{PAGE}?environment={ENVIRONMENT}&version={'a' * 12}&actions="
    page = text(browser().get(f"{link}{len(NAMES)},{len(old)}"))
    assert f"<code>action {len(old)}</code>" in page
    assert address(4) in page.replace("&amp;", "&")
    assert browser().get(f"{link}4,x").status_code == 422


def test_visitors_have_a_budget_for_each_address_and_members_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(VisitorPlayThrottle, "THROTTLE_RATES", {"visitor_play": "2/hour"})
    monkeypatch.setattr(PlayThrottle, "THROTTLE_RATES", {"play": "3/hour"})

    def asked(client: Client, first: int) -> int:
        before = Study.objects.count()
        for number in range(first, first + 5):
            client.post(PAGE, form(pick=str(number)), follow=True)
        return Study.objects.count() - before

    assert asked(browser(), 0) == 2
    assert asked(browser(), 0) == 0, "What is known costs nothing, and what is new is refused."
    assert asked(browser(make_user()), 10) == 3
    told = text(browser().post(PAGE, form(pick="30"), follow=True))
    assert "those who are logged in have more" in told


def test_a_state_that_is_known_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VisitorPlayThrottle, "THROTTLE_RATES", {"visitor_play": "1/hour"})
    for _ in range(3):
        told = text(browser().post(PAGE, form(look="1"), follow=True))
        assert "those who are logged in have more" not in told
    assert Study.objects.count() == 1
    assert Payer.objects.filter(name="visitors").count() == 1


def test_without_a_runner_the_page_says_so() -> None:
    Runner.objects.update(digests=["0" * 64])
    told = text(browser().post(PAGE, form(look="1"), follow=True))
    assert "No worker of the class" in told
    assert not Study.objects.exists()


@pytest.mark.parametrize("is_right", [True, False])
def test_outputs_are_checked(*, is_right: bool) -> None:
    browser().post(PAGE, form(pick="1"))
    answer(found(1, *MOVES))
    browser().post(PAGE, form(1, outputs="1"))
    assert "one of the next 4 questions" in text(browser().get(address(1)))
    [verification, *_] = verifications(submit(make_user()))
    result = replay_result(verification, 90)
    if not is_right:
        result = replace(result, ok=False, reason="semantics:output-differs", detail="It printed 'x'.")
    lease = next(filter(lambda one: one.study_id, iter(lambda: next_lease("test"), None)))
    study_queue.end_study(lease=lease, result=result.as_dict())
    page = text(browser().get(address(1)))
    assert ("same outputs" in page, "It printed" in page) == (is_right, not is_right)


def test_a_program_joins_those_that_its_player_has_submitted(board: Board) -> None:
    ada = make_user()
    where = "/play/boards-v0/beta/"
    first = browser(ada).post(PAGE, form(1, submit=board.slug))
    second = browser(ada).post(where, form(2, 1, submit=board.slug))
    again = browser(ada).post(where, form(2, 1, submit=board.slug))
    assert second.headers["Location"] == again.headers["Location"] != first.headers["Location"]
    entry = Submission.objects.latest("created")
    assert (entry.agent, entry.owner) == ("by hand", ada)
    items = entry.items.order_by("position").values_list("benchmark_uri", "actions")
    assert list(items) == [("benchmark://boards-v0/alpha", [1]), ("benchmark://boards-v0/beta", [2, 1])]


def test_a_program_that_was_withdrawn_can_be_submitted_again(board: Board) -> None:
    ada = make_user()
    seen = set()
    for _ in range(3):
        browser(ada).post(PAGE, form(1, submit=board.slug))
        [entry] = Submission.objects.filter(withdrawn_at=None)
        seen.add(entry.pk)
        withdraw(submission_id=entry.pk, actor=ada)
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("verdict", "reason", "kept"),
    [
        ("refuted", "semantics:output-differs", ["beta"]),
        ("failed", "env:timeout", ["beta"]),
        ("failed", "infra:internal", ["alpha", "beta"]),
    ],
)
def test_what_a_replay_contradicted_is_not_submitted_again(
    board: Board, verdict: str, reason: str, kept: list[str]
) -> None:
    ada = make_user()
    browser(ada).post(PAGE, form(1, submit=board.slug))
    SubmissionItem.objects.update(verdict=verdict, reason=reason)
    browser(ada).post("/play/boards-v0/beta/", form(2, submit=board.slug))
    items = Submission.objects.latest("created").items.order_by("position")
    assert [one.benchmark_uri.rsplit("/", 1)[1] for one in items] == kept


def test_visitors_log_in_before_they_submit(board: Board) -> None:
    reply = browser().post(PAGE, form(1, submit=board.slug))
    assert reply.headers["Location"].startswith("/accounts/login/?next=/play/")
    assert not Submission.objects.exists()


def test_a_board_without_the_program_takes_nothing() -> None:
    told = text(browser(make_user()).post(PAGE, form(1, submit="nothing"), follow=True))
    assert "does not have this program" in told
    assert not Submission.objects.exists()


def test_an_item_that_may_be_read_leads_to_its_state() -> None:
    ada = make_user()
    entry = submit(ada, document([[1, 2]], open=False))
    record_all(entry, *[80] * entry.items.count())
    item = entry.items.first()
    assert item is not None
    said = address(*item.actions).replace("&", "&amp;").replace("alpha", item.benchmark_uri.rsplit("/", 1)[1])
    assert said in text(browser(ada).get(item.get_absolute_url()))
    assert "Play on from here" not in text(browser(make_user("eve")).get(item.get_absolute_url()))


def test_states_are_not_for_crawlers() -> None:
    assert "Disallow: /play/*?" in text(browser().get("/robots.txt"))
    assert 'content="noindex"' in text(browser().get(address(1)))
    assert 'content="noindex"' not in text(browser().get(PAGE))


def test_a_stored_state_is_what_its_page_asked_for() -> None:
    browser().post(PAGE, form(1, pick="2"))
    [study] = Study.objects.all()
    assert (study.state, study.steps, (study.played or {})["actions"]) == (StudyState.QUEUED, 2, [1, 2])
    assert play_queries.play_address("benchmark://boards-v0/alpha") == PAGE


OPTIONS = environment_spec("gcc-v0")
OPTION_PAGE = "/play/gcc-kernels-v0/alpha/"
FOUND = OPTIONS.action_table.parse("gcc -ftree-vrp -c program.c -o program.o")


def options_game() -> dict[str, str]:
    make_benchmark("alpha", version=make_version("gcc-kernels-v0"))
    return {"environment": "gcc-v0", "version": OPTIONS.digest[:12]}


def test_options_are_found_by_words_and_only_those_are_tried() -> None:
    said = options_game() | {"q": "tree vrp", "look": "1"}
    reply = browser().post(OPTION_PAGE, said)
    assert reply.headers["Location"] == f"{OPTION_PAGE}?environment=gcc-v0&q=tree%20vrp"
    [study] = Study.objects.all()
    [(option, value), other] = (study.played or {})["candidates"]
    assert (option, value) == FOUND[0]
    tried = (
        ActionOutcome(FOUND[0], 90, effect=True, error="", ends=False),
        ActionOutcome(tuple(other), 80, effect=True, error="", ends=False),
    )
    answer(LookAheadResult(costs=(100,), idle=(), parts=(), total=2, tried=tried))
    page = text(browser().get(reply.headers["Location"]))
    assert "2 actions have these words" in page
    assert page.index("-fno-tree-vrp") < page.index(">-ftree-vrp")
    picked = browser().post(OPTION_PAGE, said | {"pick": f"{option}.{value}"})
    assert picked.headers["Location"] == (
        f"{OPTION_PAGE}?environment=gcc-v0&version={OPTIONS.digest[:12]}&actions={option}.{value}&q=tree%20vrp"
    )
    page = text(browser().get(picked.headers["Location"]))
    assert ">-ftree-vrp</a>" in page
    assert Study.objects.count() == 2


def test_the_words_of_a_state_may_find_nothing_or_too_much() -> None:
    said = options_game()
    reply = browser().post(OPTION_PAGE, said | {"q": "no such option", "look": "1"})
    assert not Study.objects.exists(), "Nobody has to look for nothing."
    page = text(browser().get(reply.headers["Location"]))
    assert "No action has the words" in page
    assert "Try each action" not in page
    page = text(browser().get(f"{OPTION_PAGE}?q=tree"))
    assert re.search(r"\d+ actions have these words, and the first 24 are tried: write more words", page)
    page = text(browser().get(OPTION_PAGE))
    assert "1,975 actions can follow" in page


@pytest.mark.parametrize("actions", ["5", "0.1.2", "999.1", "0.x", "0..1"])
def test_an_address_with_wrong_options_is_refused(actions: str) -> None:
    options_game()
    page = browser().get(f"{OPTION_PAGE}?environment=gcc-v0&actions={actions}")
    assert page.status_code == 422


@pytest.mark.parametrize("is_same", [True, False])
def test_options_of_another_version_are_carried_where_they_mean_the_same(*, is_same: bool) -> None:
    options_game()
    spec = OPTIONS.version_spec() if is_same else {"table": {"name": "gone"}}
    EnvironmentVersion.objects.create(env_id="gcc-v0", digest="a" * 64, spec=spec | {"changed": 1})
    page = text(browser().get(f"{OPTION_PAGE}?environment=gcc-v0&version={'a' * 12}&actions=0.6"))
    assert ("actions=0.6" in page, "lacks" in page) == (is_same, not is_same)


def loops(name: str = "loop_tool-cpu-v0") -> str:
    make_range("{n}", version=make_version(name), low=1, high=8 * 2**20)
    return f"/play/{name}/1024/"


def test_a_game_of_a_range_goes_on_with_another_size() -> None:
    where = loops()
    assert 'name="size" value="1024"' in text(browser().get(where))
    assert browser().get(f"{where}?size=4096").headers["Location"] == "/play/loop_tool-cpu-v0/4096/"
    for wrong in ("0", "8388609", "x", "0x10", "1" * 300):
        assert browser().get(f"{where}?size={wrong}").status_code == 422


def test_states_without_an_exact_cost_are_said_and_measured_for_who_is_logged_in() -> None:
    where, said = loops(), {"environment": "loop_tool-v0"}
    browser().post(where, said | {"look": "1"})
    moves = (ActionOutcome(0, None, effect=True, error="", ends=False, summary="the cursor moves"),)
    answer(LookAheadResult(costs=(), idle=(), parts=(), total=1, tried=moves, summary="a in 1024"))
    page = text(browser().get(where))
    assert "the cursor moves" in page
    assert "a in 1024" in page
    assert "<dt>Now</dt>" not in page, "What is not measured has no number."
    assert browser().post(where, said | {"outputs": "1"}).headers["Location"].startswith("/accounts/login/")
    member = browser(make_user())
    member.post(where, said | {"outputs": "1"})
    result = ReplayResult(
        environment="loop_tool-v0",
        digest="",
        benchmark="benchmark://loop_tool-cpu-v0/1024",
        benchmark_sha256="",
        actions=(),
        ok=True,
        metrics={"gflops": 2.0},
        measurement={"interval": {"gflops": [1.5, 2.5]}},
    )
    study_queue.end_study(lease=next_lease("test"), result=result.as_dict())
    page = text(member.get(where))
    assert "1.5 … 2.5" in page
    assert "with 95 % probability" in page


def test_measurements_count_as_several_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlayThrottle, "THROTTLE_RATES", {"play": "12/hour"})
    where, member = loops(), browser(make_user())
    said = {"environment": "loop_tool-v0", "outputs": "1"}
    member.post(where, said)
    told = text(member.post(where, said | {"actions": "1"}, follow=True))
    assert "more new states than runners try" in told
    assert Study.objects.count() == 1


def test_what_needs_a_device_is_asked_of_runners_that_have_it() -> None:
    where = loops("loop_tool-cuda-v0")
    told = text(browser().post(where, {"environment": "loop_tool-v0", "look": "1"}, follow=True))
    assert "No worker of the class x86_64-cuda" in told
    assert not Study.objects.exists()
    assert "Play it" not in text(browser().get("/datasets/loop_tool-cuda-v0/1024/"))
    loops()
    assert "Play it" in text(browser().get("/datasets/loop_tool-cpu-v0/1024/"))


def test_a_program_whose_runner_has_left_is_not_offered() -> None:
    assert "Play it" in text(browser().get("/datasets/boards-v0/alpha/"))
    Runner.objects.update(seen_at=timezone.now() - conf.RUNNER_KEPT)
    assert "Play it" not in text(browser().get("/datasets/boards-v0/alpha/"))


def test_a_program_is_played_in_each_environment_of_its_dataset() -> None:
    make_benchmark("alpha", version=make_version("kernels-v0"))
    page = text(browser().get("/play/kernels-v0/alpha/"))
    offered = re.findall(r'<option value="([^"]+)"', page)
    assert {"llvm-ic-v0", "llvm-inliner-v0", "llvm-23-v0"} <= set(offered)
    assert "llvm-loops-v0" not in offered
    page = text(browser().get("/play/kernels-v0/alpha/?environment=llvm-inliner-v0"))
    assert "if the compiler decided on all that follows by itself" in page


def test_the_last_action_of_a_game_is_told() -> None:
    browser().post(PAGE, form(1, look="1"))
    answer(found(1, total=0))
    assert "The last action has ended the game" in text(browser().get(address(1)))


def test_the_best_known_value_of_something_else_is_said_to_be_so() -> None:
    codesize = environment_spec("llvm-codesize-v0")
    make_board(slug="sizes", environment=codesize.slug, metric="text_size_bytes")
    entry = submit(make_user(), document(board="sizes"))
    record_all(entry, *[80] * entry.items.count())
    page = text(browser().get(f"{PAGE}?environment={codesize.slug}"))
    told = re.findall(r"<dt>Best known([^<]*)</dt>", page)
    assert told == [f": {codesize.metric('text_size_bytes').title}"]
