"""References of what LLVM's helpers compute, and programs to compare on."""
