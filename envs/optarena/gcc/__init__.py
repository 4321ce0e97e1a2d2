"""GCC: an environment whose state is a command line, a choice for each of GCC's options.

One exact build of GCC is pinned by the hashes of its programs, and boards take no other.
"""
