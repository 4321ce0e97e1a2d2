"""Stories of a board: submissions, ends of replays, withdrawals, reviews, and doubts, in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib.auth.models import User

from leaderboard.models import Submission, SubmissionItem
from leaderboard.submissions.replay_again import doubted_champions, retry, reverify
from leaderboard.submissions.services import withdraw
from leaderboard.submissions.verdicts import review
from tests.kit.boards import World, document, fail, record, submit, verifications

if TYPE_CHECKING:
    from runner.models import Verification

AGENTS: Final = ("greedy", " Greedy ", "random")
VALUES: Final = (50, 80, 90, 100, 100, 125)
"""What replays find: one beyond what is plausible, and some that tie."""


class Story:
    """What happens to a board, one event after the other."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.made: list[Submission] = []

    def submit(self, pick: int) -> None:
        owner = self.active((self.world.user, self.world.other)[pick % 2])
        actions = [[pick // 2 % 3], [pick // 6 % 3], [7]][: 1 + pick % 3]
        self.made.append(submit(owner, document(actions, agent=AGENTS[pick % len(AGENTS)])))

    def record(self, pick: int) -> None:
        if (waiting := self.waiting(pick)) is not None:
            record(waiting, VALUES[pick % len(VALUES)])

    def fail(self, pick: int) -> None:
        if (waiting := self.waiting(pick)) is not None:
            fail(waiting, ("env:crash", "infra:internal")[pick % 2])

    def withdraw(self, pick: int) -> None:
        live = [one for one in self.made if Submission.objects.get(pk=one.pk).withdrawn_at is None]
        if live:
            one = live[pick % len(live)]
            withdraw(submission_id=one.pk, actor=one.owner)

    def review(self, pick: int) -> None:
        doubtful = SubmissionItem.objects.filter(verdict="quarantined").values_list("pk", flat=True)
        review(item_ids=list(doubtful), accept=pick % 2 == 0, reviewer="root")

    def reopen(self, pick: int) -> None:
        failed = SubmissionItem.objects.filter(verdict="failed", reason="infra:internal").order_by("pk")
        if failed:
            one = failed[pick % len(failed)]
            retry(submission_id=one.submission_id, position=one.position, actor=self.active(self.world.other))

    def doubt(self, pick: int) -> None:
        best = doubted_champions(boards=[self.world.board], before=None)
        if best:
            reverify(best[pick % len(best)])

    def active(self, user: User) -> User:
        """The user; the first one instead once the account is deleted, which writes nothing any more."""
        return User.objects.filter(pk=user.pk, is_active=True).first() or self.world.user

    def waiting(self, pick: int) -> Verification | None:
        rows = [one for made in self.made for one in verifications(made) if not one.is_terminal]
        return rows[pick % len(rows)] if rows else None


EVENTS: Final = (
    Story.submit,
    Story.submit,
    Story.record,
    Story.record,
    Story.fail,
    Story.withdraw,
    Story.review,
    Story.reopen,
    Story.doubt,
)
