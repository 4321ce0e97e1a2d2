/* Sets of whole numbers as compressed bitmaps.
 *
 *   algebra KIND KIND VALUES SEED   two sets combined in every way, with results that must agree
 *   store KIND VALUES SEED          a set written in four formats and read back, and read by iterators
 *   edit ROUNDS SEED                ranges and values added, removed and flipped, with queries between
 *   wide VALUES SEED                sets of 64-bit numbers
 *   script                          commands on the standard input: add, range, remove, flip, has, rank, then numbers
 *
 * KIND is one of sparse, dense, runs, mixed: arrays, bitsets, runs of values, or all three kinds of container.
 */
#include "bench.h"

#include "roaring.h"

enum { UNIVERSE = 40000000 };

static roaring_bitmap_t *make(const char *kind, long values) {
  roaring_bitmap_t *set = roaring_bitmap_create();
  int mixed = strcmp(kind, "mixed") == 0;
  if (mixed || strcmp(kind, "sparse") == 0)
    for (long i = 0; i < values; i++) roaring_bitmap_add(set, (uint32_t)bench_below(UNIVERSE));
  else if (strcmp(kind, "dense") != 0 && strcmp(kind, "runs") != 0)
    bench_fail("no such kind of set");
  if (mixed || strcmp(kind, "dense") == 0)
    for (long i = 0; i < values; i++) roaring_bitmap_add(set, (uint32_t)(bench_below(1700) * bench_below(1700) / 4));
  if (mixed || strcmp(kind, "runs") == 0)
    for (long i = 0; i < values / 40; i++) {
      uint64_t from = bench_below(UNIVERSE);
      roaring_bitmap_add_range(set, from, from + 1 + bench_below(900));
    }
  roaring_bitmap_run_optimize(set);
  return set;
}

/* Prints how many members the set has, with the members in the checksum, and frees it. */
static void finish(const char *label, roaring_bitmap_t *set) {
  const char *reason = NULL;
  bench_check(roaring_bitmap_internal_validate(set, &reason), "the set is broken");
  uint64_t count = roaring_bitmap_get_cardinality(set);
  uint32_t *members = bench_alloc(count * sizeof *members);
  roaring_bitmap_to_uint32_array(set, members);
  for (uint64_t i = 0; i < count; i += 1 + count / 50000) bench_add_number(members[i]);
  bench_print(label, (long long)count);
  free(members);
  roaring_bitmap_free(set);
}

static void run_algebra(const char *first, const char *second, long values) {
  roaring_bitmap_t *a = make(first, values), *b = make(second, values);
  roaring_bitmap_t *both = roaring_bitmap_and(a, b), *either = roaring_bitmap_or(a, b);
  roaring_bitmap_t *one = roaring_bitmap_xor(a, b), *rest = roaring_bitmap_andnot(a, b);
  bench_check(roaring_bitmap_and_cardinality(a, b) == roaring_bitmap_get_cardinality(both), "another intersection");
  bench_check(roaring_bitmap_or_cardinality(a, b) == roaring_bitmap_get_cardinality(either), "another union");
  bench_check(roaring_bitmap_xor_cardinality(a, b) == roaring_bitmap_get_cardinality(one), "another difference");
  bench_check(roaring_bitmap_andnot_cardinality(a, b) == roaring_bitmap_get_cardinality(rest), "another rest");
  bench_check(roaring_bitmap_is_subset(both, a) && roaring_bitmap_is_subset(rest, either), "no subset");
  bench_check(roaring_bitmap_intersect(a, b) == !roaring_bitmap_is_empty(both), "the sets meet, or not");
  bench_add_real(roaring_bitmap_jaccard_index(a, b), 6);

  roaring_bitmap_t *again = roaring_bitmap_copy(a);
  roaring_bitmap_or_inplace(again, b);
  bench_check(roaring_bitmap_equals(again, either), "the union in place is another");
  roaring_bitmap_andnot_inplace(again, both);
  bench_check(roaring_bitmap_equals(again, one), "the rest in place is another");
  roaring_bitmap_xor_inplace(again, b);
  bench_check(roaring_bitmap_equals(again, rest) || !roaring_bitmap_is_empty(both), "the difference is another");
  roaring_bitmap_and_inplace(again, a);
  finish("in place", again);

  const roaring_bitmap_t *all[] = {a, b, one, rest, both};
  again = roaring_bitmap_or_many(5, all);
  roaring_bitmap_t *heap = roaring_bitmap_or_many_heap(5, all), *lazy = roaring_bitmap_lazy_or(a, b, true);
  bench_check(roaring_bitmap_equals(again, heap) && roaring_bitmap_equals(again, either), "the unions disagree");
  roaring_bitmap_lazy_xor_inplace(lazy, both);
  roaring_bitmap_repair_after_lazy(lazy);
  bench_check(roaring_bitmap_equals(lazy, one), "the lazy difference is another");
  roaring_bitmap_free(heap);
  roaring_bitmap_free(again);
  finish("lazy", lazy);
  finish("five combined", roaring_bitmap_xor_many(5, all));
  finish("flipped", roaring_bitmap_flip(a, 100000, 900000));
  finish("shifted", roaring_bitmap_add_offset(b, -70001));
  finish("both", both);
  finish("either", either);
  finish("one", one);
  finish("rest", rest);
  finish("first", a);
  finish("second", b);
}

