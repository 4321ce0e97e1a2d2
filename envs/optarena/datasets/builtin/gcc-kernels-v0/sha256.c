/* SPDX-License-Identifier: MIT
 * sha256: SHA-256 (FIPS 180-4), HMAC (RFC 2104), PBKDF2 (RFC 8018), a Merkle tree with proofs, and a small
 * proof-of-work search; known answers are printed first.
 *
 * usage: sha256 MODE AMOUNT     MODE: vectors | stretch | tree | mine | stdin
 */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

int printf(const char *, ...);
int getchar(void);
void *malloc(unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long);
unsigned long strlen(const char *);
int strcmp(const char *, const char *);
unsigned long strtoul(const char *, char **, int);

enum { DIGEST = 32, BLOCK = 64 };

struct sha256 {
    u32 state[8];
    u64 length;
    u32 used;
    u8 block[BLOCK];
};

struct hmac {
    struct sha256 inner, outer;
};

static const u32 round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static u32 rotate(u32 x, u32 by)
{
    return x >> by | x << (32 - by);
}

static u32 read_be(const u8 *p)
{
    return (u32)p[0] << 24 | (u32)p[1] << 16 | (u32)p[2] << 8 | p[3];
}

static void write_be(u8 *p, u32 x)
{
    p[0] = (u8)(x >> 24);
    p[1] = (u8)(x >> 16);
    p[2] = (u8)(x >> 8);
    p[3] = (u8)x;
}

