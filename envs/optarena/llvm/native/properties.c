// Properties of each defined function, as llvm::FunctionPropertiesInfo defines those of the same names.
// The declarations are our own subset of llvm-c/Core.h (LLVM 22), so that no header is needed.
#include "pointer_index.h"

typedef struct Module *Module;
typedef struct Value *Value;
typedef struct Block *Block;
typedef struct Use *Use;
typedef struct Type *Type;

#include "opcodes.h"

Value LLVMGetFirstFunction(Module);
Value LLVMGetNextFunction(Value);
int LLVMIsDeclaration(Value);
int LLVMGetLinkage(Value);
unsigned LLVMCountBasicBlocks(Value);
Block LLVMGetFirstBasicBlock(Value);
Block LLVMGetNextBasicBlock(Block);
Value LLVMBasicBlockAsValue(Block);
Value LLVMGetBasicBlockTerminator(Block);
Value LLVMGetFirstInstruction(Block);
Value LLVMGetNextInstruction(Value);
unsigned LLVMGetNumSuccessors(Value);
Block LLVMGetSuccessor(Value, unsigned);
Use LLVMGetFirstUse(Value);
Use LLVMGetNextUse(Use);
Value LLVMGetUser(Use);
Value LLVMIsATerminatorInst(Value);
Value LLVMIsACastInst(Value);
Value LLVMIsAConstant(Value);
Value LLVMIsAInlineAsm(Value);
Value LLVMIsAFunction(Value);
Type LLVMTypeOf(Value);
int LLVMGetTypeKind(Type);
unsigned LLVMGetIntrinsicID(Value);
Value LLVMGetCalledValue(Value);
Type LLVMGetCalledFunctionType(Value);
Type LLVMGlobalGetValueType(Value);

enum { INTEGER_TYPE = 8, INTERNAL_LINKAGE = 8, PRIVATE_LINKAGE = 9 };

// LLVMOpcode of llvm-c/Core.h
enum { OP_BR = 2, OP_SWITCH = 3, OP_INVOKE = 5, OP_LOAD = 27, OP_STORE = 28, OP_CALL = 45, OP_CALLBR = 67 };

// The order of the columns of the result.
enum {
  BLOCKS, CONDITIONAL_BLOCKS, USES, DEFINED_CALLS, LOADS, STORES, MAX_LOOP_DEPTH, TOP_LOOPS, INSTRUCTIONS,
  ONE_SUC, TWO_SUC, MORE_SUCS, ONE_PRED, TWO_PRED, MORE_PREDS, CRITICAL_EDGES, EDGES, UNCOND_BRANCHES,
  COND_BRANCHES, SWITCHES, CASTS, INTRINSICS, DIRECT_CALLS, INDIRECT_CALLS, INTEGERS, COLUMNS
};

// Control flow of one function. Blocks that can be reached have a number: their place in reverse post-order.
typedef struct {
  int blocks, edges, reached;
  Block *block;
  int *first_successor, *successor;      // by block
  int *order, *number;                   // block of a number; number of a block, or -1
  int *first_predecessor, *predecessor;  // by number, of those that are reached
  int *dominator, *depth, *mark, *stack;
  PointerIndex index;
} Flow;

static int flow_open(Flow *flow, Value function) {
  long blocks = LLVMCountBasicBlocks(function), edges = 0;
  for (Block block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    Value terminator = LLVMGetBasicBlockTerminator(block);
    edges += terminator ? LLVMGetNumSuccessors(terminator) : 0;
  }
  flow->blocks = blocks;
  flow->edges = edges;
  flow->block = malloc(blocks * sizeof *flow->block + 1);
  int *next = flow->first_successor = calloc(9 * blocks + 2 * edges + 2, sizeof(int));
  unsigned long size = 4;
  while (size < 2ul * blocks) size *= 2;
  if (!index_open(&flow->index, size) || !flow->block || !next) return 0;
  flow->successor = next += blocks + 1;
  flow->order = next += edges;
  flow->number = next += blocks;
  flow->first_predecessor = next += blocks;
  flow->predecessor = next += blocks + 1;
  flow->dominator = next += edges;
  flow->depth = next += blocks;
  flow->mark = next += blocks;
  flow->stack = next + blocks;  // two entries for each block: the block and its next successor
  return 1;
}

static void flow_close(Flow *flow) {
  index_close(&flow->index);
  free(flow->block);
  free(flow->first_successor);
}

