"""A whole server with two workers under random faults: its verdicts must be those of a run without faults.

``tests/e2e/test_chaos.py`` runs it. ``python -m tests.kit.faults --verifications 1000`` is a long run. With
root's rights, ``unshare --mount -- python -m tests.kit.faults --apart`` also fills disks and cuts a network.
"""
