"""A real browser: every page is accessible and fits a phone, and a submission is ranked."""

from __future__ import annotations

import os
import re
import sys
import time
import uuid
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from optarena import limits
from optarena.cli import main
from optarena.datasets import datasets
from optarena.llvm.actions import CURATED
from optarena.specs import environment_spec
from tests.kit.builds import Work
from tests.kit.gcc import needs_gcc
from tests.kit.kernels import FEW, URIS, document
from tests.kit.screens import PHONE, WIDE
from tests.kit.stack import FEWER_PROGRAMS, Stack

pytestmark = [pytest.mark.stack, pytest.mark.browser]

PAGES = (
    "/",
    "/boards/",
    "/boards/llvm-ic/",
    "/boards/llvm-ic/programs/",
    "/boards/llvm-ic/build/",
    "/boards/llvm-ic/?sort=-score&effort=unreported",
    "/boards/llvm-ic/?as_of=2026-01-01",
    "/boards/loop_tool-cpu/",
    "/portable/",
    "/portable/portable/",
    "{portable}",
    "/records/",
    "/compare/",
    "/compare/?board=llvm-ic",
    "/compare/?entry={entry}&entry=level:Oz&entry=virtual-best",
    "/users/{owner}/",
    "/users/{owner}/agent/?name=for%20pages",
    "/submissions/",
    "{submission}",
    "{item}",
    "{item}?step=1",
    "{item}?step=2&effective=1",
    "{item}?step=3",
    "/datasets/",
    "/datasets/kernels-v0/",
    "/datasets/kernels-v0/{benchmark}/",
    "/datasets/loop_tool-cuda-v0/",
    "/datasets/loop_tool-cuda-v0/8388608/",
    "/environments/",
    "/environments/llvm-ic-v0/",
    "/play/kernels-v0/sha256/",
    "/play/gcc-kernels-v0/sudoku/?q=tree",
    "/play/loop_tool-cpu-v0/1024/",
    "/puzzle/",
    "/queue/",
    "/docs/",
    "/docs/first-steps/",
    "/search/",
    "/search/?q=llvm",
    "/docs/submitting/",
    "/source/",
    "/source/examples/agents/annealing.py/",
    "/api/v1/docs/",
    "/api/v1/docs/boards/",
    "/problems/",
    "/runners/",
    "/data/",
    "{runner}",
    "/accounts/signup/",
    "/accounts/login/",
    "/submit/",
    "/accounts/tokens/",
    "/accounts/settings/",
    "/accounts/password/",
    "/accounts/email/",
    "/accounts/delete/",
    "/accounts/reset/",
)
LOOKED_AT = (
    *("/", "/boards/llvm-ic/", "{submission}", "{item}?step=2&effective=1", "/compare/?board=llvm-ic"),
    *("/datasets/kernels-v0/{benchmark}/", "/docs/first-steps/", "/submit/"),
)
"""Pages of each kind, at which each run looks."""
SCHEMES: dict[Literal["light", "dark"], dict[str, Any]] = {
    "light": {},
    "dark": {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}},
}
"""What is looked at in each: they differ in nothing but colours."""
MOST_MOVES = ".moves li:nth-child(n+9):nth-last-child(n+9):not(:has(.even))"
REPEATED = {"exclude": [["pre span:nth-of-type(n+50)"], [MOST_MOVES]]}
"""Of a thousand words in few colours, and of a hundred actions: they would take three seconds each time."""
WIDTH = "document.documentElement.scrollWidth"
PASSWORD = "a long walk in october"  # noqa: S105 - of a test's account
OWN = ("sroa", "instcombine") * 100
"""Actions that no other test submits, so many that their replays last while a page is looked at."""
LOOK_MS, LONGEST_GAME = 240_000, 12
"""For a runner's answer on a busy machine, and the most actions that a game may take."""
VERIFIED_MS = 240_000
SPEC = environment_spec("llvm-ic-v0")
CLANG = Path(sys.prefix, "bin", "clang-22")
LONGEST = max((benchmark.name for benchmark in datasets()["kernels-v0"]), key=len)


