"""How environments, datasets and boards become known: ``register``, and the plug-ins that call it.

``checks`` refuses descriptions that contradict themselves. What is known is kept by ``optarena.specs`` and
``optarena.datasets``, which this room writes and everybody reads.
"""
