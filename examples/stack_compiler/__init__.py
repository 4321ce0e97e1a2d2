"""A complete compiler for OptArena: a small stack language and nine rewrites of its programs.

Empty on purpose: a session's process imports this package too, and needs neither gymnasium nor numpy.
"""
