// Lists, and hash tables from addresses to numbers that grow as needed: open addressing, at most half full.
void *malloc(u64);
void *calloc(u64, u64);
void free(void *);
void *memset(void *, int, u64);
void *memcpy(void *, const void *, u64);

typedef struct {
  const void *key;
  u64 value;
} Slot;

typedef struct {
  Slot *slots;
  u64 mask, count, room;
} Table;

typedef struct {
  const void **items;
  u64 count, room;
} List;

// Empties a table and makes room for `expected` keys.
static __attribute__((noinline)) void clear(Table *table, u64 expected) {
  u64 size = 16;
  while (size < 2 * expected) size *= 2;
  if (size > table->room) {
    free(table->slots);
    table->slots = malloc(size * sizeof(Slot));
    table->room = size;
  }
  memset(table->slots, 0, size * sizeof(Slot));
  table->mask = size - 1;
  table->count = 0;
}

// The slot of a key, or the free one where it belongs.
static inline Slot *find(const Table *table, const void *key) {
  u64 at = ((u64)key * 0x9E3779B97F4A7C15u) >> 32;
  Slot *slot;
  while ((slot = &table->slots[at & table->mask])->key && slot->key != key) at++;
  return slot;
}

static __attribute__((noinline)) void enlarge(Table *table) {
  Table old = *table;
  table->slots = 0, table->room = 0;
  clear(table, 4 * old.count);
  for (u64 i = 0; i <= old.mask; i++)
    if (old.slots[i].key) *find(table, old.slots[i].key) = old.slots[i];
  table->count = old.count;
  free(old.slots);
}

// The slot of a key; a new one has the value 0, which the caller changes.
static inline Slot *enter(Table *table, const void *key) {
  Slot *slot = find(table, key);
  if (slot->key) return slot;
  if (2 * (table->count + 1) > table->mask) {
    enlarge(table);
    slot = find(table, key);
  }
  table->count++;
  slot->key = key;
  slot->value = 0;
  return slot;
}

static __attribute__((noinline)) void lengthen(List *list) {
  u64 room = list->room ? 2 * list->room : 256;
  const void **items = malloc(room * sizeof *items);
  if (list->count) memcpy(items, list->items, list->count * sizeof *items);
  free(list->items);
  list->items = items;
  list->room = room;
}

static inline void append(List *list, const void *item) {
  if (list->count == list->room) lengthen(list);
  list->items[list->count++] = item;
}
