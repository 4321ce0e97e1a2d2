// Tries a pass in a child process, which runs nothing of Python: a forked process copies each page that it
// writes to first, and an interpreter writes to hundreds. The child writes its answer and ends; whatever is out
// of the ordinary it leaves to be tried again in the usual way.
typedef struct Module *Module;
typedef unsigned long long u64;
typedef long long i64;

int fork(void);
int getppid(void);
int setpgid(int, int);
int prctl(int, ...);
int dup2(int, int);
int close(int);
int setitimer(int, const void *, void *);
int madvise(void *, u64, int);
i64 pwrite(int, const void *, u64, i64);
i64 write(int, const void *, u64);
_Noreturn void _exit(int);
void *LLVMRunPasses(Module, const char *, void *, void *);

enum { PDEATHSIG = 1, KILL = 9, TIMER_OF_CPU = 2, POPULATE_WRITE = 23 };
enum { DONE = 0, AGAIN = 77, ORPHAN = 69, MOST = 4, NUMBERS = 192 };

// What a trial is made of; the numbers are those of the side in Python.
typedef struct {
  Module module;
  const char *pipeline;
  void *machine;
  void *options;
  int (*fingerprint)(Module, void *, u64 *);
  void *memory;                                // of the fingerprint
  void (*observations[MOST])(Module, i64 *);   // each writes its numbers
  u64 lengths[MOST];                           // how many
  u64 before;                                  // the fingerprint of the present state
  u64 largest;                                 // how many instructions there may be
  const int *reported;                         // whether LLVM has reported an error
  u64 cpu[4];                                  // the limit on CPU time, as for setitimer
  char *heap;                                  // what the child will mostly write to
  u64 heap_bytes;
  i64 parent, channel, answer, output, progress;
} Trial;

static void begin(const Trial *trial) {
  const u64 first = 1;
  setpgid(0, 0);
  prctl(PDEATHSIG, KILL);
  if (getppid() != trial->parent) _exit(ORPHAN);
  close(trial->channel);
  dup2(trial->output, 1);
  dup2(trial->output, 2);
  if (trial->heap_bytes) madvise(trial->heap, trial->heap_bytes, POPULATE_WRITE);
  pwrite(trial->progress, &first, sizeof first, 0);
  if (trial->cpu[2] | trial->cpu[3]) setitimer(TIMER_OF_CPU, trial->cpu, 0);
}

static _Noreturn void child(const Trial *trial) {
  i64 answer[2 + MOST * NUMBERS];
  u64 found[2], used = 2;
  begin(trial);
  if (LLVMRunPasses(trial->module, trial->pipeline, trial->machine, trial->options)) _exit(AGAIN);
  if (*trial->reported) _exit(AGAIN);
  if (!trial->fingerprint(trial->module, trial->memory, found) || found[1] > trial->largest) _exit(AGAIN);
  answer[0] = found[0] == trial->before;
  answer[1] = (i64)found[1];
  for (int i = 0; i < MOST && trial->observations[i]; i++) {
    trial->observations[i](trial->module, answer + used);
    used += trial->lengths[i];
  }
  _exit(write(trial->answer, answer, used * sizeof *answer) == (i64)(used * sizeof *answer) ? DONE : AGAIN);
}

// Starts the child and returns its process id, or a negative number if there can be none.
int optarena_trial(const Trial *trial) {
  int pid = fork();
  if (!pid) child(trial);
  return pid;
}
