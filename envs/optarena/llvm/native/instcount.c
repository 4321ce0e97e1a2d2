// How many instructions of each opcode a module has, over LLVM's C interface. The declarations are our own
// subset of llvm-c/Core.h (LLVM 22), so that no header is needed.
typedef struct Module *Module;
typedef struct Value *Value;
typedef struct Block *Block;

#include "opcodes.h"

Value LLVMGetFirstFunction(Module);
Value LLVMGetNextFunction(Value);
int LLVMIsDeclaration(Value);
Block LLVMGetFirstBasicBlock(Value);
Block LLVMGetNextBasicBlock(Block);
Value LLVMGetFirstInstruction(Block);
Value LLVMGetNextInstruction(Value);

enum { INSTRUCTIONS, BLOCKS, FUNCTIONS, TOTALS, OPCODES = 128 };

// Writes the totals of all defined functions, then the count of each opcode number from 0 to 127.
void optarena_instcount(Module module, long long *out) {
  long long *opcodes = out + TOTALS;
  for (int i = 0; i < TOTALS + OPCODES; i++) out[i] = 0;
  for (Value function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function)) continue;
    out[FUNCTIONS]++;
    for (Block block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
      out[BLOCKS]++;
      for (Value i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        opcodes[opcode_of(i) & (OPCODES - 1)]++;
    }
  }
  for (int i = 0; i < OPCODES; i++) out[INSTRUCTIONS] += opcodes[i];
}
