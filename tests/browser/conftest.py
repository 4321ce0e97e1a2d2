"""Headless Chromium of the system, driven by playwright."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.kit.screens import WIDE
from tests.kit.tools import CHROMIUM, in_ci

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

    from tests.kit.stack import Stack


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser; where there is none, tests are skipped, or fail where ``CI`` is set."""
    path = CHROMIUM.find()
    if path is None:
        reason = "Chromium is not installed: apt-get install chromium-headless-shell"
        pytest.fail(reason) if in_ci() else pytest.skip(reason)
    from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415 - starts a driver

    expect.set_options(timeout=30_000)  # as all else; five seconds are too few for a busy machine
    arguments = ["--disable-dev-shm-usage", "--disable-gpu"]
    # Chromium refuses its own sandbox to root; the pages here are our own.
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        # Its event loop stays in this thread, where fixtures use the database; they wait for nothing in it.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        launched = playwright.chromium.launch(executable_path=path, args=arguments)
        yield launched
        launched.close()


def _is_wrong(entry: ConsoleMessage) -> bool:
    # A form that is sent back with its problems, and a test that is offline; htmx reports both, too.
    expected = (
        "status of 422",
        "Error Code 422",
        "ERR_INTERNET_DISCONNECTED",
        "htmx:sendError",
        "htmx:afterRequest",
    )
    return entry.type == "error" and not any(text in entry.text for text in expected)


@pytest.fixture
def page(browser: Browser, stack: Stack) -> Iterator[Page]:
    """A wide page of a visitor, on which no script may fail and nothing may come from elsewhere."""
    context = browser.new_context(viewport=WIDE, base_url=stack.url)
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(f"script: {error}"))
    opened.on("console", lambda entry: complaints.append(entry.text) if _is_wrong(entry) else None)
    opened.on("request", lambda one: None if one.url.startswith(stack.url) else complaints.append(one.url))
    yield opened
    context.close()
    assert complaints == []
