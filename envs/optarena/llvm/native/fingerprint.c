// A fingerprint of all that a module's bitcode holds: equal for two states of one module in one process
// exactly when their bitcode is equal, at a fraction of the cost of writing it.
//
// Types, attributes, metadata strings and constants without operands exist as long as their context, so their
// address identifies them; everything else is numbered in the order in which it is met.
#include "content.h"

typedef struct Named *Named;

Context LLVMGetModuleContext(Module);
const char *LLVMGetTarget(Module);
const char *LLVMGetDataLayoutStr(Module);
const char *LLVMGetModuleInlineAsm(Module, u64 *);
const char *LLVMGetSourceFileName(Module, u64 *);
Value LLVMGetFirstGlobal(Module);
Value LLVMGetNextGlobal(Value);
Value LLVMGetFirstFunction(Module);
Value LLVMGetNextFunction(Value);
Value LLVMGetFirstGlobalAlias(Module);
Value LLVMGetNextGlobalAlias(Value);
Value LLVMGetFirstGlobalIFunc(Module);
Named LLVMGetFirstNamedMetadata(Module);
Named LLVMGetNextNamedMetadata(Named);
const char *LLVMGetNamedMetadataName(Named, u64 *);
u32 named_count(Named) __asm__("_ZNK4llvm11NamedMDNode14getNumOperandsEv");
Metadata named_operand(Named, u32) __asm__("_ZNK4llvm11NamedMDNode10getOperandEj");
void kind_names(Context, Pairs *)
    __asm__("_ZNK4llvm11LLVMContext14getMDKindNamesERNS_15SmallVectorImplINS_9StringRefEEE");
void scope_names(Context, Pairs *)
    __asm__("_ZNK4llvm11LLVMContext17getSyncScopeNamesERNS_15SmallVectorImplINS_9StringRefEEE");
void bundle_tags(Context, Pairs *)
    __asm__("_ZNK4llvm11LLVMContext20getOperandBundleTagsERNS_15SmallVectorImplINS_9StringRefEEE");
// The same function under its names in builds with libc++ and with libstdc++.
__attribute__((weak)) void metadata_libcxx(Value, Pairs *)
    __asm__("_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplINSt3__14pairIjPNS_6MDNodeEEEEE");
__attribute__((weak)) void metadata_gnu(Value, Pairs *)
    __asm__("_ZNK4llvm5Value14getAllMetadataERNS_15SmallVectorImplISt4pairIjPNS_6MDNodeEEEE");
const char *LLVMGetValueName2(Value, u64 *);
const char *LLVMGetSection(Value);
const char *LLVMGetGC(Value);
void *LLVMGetComdat(Value);
int LLVMGetComdatSelectionKind(void *);
int LLVMHasPersonalityFn(Value);
Value LLVMGetPersonalityFn(Value);
int LLVMHasPrefixData(Value);
Value LLVMGetPrefixData(Value);
int LLVMHasPrologueData(Value);
Value LLVMGetPrologueData(Value);
Value LLVMGetFirstParam(Value);
Value LLVMGetNextParam(Value);
Value LLVMBasicBlockAsValue(Block);
Value LLVMGetFirstInstruction(Block);
Value LLVMGetNextInstruction(Value);
Value LLVMGetSwitchCaseValue(Value, u32);
u32 LLVMGetNumIndices(Value);
const u32 *LLVMGetIndices(Value);
u32 LLVMGetNumMaskElements(Value);
int LLVMGetMaskValue(Value, u32);
u32 LLVMGetNumOperandBundles(Value);
void *LLVMGetOperandBundleAtIndex(Value, u32);
const char *LLVMGetOperandBundleTag(void *, u64 *);
u32 LLVMGetNumOperandBundleArgs(void *);
void LLVMDisposeOperandBundle(void *);
void *LLVMGetFirstDbgRecord(Value);
int LLVMGetMetadataKind(Metadata);

static inline void empty(Pairs *pairs) {
  pairs->begin = pairs->in_place;
  pairs->size = 0;
  pairs->capacity = LARGE;
}

static COLD void add_attachments(State *state, Value value) {
  Pairs *pairs = &state->pairs;
  empty(pairs);
  if (metadata_libcxx) metadata_libcxx(value, pairs);
  else if (metadata_gnu) metadata_gnu(value, pairs);
  else state->inexact = 1;
  if (pairs->size) add(state, ~(u64)pairs->size);  // no other word begins so
  for (u32 i = 0; i < pairs->size; i++) {
    add(state, (u32)(u64)pairs->begin[i].first);
    add(state, node_number(state, (Metadata)pairs->begin[i].second));
  }
  if (pairs->begin != pairs->in_place) free(pairs->begin);
}

static COLD void add_bundles(State *state, Value call) {
  u32 count = LLVMGetNumOperandBundles(call);
  add(state, count);
  for (u32 i = 0; i < count; i++) {
    void *bundle = LLVMGetOperandBundleAtIndex(call, i);
    u64 length;
    const char *tag = LLVMGetOperandBundleTag(bundle, &length);
    add_bytes(state, tag, length);
    add(state, LLVMGetNumOperandBundleArgs(bundle));
    LLVMDisposeOperandBundle(bundle);
  }
}

