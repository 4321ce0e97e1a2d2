// Compares every reading of LLVM's own structures (structures.h) with the C interface, on the test program
// layout_program.ll. This detects a libLLVM with another layout before the readings are used.
#include "structures.h"

typedef struct Attribute *Attribute;
enum { FUNCTION_INDEX = -1, TBAA = 1, LOOP = 18, MOST = 32, ADD = 8 };

Value LLVMGetFirstGlobal(Module);
Value LLVMGetNextGlobal(Value);
Value LLVMGetFirstFunction(Module);
Value LLVMGetNextFunction(Value);
Block LLVMGetFirstBasicBlock(Value);
Block LLVMGetNextBasicBlock(Block);
Value LLVMBasicBlockAsValue(Block);
Value LLVMGetFirstInstruction(Block);
Value LLVMGetNextInstruction(Value);
Value LLVMGetFirstParam(Value);
Value LLVMGetNextParam(Value);
int LLVMGetInstructionOpcode(Value);
Type LLVMTypeOf(Value);
int LLVMGetNumOperands(Value);
Value LLVMGetOperand(Value, u32);
int LLVMHasMetadata(Value);
Value LLVMGetMetadata(Value, u32);
Metadata LLVMValueAsMetadata(Value);
Metadata LLVMInstructionGetDebugLoc(Value);
void *LLVMGetFirstDbgRecord(Value);
int LLVMGetMetadataKind(Metadata);
u32 LLVMGetMDNodeNumOperands(Value);
void LLVMGetMDNodeOperands(Value, Value *);
Type LLVMGetAllocatedType(Value);
Type LLVMGetGEPSourceElementType(Value);
Type LLVMGetCalledFunctionType(Value);
u32 LLVMGetNumOperandBundles(Value);
u32 LLVMGetCallSiteAttributeCount(Value, int);
void LLVMGetCallSiteAttributes(Value, int, Attribute *);
u32 LLVMGetAttributeCountAtIndex(Value, int);
Block LLVMGetIncomingBlock(Value, u32);
int LLVMIsAtomic(Value);
u32 LLVMGetAtomicSyncScopeID(Value);
int LLVMGetVolatile(Value);
int LLVMGetNSW(Value);
int LLVMGetNUW(Value);
int LLVMIsConstant(Value);
int LLVMGetValueKind(Value);
int LLVMGetConstOpcode(Value);
const char *LLVMGetValueName2(Value, u64 *);
Type LLVMGlobalGetValueType(Value);
Module LLVMGetGlobalParent(Value);
int LLVMGetVisibility(Value);
int LLVMGetThreadLocalMode(Value);
int LLVMIsGlobalConstant(Value);
int LLVMIsExternallyInitialized(Value);
void *LLVMGetComdat(Value);

static int wrong_metadata(Value wrapped) {
  Metadata node = LLVMValueAsMetadata(wrapped);
  if (LLVMGetMetadataKind(node) != TUPLE) return 0;
  u64 count;
  Metadata *operands = operands_of_node(node, &count);
  if (count != LLVMGetMDNodeNumOperands(wrapped) || count > MOST) return 1;
  Value values[MOST];
  LLVMGetMDNodeOperands(wrapped, values);
  for (u64 i = 0; i < count; i++) {
    if (LLVMGetMetadataKind(operands[i]) == VALUE_METADATA) {
      if (((ValueMetadata *)operands[i])->value != values[i]) return 1;
    } else if (LLVMValueAsMetadata(values[i]) != operands[i] || wrong_metadata(values[i])) {
      return 1;
    }
  }
  return 0;
}

static int wrong_operands(Value value) {
  if ((int)value->operands != LLVMGetNumOperands(value)) return 1;
  for (u32 i = 0; i < value->operands; i++)
    if (operands_of(value)[i].value != LLVMGetOperand(value, i)) return 1;
  return 0;
}

// Whether the reading and the C interface disagree on the equality of two calls' attributes.
static int wrong_attributes(Value call, Value other) {
  u32 count = LLVMGetCallSiteAttributeCount(call, FUNCTION_INDEX);
  int same = count == LLVMGetCallSiteAttributeCount(other, FUNCTION_INDEX);
  Attribute mine[MOST], theirs[MOST];
  if (count > MOST) return 1;
  if (same) {
    LLVMGetCallSiteAttributes(call, FUNCTION_INDEX, mine);
    LLVMGetCallSiteAttributes(other, FUNCTION_INDEX, theirs);
    for (u32 i = 0; i < count; i++) same &= mine[i] == theirs[i];
  }
  return same != (((Instruction *)call)->first == ((Instruction *)other)->first);
}

