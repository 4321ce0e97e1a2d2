"""The loop_tool environment: the loop nest of a point-wise addition, tuned for real flops.

Empty on purpose: a session's process imports this package too, and must not load gymnasium or numpy at once.
"""
