// The graph of a program similar to ProGraML's (Cummins et al., ICML 2021): instructions, variables and
// constants, with edges for control, data and calls. The declarations are our own subset of llvm-c/Core.h
// (LLVM 22), so that no header is needed.
#include "pointer_index.h"

typedef struct Module *Module;
typedef struct Value *Value;
typedef struct Block *Block;
typedef struct Type *Type;

#include "opcodes.h"

Value LLVMGetFirstFunction(Module);
Value LLVMGetNextFunction(Value);
int LLVMIsDeclaration(Value);
int LLVMGetLinkage(Value);
Block LLVMGetFirstBasicBlock(Value);
Block LLVMGetNextBasicBlock(Block);
Value LLVMGetBasicBlockTerminator(Block);
Value LLVMGetFirstInstruction(Block);
Value LLVMGetNextInstruction(Value);
unsigned LLVMGetNumSuccessors(Value);
Block LLVMGetSuccessor(Value, unsigned);
Value LLVMGetSwitchCaseValue(Value, unsigned);
int LLVMGetNumOperands(Value);
Value LLVMGetOperand(Value, unsigned);
Value LLVMIsAArgument(Value);
Value LLVMIsAInstruction(Value);
Value LLVMIsAConstant(Value);
Value LLVMIsAFunction(Value);
Value LLVMIsAConstantInt(Value);
long long LLVMConstIntGetSExtValue(Value);
Type LLVMTypeOf(Value);
int LLVMGetTypeKind(Type);
unsigned LLVMGetIntTypeWidth(Type);
Value LLVMGetCalledValue(Value);
Type LLVMGetCalledFunctionType(Value);
Type LLVMGlobalGetValueType(Value);

enum { INTEGER_TYPE = 8, INTERNAL_LINKAGE = 8, PRIVATE_LINKAGE = 9 };
enum { OP_SWITCH = 3, OP_INVOKE = 5, OP_CALL = 45, OP_CALLBR = 67 };  // LLVMOpcode

// The order of the columns of the result, and the values of the kind columns.
enum { NODE_KIND, NODE_OPCODE, NODE_TYPE, NODE_BITS, NODE_FUNCTION, NODE_BLOCK, NODE_VALUE, NODE_COLUMNS };
enum { EDGE_SOURCE, EDGE_TARGET, EDGE_KIND, EDGE_POSITION, EDGE_COLUMNS };
enum { INSTRUCTION, VARIABLE, CONSTANT, ROOT, DECLARATION };
enum { CONTROL, DATA, CALL };

typedef struct {
  long long *values;
  long long rows, room;
} Table;

// The result: rows of nodes, and rows of edges.
typedef struct {
  Table nodes, edges;
} Graph;

typedef struct {
  Graph *graph;
  PointerIndex index;  // of instructions, of functions and blocks (by their first node), of constants
  Table exits;         // function, node: the last instructions of blocks without successors
  int function, block, lacking;
} Builder;

enum { EXIT_FUNCTION, EXIT_NODE, EXIT_COLUMNS };

static long long *add_row(Builder *builder, Table *table, int columns) {
  static long long nowhere[NODE_COLUMNS];
  if (table->rows == table->room) {
    long long room = table->room ? 2 * table->room : 1024;
    long long *values = realloc(table->values, room * columns * sizeof *values);
    builder->lacking |= !values;
    if (!values) return nowhere;
    table->values = values;
    table->room = room;
  }
  return table->values + columns * table->rows++;
}

static void add_edge(Builder *builder, int source, int target, int kind, int position) {
  if (source < 0 || target < 0) return;  // a block without instructions, in a module that is not valid
  long long *edge = add_row(builder, &builder->graph->edges, EDGE_COLUMNS);
  edge[EDGE_SOURCE] = source;
  edge[EDGE_TARGET] = target;
  edge[EDGE_KIND] = kind;
  edge[EDGE_POSITION] = position;
}

