"""How environments, datasets and boards become known: ``register``, and the plug-ins that call it.

``checks`` refuses descriptions that contradict themselves. The registered things are kept by
``optarena.specs`` and ``optarena.datasets``: this room writes them, everybody reads them.
"""
