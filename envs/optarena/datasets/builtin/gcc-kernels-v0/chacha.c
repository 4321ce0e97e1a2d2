/* SPDX-License-Identifier: MIT
 * chacha: ChaCha20, Poly1305 and their AEAD construction (RFC 8439), checked by encrypting, opening,
 * tampering and seeking; the RFC's own example comes first.
 *
 * usage: chacha MESSAGES BYTES SEED
 */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

int printf(const char *, ...);
void *malloc(unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
int memcmp(const void *, const void *, unsigned long);
unsigned long strlen(const char *);
unsigned long strtoul(const char *, char **, int);

enum { KEY = 32, NONCE = 12, TAG = 16, BLOCK = 64 };

struct poly1305 {
    u32 r[5];
    u32 h[5];
    u32 pad[4];
    u8 buffer[16];
    u32 used;
};

static u32 read_le(const u8 *p)
{
    return (u32)p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
}

static void write_le(u8 *p, u32 x)
{
    u32 i;
    for (i = 0; i < 4; i++, x >>= 8)
        p[i] = (u8)x;
}

static u32 rotate(u32 x, u32 by)
{
    return x << by | x >> (32 - by);
}

static void quarter_round(u32 *s, u32 a, u32 b, u32 c, u32 d)
{
    s[a] += s[b];
    s[d] = rotate(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = rotate(s[b] ^ s[c], 12);
    s[a] += s[b];
    s[d] = rotate(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = rotate(s[b] ^ s[c], 7);
}

static void chacha_block(const u8 *key, u32 counter, const u8 *nonce, u8 *out)
{
    static const u32 constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    u32 start[16], s[16], i;
    for (i = 0; i < 4; i++)
        start[i] = constants[i];
    for (i = 0; i < 8; i++)
        start[4 + i] = read_le(key + 4 * i);
    start[12] = counter;
    for (i = 0; i < 3; i++)
        start[13 + i] = read_le(nonce + 4 * i);
    memcpy(s, start, sizeof s);
    for (i = 0; i < 10; i++) {
        quarter_round(s, 0, 4, 8, 12);
        quarter_round(s, 1, 5, 9, 13);
        quarter_round(s, 2, 6, 10, 14);
        quarter_round(s, 3, 7, 11, 15);
        quarter_round(s, 0, 5, 10, 15);
        quarter_round(s, 1, 6, 11, 12);
        quarter_round(s, 2, 7, 8, 13);
        quarter_round(s, 3, 4, 9, 14);
    }
    for (i = 0; i < 16; i++)
        write_le(out + 4 * i, s[i] + start[i]);
}

static void chacha_xor(const u8 *key, u32 counter, const u8 *nonce, const u8 *in, u8 *out, u32 n)
{
    u8 stream[BLOCK];
    u32 i;
    for (i = 0; i < n; i++) {
        if (i % BLOCK == 0)
            chacha_block(key, counter + i / BLOCK, nonce, stream);
        out[i] = in[i] ^ stream[i % BLOCK];
    }
}

static void poly_start(struct poly1305 *p, const u8 *key)
{
    u32 i;
    p->r[0] = read_le(key) & 0x3ffffff;
    p->r[1] = read_le(key + 3) >> 2 & 0x3ffff03;
    p->r[2] = read_le(key + 6) >> 4 & 0x3ffc0ff;
    p->r[3] = read_le(key + 9) >> 6 & 0x3f03fff;
    p->r[4] = read_le(key + 12) >> 8 & 0x00fffff;
    for (i = 0; i < 5; i++)
        p->h[i] = 0;
    for (i = 0; i < 4; i++)
        p->pad[i] = read_le(key + 16 + 4 * i);
    p->used = 0;
}

/* h = (h + block) * r mod 2^130 - 5, in limbs of 26 bits. */
static void poly_block(struct poly1305 *p, const u8 *m, u32 high)
{
    u64 d[5];
    u32 i, j, carry = 0;
    p->h[0] += read_le(m) & 0x3ffffff;
    p->h[1] += read_le(m + 3) >> 2 & 0x3ffffff;
    p->h[2] += read_le(m + 6) >> 4 & 0x3ffffff;
    p->h[3] += read_le(m + 9) >> 6 & 0x3ffffff;
    p->h[4] += read_le(m + 12) >> 8 | high << 24;
    for (i = 0; i < 5; i++) {
        d[i] = 0;
        for (j = 0; j < 5; j++) {
            u32 limb = (i + 5 - j) % 5;
            d[i] += (u64)p->h[j] * (j > i ? 5 * p->r[limb] : p->r[limb]);
        }
    }
    for (i = 0; i < 5; i++) {
        d[i] += carry;
        p->h[i] = (u32)d[i] & 0x3ffffff;
        carry = (u32)(d[i] >> 26);
    }
    p->h[0] += carry * 5;
    p->h[1] += p->h[0] >> 26;
    p->h[0] &= 0x3ffffff;
}

static void poly_add(struct poly1305 *p, const u8 *m, u32 n)
{
    for (; n; n--) {
        p->buffer[p->used++] = *m++;
        if (p->used == 16) {
            poly_block(p, p->buffer, 1);
            p->used = 0;
        }
    }
}

static void poly_pad(struct poly1305 *p)
{
    static const u8 zeros[16];
    if (p->used)
        poly_add(p, zeros, 16 - p->used);
}

static void poly_end(struct poly1305 *p, u8 *tag)
{
    u32 i, carry, g[5], words[4], mask;
    u64 sum = 0;
    if (p->used) {
        p->buffer[p->used++] = 1;
        while (p->used < 16)
            p->buffer[p->used++] = 0;
        poly_block(p, p->buffer, 0);
    }
    for (carry = 0, i = 1; i < 10; i++) {
        p->h[i % 5] += i == 5 ? carry * 5 : carry;
        carry = p->h[i % 5] >> 26;
        p->h[i % 5] &= 0x3ffffff;
    }
    p->h[0] += carry * 5;
    for (carry = 5, i = 0; i < 5; i++) {
        g[i] = p->h[i] + carry;
        carry = g[i] >> 26;
        g[i] &= 0x3ffffff;
    }
    mask = 0u - carry;
    for (i = 0; i < 5; i++)
        p->h[i] = (p->h[i] & ~mask) | (g[i] & mask);
    words[0] = p->h[0] | p->h[1] << 26;
    words[1] = p->h[1] >> 6 | p->h[2] << 20;
    words[2] = p->h[2] >> 12 | p->h[3] << 14;
    words[3] = p->h[3] >> 18 | p->h[4] << 8;
    for (i = 0; i < 4; i++) {
        sum += (u64)words[i] + p->pad[i];
        write_le(tag + 4 * i, (u32)sum);
        sum >>= 32;
    }
}

static void make_tag(const u8 *key, const u8 *nonce, const u8 *extra, u32 extra_size, const u8 *text, u32 size, u8 *tag)
{
    struct poly1305 p;
    u8 block[BLOCK], lengths[16] = {0};
    chacha_block(key, 0, nonce, block);
    poly_start(&p, block);
    poly_add(&p, extra, extra_size);
    poly_pad(&p);
    poly_add(&p, text, size);
    poly_pad(&p);
    write_le(lengths, extra_size);
    write_le(lengths + 8, size);
    poly_add(&p, lengths, sizeof lengths);
    poly_end(&p, tag);
}

static void seal(const u8 *key, const u8 *nonce, const u8 *extra, u32 extra_size, const u8 *in, u8 *out, u32 n, u8 *tag)
{
    chacha_xor(key, 1, nonce, in, out, n);
    make_tag(key, nonce, extra, extra_size, out, n, tag);
}

static int open_sealed(const u8 *key, const u8 *nonce, const u8 *extra, u32 extra_size, const u8 *in, u8 *out, u32 n,
                       const u8 *tag)
{
    u8 expected[TAG], difference = 0;
    u32 i;
    make_tag(key, nonce, extra, extra_size, in, n, expected);
    for (i = 0; i < TAG; i++)
        difference |= (u8)(expected[i] ^ tag[i]);
    if (difference)
        return 0;
    chacha_xor(key, 1, nonce, in, out, n);
    return 1;
}

static void print_hex(const char *label, const u8 *p, u32 n)
{
    printf("%s ", label);
    while (n--)
        printf("%02x", *p++);
    printf("\n");
}

static void rfc_example(void)
{
    static const char text[] = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
                               "future, sunscreen would be it.";
    static const u8 nonce[NONCE] = {7, 0, 0, 0, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47};
    static const u8 extra[12] = {0x50, 0x51, 0x52, 0x53, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7};
    u8 key[KEY], out[sizeof text], tag[TAG];
    u32 i, n = (u32)strlen(text);
    for (i = 0; i < KEY; i++)
        key[i] = (u8)(0x80 + i);
    seal(key, nonce, extra, sizeof extra, (const u8 *)text, out, n, tag);
    print_hex("cipher", out, n);
    print_hex("tag", tag, TAG);
}

static u32 random_state;

static u8 next_byte(void)
{
    random_state = random_state * 1103515245u + 12345u;
    return (u8)(random_state >> 16);
}

enum attack { NONE, FLIP_TEXT, FLIP_TAG, SWAP_NONCE, SHORTEN, CHANGE_EXTRA, ATTACKS };

/* Returns 1 if the (possibly attacked) message was treated as it must be. */
static int try_message(u32 number, u32 n, u8 *plain, u8 *cipher, u8 *back, u32 accepted[ATTACKS])
{
    u8 key[KEY], nonce[NONCE], extra[9], tag[TAG];
    enum attack attack = (enum attack)(number % ATTACKS);
    u32 i, size = n;
    int opened;
    for (i = 0; i < KEY; i++)
        key[i] = next_byte();
    for (i = 0; i < NONCE; i++)
        nonce[i] = next_byte();
    for (i = 0; i < sizeof extra; i++)
        extra[i] = next_byte();
    for (i = 0; i < n; i++)
        plain[i] = next_byte();
    seal(key, nonce, extra, sizeof extra, plain, cipher, n, tag);
    switch (attack) {
    case FLIP_TEXT:
        cipher[number * 7 % n] ^= 1;
        break;
    case FLIP_TAG:
        tag[number % TAG] ^= 0x80;
        break;
    case SWAP_NONCE:
        nonce[0]++;
        break;
    case SHORTEN:
        size--;
        break;
    case CHANGE_EXTRA:
        extra[number % sizeof extra] ^= 2;
        break;
    default:
        break;
    }
    opened = open_sealed(key, nonce, extra, sizeof extra, cipher, back, size, tag);
    accepted[attack] += (u32)opened;
    if (number < 4)
        print_hex("tag", tag, TAG);
    return opened == (attack == NONE) && (!opened || memcmp(plain, back, n) == 0);
}

static u32 fold(const u8 *p, u32 n)
{
    u32 sum = 0;
    while (n--)
        sum = rotate(sum, 3) ^ *p++;
    return sum;
}

int main(int argc, char **argv)
{
    u32 messages = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 12, bytes = argc > 2 ? (u32)strtoul(argv[2], 0, 10) : 200;
    u32 i, accepted[ATTACKS] = {0}, wrong = 0, total = 0, sum = 0;
    u8 *plain, *cipher, *back, seek[BLOCK];
    random_state = argc > 3 ? (u32)strtoul(argv[3], 0, 10) : 1;
    if (bytes < 2 * BLOCK || bytes > 1u << 20) {
        printf("bytes must be from 128 to 1048576\n");
        return 2;
    }
    plain = malloc(bytes);
    cipher = malloc(bytes);
    back = malloc(bytes);
    if (!plain || !cipher || !back)
        return 3;
    rfc_example();
    for (i = 0; i < messages; i++) {
        u32 n = bytes - i % 67;
        wrong += !try_message(i, n, plain, cipher, back, accepted);
        total += n;
        sum = sum * 31 + fold(cipher, n);
    }
    printf("messages %u bytes %u sum %08x wrong %u accepted", messages, total, sum, wrong);
    for (i = 0; i < ATTACKS; i++)
        printf(" %u", accepted[i]);
    chacha_xor(cipher, 1, cipher + KEY, plain, back, bytes);
    chacha_xor(cipher, 2, cipher + KEY, plain + BLOCK, seek, BLOCK);
    i = memcmp(seek, back + BLOCK, BLOCK) == 0;
    printf("\nseek %s\n", i ? "agrees" : "DIFFERS");
    wrong += !i;
    free(back);
    free(cipher);
    free(plain);
    return wrong != 0;
}
