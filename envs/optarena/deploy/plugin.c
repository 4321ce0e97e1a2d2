/* Runs the passes of a recipe in place of clang's own, just before code is generated.

   Plain C over LLVM's C interface, which clang exports. The recipe's rules and numbers stand in front of this text. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef TRIAL_TEST /* what a test does in a trial */
#define TRIAL_TEST(index) (void)(index)
#define TRIAL_SECONDS 120
#endif
#define TRIAL_BYTES (8ul << 30)
enum { OBJECT = 1, FUNCTION = -1, NO_BITS = 8, ALLOCATED = 2, EXECUTABLE = 4 };

typedef void *Module, *Machine, *Error, *Buffer, *Value;
int LLVMTargetMachineEmitToMemoryBuffer(Machine, Module, int, char **, Buffer *), LLVMIsDeclaration(Value);
int LLVMWriteBitcodeToFile(Module, const char *);
unsigned LLVMGetEnumAttributeKindForName(const char *, size_t);
size_t LLVMGetBufferSize(Buffer);
char *LLVMGetErrorMessage(Error);
const char *LLVMGetSourceFileName(Module, size_t *), *LLVMGetValueName2(Value, size_t *), *LLVMGetBufferStart(Buffer);
Buffer LLVMWriteBitcodeToMemoryBuffer(Module);
Value LLVMGetFirstFunction(Module), LLVMGetNextFunction(Value);
void *LLVMCreatePassBuilderOptions(void), *LLVMRunPasses(Module, const char *, Machine, void *);
void *LLVMGetEnumAttributeAtIndex(Value, unsigned, unsigned), *LLVMGetNamedMetadata(Module, const char *, size_t);
void LLVMGetVersion(unsigned *, unsigned *, unsigned *), LLVMAppendModuleInlineAsm(Module, const char *, size_t);
void LLVMDisposePassBuilderOptions(void *), LLVMDisposeErrorMessage(char *), LLVMDisposeMemoryBuffer(Buffer);
void LLVMResetFatalErrorHandler(void), LLVMInstallFatalErrorHandler(void (*)(const char *));