def states(names: Sequence[str]) -> str:
    """The CSV of one sequence for every benchmark of kernels-v0."""
    commandline = SPEC.commandline([SPEC.action_table.names.index(name) for name in names])
    rows = [f'{uri},"{commandline}"' for uri in URIS]
    return "\n".join(["benchmark,commandline", *rows, ""])


def sign_up(page: Page, name: str) -> None:
    page.goto("/accounts/signup/?next=/submit/")
    page.get_by_label("User name").fill(name)
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url("**/submit/")


def submit(page: Page, agent: str, text: str) -> None:
    page.get_by_label("Board", exact=True).select_option("llvm-ic")
    page.get_by_label("Agent", exact=True).fill(agent)
    page.get_by_label("Results as CSV or JSON").fill(text)
    page.get_by_role("button", name="Submit", exact=True).click()


def test_a_person_signs_up_submits_watches_and_is_ranked(page: Page) -> None:
    sign_up(page, "ada")
    submit(page, "by hand", states(OWN))
    # Were it refused, the form would come back with an alert that says why.
    heading = page.get_by_role("alert").or_(page.get_by_role("heading", name="by hand"))
    expect(heading).to_contain_text("by hand")
    expect(page).to_have_url(re.compile(r"/submissions/[0-9a-f-]{36}/$"))
    bar = page.get_by_role("progressbar", name="Verification")
    expect(bar).to_be_visible()
    page.context.set_offline(True)
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_count(0)
    start = int(bar.get_attribute("value") or 0)
    assert start < 100
    page.wait_for_function(
        "before => { const bar = document.querySelector('progress'); return !bar || bar.value > before }",
        arg=start,
        timeout=VERIFIED_MS,
    )
    finished = page.get_by_text("Every item was replayed and measured by our runners.")
    expect(finished).to_be_visible(timeout=VERIFIED_MS)
    expect(bar).to_have_count(0)
    expect(page.locator("#progress tbody tr")).to_have_count(len(URIS))
    page.goto("/boards/llvm-ic/")
    row = page.get_by_role("row").filter(has_text="by hand")
    expect(row).to_contain_text("ada")
    expect(row).to_contain_text(re.compile(r"0\.\d{3}|1\.\d{3}"))


@pytest.fixture(scope="module")
def places(stack: Stack) -> dict[str, str]:
    """The addresses that are not known beforehand, on a board that is not empty."""
    with stack.user() as user:
        made = user.submit(document(FEW, agent="for pages"), key=str(uuid.uuid4()))
        user.wait(made["id"], timeout=240)
        item = next(iter(user.items(made["id"])))
        studies = (partial(user.step_difference, made["id"], 0, 1), partial(user.minimised, made["id"], 0))
        for study in studies:
            study(ask=True)
        until = time.monotonic() + 120
        while {study()["state"] for study in studies} != {"done"}:
            assert time.monotonic() < until
            time.sleep(0.5)
    [(runner,)] = stack.query("SELECT max(id) FROM runner_runner")
    found = {
        "submission": made["url"],
        "item": item["page_url"],
        "runner": f"{stack.url}/runners/{runner}/",
    }
    named = {"benchmark": LONGEST, "entry": made["id"], "owner": made["owner"]}
    return {name: url.removeprefix(stack.url) for name, url in found.items()} | named


@pytest.fixture(scope="module")
def portable(stack: Stack) -> str:
    """The address of a portable entry that was measured."""
    stack.manage("shell", "-c", FEWER_PROGRAMS)
    entry = {
        "board": "portable",
        "agent": "for pages",
        "sequences": [{"actions": [CURATED.index(name) for name in FEW]}],
    }
    with stack.user() as user:
        made = user.wait_for_entry(user.seal(entry)["id"], timeout=240)
    return str(made["page_url"]).removeprefix(stack.url)


@pytest.fixture
def member(page: Page) -> Page:
    page.goto("/accounts/signup/")
    page.get_by_label("User name").fill(f"member-{uuid.uuid4().hex[:8]}")
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.wait_for_load_state()
    return page


def violations(page: Page, scheme: Literal["light", "dark"]) -> str:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # colours change at once
    report = Axe().run(page, REPEATED, {"resultTypes": ["violations"], **SCHEMES[scheme]})
    return str(report.generate_report()) if report.violations_count else ""


