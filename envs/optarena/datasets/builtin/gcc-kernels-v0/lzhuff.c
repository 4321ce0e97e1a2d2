/* SPDX-License-Identifier: MIT
 * lzhuff: compresses data by LZ77 (hash chains, lazy matching) and length-limited canonical Huffman codes,
 * decompresses it again and compares.
 *
 * usage: lzhuff KIND BYTES SEED     KIND: text | binary | runs | noise | stdin
 */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

int printf(const char *, ...);
int getchar(void);
void *malloc(unsigned long);
void free(void *);
int memcmp(const void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
unsigned long strtoul(const char *, char **, int);

enum {
    INPUT_MAX = 1 << 18,
    WINDOW = 1 << 13,
    HASH_SIZE = 1 << 12,
    MIN_MATCH = 3,
    MAX_MATCH = 66,
    CHAIN_MAX = 48,
    LITERALS = 256 + 64,
    END = LITERALS,
    SYMBOLS = LITERALS + 1,
    OFFSET_CODES = 28,
    MAX_BITS = 12,
};

struct code {
    u8 length[SYMBOLS];
    u16 bits[SYMBOLS];
};

struct bits {
    u8 *bytes;
    u32 size, capacity, buffer, count, failed;
};

struct token {
    u16 symbol;
    u16 offset;
};

static u32 random_state;

static u32 next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static u32 generate(const char *kind, u8 *out, u32 n)
{
    static const char *const words[] = {"loop ", "value ", "block ", "the ", "pass ", "merge ", "inline ", "and ",
                                        "of ", "phi ", "load ", "store ", "branch ", "is ", "dead ", "code.\n"};
    u32 i = 0;
    switch (kind[0]) {
    case 't':
        while (i < n) {
            const char *w = words[(next_random() & next_random()) & 15];
            while (*w && i < n)
                out[i++] = (u8)*w++;
        }
        return n;
    case 'b':
        for (; i < n; i++)
            out[i] = (u8)(i % 16 < 4 ? i >> 8 >> i % 4 : i % 16 < 12 ? next_random() >> 27 : i % 16 * 3);
        return n;
    case 'r':
        while (i < n) {
            u32 run = 1 + (next_random() >> 25), value = next_random() >> 30;
            while (run-- && i < n)
                out[i++] = (u8)('a' + value);
        }
        return n;
    case 's':
        for (;;) {
            int c = getchar();
            if (c < 0 || i == n)
                return i;
            out[i++] = (u8)c;
        }
    default:
        for (; i < n; i++)
            out[i] = (u8)(next_random() >> 13);
        return n;
    }
}

static u32 checksum(const u8 *p, u32 n)
{
    u32 a = 1, b = 0;
    while (n--) {
        a = (a + *p++) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static u32 hash3(const u8 *p) { return (((u32)p[0] << 16 | (u32)p[1] << 8 | p[2]) * 2654435761u) >> 20; }

struct matcher {
    int head[HASH_SIZE];
    int previous[WINDOW];
};

static void matcher_insert(struct matcher *m, const u8 *in, u32 at, u32 n)
{
    u32 h;
    if (at + MIN_MATCH > n)
        return;
    h = hash3(in + at);
    m->previous[at % WINDOW] = m->head[h];
    m->head[h] = (int)at;
}

static u32 matcher_find(const struct matcher *m, const u8 *in, u32 at, u32 n, u32 *offset)
{
    u32 best = 0, tries = CHAIN_MAX, limit = n - at < MAX_MATCH ? n - at : MAX_MATCH;
    int candidate;
    if (limit < MIN_MATCH)
        return 0;
    for (candidate = m->head[hash3(in + at)]; candidate >= 0 && tries--; candidate = m->previous[candidate % WINDOW]) {
        u32 length = 0;
        if (at - (u32)candidate >= WINDOW)
            break;
        while (length < limit && in[(u32)candidate + length] == in[at + length])
            length++;
        if (length > best) {
            best = length;
            *offset = at - (u32)candidate;
            if (best == limit)
                break;
        }
    }
    return best >= MIN_MATCH ? best : 0;
}

static u32 tokenise(const u8 *in, u32 n, struct token *tokens)
{
    static struct matcher m;
    u32 at = 0, count = 0, offset = 0, next_offset = 0, length, next;
    memset(m.head, -1, sizeof m.head);
    while (at < n) {
        length = matcher_find(&m, in, at, n, &offset);
        matcher_insert(&m, in, at, n);
        next = length && at + 1 < n ? matcher_find(&m, in, at + 1, n, &next_offset) : 0;
        if (length == 0 || next > length + 1) {
            tokens[count].symbol = in[at++];
            tokens[count++].offset = 0;
            continue;
        }
        tokens[count].symbol = (u16)(256 + length - MIN_MATCH);
        tokens[count++].offset = (u16)offset;
        while (--length)
            matcher_insert(&m, in, ++at, n);
        at++;
    }
    tokens[count].symbol = END;
    tokens[count].offset = 0;
    return count + 1;
}

static u32 offset_code(u32 offset, u32 *extra_bits)
{
    u32 log = 0;
    while (offset >> (log + 1))
        log++;
    *extra_bits = log ? log - 1 : 0;
    return log ? 2 * log + (offset >> (log - 1) & 1) - 1 : 0;
}

static u32 offset_base(u32 code, u32 *extra_bits)
{
    u32 log = (code + 1) / 2;
    *extra_bits = log ? log - 1 : 0;
    return log ? 1u << log | ((code + 1) & 1) << (log - 1) : 1;
}

/* Huffman lengths by repeated merging of the two lightest trees; weights are halved until all codes fit. */
static void code_lengths(const u32 *weights, u32 n, u8 *lengths)
{
    static u32 weight[2 * SYMBOLS];
    static int parent[2 * SYMBOLS];
    u32 scale, i, nodes, longest;
    for (scale = 0;; scale++) {
        u32 live = 0;
        for (i = 0; i < n; i++) {
            weight[i] = weights[i] ? (weights[i] >> scale) + 1 : 0;
            parent[i] = -1;
            live += weights[i] != 0;
        }
        for (nodes = n; live > 1; live--, nodes++) {
            int least = -1, second = -1;
            for (i = 0; i < nodes; i++) {
                if (parent[i] >= 0 || weight[i] == 0)
                    continue;
                if (least < 0 || weight[i] < weight[least]) {
                    second = least;
                    least = (int)i;
                } else if (second < 0 || weight[i] < weight[second]) {
                    second = (int)i;
                }
            }
            parent[least] = parent[second] = (int)nodes;
            parent[nodes] = -1;
            weight[nodes] = weight[least] + weight[second];
        }
        longest = 0;
        for (i = 0; i < n; i++) {
            u32 depth = 0;
            int node;
            for (node = (int)i; weights[i] && parent[node] >= 0; node = parent[node])
                depth++;
            lengths[i] = (u8)(weights[i] && depth == 0 ? 1 : depth);
            if (depth > longest)
                longest = depth;
        }
        if (longest <= MAX_BITS)
            return;
    }
}

static void assign_codes(struct code *c, u32 n)
{
    u32 count[MAX_BITS + 2] = {0}, next[MAX_BITS + 2] = {0}, i;
    for (i = 0; i < n; i++)
        count[c->length[i]]++;
    count[0] = 0;
    for (i = 1; i <= MAX_BITS; i++)
        next[i + 1] = (next[i] + count[i]) << 1;
    for (i = 0; i < n; i++)
        c->bits[i] = (u16)(c->length[i] ? next[c->length[i]]++ : 0);
}

static void put_bits(struct bits *b, u32 value, u32 count)
{
    while (count--) {
        b->buffer = b->buffer << 1 | (value >> count & 1);
        if (++b->count == 8) {
            if (b->size < b->capacity)
                b->bytes[b->size++] = (u8)b->buffer;
            else
                b->failed = 1;
            b->count = b->buffer = 0;
        }
    }
}

static u32 get_bits(struct bits *b, u32 count)
{
    u32 value = 0;
    while (count--) {
        if (b->count == 0) {
            b->failed |= b->size >= b->capacity;
            b->buffer = b->failed ? 0 : b->bytes[b->size++];
            b->count = 8;
        }
        value = value << 1 | (b->buffer >> --b->count & 1);
    }
    return value;
}

static void put_lengths(struct bits *b, const struct code *c, u32 n)
{
    u32 i, run;
    for (i = 0; i < n; i += run) {
        for (run = 1; i + run < n && run < 16 && c->length[i + run] == c->length[i]; run++) {
        }
        put_bits(b, c->length[i], 4);
        put_bits(b, run - 1, 4);
    }
}

static void get_lengths(struct bits *b, struct code *c, u32 n)
{
    u32 i = 0;
    while (i < n && !b->failed) {
        u32 length = get_bits(b, 4), run = get_bits(b, 4) + 1;
        while (run-- && i < n)
            c->length[i++] = (u8)length;
    }
}

static u32 get_symbol(struct bits *b, const struct code *c, u32 n)
{
    u32 value = 0, length, i;
    for (length = 1; length <= MAX_BITS; length++) {
        value = value << 1 | get_bits(b, 1);
        for (i = 0; i < n; i++)
            if (c->length[i] == length && c->bits[i] == value)
                return i;
    }
    b->failed = 1;
    return END;
}

static void compress(const struct token *tokens, u32 count, struct bits *b, struct code *symbols, struct code *offsets)
{
    u32 symbol_weights[SYMBOLS] = {0}, offset_weights[OFFSET_CODES] = {0}, i, extra;
    for (i = 0; i < count; i++) {
        symbol_weights[tokens[i].symbol]++;
        if (tokens[i].offset)
            offset_weights[offset_code(tokens[i].offset, &extra)]++;
    }
    code_lengths(symbol_weights, SYMBOLS, symbols->length);
    code_lengths(offset_weights, OFFSET_CODES, offsets->length);
    assign_codes(symbols, SYMBOLS);
    assign_codes(offsets, OFFSET_CODES);
    put_lengths(b, symbols, SYMBOLS);
    put_lengths(b, offsets, OFFSET_CODES);
    for (i = 0; i < count; i++) {
        put_bits(b, symbols->bits[tokens[i].symbol], symbols->length[tokens[i].symbol]);
        if (tokens[i].offset) {
            u32 code = offset_code(tokens[i].offset, &extra);
            put_bits(b, offsets->bits[code], offsets->length[code]);
            put_bits(b, tokens[i].offset & ((1u << extra) - 1), extra);
        }
    }
    put_bits(b, 0, 7);
}

static u32 decompress(struct bits *b, u8 *out, u32 capacity)
{
    static struct code symbols, offsets;
    u32 size = 0, symbol, extra, offset, length;
    get_lengths(b, &symbols, SYMBOLS);
    get_lengths(b, &offsets, OFFSET_CODES);
    assign_codes(&symbols, SYMBOLS);
    assign_codes(&offsets, OFFSET_CODES);
    while ((symbol = get_symbol(b, &symbols, SYMBOLS)) != END && !b->failed) {
        if (symbol < 256) {
            if (size < capacity)
                out[size++] = (u8)symbol;
            continue;
        }
        offset = offset_base(get_symbol(b, &offsets, OFFSET_CODES), &extra);
        offset += get_bits(b, extra);
        if (offset > size)
            break;
        for (length = symbol - 256 + MIN_MATCH; length && size < capacity; length--, size++)
            out[size] = out[size - offset];
    }
    return size;
}

int main(int argc, char **argv)
{
    static struct code symbols, offsets;
    const char *kind = argc > 1 ? argv[1] : "text";
    u32 n = argc > 2 ? (u32)strtoul(argv[2], 0, 10) : 2000, count, literals = 0, i, size, histogram[MAX_BITS + 1] = {0};
    u8 *in, *out;
    struct token *tokens;
    struct bits writer = {0, 0, 0, 0, 0, 0}, reader;
    random_state = argc > 3 ? (u32)strtoul(argv[3], 0, 10) | 1 : 1;
    if (n == 0 || n > INPUT_MAX)
        return 2;
    in = malloc(n);
    out = malloc(n);
    tokens = malloc((n + 1) * sizeof *tokens);
    writer.capacity = 2 * n + 1024;
    writer.bytes = malloc(writer.capacity);
    if (!in || !out || !tokens || !writer.bytes)
        return 3;
    n = generate(kind, in, n);
    count = tokenise(in, n, tokens);
    for (i = 0; i < count; i++)
        literals += tokens[i].symbol < 256;
    compress(tokens, count, &writer, &symbols, &offsets);
    for (i = 0; i < SYMBOLS; i++)
        histogram[symbols.length[i]]++;
    printf("%s: %u bytes, checksum %08x, %u tokens (%u literals)\n", kind, n, checksum(in, n), count, literals);
    printf("packed %u bytes, checksum %08x, overflow %u\ncode lengths", writer.size, checksum(writer.bytes, writer.size),
           writer.failed);
    for (i = 0; i <= MAX_BITS; i++)
        printf(" %u", histogram[i]);
    printf("\nfirst codes");
    for (i = 0; i < SYMBOLS; i += 7)
        if (symbols.length[i])
            printf(" %u:%x", i, symbols.bits[i]);
    reader = writer;
    reader.capacity = writer.size;
    reader.size = reader.count = reader.buffer = 0;
    size = decompress(&reader, out, n);
    i = size == n && memcmp(in, out, n) == 0;
    printf("\nunpacked %u bytes, checksum %08x, %s\n", size, checksum(out, size), i ? "same" : "DIFFERENT");
    free(writer.bytes);
    free(tokens);
    free(out);
    free(in);
    return !i;
}