static void find_successors(Flow *flow, Value function) {
  int count = 0, edge = 0;
  for (Block block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    index_add(&flow->index, (unsigned long)block, count);  // has room for all
    flow->block[count++] = block;
  }
  for (int i = 0; i < count; i++) {
    Value terminator = LLVMGetBasicBlockTerminator(flow->block[i]);
    unsigned successors = terminator ? LLVMGetNumSuccessors(terminator) : 0;
    flow->first_successor[i] = edge;
    for (unsigned s = 0; s < successors; s++)
      flow->successor[edge++] = index_find(&flow->index, (unsigned long)LLVMGetSuccessor(terminator, s));
  }
  flow->first_successor[count] = edge;
}

// A depth-first search from the entry, without recursion.
static void number_blocks(Flow *flow) {
  int top = 0, last = flow->blocks;
  for (int i = 0; i < flow->blocks; i++) flow->number[i] = -1;
  flow->number[0] = 0;
  flow->stack[0] = 0;
  flow->stack[1] = flow->first_successor[0];
  while (top >= 0) {
    int block = flow->stack[2 * top], *next = &flow->stack[2 * top + 1];
    if (*next == flow->first_successor[block + 1]) {
      flow->order[--last] = block;
      top--;
      continue;
    }
    int successor = flow->successor[(*next)++];
    if (flow->number[successor] >= 0) continue;
    flow->number[successor] = 0;
    flow->stack[2 * ++top] = successor;
    flow->stack[2 * top + 1] = flow->first_successor[successor];
  }
  flow->reached = flow->blocks - last;
  for (int i = 0; i < flow->reached; i++) {
    flow->order[i] = flow->order[last + i];
    flow->number[flow->order[i]] = i;
  }
}

static void find_predecessors(Flow *flow) {
  int *first = flow->first_predecessor;
  for (int i = 0; i < flow->reached; i++)
    for (int e = flow->first_successor[flow->order[i]]; e < flow->first_successor[flow->order[i] + 1]; e++)
      first[flow->number[flow->successor[e]]]++;
  for (int i = 0, sum = 0; i <= flow->reached; i++) {
    sum += i < flow->reached ? first[i] : 0;
    first[i] = sum;
  }
  for (int i = flow->reached - 1; i >= 0; i--)  // each list is filled from its end
    for (int e = flow->first_successor[flow->order[i]]; e < flow->first_successor[flow->order[i] + 1]; e++)
      flow->predecessor[--first[flow->number[flow->successor[e]]]] = i;
}

// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
static void find_dominators(Flow *flow) {
  int *dominator = flow->dominator;
  for (int i = 1; i < flow->reached; i++) dominator[i] = -1;
  for (int changed = 1; changed;) {
    changed = 0;
    for (int i = 1; i < flow->reached; i++) {
      int found = -1;
      for (int p = flow->first_predecessor[i]; p < flow->first_predecessor[i + 1]; p++) {
        int other = flow->predecessor[p];
        if (other && dominator[other] < 0) continue;
        if (found < 0) found = other;
        while (found != other) {
          if (found > other) found = dominator[found];
          else other = dominator[other];
        }
      }
      changed |= found != dominator[i];
      dominator[i] = found;
    }
  }
}

static int dominates(const Flow *flow, int above, int below) {
  while (below > above) below = flow->dominator[below];
  return below == above;
}

// Adds 1 to the depth of every block of the natural loops with this header, which count as one loop.
static int enter_loop(Flow *flow, int header) {
  int top = 0, is_loop = 0, stamp = header + 1;
  const int *first = flow->first_predecessor;
  for (int p = first[header]; p < first[header + 1]; p++) {
    int latch = flow->predecessor[p];
    if (!dominates(flow, header, latch)) continue;
    is_loop = 1;
    if (latch == header || flow->mark[latch] == stamp) continue;
    flow->mark[latch] = stamp;
    flow->stack[top++] = latch;
  }
  flow->depth[header] += is_loop;
  while (top) {
    int block = flow->stack[--top];
    flow->depth[block]++;
    for (int p = first[block]; p < first[block + 1]; p++) {
      int before = flow->predecessor[p];
      if (before == header || flow->mark[before] == stamp) continue;
      flow->mark[before] = stamp;
      flow->stack[top++] = before;
    }
  }
  return is_loop;
}

