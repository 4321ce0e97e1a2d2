/* SPDX-License-Identifier: MIT
 * quicksort: introspective quicksort of records in several orders, on input patterns that are easy and
 * hard for it, checked against a stable merge sort, a radix sort and quickselect.
 *
 * usage: quicksort COUNT SEED
 */
typedef unsigned int u32;
typedef unsigned long long u64;

int printf(const char *, ...);
void *malloc(unsigned long);
void free(void *);
unsigned long strtoul(const char *, char **, int);

struct record {
    u32 key;
    u32 group;
    u32 serial;
    signed char tag;
};

struct stats {
    u32 compares;
    u32 moves;
    u32 fallbacks;
    u32 deepest;
};

typedef int (*compare_fn)(const struct record *, const struct record *);

static u32 random_state;
static struct stats stats;

static u32 next_random(void)
{
    u32 x = random_state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    random_state = x;
    return x;
}

static int order_u32(u32 a, u32 b)
{
    return a < b ? -1 : a > b;
}

static int by_key(const struct record *a, const struct record *b)
{
    int order = order_u32(a->key, b->key);
    return order ? order : order_u32(a->serial, b->serial);
}

static int by_group(const struct record *a, const struct record *b)
{
    int order = order_u32(a->group, b->group);
    return order ? order : by_key(a, b);
}

static int by_tag_downwards(const struct record *a, const struct record *b)
{
    if (a->tag != b->tag)
        return a->tag > b->tag ? -1 : 1;
    return order_u32(b->serial, a->serial);
}

static int by_low_bits(const struct record *a, const struct record *b)
{
    int order = order_u32(a->key & 15, b->key & 15);
    return order ? order : order_u32(a->serial, b->serial);
}

static const struct order {
    const char *name;
    compare_fn compare;
} orders[] = {
    {"key", by_key},
    {"group", by_group},
    {"tag", by_tag_downwards},
    {"bits", by_low_bits},
};

static const char *const pattern_names[] = {
    "random", "rising", "falling", "organ", "few", "saw", "nearly",
};

enum { PATTERNS = sizeof pattern_names / sizeof pattern_names[0], ORDERS = sizeof orders / sizeof orders[0] };

static u32 pattern_key(u32 pattern, u32 i, u32 n)
{
    switch (pattern) {
    case 0:
        return next_random();
    case 1:
        return i * 3;
    case 2:
        return (n - i) * 5;
    case 3:
        return i < n / 2 ? i : n - i;
    case 4:
        return next_random() % 7;
    case 5:
        return i % 31 * 100 + i / 31;
    default:
        return next_random() % 16 == 0 ? next_random() % n : i;
    }
}

static void fill(struct record *a, u32 n, u32 pattern)
{
    u32 i;
    for (i = 0; i < n; i++) {
        a[i].key = pattern_key(pattern, i, n);
        a[i].group = (a[i].key >> 3) % 13;
        a[i].serial = i;
        a[i].tag = (signed char)((int)(i * 37 % 101) - 50);
    }
}

static void swap(struct record *a, struct record *b)
{
    struct record t = *a;
    *a = *b;
    *b = t;
    stats.moves++;
}

static int compare(compare_fn order, const struct record *a, const struct record *b)
{
    stats.compares++;
    return order(a, b);
}

static void insertion_sort(struct record *a, u32 n, compare_fn order)
{
    u32 i, j;
    for (i = 1; i < n; i++) {
        struct record value = a[i];
        for (j = i; j > 0 && compare(order, &value, &a[j - 1]) < 0; j--) {
            a[j] = a[j - 1];
            stats.moves++;
        }
        a[j] = value;
    }
}

static void sift_down(struct record *a, u32 root, u32 n, compare_fn order)
{
    for (;;) {
        u32 child = 2 * root + 1;
        if (child >= n)
            return;
        if (child + 1 < n && compare(order, &a[child], &a[child + 1]) < 0)
            child++;
        if (compare(order, &a[root], &a[child]) >= 0)
            return;
        swap(&a[root], &a[child]);
        root = child;
    }
}

static void heap_sort(struct record *a, u32 n, compare_fn order)
{
    u32 i;
    for (i = n / 2; i > 0; i--)
        sift_down(a, i - 1, n, order);
    for (i = n; i > 1; i--) {
        swap(&a[0], &a[i - 1]);
        sift_down(a, 0, i - 1, order);
    }
}

static u32 median_of_three(struct record *a, u32 i, u32 j, u32 k, compare_fn order)
{
    if (compare(order, &a[i], &a[j]) < 0) {
        if (compare(order, &a[j], &a[k]) < 0)
            return j;
        return compare(order, &a[i], &a[k]) < 0 ? k : i;
    }
    if (compare(order, &a[i], &a[k]) < 0)
        return i;
    return compare(order, &a[j], &a[k]) < 0 ? k : j;
}

static u32 choose_pivot(struct record *a, u32 n, compare_fn order)
{
    u32 step = n / 8;
    if (n < 64)
        return median_of_three(a, 0, n / 2, n - 1, order);
    return median_of_three(a, median_of_three(a, 0, step, 2 * step, order),
                           median_of_three(a, 3 * step, 4 * step, 5 * step, order),
                           median_of_three(a, n - 1 - 2 * step, n - 1 - step, n - 1, order), order);
}

