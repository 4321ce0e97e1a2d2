/* xxhash: the four hashes of xxHash over long and short messages.
 *
 *   long SIZE SEED TURNS    whole buffers: XXH32, XXH64 and both widths of XXH3, with seeds and with secrets
 *   short SEED TURNS        every length up to 260, where XXH3 takes a different way for each range
 *   stream KIND SEED TURNS  the same bytes in pieces; KIND is text (generated) or input (from stdin)
 */
#include "bench.h"
#define XXH_STATIC_LINKING_ONLY
#include "xxhash.h"

static void add128(XXH128_hash_t hash) {
  bench_add_number(hash.low64);
  bench_add_number(hash.high64);
}

/* Values that the library's documentation and its command-line tool give for the empty message. */
static void known(void) {
  XXH128_hash_t empty = XXH3_128bits("", 0);
  bench_check(XXH32("", 0, 0) == 0x02CC5D05, "XXH32 of nothing is wrong");
  bench_check(XXH64("", 0, 0) == UINT64_C(0xEF46DB3751D8E999), "XXH64 of nothing is wrong");
  bench_check(XXH3_64bits("", 0) == UINT64_C(0x2D06800538D394C2), "XXH3 of nothing is wrong");
  bench_check(empty.high64 == UINT64_C(0x99AA06D3014798D8) && empty.low64 == UINT64_C(0x6001C324468D497F),
              "XXH128 of nothing is wrong");
  bench_print("version", (long long)XXH_versionNumber());
}

static void whole(size_t size, long turns) {
  unsigned char *from = bench_alloc(size), secret[XXH3_SECRET_DEFAULT_SIZE], own[200];
  bench_noise(from, size);
  for (long turn = 0; turn < turns; turn++) {
    size_t bytes = size - (size_t)turn % 64;
    uint64_t seed = bench_random();
    bench_add_number(XXH32(from, bytes, (XXH32_hash_t)seed));
    bench_print("xxh32", turn);
    bench_add_number(XXH64(from + turn % 8, bytes - 8, seed));
    bench_print("xxh64", turn);
    bench_add_number(XXH3_64bits(from, bytes));
    bench_add_number(XXH3_64bits_withSeed(from, bytes, seed));
    bench_print("xxh3", turn);
    add128(XXH3_128bits(from, bytes));
    add128(XXH3_128bits_withSeed(from, bytes, seed));
    bench_print("xxh128", turn);
    XXH3_generateSecret_fromSeed(secret, seed);
    bench_check(XXH3_generateSecret(own, sizeof own, from, 100) == XXH_OK, "a secret was refused");
    bench_add_number(XXH3_64bits_withSecret(from, bytes, own, sizeof own));
    add128(XXH3_128bits_withSecret(from, bytes, own, sizeof own));
    bench_add_number(XXH3_64bits_withSecretandSeed(from, bytes, secret, sizeof secret, seed));
    bench_check(XXH3_64bits_withSecretandSeed(from, bytes, secret, sizeof secret, seed) ==
                XXH3_64bits_withSeed(from, bytes, seed), "the secret of a seed hashes otherwise than the seed");
    bench_print("secret", turn);
  }
  free(from);
}

static void lengths(long turns) {
  static unsigned char from[1024], secret[XXH3_SECRET_SIZE_MIN + 10];
  XXH128_hash_t least = {~UINT64_C(0), ~UINT64_C(0)};
  bench_noise(from, sizeof from);
  bench_noise(secret, sizeof secret);
  for (long turn = 0; turn < turns; turn++) {
    for (size_t bytes = 0; bytes <= 260; bytes++) {
      const unsigned char *at = from + (bytes * 7 + (size_t)turn) % 700;
      XXH128_hash_t wide = XXH3_128bits_withSeed(at, bytes, (uint64_t)turn);
      if (XXH128_cmp(&wide, &least) < 0) least = wide;
      bench_add_number(XXH3_64bits(at, bytes) ^ XXH3_64bits_withSeed(at, bytes, 7));
      bench_add_number(XXH3_64bits_withSecret(at, bytes, secret, sizeof secret));
      bench_add_number(XXH32(at, bytes, 1) + XXH64(at, bytes, 2));
      add128(wide);
      add128(XXH3_128bits_withSecret(at, bytes, secret, sizeof secret));
    }
    if (turn % (turns / 6 + 1) == 0) bench_print("turn", turn);
  }
  add128(least);
  bench_print("least", (long long)(least.high64 >> 1));
}

