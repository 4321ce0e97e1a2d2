"""What can be found out about a replay by further replays: what a step changes, and which steps suffice.

``texts`` compares two texts, and ``minimising`` decides which sequence is tried next: both are pure, and the
server reads their results. ``states`` applies actions in a confined environment. Nothing is imported here, so
that a server does not load environments.
"""
