/* lzfse: Apple's LZ77 codec with finite state entropy coding, and LZVN for small blocks.
 *
 *   sizes KIND SEED SIZE     inputs of growing length up to SIZE, from LZVN and stored blocks to LZFSE
 *   large KIND SEED SIZE     one input with own scratch memory, decoded into too little room as well
 *   cut KIND SEED SIZE       streams that end too early or are written into too little room
 *
 * KIND is text, noise, runs, mixed or input (slices of what stdin holds).
 */
#include "bench.h"
#include "lzfse.h"

static uint8_t *from, *packed, *restored;

static void make_input(uint8_t *to, size_t bytes, const char *kind) {
  if (strcmp(kind, "text") == 0) {
    bench_text((char *)to, bytes);
  } else if (strcmp(kind, "noise") == 0) {
    bench_noise(to, bytes);
  } else if (strcmp(kind, "runs") == 0) {
    for (size_t at = 0; at < bytes; at++) to[at] = at == 0 || bench_below(70) == 0 ? (uint8_t)bench_below(7) : to[at - 1];
  } else if (strcmp(kind, "mixed") == 0) {
    bench_text((char *)to, bytes);
    bench_noise(to + bytes / 3, bytes / 8);
    memset(to + bytes / 2, 'x', bytes / 8);
    memcpy(to + bytes - bytes / 5, to, bytes / 5);
  } else if (strcmp(kind, "input") == 0) {
    static char given[4096];
    size_t length = fread(given, 1, sizeof given, stdin);
    bench_check(length > 0, "stdin is empty");
    for (size_t at = 0, slice; at < bytes; at += slice) {
      size_t start = bench_below(length);
      slice = 1 + bench_below(length - start);
      if (slice > bytes - at) slice = bytes - at;
      memcpy(to + at, given + start, slice);
    }
  } else {
    bench_fail("there is no such kind of input");
  }
}

/* Encodes the first bytes of the input, restores and compares them; returns the encoded length. */
static size_t code(size_t bytes, size_t room, void *to_encode, void *to_decode) {
  size_t length = lzfse_encode_buffer(packed, room, from, bytes, to_encode);
  bench_check(length > 0, "the input was not encoded");
  bench_check(lzfse_decode_buffer(restored, bytes + 1, packed, length, to_decode) == bytes, "another length was restored");
  bench_check(memcmp(from, restored, bytes) == 0, "what was restored differs");
  bench_add(packed, length);
  return length;
}

static void sizes(size_t size, size_t room) {
  long long total = 0;
  int count = 0;
  for (size_t bytes = 1; bytes <= size; bytes += 1 + bytes / 16) {
    total += (long long)code(bytes, room, NULL, NULL);
    if (++count % 20 == 0) bench_print("encoded", total);
  }
  bench_print("sizes", count);
}

static void large(size_t size, size_t room) {
  void *to_encode = bench_alloc(lzfse_encode_scratch_size()), *to_decode = bench_alloc(lzfse_decode_scratch_size());
  size_t length = code(size, room, to_encode, to_decode);
  bench_print("encoded", (long long)length);
  for (size_t part = 2; part <= 64; part *= 4) {
    size_t bytes = lzfse_decode_buffer(restored, size / part, packed, length, to_decode);
    bench_check(bytes == size / part && memcmp(from, restored, bytes) == 0, "the beginning differs");
    bench_add_number(bytes);
    bench_print("beginning", (long long)bytes);
  }
  free(to_encode);
  free(to_decode);
}

static void cut(size_t size, size_t room) {
  for (size_t bytes = size; bytes > 100; bytes /= 3) {
    size_t length = code(bytes, room, NULL, NULL);
    bench_check(lzfse_encode_buffer(packed, length / 2, from, bytes, NULL) == 0, "the stream fits where it cannot");
    bench_check(code(bytes, room, NULL, NULL) == length, "the same input has another length");
    for (size_t part = 1; part <= 20; part++) {
      uint8_t *end = bench_alloc(length * part / 21); /* of just this size, so that reading on would be noticed */
      memcpy(end, packed, length * part / 21);
      size_t got = lzfse_decode_buffer(restored, bytes + 1, end, length * part / 21, NULL);
      bench_check(got == 0 || got == bytes + 1, "a cut stream is taken for a whole one"); /* an error, or "room is full" */
      bench_add_number(got);
      free(end);
    }
    bench_print("cut", (long long)length);
  }
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1), *kind = bench_word(argc, argv, 2);
  bench_seed((uint64_t)bench_number(argc, argv, 3, 0, 1000000));
  size_t size = (size_t)bench_number(argc, argv, 4, 200, 20000000), room = size + size / 8 + 1000;
  from = bench_alloc(size);
  packed = bench_alloc(room);
  restored = bench_alloc(size + 1);
  make_input(from, size, kind);
  bench_add(from, size);
  bench_print(kind, (long long)size);
  if (strcmp(mode, "sizes") == 0) sizes(size, room);
  else if (strcmp(mode, "large") == 0) large(size, room);
  else if (strcmp(mode, "cut") == 0) cut(size, room);
  else bench_fail("there is no such mode");
  free(from);
  free(packed);
  free(restored);
  return 0;
}