static u32 partition(struct record *a, u32 n, compare_fn order)
{
    u32 left = 0, right = n - 1;
    swap(&a[choose_pivot(a, n, order)], &a[n - 1]);
    for (;;) {
        while (compare(order, &a[left], &a[n - 1]) < 0)
            left++;
        while (right > left && compare(order, &a[--right], &a[n - 1]) > 0) {
        }
        if (left >= right)
            break;
        swap(&a[left], &a[right]);
        left++;
    }
    swap(&a[left], &a[n - 1]);
    return left;
}

static void quick_sort(struct record *a, u32 n, compare_fn order, u32 depth, u32 limit)
{
    if (depth > stats.deepest)
        stats.deepest = depth;
    while (n > 12) {
        u32 middle;
        if (depth >= limit) {
            stats.fallbacks++;
            heap_sort(a, n, order);
            return;
        }
        middle = partition(a, n, order);
        depth++;
        if (middle < n - 1 - middle) {
            quick_sort(a, middle, order, depth, limit);
            a += middle + 1;
            n -= middle + 1;
        } else {
            quick_sort(a + middle + 1, n - 1 - middle, order, depth, limit);
            n = middle;
        }
    }
    insertion_sort(a, n, order);
}

static u32 log2_floor(u32 n)
{
    u32 log = 0;
    while (n >>= 1)
        log++;
    return log;
}

static struct record *merge_sort(struct record *from, struct record *to, u32 n, compare_fn order)
{
    u32 width, start;
    for (width = 1; width < n; width *= 2) {
        struct record *t;
        for (start = 0; start < n; start += 2 * width) {
            u32 i = start, middle = start + width < n ? start + width : n;
            u32 end = start + 2 * width < n ? start + 2 * width : n, j = middle, k;
            for (k = start; k < end; k++)
                to[k] = i < middle && (j >= end || order(&from[i], &from[j]) <= 0) ? from[i++] : from[j++];
        }
        t = from;
        from = to;
        to = t;
    }
    return from;
}

static void radix_sort(const struct record *a, u32 *keys, u32 *spare, u32 n)
{
    u32 pass, i;
    for (i = 0; i < n; i++)
        keys[i] = a[i].key;
    for (pass = 0; pass < 4; pass++) {
        u32 counts[257] = {0}, *t;
        for (i = 0; i < n; i++)
            counts[(keys[i] >> (8 * pass) & 255) + 1]++;
        for (i = 0; i < 256; i++)
            counts[i + 1] += counts[i];
        for (i = 0; i < n; i++)
            spare[counts[keys[i] >> (8 * pass) & 255]++] = keys[i];
        t = keys;
        keys = spare;
        spare = t;
    }
}

static u32 quick_select(u32 *a, u32 n, u32 rank)
{
    u32 low = 0, high = n - 1;
    while (low < high) {
        u32 pivot = a[low + (high - low) / 2], i = low, j = high;
        for (;;) {
            u32 t;
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i >= j)
                break;
            t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
        if (rank <= j)
            high = j;
        else
            low = j + 1;
    }
    return a[low];
}

static u64 checksum(const struct record *a, u32 n)
{
    u64 sum = 14695981039346656037ULL;
    u32 i;
    for (i = 0; i < n; i++)
        sum = (sum ^ (a[i].key + 31 * a[i].serial + (u32)(a[i].tag + 128))) * 1099511628211ULL;
    return sum;
}

static int run(struct record *a, struct record *b, struct record *c, u32 n, u32 pattern, u32 order)
{
    const struct record *merged;
    struct stats none = {0, 0, 0, 0};
    u32 i, same = 1, limit = order == 3 ? log2_floor(n) / 2 : 2 * log2_floor(n);
    stats = none;
    fill(a, n, pattern);
    for (i = 0; i < n; i++)
        b[i] = a[i];
    quick_sort(a, n, orders[order].compare, 0, limit);
    merged = merge_sort(b, c, n, orders[order].compare);
    for (i = 0; i < n && same; i++)
        same = a[i].serial == merged[i].serial;
    printf("%-6s %-5s compares %7u moves %7u depth %2u heaps %2u sum %016llx %s\n", pattern_names[pattern],
           orders[order].name, stats.compares, stats.moves, stats.deepest, stats.fallbacks, checksum(a, n),
           same ? "same" : "DIFFERENT");
    return same;
}

int main(int argc, char **argv)
{
    u32 n = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 500, pattern, order, i, wrong = 0;
    struct record *a, *b, *c;
    u32 *keys, *spare;
    random_state = argc > 2 ? (u32)strtoul(argv[2], 0, 10) | 1 : 1;
    if (n < 2 || n > 1000000) {
        printf("count must be from 2 to 1000000\n");
        return 2;
    }
    a = malloc(n * sizeof *a);
    b = malloc(n * sizeof *b);
    c = malloc(n * sizeof *c);
    keys = malloc(n * sizeof *keys);
    spare = malloc(n * sizeof *spare);
    if (!a || !b || !c || !keys || !spare)
        return 3;
    for (pattern = 0; pattern < PATTERNS; pattern++) {
        for (order = 0; order < ORDERS; order++)
            wrong += !run(a, b, c, n, pattern, order);
        radix_sort(a, keys, spare, n);
        printf("%-6s quartiles %u %u %u", pattern_names[pattern], keys[n / 4], keys[n / 2], keys[n - 1 - n / 4]);
        for (i = 0; i < n; i++)
            spare[i] = a[i].key;
        printf(" median %u\n", quick_select(spare, n, n / 2));
    }
    free(spare);
    free(keys);
    free(c);
    free(b);
    free(a);
    printf("wrong %u\n", wrong);
    return wrong != 0;
}
