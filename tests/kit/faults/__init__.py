"""A whole server with two workers under random faults: its verdicts must be those of a run without faults.

``tests/e2e/test_chaos.py`` runs it. By hand, ``python -m tests.kit.faults --verifications 1000`` takes an hour;
as root, ``unshare --mount -- python -m tests.kit.faults --apart`` also fills disks and cuts a network.
"""
