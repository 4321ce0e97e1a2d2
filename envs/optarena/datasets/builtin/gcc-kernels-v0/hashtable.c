/* SPDX-License-Identifier: MIT
 * hashtable: a Robin Hood hash table with backward-shift deletion beside a chained one, driven by a random
 * script of operations; both must agree after every step, under several hash functions.
 *
 * usage: hashtable OPERATIONS KEYS SEED
 */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

int printf(const char *, ...);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
int memcmp(const void *, const void *, unsigned long);
void *memcpy(void *, const void *, unsigned long);
unsigned long strtoul(const char *, char **, int);

enum { KEY_BYTES = 12 };

struct key {
    u32 length;
    u8 bytes[KEY_BYTES];
};

struct slot {
    struct key key;
    u32 hash;
    u32 value;
    u32 used;
};

struct node {
    struct node *next;
    struct key key;
    u32 value;
};

typedef u32 (*hash_fn)(const u8 *, u32);

struct open_table {
    struct slot *slots;
    u32 capacity;
    u32 count;
    u32 grown;
    u64 probes;
    hash_fn hash;
};

struct chain_table {
    struct node **buckets;
    u32 capacity;
    u32 count;
    hash_fn hash;
};

static u64 random_state;

static u32 next_random(void)
{
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (u32)(random_state >> 33);
}

static u32 hash_fnv(const u8 *p, u32 n)
{
    u32 h = 2166136261u, i;
    for (i = 0; i < n; i++)
        h = (h ^ p[i]) * 16777619u;
    return h;
}

static u32 rotate(u32 x, u32 by)
{
    return x << by | x >> (32 - by);
}

static u32 read_u32(const u8 *p)
{
    return (u32)p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
}

