/* Sorts the suffixes of a text, and transforms it as Burrows and Wheeler do.
 *
 *   suffixes KIND BYTES SEED   the suffix array, checked, and how often pieces of the text and other strings occur
 *   bwt KIND BYTES SEED        the transform made in three ways, which must agree, and its inverse
 *   search BYTES SEED          in a text of words, how often every line of the standard input occurs
 *
 * KIND is one of text, noise, genome, runs, fibonacci.
 */
#include "bench.h"

#include "divsufsort.h"

static void make(uint8_t *to, saidx_t n, const char *kind) {
  if (strcmp(kind, "text") == 0) {
    bench_text((char *)to, (size_t)n);
  } else if (strcmp(kind, "noise") == 0) {
    bench_noise(to, (size_t)n);
  } else if (strcmp(kind, "genome") == 0) {
    /* A third of it is copied from what is already there, as in a genome with repeats. */
    for (saidx_t at = 0; at < n;) {
      saidx_t length = 1 + (saidx_t)bench_below(400), from = (saidx_t)bench_below((uint64_t)at + 1);
      int copy = from + length <= at && bench_below(3) == 0;
      for (saidx_t i = 0; i < length && at < n; i++, at++) to[at] = copy ? to[from + i] : (uint8_t)"ACGT"[bench_below(4)];
    }
  } else if (strcmp(kind, "runs") == 0) {
    for (saidx_t at = 0; at < n;) {
      saidx_t length = 1 + (saidx_t)bench_below(bench_below(8) == 0 ? 3000 : 40);
      uint8_t letter = (uint8_t)('a' + bench_below(3));
      for (saidx_t i = 0; i < length && at < n; i++) to[at++] = letter;
    }
  } else if (strcmp(kind, "fibonacci") == 0) {
    /* Each word is the one before it followed by the one before that: b, a, ab, aba, abaab, and so on. */
    for (saidx_t i = 0; i < n && i < 2; i++) to[i] = "ab"[i];
    for (saidx_t length = 2, before = 1; length < n;) {
      saidx_t more = before < n - length ? before : n - length;
      memcpy(to + length, to, (size_t)more);
      before = length;
      length += more;
    }
  } else {
    bench_fail("no such kind of text");
  }
}

static saidx_t *sorted(const uint8_t *text, saidx_t n) {
  saidx_t *suffixes = bench_alloc((size_t)n * sizeof *suffixes);
  bench_check(divsufsort(text, suffixes, n) == 0, "the suffixes were not sorted");
  bench_check(sufcheck(text, suffixes, n, 0) == 0, "the suffix array is wrong");
  for (saidx_t i = 0; i < n; i++) bench_add_number((uint64_t)suffixes[i]);
  return suffixes;
}

static saidx_t occurrences(const uint8_t *text, const saidx_t *suffixes, saidx_t n, const void *what, saidx_t length) {
  saidx_t first = -1, found = sa_search(text, n, what, length, suffixes, n, &first);
  bench_add_number((uint64_t)found);
  for (saidx_t i = first; i < first + found; i += found > 1 ? found - 1 : 1) /* the first and the last */
    bench_check(memcmp(text + suffixes[i], what, (size_t)length) == 0, "the search found something else");
  return found;
}

static void run_suffixes(const char *kind, saidx_t n) {
  uint8_t *text = bench_alloc((size_t)n);
  make(text, n, kind);
  saidx_t *suffixes = sorted(text, n);
  bench_print("sorted", n);

  long found = 0;
  for (int i = 0; i < 2000; i++) {
    saidx_t length = 1 + (saidx_t)bench_below(n < 24 ? (uint64_t)n : 24);
    saidx_t here = occurrences(text, suffixes, n, text + bench_below((uint64_t)(n - length + 1)), length);
    bench_check(here > 0, "a piece of the text was not found");
    found += here;
  }
  bench_print("pieces", found);

  found = 0;
  for (int letter = 0; letter < 256; letter++) found += sa_simplesearch(text, n, suffixes, n, letter, NULL);
  bench_check(found == n, "the letters do not add up to the text");

  suffixes[n / 2] = suffixes[n / 2 - 1];
  bench_check(sufcheck(text, suffixes, n, 0) != 0, "a wrong suffix array passed the check");
  free(suffixes);
  free(text);
}

static void run_bwt(const char *kind, saidx_t n) {
  uint8_t *text = bench_alloc((size_t)n), *direct = bench_alloc((size_t)n), *other = bench_alloc((size_t)n);
  saidx_t at = 0, runs = 0;
  make(text, n, kind);

  saidx_t primary = divbwt(text, direct, NULL, n);
  bench_check(primary > 0, "the text was not transformed");
  bench_add(direct, (size_t)n);
  bench_print("primary index", primary);
  for (saidx_t i = 1; i < n; i++) runs += direct[i] != direct[i - 1];
  bench_print("runs", runs);

  saidx_t *suffixes = sorted(text, n);
  bench_check(bw_transform(text, other, suffixes, n, &at) == 0 && at == primary, "the second index is another");
  bench_check(memcmp(direct, other, (size_t)n) == 0, "the second transform is another");
  memcpy(other, text, (size_t)n);
  bench_check(bw_transform(other, other, suffixes, n, &at) == 0 && at == primary, "the third index is another");
  bench_check(memcmp(direct, other, (size_t)n) == 0, "the third transform is another");

  bench_check(inverse_bw_transform(direct, other, suffixes, n, primary) == 0, "there is no inverse");
  bench_check(memcmp(text, other, (size_t)n) == 0, "the inverse is not the text");
  bench_check(inverse_bw_transform(direct, direct, NULL, n, 0) != 0, "an impossible index was accepted");
  bench_print("restored", n);
  free(suffixes);
  free(other);
  free(direct);
  free(text);
}

static void run_search(saidx_t n) {
  uint8_t *text = bench_alloc((size_t)n);
  char line[256];
  make(text, n, "text");
  saidx_t *suffixes = sorted(text, n);
  while (fgets(line, sizeof line, stdin) != NULL) {
    saidx_t length = (saidx_t)strcspn(line, "\n");
    line[length] = 0;
    bench_print(line, occurrences(text, suffixes, n, line, length));
  }
  free(suffixes);
  free(text);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  int search = strcmp(mode, "search") == 0;
  saidx_t n = (saidx_t)bench_number(argc, argv, search ? 2 : 3, 3, 100000000);
  bench_seed((uint64_t)bench_number(argc, argv, search ? 3 : 4, 0, 1000000));
  bench_add(divsufsort_version(), strlen(divsufsort_version()));
  if (search)
    run_search(n);
  else if (strcmp(mode, "suffixes") == 0)
    run_suffixes(bench_word(argc, argv, 2), n);
  else if (strcmp(mode, "bwt") == 0)
    run_bwt(bench_word(argc, argv, 2), n);
  else
    bench_fail("no such mode");
  return 0;
}
