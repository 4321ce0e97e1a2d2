// The parts of a fingerprint: its state, and the functions that add words, types and constants.
#include "structures.h"
#include "address_table.h"

enum { LARGE = 256, RECENT = 64 };

// Not inlined: everything is compiled when an environment is first started.
#define COLD __attribute__((noinline))

// llvm/ADT/SmallVector.h, with room for LARGE elements in place
typedef struct {
  const void *first;
  u64 second;
} Pair;
typedef struct {
  Pair *begin;
  u32 size, capacity;
  Pair in_place[LARGE];
} Pairs;

int LLVMGetValueKind(Value);
int LLVMGetTypeKind(Type);
u32 LLVMGetNumContainedTypes(Type);
void LLVMGetSubtypes(Type, Type *);
const char *LLVMGetStructName(Type);
int LLVMGetInstructionOpcode(Value);
int LLVMGetConstOpcode(Value);
Metadata LLVMValueAsMetadata(Value);
Value LLVMGetBlockAddressFunction(Value);
Block LLVMGetBlockAddressBasicBlock(Value);
Block LLVMGetFirstBasicBlock(Value);
Block LLVMGetNextBasicBlock(Block);

typedef struct {
  Table globals, locals, constants, nodes, types, blocks;
  List instructions, pending;
  Type recent[RECENT];                     // types met recently
  unsigned char kinds[256], opcodes[256];  // by the id of a value, found once; kinds plus 1
  Pairs pairs;
  u64 hash, count;
  Value body;     // the function whose body is read
  u64 addresses;  // addresses of blocks met so far
  int inexact;
} State;

static inline u64 mixed(u64 a, u64 b) {
  unsigned __int128 product = (unsigned __int128)(a ^ 0xA0761D6478BD642Fu) * (b ^ 0xE7037ED1A0B428DBu);
  return (u64)product ^ (u64)(product >> 64);
}

static inline void add(State *state, u64 word) { state->hash = mixed(state->hash, word); }

static COLD void add_bytes(State *state, const char *bytes, u64 length) {
  add(state, length);
  for (; length >= 8; bytes += 8, length -= 8) {
    u64 word;
    __builtin_memcpy(&word, bytes, 8);
    add(state, word);
  }
  u64 word = 0;
  for (u64 i = 0; i < length; i++) word |= (u64)(unsigned char)bytes[i] << 8 * i;
  if (length) add(state, word);
}

static COLD void add_text(State *state, const char *text) {
  u64 length = 0;
  while (text && text[length]) length++;
  add(state, text != 0);
  add_bytes(state, text, length);
}

static void add_type(State *state, Type type);

// The name of a structure is the only part of a type that can change.
static COLD void add_new_type(State *state, Type type) {
  Slot *slot = enter(&state->types, type);
  if (slot->value) return;
  slot->value = 1;
  if (LLVMGetTypeKind(type) == STRUCT_TYPE) add_text(state, LLVMGetStructName(type));
  u32 count = LLVMGetNumContainedTypes(type);
  if (!count) return;
  Type *parts = malloc(count * sizeof *parts);
  LLVMGetSubtypes(type, parts);
  for (u32 i = 0; i < count; i++) add_type(state, parts[i]);
  free(parts);
}

static void add_type(State *state, Type type) {
  Type *recent = &state->recent[(u64)type / 8 % RECENT];
  add(state, (u64)type);
  if (*recent == type) return;
  *recent = type;
  add_new_type(state, type);
}

// The number of a node of metadata, whose content is added later.
static COLD u64 node_number(State *state, Metadata metadata) {
  if (!metadata) return 0;
  Slot *slot = enter(&state->nodes, metadata);
  if (!slot->value) {
    slot->value = state->nodes.count;
    append(&state->pending, metadata);
  }
  return slot->value;
}

static int kind_of(State *state, Value value) {
  unsigned char *kind = &state->kinds[value->id];
  if (!*kind) *kind = (unsigned char)(LLVMGetValueKind(value) + 1);
  return *kind - 1;
}

static int opcode_of(State *state, Value value) {
  unsigned char *opcode = &state->opcodes[value->id];
  if (!*opcode) *opcode = (unsigned char)LLVMGetInstructionOpcode(value);
  return *opcode;
}

// The bits of the first word that are content: not those for handles, names or users in metadata.
static inline u64 head_of(Value value) {
  return value->id | (u64)value->flags << 8 | (u64)value->data << 16 | (u64)value->operands << 32 |
         (u64)value->descriptor << 63;
}

static u64 number_of(State *state, Value value);

static COLD void number(Table *table, const void *address) {
  Slot *slot = enter(table, address);
  slot->value = table->count;
}

// The word for the address of a block: the function, and the block's number, which is found for all blocks of
// the function at once. For a function, bitcode also lists which others take addresses of its blocks, in the
// order of the uses, which is not read here.
static COLD u64 address_number(State *state, Value value) {
  Value function = LLVMGetBlockAddressFunction(value);
  Block block = LLVMGetBlockAddressBasicBlock(value);
  state->addresses++;
  state->inexact |= state->body && state->body != function;
  if (!find(&state->blocks, block)->key)
    for (Block one = LLVMGetFirstBasicBlock(function); one; one = LLVMGetNextBasicBlock(one)) number(&state->blocks, one);
  u64 place = mixed(find(&state->globals, function)->value, find(&state->blocks, block)->value);
  return mixed(place, (u64)value->type);
}

// A constant with operands may be destroyed and another one allocated at its address, so its content counts.
static COLD u64 constant_number(State *state, Value value, int kind) {
  Slot *slot = find(&state->constants, value);
  if (slot->key) return slot->value;
  u64 outer = state->hash, addresses = state->addresses;
  state->hash = head_of(value);
  add_type(state, value->type);
  Use *operands = operands_of(value);
  for (u32 i = 0; i < value->operands; i++) add(state, number_of(state, operands[i].value));
  if (kind == EXPRESSION) {
    int opcode = LLVMGetConstOpcode(value);
    ConstantAddress *address = (ConstantAddress *)value;
    if (opcode == GEP) {
      add_type(state, address->source);
      add(state, address->ranged);
      for (int i = 0; address->ranged && i < 4; i++) add(state, address->range[i]);
    }
    state->inexact |= opcode == SHUFFLE;
  }
  u64 number = state->hash;
  state->hash = outer;
  if (state->addresses == addresses) enter(&state->constants, value)->value = number;  // see `body`
  return number;
}

// The word for an operand: an address, a hash of content, or a number, in a separate range for each kind.
static u64 number_of(State *state, Value value) {
  enum { LOCAL = 1, GLOBAL = 2, NODE = 3 };
  if (!value) return 0;
  int kind = kind_of(state, value);
  switch (kind) {
    case INSTRUCTION: case ARGUMENT: case BLOCK:
      return find(&state->locals, value)->value << 2 | LOCAL;
    case FUNCTION: case VARIABLE: case ALIAS:
      return find(&state->globals, value)->value << 2 | GLOBAL;
    case INTEGER: case FLOATING: case NULL_POINTER: case UNDEF: case POISON: case ZERO: case DATA_ARRAY:
    case DATA_VECTOR: case NULL_TOKEN: case NULL_TARGET: case ASSEMBLER:
      return (u64)value;
    case BLOCK_ADDRESS:
      return address_number(state, value);
    case EXPRESSION: case ARRAY: case STRUCT: case VECTOR:
      return constant_number(state, value, kind);
    case METADATA:
      return node_number(state, LLVMValueAsMetadata(value)) << 2 | NODE;
    default:
      state->inexact = 1;
      return 0;
  }
}
