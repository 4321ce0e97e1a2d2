// Tries walks in child processes that run nothing of Python: a forked process copies each page that it writes to
// first, and so does its parent afterwards; an interpreter writes to hundreds. A child writes its answer into
// memory that it shares with its parent, and ends. A walk with anything out of the ordinary has no answer: it is
// tried again in the usual way, which can tell why.
#include "apply.h"

typedef struct { int descriptor; short events, ready; } Polled;

int fork(void);
int getppid(void);
int setpgid(int, int);
int prctl(int, ...);
int open(const char *, int, ...);
int dup2(int, int);
int close(int);
int kill(int, int);
int waitpid(int, int *, int);
int poll(Polled *, u64, int);
int madvise(void *, u64, int);
int mprotect(void *, u64, int);
i64 syscall(i64, ...);
_Noreturn void _exit(int);

enum { PDEATHSIG = 1, KILL = 9, POPULATE_WRITE = 23, PIDFD_OPEN = 434, WRITE = 1, READABLE = 1 };
enum { OBSERVATIONS = 4, AT_A_TIME = 64, NO_ACCESS = 0, READ_AND_WRITE = 3 };
enum { PAGE = 4096 };

// What is tried, and on what. Each answer has a page of its own: 1 once it is whole, and for each pass of the
// walk whether it had no effect, the number of instructions, and the numbers of the observations.
typedef struct {
  PassState *state;
  void (*observations[OBSERVATIONS])(Module, i64 *);
  u64 lengths[OBSERVATIONS];                         // how many numbers each of them writes
  u64 before;                                        // the fingerprint of the present state
  i64 cpu[4];                                        // the limit on CPU time, as for setitimer
  char *heap;                                        // what a child will mostly write to
  u64 heap_bytes;
  i64 parent, channel, at_a_time, patience_ms;
  u64 number;                                        // of walks
  const u64 *ends;                                   // for each walk the place after its last pass
  const char *const *pipelines;                      // of all walks, one after the other
  char *answers;
} Trials;

static void begin(const Trials *trials, void *answer) {
  setpgid(0, 0);
  prctl(PDEATHSIG, KILL);
  if (getppid() != trials->parent) _exit(1);
  close((int)trials->channel);
  int nowhere = open("/dev/null", WRITE);
  dup2(nowhere, 1);
  dup2(nowhere, 2);
  // A pass may write anywhere, but not into the answers of others.
  mprotect(trials->answers, trials->number * PAGE, NO_ACCESS);
  mprotect(answer, PAGE, READ_AND_WRITE);
  if (trials->heap_bytes) madvise(trials->heap, trials->heap_bytes, POPULATE_WRITE);
}

static _Noreturn void child(const Trials *trials, u64 index) {
  volatile i64 *answer = (i64 *)(trials->answers + index * PAGE);
  i64 *numbers = (i64 *)answer + 1;
  PassState *state = trials->state;
  u64 before = trials->before;
  begin(trials, (void *)answer);
  for (u64 at = index ? trials->ends[index - 1] : 0; at < trials->ends[index]; at++) {
    limit(trials->cpu);
    if (!optarena_apply(state, trials->pipelines[at], 0)) _exit(1);
    *numbers++ = state->found[0] == before;
    *numbers++ = (i64)state->found[1];
    for (int i = 0; i < OBSERVATIONS && trials->observations[i]; i++) {
      trials->observations[i](state->module, numbers);
      numbers += trials->lengths[i];
    }
    before = state->found[0];
  }
  answer[0] = 1;
  _exit(0);
}

// Tries the walks, some at a time, until all children have ended. It gives up, and leaves the rest without an
// answer, if there can be no child or if none ends for too long.
void optarena_trials(const Trials *trials) {
  Polled ends[AT_A_TIME];
  int pids[AT_A_TIME], running = 0, going_on = 1;
  u64 next = 0;
  while (running || (going_on && next < trials->number)) {
    while (going_on && next < trials->number && running < AT_A_TIME && running < trials->at_a_time) {
      int pid = fork();
      if (!pid) child(trials, next);
      int end = pid < 0 ? -1 : (int)syscall(PIDFD_OPEN, pid, 0);
      if (end < 0) going_on = 0;
      if (pid < 0) break;
      ends[running] = (Polled){end, READABLE, 0};
      pids[running++] = pid;
      next++;
    }
    if (running && going_on && poll(ends, (u64)running, (int)trials->patience_ms) == 0) going_on = 0;
    for (int i = running - 1; i >= 0; i--) {
      if (going_on && !ends[i].ready) continue;
      kill(pids[i], KILL);
      waitpid(pids[i], 0, 0);
      close(ends[i].descriptor);
      ends[i] = ends[--running];
      pids[i] = pids[running];
    }
  }
}