def cut_tables(page: Page) -> list[str | None]:
    """The names of those that a reader must scroll to read."""
    is_cut = "one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight"
    tables = page.locator(".table-scroll:visible").all()
    return [table.get_attribute("aria-label") for table in tables if table.evaluate(is_cut)]


def rows_of_navigation(page: Page) -> int:
    """Of the links on the left; who is logged in stands above them on a phone."""
    boxes = [one.bounding_box() for one in page.locator(".links > li > a, .links .more > summary").all()]
    return len({round(box["y"]) for box in boxes if box is not None})


@pytest.mark.parametrize(
    ("scheme", "pages"),
    [
        ("light", LOOKED_AT),
        pytest.param("light", PAGES, marks=pytest.mark.soak),
        pytest.param("dark", PAGES, marks=pytest.mark.soak),
    ],
    ids=["light", "light, all", "dark, all"],
)
def test_every_page_is_accessible_and_fits_a_phone(
    request: pytest.FixtureRequest,
    member: Page,
    places: dict[str, str],
    scheme: Literal["light", "dark"],
    pages: Collection[str],
) -> None:
    assert set(pages) <= set(PAGES)
    if "{portable}" in pages:
        places = places | {"portable": request.getfixturevalue("portable")}
    found: dict[str, str] = {}
    for place in pages:
        member.set_viewport_size(WIDE)
        answer = member.goto(place.format(**places))
        assert answer.status == 200, place
        if text := violations(member, scheme):
            found[f"{place}, {scheme}"] = text
        if cut := cut_tables(member):
            found[f"{place}, columns"] = f"{cut} are cut at {WIDE['width']} pixels."
        member.set_viewport_size(PHONE)
        width = member.evaluate(WIDTH)
        if width > PHONE["width"]:
            found[place] = f"It is {width} pixels wide on a phone."
        if (rows := rows_of_navigation(member)) != 1:
            found[f"{place}, navigation"] = f"It has {rows} rows on a phone."
        if "kernels-v0" in place and (cut := cut_tables(member)):
            found[f"{place}, tables"] = f"{cut} are cut on a phone."
    assert not found, "\n".join(f"{place}\n{text}" for place, text in found.items())


def test_visitors_see_one_row_of_navigation_and_how_to_start_on_a_phone(page: Page) -> None:
    for place in ("/", "/boards/", "/boards/llvm-ic/", "/boards/loop_tool-cpu/", "/submit/", "/queue/"):
        page.set_viewport_size(PHONE)
        page.goto(place)
        assert rows_of_navigation(page) == 1, place
        page.set_viewport_size({"width": 320, "height": 640})  # the narrowest phone
        assert place[:8] not in ("/", "/boards/") or page.evaluate(WIDTH) <= 320, place


