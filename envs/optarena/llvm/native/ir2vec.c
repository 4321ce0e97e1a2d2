// What LLVM's IR2Vec adds up for a function: its instructions' opcodes, types, operands and predicates, by kind.
// The declarations are our own subset of llvm-c/Core.h (LLVM 22), so that no header is needed.
#include "pointer_index.h"

typedef struct Module *Module;
typedef struct Value *Value;
typedef struct Block *Block;
typedef struct Type *Type;

#include "opcodes.h"

Value LLVMGetFirstFunction(Module);
Value LLVMGetNextFunction(Value);
int LLVMIsDeclaration(Value);
unsigned LLVMCountBasicBlocks(Value);
Block LLVMGetFirstBasicBlock(Value);
Value LLVMGetBasicBlockTerminator(Block);
unsigned LLVMGetNumSuccessors(Value);
Block LLVMGetSuccessor(Value, unsigned);
Value LLVMGetFirstInstruction(Block);
Value LLVMGetNextInstruction(Value);
int LLVMGetNumOperands(Value);
Value LLVMGetOperand(Value, unsigned);
Value LLVMIsAConstant(Value);
Value LLVMIsAFunction(Value);
Type LLVMTypeOf(Value);
int LLVMGetTypeKind(Type);
int LLVMGetICmpPredicate(Value);
int LLVMGetFCmpPredicate(Value);
Value LLVMGetCalledValue(Value);
unsigned LLVMLookupIntrinsicID(const char *, unsigned long);
unsigned LLVMGetIntrinsicID(Value);
_Noreturn void _exit(int);

enum { OP_ICMP = 42, OP_FCMP = 43, OP_CALL = 45 };  // LLVMOpcode
enum { POINTER_TYPE = 12, TYPE_KINDS = 21 };        // LLVMTypeKind

// A row of the result: instructions of each opcode (by its number in llvm-c/Core.h), results of each type, operands
// of each kind, and comparisons by each predicate (as opcodes).
enum { FLOAT, VOID, LABEL, METADATA, VECTOR, TOKEN, INTEGER, FUNCTION_TYPE, POINTERS, STRUCT, ARRAY, UNKNOWN, TYPES };
enum { FUNCTION, POINTER, CONSTANT, VARIABLE, KINDS };
enum { OPCODES = 128, PREDICATES = 42 };
enum { OF_TYPE = OPCODES, OF_KIND = OF_TYPE + TYPES, OF_PREDICATE = OF_KIND + KINDS, ROW = OF_PREDICATE + PREDICATES };

// By LLVMTypeKind, where 15 is unused; 17 to 20 are scalable vectors, bfloat, AMX tiles and types of a target.
static const unsigned char TYPE[TYPE_KINDS] = {
  VOID, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT, LABEL, INTEGER, FUNCTION_TYPE, STRUCT, ARRAY, POINTERS, VECTOR,
  METADATA, UNKNOWN, TOKEN, VECTOR, FLOAT, VECTOR, UNKNOWN,
};

// A session's process that ends so has run out of memory (service/processes/exit_status.py).
enum { OUT_OF_MEMORY = 75 };

static int kind_of(Value operand) {
  if (LLVMIsAFunction(operand)) return FUNCTION;
  if (LLVMGetTypeKind(LLVMTypeOf(operand)) == POINTER_TYPE) return POINTER;
  return LLVMIsAConstant(operand) ? CONSTANT : VARIABLE;
}

static int is_probe(Value call, unsigned probe) {
  Value callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) == probe;
}

static void count_block(Block block, unsigned probe, long long *out) {
  for (Value i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    int opcode = opcode_of(i), operands = LLVMGetNumOperands(i);
    if (opcode == OP_CALL && is_probe(i, probe)) continue;
    out[opcode & (OPCODES - 1)]++;
    unsigned type = LLVMGetTypeKind(LLVMTypeOf(i));
    out[OF_TYPE + (type < TYPE_KINDS ? TYPE[type] : UNKNOWN)]++;
    for (int o = 0; o < operands; o++) out[OF_KIND + kind_of(LLVMGetOperand(i, o))]++;
    if (opcode == OP_ICMP) out[OF_PREDICATE + LLVMGetICmpPredicate(i)]++;
    if (opcode == OP_FCMP) out[OF_PREDICATE + LLVMGetFCmpPredicate(i)]++;
  }
}

// Blocks that cannot be reached do not count.
static void count_function(Value function, unsigned probe, long long *out) {
  PointerIndex seen;
  unsigned long blocks = LLVMCountBasicBlocks(function), size = 4, waiting = 1;
  while (size < 2 * blocks) size *= 2;
  Block *stack = malloc(blocks * sizeof *stack);
  if (!stack || !index_open(&seen, size)) _exit(OUT_OF_MEMORY);
  stack[0] = LLVMGetFirstBasicBlock(function);
  index_add(&seen, (unsigned long)stack[0], 0);  // has room for all
  while (waiting) {
    Block block = stack[--waiting];
    Value terminator = LLVMGetBasicBlockTerminator(block);
    unsigned successors = terminator ? LLVMGetNumSuccessors(terminator) : 0;
    count_block(block, probe, out);
    for (unsigned s = 0; s < successors; s++) {
      Block next = LLVMGetSuccessor(terminator, s);
      if (index_find(&seen, (unsigned long)next) >= 0) continue;
      index_add(&seen, (unsigned long)next, 0);
      stack[waiting++] = next;
    }
  }
  index_close(&seen);
  free(stack);
}

// Adds the counts of each defined function to a row: to its own if they are `apart`. Returns their number.
static long long count(Module module, long long *out, int apart) {
  static const char PROBE[] = "llvm.pseudoprobe";
  unsigned probe = LLVMLookupIntrinsicID(PROBE, sizeof PROBE - 1);
  long long functions = 0;
  for (Value function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function)) continue;
    if (out) count_function(function, probe, out + apart * ROW * functions);
    functions++;
  }
  return functions;
}

void optarena_ir2vec(Module module, long long *out) {
  for (int i = 0; i < ROW; i++) out[i] = 0;
  count(module, out, 0);
}

// Adds to rows of zeros, if `out` is given. Returns the number of rows.
long long optarena_ir2vec_functions(Module module, long long *out) { return count(module, out, 1); }
