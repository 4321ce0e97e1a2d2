/* Packs pictures into QOI images and unpacks them again.
 *
 *   round PICTURE WIDTH HEIGHT CHANNELS SEED   frames of a moving picture, encoded, decoded and compared
 *   damage WIDTH HEIGHT SEED                   an image whose bytes are changed a few at a time, then decoded
 *   tiles SIZE                                 a map on the standard input, a letter a tile, as one picture
 *
 * PICTURE is one of gradient, photo, drawing, noise, glass. Each leads to other chunks of the format: small
 * differences, luma differences, runs and index, whole pixels, changing alpha.
 */
#include "bench.h"

#include "qoi.h"

enum { FRAMES = 4 };

static void paint(uint8_t *p, const char *kind, int width, int height, int channels, int frame) {
  if (strcmp(kind, "noise") == 0) {
    bench_noise(p, (size_t)width * (size_t)height * (size_t)channels);
    return;
  }
  const int gradient = strcmp(kind, "gradient") == 0, photo = strcmp(kind, "photo") == 0;
  const int drawing = strcmp(kind, "drawing") == 0, glass = strcmp(kind, "glass") == 0;
  bench_check(gradient || photo || drawing || glass, "no such picture");
  uint8_t palette[16][3];
  bench_noise(palette, sizeof palette);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++, p += channels) {
      int alpha = 255;
      if (gradient) {
        p[0] = (uint8_t)((x + frame) / 2);
        p[1] = (uint8_t)((x + y) / 4);
        p[2] = (uint8_t)(y / 2 + frame);
      } else if (drawing) {
        const uint8_t *colour = palette[((x + 5 * frame) / 24 ^ y / 16) & 15];
        for (int c = 0; c < 3; c++) p[c] = (x + y) % 40 == 0 ? 0 : colour[c];
      } else {
        /* Light and shade with some grain, which moves all three colours together. */
        int light = (x * y / 64 + 8 * frame) % 200 + (int)bench_below(12);
        for (int c = 0; c < 3; c++) p[c] = (uint8_t)(light + 9 * c + (int)bench_below(5));
        if (glass) alpha = (x / 3 + y + frame) & 255;
      }
      if (channels == 4) p[3] = (uint8_t)alpha;
    }
}

/* Encodes, adds the image to the checksum, and gives it back with its length. */
static uint8_t *encoded(const uint8_t *pixels, int width, int height, int channels, int *length) {
  qoi_desc about = {.width = (unsigned)width, .height = (unsigned)height, .channels = (uint8_t)channels};
  about.colorspace = channels == 4 ? QOI_SRGB : QOI_LINEAR;
  uint8_t *image = qoi_encode(pixels, &about, length);
  bench_check(image != NULL, "the picture was not encoded");
  bench_add(image, (size_t)*length);
  return image;
}

static void compare(const uint8_t *image, int length, const uint8_t *pixels, int width, int height, int channels) {
  qoi_desc about;
  size_t count = (size_t)width * (size_t)height;
  uint8_t *back = qoi_decode(image, length, &about, 0);
  bench_check(back != NULL && about.channels == channels && about.width == (unsigned)width, "the image was refused");
  bench_check(memcmp(back, pixels, count * (size_t)channels) == 0, "the decoded picture is another");
  free(back);

  /* The same image, asked for with the other number of channels. */
  int other = 7 - channels;
  back = qoi_decode(image, length, &about, other);
  bench_check(back != NULL, "the image was refused");
  for (size_t i = 0; i < count; i++)
    for (int c = 0; c < 3; c++)
      bench_check(back[i * (size_t)other + (size_t)c] == pixels[i * (size_t)channels + (size_t)c], "a pixel is another");
  free(back);
}

static void run_round(int argc, char **argv) {
  int width = (int)bench_number(argc, argv, 3, 1, 4000), height = (int)bench_number(argc, argv, 4, 1, 4000);
  int channels = (int)bench_number(argc, argv, 5, 3, 4), length = 0;
  bench_seed((uint64_t)bench_number(argc, argv, 6, 0, 1000000));
  uint8_t *pixels = bench_alloc((size_t)width * (size_t)height * (size_t)channels);
  for (int frame = 0; frame < FRAMES; frame++) {
    paint(pixels, bench_word(argc, argv, 2), width, height, channels, frame);
    uint8_t *image = encoded(pixels, width, height, channels, &length);
    bench_print("bytes", length);
    compare(image, length, pixels, width, height, channels);
    free(image);
  }
  free(pixels);
}

static void run_damage(int argc, char **argv) {
  int width = (int)bench_number(argc, argv, 2, 1, 4000), height = (int)bench_number(argc, argv, 3, 1, 4000);
  int length = 0, refused = 0;
  bench_seed((uint64_t)bench_number(argc, argv, 4, 0, 1000000));
  uint8_t *pixels = bench_alloc((size_t)width * (size_t)height * 4);
  paint(pixels, "glass", width, height, 4, 0);
  uint8_t *image = encoded(pixels, width, height, 4, &length);
  for (int round = 0; round < 16; round++) {
    qoi_desc about;
    const size_t broken = (size_t[]){0, 3, 12, 13}[round / 4]; /* of the magic number, the channels, the colours */
    const uint8_t kept = image[broken];
    for (int i = 0; i < 20; i++) image[14 + bench_below((uint64_t)(length - 14))] = (uint8_t)bench_random();
    if (round % 4 == 3) image[broken] = 255;
    uint8_t *back = qoi_decode(image, length - round, &about, 4);
    if (back == NULL)
      refused++;
    else
      bench_add(back, (size_t)about.width * about.height * 4);
    free(back);
    image[broken] = kept;
  }
  bench_print("refused", refused);
  free(image);
  free(pixels);
}

static void run_tiles(int argc, char **argv) {
  enum { ROWS = 64, COLUMNS = 128 };
  static char map[ROWS][COLUMNS];
  int size = (int)bench_number(argc, argv, 2, 1, 200), rows = 0, columns = 1, length = 0;
  while (rows < ROWS && fgets(map[rows], COLUMNS, stdin) != NULL) {
    int wide = (int)strcspn(map[rows], "\n");
    map[rows++][wide] = 0;
    if (wide > columns) columns = wide;
  }
  bench_check(rows > 0, "there is no map");
  int width = columns * size, height = rows * size;
  uint8_t *pixels = bench_alloc((size_t)width * (size_t)height * 3), *p = pixels;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++, p += 3) {
      int letter = map[y / size][x / size], edge = x % size == 0 || y % size == 0;
      for (int c = 0; c < 3; c++) p[c] = (uint8_t)(edge ? 20 : letter * (3 + 4 * c) + (letter == '~' ? x % 3 : 0));
    }
  uint8_t *image = encoded(pixels, width, height, 3, &length);
  bench_print("width", width);
  bench_print("bytes", length);
  compare(image, length, pixels, width, height, 3);
  free(image);
  free(pixels);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  if (strcmp(mode, "round") == 0)
    run_round(argc, argv);
  else if (strcmp(mode, "damage") == 0)
    run_damage(argc, argv);
  else if (strcmp(mode, "tiles") == 0)
    run_tiles(argc, argv);
  else
    bench_fail("no such mode");
  return 0;
}
