// The natural loops of a function, over LLVM's C interface: dominators (Cooper, Harvey, Kennedy: "A Simple,
// Fast Dominance Algorithm"), back edges, bodies. The declarations are our own subset of llvm-c/Core.h
// (LLVM 22), so that no other header is needed. The caller gives all memory.
typedef long long Word;
typedef struct Module *Module;
typedef struct Value *Value;
typedef struct Block *Block;
Value LLVMGetFirstFunction(Module);
Value LLVMGetNextFunction(Value);
Block LLVMGetFirstBasicBlock(Value);
Block LLVMGetNextBasicBlock(Block);
Value LLVMGetBasicBlockTerminator(Block);
unsigned LLVMGetNumSuccessors(Value);
Block LLVMGetSuccessor(Value, unsigned);

// The blocks of one function by number, and its loops by number: those of the headers, in block order.
typedef struct {
  Word blocks, edges, loops, mask;
  Word *block, *key, *slot;  // block by number; a hash table from block to number
  Word *after_start, *after, *before_start, *before;  // successors and predecessors
  Word *order, *number;  // reverse post-order; -1 for a block that is never reached
  Word *dominator, *stack, *cursor, *inside, *seen;
  Word *loop_at, *header, *size, *parent;
} Graph;

static inline Word table_size(Word blocks) {
  Word size = 4;
  while (size < 2 * blocks) size *= 2;
  return size;
}

static inline void count_graph(Value function, Graph *g) {
  g->blocks = g->edges = 0;
  for (Block block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    Value terminator = LLVMGetBasicBlockTerminator(block);
    g->blocks++;
    g->edges += terminator ? LLVMGetNumSuccessors(terminator) : 0;
  }
}

static inline Word words(const Graph *g) { return 15 * (g->blocks + 1) + 2 * g->edges + 2 * table_size(g->blocks); }

// Words of memory that the graph of any of the module's functions needs.
static inline Word graph_memory(Module module) {
  Word most = 0;
  for (Value function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    Graph g;
    count_graph(function, &g);
    if (words(&g) > most) most = words(&g);
  }
  return most;
}

static inline void divide_memory(Graph *g, Word *memory) {
  Word **arrays[] = {
    &g->block, &g->after_start, &g->before_start, &g->order, &g->number, &g->dominator, &g->stack, &g->cursor,
    &g->inside, &g->seen, &g->loop_at, &g->header, &g->size, &g->parent
  };
  for (unsigned i = 0; i < sizeof arrays / sizeof arrays[0]; i++, memory += g->blocks + 1) *arrays[i] = memory;
  g->after = memory;
  g->before = g->after + g->edges;
  g->key = g->before + g->edges;
  g->mask = table_size(g->blocks) - 1;
  g->slot = g->key + g->mask + 1;
}

static inline Word place(const Graph *g, Block block) {
  Word at = ((Word)((unsigned long long)block >> 4) * 0x9E3779B97F4A7C15LL >> 20) & g->mask;
  while (g->key[at] && g->key[at] != (Word)block) at = (at + 1) & g->mask;
  return at;
}

static inline void number_blocks(Value function, Graph *g) {
  for (Word i = 0; i <= g->mask; i++) g->key[i] = 0;
  Word number = 0;
  for (Block block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    Word at = place(g, block);
    g->key[at] = g->block[number] = (Word)block;
    g->slot[at] = number++;
  }
}

static inline Value terminator_of(const Graph *g, Word block) {
  return LLVMGetBasicBlockTerminator((Block)g->block[block]);
}

static inline void connect(Graph *g) {
  Word edges = 0;
  for (Word b = 0; b <= g->blocks; b++) g->before_start[b] = 0;
  for (Word b = 0; b < g->blocks; b++) {
    Value terminator = terminator_of(g, b);
    unsigned successors = terminator ? LLVMGetNumSuccessors(terminator) : 0;
    g->after_start[b] = edges;
    for (unsigned i = 0; i < successors; i++) {
      Word to = g->slot[place(g, LLVMGetSuccessor(terminator, i))];
      g->after[edges++] = to;
      g->before_start[to + 1]++;
    }
  }
  g->after_start[g->blocks] = edges;
  for (Word b = 0; b < g->blocks; b++) g->before_start[b + 1] += g->before_start[b];
  for (Word b = 0; b < g->blocks; b++) g->cursor[b] = g->before_start[b];
  for (Word b = 0; b < g->blocks; b++)
    for (Word e = g->after_start[b]; e < g->after_start[b + 1]; e++) g->before[g->cursor[g->after[e]]++] = b;
}

