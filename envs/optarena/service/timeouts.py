"""How long the processes of the runtime wait for each other, in seconds.

``Backend.call_seconds`` limits a call to a session.
``client/guardian.py``, which imports nothing of this package, has its own.
"""

from typing import Final

# The most that a caller may set: in milliseconds it fits 32 bits, so every transport can send it.
LONGEST_SECONDS: Final = 4_000_000.0

# The client of a session's process.
# A session that is asked to end has this long for its close(), which frees memory; then it is killed.
SESSION_END_SECONDS: Final = 2.0
# A killed process ends at once, unless the machine swaps; then its caller should not wait much longer.
KILLED_SESSION_SECONDS: Final = 30.0
# A process that has closed its channel is about to end; a busy zygote takes seconds to say how.
LAST_WORDS_SECONDS: Final = 10.0
# The answer to a step that was begun may be there although its time is over: others were waited for.
BEGUN_SECONDS: Final = 0.1
# A look ahead forks and reaps a process for each action, which their own times do not contain.
LOOK_AHEAD_SLACK_SECONDS: Final = 10.0

# A zygote and its client.
# To load a compiler's library takes a second or two, and many times as long on a busy machine.
ZYGOTE_ANSWER_SECONDS: Final = 30.0
# A zygote kills its workers and removes its folder within milliseconds.
ZYGOTE_END_SECONDS: Final = 5.0
# Descendants of workers may fork while they are killed, so a zygote kills them again, but not for ever.
DESCENDANTS_END_SECONDS: Final = 2.0
# Without a pidfd of its client, a zygote looks this often whether it lives.
CLIENT_CHECK_SECONDS: Final = 1.0

# A session's process. Its close() waits for a running call, which may be a pass that hangs.
RUNNING_CALL_SECONDS: Final = 2.0
# Children that try an action may end without a word; so often their parent looks.
TRIAL_CHECK_SECONDS: Final = 0.02

# The client of a gRPC service; its users set the rest by ConnectionOptions.
# A call of an environment is an action or observation, whose own limit, in the service, is less.
REMOTE_CALL_SECONDS: Final = 300.0
# A started service that has not answered yet shows by an answer that it can be asked to end.
REMOTE_LAST_WORD_SECONDS: Final = 1.0
# Whoever ends a session has finished with it, whatever the service says.
REMOTE_END_SECONDS: Final = 2.0
# The same for a session whose last call got no answer: it will hardly answer now.
REMOTE_ABANDON_SECONDS: Final = 1.0
# A channel with an answer in this time counts as connected: no further call tests it.
FRESH_CHANNEL_SECONDS: Final = 1.0
# The kernel reports the end of a service's process a moment after that of its connection.
SERVICE_DEATH_SECONDS: Final = 0.5
# A second look at an endpoint that does not answer, to say why.
ENDPOINT_PROBE_SECONDS: Final = 2.0
RECONNECT_SECONDS: Final = 0.1  # between two attempts of a channel, at first
LONGEST_RECONNECT_SECONDS: Final = 1.0  # less than users wait for a service that is started again

# The client of a service that it has started from an executable.
# Not every service ends the line in port.txt; a port that stays the same for so long is complete.
PORT_SETTLED_SECONDS: Final = 0.1
PORT_CHECK_SECONDS: Final = 0.02  # between two looks at port.txt
# The guardian is a Python process with few imports; on a busy machine its start takes seconds.
GUARDIAN_SECONDS: Final = 30.0
# A service whose connection is lost has ended, or ends now.
SERVICE_END_SECONDS: Final = 2.0

# A gRPC server.
# A client on another machine may be killed without a word; one that lives touches its sessions.
TCP_IDLE_SECONDS: Final = 3600.0
LONGEST_IDLE_SECONDS: Final = 366 * 86_400.0  # that --idle-seconds may say
IDLE_CHECK_SECONDS: Final = 10.0  # at most, between two looks for sessions that are idle
# Running calls may finish when a service is asked to end: most take less.
GRACE_SECONDS: Final = 5.0
LONGEST_GRACE_SECONDS: Final = 3600.0  # that --grace-seconds may say
# Threads of calls have ended after the grace, unless a session in this process hangs.
SERVER_THREADS_SECONDS: Final = 1.0
SIGNAL_CHECK_SECONDS: Final = 1.0  # between two looks for a signal that another thread got
# A service that listens at a socket's path accepts at once, and locks the folder only while it starts.
SOCKET_CONNECT_SECONDS: Final = 5.0
SOCKET_LOCK_SECONDS: Final = 5.0

# Any process that starts others.
# A folder is locked right after it is made; a younger one may be of a process that has not got there.
STALE_FOLDER_SECONDS: Final = 60.0
# A killed process ends at once, but one that hangs in a device driver may never end.
KILLED_PROGRAM_SECONDS: Final = 10.0
PRINTED_CHECK_SECONDS: Final = 0.25  # between two looks whether a program has printed more
# A shell that enters a memory group takes milliseconds.
MEMORY_GROUP_TRIAL_SECONDS: Final = 10.0
# The processes of a memory group are killed until it is empty, or it is left to the next process.
MEMORY_GROUP_END_SECONDS: Final = 2.0
