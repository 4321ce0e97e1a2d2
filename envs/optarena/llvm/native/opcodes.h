// LLVM 23 has an opcode for each kind of branch, where earlier releases have one, which observations keep.
int LLVMGetInstructionOpcode(Value);

static inline int opcode_of(Value instruction) {
  enum { BRANCH = 2, UNCONDITIONAL = 70, CONDITIONAL = 71 };
  int opcode = LLVMGetInstructionOpcode(instruction);
  return opcode == UNCONDITIONAL || opcode == CONDITIONAL ? BRANCH : opcode;
}
