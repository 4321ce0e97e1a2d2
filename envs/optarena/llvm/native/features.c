// Feature vectors of a module, over LLVM's C interface. The declarations are our own subset of
// llvm-c/Core.h (LLVM 22), so that no header is needed.
typedef struct Module *Module;
typedef struct Value *Value;
typedef struct Block *Block;
typedef struct Use *Use;
typedef struct Type *Type;

#include "opcodes.h"

Value LLVMGetFirstFunction(Module);
Value LLVMGetNextFunction(Value);
int LLVMIsDeclaration(Value);
Block LLVMGetFirstBasicBlock(Value);
Block LLVMGetNextBasicBlock(Block);
Value LLVMBasicBlockAsValue(Block);
Value LLVMGetBasicBlockTerminator(Block);
Value LLVMGetFirstInstruction(Block);
Value LLVMGetNextInstruction(Value);
unsigned LLVMGetNumSuccessors(Value);
Block LLVMGetSuccessor(Value, unsigned);
int LLVMIsConditional(Value);
unsigned LLVMCountIncoming(Value);
int LLVMGetNumOperands(Value);
Value LLVMGetOperand(Value, unsigned);
Use LLVMGetFirstUse(Value);
Use LLVMGetNextUse(Use);
Value LLVMGetUser(Use);
Value LLVMIsATerminatorInst(Value);
Value LLVMIsABinaryOperator(Value);
Value LLVMIsAUnaryInstruction(Value);
Value LLVMIsAConstant(Value);
Value LLVMIsAConstantInt(Value);
Value LLVMIsAFunction(Value);
int LLVMIsNull(Value);
Value LLVMConstInt(Type, unsigned long long, int);
Type LLVMTypeOf(Value);
int LLVMGetTypeKind(Type);
unsigned LLVMGetIntTypeWidth(Type);
Value LLVMGetCalledValue(Value);
Type LLVMGetCalledFunctionType(Value);
Type LLVMGlobalGetValueType(Value);
Type LLVMGetReturnType(Type);

enum { INTEGER_TYPE = 8, RECENT = 16 };

// LLVMOpcode of llvm-c/Core.h
enum {
  OP_RET = 1, OP_BR = 2, OP_INVOKE = 5, OP_ADD = 8, OP_SUB = 10, OP_MUL = 12, OP_SHL = 20, OP_LSHR = 21,
  OP_ASHR = 22, OP_AND = 23, OP_OR = 24, OP_XOR = 25, OP_ALLOCA = 26, OP_LOAD = 27, OP_STORE = 28,
  OP_GEP = 29, OP_TRUNC = 30, OP_ZEXT = 31, OP_SEXT = 32, OP_BITCAST = 41, OP_ICMP = 42, OP_PHI = 44,
  OP_CALL = 45, OP_SELECT = 46, OPCODES = 128
};

// The order of Autophase and of the result.
enum {
  BB_ARGS_HI, BB_ARGS_LO, ONE_PRED, ONE_PRED_ONE_SUC, ONE_PRED_TWO_SUC, ONE_SUC, TWO_PRED,
  TWO_PRED_ONE_SUC, TWO_EACH, TWO_SUC, MORE_PREDS, BB_PHI_1_TO_3, BB_PHI_MORE, BB_NO_PHI, BEGIN_PHI,
  BRANCHES, RETURN_INT, CRITICAL_EDGES, EDGES, CONST_32, CONST_64, CONST_ZERO, CONST_ONE, UNCOND_BRANCHES,
  BINARY_CONST, ASHR, ADD, ALLOCA, AND, BLOCK_MID, BLOCK_LOW, BITCAST, BR, CALL, GEP, ICMP, LSHR, LOAD, MUL,
  OR, PHI, RET, SEXT, SELECT, SHL, STORE, SUB, TRUNC, XOR, ZEXT, TOTAL_BLOCKS, TOTAL_INSTS, TOTAL_MEM,
  TOTAL_FUNCS, PHI_ARGS, UNARY, FEATURES
};

static const struct { int opcode, feature; } OF_OPCODE[] = {
  {OP_ASHR, ASHR}, {OP_ADD, ADD}, {OP_ALLOCA, ALLOCA}, {OP_AND, AND}, {OP_BITCAST, BITCAST}, {OP_BR, BR},
  {OP_CALL, CALL}, {OP_GEP, GEP}, {OP_ICMP, ICMP}, {OP_LSHR, LSHR}, {OP_LOAD, LOAD}, {OP_MUL, MUL},
  {OP_OR, OR}, {OP_PHI, PHI}, {OP_RET, RET}, {OP_SEXT, SEXT}, {OP_SELECT, SELECT}, {OP_SHL, SHL},
  {OP_STORE, STORE}, {OP_SUB, SUB}, {OP_TRUNC, TRUNC}, {OP_XOR, XOR}, {OP_ZEXT, ZEXT},
};

// An integer type that was met recently, with its number 1: integers are unique in their context.
typedef struct {
  Type type;
  Value one;
  unsigned width;  // 0 for any other type
} Integer;

// Whether an opcode is of a class of instructions: to ask LLVM once is enough.
enum { UNKNOWN, NO, YES };
static char is_unary[OPCODES], is_binary[OPCODES];

static int is_of(char *known, Value (*asked)(Value), Value instruction, int opcode) {
  char *answer = &known[opcode & (OPCODES - 1)];
  if (*answer == UNKNOWN) *answer = asked(instruction) ? YES : NO;
  return *answer == YES;
}

