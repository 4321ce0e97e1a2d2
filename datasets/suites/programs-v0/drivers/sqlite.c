/* SQLite: a database in memory, made from a seed and questioned with SQL.
 *
 *   sqlite GROUP SEED ROWS     tables of about ROWS rows, then the statements of GROUP:
 *                              joins, windows, text, changes or json
 *   sqlite stdin SEED ROWS     the same tables, then the statements on the standard input
 */
#include "bench.h"

#include <sqlite3.h>

/* The library is compiled without an operating system: no file can be opened, and the clock stands still. */
static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *got) {
  (void)vfs, (void)name, (void)flags, (void)got;
  file->pMethods = NULL;
  return SQLITE_CANTOPEN;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
  (void)vfs, (void)name, (void)sync;
  return SQLITE_IOERR_DELETE;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *got) {
  (void)vfs, (void)name, (void)flags;
  *got = 0;
  return SQLITE_OK;
}

static int vfs_name(sqlite3_vfs *vfs, const char *name, int room, char *to) {
  (void)vfs;
  sqlite3_snprintf(room, to, "%s", name);
  return SQLITE_OK;
}

static int vfs_random(sqlite3_vfs *vfs, int room, char *to) {
  (void)vfs;
  memset(to, 42, (size_t)room);
  return room;
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return microseconds;
}

static int vfs_time(sqlite3_vfs *vfs, double *to) {
  (void)vfs;
  *to = 2451545;
  return SQLITE_OK;
}

static sqlite3_vfs vfs = {.iVersion = 1, .szOsFile = sizeof(sqlite3_file), .mxPathname = 100, .zName = "none", .xOpen = vfs_open, .xDelete = vfs_delete,
                          .xAccess = vfs_access, .xFullPathname = vfs_name, .xRandomness = vfs_random, .xSleep = vfs_sleep, .xCurrentTime = vfs_time};

int sqlite3_os_init(void) { return sqlite3_vfs_register(&vfs, 1); }

int sqlite3_os_end(void) { return SQLITE_OK; }

/* This copy of SQLite names the start of extensions that are not compiled; nothing calls it. */
int sqlite3_sqlean_init(sqlite3 *db, char **error, const void *routines) {
  (void)db, (void)error, (void)routines;
  return SQLITE_ERROR;
}