static void compress(u32 state[8], const u8 *block)
{
    u32 w[64], v[8], i;
    for (i = 0; i < 16; i++)
        w[i] = read_be(block + 4 * i);
    for (; i < 64; i++) {
        u32 a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    for (i = 0; i < 8; i++)
        v[i] = state[i];
    for (i = 0; i < 64; i++) {
        u32 e = v[4], a = v[0];
        u32 t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + round_constants[i] + w[i];
        u32 t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        v[7] = v[6];
        v[6] = v[5];
        v[5] = e;
        v[4] = v[3] + t1;
        v[3] = v[2];
        v[2] = v[1];
        v[1] = a;
        v[0] = t1 + t2;
    }
    for (i = 0; i < 8; i++)
        state[i] += v[i];
}

static void sha256_start(struct sha256 *s)
{
    static const u32 initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(s->state, initial, sizeof initial);
    s->length = 0;
    s->used = 0;
}

static void sha256_add(struct sha256 *s, const u8 *p, u64 n)
{
    s->length += n;
    while (n) {
        u32 take = BLOCK - s->used < n ? BLOCK - s->used : (u32)n;
        memcpy(s->block + s->used, p, take);
        s->used += take;
        p += take;
        n -= take;
        if (s->used == BLOCK) {
            compress(s->state, s->block);
            s->used = 0;
        }
    }
}

static void sha256_end(struct sha256 *s, u8 out[DIGEST])
{
    u64 bits = s->length * 8;
    u32 i;
    s->block[s->used++] = 0x80;
    if (s->used > BLOCK - 8) {
        memset(s->block + s->used, 0, BLOCK - s->used);
        compress(s->state, s->block);
        s->used = 0;
    }
    memset(s->block + s->used, 0, BLOCK - 8 - s->used);
    write_be(s->block + BLOCK - 8, (u32)(bits >> 32));
    write_be(s->block + BLOCK - 4, (u32)bits);
    compress(s->state, s->block);
    for (i = 0; i < 8; i++)
        write_be(out + 4 * i, s->state[i]);
}

static void digest(const u8 *p, u64 n, u8 out[DIGEST])
{
    struct sha256 s;
    sha256_start(&s);
    sha256_add(&s, p, n);
    sha256_end(&s, out);
}

static void hmac_key(struct hmac *h, const u8 *key, u64 n)
{
    u8 padded[BLOCK] = {0}, block[BLOCK];
    u32 i;
    if (n > BLOCK)
        digest(key, n, padded);
    else
        memcpy(padded, key, n);
    for (i = 0; i < BLOCK; i++)
        block[i] = padded[i] ^ 0x36;
    sha256_start(&h->inner);
    sha256_add(&h->inner, block, BLOCK);
    for (i = 0; i < BLOCK; i++)
        block[i] = padded[i] ^ 0x5c;
    sha256_start(&h->outer);
    sha256_add(&h->outer, block, BLOCK);
}

static void hmac(const struct hmac *key, const u8 *p, u64 n, u8 out[DIGEST])
{
    struct hmac h = *key;
    sha256_add(&h.inner, p, n);
    sha256_end(&h.inner, out);
    sha256_add(&h.outer, out, DIGEST);
    sha256_end(&h.outer, out);
}

static void pbkdf2(const char *password, const char *salt, u32 rounds, u8 *out, u32 blocks)
{
    struct hmac key;
    u8 first[64], u[DIGEST];
    u32 block, round, i, n = (u32)strlen(salt);
    if (n > sizeof first - 4)
        n = sizeof first - 4;
    hmac_key(&key, (const u8 *)password, strlen(password));
    for (block = 1; block <= blocks; block++, out += DIGEST) {
        memcpy(first, salt, n);
        write_be(first + n, block);
        hmac(&key, first, n + 4, u);
        memcpy(out, u, DIGEST);
        for (round = 1; round < rounds; round++) {
            hmac(&key, u, DIGEST, u);
            for (i = 0; i < DIGEST; i++)
                out[i] ^= u[i];
        }
    }
}

static void print_hex(const char *label, const u8 *p, u32 n)
{
    printf("%s ", label);
    while (n--)
        printf("%02x", *p++);
    printf("\n");
}

static void vectors(u32 amount)
{
    static const char *const messages[] = {"", "abc", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"};
    struct hmac key;
    struct sha256 s;
    u8 out[DIGEST], chunk[50];
    u32 i;
    for (i = 0; i < 3; i++) {
        digest((const u8 *)messages[i], strlen(messages[i]), out);
        print_hex("sha256", out, DIGEST);
    }
    memset(chunk, 'a', sizeof chunk);
    sha256_start(&s);
    for (i = 0; i < amount; i++)
        sha256_add(&s, chunk, i % sizeof chunk);
    sha256_end(&s, out);
    print_hex("chunks", out, DIGEST);
    hmac_key(&key, (const u8 *)"Jefe", 4);
    hmac(&key, (const u8 *)"what do ya want for nothing?", 28, out);
    print_hex("hmac  ", out, DIGEST);
}

static void stretch(u32 rounds)
{
    u8 out[2 * DIGEST];
    pbkdf2("passwd", "salt", 1, out, 2);
    print_hex("once  ", out, sizeof out);
    pbkdf2("Password", "NaCl", rounds, out, 2);
    print_hex("many  ", out, sizeof out);
}

static void join(const u8 *left, const u8 *right, u8 *out)
{
    u8 both[1 + 2 * DIGEST];
    both[0] = 1;
    memcpy(both + 1, left, DIGEST);
    memcpy(both + 1 + DIGEST, right, DIGEST);
    digest(both, sizeof both, out);
}

/* A complete binary tree in an array: node i has children 2i and 2i + 1, leaves come last. */
static int tree(u32 leaves)
{
    u32 i, size = 1, checked = 0, leaf;
    u8 (*nodes)[DIGEST], out[DIGEST];
    while (size < leaves)
        size *= 2;
    nodes = malloc(2ul * size * DIGEST);
    if (!nodes)
        return 3;
    memset(nodes, 0, 2ul * size * DIGEST);
    for (i = 0; i < leaves; i++) {
        u8 data[5] = {0};
        write_be(data + 1, i * i + 7);
        digest(data, sizeof data, nodes[size + i]);
    }
    for (i = size - 1; i > 0; i--)
        join(nodes[2 * i], nodes[2 * i + 1], nodes[i]);
    print_hex("root  ", nodes[1], DIGEST);
    for (leaf = 0; leaf < leaves; leaf += leaves / 16 + 1) {
        memcpy(out, nodes[size + leaf], DIGEST);
        for (i = size + leaf; i > 1; i /= 2) {
            const u8 *sibling = nodes[i ^ 1];
            join(i & 1 ? sibling : out, i & 1 ? out : sibling, out);
        }
        checked += memcmp(out, nodes[1], DIGEST) == 0;
    }
    printf("proofs that hold: %u\n", checked);
    free(nodes);
    return 0;
}

static void mine(u32 bits)
{
    u8 header[24] = "optarena block ", out[DIGEST];
    u32 nonce, best = 0, zeros;
    for (nonce = 0; best < bits && nonce < 2000000; nonce++) {
        write_be(header + 16, nonce);
        digest(header, sizeof header, out);
        for (zeros = 0; zeros < 256 && !(out[zeros / 8] >> (7 - zeros % 8) & 1); zeros++) {
        }
        if (zeros > best) {
            best = zeros;
            printf("nonce %u has %u zeros ", nonce, zeros);
            print_hex("", out, 8);
        }
    }
}

static void read_input(u32 repeats)
{
    static u8 data[8192];
    u8 out[DIGEST];
    u32 n = 0, i;
    int c;
    while ((c = getchar()) >= 0 && n < sizeof data)
        data[n++] = (u8)c;
    digest(data, n, out);
    print_hex("input ", out, DIGEST);
    for (i = 0; i < repeats; i++) {
        data[i % sizeof data] ^= out[i % DIGEST];
        digest(data, n, out);
    }
    print_hex("mixed ", out, DIGEST);
    printf("%u bytes\n", n);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "vectors";
    u32 amount = argc > 2 ? (u32)strtoul(argv[2], 0, 10) : 10;
    switch (mode[0]) {
    case 'v':
        vectors(amount);
        return 0;
    case 's':
        if (strcmp(mode, "stdin") == 0)
            read_input(amount);
        else
            stretch(amount);
        return 0;
    case 't':
        return tree(amount ? amount : 1);
    case 'm':
        mine(amount);
        return 0;
    default:
        printf("unknown mode %s\n", mode);
        return 2;
    }
}
