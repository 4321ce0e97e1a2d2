/* What the drivers share. A driver turns a library into a program: it takes what to do and how much of it from
 * its arguments, makes its own input from a seed, and prints what came out, as numbers and checksums. It uses
 * no clock, no file and no environment variable, so that it prints the same wherever it runs.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program: the library refused what it should accept. The exit code says that the run is no answer. */
static void bench_fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(3);
}

static void bench_check(int holds, const char *what) {
  if (!holds) bench_fail(what);
}

/* Argument number `at` (1 is the first) as a number from `low` to `high`. */
static long bench_number(int argc, char **argv, int at, long low, long high) {
  char *end = NULL;
  long value;
  if (at >= argc) bench_fail("an argument is missing");
  value = strtol(argv[at], &end, 10);
  if (end == argv[at] || *end != 0 || value < low || value > high) bench_fail("an argument is no such number");
  return value;
}

static const char *bench_word(int argc, char **argv, int at) {
  if (at >= argc) bench_fail("an argument is missing");
  return argv[at];
}

static void *bench_alloc(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (memory == NULL) bench_fail("there is no memory left");
  return memory;
}

/* SplitMix64 (Steele, Lea, Flood 2014): small, and the same everywhere. */
static uint64_t bench_state;

static void bench_seed(uint64_t seed) { bench_state = seed; }

static uint64_t bench_random(void) {
  uint64_t z = (bench_state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* A whole number from 0 to below `count`. */
static uint64_t bench_below(uint64_t count) { return bench_random() % count; }

/* A number from 0 to below 1. */
static double bench_unit(void) { return (double)(bench_random() >> 11) * (1.0 / 9007199254740992.0); }

static void bench_noise(void *to, size_t bytes) {
  unsigned char *p = (unsigned char *)to;
  for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)(bench_random() >> 24);
}

/* Words with the skewed frequencies of a language, in sentences and lines: compressible as text is. */
static void bench_text(char *to, size_t bytes) {
  static const char *const words[] = {
      "the",   "of",     "and",   "to",     "in",       "is",     "that",    "it",     "for",   "was",  "on",
      "are",   "with",   "as",    "at",     "be",       "this",   "from",    "have",   "or",    "by",   "one",
      "river", "winter", "stone", "seven",  "table",    "letter", "morning", "island", "under", "glass", "open",
      "light", "market", "north", "travel", "question", "simple", "garden",  "copper", "voice", "round", "early"};
  const uint64_t count = sizeof words / sizeof words[0];
  size_t at = 0, written = 0;
  while (at < bytes) {
    uint64_t first = bench_below(count), second = bench_below(count);
    const char *word = words[first < second ? first : second];
    while (*word != 0 && at < bytes) to[at++] = *word++;
    written++;
    if (at < bytes) to[at++] = written % 61 == 0 ? '\n' : written % 11 == 0 ? '.' : ' ';
  }
}

/* FNV-1a, 64 bits. */
static uint64_t bench_sum = UINT64_C(0xCBF29CE484222325);

static void bench_add(const void *from, size_t bytes) {
  const unsigned char *p = (const unsigned char *)from;
  for (size_t i = 0; i < bytes; i++) bench_sum = (bench_sum ^ p[i]) * UINT64_C(0x100000001B3);
}

static void bench_add_number(uint64_t value) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(value >> (8 * i));
  bench_add(bytes, sizeof bytes);
}

/* Floating point enters with a few significant digits only: the last ones may legally differ. */
static void bench_add_real(double value, int digits) {
  char text[64];
  int length = snprintf(text, sizeof text, "%.*e", digits - 1, value + 0.0);
  bench_add(text, (size_t)length);
}

/* One line of output: a label, a number, and the checksum of everything so far. */
static void bench_print(const char *label, long long value) {
  printf("%s %lld %016llx\n", label, value, (unsigned long long)bench_sum);
}

#endif
