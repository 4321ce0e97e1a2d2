/* siphash: SipHash-2-4, the keyed hash that keeps hash tables safe from chosen keys.
 *
 *   vectors TURNS        the example of the SipHash paper for each length, then long messages of noise
 *   words COUNT SEED     counts the words of a generated text in a hash table
 *   lines SEED TURNS     a Bloom filter and a checksum over the lines of stdin, under many keys
 *
 * Messages and keys start at multiples of 8: the library reads them eight bytes at a time.
 */
#include "bench.h"
#include "siphash.h"

enum { SLOTS = 1024, WORD = 24, LINE = 256 };

static _Alignas(8) unsigned char key[16], message[65536];

/* Results for messages 00, 00 01, 00 01 02, ... under the key 00 01 ... 0f, by length. */
static const struct { int length; uint64_t hash; } known[] = {
    {0, UINT64_C(0x726fdb47dd0e0e31)}, {1, UINT64_C(0x74f839c593dc67fd)}, {2, UINT64_C(0x0d6c8009d9a94f5a)},
    {3, UINT64_C(0x85676696d7fb7e2d)}, {7, UINT64_C(0xab0200f58b01d137)}, {8, UINT64_C(0x93f5f5799a932462)},
    {15, UINT64_C(0xa129ca6149be45e5)}};

static void vectors(long turns) {
  for (int i = 0; i < 16; i++) key[i] = (unsigned char)i;
  for (int i = 0; i < 64; i++) message[i] = (unsigned char)i;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    uint64_t hash = siphash(key, message, (size_t)known[i].length);
    bench_check(hash == known[i].hash, "a known message has another hash");
    bench_add_number(hash);
    bench_print("length", known[i].length);
  }
  bench_noise(message, sizeof message);
  for (long turn = 0; turn < turns; turn++) {
    uint64_t hash = siphash(key, message, sizeof message - (size_t)turn % 1000);
    memcpy(key, &hash, sizeof hash);
    bench_add_number(hash);
  }
  bench_print("long", turns);
}

struct slot {
  _Alignas(8) unsigned char word[WORD];
  size_t length;
  long long count;
};

/* Counts every word; open addressing with linear probing. */
static void words(size_t count) {
  static struct slot table[SLOTS];
  static _Alignas(8) unsigned char word[WORD];
  char *text = bench_alloc(count * 6);
  size_t length = 0, used = 0;
  long long probes = 0, seen = 0;
  bench_noise(key, sizeof key);
  bench_text(text, count * 6);
  for (size_t at = 0; at < count * 6; at++) {
    if (text[at] >= 'a' && text[at] <= 'z' && length < WORD) {
      word[length++] = (unsigned char)text[at];
      continue;
    }
    if (length == 0) continue;
    word[0] = (unsigned char)(word[0] - seen++ % 3 / 2 * 32); /* every third word has a capital */
    size_t at_slot = siphash(key, word, length) % SLOTS;
    while (table[at_slot].count > 0 &&
           (table[at_slot].length != length || memcmp(table[at_slot].word, word, length) != 0)) {
      at_slot = (at_slot + 1) % SLOTS;
      probes++;
    }
    if (table[at_slot].count++ == 0) {
      used++;
      table[at_slot].length = length;
      memcpy(table[at_slot].word, word, length);
      bench_check(used < SLOTS / 2, "the table is too small");
    }
    length = 0;
  }
  for (size_t i = 0; i < SLOTS; i++) {
    if (table[i].count == 0) continue;
    bench_add(table[i].word, table[i].length);
    bench_add_number((uint64_t)table[i].count);
  }
  bench_print("words", seen);
  bench_print("different", (long long)used);
  bench_print("probes", probes);
  free(text);
}

static void lines(long turns) {
  static _Alignas(8) unsigned char stored[64][LINE];
  size_t lengths[64];
  int count = 0;
  long long falsely = 0;
  while (count < 64 && fgets((char *)stored[count], LINE, stdin) != NULL) {
    lengths[count] = strlen((char *)stored[count]);
    count++;
  }
  bench_check(count > 0, "stdin is empty");
  for (long turn = 0; turn < turns; turn++) {
    uint64_t filter[8] = {0};
    bench_noise(key, sizeof key);
    for (int i = 0; i < count; i += 2) { /* every other line is entered with three bits */
      uint64_t hash = siphash(key, stored[i], lengths[i]);
      bench_add_number(hash);
      for (int bit = 0; bit < 27; bit += 9) filter[hash >> (bit + 6) & 7] |= UINT64_C(1) << (hash >> bit & 63);
    }
    for (int i = 0; i < count; i++) {
      uint64_t hash = siphash(key, stored[i], lengths[i]);
      int held = 1;
      for (int bit = 0; bit < 27; bit += 9) held &= (int)(filter[hash >> (bit + 6) & 7] >> (hash >> bit & 63) & 1);
      bench_check(held || i % 2 == 1, "a line that was entered is missing");
      falsely += held && i % 2 == 1;
    }
    if (turn % (turns / 5 + 1) == 0) bench_print("falsely", falsely);
  }
  bench_print("lines", count);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  if (strcmp(mode, "vectors") == 0) {
    vectors(bench_number(argc, argv, 2, 1, 100000));
  } else if (strcmp(mode, "words") == 0) {
    long count = bench_number(argc, argv, 2, 10, 10000000);
    bench_seed((uint64_t)bench_number(argc, argv, 3, 0, 1000000));
    words((size_t)count);
  } else if (strcmp(mode, "lines") == 0) {
    bench_seed((uint64_t)bench_number(argc, argv, 2, 0, 1000000));
    lines(bench_number(argc, argv, 3, 1, 1000000));
  } else {
    bench_fail("there is no such mode");
  }
  return 0;
}
