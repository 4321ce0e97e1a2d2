/* heatshrink: compression with a few hundred bytes of memory, as on a microcontroller.
 *
 *   code KIND SIZE SEED WINDOW LOOKAHEAD  encodes and decodes in pieces of changing length
 *   sizes KIND SIZE SEED                  the same for every small window
 *   misuse KIND SIZE SEED                 calls that have to be refused, reused coders, a stream that is cut
 *
 * KIND is text, noise, runs or readings (slowly changing 16-bit numbers), or input, which stands for stdin repeated.
 */
#include "bench.h"
#include "heatshrink_decoder.h"
#include "heatshrink_encoder.h"

static void make_input(uint8_t *to, size_t bytes, const char *kind) {
  if (strcmp(kind, "text") == 0) {
    bench_text((char *)to, bytes);
  } else if (strcmp(kind, "noise") == 0) {
    bench_noise(to, bytes);
  } else if (strcmp(kind, "runs") == 0) {
    for (size_t at = 0; at < bytes; at++) to[at] = at == 0 || bench_below(50) == 0 ? (uint8_t)bench_below(5) : to[at - 1];
  } else if (strcmp(kind, "readings") == 0) {
    unsigned value = 20000;
    for (size_t at = 0; at + 1 < bytes; at += 2) {
      value += (unsigned)bench_below(5) - 2;
      to[at] = (uint8_t)(value >> 8);
      to[at + 1] = (uint8_t)value;
    }
    to[bytes - 1] = (uint8_t)value;
  } else if (strcmp(kind, "input") == 0) {
    size_t length = fread(to, 1, bytes, stdin);
    bench_check(length > 0, "stdin is empty");
    for (size_t at = length; at < bytes; at++) to[at] = (uint8_t)(to[at - length] + (at % 251 == 0));
  } else {
    bench_fail("there is no such kind of input");
  }
}

/* Takes what the encoder has ready; returns how much it was. */
static size_t poll_encoder(heatshrink_encoder *encoder, uint8_t *to, size_t room) {
  size_t total = 0, bytes = 0;
  HSE_poll_res result;
  do {
    size_t piece = 1 + bench_below(64);
    result = heatshrink_encoder_poll(encoder, to + total, piece < room - total ? piece : room - total, &bytes);
    total += bytes;
    bench_check(result >= 0 && total < room, "the encoder fails");
  } while (result == HSER_POLL_MORE);
  return total;
}

static size_t encode(heatshrink_encoder *encoder, uint8_t *from, size_t size, uint8_t *to, size_t room) {
  size_t total = 0;
  for (size_t at = 0, bytes = 0; at < size; at += bytes) {
    size_t piece = 1 + bench_below(900);
    bench_check(heatshrink_encoder_sink(encoder, from + at, piece < size - at ? piece : size - at, &bytes) == HSER_SINK_OK,
                "the encoder takes no input");
    total += poll_encoder(encoder, to + total, room - total);
  }
  while (heatshrink_encoder_finish(encoder) == HSER_FINISH_MORE) total += poll_encoder(encoder, to + total, room - total);
  return total;
}

static size_t poll_decoder(heatshrink_decoder *decoder, uint8_t *to, size_t room) {
  size_t total = 0, bytes = 0;
  HSD_poll_res result;
  do {
    size_t piece = 1 + bench_below(100);
    result = heatshrink_decoder_poll(decoder, to + total, piece < room - total ? piece : room - total, &bytes);
    total += bytes;
    bench_check(result >= 0 && total < room, "the decoder fails");
  } while (result == HSDR_POLL_MORE);
  return total;
}

static size_t decode(heatshrink_decoder *decoder, uint8_t *from, size_t size, uint8_t *to, size_t room) {
  size_t total = 0;
  for (size_t at = 0, bytes = 0; at < size; at += bytes) {
    size_t piece = 1 + bench_below(300);
    bench_check(heatshrink_decoder_sink(decoder, from + at, piece < size - at ? piece : size - at, &bytes) >= 0,
                "the decoder takes no input");
    total += poll_decoder(decoder, to + total, room - total);
  }
  while (heatshrink_decoder_finish(decoder) == HSDR_FINISH_MORE) total += poll_decoder(decoder, to + total, room - total);
  return total;
}

