/* PicoSAT: satisfiability of formulas in conjunctive normal form.
 *
 *   picosat holes HOLES                one pigeon more than there are holes: no solution; counts the clauses of the proof
 *   picosat random SEED VARIABLES COUNT    COUNT random 3-SAT formulas near the threshold, models are checked
 *   picosat colour SEED NODES          fewest colours for a random graph, one solver, a context per number of colours
 *   picosat subsets SEED VARIABLES     which of the assumptions contradict each other: cores, minimal and maximal sets
 *   picosat stdin REPEATS              the formula in DIMACS format on the standard input
 */
#include "bench.h"

#include <picosat.h>

typedef struct {
  int *literals; /* clauses, each ended by a zero */
  size_t size, room;
  int variables, clauses;
} formula;

static void put(formula *f, int literal) {
  if (f->size == f->room) {
    f->room = 2 * f->room + 64;
    f->literals = realloc(f->literals, f->room * sizeof *f->literals);
    bench_check(f->literals != NULL, "there is no memory left");
  }
  f->literals[f->size++] = literal;
  if (abs(literal) > f->variables) f->variables = abs(literal);
  f->clauses += literal == 0;
}

static void put_random_clause(formula *f, int variables) {
  int taken[3];
  for (int i = 0; i < 3; i++) {
    taken[i] = 1 + (int)bench_below((uint64_t)variables);
    for (int j = 0; j < i; j++)
      if (taken[j] == taken[i]) j = 3, i--;
  }
  for (int i = 0; i < 3; i++) put(f, bench_below(2) ? taken[i] : -taken[i]);
  put(f, 0);
}

static PicoSAT *load(const formula *f, int tracing) {
  PicoSAT *solver = picosat_init();
  bench_check(solver != NULL, "no solver");
  if (tracing) bench_check(picosat_enable_trace_generation(solver), "no trace");
  picosat_adjust(solver, f->variables);
  for (size_t i = 0; i < f->size; i++) picosat_add(solver, f->literals[i]);
  bench_check(picosat_variables(solver) == f->variables && picosat_added_original_clauses(solver) == f->clauses, "clauses are lost");
  return solver;
}

/* Whether every clause holds a true literal. */
static int is_model(PicoSAT *solver, const formula *f) {
  int holds = 0;
  for (size_t i = 0; i < f->size; i++) {
    if (f->literals[i] == 0 && !holds) return 0;
    holds = f->literals[i] != 0 && (holds || picosat_deref(solver, f->literals[i]) == 1);
  }
  return 1;
}

static int solve(PicoSAT *solver, const formula *f) {
  int result = picosat_sat(solver, -1);
  bench_check(result == PICOSAT_SATISFIABLE || result == PICOSAT_UNSATISFIABLE, "no answer");
  bench_check(result == picosat_res(solver), "two answers");
  if (result == PICOSAT_SATISFIABLE) {
    bench_check(is_model(solver, f), "the model is wrong");
    for (int v = 1; v <= f->variables; v++) bench_add_number((uint64_t)(picosat_deref(solver, v) + 2 * picosat_deref_toplevel(solver, v) + 4));
  }
  bench_add_number(picosat_decisions(solver));
  bench_add_number(picosat_propagations(solver));
  return result == PICOSAT_SATISFIABLE;
}

/* Solves, and where there is no solution solves what the proof used, too. */
static int solve_with_core(const formula *f) {
  formula core = {0};
  PicoSAT *solver = load(f, 1);
  int satisfiable = solve(solver, f);
  if (!satisfiable) {
    size_t at = 0;
    for (int clause = 0; clause < f->clauses; clause++) {
      int used = picosat_coreclause(solver, clause);
      for (; f->literals[at]; at++)
        if (used) put(&core, f->literals[at]);
      if (used) put(&core, 0);
      at++;
    }
    bench_print("core", core.clauses);
    PicoSAT *again = load(&core, 0);
    bench_check(!solve(again, &core), "the core has a solution");
    picosat_reset(again);
  }
  picosat_reset(solver);
  free(core.literals);
  return satisfiable;
}

static void run_holes(int holes) {
  formula f = {0};
  for (int p = 0; p <= holes; p++) {
    for (int h = 1; h <= holes; h++) put(&f, p * holes + h);
    put(&f, 0);
  }
  for (int h = 1; h <= holes; h++)
    for (int p = 0; p <= holes; p++)
      for (int q = 0; q < p; q++) put(&f, -(p * holes + h)), put(&f, -(q * holes + h)), put(&f, 0);
  bench_print("clauses", f.clauses);
  bench_check(!solve_with_core(&f), "the pigeons fit");
  free(f.literals);
}

static void run_random(int variables, long count) {
  long satisfiable = 0;
  for (long i = 0; i < count; i++) {
    formula f = {0};
    for (int c = 0; c < variables * 426 / 100; c++) put_random_clause(&f, variables);
    PicoSAT *solver = load(&f, 0);
    picosat_set_seed(solver, (unsigned)i);
    if (i % 3 == 1) picosat_set_global_default_phase(solver, 0);
    if (i % 3 == 2) picosat_set_more_important_lit(solver, 1), picosat_set_default_phase_lit(solver, 2, -1);
    satisfiable += solve(solver, &f);
    picosat_reset(solver);
    free(f.literals);
  }
  bench_print("satisfiable", satisfiable);
}