/* Ten statements at most; the number of rows of each is printed. */
static const char *const groups[][11] = {
    {"joins",
     "SELECT c.country, count(*), sum(o.amount), avg(o.amount) FROM customer c JOIN orders o ON o.customer = c.id GROUP BY c.country HAVING count(*) > 3 ORDER BY 3 DESC",
     "SELECT a.id, b.id FROM orders a JOIN orders b ON a.day = b.day AND a.id < b.id WHERE a.amount % 7 = 0 AND b.amount BETWEEN 10 AND 400",
     "SELECT c.name, (SELECT max(amount) FROM orders o WHERE o.customer = c.id) AS most FROM customer c WHERE most IS NOT NULL ORDER BY most DESC, c.name LIMIT 40",
     "SELECT name FROM customer WHERE id NOT IN (SELECT customer FROM orders WHERE amount > 900) INTERSECT SELECT name FROM customer WHERE country IN ('c1', 'c3', 'c5') ORDER BY 1",
     "SELECT c.name, p.label FROM customer c LEFT JOIN orders o ON o.customer = c.id AND o.day < 40 LEFT JOIN product p ON p.id = o.product ORDER BY p.label, c.name DESC LIMIT 500 OFFSET 20",
     "WITH RECURSIVE tree(id, depth) AS (SELECT 1, 0 UNION ALL SELECT p.id, depth + 1 FROM product p JOIN tree t ON p.parent = t.id) SELECT depth, count(*), group_concat(id) FROM tree GROUP BY depth",
     "SELECT DISTINCT o.day / 10, p.kind FROM orders o CROSS JOIN product p ON p.id = o.product WHERE EXISTS (SELECT 1 FROM customer c WHERE c.id = o.customer AND c.name LIKE 'r%')"},
    {"windows",
     "SELECT customer, day, amount, sum(amount) OVER (PARTITION BY customer ORDER BY day, id ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) FROM orders",
     "SELECT country, name, rank() OVER w, dense_rank() OVER w, percent_rank() OVER w FROM customer WINDOW w AS (PARTITION BY country ORDER BY length(name) DESC, name)",
     "SELECT day, amount - lag(amount, 1, 0) OVER (ORDER BY id), lead(amount) OVER (ORDER BY id), ntile(7) OVER (ORDER BY amount, id) FROM orders",
     "SELECT kind, first_value(label) OVER (PARTITION BY kind ORDER BY price DESC, id), nth_value(label, 2) OVER (PARTITION BY kind ORDER BY price DESC, id RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) FROM product",
     "SELECT day, sum(count(*)) OVER (ORDER BY day GROUPS 2 PRECEDING), total(amount) FILTER (WHERE product % 2) FROM orders GROUP BY day"},
    {"text",
     "SELECT id, substr(body, 1, 20) FROM note WHERE body LIKE '%river%stone%' OR body LIKE 'Th_ %' ORDER BY length(body), id",
     "SELECT count(*), sum(instr(body, 'winter')) FROM note WHERE body GLOB '*[aeiou][rst] the*'",
     "SELECT upper(substr(body, -9)), replace(trim(body), 'the', 'a'), hex(substr(body, 3, 4)), quote(body) FROM note WHERE id % 5 = 0",
     "SELECT printf('%08.3f|%-10s|%+d|%x|%,d', id / 7.0, substr(body, 1, 5), id, id * 31, id * 123457) FROM note",
     "WITH RECURSIVE word(rest, w, n) AS (SELECT body || ' ', '', 0 FROM note WHERE id < 60 UNION ALL SELECT substr(rest, instr(rest, ' ') + 1), substr(rest, 1, instr(rest, ' ') - 1), n + 1 FROM word WHERE rest <> '') SELECT lower(w), count(*), max(n) FROM word WHERE w <> '' GROUP BY 1 ORDER BY 2 DESC, 1",
     "SELECT date('2024-02-28', '+' || day || ' days'), strftime('%j %W %H:%M', 1700000000 + day * 86399, 'unixepoch'), julianday('2000-01-01') FROM orders WHERE id % 9 = 0",
     "SELECT body COLLATE NOCASE, unicode(body), char(65 + id % 26, 233), soundish(body) FROM note ORDER BY 1 DESC, id LIMIT 80"},
    {"changes",
     "CREATE TABLE log(id INTEGER PRIMARY KEY, what TEXT, at INT)",
     "CREATE TRIGGER changed AFTER UPDATE OF amount ON orders WHEN new.amount <> old.amount BEGIN INSERT INTO log(what, at) VALUES ('amount', new.id); END",
     "UPDATE orders SET amount = amount + 5, day = day % 50 WHERE customer % 3 = 0",
     "SAVEPOINT s; DELETE FROM orders WHERE day > 25; ROLLBACK TO s; RELEASE s",
     "INSERT INTO product(id, label, kind, price) SELECT id, 'again', 9, 1 FROM product WHERE id % 4 = 0 ON CONFLICT(id) DO UPDATE SET price = price * 2, label = excluded.label",
     "CREATE VIEW late AS SELECT id, customer FROM orders WHERE day > 40; DELETE FROM orders WHERE id IN (SELECT id FROM late) RETURNING id, amount",
     "ALTER TABLE product ADD COLUMN stock INT DEFAULT 3; CREATE INDEX by_price ON product(price, kind) WHERE price > 20; ANALYZE",
     "DROP INDEX by_day; VACUUM; REINDEX",
     "SELECT count(*), sum(at) FROM log",
     "PRAGMA integrity_check"},
    {"json",
     "CREATE TABLE doc AS SELECT id, json_object('id', id, 'amount', amount, 'tags', json_array(day, customer, 'x' || product, NULL), 'more', json_object('half', amount / 2.0)) AS j FROM orders",
     "SELECT json_extract(j, '$.tags[1]'), j ->> '$.more.half', json_type(j, '$.tags') FROM doc WHERE j -> '$.amount' > '500'",
     "SELECT key, type, count(*), sum(atom) FROM doc, json_tree(doc.j) WHERE atom IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2",
     "UPDATE doc SET j = json_set(json_remove(j, '$.tags[0]'), '$.more.new', json('[1,2,{\"a\":null}]'), '$.amount', 0) WHERE id % 3 = 0",
     "SELECT json_group_array(value) FROM doc, json_each(doc.j, '$.tags') WHERE doc.id < 50",
     "SELECT json_valid(j), json_array_length(j, '$.more.new'), json_patch(j, '{\"id\":null,\"p\":1}'), length(jsonb(j)) FROM doc WHERE id % 6 < 2",
     "CREATE TABLE r(id PRIMARY KEY, v BLOB, CHECK (length(v) < 90)) WITHOUT ROWID; INSERT OR REPLACE INTO r SELECT id % 91, zeroblob(id % 80) || j FROM (SELECT id, substr(j, 1, 8) AS j FROM doc); SELECT count(*), max(length(v)), sum(id) FROM r"}};

/* A function of ours that SQL may call: a sum over the letters of a text. */
static void soundish(sqlite3_context *context, int count, sqlite3_value **values) {
  const unsigned char *text = sqlite3_value_text(values[0]);
  int sum = count;
  for (; text != NULL && *text; text++) sum = (sum * 5 + *text % 7) % 10007;
  sqlite3_result_int(context, sum);
}

