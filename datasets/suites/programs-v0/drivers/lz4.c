/* lz4: the block format of LZ4, from its fastest compressor to its most thorough one.
 *
 *   fast KIND SIZE SEED          single blocks, several accelerations
 *   high KIND SIZE SEED LEVEL    single blocks, the high-compression encoder
 *   stream KIND SIZE SEED LEVEL  blocks that refer to the blocks before them; level 0 is the fast compressor
 *
 * KIND is text, noise, runs or input (slices of what stdin holds). Whatever is compressed is restored and compared.
 */
#include "bench.h"
#define LZ4_DISABLE_DEPRECATE_WARNINGS
#include "lz4.h"
#include "lz4hc.h"

enum { BLOCK = 20000, BLOCKS_KEPT = 4, DICTIONARY = 4000 };

static void make_input(char *to, size_t bytes, const char *kind) {
  if (strcmp(kind, "text") == 0) {
    bench_text(to, bytes);
  } else if (strcmp(kind, "noise") == 0) {
    bench_noise(to, bytes);
  } else if (strcmp(kind, "runs") == 0) {
    for (size_t at = 0, run; at < bytes; at += run) {
      run = 1 + bench_below(200);
      if (run > bytes - at) run = bytes - at;
      memset(to + at, (int)bench_below(8), run);
    }
  } else if (strcmp(kind, "input") == 0) {
    static char given[4096];
    size_t length = fread(given, 1, sizeof given, stdin);
    bench_check(length > 0, "stdin is empty");
    for (size_t at = 0, slice; at < bytes; at += slice) {
      size_t from = bench_below(length);
      slice = 1 + bench_below(length - from);
      if (slice > bytes - at) slice = bytes - at;
      memcpy(to + at, given + from, slice);
    }
  } else {
    bench_fail("there is no such kind of input");
  }
}

/* Restores `packed` in every way the library has for a block on its own, and adds the block to the checksum. */
static void restore(const char *packed, int length, const char *want, int size, char *to) {
  bench_check(length > 0, "a block was not compressed");
  bench_check(LZ4_decompress_safe(packed, to, length, size) == size, "a block was not restored");
  bench_check(memcmp(to, want, (size_t)size) == 0, "a restored block differs");
  bench_check(LZ4_decompress_fast(packed, to, size) == length, "a block has another length");
  bench_check(memcmp(to, want, (size_t)size) == 0, "a block restored by its size differs");
  bench_check(LZ4_decompress_safe_partial(packed, to, length, size / 3, size) >= size / 3, "a block has no beginning");
  bench_check(memcmp(to, want, (size_t)(size / 3)) == 0, "the beginning of a block differs");
  bench_check(LZ4_decompress_safe(packed, to, length, size - 1) < 0, "a block fits where it cannot");
  bench_check(LZ4_decompress_safe(packed, to, length - 1, size) < 0, "a cut block was accepted");
  bench_add(packed, (size_t)length);
}

static void fast(const char *from, int size, char *packed, int room, char *to) {
  void *state = bench_alloc((size_t)LZ4_sizeofState());
  for (int acceleration = 1; acceleration <= 33; acceleration += 16) {
    int length = LZ4_compress_fast(from, packed, size, room, acceleration);
    restore(packed, length, from, size, to);
    bench_print("fast", length);
  }
  for (int part = 1; part <= 64; part *= 8) {
    int taken = size, length = LZ4_compress_fast_extState(state, from, packed, size / part, room, 2);
    restore(packed, length, from, size / part, to);
    length = LZ4_compress_destSize(from, packed, &taken, 64 + size / (4 * part));
    restore(packed, length, from, taken, to);
    bench_print("taken", taken);
  }
  free(state);
}

static void high(const char *from, int size, char *packed, int room, char *to, int level) {
  void *state = bench_alloc((size_t)LZ4_sizeofStateHC());
  int taken = size, length = LZ4_compress_HC(from, packed, size, room, level);
  restore(packed, length, from, size, to);
  bench_print("high", length);
  length = LZ4_compress_HC_extStateHC(state, from, packed, size / 2, room, level - 1);
  restore(packed, length, from, size / 2, to);
  bench_print("half", length);
  length = LZ4_compress_HC_destSize(state, from, packed, &taken, size / 10, level);
  restore(packed, length, from, taken, to);
  bench_print("taken", taken);
  free(state);
}

