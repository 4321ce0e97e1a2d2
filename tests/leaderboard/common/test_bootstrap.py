"""What a server does once for each version, before it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from datasets.models import DatasetVersion
from datasets.services import load_range
from optarena.datasets import ParametricDataset, datasets
from tests.factories import make_dataset

if TYPE_CHECKING:
    from pytest_django import Settings

pytestmark = pytest.mark.django_db


def test_what_a_former_release_loaded_gets_its_manifest(
    settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "leaderboard.management.commands.bootstrap.board_datasets", lambda: ("loop_tool-cpu-v0",)
    )
    real = call_command
    monkeypatch.setattr(
        "leaderboard.management.commands.bootstrap.call_command",
        lambda name, *args, **options: None if name == "load_boards" else real(name, *args, **options),
    )
    former = datasets()["synthetic-v0"]
    assert isinstance(former, ParametricDataset)
    load_range(dataset=former)
    DatasetVersion.objects.update(manifest_blob=None, statistics={})
    make_dataset("elsewhere-v0")
    real("bootstrap", static=False, verbosity=0)
    assert DatasetVersion.objects.get(name="synthetic-v0").manifest_blob is not None
    assert DatasetVersion.objects.get(name="elsewhere-v0").manifest_blob is None
    assert "elsewhere-v0 is not installed on this machine" in capsys.readouterr().err


def test_an_unknown_dataset_is_refused_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(
        "leaderboard.management.commands.bootstrap.call_command",
        lambda name, *_, **__: done.append(name),
    )
    with pytest.raises(CommandError, match=r"There is no dataset 'kernels-v00'\. Did you mean"):
        call_command("bootstrap", "kernels-v0", "kernels-v00", verbosity=0)
    assert done == []