// A header is numbered after all headers of loops around it.
static void count_loops(Flow *flow, long long *out) {
  for (int header = 0; header < flow->reached; header++)
    if (enter_loop(flow, header)) out[TOP_LOOPS] += flow->depth[header] == 1;
  for (int i = 0; i < flow->reached; i++)
    if (flow->depth[i] > out[MAX_LOOP_DEPTH]) out[MAX_LOOP_DEPTH] = flow->depth[i];
}

// Predecessors are counted for each edge, including edges from unreachable blocks.
static unsigned predecessors(Block block, unsigned enough) {
  unsigned count = 0;
  Use use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
  for (; use && count < enough; use = LLVMGetNextUse(use))
    count += LLVMIsATerminatorInst(LLVMGetUser(use)) != 0;
  return count;
}

static void count_edges(Block block, long long *out) {
  Value terminator = LLVMGetBasicBlockTerminator(block);
  unsigned after = terminator ? LLVMGetNumSuccessors(terminator) : 0, before = predecessors(block, 3);
  int opcode = terminator ? opcode_of(terminator) : 0;
  out[EDGES] += after;
  out[ONE_SUC] += after == 1;
  out[TWO_SUC] += after == 2;
  out[MORE_SUCS] += after > 2;
  out[ONE_PRED] += before == 1;
  out[TWO_PRED] += before == 2;
  out[MORE_PREDS] += before > 2;
  out[UNCOND_BRANCHES] += opcode == OP_BR && after == 1;
  out[COND_BRANCHES] += opcode == OP_BR && after == 2;
  out[SWITCHES] += opcode == OP_SWITCH;
  if (opcode == OP_SWITCH || (opcode == OP_BR && after == 2)) out[CONDITIONAL_BLOCKS] += after;
  for (unsigned i = 0; after > 1 && i < after; i++)
    out[CRITICAL_EDGES] += predecessors(LLVMGetSuccessor(terminator, i), 2) == 2;
}

// As llvm::CallBase::getCalledFunction and isIndirectCall define them; the latter counts calls only.
static void count_call(Value call, int opcode, long long *out) {
  Value callee = LLVMGetCalledValue(call);
  int direct = LLVMIsAFunction(callee) && LLVMGlobalGetValueType(callee) == LLVMGetCalledFunctionType(call);
  int intrinsic = direct && LLVMGetIntrinsicID(callee);
  out[DEFINED_CALLS] += direct && !intrinsic && !LLVMIsDeclaration(callee);
  if (opcode != OP_CALL) return;
  int indirect = !LLVMIsAConstant(callee) && !LLVMIsAInlineAsm(callee);
  out[INTRINSICS] += intrinsic;
  out[INDIRECT_CALLS] += indirect;
  out[DIRECT_CALLS] += !indirect;
}

static void count_instructions(Block block, long long *out) {
  for (Value i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    int opcode = opcode_of(i);
    out[INSTRUCTIONS]++;
    out[LOADS] += opcode == OP_LOAD;
    out[STORES] += opcode == OP_STORE;
    out[CASTS] += LLVMIsACastInst(i) != 0;
    out[INTEGERS] += LLVMGetTypeKind(LLVMTypeOf(i)) == INTEGER_TYPE;
    if (opcode == OP_CALL || opcode == OP_INVOKE || opcode == OP_CALLBR) count_call(i, opcode, out);
  }
}

static int describe(Value function, long long *out) {
  Flow flow;
  int linkage = LLVMGetLinkage(function);
  if (!flow_open(&flow, function)) {
    flow_close(&flow);
    return 0;
  }
  find_successors(&flow, function);
  number_blocks(&flow);
  find_predecessors(&flow);
  find_dominators(&flow);
  for (int i = 0; i < COLUMNS; i++) out[i] = 0;
  count_loops(&flow, out);
  out[BLOCKS] = flow.reached;
  out[USES] = linkage != INTERNAL_LINKAGE && linkage != PRIVATE_LINKAGE;
  for (Use use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) out[USES]++;
  for (int i = 0; i < flow.reached; i++) {
    count_edges(flow.block[flow.order[i]], out);
    count_instructions(flow.block[flow.order[i]], out);
  }
  flow_close(&flow);
  return 1;
}

// Writes a row for each defined function, if `out` is given. Returns the number of rows; -1 without memory.
long long optarena_properties(Module module, long long *out) {
  long long rows = 0;
  for (Value function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function)) continue;
    if (out && !describe(function, out + COLUMNS * rows)) return -1;
    rows++;
  }
  return rows;
}
