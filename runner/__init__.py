"""Django app that executes: verifications, their state machine, tasks. Imports datasets and optarena only.

PostgreSQL owns the queue and every state; the broker only wakes workers. Writes go through
``runner.services``, reads through ``runner.selectors``; ``runner.queue.transitions`` reports to the layers above.
"""