static COLD void add_particulars(State *state, Instruction *instruction, int opcode) {
  Value value = &instruction->value;
  u32 count;
  switch (opcode) {
    case ALLOCA: case GEP:
      add_type(state, (Type)instruction->first);
      break;
    case CALL: case INVOKE: case CALL_BRANCH:
      add(state, instruction->first);
      add_type(state, (Type)instruction->second);
      if (value->descriptor) add_bundles(state, value);
      state->inexact |= opcode == CALL_BRANCH;
      break;
    case LOAD: case STORE: case FENCE: case COMPARE_EXCHANGE: case ATOMIC:
      add(state, instruction->first & 0xFF);
      break;
    case PHI:
      for (u32 i = 0; i < value->operands; i++) add(state, number_of(state, incoming_blocks(value)[i]));
      break;
    case SWITCH:
      for (u32 i = 1; i + 1 < value->operands; i++) add(state, (u64)LLVMGetSwitchCaseValue(value, i));
      break;
    case EXTRACT_VALUE: case INSERT_VALUE:
      count = LLVMGetNumIndices(value);
      add(state, count);
      for (u32 i = 0; i < count; i++) add(state, LLVMGetIndices(value)[i]);
      break;
    case SHUFFLE:
      count = LLVMGetNumMaskElements(value);
      add(state, count);
      for (u32 i = 0; i < count; i++) add(state, (u64)LLVMGetMaskValue(value, i));
      break;
  }
}

static void add_instruction(State *state, Value value) {
  Instruction *instruction = (Instruction *)value;
  add(state, head_of(value));
  add_type(state, value->type);
  Use *operands = operands_of(value);
  for (u32 i = 0; i < value->operands; i++) add(state, number_of(state, operands[i].value));
  add_particulars(state, instruction, opcode_of(state, value));
  if (value->attached) add_attachments(state, value);
  if (instruction->location || (instruction->records && LLVMGetFirstDbgRecord(value))) state->inexact = 1;
}

static COLD void add_names(State *state, const Names *names) {
  add(state, names ? names->items : 0);
  for (u32 i = 0; names && i < names->size; i++) {
    NameEntry *entry = names->buckets[i];
    if (!is_entry(entry)) continue;
    add(state, find(&state->locals, entry->value)->value);
    add_bytes(state, entry->key, entry->length);
  }
}

// Prefetches: later reads touch memory before and after the instruction, too soon after the list is walked.
static inline void ready(Value value) {
  __builtin_prefetch((Use *)value - 2);
  __builtin_prefetch((Use *)value - 1);
  __builtin_prefetch(&((Instruction *)value)->first);
}

static void add_body(State *state, Value function) {
  List *instructions = &state->instructions;
  instructions->count = 0;
  state->body = function;
  for (Value value = LLVMGetFirstParam(function); value; value = LLVMGetNextParam(value)) append(instructions, value);
  u64 first = instructions->count;
  for (Block block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    append(instructions, LLVMBasicBlockAsValue(block));
    for (Value value = LLVMGetFirstInstruction(block); value; value = LLVMGetNextInstruction(value)) {
      append(instructions, value);
      ready(value);
    }
  }
  u64 count = instructions->count;
  clear(&state->locals, count + 1);
  for (u64 i = 0; i < count; i++) number(&state->locals, instructions->items[i]);
  add(state, count);
  for (u64 i = first; i < count; i++) {
    Value value = (Value)instructions->items[i];
    if (kind_of(state, value) == BLOCK) add(state, 0);
    else add_instruction(state, value), state->count++;
  }
  add_names(state, ((Function *)function)->names);
}

static COLD void add_global(State *state, Value value) {
  Global *global = (Global *)value;
  u64 length;
  const char *name = LLVMGetValueName2(value, &length);
  u32 properties;
  __builtin_memcpy(&properties, &global->properties, sizeof properties);
  add_bytes(state, name, length);
  add(state, properties);
  add_type(state, global->type);
  add_type(state, value->type);
  if (value->attached) add_attachments(state, value);
  state->inexact |= global->properties.partition || global->properties.sanitizer;
}

static void add_object(State *state, Value value) {
  void *group = LLVMGetComdat(value);
  add_global(state, value);
  add_text(state, LLVMGetSection(value));
  add(state, (u64)group);
  if (group) add(state, (u64)LLVMGetComdatSelectionKind(group));
}

static void add_variable(State *state, Value value) {
  Variable *variable = (Variable *)value;
  add_object(state, value);
  add(state, head_of(value));
  add(state, variable->attributes);
  add(state, variable->constant | (u64)variable->external << 1);
  if (value->operands) add(state, number_of(state, operands_of(value)->value));
}

