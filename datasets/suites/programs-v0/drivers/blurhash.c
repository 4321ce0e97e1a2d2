/* Makes BlurHash strings of pictures and pictures of BlurHash strings.
 *
 *   encode PICTURE ACROSS DOWN WIDTH HEIGHT SEED   the hash of one picture, then of its mirror image
 *   decode WIDTH HEIGHT CHANNELS PUNCH             the picture of every hash on the standard input, one a line
 *   round PICTURE WIDTH HEIGHT SEED                hashes with more and more components, and how far off each is
 *
 * PICTURE is one of gradient, discs, noise. A decoded picture enters the checksum as the rounded means of its
 * tiles, because a single pixel depends on the last bit of the C library's pow and cos.
 */
#include "bench.h"

#include <stdbool.h>

const char *blurHashForPixels(int across, int down, int width, int height, uint8_t *rgb, size_t row, char *to);
bool isValidBlurhash(const char *hash);
int decodeToArray(const char *hash, int width, int height, int punch, int channels, uint8_t *to);
uint8_t *decode(const char *hash, int width, int height, int punch, int channels);
void freePixelArray(uint8_t *pixels);

enum { HASH_BYTES = 4 + 2 * 9 * 9 + 1 };

/* Three bytes a pixel. */
static uint8_t *picture(const char *kind, int width, int height) {
  uint8_t *rgb = bench_alloc((size_t)width * (size_t)height * 3);
  if (strcmp(kind, "gradient") == 0) {
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        uint8_t *p = rgb + 3 * (y * width + x);
        p[0] = (uint8_t)(255 * x / width);
        p[1] = (uint8_t)(255 * y / height);
        p[2] = (uint8_t)(128 + bench_below(16));
      }
  } else if (strcmp(kind, "discs") == 0) {
    memset(rgb, 40, (size_t)width * (size_t)height * 3);
    for (int disc = 0; disc < 12; disc++) {
      int cx = (int)bench_below((uint64_t)width), cy = (int)bench_below((uint64_t)height);
      int radius = 4 + (int)bench_below((uint64_t)height / 3 + 1);
      uint8_t colour[3];
      bench_noise(colour, sizeof colour);
      for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
          if ((x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius)
            memcpy(rgb + 3 * (y * width + x), colour, sizeof colour);
    }
  } else if (strcmp(kind, "noise") == 0) {
    bench_noise(rgb, (size_t)width * (size_t)height * 3);
  } else {
    bench_fail("no such picture");
  }
  return rgb;
}

static void mirror(uint8_t *rgb, int width, int height) {
  for (int y = 0; y < height; y++)
    for (int left = 0, right = width - 1; left < right; left++, right--)
      for (int c = 0; c < 3; c++) {
        uint8_t *a = rgb + 3 * (y * width + left) + c, *b = rgb + 3 * (y * width + right) + c;
        uint8_t kept = *a;
        *a = *b;
        *b = kept;
      }
}

static void hash_of(char *hash, uint8_t *rgb, int across, int down, int width, int height) {
  bench_check(blurHashForPixels(across, down, width, height, rgb, (size_t)width * 3, hash) == hash, "no hash");
  bench_check(isValidBlurhash(hash), "the hash is not valid");
  bench_add(hash, strlen(hash));
}

/* Adds the means of 4 by 4 tiles, and gives back the mean of all bytes, times 10. */
static long long add_tiles(const uint8_t *pixels, int width, int height, int channels) {
  double all = 0;
  for (int tile = 0; tile < 16; tile++) {
    int x0 = tile % 4 * width / 4, x1 = (tile % 4 + 1) * width / 4;
    int y0 = tile / 4 * height / 4, y1 = (tile / 4 + 1) * height / 4;
    long sum = 0, count = (long)(x1 - x0) * (y1 - y0) * channels;
    for (int y = y0; y < y1; y++)
      for (int i = x0 * channels; i < x1 * channels; i++) sum += pixels[y * width * channels + i];
    bench_add_real((double)sum / (double)(count ? count : 1), 3);
    all += (double)sum;
  }
  return (long long)(10 * all / ((double)width * height * channels));
}

static void run_encode(int argc, char **argv) {
  int across = (int)bench_number(argc, argv, 3, 1, 9), down = (int)bench_number(argc, argv, 4, 1, 9);
  int width = (int)bench_number(argc, argv, 5, 4, 2000), height = (int)bench_number(argc, argv, 6, 4, 2000);
  char hash[HASH_BYTES];
  bench_seed((uint64_t)bench_number(argc, argv, 7, 0, 1000000));
  uint8_t *rgb = picture(bench_word(argc, argv, 2), width, height);
  for (int side = 0; side < 2; side++) {
    hash_of(hash, rgb, across, down, width, height);
    puts(hash);
    bench_print(side == 0 ? "picture" : "mirrored", (long long)strlen(hash));
    mirror(rgb, width, height);
  }
  bench_check(blurHashForPixels(0, 3, width, height, rgb, (size_t)width * 3, hash) == NULL, "no components at all");
  free(rgb);
}

static void run_decode(int argc, char **argv) {
  int width = (int)bench_number(argc, argv, 2, 4, 2000), height = (int)bench_number(argc, argv, 3, 4, 2000);
  int channels = (int)bench_number(argc, argv, 4, 3, 4), punch = (int)bench_number(argc, argv, 5, 1, 10);
  uint8_t *pixels = bench_alloc((size_t)width * (size_t)height * (size_t)channels);
  char line[2 * HASH_BYTES];
  long refused = 0;
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    if (decodeToArray(line, width, height, punch, channels, pixels) != 0)
      refused++;
    else
      bench_print("decoded", add_tiles(pixels, width, height, channels));
  }
  bench_print("refused", refused);
  free(pixels);
}

static void run_round(int argc, char **argv) {
  int width = (int)bench_number(argc, argv, 3, 4, 2000), height = (int)bench_number(argc, argv, 4, 4, 2000);
  char hash[HASH_BYTES];
  bench_seed((uint64_t)bench_number(argc, argv, 5, 0, 1000000));
  uint8_t *rgb = picture(bench_word(argc, argv, 2), width, height);
  for (int components = 1; components <= 9; components += 2) {
    double apart = 0;
    hash_of(hash, rgb, components, 1 + components / 2, width, height);
    uint8_t *back = decode(hash, width, height, 1, 3);
    bench_check(back != NULL, "the hash was not decoded");
    for (int i = 0; i < width * height * 3; i++) apart += abs(back[i] - rgb[i]);
    bench_add_real(apart / (width * height), 3);
    bench_print("mean byte", add_tiles(back, width, height, 3));
    freePixelArray(back);
  }
  free(rgb);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  if (strcmp(mode, "encode") == 0)
    run_encode(argc, argv);
  else if (strcmp(mode, "decode") == 0)
    run_decode(argc, argv);
  else if (strcmp(mode, "round") == 0)
    run_round(argc, argv);
  else
    bench_fail("no such mode");
  return 0;
}
