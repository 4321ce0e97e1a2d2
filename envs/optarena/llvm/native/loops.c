// The loop table of a module: a row of features for each natural loop. The declarations are our own subset of
// llvm-c/Core.h (LLVM 22), so that no header of LLVM is needed. The caller gives all memory.
#include "loop_graph.h"

typedef struct Context *Context;
typedef struct Type *Type;

#include "opcodes.h"
Context LLVMGetModuleContext(Module);
int LLVMIsDeclaration(Value);
Value LLVMGetFirstInstruction(Block);
Value LLVMGetNextInstruction(Value);
Block LLVMGetInstructionParent(Value);
int LLVMIsConditional(Value);
Value LLVMGetCondition(Value);
int LLVMGetICmpPredicate(Value);
unsigned LLVMCountIncoming(Value);
Value LLVMGetIncomingValue(Value, unsigned);
Block LLVMGetIncomingBlock(Value, unsigned);
Value LLVMGetOperand(Value, unsigned);
Value LLVMGetCalledValue(Value);
unsigned LLVMGetIntrinsicID(Value);
Value LLVMIsAInstruction(Value);
Value LLVMIsAFunction(Value);
Value LLVMIsAConstantInt(Value);
Value LLVMIsABinaryOperator(Value);
unsigned long long LLVMConstIntGetZExtValue(Value);
Type LLVMTypeOf(Value);
int LLVMGetTypeKind(Type);
unsigned LLVMGetIntTypeWidth(Type);
unsigned LLVMGetMDKindIDInContext(Context, const char *, unsigned);
Value LLVMGetMetadata(Value, unsigned);
Value LLVMIsAMDNode(Value);
unsigned LLVMGetMDNodeNumOperands(Value);
void LLVMGetMDNodeOperands(Value, Value *);
const char *LLVMGetMDString(Value, unsigned *);

enum { INTEGER_TYPE = 8, FIXED_VECTOR_TYPE = 13, SCALABLE_VECTOR_TYPE = 17 };
enum { MAX_PROPERTIES = 32, MAX_TRIPS = 4096 };

// LLVMOpcode of llvm-c/Core.h
enum {
  OP_BR = 2, OP_SWITCH = 3, OP_INVOKE = 5, OP_ADD = 8, OP_FADD = 9, OP_FSUB = 11, OP_FMUL = 13, OP_FDIV = 16,
  OP_FREM = 19, OP_LOAD = 27, OP_STORE = 28, OP_GEP = 29, OP_ICMP = 42, OP_FCMP = 43, OP_PHI = 44,
  OP_CALL = 45, OP_SELECT = 46, OP_FNEG = 66
};

// LLVMIntPredicate of llvm-c/Core.h
enum { EQ = 32, NE, UGT, UGE, ULT, ULE, SGT, SGE, SLT, SLE };

// The columns of a row, in the order of the result.
enum {
  EXISTS, FUNCTION, HEADER, DEPTH, PARENT, INNER_LOOPS, BLOCKS, INSTRUCTIONS, HEADER_PHIS, LATCHES,
  EXITING_BLOCKS, EXIT_BLOCKS, HAS_PREHEADER, IS_SIMPLIFIED, IS_ROTATED, TRIP_COUNT, LOADS, STORES, CALLS,
  INTRINSICS, ADDRESSES, INTEGER_OPERATIONS, FLOAT_OPERATIONS, COMPARISONS, BRANCHES, SELECTS, PHIS, VECTORS,
  HAS_METADATA, UNROLLING_OFF, VECTORIZING_OFF, IS_VECTORIZED, FEATURES
};

static void count_instruction(Value i, Word *row) {
  int opcode = opcode_of(i), kind = LLVMGetTypeKind(LLVMTypeOf(i));
  int is_float = opcode == OP_FADD || opcode == OP_FSUB || opcode == OP_FMUL || opcode == OP_FDIV ||
                 opcode == OP_FREM || opcode == OP_FNEG;
  row[INSTRUCTIONS]++;
  row[LOADS] += opcode == OP_LOAD;
  row[STORES] += opcode == OP_STORE;
  row[ADDRESSES] += opcode == OP_GEP;
  row[FLOAT_OPERATIONS] += is_float;
  row[INTEGER_OPERATIONS] += !is_float && LLVMIsABinaryOperator(i) != 0;
  row[COMPARISONS] += opcode == OP_ICMP || opcode == OP_FCMP;
  row[BRANCHES] += (opcode == OP_BR && LLVMIsConditional(i)) || opcode == OP_SWITCH;
  row[SELECTS] += opcode == OP_SELECT;
  row[PHIS] += opcode == OP_PHI;
  row[VECTORS] += kind == FIXED_VECTOR_TYPE || kind == SCALABLE_VECTOR_TYPE;
  if (opcode != OP_CALL && opcode != OP_INVOKE) return;
  Value callee = LLVMGetCalledValue(i);
  int intrinsic = LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee);
  row[INTRINSICS] += intrinsic;
  row[CALLS] += !intrinsic;
}