/* Variable node * most + colour + 1: the node has the colour. Every number of colours is tried in a context of its own. */
static void run_colour(int nodes) {
  enum { most = 12 };
  formula f = {0};
  for (int v = 0; v < nodes; v++) {
    for (int c = 1; c <= most; c++) put(&f, v * most + c);
    put(&f, 0);
    for (int w = 0; w < v; w++)
      for (int c = 1, edge = bench_below(3) == 0; edge && c <= most; c++) put(&f, -(v * most + c)), put(&f, -(w * most + c)), put(&f, 0);
  }
  PicoSAT *solver = load(&f, 0);
  bench_print("clauses", f.clauses);
  for (int colours = most, found = 1; found && colours > 1; colours--) {
    picosat_push(solver);
    for (int v = 0; v < nodes; v++)
      for (int c = colours; c < most; c++) picosat_add_arg(solver, -(v * most + c + 1), 0);
    found = solve(solver, &f);
    printf("%d colours: %s\n", colours, found ? "yes" : "no");
    if (colours % 2)
      picosat_simplify(solver);
    else
      picosat_remove_learned(solver, 50);
    picosat_pop(solver);
  }
  picosat_reset(solver);
  free(f.literals);
}

static void add_set(const char *label, const int *set, int printing) {
  long long size = 0;
  for (; set != NULL && set[size]; size++) bench_add_number((uint64_t)set[size]);
  if (printing) bench_print(label, size);
}

/* Clause i holds where variable VARIABLES + i is assumed; there are too many to hold at once. */
static void run_subsets(int variables) {
  formula f = {0};
  int clauses = 6 * variables;
  for (int i = 1; i <= clauses; i++) {
    put_random_clause(&f, variables);
    f.literals[f.size - 1] = -(variables + i);
    f.clauses--;
    put(&f, 0);
  }
  f.variables = variables + clauses;
  PicoSAT *solver = load(&f, 0);
  for (int i = 1; i <= clauses; i++) picosat_assume(solver, variables + i);
  bench_check(!solve(solver, &f), "everything holds at once");
  add_set("failed", picosat_failed_assumptions(solver), 1);
  add_set("minimal", picosat_mus_assumptions(solver, NULL, NULL, 0), 1);
  for (int i = 1; i <= clauses; i++) picosat_assume(solver, variables + i);
  add_set("maximal", picosat_maximal_satisfiable_subset_of_assumptions(solver), 1);
  for (int n = 0; n < 3; n++) {
    for (int i = 1; i <= variables; i++) picosat_assume(solver, variables + i + n * variables);
    for (int i = 1; i <= variables * 3; i++) picosat_assume(solver, variables + 3 * variables + i);
    add_set("correcting", picosat_next_minimal_correcting_subset_of_assumptions(solver), 1);
  }
  picosat_reset(solver);
  free(f.literals);
}

static void run_stdin(long repeats) {
  formula f = {0};
  int variables = 0, clauses = 0, literal, c;
  while ((c = getchar()) == 'c')
    while ((c = getchar()) != '\n') bench_check(c != EOF, "the formula ends too early");
  bench_check(c == 'p' && scanf(" cnf %d %d", &variables, &clauses) == 2, "no DIMACS header");
  while (scanf("%d", &literal) == 1) put(&f, literal);
  bench_check(f.variables <= variables && f.clauses == clauses, "the header does not fit the formula");
  bench_print("variables", variables);
  int *opposite = bench_alloc(sizeof *opposite * (size_t)(f.variables + 1));
  opposite[f.variables] = 0;
  for (long i = 0; i < repeats; i++) {
    PicoSAT *solver = load(&f, 0);
    int solutions = 0;
    /* Every solution, each one forbidden after it is found. */
    while (solutions < 200 && solve(solver, &f)) {
      for (int v = 1; v <= f.variables; v++) opposite[v - 1] = -v * picosat_deref(solver, v);
      picosat_add_lits(solver, opposite);
      solutions++;
    }
    if (i == 0) bench_print("solutions", solutions);
    picosat_reset(solver);
  }
  free(opposite);
  free(f.literals);
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  long first = bench_number(argc, argv, 2, 0, 1000000);
  bench_seed((uint64_t)first);
  if (strcmp(mode, "holes") == 0)
    run_holes((int)bench_number(argc, argv, 2, 2, 12));
  else if (strcmp(mode, "random") == 0)
    run_random((int)bench_number(argc, argv, 3, 3, 1000), bench_number(argc, argv, 4, 1, 1000));
  else if (strcmp(mode, "colour") == 0)
    run_colour((int)bench_number(argc, argv, 3, 2, 200));
  else if (strcmp(mode, "subsets") == 0)
    run_subsets((int)bench_number(argc, argv, 3, 3, 200));
  else if (strcmp(mode, "stdin") == 0)
    run_stdin(first);
  else
    bench_fail("no such mode");
  bench_print("end", first);
  return 0;
}
