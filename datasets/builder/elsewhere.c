/* Preloaded into a program, this answers every question about the time, the machine and the user as if it ran
 * on another day, elsewhere. Each question moves the clock on, so that even a duration comes out different.
 * Declarations are written here, of Linux on x86-64: suites choose which headers there are. */

#define AWAY (400 * 86400L + 5 * 3600L + 17)
#define STEP 7919L
#define NANOSECONDS 1000000000L
#define USER 54321u
#define NAME_BYTES 65 /* of each name of a utsname */

enum { REALTIME = 0, PROCESS_CPUTIME = 2 };
enum { SYS_UNAME = 63, SYS_GETRUSAGE = 98, SYS_SYSINFO = 99, SYS_CLOCK_GETTIME = 228 };
enum { NPROCESSORS_CONF = 83, NPROCESSORS_ONLN = 84, PHYS_PAGES = 85, AVPHYS_PAGES = 86 };
enum { FIRST_OF_CACHES = 185, LAST_OF_CACHES = 199 }; /* sizes and shapes of the processor's, for sysconf */
enum { TIME_UTC = 1 };

struct timespec { long tv_sec, tv_nsec; };
struct timeval { long tv_sec, tv_usec; };
struct tms { long user, system, children_user, children_system; };
struct rusage { struct timeval user, system; long max_resident, others[13]; };
struct utsname { char system[NAME_BYTES], node[NAME_BYTES], release[NAME_BYTES], version[NAME_BYTES],
                 machine[NAME_BYTES], domain[NAME_BYTES]; };
struct timeb { long time; unsigned short millitm; short zone[2]; };
struct sysinfo { long uptime; unsigned long loads[3], memory[6]; unsigned short processes; char rest[30]; };

long syscall(long, ...);
char *strcpy(char *, const char *);
void *memset(void *, int, unsigned long);
void *dlsym(void *, const char *);

static const char host[] = "elsewhere";
static long questions;

int clock_gettime(int clock, struct timespec *now)
{
    int failed = (int)syscall(SYS_CLOCK_GETTIME, (long)clock, now);
    if (!failed) {
        questions++;
        now->tv_sec += AWAY + questions * STEP;
        now->tv_nsec = (now->tv_nsec + questions * 123456789) % NANOSECONDS;
    }
    return failed;
}

static struct timespec now_of(int clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now;
}

long time(long *to)
{
    long now = now_of(REALTIME).tv_sec;
    if (to)
        *to = now;
    return now;
}

int gettimeofday(struct timeval *to, void *zone)
{
    struct timespec now = now_of(REALTIME);
    (void)zone;
    to->tv_sec = now.tv_sec;
    to->tv_usec = now.tv_nsec / 1000;
    return 0;
}

int timespec_get(struct timespec *to, int base)
{
    if (base != TIME_UTC)
        return 0;
    *to = now_of(REALTIME);
    return base;
}

int ftime(struct timeb *to)
{
    struct timespec now = now_of(REALTIME);
    memset(to, 0, sizeof *to);
    to->time = now.tv_sec;
    to->millitm = (unsigned short)(now.tv_nsec / 1000000);
    return 0;
}

long clock(void)
{
    struct timespec now = now_of(PROCESS_CPUTIME);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

long times(struct tms *to)
{
    long now = clock() / 10000;
    if (to)
        to->user = to->system = to->children_user = to->children_system = now;
    return now;
}

int getrusage(int who, struct rusage *to)
{
    int failed = (int)syscall(SYS_GETRUSAGE, (long)who, to);
    if (!failed) {
        to->user.tv_sec += AWAY + ++questions * STEP;
        to->max_resident += questions * STEP;
    }
    return failed;
}

int gethostname(char *to, unsigned long size)
{
    if (size < sizeof host)
        return -1;
    strcpy(to, host);
    return 0;
}

int getdomainname(char *to, unsigned long size)
{
    return gethostname(to, size);
}

int uname(struct utsname *to)
{
    int failed = (int)syscall(SYS_UNAME, to);
    if (!failed) {
        strcpy(to->node, host);
        strcpy(to->domain, host);
        strcpy(to->release, "99.9.9");
        strcpy(to->version, "#99");
    }
    return failed;
}

int sysinfo(struct sysinfo *to)
{
    int failed = (int)syscall(SYS_SYSINFO, to);
    if (!failed) {
        to->uptime += AWAY + ++questions * STEP;
        to->memory[0] += 4096;
        to->memory[1] += questions * 4096;
        to->processes += 1;
    }
    return failed;
}

unsigned getuid(void) { return USER; }
unsigned geteuid(void) { return USER; }
unsigned getgid(void) { return USER; }
unsigned getegid(void) { return USER; }

const char *gnu_get_libc_version(void) { return "9.99"; }

/* A function of the C library itself, which this one hides. */
#define REAL(type, name) ((type)dlsym((void *)-1L, #name)) /* RTLD_NEXT */

long sysconf(int name)
{
    int is_of_caches = FIRST_OF_CACHES <= name && name <= LAST_OF_CACHES;
    int is_of_machine = NPROCESSORS_CONF <= name && name <= AVPHYS_PAGES;
    return REAL(long (*)(int), sysconf)(name) + (is_of_caches || is_of_machine);
}

int get_nprocs(void) { return (int)sysconf(NPROCESSORS_ONLN); }
int get_nprocs_conf(void) { return (int)sysconf(NPROCESSORS_CONF); }
long get_phys_pages(void) { return sysconf(PHYS_PAGES); }
long get_avphys_pages(void) { return sysconf(AVPHYS_PAGES); }

int sched_getaffinity(int process, unsigned long size, unsigned char *to)
{
    int failed = REAL(int (*)(int, unsigned long, unsigned char *), sched_getaffinity)(process, size, to);
    if (!failed && size)
        to[0] ^= 0xff;
    return failed;
}