def test_the_search_box_is_as_wide_as_a_phones_page_and_large_letters_fit(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for place in ("/", "/boards/llvm-ic/", "/play/kernels-v0/sha256/", "/datasets/"):
        page.goto(place)
        box, main = page.locator(".site .find input").bounding_box(), page.locator("h1").bounding_box()
        assert box is not None
        assert main is not None
        assert box["width"] == pytest.approx(main["width"], abs=1), place
        page.evaluate("document.documentElement.style.setProperty('--pico-font-size', '200%')")
        assert page.evaluate(WIDTH) <= 390, place


def test_the_account_menu_opens_by_keyboard_and_fits_a_phone(member: Page) -> None:
    member.set_viewport_size(PHONE)
    member.goto("/")
    member.locator(".corner summary").focus()
    member.keyboard.press("Enter")
    settings = member.get_by_role("link", name="Settings")
    box = settings.bounding_box()
    assert box is not None
    assert 0 <= box["x"] < box["x"] + box["width"] <= PHONE["width"]
    while settings.evaluate("link => link !== document.activeElement"):
        member.keyboard.press("Tab")
    member.keyboard.press("Enter")
    member.wait_for_url("**/accounts/settings/")


@pytest.mark.soak
def test_a_box_to_tick_stands_beside_its_label(member: Page) -> None:
    member.set_viewport_size(PHONE)
    for place in ("/submit/", "/accounts/password/", "/compare/?board=llvm-ic"):
        member.goto(place)
        box = member.locator("main input[type=checkbox]").first.bounding_box()
        label = member.locator("main .check label").first.bounding_box()
        assert box is not None
        assert label is not None
        assert label["y"] - 2 <= box["y"] < box["y"] + box["height"] <= label["y"] + label["height"] + 2, (
            place
        )


def test_the_board_can_be_read_without_scripts(stack: Stack, page: Page, places: dict[str, str]) -> None:
    browser = page.context.browser
    context = browser.new_context(java_script_enabled=False, base_url=stack.url)
    plain = context.new_page()
    plain.goto("/boards/llvm-ic/")
    assert "for pages" in plain.inner_text("main")
    plain.goto(places["submission"])
    assert "Every item was replayed" in plain.inner_text("main")
    context.close()


def test_a_long_name_hides_no_column(stack: Stack, page: Page) -> None:
    long = "w" * limits.AGENT_LENGTH
    with stack.user() as user:
        user.submit(document(FEW, agent=long), key=str(uuid.uuid4()))
    page.set_viewport_size({"width": 1000, "height": 700})
    page.goto(f"{stack.url}/submissions/")
    assert long in page.inner_text("main")
    assert page.locator(".table-scroll").evaluate("one => one.scrollWidth - one.clientWidth") == 0


LEFT = """(link, place) => {
    const one = document.createRange();
    one.setStart(link.firstChild, place);
    one.setEnd(link.firstChild, place + 1);
    return one.getBoundingClientRect().left;
}"""


def test_a_name_from_right_to_left_ends_with_its_punctuation_on_the_left(stack: Stack, page: Page) -> None:
    name = "סוכן חכם!"
    with stack.user() as user:
        user.submit(document(FEW, agent=name), key=str(uuid.uuid4()))
    page.goto(f"{stack.url}/submissions/")
    link = page.locator("main a").filter(has_text=name).first
    assert link.evaluate(LEFT, len(name) - 1) < link.evaluate(LEFT, 0)


def test_a_phone_shows_the_entry_that_is_chosen_beside_the_virtual_best(
    stack: Stack, page: Page, places: dict[str, str]
) -> None:
    browser = page.context.browser
    context = browser.new_context(java_script_enabled=False, base_url=stack.url, viewport=PHONE)
    plain = context.new_page()
    plain.goto("/boards/llvm-ic/programs/")
    choice = plain.get_by_label("Entry beside the virtual best")
    entries = choice.locator("option").all_inner_texts()
    assert f"for pages by {places['owner']}" in entries
    for entry in entries:
        choice.select_option(entry)
        heads = [head for head in plain.locator(".heat thead th").all() if head.is_visible()]
        assert [head.inner_text().split()[0] for head in heads] == ["Program", "Virtual", entry.split()[0]]
        assert plain.locator(".heat").evaluate("one => one.scrollWidth") < PHONE["width"]
    plain.set_viewport_size(WIDE)
    expect(choice).to_be_hidden()
    expect(plain.locator(".heat thead th").last).to_be_visible()
    context.close()


def test_steps_and_their_differences_need_no_script(stack: Stack, page: Page, places: dict[str, str]) -> None:
    browser = page.context.browser
    context = browser.new_context(java_script_enabled=False, base_url=stack.url)
    plain = context.new_page()
    plain.goto(places["item"])
    plain.get_by_role("link", name="Hide them").click()
    expect(plain.locator("main")).to_contain_text("1 step without effect is hidden.")
    plain.get_by_role("row", name="mem2reg").get_by_role("link").click()
    difference = plain.get_by_role("region", name="What the step changes")
    expect(difference.locator(".removed")).not_to_have_count(0)
    assert all(line.startswith("-") for line in difference.locator(".removed").all_inner_texts())
    plain.get_by_role("link", name="Step 3 →").click()
    expect(plain.locator("#step")).to_contain_text("Log in to ask a runner.")
    expect(plain.locator("#minimised")).to_contain_text("2 of 3 actions suffice")
    context.close()


def test_a_person_asks_what_a_step_changes(member: Page, places: dict[str, str]) -> None:
    member.goto(f"{places['item']}?step=3")
    member.get_by_role("button", name="Show what it changes").click()
    member.wait_for_url("**?step=3#step")
    for _ in range(100):
        if member.locator("#step .difference").count():
            break
        member.wait_for_timeout(500)
        member.reload()
    assert "lines before" in member.inner_text("#step")


@pytest.mark.soak
def test_what_has_the_focus_keeps_it_while_a_submission_is_verified(page: Page) -> None:
    sign_up(page, "emmy")
    submit(page, "in focus", states(("mem2reg", "gvn")))
    expect(page.get_by_role("progressbar", name="Verification")).to_be_visible()
    part = page.locator("#progress").evaluate("part => part.outerHTML")
    # However fast the runner is, the submission stays as it was.
    page.route("**/progress/", lambda route: route.fulfill(body=part, content_type="text/html"))
    for name in ("Trace of quicksort", "quicksort"):
        link = page.get_by_role("link", name=name, exact=True)
        link.focus()
        link.evaluate("link => { link.dataset.before = true }")
        page.wait_for_function("() => !document.querySelector('[data-before]')")
        expect(link).to_be_focused()


def test_a_wrong_row_is_shown_with_its_remedy_and_nothing_is_stored(page: Page) -> None:
    sign_up(page, "grace")
    submit(page, "careless", "benchmark,commandline\nbenchmark://kernels-v0/nothing,opt input.bc\n")
    problems = page.get_by_role("alert")
    expect(problems).to_contain_text("Nothing was stored.")
    expect(problems).to_contain_text("benchmark://kernels-v0/nothing")
    assert page.get_by_label("Agent", exact=True).input_value() == "careless"
    page.goto("/submissions/")
    expect(page.get_by_text("careless")).to_have_count(0)


def test_what_a_page_says_of_builds_is_pasted_and_compiles(
    stack: Stack, page: Page, places: dict[str, str], tmp_path: Path
) -> None:
    work = Work(folder=tmp_path / "a program", clang=CLANG)
    path = {"PATH": f"{CLANG.parent}:{os.environ['PATH']}"}
    for name, address in (("item", places["item"]), ("board", "/boards/llvm-ic/build/")):
        page.goto(address)
        if name == "item":
            page.get_by_text("Use it in your build").click()
        page.get_by_role("radio", name="Options").check()
        [shown] = [one for one in page.locator(".forms > section").all() if one.is_visible()]
        assert violations(page, "light") == "", address
        commands, use = shown.locator("code").all_inner_texts()
        work.run("sh", "-c", f"{commands}\nclang-22 {use} -c table.c", env=path)
        recipe, folder = tmp_path / f"{name}.json", tmp_path / name
        for words in (
            ("recipe", f"{stack.url}{address}", "--output", str(recipe)),
            ("export", str(recipe), "--format", "flags", "--output", str(folder)),
        ):
            done = CliRunner().invoke(main, ["deploy", *words])
            assert done.exit_code == 0, done.output
        [flags] = folder.glob("*.flags")
        work.compile(f"@{flags}", "-c", "table.c", "-o", "same.o")
        assert work.read("table.o") == work.read("same.o")


@pytest.fixture
def runner(stack: Stack) -> None:
    """A runner that is at work: without one, nobody may ask."""
    until = time.monotonic() + LOOK_MS / 1000
    while not stack.query("SELECT 1 FROM runner_runner"):
        assert time.monotonic() < until
        time.sleep(0.2)


@pytest.mark.usefixtures("runner")
def test_a_kernel_is_played_below_its_reference_by_the_keyboard_and_submitted(member: Page) -> None:
    """In each state the best action is the first, and each state is accessible."""
    reference = datasets()["kernels-v0"].benchmark("sha256").baselines["ir_instructions"]["Oz"]
    member.goto("/datasets/kernels-v0/sha256/")
    member.get_by_role("link", name="Play it").click()
    member.get_by_role("button", name="Try each action").click()
    first = member.locator('[data-key="1"]')
    expect(first).to_be_visible(timeout=LOOK_MS)
    walked = member.locator(".chips li")
    member.keyboard.press("1")
    expect(walked).to_have_count(1)
    member.keyboard.press("u")  # also while the state is looked at
    expect(walked).to_have_count(0)
    for number in range(1, LONGEST_GAME + 1):
        member.keyboard.press("1")
        expect(walked).to_have_count(number)
        expect(first).to_be_visible(timeout=LOOK_MS)
        if _cost_now(member) < reference:
            break
    assert _cost_now(member) < reference
    expect(member.get_by_text("below -Oz")).to_be_visible()
    member.keyboard.press("u")
    expect(walked).to_have_count(number - 1)
    member.go_back()
    expect(walked).to_have_count(number)
    expect(first).to_be_visible()
    assert violations(member, "light") + violations(member, "dark") == ""
    member.set_viewport_size(PHONE)
    assert member.evaluate(WIDTH) <= PHONE["width"]
    member.set_viewport_size(WIDE)
    member.get_by_role("button", name="Check outputs").click()
    expect(member.get_by_text("same outputs")).to_be_visible(timeout=LOOK_MS)
    played = _cost_now(member)
    member.get_by_role("button", name="Submit this program to").first.click()
    row = member.locator("#items tbody tr")
    expect(row).to_contain_text("verified", timeout=LOOK_MS)
    expect(row.locator('[data-label="Measured"]')).to_have_text(f"{played:,}")


PUZZLE = """
from datetime import timedelta
from django.utils import timezone
from leaderboard.puzzles.services import announce, publish_due, puzzle_source
from leaderboard.portable.measuring import try_program
source, now = puzzle_source(), timezone.now()
for number, seed in enumerate((1609337231, 2183675157), start=1):
    uri = f"generator://{source.dataset}/{seed}"
    trial = try_program(environment="llvm-ic-v0", metric=source.metric, uri=uri, evaluations=5)
    announce(trial, number=number, now=now)
    publish_due(source, now=now)
"""
"""The first puzzle of a server, and the announcement of the next."""


@pytest.mark.usefixtures("runner")
def test_the_puzzle_of_the_day_is_played_and_has_a_ranking(member: Page, stack: Stack) -> None:
    stack.manage("shell", "-c", PUZZLE)
    member.goto("/")
    member.get_by_role("link", name="The puzzle of").click()
    [[announced]] = stack.query("SELECT sha256 FROM leaderboard_puzzle WHERE day IS NULL")
    expect(member.get_by_text(str(announced))).to_be_visible()
    member.locator("main").get_by_role("link", name="Play", exact=True).click()
    member.get_by_role("button", name="Try each action").click()
    first, walked = member.locator('[data-key="1"]'), member.locator(".chips li")
    expect(first).to_be_visible(timeout=LOOK_MS)
    member.keyboard.press("1")
    expect(walked).to_have_count(1)
    expect(first).to_be_visible(timeout=LOOK_MS)
    played = _cost_now(member)
    member.get_by_role("button", name="Submit this program to Puzzle of").click()
    expect(member.locator("#items tbody tr")).to_contain_text("verified", timeout=LOOK_MS)
    member.goto("/puzzle/")
    expect(member.locator(".stats")).to_contain_text(f"{played:,}")
    expect(member.locator("main tbody tr")).to_have_count(1)
    assert violations(member, "light") + violations(member, "dark") == ""
    member.set_viewport_size(PHONE)
    assert member.evaluate(WIDTH) <= PHONE["width"]
    member.set_viewport_size(WIDE)


def _cost_now(page: Page) -> int:
    return int(page.locator(".stats dd").first.inner_text().split()[0].replace(",", ""))


@pytest.mark.usefixtures("runner")
def test_why_a_pick_changes_nothing_is_told_until_one_does(page: Page) -> None:
    page.goto("/play/kernels-v0/sha256/")
    _look(page)
    first = page.locator('[data-key="1"]')
    alert, walked = page.get_by_role("alert"), page.locator(".chips li")
    actions = page.locator(".moves").first.locator("xpath=ancestor::form").locator("[name=actions]")
    actions.evaluate("field => { field.value = '9999' }")
    page.keyboard.press("1")
    expect(alert).to_contain_text("Action 9999 at position 0 is not in the action space")
    expect(first).to_be_visible()
    actions.evaluate("field => { field.value = '' }")
    page.context.set_offline(True)
    page.keyboard.press("1")
    expect(alert).to_contain_text("The server does not answer")
    page.context.set_offline(False)
    page.keyboard.press("1")
    expect(walked).to_have_count(1)
    expect(alert).to_have_count(0)


@pytest.mark.usefixtures("runner")
def test_who_chooses_far_down_a_page_stays_there(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/play/kernels-v0/sha256/")
    _look(page)
    page.evaluate("scrollTo(0, 600)")
    page.locator(".moves button").nth(2).evaluate("button => button.click()")
    expect(page.locator(".chips li")).to_have_count(1)
    expect(page.locator('[data-key="1"]')).to_be_visible(timeout=LOOK_MS)
    assert page.evaluate("scrollY") == 600


def _look(page: Page) -> None:
    first, look = page.locator('[data-key="1"]'), page.get_by_role("button", name="Try each action")
    expect(first.or_(look).first).to_be_visible()
    if look.is_visible():
        look.click()
    expect(first).to_be_visible(timeout=LOOK_MS)


@needs_gcc
@pytest.mark.usefixtures("runner")
def test_options_are_found_by_words_and_lines_of_the_program_too(page: Page) -> None:
    page.goto("/play/gcc-kernels-v0/sudoku/?environment=gcc-v0&actions=0.7")
    words, move = page.get_by_label("Words of an option"), page.locator(".moves button")
    words.fill("tree vrp")
    words.press("Enter")
    expect(move.first).to_contain_text("-ftree-vrp", timeout=LOOK_MS)
    expect(move).to_have_count(2)
    worse = page.locator('[data-key="2"]')
    expect(worse).to_contain_text("+25", timeout=LOOK_MS)
    page.locator("h1").click()
    page.keyboard.press("2")
    expect(page.locator(".chips li")).to_have_count(2)
    expect(page.locator(".stats dd").first).to_contain_text("2,770", timeout=LOOK_MS)
    expect(page.locator('[data-key="1"]')).to_be_visible(timeout=LOOK_MS)
    assert "q=tree%20vrp" in page.url
    found = page.get_by_label("Find in the text")
    found.fill("mov")
    expect(page.locator(".difference .hit.at")).to_have_count(1)
    first = page.get_by_role("status").filter(has_text="line 1 of")
    expect(first).to_be_visible()
    found.press("Enter")
    expect(first).to_have_count(0)
    assert violations(page, "light") + violations(page, "dark") == ""
    page.set_viewport_size(PHONE)
    assert page.evaluate(WIDTH) <= PHONE["width"]
    page.set_viewport_size(WIDE)
    words.fill("no such option")
    words.press("Enter")
    expect(page.get_by_text("No action has the words")).to_be_visible()


@pytest.mark.usefixtures("runner")
def test_a_loop_nest_is_measured_on_request(member: Page) -> None:
    member.goto("/play/loop_tool-cpu-v0/1024/")
    member.get_by_label("Size").fill("2048")
    member.get_by_role("button", name="Play this size").click()
    member.get_by_role("button", name="Try each action").click()
    expect(member.get_by_role("button", name="toggle_thread")).to_contain_text(
        "a in 2048, a' in 1", timeout=LOOK_MS
    )
    member.get_by_role("button", name="Check outputs and measure").click()
    expect(member.get_by_text("with 95 % probability")).to_be_visible(timeout=LOOK_MS)
    assert violations(member, "light") + violations(member, "dark") == ""
    member.set_viewport_size(PHONE)
    assert member.evaluate(WIDTH) <= PHONE["width"]


@pytest.mark.usefixtures("runner")
def test_a_game_needs_no_scripts(browser: Browser, stack: Stack) -> None:
    context = browser.new_context(viewport=WIDE, base_url=stack.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/play/kernels-v0/quicksort/")
    page.get_by_role("button", name="Try each action").click()
    move, again = page.locator(".moves button").first, page.get_by_text("Look again")
    until = time.monotonic() + LOOK_MS / 1000
    while True:
        # A click does not wait for the page it asks for: that page has the one or the other.
        expect(move.or_(again).first).to_be_visible(timeout=LOOK_MS)
        if move.is_visible():
            break
        assert time.monotonic() < until
        again.click()
    move.click()
    expect(page.locator(".chips li")).to_have_count(1)
    assert "actions=" in page.url
    page.get_by_text("Take back").click()
    expect(page.locator(".chips li")).to_have_count(0)
    context.close()
