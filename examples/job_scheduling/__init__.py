"""Job scheduling for OptArena: a problem other than compilation, on the same runtime.

Empty on purpose: a session's process imports this package too, and needs neither gymnasium nor numpy.
"""
