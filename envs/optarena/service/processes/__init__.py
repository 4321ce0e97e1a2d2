"""Tools for processes of the operating system: their folders, output, ancestry and exit status.

A session's process imports this: no numpy, no gymnasium, no grpc. These modules know neither messages nor
sessions.
"""
