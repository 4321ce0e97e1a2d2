/* zlib: deflate and inflate, as streams in pieces and with the functions around them.
 *
 *   stream KIND SIZE SEED LEVEL STRATEGY  three wrappings, small pieces, every way to flush
 *   whole KIND SIZE SEED LEVEL            whole buffers, the call-back decoder, a damaged stream
 *   state KIND SIZE SEED                  dictionaries, copies of a stream, a change of level, resynchronisation
 *
 * KIND is text, noise, runs or input (slices of what stdin holds). Whatever is compressed is restored and compared.
 */
#include "bench.h"
#include "zlib.h"

static Bytef *from, *packed, *restored;
static uLong size, room;

static void make_input(Bytef *to, size_t bytes, const char *kind) {
  if (strcmp(kind, "text") == 0) {
    bench_text((char *)to, bytes);
  } else if (strcmp(kind, "noise") == 0) {
    bench_noise(to, bytes);
  } else if (strcmp(kind, "runs") == 0) {
    for (size_t at = 0; at < bytes; at++) to[at] = at % 97 == 0 || bench_below(40) == 0 ? (Bytef)bench_below(9) : to[at - 1];
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

static void same(uLong bytes) {
  bench_check(bytes == size && memcmp(from, restored, size) == 0, "what was restored differs");
}

/* Inflates in pieces of odd lengths; returns how many bytes came out. */
static uLong inflate_pieces(z_stream *in, uLong length) {
  int result = Z_OK;
  uLong given = 0;
  in->next_in = packed;
  in->next_out = restored;
  while (result == Z_OK || result == Z_BUF_ERROR) {
    uLong piece = 1 + bench_below(5000);
    if (in->avail_in == 0) {
      if (piece > length - given) piece = length - given;
      in->avail_in = (uInt)piece;
      given += piece;
    }
    in->avail_out = (uInt)(size - in->total_out < 3000 ? size - in->total_out : 3000);
    result = inflate(in, Z_SYNC_FLUSH);
  }
  bench_check(result == Z_STREAM_END, "the stream does not end");
  return in->total_out;
}

/* Deflates the whole input, flushing now and then; returns the length. */
static uLong deflate_pieces(z_stream *out) {
  static const int flushes[] = {Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK, Z_NO_FLUSH};
  out->next_out = packed;
  out->avail_out = (uInt)room;
  for (uLong at = 0, piece; at < size; at += piece) {
    piece = 1 + bench_below(40000);
    if (piece > size - at) piece = size - at;
    out->next_in = from + at;
    out->avail_in = (uInt)piece;
    bench_check(deflate(out, flushes[bench_below(6)]) == Z_OK && out->avail_in == 0, "a piece was refused");
  }
  bench_check(deflate(out, Z_FINISH) == Z_STREAM_END, "the stream cannot be ended");
  return out->total_out;
}

static void stream(int level, int strategy) {
  static const int windows[] = {15, 10 + 16, -13};
  for (int i = 0; i < 3; i++) {
    z_stream out = {0}, in = {0};
    gz_header head = {.text = 1, .time = 42, .os = 3, .name = (Bytef *)"name", .comment = (Bytef *)"comment", .hcrc = 1};
    gz_header read = {0};
    Bytef name[8] = {0};
    bench_check(deflateInit2(&out, level, Z_DEFLATED, windows[i], 6 + i, strategy) == Z_OK, "deflate cannot begin");
    bench_check(inflateInit2(&in, windows[i]) == Z_OK, "inflate cannot begin");
    read.name = name;
    read.name_max = sizeof name;
    if (windows[i] > 16) bench_check(deflateSetHeader(&out, &head) == Z_OK, "the header was refused");
    if (windows[i] > 16) bench_check(inflateGetHeader(&in, &read) == Z_OK, "no header is expected");
    if (windows[i] < 0) bench_check(deflateTune(&out, 8, 16, 64, 300) == Z_OK, "the parameters were refused");
    uLong length = deflate_pieces(&out);
    bench_add(packed, length);
    same(inflate_pieces(&in, length));
    bench_add(name, sizeof name);
    bench_print("stream", (long long)length);
    deflateEnd(&out);
    inflateEnd(&in);
  }
}

struct source {
  Bytef *at;
  uLong left;
};

static unsigned supply(void *handle, z_const Bytef **data) {
  struct source *source = handle;
  uLong piece = source->left < 4096 ? source->left : 4096;
  *data = source->at;
  source->at += piece;
  source->left -= piece;
  return (unsigned)piece;
}

static int collect(void *handle, Bytef *data, unsigned bytes) {
  uLong *written = handle;
  if (bytes > size - *written) return 1;
  memcpy(restored + *written, data, bytes);
  *written += bytes;
  return 0;
}

static void whole(int level) {
  static Bytef window[32768];
  uLong length = room, bytes = size, taken, half = size / 2;
  z_stream out = {0}, back = {0};
  bench_check(compress2(packed, &length, from, size, level) == Z_OK, "the input was not compressed");
  taken = length;
  bench_check(uncompress2(restored, &bytes, packed, &taken) == Z_OK && taken == length, "nothing was restored");
  same(bytes);
  bench_add(packed, length);
  bench_print("whole", (long long)length);
  packed[length / 2] ^= 0x10;
  bytes = size;
  bench_check(uncompress(restored, &bytes, packed, length) != Z_OK, "a damaged stream was accepted");

  bench_check(deflateInit2(&out, level, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) == Z_OK, "deflate cannot begin");
  struct source source = {packed, deflate_pieces(&out)};
  deflateEnd(&out);
  bytes = 0;
  bench_check(inflateBackInit(&back, 15, window) == Z_OK, "the call-back decoder cannot begin");
  bench_check(inflateBack(&back, supply, &source, collect, &bytes) == Z_STREAM_END, "the call-back decoder fails");
  inflateBackEnd(&back);
  same(bytes);

  uLong sum = crc32_combine(crc32(0, from, (uInt)half), crc32(0, from + half, (uInt)(size - half)), (z_off_t)(size - half));
  bench_check(sum == crc32(0, from, (uInt)size), "the halves have another CRC-32");
  bench_print("crc32", (long long)sum);
  sum = adler32_combine(adler32(1, from, (uInt)half), adler32(1, from + half, (uInt)(size - half)), (z_off_t)(size - half));
  bench_check(sum == adler32(1, from, (uInt)size), "the halves have another Adler-32");
  bench_print("adler32", (long long)sum);
  bench_check(crc32(0, (const Bytef *)"123456789", 9) == 0xCBF43926, "the CRC-32 of the check string is wrong");
  bench_check(adler32(1, (const Bytef *)"Wikipedia", 9) == 0x11E60398, "the Adler-32 of the check string is wrong");
}

static void state(void) {
  z_stream out = {0}, twin = {0}, in = {0};
  uInt dictionary = (uInt)(size < 20000 ? size : 20000), known = 0;
  bench_check(deflateInit(&out, 6) == Z_OK && inflateInit(&in) == Z_OK, "the streams cannot begin");
  bench_check(deflateSetDictionary(&out, from, dictionary) == Z_OK, "the dictionary was refused");
  out.next_in = from;
  out.avail_in = (uInt)(size / 2);
  out.next_out = packed;
  out.avail_out = (uInt)room;
  bench_check(deflate(&out, Z_NO_FLUSH) == Z_OK && deflateParams(&out, 1, Z_FILTERED) == Z_OK, "no change of level");
  bench_check(deflateCopy(&twin, &out) == Z_OK && deflateEnd(&out) == Z_DATA_ERROR, "the stream cannot be copied");
  twin.avail_in = (uInt)(size - size / 2);
  bench_check(deflate(&twin, Z_FINISH) == Z_STREAM_END, "the copy cannot be ended");
  bench_add(packed, twin.total_out);
  bench_print("copy", (long long)twin.total_out);
  in.next_in = packed;
  in.avail_in = (uInt)twin.total_out;
  in.next_out = restored;
  in.avail_out = (uInt)size;
  bench_check(inflate(&in, Z_FINISH) == Z_NEED_DICT, "no dictionary is asked for");
  bench_check(inflateSetDictionary(&in, from + 1, dictionary) == Z_DATA_ERROR, "a false dictionary was accepted");
  bench_check(inflateSetDictionary(&in, from, dictionary) == Z_OK, "the dictionary was refused");
  bench_check(inflate(&in, Z_FINISH) == Z_STREAM_END, "the copied stream does not end");
  same(in.total_out);
  bench_check(inflateGetDictionary(&in, NULL, &known) == Z_OK, "there is no window");
  bench_print("window", known);

  /* Flushes leave marks by which a reader that starts in the middle finds its way. */
  bench_check(deflateReset(&twin) == Z_OK && inflateReset2(&in, -15) == Z_OK, "a stream cannot begin anew");
  uLong length = deflate_pieces(&twin), from_here = length / 3;
  in.next_in = packed + from_here;
  in.avail_in = (uInt)(length - from_here);
  in.next_out = restored;
  in.avail_out = (uInt)size;
  bench_check(inflateSync(&in) == Z_OK, "there is no place to begin from");
  bench_print("skipped", (long long)in.total_in);
  deflateEnd(&twin);
  inflateEnd(&in);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1), *kind = bench_word(argc, argv, 2);
  size = (uLong)bench_number(argc, argv, 3, 1000, 20000000);
  bench_seed((uint64_t)bench_number(argc, argv, 4, 0, 1000000));
  room = compressBound(size) + size / 8 + 1000; /* flushes cost a few bytes each */
  from = bench_alloc(size);
  restored = bench_alloc(size);
  packed = bench_alloc(room);
  make_input(from, size, kind);
  bench_add(from, size);
  bench_print(kind, (long long)size);
  if (strcmp(mode, "stream") == 0)
    stream((int)bench_number(argc, argv, 5, 0, 9), (int)bench_number(argc, argv, 6, 0, Z_FIXED));
  else if (strcmp(mode, "whole") == 0) whole((int)bench_number(argc, argv, 5, 0, 9));
  else if (strcmp(mode, "state") == 0) state();
  else bench_fail("there is no such mode");
  free(from);
  free(restored);
  free(packed);
  return 0;
}
