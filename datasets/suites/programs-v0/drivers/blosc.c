/* blosc: blocked compression of arrays, after a shuffle of their bytes or bits.
 *
 *   doubles COUNT SEED SHUFFLE   a noisy wave of 64-bit numbers at every second level
 *   records COUNT SEED SHUFFLE   records of 12 bytes, in blocks of several sizes, and single items out of them
 *   bytes KIND SIZE SEED         bytes one by one: text, noise, runs or input (stdin over and over); damaged buffers
 *
 * SHUFFLE is 0 (none), 1 (bytes) or 2 (bits). Whatever is compressed is restored and compared. Everything runs in
 * the calling thread.
 */
#include "bench.h"
#include <errno.h>
#include <pthread.h>
#include "blosc.h"

/* The flag -Dpthread_create=no_thread leads the library here. */
int no_thread(pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *), void *argument) {
  (void)thread, (void)how, (void)body, (void)argument;
  return EAGAIN;
}

struct record {
  int32_t number;
  float value;
  uint8_t flags[4];
};

/* Compresses, restores and compares; returns the compressed length. */
static int code(int level, int shuffle, size_t unit, size_t bytes, const void *from, void *packed, size_t block, void *to) {
  size_t size = 0, length = 0, used = 0, unit_read = 0;
  int flags = 0, format = 0, inner = 0;
  int got = blosc_compress_ctx(level, shuffle, unit, bytes, from, packed, bytes + BLOSC_MAX_OVERHEAD, "blosclz", block, 1);
  bench_check(got > 0, "the array was not compressed");
  blosc_cbuffer_sizes(packed, &size, &length, &used);
  blosc_cbuffer_metainfo(packed, &unit_read, &flags);
  blosc_cbuffer_versions(packed, &format, &inner);
  bench_check(size == bytes && length == (size_t)got && unit_read == unit, "the header says something else");
  bench_check(blosc_cbuffer_validate(packed, (size_t)got, &size) == 0, "the header is not valid");
  bench_check(strcmp(blosc_cbuffer_complib(packed), "BloscLZ") == 0, "the array is in another format");
  bench_check(blosc_decompress_ctx(packed, to, bytes, 1) == (int)bytes, "the array was not restored");
  bench_check(memcmp(from, to, bytes) == 0, "the restored array differs");
  bench_add(packed, length);
  bench_add_number(used * 64 + (uint64_t)flags * 8 + (uint64_t)format + (uint64_t)inner);
  return got;
}

static void doubles(size_t count, int shuffle) {
  double *from = bench_alloc(count * sizeof *from), *to = bench_alloc(count * sizeof *to), wave = 0, slope = 1;
  char *packed = bench_alloc(count * sizeof *from + BLOSC_MAX_OVERHEAD);
  for (size_t i = 0; i < count; i++) {
    slope -= wave / 4096;
    wave += slope / 4096;
    from[i] = wave + (double)bench_below(16) / 1024;
  }
  for (int level = 1; level <= 9; level += 2)
    bench_print("level", code(level, shuffle, sizeof *from, count * sizeof *from, from, packed, 0, to));
  free(from);
  free(to);
  free(packed);
}

static void records(size_t count, int shuffle) {
  size_t bytes = count * sizeof(struct record);
  struct record *from = bench_alloc(bytes), *to = bench_alloc(bytes), some[40];
  char *packed = bench_alloc(bytes + BLOSC_MAX_OVERHEAD);
  for (size_t i = 0; i < count; i++) {
    from[i].number = (int32_t)i * 3 - 1000;
    from[i].value = (float)bench_below(100) / 4;
    for (int j = 0; j < 4; j++) from[i].flags[j] = (uint8_t)bench_below(2);
  }
  for (size_t block = 600; block < bytes; block *= 7) {
    bench_print("block", code(5, shuffle, sizeof *from, bytes, from, packed, block, to));
    for (int i = 0; i < 30; i++) {
      int first = (int)bench_below(count - 40), number = 1 + (int)bench_below(40);
      bench_check(blosc_getitem(packed, first, number, some) == number * (int)sizeof *some, "items are missing");
      bench_check(memcmp(some, from + first, (size_t)number * sizeof *some) == 0, "the items are others");
    }
  }
  free(from);
  free(to);
  free(packed);
}

static void make_input(char *to, size_t bytes, const char *kind) {
  if (strcmp(kind, "text") == 0) {
    bench_text(to, bytes);
  } else if (strcmp(kind, "noise") == 0) {
    bench_noise(to, bytes);
  } else if (strcmp(kind, "runs") == 0) {
    for (size_t at = 0; at < bytes; at++) to[at] = at == 0 || bench_below(60) == 0 ? (char)bench_below(9) : to[at - 1];
  } else if (strcmp(kind, "input") == 0) {
    size_t length = fread(to, 1, bytes, stdin);
    bench_check(length > 0, "stdin is empty");
    for (size_t at = length; at < bytes; at++) to[at] = at % 509 == 0 ? (char)(33 + bench_below(90)) : to[at - length];
  } else {
    bench_fail("there is no such kind of input");
  }
}

static void plain(const char *kind, size_t size) {
  char *from = bench_alloc(size), *to = bench_alloc(size), *packed = bench_alloc(size + BLOSC_MAX_OVERHEAD);
  make_input(from, size, kind);
  bench_add(from, size);
  bench_print(kind, (long long)size);
  for (int mode = BLOSC_ALWAYS_SPLIT; mode <= BLOSC_FORWARD_COMPAT_SPLIT; mode++) {
    blosc_set_splitmode(mode);
    for (int level = 0; level <= 9; level += 3)
      bench_print("level", code(level, BLOSC_NOSHUFFLE, 1, size, from, packed, 0, to));
  }
  for (size_t unit = 2; unit <= 17; unit += 5)
    bench_print("unit", code(6, (int)(unit % 3), unit, size / unit * unit, from, packed, 32768, to));
  int length = code(9, BLOSC_SHUFFLE, 4, size / 4 * 4, from, packed, 0, to);
  bench_check(blosc_decompress_ctx(packed, to, size / 4 * 4 - 1, 1) < 0, "the array fits where it cannot");
  bench_check(blosc_compress_ctx(9, 1, 4, size, from, packed, 10, "blosclz", 0, 1) <= 0, "the array fits in ten bytes");
  packed[0] ^= 1;
  bench_check(blosc_decompress_ctx(packed, to, size, 1) < 0, "a damaged header was accepted");
  bench_print("damaged", length);
  free(from);
  free(to);
  free(packed);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  if (strcmp(mode, "bytes") == 0) {
    size_t size = (size_t)bench_number(argc, argv, 3, 1000, 20000000);
    bench_seed((uint64_t)bench_number(argc, argv, 4, 0, 1000000));
    plain(bench_word(argc, argv, 2), size);
    return 0;
  }
  size_t count = (size_t)bench_number(argc, argv, 2, 100, 5000000);
  int shuffle = (int)bench_number(argc, argv, 4, 0, 2);
  bench_seed((uint64_t)bench_number(argc, argv, 3, 0, 1000000));
  if (strcmp(mode, "doubles") == 0) doubles(count, shuffle);
  else if (strcmp(mode, "records") == 0) records(count, shuffle);
  else bench_fail("there is no such mode");
  return 0;
}
