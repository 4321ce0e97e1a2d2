/* Distances between time series by dynamic time warping.
 *
 *   distance LENGTH COUNT SEED   every pair of series under ten settings, with bounds and Euclidean distances
 *   paths LENGTH COUNT SEED      warping paths of pairs, in one and in three dimensions, and local affinities
 *   average LENGTH COUNT SEED    a distance matrix, in whole and in blocks, and the barycentre of the series
 *   lines WINDOW LENGTH SEED     two series on the standard input, a line each: their matrix, and where in a walk
 *                                the first is found
 *
 * A series is a random walk. Its numbers are eighths, so that most sums of squares are exact.
 */
#include "bench.h"

#include <math.h>

#include "dd_dtw.h"
#include "dd_ed.h"

enum { LONGEST = 4000, DIGITS = 6 };

static seq_t *walk(idx_t numbers) {
  seq_t *series = bench_alloc((size_t)numbers * sizeof *series), at = 0;
  for (idx_t i = 0; i < numbers; i++) series[i] = at += ((seq_t)bench_below(17) - 8) / 8;
  return series;
}

/* Variation number `which`, of ten: windows, limits, penalties, free ends, pruning, the other inner distance. */
static DTWSettings settings(int which, idx_t length) {
  DTWSettings s = dtw_settings_default();
  if (which == 1 || which == 7 || which == 9) s.window = length / 8 + 1;
  if (which == 2) s.penalty = 0.25;
  if (which == 3 || which == 9) dtw_settings_set_psi(length / 10, &s);
  if (which == 4) s.use_pruning = true;
  if (which == 5) s.max_step = 4;
  if (which == 6) s.max_dist = 60;
  if (which >= 7) s.inner_dist = 1;
  return s;
}

static void run_distance(idx_t length, int count) {
  for (int which = 0; which < 10; which++) {
    DTWSettings s = settings(which, length);
    int finite = 0;
    bench_seed(bench_state + (uint64_t)which);
    for (int pair = 0; pair < count; pair++) {
      idx_t shorter = length - pair % 5;
      seq_t *a = walk(3 * length), *b = walk(3 * length);
      seq_t warped = dtw_distance(a, length, b, shorter, &s), wide = dtw_distance_ndim(a, length, b, shorter, 3, &s);
      finite += isfinite(warped) + isfinite(wide);
      bench_add_real(warped, DIGITS);
      bench_add_real(wide, DIGITS);
      bench_add_real(lb_keogh(a, length, b, length, &s), DIGITS);
      bench_add_real(ub_euclidean(a, length, b, shorter), DIGITS);
      bench_add_real(euclidean_distance_euclidean(a, length, b, shorter), DIGITS);
      bench_add_real(euclidean_distance_ndim(a, length, b, shorter, 3), DIGITS);
      free(a);
      free(b);
    }
    bench_print("finite", finite);
  }
}

static void add_path(const char *label, const idx_t *from, const idx_t *to, idx_t steps) {
  for (idx_t i = 0; i < steps; i++) bench_add_number((uint64_t)(from[i] * LONGEST + to[i]));
  bench_print(label, (long long)steps);
}

static void run_paths(idx_t length, int count) {
  idx_t *from = bench_alloc(2 * (size_t)length * sizeof *from), *to = bench_alloc(2 * (size_t)length * sizeof *to);
  seq_t *full = bench_alloc((size_t)((length + 1) * (length + 1)) * sizeof *full);
  for (int pair = 0; pair < count; pair++) {
    seq_t *a = walk(3 * length), *b = walk(3 * length);
    DTWSettings s = settings((int[]){0, 1, 2, 3, 8}[pair % 5], length);
    idx_t steps = 0, row = 0, column = 0;
    seq_t *matrix = bench_alloc((size_t)dtw_settings_wps_length(length, length, &s) * sizeof *matrix);

    bench_add_real(dtw_warping_path(a, length, b, length, from, to, &steps, &s), DIGITS);
    add_path("path", from, to, steps);
    bench_add_real(dtw_warping_path_ndim(a, length, b, length, from, to, &steps, 3, &s), DIGITS);
    add_path("path in space", from, to, steps);

    bench_add_real(dtw_warping_paths(matrix, a, length, b, length, true, true, true, &s), DIGITS);
    steps = dtw_best_path_isclose(matrix, from, to, length, length, 1e-6, 1e-9, &s);
    add_path("close path", from, to, steps);
    dtw_expand_wps(matrix, full, length, length, &s);
    for (idx_t i = 0; i < (length + 1) * (length + 1); i += 13) bench_add_real(full[i], DIGITS);

    /* Where the two are alike: the best piece, and then the best that does not touch it. */
    DTWSettings plain = settings(0, length);
    DTWWps parts = dtw_wps_parts(length, length, &plain);
    matrix = realloc(matrix, (size_t)parts.length * sizeof *matrix);
    bench_check(matrix != NULL, "there is no memory left");
    dtw_warping_paths_affinity(matrix, a, length, b, length, true, true, true, false, 0.1, 0.6, -0.5, 0.9, &plain);
    for (int piece = 0; piece < 2; piece++) {
      idx_t at = dtw_wps_max(&parts, matrix, &row, &column, length, length);
      bench_add_real(matrix[at], DIGITS - 1);
      steps = dtw_best_path_affinity(matrix, from, to, length, length, row, column, &plain);
      add_path("alike", from, to, steps);
      for (idx_t i = 0; i < steps; i++)
        dtw_wps_negativize(&parts, matrix, length, length, from[i] + 1, from[i] + 2, to[i] + 1, to[i] + 2, true);
    }
    free(matrix);
    free(a);
    free(b);
  }
  free(full);
  free(from);
  free(to);
}