// `value` may be null: the root has no value.
static int add_node(Builder *builder, Value value, int kind, int function, int block) {
  int number = builder->graph->nodes.rows;
  long long *node = add_row(builder, &builder->graph->nodes, NODE_COLUMNS);
  Type type = value ? LLVMTypeOf(value) : 0;
  int type_kind = type ? LLVMGetTypeKind(type) : 0;
  int bits = type_kind == INTEGER_TYPE ? LLVMGetIntTypeWidth(type) : 0;
  node[NODE_KIND] = kind;
  node[NODE_OPCODE] = kind == INSTRUCTION ? opcode_of(value) : 0;
  node[NODE_TYPE] = type_kind;
  node[NODE_BITS] = bits;
  node[NODE_FUNCTION] = function;
  node[NODE_BLOCK] = block;
  node[NODE_VALUE] = kind == CONSTANT && bits && bits <= 64 && LLVMIsAConstantInt(value)
                         ? LLVMConstIntGetSExtValue(value) : 0;
  return number;
}

static void remember(Builder *builder, const void *pointer, int number) {
  builder->lacking |= !index_add(&builder->index, (unsigned long)pointer, number);
}

static int known(const Builder *builder, const void *pointer) {
  return index_find(&builder->index, (unsigned long)pointer);
}

// One pointer may have two nodes: an instruction and its variable, or a function's address and its entry.
static const void *second_key(Value value) { return (const char *)value + 1; }

static void add_block(Builder *builder, Block block) {
  int number = -1;
  for (Value i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    int is_first = number < 0;
    number = add_node(builder, i, INSTRUCTION, builder->function, builder->block);
    remember(builder, i, number);
    if (is_first) remember(builder, block, number);
  }
  Value terminator = LLVMGetBasicBlockTerminator(block);
  if (terminator && !LLVMGetNumSuccessors(terminator)) {
    long long *exit = add_row(builder, &builder->exits, EXIT_COLUMNS);
    exit[EXIT_FUNCTION] = builder->function;
    exit[EXIT_NODE] = number;
  }
  builder->block++;
}

static void add_instructions(Builder *builder, Module module) {
  builder->function = builder->block = 0;
  for (Value f = LLVMGetFirstFunction(module); f && !builder->lacking; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) {
      long long *exit = add_row(builder, &builder->exits, EXIT_COLUMNS);
      exit[EXIT_FUNCTION] = builder->function;
      exit[EXIT_NODE] = add_node(builder, 0, DECLARATION, builder->function, -1);
      remember(builder, second_key(f), exit[EXIT_NODE]);
    } else {
      remember(builder, second_key(f), builder->graph->nodes.rows);
      for (Block block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
        add_block(builder, block);
    }
    builder->function++;
  }
}

static int variable(Builder *builder, Value value, int is_argument) {
  int number = known(builder, second_key(value));
  if (number >= 0) return number;
  int block = -1;
  if (!is_argument) block = builder->graph->nodes.values[NODE_COLUMNS * known(builder, value) + NODE_BLOCK];
  number = add_node(builder, value, VARIABLE, builder->function, block);
  remember(builder, second_key(value), number);
  if (!is_argument) add_edge(builder, known(builder, value), number, DATA, 0);
  return number;
}

static int constant(Builder *builder, Value value) {
  int number = known(builder, value);
  if (number >= 0) return number;
  number = add_node(builder, value, CONSTANT, -1, -1);
  remember(builder, value, number);
  return number;
}

static void add_data(Builder *builder, Value operand, int user, int position) {
  // Not by LLVMGetValueKind, whose numbers differ between releases. Blocks, metadata and assembly are no data.
  int is_argument = LLVMIsAArgument(operand) != 0;
  if (is_argument || LLVMIsAInstruction(operand))
    add_edge(builder, variable(builder, operand, is_argument), user, DATA, position);
  else if (LLVMIsAConstant(operand))
    add_edge(builder, constant(builder, operand), user, DATA, position);
}

// The callee of a direct call, as llvm::CallBase::getCalledFunction defines it; null for other instructions.
static Value direct_callee(Value instruction, int opcode) {
  if (opcode != OP_CALL && opcode != OP_INVOKE && opcode != OP_CALLBR) return 0;
  Value callee = LLVMGetCalledValue(instruction);
  if (!LLVMIsAFunction(callee)) return 0;
  return LLVMGlobalGetValueType(callee) == LLVMGetCalledFunctionType(instruction) ? callee : 0;
}

