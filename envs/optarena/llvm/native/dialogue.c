// Has LLVM's inliner ask about one call after the other, while the pipeline around it waits.
//
// LLVM's InteractiveModelRunner writes the features of a call to one file, and reads the decision from another.
// Here libLLVM's own calls of open, write and read come first, through its table of imported functions, so the
// two files are none: the pipeline runs on a fiber, which stops where it would read, and goes on with an answer.
// A process that is copied meanwhile copies the fiber too.
#include "apply.h"

void *LLVMRunPasses(Module, const char *, void *, void *);
int open(const char *, int, u32);
i64 read(int, void *, u64);
i64 write(int, const void *, u64);
int dup(int);
Value LLVMGetCalledValue(Value);
const char *LLVMGetValueName2(Value, u64 *);

enum { STDERR = 2, FEATURES = 64, BUFFER = 1 << 16, DEFAULT = 2 };

typedef struct {
  Module module;
  void *machine, *options;
  const char *pipeline;
  char *stack;             // the upper end of the fiber's stack, aligned to 16
  u64 count;               // how many numbers a question has
  void *fiber, *caller;    // stack pointers of what waits
  void *error;             // what LLVM returned
  u64 has_ended, is_wrong; // whether the pipeline has ended; whether LLVM wrote something else than a question
  i64 answer;
  Value call;              // what the question is about
  u64 questions, answers;  // descriptors
  i64 numbers[FEATURES];   // the question
  u64 callee;              // stands for the name of the function that is called
} Dialogue;

static Dialogue *current;
static char written[BUFFER];
static u64 length;
static void *(*advise)(void *, void *, Value);  // MLInlineAdvisor::getAdviceImpl

// Keeps what the System V calling convention keeps, and goes on where the other was left.
__attribute__((naked, noinline)) void optarena_switch_fiber(void **saved, void *next) {
  __asm__("pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
          "  movq %rsp, (%rdi)\n  movq %rsi, %rsp\n"
          "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
          "  retq\n");
}

static int equal(const char *one, const char *other) {
  while (*one && *one == *other) one++, other++;
  return *one == *other;
}

int optarena_dialogue_open(const char *path, int flags, u32 mode) {
  int is_in = equal(path, "optarena-inliner.in");
  if (!current || !(is_in || equal(path, "optarena-inliner.out"))) return open(path, flags, mode);
  int made = dup(STDERR);  // LLVM looks at the descriptor, and closes it; nothing is written to it
  if (is_in) current->answers = (u64)made;
  else current->questions = (u64)made;
  length = 0;
  return made;
}

i64 optarena_dialogue_write(int file, const void *data, u64 bytes) {
  if (!current || (u64)file != current->questions) return write(file, data, bytes);
  if (length + bytes > BUFFER) length = 0, current->is_wrong = 1;
  else {
    __builtin_memcpy(written + length, data, bytes);
    length += bytes;
  }
  return (i64)bytes;
}

i64 optarena_dialogue_read(int file, void *data, u64 bytes) {
  if (!current || (u64)file != current->answers) return read(file, data, bytes);
  // After a line that announces it, a question is its numbers and the end of the line.
  u64 numbers = 8 * current->count;
  if (bytes != 8 || length < numbers + 2 || written[length - 1] != '\n' || written[length - numbers - 2] != '\n')
    current->is_wrong = 1;
  else __builtin_memcpy(current->numbers, written + length - numbers - 1, numbers);
  length = 0;
  optarena_switch_fiber(&current->fiber, current->caller);
  __builtin_memcpy(data, &current->answer, 8);
  return 8;
}

void *optarena_dialogue_advise(void *result, void *advisor, Value call) {
  if (current) {
    // Passes make functions anew, which keep their names. This is FNV-1a, without its last bit.
    u64 bytes, hash = 0xcbf29ce484222325;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &bytes);
    for (u64 i = 0; i < bytes; i++) hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3;
    current->call = call;
    current->callee = hash >> 1;
  }
  return advise(result, advisor, call);
}

void optarena_dialogue_prepare(void *original) {
  advise = (void *(*)(void *, void *, Value))original;
}

static void fiber(void) {
  current->error = LLVMRunPasses(current->module, current->pipeline, current->machine, current->options);
  current->has_ended = 1;
  optarena_switch_fiber(&current->fiber, current->caller);
}

// Begins the pipeline, or goes on with it, until the next question or the end.
void optarena_dialogue_go_on(Dialogue *dialogue) {
  if (!dialogue->fiber) {
    // At its first turn a fiber takes six registers and the address of `fiber` from its stack. As after a call, the
    // stack then is 8 bytes below a multiple of 16.
    void **top = (void **)dialogue->stack - 1;
    *top = 0;
    *--top = (void *)fiber;
    for (int i = 0; i < 6; i++) *--top = 0;
    dialogue->fiber = top;
  }
  current = dialogue;
  optarena_switch_fiber(&dialogue->caller, dialogue->fiber);
  current = 0;
}

// With a decision of `inliner/columns.py` on one call: that of the default advice, or 1 to inline it, or 0.
int optarena_dialogue_decide(void *waiting, u64 decision) {
  Dialogue *dialogue = waiting;
  dialogue->answer = decision == DEFAULT ? dialogue->numbers[dialogue->count - 1] : (i64)decision;
  optarena_dialogue_go_on(dialogue);
  return !dialogue->has_ended && !dialogue->is_wrong;
}
