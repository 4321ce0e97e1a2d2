"""Results of a version of an environment with other actions: no number is read as an action of today."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from django.utils.html import escape

from leaderboard.management.commands.prune import prune
from leaderboard.models import Board, PortableBoard
from leaderboard.submissions.steps import stored_names
from optarena.specs import environment_spec
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import EnvironmentVersion
from runner.queue import leases
from runner.queue import studies as study_queue
from tests.kit.credit import entry
from tests.kit.pages import text
from tests.kit.portable import make_portable_board, make_portable_entry

if TYPE_CHECKING:
    from django.test import Client
    from rest_framework.test import APIClient

    from tests.kit.boards import World

pytestmark = pytest.mark.django_db
SPEC = environment_spec("llvm-ic-v0")
NAMES = SPEC.action_table.names
BEYOND = len(NAMES)
FORMER = {"actions": [["gone", "gone"], *([name, name] for name in NAMES)]}
"""What a version says that had one action more, before all of today's."""


def change_to(described: dict[str, Any], number: int = 0) -> None:
    """Have all boards compare a version of the environment that is not installed."""
    version = EnvironmentVersion.objects.create(env_id=SPEC.slug, digest=str(number) * 64, spec=described)
    Board.objects.update(environment_version=version)
    PortableBoard.objects.update(environment_version=version)


def test_a_portable_entry_has_the_names_of_its_own_version(
    world: World, api: APIClient, pages: Client
) -> None:
    made = make_portable_entry(make_portable_board(), world.user, "mine", 0)
    address = f"/api/v1/portable/entries/{made.pk}/"
    made.sequences = [[0, BEYOND]]
    made.save()
    numbers = ["action 0", f"action {BEYOND}"]
    for number, (described, names) in enumerate(
        [(FORMER, ["gone", NAMES[BEYOND - 1]]), ({"actions": 7}, numbers), ({}, numbers)]
    ):
        change_to(described, number)
        [sequence] = api.get(address).json()["sequences"]
        assert sequence == {"actions": [0, BEYOND], "commandline": None, "names": names}
        page = text(pages.get(made.get_absolute_url()))
        assert "The environment has other actions today." in page
        assert escape(", ".join(names)) in page
    made.sequences = [[7]]
    made.save()
    change_to(SPEC.version_spec() | {"engine_version": "former"}, 3)  # something else alone has changed
    [sequence] = api.get(address).json()["sequences"]
    assert sequence == {"actions": [7], "commandline": SPEC.commandline([7]), "names": []}


def test_actions_are_known_in_every_description() -> None:
    for slug in ("gcc-v0", "llvm-finer-v0", "llvm-loops-v0", "loop_tool-v0"):
        spec = environment_spec(slug)
        described = spec.version_spec() | {"engine_version": "former"}
        version = EnvironmentVersion(env_id=slug, digest="0" * 64, spec=json.loads(json.dumps(described)))
        further = spec.further_tables if spec.ranks_further_tables else ()
        for space in ("", *(one.name for one in further)):
            assert stored_names(version, space) == spec.ranked_table(space).names


@pytest.mark.usefixtures("broker")
def test_a_minimised_sequence_names_its_steps(world: World, api: APIClient, pages: Client) -> None:
    presence.announce_runner(
        name="celery@host", hardware_class="x86_64-cpu", machine=Machine(fingerprint={}, versions={})
    )
    item = entry(world.user, ((3, 7, 9), (2,), (3,))).items.get(position=0)
    where = f"/api/v1/submissions/{item.submission_id}/items/0/"
    assert api.post(f"{where}minimised/").status_code == 202
    lease = leases.lease_next(worker="test")
    assert lease is not None
    study_queue.end_study(lease=lease, result={"kept": [0, 2], "minimal": True, "trials": 9})
    change_to(FORMER)
    found = api.get(where).json()["minimised"]
    assert (found["steps"], found["actions"], found["commandline"]) == ([1, 3], [3, 9], None)
    page = text(pages.get(item.get_absolute_url()))
    assert "Steps 1, 3. The environment has other actions today" in page


def test_sequences_without_states_are_compared_by_the_names_of_their_own_version(
    world: World, anonymous: APIClient
) -> None:
    made = [
        entry(world.user, ((1, 2), (2,), (3,)), agent="one"),
        entry(world.other, ((1, 3), (5,), (6,)), agent="other"),
    ]
    for user, agent in ((world.user, "one"), (world.other, "other")):
        entry(user, ((7,), (8,), (9,)), value=85, agent=agent)  # the steps of the best entry stay
    prune(before=timezone.now() + timedelta(hours=1))
    change_to(FORMER)
    query = {"entry": [str(one.pk) for one in made], "program": "alpha"}
    found = anonymous.get("/api/v1/compare/", query).json()["alignment"]
    assert found["by"] == "actions"
    assert found["rows"][0]["steps"][0]["name"] == NAMES[0]