// Counts how control leaves a loop whose blocks are in `stack`; whether all exits are the loop's alone.
static int count_exits(Graph *g, Word loop, Word *row) {
  int dedicated = 1;
  for (Word b = 0; b < g->blocks; b++) g->seen[b] = 0;
  for (Word i = 0; i < row[BLOCKS]; i++) {
    Word b = g->stack[i], leaves = 0;
    for (Word e = g->after_start[b]; e < g->after_start[b + 1]; e++) {
      Word to = g->after[e];
      if (g->inside[to] == loop) continue;
      leaves = 1;
      if (g->seen[to]) continue;
      g->seen[to] = 1;
      row[EXIT_BLOCKS]++;
      for (Word p = g->before_start[to]; p < g->before_start[to + 1]; p++)
        dedicated &= g->inside[g->before[p]] == loop;
    }
    row[EXITING_BLOCKS] += leaves;
    if (leaves) g->seen[b] = 2;
  }
  return dedicated;
}

static int holds(int predicate, unsigned long long a, unsigned long long b, unsigned width) {
  long long signed_a = (long long)(a << (64 - width)) >> (64 - width);
  long long signed_b = (long long)(b << (64 - width)) >> (64 - width);
  switch (predicate) {
    case EQ: return a == b;
    case NE: return a != b;
    case UGT: return a > b;
    case UGE: return a >= b;
    case ULT: return a < b;
    case ULE: return a <= b;
    case SGT: return signed_a > signed_b;
    case SGE: return signed_a >= signed_b;
    case SLT: return signed_a < signed_b;
    default: return signed_a <= signed_b;
  }
}

static Value incoming(Value phi, const Graph *g, Word loop, int from_inside) {
  Value found = 0;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    Word from = g->slot[place(g, LLVMGetIncomingBlock(phi, i))];
    if ((g->inside[from] == loop) != from_inside) continue;
    if (found && found != LLVMGetIncomingValue(phi, i)) return 0;
    found = LLVMGetIncomingValue(phi, i);
  }
  return found;
}

// How often the header runs if a counter with a constant start and step is compared with a constant in the
// only exiting block, which is header or latch; 0 for any other loop, or for more than MAX_TRIPS.
static Word trip_count(const Graph *g, Word loop, Word exiting) {
  Value branch = terminator_of(g, exiting);
  if (opcode_of(branch) != OP_BR || !LLVMIsConditional(branch)) return 0;
  Value compare = LLVMGetCondition(branch);
  if (!LLVMIsAInstruction(compare) || opcode_of(compare) != OP_ICMP) return 0;
  Value counted = LLVMGetOperand(compare, 0), limit = LLVMGetOperand(compare, 1);
  if (!LLVMIsAConstantInt(limit) || !LLVMIsAInstruction(counted)) return 0;
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(limit));
  int is_next = opcode_of(counted) == OP_ADD;
  Value phi = is_next ? LLVMGetOperand(counted, 0) : counted;
  if (width > 64 || !LLVMIsAInstruction(phi) || opcode_of(phi) != OP_PHI) return 0;
  if ((Word)LLVMGetInstructionParent(phi) != g->block[g->header[loop]]) return 0;
  Value start = incoming(phi, g, loop, 0), next = incoming(phi, g, loop, 1);
  if (!start || !next || !LLVMIsAConstantInt(start) || !LLVMIsAInstruction(next)) return 0;
  if (opcode_of(next) != OP_ADD || LLVMGetOperand(next, 0) != phi) return 0;
  if ((is_next && next != counted) || !LLVMIsAConstantInt(LLVMGetOperand(next, 1))) return 0;
  unsigned long long bits = width == 64 ? ~0ULL : (1ULL << width) - 1;
  unsigned long long value = LLVMConstIntGetZExtValue(start), end = LLVMConstIntGetZExtValue(limit);
  unsigned long long step = LLVMConstIntGetZExtValue(LLVMGetOperand(next, 1));
  int predicate = LLVMGetICmpPredicate(compare);
  int stays = g->inside[g->slot[place(g, LLVMGetSuccessor(branch, 0))]] == loop;
  for (Word trips = 1; trips <= MAX_TRIPS; trips++, value = (value + step) & bits)
    if (holds(predicate, is_next ? (value + step) & bits : value, end, width) != stays) return trips;
  return 0;
}

static int is_text(Value value, const char *text) {
  unsigned length = 0, i = 0;
  const char *found = value ? LLVMGetMDString(value, &length) : 0;
  if (!found) return 0;
  while (i < length && text[i] && found[i] == text[i]) i++;
  return i == length && !text[i];
}

