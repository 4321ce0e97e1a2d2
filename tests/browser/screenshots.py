"""Takes the README's pictures of a running demo: ``python -m tests.browser.screenshots [URL]``."""

from __future__ import annotations

import os
import sys
from typing import Final, Literal

from playwright.sync_api import sync_playwright

from tests.kit.folders import ROOT
from tests.kit.screens import WIDE
from tests.kit.tools import CHROMIUM

PAGES: Final = {"board": "/boards/llvm-ic/"}
_SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
_URL: Final = "http://127.0.0.1:8000"


def main(url: str = _URL) -> None:
    folder = ROOT / "docs/images"
    folder.mkdir(exist_ok=True)
    sandbox = [] if os.geteuid() else ["--no-sandbox"]  # Chromium refuses its own to root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM.find(), args=sandbox)
        for scheme in _SCHEMES:
            page = browser.new_page(viewport=WIDE, color_scheme=scheme, base_url=url)
            for name, address in PAGES.items():
                page.goto(address)
                page.screenshot(path=folder / f"{name}-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
