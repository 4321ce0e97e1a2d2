// The direct calls of functions that a module defines, over LLVM's C interface. The declarations are our own
// subset of llvm-c/Core.h (LLVM 22), so that no header of LLVM is needed. The caller gives all memory.
#include "loop_graph.h"

typedef struct Type *Type;
typedef struct Use *Use;
typedef struct Attribute *Attribute;

int LLVMIsDeclaration(Value);
unsigned LLVMCountBasicBlocks(Value);
Value LLVMGetFirstInstruction(Block);
Value LLVMGetNextInstruction(Value);
int LLVMGetInstructionOpcode(Value);
Value LLVMGetCalledValue(Value);
Type LLVMGetCalledFunctionType(Value);
Type LLVMGlobalGetValueType(Value);
int LLVMIsFunctionVarArg(Type);
unsigned LLVMGetNumArgOperands(Value);
Value LLVMGetOperand(Value, unsigned);
Value LLVMIsAConstant(Value);
Value LLVMIsAFunction(Value);
int LLVMGetLinkage(Value);
Use LLVMGetFirstUse(Value);
Use LLVMGetNextUse(Use);
unsigned LLVMGetEnumAttributeKindForName(const char *, unsigned long);
Attribute LLVMGetEnumAttributeAtIndex(Value, unsigned, unsigned);
Attribute LLVMGetCallSiteEnumAttribute(Value, unsigned, unsigned);

enum { OP_INVOKE = 5, OP_CALL = 45 };
enum { INTERNAL_LINKAGE = 8, PRIVATE_LINKAGE = 9 };
static const unsigned OF_FUNCTION = 0xFFFFFFFF;

// The columns of a row, in the order of the result.
enum {
  EXISTS, CALLER, BLOCK, POSITION, CALLEE, CALLER_INSTRUCTIONS, CALLER_BLOCKS, CALLEE_INSTRUCTIONS,
  CALLEE_BLOCKS, CALLEE_CALLS, CALLEE_USES, CALLEE_IS_INTERNAL, CALLEE_IS_VARIADIC, CALLEE_CALLS_ITSELF,
  IS_RECURSIVE, ARGUMENTS, CONSTANT_ARGUMENTS, LOOP_DEPTH, CALLEE_NOINLINE, CALLEE_ALWAYSINLINE, NOINLINE,
  ALWAYSINLINE, FEATURES
};

// Facts about a function that are computed before the calls are listed.
typedef struct {
  Word instructions, blocks, calls, uses, calls_itself;
} Facts;

enum { FACTS = sizeof(Facts) / sizeof(Word) };

// The defined functions by number, and a hash table from function to number.
typedef struct {
  Word count, mask, *function, *key, *number;
  Facts *facts;
} Functions;

static int is_call(Value i) {
  int opcode = LLVMGetInstructionOpcode(i);
  return opcode == OP_CALL || opcode == OP_INVOKE;
}

// The function called if it is defined here and called by its own type; otherwise 0.
static Value defined_callee(Value call) {
  Value callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee) || LLVMIsDeclaration(callee)) return 0;
  return LLVMGlobalGetValueType(callee) == LLVMGetCalledFunctionType(call) ? callee : 0;
}

// Words of memory that `optarena_call_sites` needs.
Word optarena_call_sites_memory(Module module) {
  Word functions = 0;
  for (Value f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) functions += !LLVMIsDeclaration(f);
  return functions * (FACTS + 1) + 2 * table_size(functions) + graph_memory(module);
}