/* Sends the input block by block. The receiver keeps the last blocks in a ring, so that its memory wraps around;
 * every eighth block the sender saves its dictionary elsewhere, so that its memory does as well.
 */
static void stream(const char *from, int size, char *packed, int room, int level) {
  static char ring[BLOCK * BLOCKS_KEPT], kept[65536], alone[BLOCK];
  LZ4_stream_t *quick = LZ4_createStream();
  LZ4_streamHC_t *slow = LZ4_createStreamHC();
  LZ4_streamDecode_t *reader = LZ4_createStreamDecode();
  long long total = 0;
  int length, count = 0;
  bench_check(quick && slow && reader, "there is no memory left");
  LZ4_resetStreamHC_fast(slow, level);
  LZ4_setStreamDecode(reader, NULL, 0);
  for (int at = 0; at < size; at += BLOCK, count++) {
    int bytes = size - at < BLOCK ? size - at : BLOCK;
    char *to = ring + count % BLOCKS_KEPT * BLOCK;
    length = level == 0 ? LZ4_compress_fast_continue(quick, from + at, packed, bytes, room, 1)
                        : LZ4_compress_HC_continue(slow, from + at, packed, bytes, room);
    bench_check(length > 0, "a block of the stream was not compressed");
    bench_check(LZ4_decompress_safe_continue(reader, packed, to, length, bytes) == bytes, "a block is lost");
    bench_check(memcmp(to, from + at, (size_t)bytes) == 0, "a block of the stream differs");
    if (count % 8 == 7 && level == 0) LZ4_saveDict(quick, kept, BLOCK);
    if (count % 8 == 7 && level != 0) LZ4_saveDictHC(slow, kept, BLOCK);
    bench_add(packed, (size_t)length);
    total += length;
  }
  bench_print("stream", total);

  LZ4_resetStream_fast(quick);
  LZ4_resetStreamHC_fast(slow, level);
  bench_check(LZ4_loadDict(quick, from, DICTIONARY) == DICTIONARY, "the dictionary was refused");
  bench_check(LZ4_loadDictHC(slow, from, DICTIONARY) == DICTIONARY, "the dictionary was refused");
  length = level == 0 ? LZ4_compress_fast_continue(quick, from + size - BLOCK, packed, BLOCK, room, 1)
                      : LZ4_compress_HC_continue(slow, from + size - BLOCK, packed, BLOCK, room);
  bench_check(LZ4_decompress_safe_usingDict(packed, alone, length, BLOCK, from, DICTIONARY) == BLOCK,
              "the dictionary restores nothing");
  bench_check(memcmp(alone, from + size - BLOCK, BLOCK) == 0, "what the dictionary restores differs");
  bench_add(packed, (size_t)length);
  bench_print("dictionary", length);
  LZ4_freeStream(quick);
  LZ4_freeStreamHC(slow);
  LZ4_freeStreamDecode(reader);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1), *kind = bench_word(argc, argv, 2);
  int size = (int)bench_number(argc, argv, 3, 2 * BLOCK, 50000000), room = LZ4_compressBound(size);
  char *from = bench_alloc((size_t)size), *to = bench_alloc((size_t)size), *packed = bench_alloc((size_t)room);
  bench_seed((uint64_t)bench_number(argc, argv, 4, 0, 1000000));
  make_input(from, (size_t)size, kind);
  bench_add(from, (size_t)size);
  bench_print(kind, size);
  if (strcmp(mode, "fast") == 0) fast(from, size, packed, room, to);
  else if (strcmp(mode, "high") == 0)
    high(from, size, packed, room, to, (int)bench_number(argc, argv, 5, 1, LZ4HC_CLEVEL_MAX));
  else if (strcmp(mode, "stream") == 0)
    stream(from, size, packed, room, (int)bench_number(argc, argv, 5, 0, LZ4HC_CLEVEL_MAX));
  else bench_fail("there is no such mode");
  free(from);
  free(to);
  free(packed);
  return 0;
}