/* Feeds all states with the same pieces; half way they are copied, and copy and original must agree. */
static void stream(const unsigned char *from, size_t size, long turns) {
  XXH32_state_t *small = XXH32_createState(), *small_twin = XXH32_createState();
  XXH64_state_t *large = XXH64_createState(), *large_twin = XXH64_createState();
  XXH3_state_t *three = XXH3_createState(), *wide = XXH3_createState(), *wide_twin = XXH3_createState();
  static unsigned char secret[XXH3_SECRET_SIZE_MIN];
  bench_check(small && small_twin && large && large_twin && three && wide && wide_twin, "there is no memory left");
  bench_noise(secret, sizeof secret);
  for (long turn = 0; turn < turns; turn++) {
    XXH32_canonical_t canonical32;
    XXH64_canonical_t canonical64;
    XXH128_canonical_t canonical128;
    uint64_t seed = (uint64_t)turn;
    XXH32_reset(small, (XXH32_hash_t)seed);
    XXH64_reset(large, seed);
    if (turn % 3 == 0) XXH3_64bits_reset_withSecret(three, secret, sizeof secret);
    else XXH3_64bits_reset_withSeed(three, seed);
    if (turn % 3 == 1) XXH3_128bits_reset_withSecret(wide, secret, sizeof secret);
    else XXH3_128bits_reset_withSeed(wide, seed);
    for (size_t at = 0, piece; at < size; at += piece) {
      piece = 1 + bench_below(turn % 2 ? 100 : 2000);
      if (piece > size - at) piece = size - at;
      XXH32_update(small, from + at, piece);
      XXH64_update(large, from + at, piece);
      XXH3_64bits_update(three, from + at, piece);
      XXH3_128bits_update(wide, from + at, piece);
    }
    XXH32_copyState(small_twin, small);
    XXH64_copyState(large_twin, large);
    XXH3_copyState(wide_twin, wide);
    XXH32_hash_t hash32 = XXH32_digest(small_twin);
    XXH64_hash_t hash64 = XXH64_digest(large_twin);
    XXH128_hash_t hash128 = XXH3_128bits_digest(wide_twin);
    bench_check(hash32 == XXH32(from, size, (XXH32_hash_t)seed) && hash64 == XXH64(from, size, seed) &&
                XXH128_isEqual(hash128, XXH3_128bits_digest(wide)), "the pieces have another hash");
    XXH32_canonicalFromHash(&canonical32, hash32);
    XXH64_canonicalFromHash(&canonical64, hash64);
    XXH128_canonicalFromHash(&canonical128, hash128);
    bench_check(XXH32_hashFromCanonical(&canonical32) == hash32 && XXH64_hashFromCanonical(&canonical64) == hash64 &&
                XXH128_isEqual(XXH128_hashFromCanonical(&canonical128), hash128), "a canonical form is another hash");
    bench_add(&canonical32, sizeof canonical32);
    bench_add(&canonical64, sizeof canonical64);
    bench_add(&canonical128, sizeof canonical128);
    bench_add_number(XXH3_64bits_digest(three));
    if (turn % (turns / 6 + 1) == 0) bench_print("turn", turn);
  }
  bench_print("stream", (long long)size);
  XXH32_freeState(small);
  XXH32_freeState(small_twin);
  XXH64_freeState(large);
  XXH64_freeState(large_twin);
  XXH3_freeState(three);
  XXH3_freeState(wide);
  XXH3_freeState(wide_twin);
}

int main(int argc, char **argv) {
  static unsigned char given[30000];
  const char *mode = bench_word(argc, argv, 1);
  int streamed = strcmp(mode, "stream") == 0, brief = strcmp(mode, "short") == 0;
  const char *kind = streamed ? bench_word(argc, argv, 2) : "";
  size_t size = sizeof given;
  if (!streamed && !brief && strcmp(mode, "long") != 0) bench_fail("there is no such mode");
  bench_seed((uint64_t)bench_number(argc, argv, brief ? 2 : 3, 0, 1000000));
  long turns = bench_number(argc, argv, brief ? 3 : 4, 1, 1000000);
  known();
  if (brief) lengths(turns);
  else if (!streamed) whole((size_t)bench_number(argc, argv, 2, 1000, 50000000), turns);
  if (!streamed) return 0;
  if (strcmp(kind, "text") == 0) bench_text((char *)given, size);
  else if (strcmp(kind, "input") == 0) size = fread(given, 1, sizeof given, stdin);
  else bench_fail("there is no such kind of input");
  bench_check(size > 0, "stdin is empty");
  stream(given, size, turns);
  return 0;
}