static u32 hash_murmur(const u8 *p, u32 n)
{
    u32 h = 0x9747b28cu, k = 0, rest = n & 3, blocks = n / 4;
    for (; blocks; blocks--, p += 4) {
        k = rotate(read_u32(p) * 0xcc9e2d51u, 15) * 0x1b873593u;
        h = rotate(h ^ k, 13) * 5 + 0xe6546b64u;
    }
    k = 0;
    switch (rest) {
    case 3:
        k ^= (u32)p[2] << 16; /* fall through */
    case 2:
        k ^= (u32)p[1] << 8; /* fall through */
    case 1:
        k ^= p[0];
        h ^= rotate(k * 0xcc9e2d51u, 15) * 0x1b873593u;
    }
    h ^= n;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static u32 hash_shift_add(const u8 *p, u32 n)
{
    u32 h = 5381;
    while (n--)
        h = (h << 5) + h + *p++;
    return h;
}

static u32 hash_poor(const u8 *p, u32 n)
{
    return n ? (u32)p[0] * 8 + p[n - 1] : 0;
}

static const struct {
    const char *name;
    hash_fn hash;
} hashes[] = {{"fnv", hash_fnv}, {"murmur", hash_murmur}, {"shiftadd", hash_shift_add}, {"poor", hash_poor}};

static int same_key(const struct key *a, const struct key *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

static u32 distance(const struct open_table *t, u32 index)
{
    return (index + t->capacity - (t->slots[index].hash & (t->capacity - 1))) & (t->capacity - 1);
}

static void open_place(struct open_table *t, struct slot incoming)
{
    u32 mask = t->capacity - 1, at = incoming.hash & mask, travelled = 0;
    while (t->slots[at].used) {
        u32 resident = distance(t, at);
        t->probes++;
        if (resident < travelled) {
            struct slot evicted = t->slots[at];
            t->slots[at] = incoming;
            incoming = evicted;
            travelled = resident;
        }
        at = (at + 1) & mask;
        travelled++;
    }
    t->slots[at] = incoming;
    t->count++;
}

static int open_grow(struct open_table *t)
{
    struct slot *old = t->slots;
    u32 i, old_capacity = t->capacity;
    t->slots = calloc(2ul * old_capacity, sizeof *t->slots);
    if (!t->slots)
        return 0;
    t->capacity *= 2;
    t->count = 0;
    t->grown++;
    for (i = 0; i < old_capacity; i++)
        if (old[i].used)
            open_place(t, old[i]);
    free(old);
    return 1;
}

static struct slot *open_find(struct open_table *t, const struct key *key)
{
    u32 hash = t->hash(key->bytes, key->length), at = hash & (t->capacity - 1), travelled = 0;
    while (t->slots[at].used && distance(t, at) >= travelled) {
        t->probes++;
        if (t->slots[at].hash == hash && same_key(&t->slots[at].key, key))
            return &t->slots[at];
        at = (at + 1) & (t->capacity - 1);
        travelled++;
    }
    return 0;
}

static void open_put(struct open_table *t, const struct key *key, u32 value)
{
    struct slot *found = open_find(t, key), fresh;
    if (found) {
        found->value = value;
        return;
    }
    if (t->count * 8 >= t->capacity * 7 && !open_grow(t))
        return;
    fresh.key = *key;
    fresh.hash = t->hash(key->bytes, key->length);
    fresh.value = value;
    fresh.used = 1;
    open_place(t, fresh);
}

static int open_remove(struct open_table *t, const struct key *key)
{
    struct slot *found = open_find(t, key);
    u32 at, next;
    if (!found)
        return 0;
    at = (u32)(found - t->slots);
    for (;;) {
        next = (at + 1) & (t->capacity - 1);
        if (!t->slots[next].used || distance(t, next) == 0)
            break;
        t->slots[at] = t->slots[next];
        at = next;
    }
    t->slots[at].used = 0;
    t->count--;
    return 1;
}

static struct node **chain_find(struct chain_table *t, const struct key *key)
{
    struct node **link = &t->buckets[t->hash(key->bytes, key->length) % t->capacity];
    while (*link && !same_key(&(*link)->key, key))
        link = &(*link)->next;
    return link;
}

static void chain_put(struct chain_table *t, const struct key *key, u32 value)
{
    struct node **link = chain_find(t, key), *node = *link;
    if (!node) {
        node = malloc(sizeof *node);
        if (!node)
            return;
        node->next = 0;
        node->key = *key;
        *link = node;
        t->count++;
    }
    node->value = value;
}

static int chain_remove(struct chain_table *t, const struct key *key)
{
    struct node **link = chain_find(t, key), *node = *link;
    if (!node)
        return 0;
    *link = node->next;
    free(node);
    t->count--;
    return 1;
}

static void chain_free(struct chain_table *t)
{
    u32 i;
    for (i = 0; i < t->capacity; i++)
        while (t->buckets[i]) {
            struct node *next = t->buckets[i]->next;
            free(t->buckets[i]);
            t->buckets[i] = next;
        }
    free(t->buckets);
}

static struct key make_key(u32 number)
{
    static const char digits[] = "aeioubcdfghklmnprstvwxyz";
    struct key key = {0, {0}};
    u32 x = number * 2654435761u;
    do {
        key.bytes[key.length++] = (u8)digits[x % 24];
        x /= 24;
    } while (x && key.length < KEY_BYTES);
    if (number & 1 && key.length + 3 <= KEY_BYTES) {
        memcpy(key.bytes + key.length, "ing", 3);
        key.length += 3;
    }
    return key;
}

static u32 step(struct open_table *open, struct chain_table *chain, u32 keys, u32 counts[5])
{
    u32 choice = next_random() % 100, number = next_random() % keys, value = next_random();
    struct key key = make_key(number);
    struct slot *slot;
    struct node *node;
    u32 kind = choice < 40 ? 0 : choice < 65 ? 1 : choice < 90 ? 2 : choice < 99 ? 3 : 4;
    counts[kind]++;
    switch (kind) {
    case 0:
        open_put(open, &key, value);
        chain_put(chain, &key, value);
        break;
    case 1:
        return open_remove(open, &key) != chain_remove(chain, &key);
    case 2:
        slot = open_find(open, &key);
        node = *chain_find(chain, &key);
        return !slot != !node || (slot && slot->value != node->value);
    case 3:
        slot = open_find(open, &key);
        node = *chain_find(chain, &key);
        if (slot && node) {
            slot->value += number;
            node->value += number;
        }
        break;
    default:
        return open->count != chain->count;
    }
    return 0;
}

static void report(const char *name, const struct open_table *t, const u32 counts[5], u32 wrong)
{
    u32 histogram[8] = {0}, i, d, sum = 0;
    for (i = 0; i < t->capacity; i++)
        if (t->slots[i].used) {
            d = distance(t, i);
            histogram[d < 7 ? d : 7]++;
            sum = rotate(sum, 5) + t->slots[i].value * 31 + t->slots[i].key.bytes[0];
        }
    printf("%s: puts %u removes %u gets %u adds %u counts %u\n", name, counts[0], counts[1], counts[2], counts[3],
           counts[4]);
    printf("  %u of %u used, grown %u times, %llu probes, sum %08x, wrong %u\n  displacement", t->count, t->capacity,
           t->grown, t->probes, sum, wrong);
    for (i = 0; i < 8; i++)
        printf(" %u", histogram[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    u32 operations = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 1000;
    u32 keys = argc > 2 ? (u32)strtoul(argv[2], 0, 10) : 100, seed = argc > 3 ? (u32)strtoul(argv[3], 0, 10) : 1;
    u32 which, i, failures = 0;
    if (keys == 0)
        return 2;
    for (which = 0; which < sizeof hashes / sizeof hashes[0]; which++) {
        struct open_table open = {0, 8, 0, 0, 0, hashes[which].hash};
        struct chain_table chain = {0, 61, 0, hashes[which].hash};
        u32 counts[5] = {0}, wrong = 0;
        random_state = seed;
        open.slots = calloc(open.capacity, sizeof *open.slots);
        chain.buckets = calloc(chain.capacity, sizeof *chain.buckets);
        if (!open.slots || !chain.buckets)
            return 3;
        for (i = 0; i < operations; i++)
            wrong += step(&open, &chain, keys, counts);
        report(hashes[which].name, &open, counts, wrong);
        chain_free(&chain);
        free(open.slots);
        failures += wrong;
    }
    printf("fnv %08x murmur %08x shiftadd %08x\n", hash_fnv((const u8 *)"arena", 5), hash_murmur((const u8 *)"arena", 5),
           hash_shift_add((const u8 *)"arena", 5));
    return failures != 0;
}