static void note_properties(Value node, Word *row) {
  Value operands[MAX_PROPERTIES], parts[2];
  unsigned count = LLVMGetMDNodeNumOperands(node);
  row[HAS_METADATA] = 1;
  if (count > MAX_PROPERTIES) return;
  LLVMGetMDNodeOperands(node, operands);
  for (unsigned i = 1; i < count; i++) {
    if (!LLVMIsAMDNode(operands[i])) continue;
    unsigned size = LLVMGetMDNodeNumOperands(operands[i]);
    if (size < 1 || size > 2) continue;
    parts[1] = 0;
    LLVMGetMDNodeOperands(operands[i], parts);
    int zero = parts[1] && LLVMIsAConstantInt(parts[1]) && !LLVMConstIntGetZExtValue(parts[1]);
    row[UNROLLING_OFF] |= is_text(parts[0], "llvm.loop.unroll.disable");
    row[VECTORIZING_OFF] |= zero && is_text(parts[0], "llvm.loop.vectorize.enable");
    row[IS_VECTORIZED] |= !zero && is_text(parts[0], "llvm.loop.isvectorized");
  }
}

// The block that Loop::getLoopPreheader finds: the only one that enters the loop, with no other successor.
static int has_preheader(const Graph *g, Word loop) {
  Word found = -1, header = g->header[loop];
  for (Word e = g->before_start[header]; e < g->before_start[header + 1]; e++) {
    Word from = g->before[e];
    if (g->inside[from] == loop) continue;
    if (found >= 0 && found != from) return 0;
    found = from;
  }
  return found >= 0 && g->after_start[found + 1] - g->after_start[found] == 1;
}

// Lists the back edges of a loop in `latches`, if given, as pairs of loop and terminator.
static Word note_latches(const Graph *g, Word loop, Word row_number, Word **latches, unsigned kind, Word *row) {
  Word last = -1, header = g->header[loop];
  for (Word e = g->before_start[header]; e < g->before_start[header + 1]; e++) {
    Word from = g->before[e];
    if (g->inside[from] != loop || from == last) continue;
    Value terminator = terminator_of(g, from), node = LLVMGetMetadata(terminator, kind);
    if (node) note_properties(node, row);
    if (*latches) {
      *(*latches)++ = row_number;
      *(*latches)++ = (Word)terminator;
    }
    row[LATCHES]++;
    last = from;
  }
  return last;
}

static void describe(Graph *g, Word loop, Word first_row, Word **latches, unsigned kind, Word *row) {
  Word header = g->header[loop], exiting = -1;
  for (int i = 0; i < FEATURES; i++) row[i] = 0;
  row[EXISTS] = 1;
  row[HEADER] = header;
  row[PARENT] = g->parent[loop] < 0 ? 0 : first_row + g->parent[loop] + 1;
  for (Word outer = loop; outer >= 0; outer = g->parent[outer]) row[DEPTH]++;
  for (Word other = 0; other < g->loops; other++) row[INNER_LOOPS] += g->parent[other] == loop;
  row[BLOCKS] = walk(g, loop);
  for (Word k = 0; k < row[BLOCKS]; k++) {
    Block block = (Block)g->block[g->stack[k]];
    for (Value i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) count_instruction(i, row);
  }
  for (Value i = LLVMGetFirstInstruction((Block)g->block[header]); i; i = LLVMGetNextInstruction(i))
    row[HEADER_PHIS] += opcode_of(i) == OP_PHI;
  Word latch = note_latches(g, loop, first_row + loop, latches, kind, row);
  int dedicated = count_exits(g, loop, row);
  row[HAS_PREHEADER] = has_preheader(g, loop);
  row[IS_SIMPLIFIED] = dedicated && row[HAS_PREHEADER] && row[LATCHES] == 1;
  row[IS_ROTATED] = row[LATCHES] == 1 && g->seen[latch] == 2;
  for (Word k = 0; k < row[BLOCKS] && row[EXITING_BLOCKS] == 1; k++)
    if (g->seen[g->stack[k]] == 2) exiting = g->stack[k];
  if (row[LATCHES] == 1 && exiting >= 0 && (exiting == header || exiting == latch))
    row[TRIP_COUNT] = trip_count(g, loop, exiting);
}

// Words of memory that `optarena_loops` needs, and the largest possible number of back edges.
Word optarena_loops_memory(Module module, Word *back_edges) {
  *back_edges = 0;
  for (Value function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    Graph g;
    count_graph(function, &g);
    *back_edges += g.edges;
  }
  return graph_memory(module);
}

// Describes the loops of all functions in the order of functions and headers. Writes the first `rows` of them
// into `table`, FEATURES columns each, and, if `latches` is given, a pair of row and terminator for each back
// edge of all loops, and a pair of zeros after the last. Returns the number of loops.
Word optarena_loops(Module module, Word *memory, Word *table, Word rows, Word *latches) {
  unsigned kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), "llvm.loop", 9);
  Word loops = 0, number = 0, unused[FEATURES] = {0};
  for (Value function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function)) continue;
    Graph g;
    make_graph(function, &g, memory);
    for (Word loop = 0; loop < g.loops; loop++) {
      Word *row = loops + loop < rows ? table + (loops + loop) * FEATURES : unused;
      if (row != unused) {
        describe(&g, loop, loops, &latches, kind, row);
        row[FUNCTION] = number;
      } else if (latches) {
        walk(&g, loop);
        note_latches(&g, loop, loops + loop, &latches, kind, row);
      }
    }
    loops += g.loops;
    number++;
  }
  if (latches) latches[0] = latches[1] = 0;
  return loops;
}
