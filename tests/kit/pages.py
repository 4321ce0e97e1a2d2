"""What pages say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Page


def text(page: Page) -> str:
    """The text of a page that was found."""
    assert page.status_code == 200, page.status_code
    return page.content.decode()