static void add_uses(Builder *builder, Value instruction, int number) {
  int opcode = opcode_of(instruction), operands = LLVMGetNumOperands(instruction);
  operands -= direct_callee(instruction, opcode) != 0;  // the callee is the last operand
  for (int i = 0; i < operands; i++) add_data(builder, LLVMGetOperand(instruction, i), number, i);
  if (opcode != OP_SWITCH) return;
  // The values of cases are not operands; each gets the position of the block to which it leads.
  for (unsigned i = 1; i < LLVMGetNumSuccessors(instruction); i++)
    add_data(builder, LLVMGetSwitchCaseValue(instruction, i), number, i + 1);
}

static void add_control(Builder *builder, Block block, int last) {
  Value terminator = LLVMGetBasicBlockTerminator(block);
  unsigned successors = terminator ? LLVMGetNumSuccessors(terminator) : 0;
  for (unsigned i = 0; i < successors; i++)
    add_edge(builder, last, known(builder, LLVMGetSuccessor(terminator, i)), CONTROL, i);
}

static void connect_blocks(Builder *builder, Value function) {
  for (Block block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    int before = -1;
    for (Value i = LLVMGetFirstInstruction(block); i && !builder->lacking; i = LLVMGetNextInstruction(i)) {
      int number = known(builder, i);
      add_edge(builder, before, number, CONTROL, 0);
      add_uses(builder, i, number);
      before = number;
    }
    add_control(builder, block, before);
  }
}

static void add_call(Builder *builder, int caller, int entry) {
  const Table *exits = &builder->exits, *nodes = &builder->graph->nodes;
  if (entry < 0 || entry >= nodes->rows) return;  // a function without instructions
  long long function = nodes->values[NODE_COLUMNS * entry + NODE_FUNCTION], low = 0, high = exits->rows;
  add_edge(builder, caller, entry, CALL, 0);
  while (low < high) {  // exits are sorted by function
    long long middle = (low + high) / 2;
    if (exits->values[EXIT_COLUMNS * middle + EXIT_FUNCTION] < function) low = middle + 1;
    else high = middle;
  }
  for (; low < exits->rows && exits->values[EXIT_COLUMNS * low + EXIT_FUNCTION] == function; low++)
    add_edge(builder, exits->values[EXIT_COLUMNS * low + EXIT_NODE], caller, CALL, 0);
}

static void connect_calls(Builder *builder, Value function) {
  int linkage = LLVMGetLinkage(function);
  if (linkage != INTERNAL_LINKAGE && linkage != PRIVATE_LINKAGE)
    add_call(builder, 0, known(builder, second_key(function)));
  for (Block block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (Value i = LLVMGetFirstInstruction(block); i && !builder->lacking; i = LLVMGetNextInstruction(i)) {
      Value callee = direct_callee(i, opcode_of(i));
      if (callee) add_call(builder, known(builder, i), known(builder, second_key(callee)));
    }
}

void optarena_graph_free(Graph *graph) {
  free(graph->nodes.values);
  free(graph->edges.values);
}

// Fills an empty graph, which optarena_graph_free frees; returns 0 without enough memory.
int optarena_graph(Module module, Graph *graph) {
  Builder builder = {.graph = graph};
  if (!index_open(&builder.index, 4096)) {
    index_close(&builder.index);
    return 0;
  }
  add_node(&builder, 0, ROOT, -1, -1);
  add_instructions(&builder, module);
  builder.function = 0;
  for (Value f = LLVMGetFirstFunction(module); f && !builder.lacking; f = LLVMGetNextFunction(f)) {
    if (!LLVMIsDeclaration(f)) connect_blocks(&builder, f);
    builder.function++;
  }
  for (Value f = LLVMGetFirstFunction(module); f && !builder.lacking; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) connect_calls(&builder, f);
  index_close(&builder.index);
  free(builder.exits.values);
  return !builder.lacking;
}
