"""What a person does: sign up, submit by the form, watch it being verified, find the row on the board."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from optarena.datasets import datasets
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.stack, pytest.mark.browser]

VERIFIED_MS = 240_000
PASSWORD = "a long walk in october"  # noqa: S105 - of a test's account
SPEC = environment_spec("llvm-ic-v0")


def states(*names: str) -> str:
    """The CSV of one sequence for every benchmark of kernels-v0."""
    commandline = SPEC.commandline([SPEC.action_table.names.index(name) for name in names])
    rows = [f'{benchmark.uri},"{commandline}"' for benchmark in datasets()["kernels-v0"]]
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
    page.get_by_label("Results as CSV").fill(text)
    page.get_by_role("button", name="Submit", exact=True).click()


def test_a_person_signs_up_submits_watches_and_is_ranked(page: Page) -> None:
    sign_up(page, "ada")
    submit(page, "by hand", states("sroa", "instcombine"))
    # Were it refused, the form would come back with an alert that says why.
    heading = page.get_by_role("alert").or_(page.get_by_role("heading", name="by hand"))
    expect(heading).to_contain_text("by hand", timeout=30_000)
    expect(page).to_have_url(re.compile(r"/submissions/[0-9a-f-]{36}/$"))
    bar = page.get_by_role("progressbar", name="Verification")
    expect(bar).to_be_visible()
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
    total = len(list(datasets()["kernels-v0"]))
    expect(page.locator("#progress tbody tr")).to_have_count(total)
    page.goto("/boards/llvm-ic/")
    row = page.get_by_role("row").filter(has_text="by hand")
    expect(row).to_contain_text("ada")
    expect(row).to_contain_text(re.compile(r"0\.\d{3}|1\.\d{3}"))


def test_what_has_the_focus_keeps_it_while_a_submission_is_verified(page: Page) -> None:
    sign_up(page, "emmy")
    submit(page, "in focus", states("mem2reg", "gvn"))
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
