"""Django app that executes: verifications, their state machine, tasks. Imports datasets and optarena only.

PostgreSQL owns the queue and every state; the broker only wakes workers. ``runner.queue`` has all writes,
``runner.selectors`` the reads, ``runner.work`` what a worker does with a lease, and ``runner.machines`` what
is known of the worker's machine. ``runner.queue.transitions`` reports to the layers above.
"""
