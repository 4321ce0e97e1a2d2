"""Submissions: documents, rows, verdicts, replays, pages and API.

Locks are always taken in this order, so that no two transactions can wait for each other:
idempotency key, submission, verifications (by program and actions), items, boards (by id). They are
``FOR NO KEY UPDATE`` locks: the foreign key checks that other transactions make at commit never wait for
them.
"""