#define warn(source, what, detail) fprintf(stderr, "optarena: %s: %s%.500s\n", source, what, detail)
#define TURN(x, n) ((x) >> (n) | (x) << (32 - (n)))
/* SHA-256, FIPS 180-4. */
static void hash_block(uint32_t h[8], const uint8_t *p, const uint32_t k[64]) {
  uint32_t w[64], s[8];
  memcpy(s, h, sizeof s);
  for (int i = 0; i < 64; i++) {
    uint32_t a = s[0], e = s[4], *v = w + i;
    *v = i < 16 ? (uint32_t)p[4 * i] << 24 | p[4 * i + 1] << 16 | p[4 * i + 2] << 8 | p[4 * i + 3]
                : v[-16] + v[-7] + (TURN(v[-15], 7) ^ TURN(v[-15], 18) ^ v[-15] >> 3) +
                      (TURN(v[-2], 17) ^ TURN(v[-2], 19) ^ v[-2] >> 10);
    uint32_t t = s[7] + (TURN(e, 6) ^ TURN(e, 11) ^ TURN(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + k[i] + w[i];
    uint32_t u = (TURN(a, 2) ^ TURN(a, 13) ^ TURN(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += t, s[0] = t + u;
  }
  for (int i = 0; i < 8; i++) h[i] += s[i];
}

/* The first bits of the fractional parts of the square or cube roots of the first primes. */
static void hash_constants(uint32_t *to, int count, int root) {
  for (int n = 2, found = 0; found < count; n++) {
    int d = 2;
    while (n % d) d++;
    unsigned __int128 x = 0, one = 1;
    for (one <<= 39; one; one >>= 1)
      if ((root == 3 ? x + one : 1) * (x + one) * (x + one) <= (unsigned __int128)n << 32 * root) x += one;
    if (d == n) to[found++] = (uint32_t)x;
  }
}

static void sha256(const uint8_t *data, size_t size, char text[65]) {
  uint32_t h[8], k[64];
  uint8_t end[128] = {0};
  hash_constants(h, 8, 2), hash_constants(k, 64, 3);
  size_t whole = size / 64 * 64, rest = size % 64, last = rest < 56 ? 64 : 128;
  for (size_t i = 0; i < whole; i += 64) hash_block(h, data + i, k);
  memcpy(end, data + whole, rest);
  end[rest] = 0x80;
  for (int i = 0; i < 8; i++) end[last - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
  for (size_t i = 0; i < last; i += 64) hash_block(h, end + i, k);
  for (int i = 0; i < 8; i++) sprintf(text + 8 * i, "%08x", h[i]);
}

static bool has_attribute(Value function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return kind && LLVMGetEnumAttributeAtIndex(function, FUNCTION, kind);
}

/* What a module has that clang's own passes would have lowered; NULL if nothing. */
static const char *instrumented(Module module) {
  static const char *const sanitizers[] = {
      "sanitize_address", "sanitize_hwaddress", "sanitize_memory", "sanitize_memtag", "sanitize_numerical_stability",
      "sanitize_realtime", "sanitize_thread", "sanitize_type"};
  if (LLVMGetNamedMetadata(module, "llvm.gcov", 9)) return "coverage";
  for (Value f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!strncmp(LLVMGetValueName2(f, &(size_t){0}), "llvm.instrprof.", 15)) return "profiling";
    for (unsigned i = 0; i < sizeof sanitizers / sizeof *sanitizers; i++)
      if (has_attribute(f, sanitizers[i])) return sanitizers[i];
  }
  return NULL;
}

/* Whether the front end was told to optimise at LEVEL, as far as attributes tell. */
static bool at_level(Module module) {
  int defined = 0, fitting = 0;
  for (Value f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    bool fits = has_attribute(f, LEVEL_ATTRIBUTE) || (!*LEVEL_ATTRIBUTE && !has_attribute(f, "optnone"));
    if (!LLVMIsDeclaration(f)) defined++, fitting += fits;
  }
  return fitting || !defined;
}

/* Runs a pipeline. Returns LLVM's message, or NULL. */
static char *apply(Module module, Machine machine, const char *pipeline) {
  void *options = LLVMCreatePassBuilderOptions();
  Error error = NULL;
  if (*required && strncmp(pipeline, "default<", 8)) error = LLVMRunPasses(module, required, machine, options);
  if (!error) error = LLVMRunPasses(module, pipeline, machine, options);
  LLVMDisposePassBuilderOptions(options);
  return error ? LLVMGetErrorMessage(error) : NULL;
}

static void apply_default(Module module, Machine machine, const char *source, const char *why) {
  warn(source, "compiled with the passes of -" LEVEL " instead: ", why);
  char *message = apply(module, machine, "default<" LEVEL ">"); /* LLVM 23 has no levels for size */
  if (message) message = apply(module, machine, "default<O2>");
  if (message) warn(source, "compiled without optimisation: ", message);
}

static uint64_t number(const uint8_t *at, int bytes) { return bytes ? number(at + 1, bytes - 1) << 8 | *at : 0; }
/* The bytes of an object that count; of other files than 64-bit little-endian ELF all of them. */
static long measured(const uint8_t *code, size_t size) {
  if (size < 64 || memcmp(code, "\177ELF\2\1", 6)) return (long)size;
  const uint8_t *table = code + number(code + 40, 8);
  uint64_t entry = number(code + 58, 2), count = number(code + 60, 2), names = number(code + 62, 2), sum = 0;
  if (!count) count = number(table + 32, 8); /* there are too many for the header */
  if (names == 0xffff) names = number(table + 40, 4);
  const char *strings = (const char *)code + number(table + names * entry + 24, 8);
  for (uint64_t i = 0; i < count; i++) {
    const uint8_t *section = table + i * entry;
    const char *name = strings + number(section, 4);
    uint64_t flags = number(section + 8, 8);
    bool unwinds = !strncmp(name, ".eh_frame", 9) || !strncmp(name, ".gcc_except_table", 17);
    bool counts = flags & EXECUTABLE || (LOADED_BYTES && flags & ALLOCATED && !unwinds);
    if (counts && number(section + 4, 4) != NO_BITS) sum += number(section + 32, 8);
  }
  return (long)sum;
}

static void end_trial(const char *reason) { _exit(reason != NULL); }
/* The size of the object that a pipeline leads to, found in a child; -1 if it crashes, or takes too much. */
static long try(Module module, Machine machine, const char *pipeline, int index) {
  int ends[2];
  long size = -1;
  if (pipe(ends)) return -1;
  pid_t child = fork();
  if (child == 0) {
    for (int one = 1; one < 65; one++) signal(one, SIG_DFL); /* LLVM's would delete the parent's output */
    LLVMResetFatalErrorHandler();
    LLVMInstallFatalErrorHandler(end_trial);
    setrlimit(RLIMIT_CPU, &(struct rlimit){TRIAL_SECONDS, TRIAL_SECONDS});
    setrlimit(RLIMIT_AS, &(struct rlimit){TRIAL_BYTES, TRIAL_BYTES});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    alarm(10 * TRIAL_SECONDS);
    int null = open("/dev/null", O_WRONLY);
    dup2(null, 1), dup2(null, 2);
    TRIAL_TEST(index);
    Buffer code;
    char *message;
    if (apply(module, machine, pipeline)) _exit(1); /* such as an unknown pass */
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, OBJECT, &message, &code)) _exit(1);
    size = measured((const uint8_t *)LLVMGetBufferStart(code), LLVMGetBufferSize(code));
    _exit(write(ends[1], &size, sizeof size) != sizeof size);
  }
  close(ends[1]);
  if (child < 0 || read(ends[0], &size, sizeof size) != sizeof size) size = -1;
  close(ends[0]);
  while (child > 0 && waitpid(child, NULL, 0) < 0) continue;
  return size;
}

static int choose(Module module, Machine machine, const struct Rule *rule, const char *source, long *least) {
  int best = 0;
  for (int i = 0; rule->count > 1 && i < rule->count; i++) {
    long size = try(module, machine, rule->pipelines[i], i);
    if (size >= 0 && (*least < 0 || size < *least)) *least = size, best = i;
  }
  if (rule->count > 1 && *least < 0) warn(source, "every sequence failed when it was tried; the first is used", "");
  return best;
}

static bool matches(const struct Rule *rule, const char *source, const char *hash) {
  size_t path = strlen(source), end = strlen(rule->source);
  if (*rule->sha256 || !strcmp(rule->source, "*")) return !*rule->sha256 || !strcmp(rule->sha256, hash);
  return path >= end && !strcmp(source + path - end, rule->source) && (path == end || source[path - end - 1] == '/');
}

/* Keeps the module, and a line with what was chosen for it, in the folder $OPTARENA_RECORD. */
static bool record(const char *folder, const char *hash, Buffer bitcode, const char *line) {
  char own[4096], path[4096];
  snprintf(own, sizeof own, "%s/%s.%d", folder, hash, (int)getpid());
  snprintf(path, sizeof path, "%s/%s.bc", folder, hash);
  FILE *file = fopen(own, "wb");
  bool written = file && fwrite(LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode), 1, file) == 1;
  if (!file || fclose(file) || !written || rename(own, path)) return false;
  snprintf(path, sizeof path, "%s/modules.tsv", folder);
  int log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666); /* one write is one whole line */
  written = log >= 0 && write(log, line, strlen(line)) == (ssize_t)strlen(line);
  return log >= 0 && !close(log) && written;
}

