"""What a server does once for each version, before it starts."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

pytestmark = pytest.mark.django_db


def test_an_unknown_dataset_is_refused_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(
        "leaderboard.management.commands.bootstrap.call_command",
        lambda name, *_, **__: done.append(name),
    )
    with pytest.raises(CommandError, match=r"There is no dataset 'kernels-v00'\. Did you mean"):
        call_command("bootstrap", "kernels-v0", "kernels-v00", verbosity=0)
    assert done == []