static void code(uint8_t *from, size_t size, int window, int lookahead, int times) {
  size_t room = 2 * size + 64;
  uint8_t *packed = bench_alloc(room), *restored = bench_alloc(room);
  heatshrink_encoder *encoder = heatshrink_encoder_alloc((uint8_t)window, (uint8_t)lookahead);
  heatshrink_decoder *decoder = heatshrink_decoder_alloc(200, (uint8_t)window, (uint8_t)lookahead);
  bench_check(encoder && decoder, "these sizes are refused");
  for (int i = 0; i < times; i++) {
    size_t length = encode(encoder, from, size >> i, packed, room);
    size_t bytes = decode(decoder, packed, length, restored, room);
    bench_check(bytes == size >> i && memcmp(from, restored, size >> i) == 0, "what was restored differs");
    bench_add(packed, length);
    bench_add_number((uint64_t)(window * 16 + lookahead));
    bench_print("coded", (long long)length);
    heatshrink_encoder_reset(encoder);
    heatshrink_decoder_reset(decoder);
  }
  heatshrink_encoder_free(encoder);
  heatshrink_decoder_free(decoder);
  free(packed);
  free(restored);
}

static void misuse(uint8_t *from, size_t size) {
  heatshrink_encoder *encoder = heatshrink_encoder_alloc(8, 4);
  heatshrink_decoder *decoder = heatshrink_decoder_alloc(64, 8, 4);
  uint8_t *packed = bench_alloc(2 * size + 64), *restored = bench_alloc(2 * size + 64);
  size_t bytes = 0;
  bench_check(encoder && decoder, "these sizes are refused");
  bench_check(heatshrink_encoder_alloc(3, 2) == NULL && heatshrink_encoder_alloc(8, 8) == NULL &&
              heatshrink_decoder_alloc(0, 8, 4) == NULL && heatshrink_decoder_alloc(8, 4, 4) == NULL,
              "impossible sizes were accepted");
  bench_check(heatshrink_encoder_sink(encoder, NULL, 1, &bytes) == HSER_SINK_ERROR_NULL &&
              heatshrink_decoder_sink(decoder, NULL, 1, &bytes) == HSDR_SINK_ERROR_NULL &&
              heatshrink_encoder_poll(encoder, packed, 0, &bytes) == HSER_POLL_ERROR_MISUSE &&
              heatshrink_decoder_poll(decoder, NULL, 1, &bytes) == HSDR_POLL_ERROR_NULL, "a wrong call was accepted");
  size_t length = encode(encoder, from, size, packed, 2 * size + 64);
  bench_check(heatshrink_encoder_sink(encoder, from, 1, &bytes) == HSER_SINK_ERROR_MISUSE, "the end is not an end");
  for (size_t part = 1; part <= 16; part *= 2) { /* a cut stream restores a beginning of the input */
    size_t got = decode(decoder, packed, length / part, restored, 2 * size + 64);
    bench_check(got <= size && memcmp(from, restored, got) == 0, "a beginning differs");
    bench_add(restored, got);
    bench_print("beginning", (long long)got);
    heatshrink_decoder_reset(decoder);
  }
  heatshrink_encoder_free(encoder);
  heatshrink_decoder_free(decoder);
  free(packed);
  free(restored);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1), *kind = bench_word(argc, argv, 2);
  size_t size = (size_t)bench_number(argc, argv, 3, 1000, 10000000);
  uint8_t *from = bench_alloc(size);
  bench_seed((uint64_t)bench_number(argc, argv, 4, 0, 1000000));
  make_input(from, size, kind);
  bench_add(from, size);
  bench_print(kind, (long long)size);
  if (strcmp(mode, "code") == 0)
    code(from, size, (int)bench_number(argc, argv, 5, 4, 14), (int)bench_number(argc, argv, 6, 3, 13), 3);
  else if (strcmp(mode, "sizes") == 0)
    for (int window = 4; window <= 8; window++) code(from, size, window, window == 4 ? 3 : window - 3 < 3 ? 3 : window - 3, 1);
  else if (strcmp(mode, "misuse") == 0) misuse(from, size);
  else bench_fail("there is no such mode");
  free(from);
  return 0;
}
