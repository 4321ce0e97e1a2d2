"""What concerns processes of the operating system: their folders, output, ancestry, and how they end.

A session's process imports this: no numpy, no gymnasium, no grpc. Knows no message and no session.
"""