// Fills `order` from its end; returns the index of the first reached block.
static inline Word order_blocks(Graph *g) {
  Word left = g->blocks, depth = 0;
  for (Word b = 0; b < g->blocks; b++) {
    g->seen[b] = 0;
    g->number[b] = -1;
    g->cursor[b] = g->after_start[b];
  }
  g->stack[depth++] = 0;
  g->seen[0] = 1;
  while (depth) {
    Word b = g->stack[depth - 1];
    if (g->cursor[b] == g->after_start[b + 1]) {
      g->number[b] = --left;
      g->order[left] = b;
      depth--;
      continue;
    }
    Word to = g->after[g->cursor[b]++];
    if (!g->seen[to]) {
      g->seen[to] = 1;
      g->stack[depth++] = to;
    }
  }
  return left;
}

static inline Word common_dominator(const Graph *g, Word a, Word b) {
  while (a != b) {
    while (g->number[a] > g->number[b]) a = g->dominator[a];
    while (g->number[b] > g->number[a]) b = g->dominator[b];
  }
  return a;
}

static inline void find_dominators(Graph *g, Word first) {
  for (Word b = 0; b < g->blocks; b++) g->dominator[b] = -1;
  g->dominator[0] = 0;
  for (int changed = 1; changed;) {
    changed = 0;
    for (Word i = first + 1; i < g->blocks; i++) {
      Word b = g->order[i], found = -1;
      for (Word e = g->before_start[b]; e < g->before_start[b + 1]; e++) {
        Word from = g->before[e];
        if (g->dominator[from] >= 0) found = found < 0 ? from : common_dominator(g, found, from);
      }
      changed |= g->dominator[b] != found;
      g->dominator[b] = found;
    }
  }
}

static inline int dominates(const Graph *g, Word a, Word b) {
  if (g->number[a] < 0 || g->number[b] < 0) return 0;
  while (g->number[b] > g->number[a]) b = g->dominator[b];
  return a == b;
}

static inline void find_headers(Graph *g) {
  g->loops = 0;
  for (Word b = 0; b < g->blocks; b++) {
    g->loop_at[b] = -1;
    g->inside[b] = -1;
    for (Word e = g->before_start[b]; e < g->before_start[b + 1] && g->loop_at[b] < 0; e++)
      if (dominates(g, b, g->before[e])) {
        g->header[g->loops] = b;
        g->parent[g->loops] = -1;
        g->loop_at[b] = g->loops++;
      }
  }
}

// Marks the blocks of a loop in `inside`, lists them in `stack`, and returns their number.
static inline Word walk(Graph *g, Word loop) {
  Word header = g->header[loop], size = 1;
  g->inside[header] = loop;
  g->stack[0] = header;
  for (Word done = 0; done < size; done++) {
    Word b = g->stack[done];
    for (Word e = g->before_start[b]; e < g->before_start[b + 1]; e++) {
      Word from = g->before[e];
      if (g->number[from] < 0 || g->inside[from] == loop) continue;
      if (b == header && !dominates(g, header, from)) continue;
      g->inside[from] = loop;
      g->stack[size++] = from;
    }
  }
  return size;
}

// The parent of a loop is the smallest other loop that contains its header.
static inline void find_parents(Graph *g) {
  for (Word loop = 0; loop < g->loops; loop++) g->size[loop] = walk(g, loop);
  for (Word b = 0; b < g->blocks; b++) g->inside[b] = -1;
  for (Word loop = 0; loop < g->loops; loop++) {
    Word size = walk(g, loop);
    for (Word i = 1; i < size; i++) {
      Word inner = g->loop_at[g->stack[i]];
      if (inner >= 0 && (g->parent[inner] < 0 || size < g->size[g->parent[inner]])) g->parent[inner] = loop;
    }
  }
  for (Word b = 0; b < g->blocks; b++) g->inside[b] = -1;
}

// Finds the loops of a function; `memory` has at least `graph_memory` words.
static inline void make_graph(Value function, Graph *g, Word *memory) {
  count_graph(function, g);
  divide_memory(g, memory);
  number_blocks(function, g);
  connect(g);
  find_dominators(g, order_blocks(g));
  find_headers(g);
  find_parents(g);
}
