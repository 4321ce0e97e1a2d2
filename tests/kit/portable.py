"""A board of portable entries for tests, and entries whose replays have ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from rest_framework.test import APIClient

from datasets.loading import load_range
from leaderboard.models import PortableBoard, PortableEntry, PortableProgram, PortableRound
from leaderboard.portable.services import drawn_range, load_portable_boards
from optarena.datasets import datasets
from optarena.datasets.parametric import ParametricDataset
from optarena.specs import environment_spec, portable_board_specs
from tests.factories import make_token
from tests.kit.cases import Case, fill_in, get, send

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from tests.kit.site import Site

PORTABLE_SLUG: Final = "portable"
ANY_RATIO: Final = 1e9


def client_of(user: User) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(user)[1]}")
    return client


def make_portable_board(
    *,
    programs: int = 3,
    report_dataset: str = "",
    slug: str = PORTABLE_SLUG,
    plausible_ratio: float = ANY_RATIO,
) -> PortableBoard:
    """The package's board, with fewer programs and no quarantine."""
    [definition] = portable_board_specs()
    synthetic = datasets()[definition.dataset]
    assert isinstance(synthetic, ParametricDataset)
    load_range(dataset=synthetic)
    wanted = replace(
        definition,
        slug=slug,
        programs=programs,
        report_dataset=report_dataset,
        plausible_ratio=plausible_ratio,
    )
    [made] = load_portable_boards(definitions=[wanted])
    return made


def end_round() -> None:
    """End the round of everything that is sealed."""
    now = timezone.now()
    PortableRound.objects.filter(ends_at__gt=now).update(ends_at=now)


def make_portable_entry(
    board: PortableBoard, owner: User, agent: str, number: int, *, value: float = 90
) -> PortableEntry:
    """An entry of the round that ended last that has ended, with as many programs as its board draws."""
    now = timezone.now()
    former = board.entries.order_by("-round__ends_at", "-sealed_at").first()
    range_ = drawn_range(board.dataset)
    uris = [range_.uri.replace("{n}", str(position)) for position in range(board.programs)]
    met = board.rounds.exclude(measured=[]).first() or board.rounds.create(
        ends_at=now, drawn_at=now, programs=board.programs, programs_sha256="0" * 64, measured=uris
    )
    entry = PortableEntry.objects.create(
        board=board,
        owner=owner,
        agent=agent,
        agent_group=f"{owner.pk} {agent}",
        sequences=[[number]],
        content_sha256=f"{number:064}",
        sequence_sha256=[f"{number:064}"],
        round=met,
        drawn_at=now,
        ended_at=now,
        score=1.0 + number / 100,
        score_error=0.01,
    )
    # Before the end of the round, in the order of the calls.
    after = now - timedelta(minutes=1) if former is None else former.sealed_at + timedelta(milliseconds=1)
    entry.sealed_at = after
    entry.save(update_fields=["sealed_at"])
    PortableProgram.objects.bulk_create(
        PortableProgram(
            entry=entry,
            position=position,
            benchmark=range_,
            benchmark_uri=uri,
            is_drawn=True,
            reference=100,
            unoptimised=400,
            value=value,
            best=0,
        )
        for position, uri in enumerate(uris)
    )
    return entry


def reading_and_sealing() -> Iterator[Case]:
    for space in ("leaderboard-api", "leaderboard"):
        yield get(f"{space}:portable")
        yield get(f"{space}:portable-board", PORTABLE_SLUG)
        yield get(f"{space}:portable-entry", "@portable")

    def withdrawn(site: Site) -> dict[str, Any]:
        return {"@": [site.portable.pk]}

    yield send("leaderboard-api:portable-withdraw", withdrawn)
    yield fill_in("leaderboard:portable-withdraw", withdrawn)
    yield get("leaderboard:portable-submit", by="owner")
    yield fill_in(
        "leaderboard:portable-submit",
        lambda site: {
            "board": PORTABLE_SLUG,
            "agent": "web",
            "sequences": "\n".join(_line(number) for number in range(site.rows)),
        },
    )
    yield send(
        "leaderboard-api:portable-entries",
        lambda site: {
            "board": PORTABLE_SLUG,
            "agent": "agent",
            "sequences": [{"actions": [number, 1]} for number in range(site.rows)],
        },
        HTTPStatus.ACCEPTED,
    )


def _line(number: int) -> str:
    return environment_spec("llvm-ic-v0").commandline((number, 1))
