"""One item of a user starts at once although another user has 600 in the queue: the real stack."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from tests.kit.kernels import URIS

if TYPE_CHECKING:
    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

ITEMS = 600
LEASED_BEFORE = """
SELECT count(*) FROM runner_verificationevent AS event
JOIN leaderboard_submissionitem AS item ON item.verification_id = event.verification_id
WHERE item.submission_id = %s AND event.to_state = 'leased'
  AND event.at > (SELECT created FROM leaderboard_submission WHERE id = %s)
  AND event.at < (
    SELECT min(started.at) FROM runner_verificationevent AS started
    JOIN leaderboard_submissionitem AS own ON own.verification_id = started.verification_id
    WHERE own.submission_id = %s AND started.to_state = 'leased')
"""


@pytest.mark.soak
def test_one_item_among_600_of_another_user_starts_within_three_replays(stack: Stack, key: str) -> None:
    pairs = itertools.islice(itertools.product(range(40), range(40)), ITEMS // len(URIS))
    with stack.user() as large, stack.user() as small:
        made = [
            large.submit(
                {
                    "board": "llvm-ic",
                    "agent": f"many {first} {second}",
                    "items": [{"benchmark": uri, "actions": [first, second, 7, 11, 13]} for uri in URIS],
                },
                key=f"{key} {first} {second}",
            )
            for first, second in pairs
        ]
        try:
            one = {"benchmark": URIS[0], "actions": [13, 11, 7, 5, 3]}
            own = small.submit({"board": "llvm-ic", "agent": "one", "items": [one]}, key=key)
            assert own["wait"]["position"] <= 3
            assert own["wait"]["processes"] == 1
            assert small.wait(own["id"], timeout=240)["state"] == "verified"
            for submission in made:
                [(number,)] = stack.query(LEASED_BEFORE, submission["id"], own["id"], own["id"])
                assert int(str(number)) <= 3
            waiting = stack.query("SELECT count(*) FROM runner_demand WHERE waiting")
            assert int(str(waiting[0][0])) > ITEMS / 2
        finally:
            for submission in made:
                large.withdraw(submission["id"])
