"""Works on many things side by side; when something fails, all stops at once with what was started for it."""

from __future__ import annotations

import errno
import os
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Final, TypeVar

from datasets.builder.errors import DatasetRefused, Refusal
from datasets.builder.measuring import end_workers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from datasets.builder.processes import Processes

I = TypeVar("I")  # noqa: E741 - an item
T = TypeVar("T")
# What names, arguments and files of one item can bring about; all else is of the machine, as a full disk is.
_OF_AN_ITEM: Final = frozenset(
    {
        *(errno.E2BIG, errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST),
        *(errno.EINVAL, errno.EILSEQ, errno.ELOOP, errno.ENOEXEC),
    }
)


def work_on(
    items: Sequence[I],
    work: Callable[[I], T],
    *,
    processes: Processes,
    jobs: int | None = None,
    on_done: Callable[[I, float], None] = lambda _, __: None,
) -> list[T]:
    """Works on every item, also after a refusal; any other error ends all work.

    Args:
        items: What to work on, in the order in which it is begun.
        work: Called from several threads.
        processes: What the work's processes are started by; stopped on an error or an interrupt.
        jobs: How many items are worked on at once; one for each processor if None.
        on_done: Called from this thread with each item and its seconds.

    Returns:
        What was made, in the items' order.

    Raises:
        DatasetRefused: With every reason for every item.
    """
    outcomes = _outcomes(items, work, processes, jobs or os.cpu_count() or 1, on_done)
    refusals = [one.refusals for one in outcomes if isinstance(one, DatasetRefused)]
    if refusals:
        every = dict.fromkeys(refusal for some in refusals for refusal in some)
        raise DatasetRefused(sorted(every, key=lambda refusal: refusal.program))
    return [one for one in outcomes if not isinstance(one, DatasetRefused)]


def _outcomes(
    items: Sequence[I],
    work: Callable[[I], T],
    processes: Processes,
    jobs: int,
    on_done: Callable[[I, float], None],
) -> list[T | DatasetRefused]:
    pool = ThreadPoolExecutor(jobs)
    try:
        waiting = {pool.submit(_timed, work, item, processes): item for item in items}
        for done in as_completed(waiting):
            on_done(waiting[done], done.result()[1])
    except BaseException:  # an interrupt too: nothing may go on, and what is killed is no refusal
        processes.stop()
        pool.shutdown(wait=False, cancel_futures=True)
        end_workers()
        raise
    finally:
        pool.shutdown()
    return [done.result()[0] for done in waiting]


def refusing(work: Callable[[I], T], name: Callable[[I], str]) -> Callable[[I], T]:
    """The work; errors of the system that an item's names, arguments or files cause are refusals of it.

    Args:
        work: The work.
        name: What an item is called in such a refusal.
    """

    def done(item: I) -> T:
        try:
            return work(item)
        except OSError as error:
            if error.errno not in _OF_AN_ITEM:
                raise
            reason = f"the system cannot do what it needs: {error}"
            raise DatasetRefused([Refusal(name(item), reason)]) from error

    return done


def _timed(work: Callable[[I], T], item: I, processes: Processes) -> tuple[T | DatasetRefused, float]:
    start = time.perf_counter()
    outcome: T | DatasetRefused
    try:
        processes.check()
        outcome = work(item)
    except DatasetRefused as error:
        outcome = error
    processes.check()
    return outcome, time.perf_counter() - start