// Predecessors are counted for each edge: a switch with two cases for a block counts twice.
static unsigned predecessors(Block block) {
  unsigned count = 0;
  for (Use use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use))
    count += LLVMIsATerminatorInst(LLVMGetUser(use)) != 0;
  return count;
}

// Counting to 2 is enough: it cuts the loop over a block with very many predecessors short.
static int has_two_predecessors(Block block) {
  unsigned count = 0;
  for (Use use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use && count < 2; use = LLVMGetNextUse(use))
    count += LLVMIsATerminatorInst(LLVMGetUser(use)) != 0;
  return count == 2;
}

static void count_edges(Block block, long long *out) {
  Value terminator = LLVMGetBasicBlockTerminator(block);
  unsigned successors = terminator ? LLVMGetNumSuccessors(terminator) : 0;
  unsigned before = predecessors(block);
  out[EDGES] += successors;
  out[ONE_SUC] += successors == 1;
  out[TWO_SUC] += successors == 2;
  out[ONE_PRED] += before == 1;
  out[ONE_PRED_ONE_SUC] += before == 1 && successors == 1;
  out[ONE_PRED_TWO_SUC] += before == 1 && successors == 2;
  out[TWO_PRED] += before == 2;
  out[TWO_PRED_ONE_SUC] += before == 2 && successors == 1;
  out[TWO_EACH] += before == 2 && successors == 2;
  out[MORE_PREDS] += before > 2;
  for (unsigned i = 0; successors > 1 && i < successors; i++)
    out[CRITICAL_EDGES] += has_two_predecessors(LLVMGetSuccessor(terminator, i));
}

static void count_constant(Value constant, long long *out, Integer *recent) {
  Type type = LLVMTypeOf(constant);
  Integer *integer = &recent[(unsigned long)type / 8 % RECENT];
  if (integer->type != type) {
    int is_integer = LLVMGetTypeKind(type) == INTEGER_TYPE;
    integer->type = type;
    integer->one = is_integer ? LLVMConstInt(type, 1, 0) : 0;
    integer->width = is_integer ? LLVMGetIntTypeWidth(type) : 0;
  }
  if (!integer->width) return;
  out[CONST_32] += integer->width == 32;
  out[CONST_64] += integer->width == 64;
  out[CONST_ZERO] += LLVMIsNull(constant);
  out[CONST_ONE] += constant == integer->one;
}

static void count_operands(Value instruction, int opcode, long long *out, Integer *recent) {
  int operands = LLVMGetNumOperands(instruction);
  int constant = 0;
  for (int i = 0; i < operands; i++) {
    Value operand = LLVMGetOperand(instruction, i);
    if (!LLVMIsAConstant(operand)) continue;
    constant = 1;
    if (LLVMIsAConstantInt(operand)) count_constant(operand, out, recent);
  }
  out[BINARY_CONST] += constant && is_of(is_binary, LLVMIsABinaryOperator, instruction, opcode);
}

// Direct calls only, as llvm::CallBase::getCalledFunction defines them.
static int calls_function_returning_integer(Value call) {
  Value callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee)) return 0;
  Type type = LLVMGlobalGetValueType(callee);
  return type == LLVMGetCalledFunctionType(call) && LLVMGetTypeKind(LLVMGetReturnType(type)) == INTEGER_TYPE;
}

static void count_block(Block block, long long *out, long long *opcodes, Integer *recent) {
  long long size = 0, phis = 0, incoming = 0;
  for (Value i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i), size++) {
    int opcode = opcode_of(i);
    opcodes[opcode & (OPCODES - 1)]++;
    if (opcode == OP_PHI) {
      out[BEGIN_PHI] += size == 0;
      phis++;
      incoming += LLVMCountIncoming(i);
    }
    if (opcode == OP_BR) out[UNCOND_BRANCHES] += !LLVMIsConditional(i);
    if (opcode == OP_CALL) out[RETURN_INT] += calls_function_returning_integer(i);
    out[UNARY] += is_of(is_unary, LLVMIsAUnaryInstruction, i, opcode);
    count_operands(i, opcode, out, recent);
  }
  out[TOTAL_INSTS] += size;
  out[BLOCK_LOW] += size < 15;
  out[BLOCK_MID] += size >= 15 && size <= 500;
  out[PHI_ARGS] += incoming;
  out[BB_ARGS_HI] += incoming > 5;
  out[BB_ARGS_LO] += incoming >= 1 && incoming <= 5;
  out[BB_NO_PHI] += phis == 0;
  out[BB_PHI_1_TO_3] += phis >= 1 && phis <= 3;
  out[BB_PHI_MORE] += phis > 3;
}

// Writes the 56 features into `out`.
void optarena_autophase(Module module, long long *out) {
  long long opcodes[OPCODES] = {0};
  Integer recent[RECENT] = {0};
  for (int i = 0; i < FEATURES; i++) out[i] = 0;
  for (Value function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function)) continue;
    out[TOTAL_FUNCS]++;
    for (Block block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
      out[TOTAL_BLOCKS]++;
      count_edges(block, out);
      count_block(block, out, opcodes, recent);
    }
  }
  for (unsigned i = 0; i < sizeof OF_OPCODE / sizeof OF_OPCODE[0]; i++)
    out[OF_OPCODE[i].feature] = opcodes[OF_OPCODE[i].opcode];
  out[BRANCHES] = opcodes[OP_BR];
  out[TOTAL_MEM] = opcodes[OP_GEP] + opcodes[OP_LOAD] + opcodes[OP_STORE] + opcodes[OP_CALL] +
                   opcodes[OP_INVOKE] + opcodes[OP_ALLOCA];
}