static void add_alias(State *state, Value value) {
  add_global(state, value);
  add(state, head_of(value));
  add(state, number_of(state, operands_of(value)->value));
}

// The lowest four bits of a function's data say if it is loaded and which of its three operands are used.
static void add_function(State *state, Value value) {
  add_object(state, value);
  add(state, value->data >> 4);
  add(state, ((Function *)value)->attributes);
  add_text(state, LLVMGetGC(value));
  add(state, LLVMHasPersonalityFn(value) ? number_of(state, LLVMGetPersonalityFn(value)) : 0);
  add(state, LLVMHasPrefixData(value) ? number_of(state, LLVMGetPrefixData(value)) : 0);
  add(state, LLVMHasPrologueData(value) ? number_of(state, LLVMGetPrologueData(value)) : 0);
  add_body(state, value);
}

static COLD void add_node(State *state, Metadata metadata) {
  add(state, metadata->id | (u64)metadata->storage << 8);
  int kind = LLVMGetMetadataKind(metadata);
  if (kind == STRING_METADATA) {
    add(state, (u64)metadata);
  } else if (kind == VALUE_METADATA) {
    add(state, number_of(state, ((ValueMetadata *)metadata)->value));
  } else if (kind == TUPLE) {
    u64 count;
    Metadata *operands = operands_of_node(metadata, &count);
    add(state, count);
    for (u64 i = 0; i < count; i++) add(state, node_number(state, operands[i]));
  } else {
    state->inexact = 1;  // debug information
  }
}

static void add_metadata(State *state, Module module) {
  for (Named named = LLVMGetFirstNamedMetadata(module); named; named = LLVMGetNextNamedMetadata(named)) {
    u64 length;
    const char *name = LLVMGetNamedMetadataName(named, &length);
    u32 count = named_count(named);
    add_bytes(state, name, length);
    add(state, count);
    for (u32 i = 0; i < count; i++) add(state, node_number(state, named_operand(named, i)));
  }
  for (u64 i = 0; i < state->pending.count; i++) add_node(state, (Metadata)state->pending.items[i]);
}

static u64 length_of(Context context, void (*names)(Context, Pairs *), Pairs *pairs) {
  empty(pairs);
  names(context, pairs);
  if (pairs->begin != pairs->in_place) free(pairs->begin);
  return pairs->size;
}

// Bitcode lists all of these in a context, used or not; none is ever removed.
static void add_header(State *state, Module module) {
  Context context = LLVMGetModuleContext(module);
  add(state, length_of(context, kind_names, &state->pairs));
  add(state, length_of(context, scope_names, &state->pairs));
  add(state, length_of(context, bundle_tags, &state->pairs));
  u64 length;
  const char *text = LLVMGetModuleInlineAsm(module, &length);
  add_bytes(state, text, length);
  text = LLVMGetSourceFileName(module, &length);
  add_bytes(state, text, length);
  add_text(state, LLVMGetTarget(module));
  add_text(state, LLVMGetDataLayoutStr(module));
}

static void begin(State *state) {
  clear(&state->globals, 256);
  clear(&state->constants, 256);
  clear(&state->nodes, 256);
  clear(&state->types, 64);
  clear(&state->blocks, 16);
  memset(state->recent, 0, sizeof state->recent);
  state->pending.count = 0;
  state->hash = 1;
  state->count = 0;
  state->body = 0;
  state->addresses = 0;
  state->inexact = 0;
}

// The memory for computing fingerprints, one at a time.
void *optarena_fingerprint_new(void) { return calloc(1, sizeof(State)); }

void optarena_fingerprint_free(State *state) {
  free(state->globals.slots);
  free(state->locals.slots);
  free(state->constants.slots);
  free(state->nodes.slots);
  free(state->types.slots);
  free(state->blocks.slots);
  free(state->instructions.items);
  free(state->pending.items);
  free(state);
}

// Writes the fingerprint and the number of instructions of all functions; returns whether the fingerprint
// covers all that the module holds.
int optarena_fingerprint(Module module, State *state, u64 *out) {
  begin(state);
  for (Value v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v)) number(&state->globals, v);
  add(state, state->globals.count);
  for (Value v = LLVMGetFirstFunction(module); v; v = LLVMGetNextFunction(v)) number(&state->globals, v);
  add(state, state->globals.count);
  for (Value v = LLVMGetFirstGlobalAlias(module); v; v = LLVMGetNextGlobalAlias(v)) number(&state->globals, v);
  add(state, state->globals.count);
  add_header(state, module);
  for (Value v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v)) add_variable(state, v);
  for (Value v = LLVMGetFirstGlobalAlias(module); v; v = LLVMGetNextGlobalAlias(v)) add_alias(state, v);
  for (Value v = LLVMGetFirstFunction(module); v; v = LLVMGetNextFunction(v)) add_function(state, v);
  add_metadata(state, module);
  out[0] = state->hash;
  out[1] = state->count;
  return !state->inexact && !LLVMGetFirstGlobalIFunc(module);
}
