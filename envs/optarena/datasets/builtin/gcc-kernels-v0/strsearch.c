/* SPDX-License-Identifier: MIT
 * strsearch: finds patterns in a text by six algorithms that must agree, then looks at the text itself:
 * suffix array, longest repeat, edit distance of its first and last words.
 *
 * usage: strsearch REPEATS [PATTERN...]     the text comes from standard input (at most 16384 bytes)
 */
typedef unsigned char u8;
typedef unsigned int u32;

int printf(const char *, ...);
int getchar(void);
int memcmp(const void *, const void *, unsigned long);
unsigned long strlen(const char *);
unsigned long strtoul(const char *, char **, int);

enum { TEXT_MAX = 16384, PATTERN_MAX = 64, MATCH_MAX = 4096, STATE_MAX = 1024, WORD_MAX = 48 };

struct text {
    u8 bytes[TEXT_MAX];
    u32 length;
};

struct matches {
    u32 count;
    u32 sum;
    u32 first;
    u32 steps;
};

typedef void (*search_fn)(const struct text *, const u8 *, u32, struct matches *);

static struct text text;

static void found(struct matches *m, u32 at)
{
    if (m->count++ == 0)
        m->first = at;
    m->sum = m->sum * 131 + at;
}

static void search_naive(const struct text *t, const u8 *p, u32 n, struct matches *m)
{
    u32 i, j;
    for (i = 0; i + n <= t->length; i++) {
        for (j = 0; j < n && t->bytes[i + j] == p[j]; j++)
            m->steps++;
        if (j == n)
            found(m, i);
    }
}

static void failure_table(const u8 *p, u32 n, u32 *fail)
{
    u32 i, k = 0;
    fail[0] = 0;
    for (i = 1; i < n; i++) {
        while (k && p[i] != p[k])
            k = fail[k - 1];
        if (p[i] == p[k])
            k++;
        fail[i] = k;
    }
}

static void search_kmp(const struct text *t, const u8 *p, u32 n, struct matches *m)
{
    u32 fail[PATTERN_MAX], i, k = 0;
    failure_table(p, n, fail);
    for (i = 0; i < t->length; i++) {
        m->steps++;
        while (k && t->bytes[i] != p[k])
            k = fail[k - 1];
        if (t->bytes[i] == p[k])
            k++;
        if (k == n) {
            found(m, i + 1 - n);
            k = fail[k - 1];
        }
    }
}

static void search_horspool(const struct text *t, const u8 *p, u32 n, struct matches *m)
{
    u32 shift[256], i;
    for (i = 0; i < 256; i++)
        shift[i] = n;
    for (i = 0; i + 1 < n; i++)
        shift[p[i]] = n - 1 - i;
    for (i = 0; i + n <= t->length; i += shift[t->bytes[i + n - 1]]) {
        m->steps++;
        if (t->bytes[i + n - 1] == p[n - 1] && memcmp(t->bytes + i, p, n) == 0)
            found(m, i);
    }
}

static void search_rabin_karp(const struct text *t, const u8 *p, u32 n, struct matches *m)
{
    u32 high = 1, wanted = 0, hash = 0, i;
    if (n > t->length)
        return;
    for (i = 0; i < n; i++) {
        wanted = wanted * 257 + p[i];
        hash = hash * 257 + t->bytes[i];
        if (i)
            high *= 257;
    }
    for (i = 0;; i++) {
        if (hash == wanted) {
            m->steps++;
            if (memcmp(t->bytes + i, p, n) == 0)
                found(m, i);
        }
        if (i + n >= t->length)
            return;
        hash = (hash - t->bytes[i] * high) * 257 + t->bytes[i + n];
    }
}

static void search_shift_and(const struct text *t, const u8 *p, u32 n, struct matches *m)
{
    unsigned long long masks[256], state = 0, last = 1ULL << (n - 1);
    u32 i;
    for (i = 0; i < 256; i++)
        masks[i] = 0;
    for (i = 0; i < n; i++)
        masks[p[i]] |= 1ULL << i;
    for (i = 0; i < t->length; i++) {
        state = (state << 1 | 1) & masks[t->bytes[i]];
        m->steps += state != 0;
        if (state & last)
            found(m, i + 1 - n);
    }
}