static void learn(Value function, Facts *facts) {
  *facts = (Facts){0};
  facts->blocks = LLVMCountBasicBlocks(function);
  for (Use use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) facts->uses++;
  for (Block block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (Value i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      facts->instructions++;
      if (!is_call(i)) continue;
      Value callee = defined_callee(i);
      facts->calls += callee != 0;
      facts->calls_itself |= callee == function;
    }
}

// The slot of a function, or the free slot where it belongs, in the hash table of defined functions.
static Word find(Value function, const Word *keys, Word mask) {
  Word at = (Word)((unsigned long long)function >> 4) * 0x9E3779B97F4A7C15LL >> 20 & mask;
  while (keys[at] && keys[at] != (Word)function) at = (at + 1) & mask;
  return at;
}

// Counts in `cursor` the loops around each block.
static void count_depths(Graph *g) {
  for (Word b = 0; b < g->blocks; b++) g->cursor[b] = 0;
  for (Word loop = 0; loop < g->loops; loop++)
    for (Word k = walk(g, loop) - 1; k >= 0; k--) g->cursor[g->stack[k]]++;
}

static int has(Value function, const char *name, unsigned long length) {
  return LLVMGetEnumAttributeAtIndex(function, OF_FUNCTION, LLVMGetEnumAttributeKindForName(name, length)) != 0;
}

static int site_has(Value call, const char *name, unsigned long length) {
  return LLVMGetCallSiteEnumAttribute(call, OF_FUNCTION, LLVMGetEnumAttributeKindForName(name, length)) != 0;
}

static void describe(Value call, Value callee, const Facts *from, const Facts *to, Word *row) {
  unsigned arguments = LLVMGetNumArgOperands(call);
  int linkage = LLVMGetLinkage(callee);
  row[EXISTS] = 1;
  row[CALLER_INSTRUCTIONS] = from->instructions;
  row[CALLER_BLOCKS] = from->blocks;
  row[CALLEE_INSTRUCTIONS] = to->instructions;
  row[CALLEE_BLOCKS] = to->blocks;
  row[CALLEE_CALLS] = to->calls;
  row[CALLEE_USES] = to->uses;
  row[CALLEE_IS_INTERNAL] = linkage == INTERNAL_LINKAGE || linkage == PRIVATE_LINKAGE;
  row[CALLEE_IS_VARIADIC] = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee));
  row[CALLEE_CALLS_ITSELF] = to->calls_itself;
  row[IS_RECURSIVE] = from == to;
  row[ARGUMENTS] = arguments;
  row[CONSTANT_ARGUMENTS] = 0;
  for (unsigned i = 0; i < arguments; i++) row[CONSTANT_ARGUMENTS] += LLVMIsAConstant(LLVMGetOperand(call, i)) != 0;
  row[CALLEE_NOINLINE] = has(callee, "noinline", 8);
  row[CALLEE_ALWAYSINLINE] = has(callee, "alwaysinline", 12);
  row[NOINLINE] = site_has(call, "noinline", 8);
  row[ALWAYSINLINE] = site_has(call, "alwaysinline", 12);
}

// Describes the calls of one function, after `sites` earlier ones of the module; returns the new number.
static Word list_calls(const Functions *all, Word caller, const Graph *g, Word sites, Word rows, Word *table,
                       Word *calls) {
  Block block = LLVMGetFirstBasicBlock((Value)all->function[caller]);
  for (Word b = 0; block; block = LLVMGetNextBasicBlock(block), b++) {
    Word position = 0;
    for (Value i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i), position++) {
      Value callee = is_call(i) ? defined_callee(i) : 0;
      if (!callee || sites++ >= rows) continue;
      Word *row = table + (sites - 1) * FEATURES, to = all->number[find(callee, all->key, all->mask)];
      describe(i, callee, &all->facts[caller], &all->facts[to], row);
      row[CALLER] = caller;
      row[BLOCK] = b;
      row[LOOP_DEPTH] = g->cursor[b];
      row[POSITION] = position;
      row[CALLEE] = to;
      calls[sites - 1] = (Word)i;
    }
  }
  return sites;
}

// Collects the facts about all defined functions; returns the remaining memory.
static Word *learn_all(Module module, Functions *all, Word *memory) {
  all->count = 0;
  for (Value f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) all->count += !LLVMIsDeclaration(f);
  all->mask = table_size(all->count) - 1;
  all->function = memory;
  all->facts = (Facts *)(all->function + all->count);
  all->key = all->function + all->count * (FACTS + 1);
  all->number = all->key + all->mask + 1;
  for (Word at = 0; at <= all->mask; at++) all->key[at] = 0;
  Word number = 0;
  for (Value f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    Word at = find(f, all->key, all->mask);
    all->key[at] = all->function[number] = (Word)f;
    learn(f, &all->facts[number]);
    all->number[at] = number++;
  }
  return all->number + all->mask + 1;
}

// Describes the calls in the order of functions and instructions. Writes the first `rows` of them into
// `table`, FEATURES columns each, and their instructions into `calls`. Returns the number of calls.
Word optarena_call_sites(Module module, Word *memory, Word *table, Word rows, Word *calls) {
  Functions all;
  memory = learn_all(module, &all, memory);
  Word sites = 0;
  for (Word caller = 0; caller < all.count; caller++) {
    Graph g;
    if (sites < rows) {
      make_graph((Value)all.function[caller], &g, memory);
      count_depths(&g);
    }
    sites = list_calls(&all, caller, &g, sites, rows, table, calls);
  }
  return sites;
}
