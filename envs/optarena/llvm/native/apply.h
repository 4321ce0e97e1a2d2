// The only door from an action to LLVM: sessions in Python, steps without Python, and trials call it.
typedef struct Module *Module;
typedef struct Value *Value;
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;

int setitimer(int, const void *, void *);

// What passes run on, and what the last ones left.
typedef struct {
  Module module;
  void *machine, *options;
  int (*fingerprint)(Module, void *, u64 *);  // 0 where no fingerprint is wanted
  void *memory;                               // of the fingerprint
  const int *reported;                        // whether LLVM has reported an error
  u64 largest;                                // how many instructions there may be
  void *error;                                // what LLVM returned
  u64 is_known;                               // whether there is a fingerprint of the present state
  u64 found[2];                               // the fingerprint, and the number of instructions, 0 if unknown
} PassState;

// Runs passes on the module, or on one of its functions. Gives whether the result is usual: no error, and a
// state with a fingerprint that is not too large. Python tells what is not.
int optarena_apply(PassState *state, const char *pipeline, Value function);

// Decides on the call that an inliner asks about, see dialogue.c. Gives whether it asks about another one.
int optarena_dialogue_decide(void *dialogue, u64 decision);

// Sets a limit of CPU time, in the form of setitimer; none if it is 0.
static inline void limit(const i64 *cpu) {
  if (cpu[2] | cpu[3]) setitimer(2 /* ITIMER_PROF */, cpu, 0);
}
