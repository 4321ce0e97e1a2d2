// The parts of LLVM 22's own structures that are read where the C interface is too slow or lacks them.
// layout.c compares every such reading with the C interface before any is used.
typedef unsigned long u64;
typedef unsigned u32;
typedef struct Module *Module;
typedef struct Context *Context;
typedef struct Type *Type;
typedef struct Block *Block;

// llvm/IR/Value.h, and User.h: operands lie before their user, or elsewhere with a pointer before it.
typedef struct Value {
  unsigned char id, handle : 1, flags : 7;
  unsigned short data;
  u32 operands : 27, in_metadata : 1, named : 1, attached : 1, hung_off : 1, descriptor : 1;
  Type type;
  void *uses;
} *Value;

typedef struct {
  Value value;
  void *next, *previous;
  Value user;
} Use;

static inline Use *operands_of(Value value) {
  return value->hung_off ? ((Use **)value)[-1] : (Use *)value - value->operands;
}

// Metadata.h: a small node's operands lie before its header, which lies before the node; a large node has
// the header of a vector there.
typedef struct Metadata {
  unsigned char id, storage : 7, implicit : 1;
  unsigned short data16;
  u32 data32;
} *Metadata;

typedef struct {
  struct Metadata metadata;
  u64 uses[15];
  Value value;
} ValueMetadata;

typedef struct {
  u64 resizable : 1, large : 1, size : 4, count : 4, : 54;
  u32 unresolved;
} NodeHeader;

typedef struct {
  Metadata *operands;
  u32 count, capacity;
} LargeNode;

static inline Metadata *operands_of_node(Metadata node, u64 *count) {
  NodeHeader *header = (NodeHeader *)node - 1;
  LargeNode *many = (LargeNode *)header - 1;
  *count = header->large ? many->count : header->count;
  return header->large ? many->operands : (Metadata *)header - header->size;
}

// Instruction.h; `first` and `second` are the fields that a kind of instruction adds: the type of an alloca
// or getelementptr, attributes and type of a call, the scope of an atomic access, the room of a phi.
typedef struct {
  struct Value value;
  void *previous, *next, *block;
  Metadata location;
  u64 order;
  void *records;
  u64 first, second;
} Instruction;

// The blocks of a phi lie behind the room for its values.
static inline Value *incoming_blocks(Value phi) {
  return (Value *)(operands_of(phi) + (u32)((Instruction *)phi)->first);
}

// GlobalValue.h, GlobalObject.h, GlobalVariable.h, Function.h
typedef struct {
  u32 linkage : 4, visibility : 2, unnamed : 2, storage : 2, thread : 3, reserved : 1, local : 1, partition : 1,
      sanitizer : 1, rest : 15;
} Properties;

typedef struct {
  struct Value value;
  Type type;
  Properties properties;
  u32 intrinsic;
  Module parent;
  void *comdat, *links[2];
} Global;

typedef struct {
  Global global;
  u64 attributes;
  unsigned char constant : 1, external : 1;
} Variable;

// StringMap.h: bitcode lists the names of a function in the order of its buckets.
typedef struct {
  u64 length;
  Value value;
  char key[];
} NameEntry;

typedef struct {
  NameEntry **buckets;
  u32 size, items;
} Names;

static inline int is_entry(const NameEntry *entry) { return entry && entry != (NameEntry *)-8; }

typedef struct {
  Global global;
  u64 blocks[3], arguments, argument_count;
  Names *names;
  u64 attributes;
} Function;

// Constants.h: a getelementptr of constants, and the part of its object that may be accessed if `ranged`.
typedef struct {
  struct Value value;
  Type source, result;
  u64 range[4];
  unsigned char ranged;
} ConstantAddress;

// LLVMValueKind, LLVMTypeKind, LLVMOpcode and LLVMMetadataKind of llvm-c
enum {
  ARGUMENT = 0, BLOCK = 1, FUNCTION = 5, ALIAS = 6, IFUNC = 7, VARIABLE = 8, BLOCK_ADDRESS = 9, EXPRESSION = 10, ARRAY = 11,
  STRUCT = 12, VECTOR = 13, UNDEF = 14, ZERO = 15, DATA_ARRAY = 16, DATA_VECTOR = 17, INTEGER = 18, FLOATING = 19,
  NULL_POINTER = 20, NULL_TOKEN = 21, METADATA = 22, ASSEMBLER = 23, INSTRUCTION = 24, POISON = 25,
  NULL_TARGET = 26
};
enum { STRUCT_TYPE = 10 };
enum {
  SWITCH = 3, INVOKE = 5, ALLOCA = 26, LOAD = 27, STORE = 28, GEP = 29, PHI = 44, CALL = 45, SHUFFLE = 52,
  EXTRACT_VALUE = 53, INSERT_VALUE = 54, FENCE = 55, COMPARE_EXCHANGE = 56, ATOMIC = 57, CALL_BRANCH = 67
};
enum { STRING_METADATA = 0, VALUE_METADATA = 1, TUPLE = 4 };