static void check(sqlite3 *db, int result) {
  if (result != SQLITE_OK && result != SQLITE_ROW && result != SQLITE_DONE) bench_fail(sqlite3_errmsg(db));
}

/* Runs every statement of a text; all columns of all rows enter the checksum. */
static void run(sqlite3 *db, const char *text, const char *label) {
  long long rows = 0;
  while (text[strspn(text, " \n;")]) {
    sqlite3_stmt *statement = NULL;
    int result;
    check(db, sqlite3_prepare_v2(db, text, -1, &statement, &text));
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
      for (int i = 0; i < sqlite3_column_count(statement); i++) {
        if (sqlite3_column_type(statement, i) == SQLITE_FLOAT)
          bench_add_real(sqlite3_column_double(statement, i), 8);
        else if (sqlite3_column_type(statement, i) != SQLITE_NULL)
          bench_add(sqlite3_column_blob(statement, i), (size_t)sqlite3_column_bytes(statement, i));
        bench_add_number((uint64_t)sqlite3_column_type(statement, i));
      }
      rows++;
    }
    check(db, result);
    check(db, sqlite3_finalize(statement));
  }
  bench_print(label, rows);
}

static void fill(sqlite3 *db, long rows) {
  char text[120];
  sqlite3_stmt *insert = NULL;
  static const char *const inserts[] = {"INSERT INTO customer VALUES(?1, ?4, 'c' || ?2)", "INSERT INTO product VALUES(?1, 'p' || ?4, ?2, ?3 / 8.0, ?1 / 3)",
                                        "INSERT INTO orders VALUES(?1, ?5, ?6, ?2 * 8 + ?3 % 8, ?3)", "INSERT INTO note VALUES(?1, ?4)"};
  const long counts[] = {rows / 8 + 1, rows / 16 + 1, rows, rows / 4 + 1};
  run(db, "PRAGMA temp_store = memory; CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);"
          "CREATE TABLE product(id INTEGER PRIMARY KEY, label TEXT, kind INT, price REAL, parent INT REFERENCES product(id));"
          "CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INT, product INT, day INT, amount INT); CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT);"
          "CREATE INDEX by_customer ON orders(customer); CREATE INDEX by_day ON orders(day, amount); CREATE INDEX by_parent ON product(parent); BEGIN", "tables");
  for (int t = 0; t < 4; t++) {
    check(db, sqlite3_prepare_v2(db, inserts[t], -1, &insert, NULL));
    for (long i = 1; i <= counts[t]; i++) {
      int length = t == 3 ? 20 + (int)bench_below(100) : 6 + (int)bench_below(10);
      bench_text(text, (size_t)length);
      check(db, sqlite3_bind_int64(insert, 1, i));
      check(db, sqlite3_bind_int(insert, 2, (int)bench_below(8)));
      check(db, sqlite3_bind_int(insert, 3, (int)bench_below(1000)));
      if (t != 2) check(db, sqlite3_bind_text(insert, 4, text, length, SQLITE_TRANSIENT));
      if (t == 2) check(db, sqlite3_bind_int64(insert, 5, 1 + (long)bench_below((uint64_t)counts[0])));
      if (t == 2) check(db, sqlite3_bind_int64(insert, 6, 1 + (long)bench_below((uint64_t)counts[1])));
      check(db, sqlite3_step(insert));
      check(db, sqlite3_reset(insert));
    }
    check(db, sqlite3_finalize(insert));
  }
  run(db, "COMMIT; SELECT count(*), sum(amount) FROM orders", "filled");
}

int main(int argc, char **argv) {
  const char *mode = bench_word(argc, argv, 1);
  const size_t count = sizeof groups / sizeof *groups;
  sqlite3 *db = NULL;
  size_t group = 0;
  while (group < count && strcmp(mode, groups[group][0]) != 0) group++;
  bench_check(group < count || strcmp(mode, "stdin") == 0, "no such group of statements");
  bench_seed((uint64_t)bench_number(argc, argv, 2, 0, 1000000));
  check(db, sqlite3_open(":memory:", &db));
  check(db, sqlite3_create_function(db, "soundish", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, soundish, NULL, NULL));
  fill(db, bench_number(argc, argv, 3, 1, 1000000));
  if (group < count) {
    for (int i = 1; i < 11 && groups[group][i] != NULL; i++) run(db, groups[group][i], groups[group][0]);
  } else {
    char text[8192];
    text[fread(text, 1, sizeof text - 1, stdin)] = 0;
    run(db, text, "stdin");
  }
  bench_print("changes", sqlite3_total_changes(db));
  check(db, sqlite3_close(db));
  bench_check(sqlite3_shutdown() == SQLITE_OK, "SQLite does not shut down");
  return 0;
}
