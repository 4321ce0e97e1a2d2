#include "apply.h"

void *LLVMRunPasses(Module, const char *, void *, void *);
void *LLVMRunPassesOnFunction(Value, const char *, void *, void *);

int optarena_apply(PassState *state, const char *pipeline, Value function) {
  void *machine = state->machine, *options = state->options;
  state->is_known = state->found[1] = 0;
  state->error = function ? LLVMRunPassesOnFunction(function, pipeline, machine, options)
                          : LLVMRunPasses(state->module, pipeline, machine, options);
  if (state->error || *state->reported || !state->fingerprint) return 0;
  state->is_known = (u64)state->fingerprint(state->module, state->memory, state->found);
  return state->is_known && state->found[1] <= state->largest;
}

// What the diagnostic handler of a context answers if its remarks are wanted.
int optarena_yes(void) { return 1; }
