"""What object files have in common, whichever compiler made them: their sizes, and how they are run.

A program is linked by LLVM's JITLink in a worker, and runs there. Compilers import this room, and it imports
none of them.
"""
