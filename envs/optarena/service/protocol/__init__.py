"""What the messages of a session mean: frames, events, parameters, statuses and errors.

A session's process imports this: no numpy, no gymnasium, no grpc.
"""
