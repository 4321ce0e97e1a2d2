"""Converts messages and Python values: events to plain Python or numpy, spaces to gymnasium's; client only.

The session's process has no numpy and never imports this package.
"""

from optarena.service.converters.events import event_to_python, python_to_event
from optarena.service.converters.spaces import (
    Commandline,
    JsonDocument,
    NamedDiscrete,
    SizedSequence,
    as_choices,
    event_to_member,
    gymnasium_to_space,
    member_to_event,
    space_to_gymnasium,
)

__all__ = [
    "Commandline", "JsonDocument", "NamedDiscrete", "SizedSequence", "as_choices", "event_to_member",
    "event_to_python", "gymnasium_to_space", "member_to_event", "python_to_event", "space_to_gymnasium",
]  # fmt: skip