static bool run(Module module, Machine machine, int type, void *out) {
  (void)out;
  char line[8192], hash[65] = "";
  const char *source = LLVMGetSourceFileName(module, &(size_t){0}), *fault = instrumented(module);
  if (fault) { /* an error of the assembler ends clang as any other error does; assembly is not assembled */
    snprintf(line, sizeof line, ".error \"optarena: %s needs clang's own passes; leave out -fpass-plugin=\"", fault);
    apply(module, machine, "instrprof"); /* else the back end would abort before */
    LLVMAppendModuleInlineAsm(module, line, strlen(line));
    if (type != OBJECT) warn(source, "leave out -fpass-plugin=, since clang's own passes are needed for ", fault);
    return false;
  }
  unsigned major, minor, patch, r = 0, count = sizeof rules / sizeof *rules;
  LLVMGetVersion(&major, &minor, &patch);
  if (major != MAJOR) return apply_default(module, machine, source, "the recipe is of another LLVM"), false;
  if (!at_level(module)) warn(source, "-" LEVEL " is not in force; write it behind other options -O", "");
  const char *folder = getenv("OPTARENA_RECORD");
  Buffer bitcode = HASHED || folder ? LLVMWriteBitcodeToMemoryBuffer(module) : NULL;
  if (bitcode) sha256((const uint8_t *)LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode), hash);
  while (r < count && !matches(&rules[r], source, hash)) r++;
  long size = -1;
  int best = r < count ? choose(module, machine, &rules[r], source, &size) : 0;
  snprintf(line, sizeof line, "%s\t%u\t%d\t%ld\t%s\n", hash, r, best, size, source);
  if (folder && !record(folder, hash, bitcode, line))
    warn(source, "the module cannot be recorded in ", folder), folder = NULL;
  if (bitcode) LLVMDisposeMemoryBuffer(bitcode);
  char *message = r < count ? apply(module, machine, rules[r].pipelines[best]) : NULL;
  if (r == count || message) apply_default(module, machine, source, message ? message : "no rule");
  if (folder) snprintf(line, sizeof line, "%s/%s.made", folder, hash); /* other orders of uses would lead to another */
  if (folder && LLVMWriteBitcodeToFile(module, line)) warn(source, "the module cannot be recorded in ", folder);
  return false;
}

struct Plugin { /* llvm::PassPluginLibraryInfo, of version 2 of its interface */
  uint32_t version;
  const char *name, *release;
  void (*add_passes)(void *);
  bool (*before_code)(Module, Machine, int, void *);
};
__attribute__((visibility("default"))) struct Plugin llvmGetPassPluginInfo(void) {
  return (struct Plugin){2, "optarena", "1", NULL, run};
}
