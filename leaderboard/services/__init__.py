"""Everything that writes: keyword-only functions, one transaction each.

Rooms: ``documents`` (bytes to plain data), ``validation`` (plain data to a checked draft), ``submissions``
(drafts to rows, withdrawal), ``edits`` (what owners say about them), ``verdicts`` (verifications to
verdicts), ``standings`` (verdicts to scores), ``moderation`` (a reviewer's decisions), ``boards`` (the boards
themselves), ``comparisons`` (checks of what a board compares), ``anonymising`` (what the owners of deleted
accounts wrote).

Locks are always taken in this order, so that no two transactions can wait for each other:
idempotency key, submission, verifications (by program and actions), items, boards (by id). They are
``FOR NO KEY UPDATE`` locks: the foreign key checks that other transactions make at commit never wait for
them.
"""