static bool add_member(uint32_t value, void *sum) {
  *(uint64_t *)sum += value;
  return true;
}

static void run_store(const char *kind, long values) {
  roaring_bitmap_t *set = make(kind, values), *back;
  size_t size = roaring_bitmap_portable_size_in_bytes(set), frozen = roaring_bitmap_frozen_size_in_bytes(set);
  char *bytes = bench_alloc(size);
  bench_check(roaring_bitmap_portable_serialize(set, bytes) == size, "the size is another");
  bench_add(bytes, size);
  bench_print("portable bytes", (long long)size);
  bench_check(roaring_bitmap_portable_deserialize_size(bytes, size) == size, "the size read is another");
  bench_check(roaring_bitmap_portable_deserialize_safe(bytes, size / 2) == NULL, "half a set was read");
  back = roaring_bitmap_portable_deserialize_safe(bytes, size);
  bench_check(back != NULL && roaring_bitmap_equals(set, back), "the set read is another");
  roaring_bitmap_remove_run_compression(back);
  roaring_bitmap_shrink_to_fit(back);
  bench_print("without runs", (long long)roaring_bitmap_portable_size_in_bytes(back));
  roaring_bitmap_free(back);
  free(bytes);

  bytes = bench_alloc(roaring_bitmap_size_in_bytes(set));
  size = roaring_bitmap_serialize(set, bytes);
  back = roaring_bitmap_deserialize_safe(bytes, size);
  bench_check(back != NULL && roaring_bitmap_equals(set, back), "the set read is another");
  bench_add(bytes, size);
  bench_print("own bytes", (long long)size);
  roaring_bitmap_free(back);
  free(bytes);

  bytes = aligned_alloc(32, (frozen + 31) / 32 * 32);
  bench_check(bytes != NULL, "there is no memory left");
  roaring_bitmap_frozen_serialize(set, bytes);
  const roaring_bitmap_t *view = roaring_bitmap_frozen_view(bytes, frozen);
  bench_check(view != NULL && roaring_bitmap_equals(set, view), "the frozen set is another");
  bench_add(bytes, frozen);
  bench_print("frozen bytes", (long long)frozen);
  roaring_bitmap_free(view);
  free(bytes);

  uint64_t sum = 0, backwards = 0;
  uint32_t buffer[256], count;
  roaring_iterate(set, add_member, &sum);
  roaring_uint32_iterator_t *at = roaring_iterator_create(set);
  while ((count = roaring_uint32_iterator_read(at, buffer, 256)) > 0)
    for (uint32_t i = 0; i < count; i++) sum -= buffer[i];
  bench_check(sum == 0, "the iterators disagree");
  roaring_uint32_iterator_free(at);
  roaring_uint32_iterator_t last;
  for (roaring_init_iterator_last(set, &last); last.has_value; roaring_uint32_iterator_previous(&last))
    backwards = backwards * 31 + last.current_value;
  at = roaring_iterator_create(set);
  for (uint32_t from = 0; roaring_uint32_iterator_move_equalorlarger(at, from); from = at->current_value + 9999)
    bench_add_number(at->current_value);
  roaring_uint32_iterator_free(at);
  bench_add_number(backwards);

  bitset_t *plain = bitset_create();
  bench_check(roaring_bitmap_to_bitset(set, plain), "there is no plain bitset");
  bench_check(bitset_count(plain) == roaring_bitmap_get_cardinality(set), "the plain bitset is another");
  bench_print("highest", (long long)bitset_maximum(plain));
  bitset_free(plain);
  finish("members", set);
}

static void run_edit(long rounds) {
  roaring_bitmap_t *set = roaring_bitmap_from_range(0, UNIVERSE, 3);
  for (long i = 0; i < rounds; i++) {
    uint32_t from = (uint32_t)bench_below(UNIVERSE), to = from + 1 + (uint32_t)bench_below(2000), many[16], found = 0;
    for (int k = 0; k < 16; k++) many[k] = (uint32_t)bench_below(UNIVERSE);
    switch (bench_below(6)) {
      case 0: roaring_bitmap_add_range(set, from, to); break;
      case 1: roaring_bitmap_remove_range(set, from, to); break;
      case 2: roaring_bitmap_flip_inplace(set, from, to); break;
      case 3: roaring_bitmap_add_many(set, 16, many); break;
      case 4: roaring_bitmap_remove_many(set, 16, many); break;
      default:
        bench_add_number(roaring_bitmap_add_checked(set, from));
        bench_add_number(roaring_bitmap_remove_checked(set, to));
    }
    if (i % 16 == 0) {
      uint64_t rank = roaring_bitmap_rank(set, from);
      if (rank > 0 && roaring_bitmap_select(set, (uint32_t)rank - 1, &found)) bench_add_number(found);
      bench_check(found <= from, "rank and select disagree");
      bench_add_number(roaring_bitmap_range_cardinality(set, from / 2, to));
      bench_add_number((uint64_t)roaring_bitmap_get_index(set, from));
    }
    bench_add_number(roaring_bitmap_contains(set, from) + 2 * roaring_bitmap_contains_range(set, from, from + 40));
    if (i % (rounds / 4 + 1) == rounds / 8) {
      roaring_bitmap_run_optimize(set);
      bench_print("members", (long long)roaring_bitmap_get_cardinality(set));
    }
  }
  finish("edited", set);
}