static int wrong_particulars(Value value, int opcode, Value *call) {
  Instruction *instruction = (Instruction *)value;
  switch (opcode) {
    case ADD:
      return (value->flags & 1) != LLVMGetNUW(value) || (value->flags >> 1 & 1) != LLVMGetNSW(value);
    case ALLOCA:
      return (Type)instruction->first != LLVMGetAllocatedType(value);
    case GEP:
      return (Type)instruction->first != LLVMGetGEPSourceElementType(value);
    case LOAD: case STORE:
      if ((value->data & 1) != LLVMGetVolatile(value)) return 1;
      return LLVMIsAtomic(value) && (instruction->first & 0xFF) != LLVMGetAtomicSyncScopeID(value);
    case FENCE: case COMPARE_EXCHANGE: case ATOMIC:
      return (instruction->first & 0xFF) != LLVMGetAtomicSyncScopeID(value);
    case PHI:
      for (u32 i = 0; i < value->operands; i++)
        if (incoming_blocks(value)[i] != LLVMBasicBlockAsValue(LLVMGetIncomingBlock(value, i))) return 1;
      return 0;
    case CALL:
      if (*call && wrong_attributes(value, *call)) return 1;
      *call = value;
      return (Type)instruction->second != LLVMGetCalledFunctionType(value) ||
             value->descriptor != (LLVMGetNumOperandBundles(value) > 0);
    default:
      return 0;
  }
}

static int wrong_instruction(Value value, Value *call) {
  Instruction *instruction = (Instruction *)value;
  if (value->type != LLVMTypeOf(value) || wrong_operands(value)) return 1;
  if (value->attached != LLVMHasMetadata(value) && !instruction->location) return 1;
  if (instruction->location != LLVMInstructionGetDebugLoc(value)) return 1;
  if (LLVMGetFirstDbgRecord(value) && !instruction->records) return 1;
  Value small = LLVMGetMetadata(value, TBAA), large = LLVMGetMetadata(value, LOOP);
  if ((small && wrong_metadata(small)) || (large && wrong_metadata(large))) return 1;
  return wrong_particulars(value, LLVMGetInstructionOpcode(value), call);
}

static u32 named(Value value) {
  u64 length;
  LLVMGetValueName2(value, &length);
  return length != 0;
}

static int wrong_names(const Names *names, u32 count) {
  u32 found = 0;
  if (!names || names->items != count) return 1;
  for (u32 i = 0; i < names->size; i++) {
    const NameEntry *entry = names->buckets[i];
    u64 length;
    if (!is_entry(entry)) continue;
    if (LLVMGetValueName2(entry->value, &length) != entry->key || length != entry->length) return 1;
    found++;
  }
  return found != count;
}

static int wrong_global(Value value) {
  Global *global = (Global *)value;
  return global->type != LLVMGlobalGetValueType(value) || global->parent != LLVMGetGlobalParent(value) ||
         (int)global->properties.visibility != LLVMGetVisibility(value) ||
         (int)global->properties.thread != LLVMGetThreadLocalMode(value) || global->comdat != LLVMGetComdat(value);
}

static int wrong_function(Value function) {
  u32 names = 0;
  Value call = 0;
  if (wrong_global(function)) return 1;
  u32 attributes = LLVMGetAttributeCountAtIndex(function, FUNCTION_INDEX);
  if ((((Function *)function)->attributes != 0) != (attributes != 0)) return 1;
  if (!LLVMGetFirstBasicBlock(function)) return 0;
  for (Value value = LLVMGetFirstParam(function); value; value = LLVMGetNextParam(value)) names += named(value);
  for (Block block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    names += named(LLVMBasicBlockAsValue(block));
    for (Value value = LLVMGetFirstInstruction(block); value; value = LLVMGetNextInstruction(value)) {
      names += named(value);
      if (wrong_instruction(value, &call)) return 1;
    }
  }
  return wrong_names(((Function *)function)->names, names);
}

// Names in the program mark what the C interface lacks: `attributed` has attributes, `ranged` a range.
static int wrong_variable(Value value) {
  Variable *variable = (Variable *)value;
  u64 length;
  char kind = *LLVMGetValueName2(value, &length);
  if (wrong_global(value) || wrong_operands(value)) return 1;
  if (variable->constant != LLVMIsGlobalConstant(value)) return 1;
  if (variable->external != LLVMIsExternallyInitialized(value)) return 1;
  if ((variable->attributes != 0) != (kind == 'a')) return 1;
  if (kind != 'r' && kind != 'u') return 0;
  ConstantAddress *address = (ConstantAddress *)LLVMGetOperand(value, 0);
  if (LLVMGetValueKind(&address->value) != EXPRESSION || LLVMGetConstOpcode(&address->value) != GEP) return 1;
  if (address->source != LLVMGetGEPSourceElementType(&address->value)) return 1;
  if (address->ranged != (kind == 'r')) return 1;
  return kind == 'r' && (address->range[0] != 4 || address->range[2] != 12);
}

// 0 if every reading is right.
int optarena_layout(Module module) {
  for (Value v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
    if (wrong_variable(v)) return 1;
  for (Value v = LLVMGetFirstFunction(module); v; v = LLVMGetNextFunction(v))
    if (wrong_function(v)) return 1;
  return 0;
}
