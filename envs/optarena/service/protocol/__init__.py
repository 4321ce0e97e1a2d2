"""The meaning of a session's messages: frames, events, parameters, statuses and errors.

A session's process imports this: no numpy, no gymnasium, no grpc.
"""
