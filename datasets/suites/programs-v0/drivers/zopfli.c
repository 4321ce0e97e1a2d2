/* zopfli: deflate streams that are as small as patience allows.
 *
 *   wrap KIND SIZE SEED TURNS   the formats gzip, zlib and raw deflate, with TURNS optimising passes
 *   blocks KIND SIZE SEED TURNS parts of the input as stored blocks, blocks with fixed and with own codes
 *
 * KIND is text, noise, runs or input (slices of what stdin holds). The library only compresses, so a small inflate
 * of our own restores every stream, which is compared with the input.
 */
#include "bench.h"
#include "deflate.h"
#include "zopfli.h"

static void make_input(unsigned char *to, size_t bytes, const char *kind) {
  if (strcmp(kind, "text") == 0) {
    bench_text((char *)to, bytes);
  } else if (strcmp(kind, "noise") == 0) {
    bench_noise(to, bytes);
  } else if (strcmp(kind, "runs") == 0) {
    for (size_t at = 0; at < bytes; at++) to[at] = at == 0 || bench_below(90) == 0 ? (unsigned char)bench_below(9) : to[at - 1];
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

struct bits {
  const unsigned char *from;
  size_t count, at;
};

static unsigned take(struct bits *in, unsigned count) {
  unsigned value = 0;
  for (unsigned i = 0; i < count; i++, in->at++) {
    bench_check(in->at < 8 * in->count, "the stream is too short");
    value |= (in->from[in->at / 8] >> in->at % 8 & 1u) << i;
  }
  return value;
}

/* A canonical Huffman code: how many symbols have each length, and the symbols in order. */
struct code {
  unsigned short count[16], symbol[288];
};

static void build(struct code *code, const unsigned char *lengths, unsigned symbols) {
  unsigned short start[16] = {0};
  memset(code->count, 0, sizeof code->count);
  for (unsigned i = 0; i < symbols; i++) code->count[lengths[i]]++;
  code->count[0] = 0;
  for (int i = 1; i < 15; i++) start[i + 1] = (unsigned short)(start[i] + code->count[i]);
  for (unsigned i = 0; i < symbols; i++)
    if (lengths[i] != 0) code->symbol[start[lengths[i]]++] = (unsigned short)i;
}

static unsigned decode(struct bits *in, const struct code *code) {
  unsigned value = 0, first = 0, index = 0;
  for (int length = 1; length < 16; length++) {
    unsigned count = code->count[length];
    value |= take(in, 1);
    if (value < first + count) return code->symbol[index + value - first];
    index += count;
    first = (first + count) * 2;
    value *= 2;
  }
  bench_fail("there is no such code word");
  return 0;
}

static void read_codes(struct bits *in, unsigned type, struct code *literals, struct code *distances) {
  static const unsigned char order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  unsigned char lengths[320];
  unsigned count = 288, far = 30;
  if (type == 1) {
    for (unsigned i = 0; i < 318; i++) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : i < 288 ? 8 : 5;
  } else {
    unsigned char own[19] = {0};
    struct code meta;
    count = 257 + take(in, 5);
    far = 1 + take(in, 5);
    unsigned codes = 4 + take(in, 4);
    for (unsigned i = 0; i < codes; i++) own[order[i]] = (unsigned char)take(in, 3);
    build(&meta, own, 19);
    for (unsigned i = 0; i < count + far;) {
      unsigned symbol = decode(in, &meta), value = symbol, times = 1;
      if (symbol == 16) bench_check(i > 0, "there is nothing to repeat"), value = lengths[i - 1], times = 3 + take(in, 2);
      if (symbol == 17) value = 0, times = 3 + take(in, 3);
      if (symbol == 18) value = 0, times = 11 + take(in, 7);
      bench_check(i + times <= count + far, "there are too many lengths");
      while (times-- > 0) lengths[i++] = (unsigned char)value;
    }
  }
  build(literals, lengths, count);
  build(distances, lengths + count, far);
}

/* Restores a raw deflate stream and compares it with the input. */
static void inflate_and_compare(const unsigned char *packed, size_t length, const unsigned char *want, size_t size) {
  unsigned char *to = bench_alloc(size);
  struct bits in = {packed, length, 0};
  size_t at = 0;
  unsigned last, kinds[3] = {0};
  do {
    struct code literals, distances;
    last = take(&in, 1);
    unsigned type = take(&in, 2);
    bench_check(type < 3, "there is no such block");
    kinds[type]++;
    if (type == 0) {
      in.at = (in.at + 7) / 8 * 8;
      unsigned bytes = take(&in, 16);
      bench_check((take(&in, 16) ^ bytes) == 0xffff && at + bytes <= size, "a stored block is damaged");
      for (unsigned i = 0; i < bytes; i++) to[at++] = (unsigned char)take(&in, 8);
      continue;
    }
    read_codes(&in, type, &literals, &distances);
    for (unsigned symbol; (symbol = decode(&in, &literals)) != 256;) {
      if (symbol < 256) {
        bench_check(at < size, "too much was restored");
        to[at++] = (unsigned char)symbol;
        continue;
      }
      unsigned extra = symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4;
      unsigned bytes = symbol < 265 ? symbol - 254 : symbol == 285 ? 258 : 3 + ((4 + (symbol - 261) % 4) << extra);
      bytes += take(&in, extra);
      unsigned far = decode(&in, &distances);
      far = far < 4 ? far + 1 : 1 + ((2 + far % 2) << (far / 2 - 1)) + take(&in, far / 2 - 1);
      bench_check(far <= at && at + bytes <= size, "a match lies outside the input");
      for (; bytes > 0; bytes--, at++) to[at] = to[at - far];
    }
  } while (!last);
  bench_check(at == size && memcmp(to, want, size) == 0 && (in.at + 7) / 8 == length, "what was restored differs");
  for (int i = 0; i < 3; i++) bench_add_number(kinds[i]);
  bench_print("kept", (long long)kinds[0] * 1000000 + kinds[1] * 1000 + kinds[2]);
  free(to);
}

static void wrap(const unsigned char *from, size_t size, int turns) {
  static const struct { const char *name; ZopfliFormat format; size_t head, tail; } formats[] = {
      {"gzip", ZOPFLI_FORMAT_GZIP, 10, 8}, {"zlib", ZOPFLI_FORMAT_ZLIB, 2, 4}, {"deflate", ZOPFLI_FORMAT_DEFLATE, 0, 0}};
  for (int i = 0; i < 3; i++) {
    unsigned char *packed = NULL;
    size_t length = 0, part = size >> i;
    ZopfliOptions options;
    ZopfliInitOptions(&options);
    options.numiterations = turns;
    options.blocksplittingmax = 15 >> i;
    ZopfliCompress(&options, formats[i].format, from, part, &packed, &length);
    bench_add(packed, length);
    bench_print(formats[i].name, (long long)length);
    inflate_and_compare(packed + formats[i].head, length - formats[i].head - formats[i].tail, from, part);
    free(packed);
  }
}

/* One stream out of four parts; each part may refer to the one before. */
static void blocks(const unsigned char *from, size_t size, int turns) {
  static const int types[] = {1, 2, 0, 2};
  unsigned char *packed = NULL, bit = 0;
  size_t length = 0;
  ZopfliOptions options;
  ZopfliInitOptions(&options);
  options.numiterations = turns;
  for (int i = 0; i < 4; i++) {
    options.blocksplitting = i == 1;
    size_t start = size * (size_t)i / 4, end = size * (size_t)(i + 1) / 4;
    ZopfliDeflatePart(&options, types[i], i == 3, from, start, end, &bit, &packed, &length);
    bench_add(packed, length);
    bench_print("part", (long long)length);
  }
  inflate_and_compare(packed, length, from, size);
  free(packed);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1), *kind = bench_word(argc, argv, 2);
  size_t size = (size_t)bench_number(argc, argv, 3, 100, 1000000);
  int turns = (int)bench_number(argc, argv, 5, 1, 100);
  unsigned char *from = bench_alloc(size);
  bench_seed((uint64_t)bench_number(argc, argv, 4, 0, 1000000));
  make_input(from, size, kind);
  bench_add(from, size);
  bench_print(kind, (long long)size);
  if (strcmp(mode, "wrap") == 0) wrap(from, size, turns);
  else if (strcmp(mode, "blocks") == 0) blocks(from, size, turns);
  else bench_fail("there is no such mode");
  free(from);
  return 0;
}
