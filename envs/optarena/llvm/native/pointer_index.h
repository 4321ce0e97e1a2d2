// A hash table from pointers to numbers, with open addressing; it grows as needed.
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);

typedef struct {
  unsigned long *keys;  // 0 marks a free slot
  int *values;
  unsigned long size, used;  // size is a power of 2
} PointerIndex;

static inline int index_open(PointerIndex *index, unsigned long size) {
  index->size = size;
  index->used = 0;
  index->keys = calloc(size, sizeof *index->keys);
  index->values = malloc(size * sizeof *index->values);
  return index->keys && index->values;
}

static inline void index_close(PointerIndex *index) {
  free(index->keys);
  free(index->values);
}

// The slot of a key, or the free one where it belongs.
static inline unsigned long index_place(const PointerIndex *index, unsigned long key) {
  unsigned long place = (key * 0x9E3779B97F4A7C15ul >> 32) & (index->size - 1);
  while (index->keys[place] && index->keys[place] != key) place = (place + 1) & (index->size - 1);
  return place;
}

// -1 if the key has no number.
static inline int index_find(const PointerIndex *index, unsigned long key) {
  unsigned long place = index_place(index, key);
  return index->keys[place] ? index->values[place] : -1;
}

static inline int index_grow(PointerIndex *index) {
  PointerIndex larger;
  if (!index_open(&larger, index->size * 2)) {
    index_close(&larger);
    return 0;
  }
  for (unsigned long i = 0; i < index->size; i++) {
    if (!index->keys[i]) continue;
    unsigned long place = index_place(&larger, index->keys[i]);
    larger.keys[place] = index->keys[i];
    larger.values[place] = index->values[i];
  }
  larger.used = index->used;
  index_close(index);
  *index = larger;
  return 1;
}

// Gives a new key its number; returns 0 without enough memory.
static inline int index_add(PointerIndex *index, unsigned long key, int value) {
  if (index->used * 2 >= index->size && !index_grow(index)) return 0;
  unsigned long place = index_place(index, key);
  index->keys[place] = key;
  index->values[place] = value;
  index->used++;
  return 1;
}