static roaring64_bitmap_t *make_wide(long values) {
  roaring64_bitmap_t *set = roaring64_bitmap_create();
  for (long i = 0; i < values; i++) {
    uint64_t high = bench_below(64) << 12, low = bench_below(9000);
    roaring64_bitmap_add(set, high << (12 * bench_below(3)) | low);
  }
  for (long i = 0; i < values / 50; i++) {
    uint64_t from = bench_below(UINT64_C(1) << 44);
    roaring64_bitmap_add_range(set, from, from + bench_below(5000));
  }
  return set;
}

static void run_wide(long values) {
  roaring64_bitmap_t *a = make_wide(values), *b = make_wide(values);
  roaring64_bitmap_t *all[] = {roaring64_bitmap_and(a, b), roaring64_bitmap_or(a, b), roaring64_bitmap_xor(a, b),
                               roaring64_bitmap_andnot(a, b), roaring64_bitmap_flip(a, 5000, 9000000)};
  bench_check(roaring64_bitmap_is_subset(all[0], all[1]), "no subset");
  for (int i = 0; i < 5; i++) {
    roaring64_bitmap_run_optimize(all[i]);
    size_t size = roaring64_bitmap_portable_size_in_bytes(all[i]);
    char *bytes = bench_alloc(size);
    bench_check(roaring64_bitmap_portable_serialize(all[i], bytes) == size, "the size is another");
    roaring64_bitmap_t *back = roaring64_bitmap_portable_deserialize_safe(bytes, size);
    bench_check(back != NULL && roaring64_bitmap_equals(back, all[i]), "the set read is another");
    bench_add(bytes, size);
    uint64_t middle = 0;
    if (roaring64_bitmap_select(back, roaring64_bitmap_get_cardinality(back) / 2, &middle)) {
      bench_add_number(middle);
      bench_add_number(roaring64_bitmap_rank(back, middle));
      roaring64_bitmap_remove_range(back, 0, middle);
    }
    roaring64_iterator_t *at = roaring64_iterator_create(back);
    for (int step = 0; step < 20000 && roaring64_iterator_has_value(at); step++) {
      bench_add_number(roaring64_iterator_value(at));
      roaring64_iterator_advance(at);
    }
    roaring64_iterator_free(at);
    bench_print("wide members", (long long)roaring64_bitmap_get_cardinality(all[i]));
    roaring64_bitmap_free(back);
    roaring64_bitmap_free(all[i]);
    free(bytes);
  }
  roaring64_bitmap_free(a);
  roaring64_bitmap_free(b);
}

static void run_script(void) {
  roaring_bitmap_t *set = roaring_bitmap_create();
  char line[128], command[16];
  while (fgets(line, sizeof line, stdin) != NULL) {
    unsigned long a = 0, b = 0;
    int fields = sscanf(line, "%15s %lu %lu", command, &a, &b);
    if (fields < 2) continue;
    if (strcmp(command, "add") == 0) roaring_bitmap_add(set, (uint32_t)a);
    else if (strcmp(command, "remove") == 0) roaring_bitmap_remove(set, (uint32_t)a);
    else if (strcmp(command, "range") == 0) roaring_bitmap_add_range(set, a, b);
    else if (strcmp(command, "cut") == 0) roaring_bitmap_remove_range(set, a, b);
    else if (strcmp(command, "flip") == 0) roaring_bitmap_flip_inplace(set, a, b);
    else if (strcmp(command, "has") == 0) bench_print("has", roaring_bitmap_contains(set, (uint32_t)a));
    else if (strcmp(command, "rank") == 0) bench_print("rank", (long long)roaring_bitmap_rank(set, (uint32_t)a));
    else bench_fail("no such command");
    bench_add_number(roaring_bitmap_get_cardinality(set));
    roaring_bitmap_run_optimize(set);
  }
  finish("members", set);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  int algebra = strcmp(mode, "algebra") == 0, store = strcmp(mode, "store") == 0;
  if (strcmp(mode, "script") == 0) {
    run_script();
    return 0;
  }
  int at = algebra ? 4 : store ? 3 : 2;
  long values = bench_number(argc, argv, at, 1, 10000000);
  bench_seed((uint64_t)bench_number(argc, argv, at + 1, 0, 1000000));
  if (algebra) run_algebra(bench_word(argc, argv, 2), bench_word(argc, argv, 3), values);
  else if (store) run_store(bench_word(argc, argv, 2), values);
  else if (strcmp(mode, "edit") == 0) run_edit(values);
  else if (strcmp(mode, "wide") == 0) run_wide(values);
  else bench_fail("no such mode");
  return 0;
}
