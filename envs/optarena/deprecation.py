"""How the package announces a removal: a warning that names the replacement and the last release.

``docs/stability.md`` says what is warned about and for how long; a test reads every call in the source and
fails once the release that was named is reached, or where the notice is shorter than promised.
"""

from __future__ import annotations

import warnings


class OptArenaDeprecationWarning(DeprecationWarning):
    """Something of this package will be removed; the message says what to use instead, and until when.

    Python shows a ``DeprecationWarning`` to the code that is run as a script and to tests, and hides it
    where one library calls another. ``-W error::DeprecationWarning`` makes it an error, and
    ``warnings.filterwarnings("ignore", category=OptArenaDeprecationWarning)`` silences this package's alone.
    """


def warn(subject: str, *, instead: str, since: str, removed_in: str, stacklevel: int = 1) -> None:
    """Warn the caller's caller that something will be removed.

    Args:
        subject: What is deprecated, as users write it: ``"CompilerEnv.foo()"``.
        instead: What to use instead, as users write it.
        since: The release that warned first: ``"0.2"``. Write it out; a test reads it.
        removed_in: The release without it, at least two minor ones later. Write it out, too.
        stacklevel: 1 for the caller of the function that calls this one; one more for each function
            of this package between the user's code and that.
    """
    message = (
        f"{subject} is deprecated since OptArena {since} and will be removed in {removed_in}. Use {instead}."
    )
    warnings.warn(message, OptArenaDeprecationWarning, stacklevel=stacklevel + 2)
