"""What pages say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Page


def text(page: Page) -> str:
    """The text of a page that was found."""
    assert page.status_code == 200, page.status_code
    return page.content.decode()


def cannot_keep_focus(part: str) -> list[str]:
    """What can have the focus in a part of a page, but has no id of its own to get it back by."""
    focusable = re.findall(r"<\w+ [^>]*?(?:href|tabindex)=[^>]*>", part)
    assert focusable
    found = [(one, re.search(r' id="([^"]+)"', one)) for one in focusable]
    return [one for one, place in found if place is None or part.count(place[0]) > 1]