static void run_average(idx_t length, idx_t count) {
  DTWSettings s = settings(1, length);
  seq_t *rows = walk(count * length), *centre = bench_alloc((size_t)length * sizeof *centre), moved = 1;
  DTWBlock whole = dtw_block_empty(), part = {.rb = 0, .re = count / 2, .cb = count / 3, .ce = count, .triu = true};
  for (int blocks = 0; blocks < 2; blocks++) {
    DTWBlock *block = blocks ? &part : &whole;
    idx_t pairs = dtw_distances_length(block, count, count), done;
    seq_t *distances = bench_alloc((size_t)pairs * sizeof *distances);
    done = dtw_distances_matrix(rows, count, length, distances, block, &s);
    bench_check(done == pairs, "there are fewer distances than pairs");
    for (idx_t i = 0; i < pairs; i++) bench_add_real(distances[i], DIGITS);
    bench_print("distances", (long long)pairs);
    free(distances);
  }
  ba_t *mask = bench_alloc((size_t)count / ba_size + 1);
  memset(mask, 0, (size_t)count / ba_size + 1);
  for (idx_t i = 0; i < count; i++)
    if (i % 3 != 2) bit_set(mask, i);
  memcpy(centre, rows, (size_t)length * sizeof *centre);
  for (int round = 0; round < 4; round++) {
    seq_t *before = bench_alloc((size_t)length * sizeof *before);
    memcpy(before, centre, (size_t)length * sizeof *before);
    dtw_dba_matrix(rows, count, length, centre, length, mask, 0, 1, &s);
    moved = euclidean_distance(before, length, centre, length);
    bench_add_real(moved, DIGITS - 1);
    bench_print("hundredths moved", (long long)(100 * moved));
    free(before);
  }
  free(mask);
  free(centre);
  free(rows);
}

static idx_t read_line(seq_t *to, idx_t room) {
  char line[1024], *at = line, *end;
  idx_t count = 0;
  if (fgets(line, sizeof line, stdin) == NULL) return 0;
  for (seq_t value = strtod(at, &end); end != at && count < room; at = end, value = strtod(at, &end)) to[count++] = value;
  return count;
}

static void run_lines(idx_t window, idx_t length) {
  seq_t a[128], b[128];
  idx_t from[256], to[256], steps = 0, la = read_line(a, 128), lb = read_line(b, 128);
  bench_check(la > 1 && lb > 1, "two series are needed");
  DTWSettings s = dtw_settings_default();
  s.window = window;
  dtw_settings_print(&s);
  seq_t *matrix = bench_alloc((size_t)dtw_settings_wps_length(la, lb, &s) * sizeof *matrix);
  bench_add_real(dtw_warping_paths(matrix, a, la, b, lb, true, true, true, &s), DIGITS);
  dtw_print_wps(matrix, la, lb, &s);
  dtw_print_wps_compact(matrix, la, lb, &s);
  bench_add_real(dtw_warping_path(a, la, b, lb, from, to, &steps, &s), DIGITS);
  add_path("path", from, to, steps);
  free(matrix);

  seq_t *series = walk(length), best = INFINITY;
  for (idx_t at = 0; at + la <= length; at++) {
    seq_t warped = INFINITY;
    if (lb_keogh(a, la, series + at, la, &s) < best) warped = dtw_distance(a, la, series + at, la, &s);
    if (warped < best) {
      best = warped;
      bench_add_real(best, DIGITS);
      bench_print("found at", (long long)at);
    }
  }
  free(series);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  int lines = strcmp(mode, "lines") == 0;
  idx_t length = bench_number(argc, argv, lines ? 3 : 2, 16, lines ? 1000000 : LONGEST);
  int count = (int)bench_number(argc, argv, lines ? 2 : 3, 2, 10000);
  bench_seed((uint64_t)bench_number(argc, argv, 4, 0, 1000000));
  if (lines)
    run_lines(count, length);
  else if (strcmp(mode, "distance") == 0)
    run_distance(length, count);
  else if (strcmp(mode, "paths") == 0)
    run_paths(length, count);
  else if (strcmp(mode, "average") == 0)
    run_average(length, count);
  else
    bench_fail("no such mode");
  return 0;
}
