// The loop that calls a nest again and again and reads the clock, and the threads that it runs on; driver.py
// explains it and the fields of its structures. The declarations are our own subset of those
// of the C library on 64-bit Linux, so that no header is needed.
#define CACHE_LINE 64
#define SIGNALS_BYTES 128     // no architecture needs more
#define ATTRIBUTES_BYTES 256  // no architecture needs more
#define STACK_BYTES (1 << 18) // of a thread; the usual 8 MiB each would not fit a limited address space
#define SPINS 20000           // at the barrier, about half a millisecond, before others are offered the core

enum { CLOCK_MONOTONIC = 1, CLOCK_THREAD_CPUTIME_ID = 3, SIG_SETMASK = 2 };
struct timespec {
    long seconds, nanoseconds;
};
typedef struct {
    _Alignas(16) char bytes[SIGNALS_BYTES];
} Signals;
typedef struct {
    _Alignas(16) char bytes[ATTRIBUTES_BYTES];
} Attributes;

int clock_gettime(int, struct timespec *);
int sched_setaffinity(int, unsigned long, const void *);
int sched_yield(void);
int sigfillset(Signals *);
int pthread_sigmask(int, const Signals *, Signals *);
int pthread_attr_init(Attributes *);
int pthread_attr_setstacksize(Attributes *, unsigned long);
int pthread_attr_destroy(Attributes *);
int pthread_create(unsigned long *, const Attributes *, void *(*)(void *), void *);
int pthread_join(unsigned long, void **);

typedef void Nest(const float *, const float *, float *, long, long);

typedef struct {
    const float *a, *b;
    float *c;
    Nest *nest;
    long workers;
    const long *bounds;
    long target_ns, budget_ns, patience_ns, least, most, *times, unpinned;
    _Alignas(CACHE_LINE) long calls;
    long samples, done, warm, begun, used;
    _Alignas(CACHE_LINE) long arrived;
    _Alignas(CACHE_LINE) long round;
    long aborted;
} Shared;

typedef struct {
    Shared *shared;
    long worker;
    void (*entry)(Shared *, long);
    const void *mask;
    long mask_bytes;
    unsigned long thread;
} Task;

typedef struct {
    Task *tasks;
    long workers;
    const void *before;
    long before_bytes, started;
} Team;

static long clock_ns(int clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.seconds * 1000000000 + time.nanoseconds;
}

// Waits until all workers are here; returns 0 if one of them could not be started.
static int meet(Shared *shared) {
    long last = shared->workers - 1;
    long round = __atomic_load_n(&shared->round, __ATOMIC_ACQUIRE);
    if (__atomic_fetch_add(&shared->arrived, 1, __ATOMIC_ACQ_REL) == last) {
        __atomic_store_n(&shared->arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&shared->round, round + 1, __ATOMIC_RELEASE);
        return 1;
    }
    long spins = 0;
    do {
        __asm__ volatile("pause"); // driver.py puts the host's instruction in its place
        if (++spins > SPINS) sched_yield();
        if (__atomic_load_n(&shared->aborted, __ATOMIC_RELAXED)) return 0;
    } while (__atomic_load_n(&shared->round, __ATOMIC_ACQUIRE) == round);
    return 1;
}

// The decision after a batch, which all have timed; the others wait while worker 0 makes it.
static void decide(Shared *shared) {
    long taken = shared->used;
    shared->used = 0;
    if (taken < shared->target_ns) { // too short to time: all begins anew
        shared->calls *= 2;
        shared->samples = shared->warm = 0;
    } else if (!shared->warm) {
        shared->warm = 1;
    } else {
        shared->times[shared->samples++] = taken;
        long spent = clock_ns(CLOCK_MONOTONIC) - shared->begun;
        int enough = spent >= shared->budget_ns && shared->samples >= shared->least;
        shared->done = enough || shared->samples >= shared->most || spent >= shared->patience_ns;
    }
}

// Makes the calls of a batch; returns 0 if a worker is missing.
static int run_batch(Shared *shared, long worker, long calls) {
    const float *a = shared->a, *b = shared->b;
    float *c = shared->c;
    Nest *nest = shared->nest;
    long lo = shared->bounds[worker], hi = shared->bounds[worker + 1];
    if (shared->workers == 1) {
        for (long i = 0; i < calls; i++) nest(a, b, c, lo, hi);
        return 1;
    }
    for (long i = 0; i < calls; i++) {
        nest(a, b, c, lo, hi);
        if (!meet(shared)) return 0;
    }
    return 1;
}

void measure(Shared *shared, long worker) {
    if (worker == 0) shared->begun = clock_ns(CLOCK_MONOTONIC);
    if (!meet(shared)) return;
    do {
        long begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        if (!run_batch(shared, worker, shared->calls)) return;
        long used = clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
        __atomic_fetch_max(&shared->used, used, __ATOMIC_RELAXED);
        if (!meet(shared)) return;
        if (worker == 0) decide(shared);
        if (!meet(shared)) return;
    } while (!shared->done);
}

// The work of a worker; if pinning is refused, it runs unpinned and is counted.
static void *work(void *argument) {
    Task *task = argument;
    int refused = sched_setaffinity(0, (unsigned long)task->mask_bytes, task->mask);
    __atomic_fetch_add(&task->shared->unpinned, refused != 0, __ATOMIC_RELAXED);
    task->entry(task->shared, task->worker);
    return 0;
}

// Starts all workers but the first, until one fails; notes how many there are. The threads inherit blocked
// signals, which are for those that run Python.
static int start(Team *team) {
    Attributes attributes;
    Signals every, before;
    int failed = 0;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    while (team->started < team->workers && !failed) {
        Task *task = &team->tasks[team->started];
        failed = pthread_create(&task->thread, &attributes, work, task);
        team->started += !failed;
    }
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    return failed;
}

int together(Team *team) {
    int failed = 0;
    team->started = 1;
    if (team->workers > 1) failed = start(team);
    if (failed) {
        __atomic_store_n(&team->tasks->shared->aborted, 1, __ATOMIC_RELAXED);
    } else {
        work(team->tasks);
        sched_setaffinity(0, (unsigned long)team->before_bytes, team->before);
    }
    for (long worker = team->started - 1; worker > 0; worker--) pthread_join(team->tasks[worker].thread, 0);
    return failed;
}