static u32 z_of(const u8 *p, u32 n, const struct text *t, u32 i)
{
    return i < n ? p[i] : i == n ? 256u : t->bytes[i - n - 1];
}

static void search_z(const struct text *t, const u8 *p, u32 n, struct matches *m)
{
    static u32 z[TEXT_MAX + PATTERN_MAX + 1];
    u32 total = n + 1 + t->length, i, left = 0, right = 0;
    for (i = 1; i < total; i++) {
        u32 length = i < right ? (z[i - left] < right - i ? z[i - left] : right - i) : 0;
        while (i + length < total && z_of(p, n, t, length) == z_of(p, n, t, i + length))
            length++, m->steps++;
        z[i] = length;
        if (i + length > right) {
            left = i;
            right = i + length;
        }
        if (i > n && length == n)
            found(m, i - n - 1);
    }
}

static const struct {
    const char *name;
    search_fn search;
} algorithms[] = {
    {"naive", search_naive},           {"kmp", search_kmp},             {"horspool", search_horspool},
    {"rabin-karp", search_rabin_karp}, {"shift-and", search_shift_and}, {"z", search_z},
};

enum { ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

static struct {
    short next[STATE_MAX][256];
    short fail[STATE_MAX];
    u8 depth[STATE_MAX];
    u32 outputs[STATE_MAX];
    u32 states;
} automaton;

static void automaton_add(const u8 *p, u32 n, u32 id)
{
    u32 state = 0, i;
    for (i = 0; i < n; i++) {
        if (!automaton.next[state][p[i]]) {
            if (automaton.states == STATE_MAX)
                return;
            automaton.depth[automaton.states] = (u8)(automaton.depth[state] + 1);
            automaton.next[state][p[i]] = (short)automaton.states++;
        }
        state = (u32)automaton.next[state][p[i]];
    }
    automaton.outputs[state] |= 1u << id;
}

static void automaton_link(void)
{
    static short queue[STATE_MAX];
    u32 head = 0, tail = 0, c;
    for (c = 0; c < 256; c++)
        if (automaton.next[0][c])
            queue[tail++] = automaton.next[0][c];
    while (head < tail) {
        short state = queue[head++];
        for (c = 0; c < 256; c++) {
            short to = automaton.next[state][c], via = automaton.next[automaton.fail[state]][c];
            if (!to) {
                automaton.next[state][c] = via;
                continue;
            }
            automaton.fail[to] = via;
            automaton.outputs[to] |= automaton.outputs[via];
            queue[tail++] = to;
        }
    }
}

static u32 automaton_run(const struct text *t, u32 counts[32])
{
    u32 state = 0, i, id, deepest = 0;
    for (i = 0; i < t->length; i++) {
        u32 outputs;
        state = (u32)automaton.next[state][t->bytes[i]];
        if (automaton.depth[state] > deepest)
            deepest = automaton.depth[state];
        for (outputs = automaton.outputs[state], id = 0; outputs; outputs >>= 1, id++)
            counts[id] += outputs & 1;
    }
    return deepest;
}

/* Suffix array by prefix doubling with radix passes. */
static void suffix_array(const struct text *t, u32 *suffixes, u32 *rank)
{
    static u32 order[TEXT_MAX], fresh[TEXT_MAX], counts[TEXT_MAX + 257];
    u32 n = t->length, k, next, i, p, classes = 256;
    for (i = 0; i < n; i++)
        rank[i] = t->bytes[i];
    for (i = 0; i < n; i++)
        order[i] = n - 1 - i;
    for (k = 0;; k = next) {
        next = k ? 2 * k : 1;
        for (i = 0; i <= classes; i++)
            counts[i] = 0;
        for (i = 0; i < n; i++)
            counts[rank[i] + 1]++;
        for (i = 0; i < classes; i++)
            counts[i + 1] += counts[i];
        for (i = 0; i < n; i++)
            suffixes[counts[rank[order[i]]]++] = order[i];
        fresh[suffixes[0]] = p = 0;
        for (i = 1; i < n; i++) {
            u32 a = suffixes[i - 1], b = suffixes[i];
            u32 next_a = a + k < n ? rank[a + k] + 1 : 0, next_b = b + k < n ? rank[b + k] + 1 : 0;
            fresh[b] = rank[a] == rank[b] && (k == 0 || next_a == next_b) ? p : ++p;
        }
        for (i = 0; i < n; i++)
            rank[i] = fresh[i];
        classes = p + 1;
        if (classes == n)
            return;
        for (i = 0, p = 0; i < next && i < n; i++)
            order[p++] = n - 1 - i;
        for (i = 0; i < n; i++)
            if (suffixes[i] >= next)
                order[p++] = suffixes[i] - next;
    }
}

static void longest_repeat(const struct text *t)
{
    static u32 suffixes[TEXT_MAX], rank[TEXT_MAX];
    u32 i, common = 0, best = 0, where = 0, sum = 0;
    suffix_array(t, suffixes, rank);
    for (i = 0; i < t->length; i++) {
        u32 other;
        sum = sum * 31 + suffixes[i];
        if (rank[i] == 0) {
            common = 0;
            continue;
        }
        other = suffixes[rank[i] - 1];
        while (i + common < t->length && other + common < t->length && t->bytes[i + common] == t->bytes[other + common])
            common++;
        if (common > best) {
            best = common;
            where = i;
        }
        common -= common > 0;
    }
    printf("suffixes %08x longest repeat %u at %u [", sum, best, where);
    for (i = 0; i < best && i < 40; i++)
        printf("%c", t->bytes[where + i] < 32 ? '.' : t->bytes[where + i]);
    printf("]\n");
}

static u32 smallest(u32 a, u32 b, u32 c)
{
    u32 ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static u32 edit_distance(const u8 *a, u32 n, const u8 *b, u32 m)
{
    u32 row[WORD_MAX + 1], i, j;
    for (j = 0; j <= m; j++)
        row[j] = j;
    for (i = 1; i <= n; i++) {
        u32 diagonal = row[0];
        row[0] = i;
        for (j = 1; j <= m; j++) {
            u32 above = row[j];
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[m];
}

static int search_all(const char *pattern, u32 repeats)
{
    const u8 *p = (const u8 *)pattern;
    u32 n = (u32)strlen(pattern), which, round, wrong = 0;
    struct matches reference = {0, 0, 0, 0};
    if (n == 0 || n > PATTERN_MAX) {
        printf("[%s] skipped\n", pattern);
        return 0;
    }
    printf("[%s]", pattern);
    for (which = 0; which < ALGORITHMS; which++) {
        struct matches m = {0, 0, 0, 0}, none = m;
        for (round = 0; round < repeats; round++) {
            m = none;
            algorithms[which].search(&text, p, n, &m);
        }
        if (which == 0) {
            reference = m;
            printf(" %u matches, first %u, sum %08x; steps", m.count, m.first, m.sum);
        }
        wrong += m.count != reference.count || m.sum != reference.sum || m.first != reference.first;
        printf(" %s %u", algorithms[which].name, m.steps);
    }
    printf(wrong ? " WRONG\n" : "\n");
    return wrong != 0;
}

int main(int argc, char **argv)
{
    u32 repeats = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 1, counts[32] = {0}, deepest, tail;
    int c, i, wrong = 0;
    while ((c = getchar()) >= 0 && text.length < TEXT_MAX)
        text.bytes[text.length++] = (u8)c;
    if (text.length == 0) {
        printf("no text\n");
        return 2;
    }
    printf("text of %u bytes\n", text.length);
    automaton.states = 1;
    for (i = 2; i < argc && i < 34; i++) {
        wrong += search_all(argv[i], repeats);
        automaton_add((const u8 *)argv[i], (u32)strlen(argv[i]), (u32)i - 2);
    }
    automaton_link();
    deepest = automaton_run(&text, counts);
    printf("automaton: %u states, deepest %u, counts", automaton.states, deepest);
    for (i = 2; i < argc && i < 34; i++)
        printf(" %u", counts[i - 2]);
    printf("\n");
    longest_repeat(&text);
    tail = text.length < WORD_MAX ? text.length : WORD_MAX;
    printf("edit distance of both ends: %u\n", edit_distance(text.bytes, tail, text.bytes + text.length - tail, tail));
    return wrong;
}
