/* SPDX-License-Identifier: MIT
 * fourier: signals in fixed point: a CORDIC sine table, a radix-2 Fourier transform and back, windowing and peak
 * finding, a cosine transform, filters, and exact convolution by a number-theoretic transform.
 *
 * usage: fourier LOG2SIZE SIGNAL ROUNDS     SIGNAL: tones | sweep | square | noise
 */
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;

int printf(const char *, ...);
unsigned long strtoul(const char *, char **, int);

enum { SIZE_MAX = 4096, ONE = 1 << 24, TAPS = 31, PRIME = 998244353, GENERATOR = 3 };

struct complex {
    int re, im;
};

static int cosines[SIZE_MAX], sines[SIZE_MAX];
static struct complex signal[SIZE_MAX], spectrum[SIZE_MAX];
static u32 random_state = 1;

static u32 next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Rounds towards minus infinity, without shifting negative numbers. */
static int scale_down(i64 value, u32 by)
{
    i64 unit = (i64)1 << by;
    return (int)(value >= 0 ? value / unit : -((-value + unit - 1) / unit));
}

static int multiply(int a, int b)
{
    return scale_down((i64)a * b + ONE / 2, 24);
}

/* CORDIC rotation: angles in units of 2^-30 of a full turn. */
static void cordic(u32 angle, int *cosine, int *sine)
{
    static const int arctangents[20] = {134217728, 79233351, 41864732, 21251172, 10666793, 5338595, 2669949, 1335056,
                                        667539, 333770, 166885, 83443, 41721, 20861, 10430, 5215, 2608, 1304, 652, 326};
    u32 quadrant = angle >> 28 & 3, i;
    int x = 10188014, y = 0, rest = (int)(angle & 0xfffffff), t;
    for (i = 0; i < 20; i++) {
        int dx = scale_down(y, i), dy = scale_down(x, i);
        if (rest >= 0) {
            x -= dx;
            y += dy;
            rest -= arctangents[i];
        } else {
            x += dx;
            y -= dy;
            rest += arctangents[i];
        }
    }
    switch (quadrant) {
    case 1: t = x; x = -y; y = t; break;
    case 2: x = -x; y = -y; break;
    case 3: t = x; x = y; y = -t; break;
    default: break;
    }
    *cosine = x;
    *sine = y;
}

static void make_tables(u32 n)
{
    u32 i, sum = 0;
    for (i = 0; i < n; i++) {
        cordic((u32)((u64)i * (1u << 30) / n), &cosines[i], &sines[i]);
        sum = sum * 31 + (u32)cosines[i] + (u32)sines[i];
    }
    printf("tables: %d %d %d sum %08x\n", cosines[0], sines[n / 8], sines[n / 4], sum);
}

static int triangle(u32 phase, u32 period)
{
    u32 at = phase % period;
    return (int)((at < period / 2 ? at : period - at) * 2 * (ONE / 8) / period) - ONE / 16;
}

static int sample(char kind, u32 i, u32 n)
{
    switch (kind) {
    case 't':
        return multiply(sines[i * 5 % n], ONE / 4) + multiply(cosines[i * 17 % n], ONE / 8) +
               multiply(sines[(i * 40 + n / 8) % n], ONE / 16);
    case 's':
        return multiply(sines[(u32)((u64)i * i / 16 % n)], ONE / 3);
    case 'q':
        return (i * 12 / n & 1 ? ONE / 5 : -ONE / 5) + triangle(i, 50);
    default:
        return (int)(next_random() >> 10) - (1 << 21);
    }
}

static void bit_reverse(struct complex *a, u32 n)
{
    u32 i, j = 0, bit;
    for (i = 1; i < n; i++) {
        for (bit = n >> 1; j & bit; bit >>= 1)
            j ^= bit;
        j |= bit;
        if (i < j) {
            struct complex t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
}

/* Each of the log2(n) passes halves, so that nothing overflows; the result is the transform divided by n. */
static void transform(struct complex *a, u32 n, int inverse)
{
    u32 length, start, k;
    bit_reverse(a, n);
    for (length = 2; length <= n; length *= 2)
        for (start = 0; start < n; start += length)
            for (k = 0; k < length / 2; k++) {
                struct complex *x = &a[start + k], *y = &a[start + k + length / 2];
                int c = cosines[k * (n / length)], s = sines[k * (n / length)];
                int re, im;
                s = inverse ? s : -s;
                re = multiply(y->re, c) - multiply(y->im, s);
                im = multiply(y->re, s) + multiply(y->im, c);
                y->re = scale_down((i64)x->re - re, !inverse);
                y->im = scale_down((i64)x->im - im, !inverse);
                x->re = scale_down((i64)x->re + re, !inverse);
                x->im = scale_down((i64)x->im + im, !inverse);
            }
}

static u32 root(u64 value)
{
    u64 result = 0, bit = (u64)1 << 62;
    while (bit > value)
        bit >>= 2;
    for (; bit; bit >>= 2) {
        if (value >= result + bit) {
            value -= result + bit;
            result = (result >> 1) + bit;
        } else {
            result >>= 1;
        }
    }
    return (u32)result;
}

static u32 magnitude(struct complex c)
{
    return root((u64)((i64)c.re * c.re + (i64)c.im * c.im));
}

static void print_peaks(u32 n)
{
    u32 i, count = 0, floor = 0;
    for (i = 0; i < n / 2; i++)
        floor = magnitude(spectrum[i]) / 4 > floor ? magnitude(spectrum[i]) / 4 : floor;
    printf("peaks over %u:", floor);
    for (i = 1; i + 1 < n / 2 && count < 12; i++) {
        u32 here = magnitude(spectrum[i]);
        if (here > floor && here >= magnitude(spectrum[i - 1]) && here > magnitude(spectrum[i + 1])) {
            printf(" %u (%u)", i, here);
            count++;
        }
    }
    printf("\n");
}

static int round_trip(char kind, u32 n, int window)
{
    u32 i, sum = 0;
    int worst = 0, error;
    for (i = 0; i < n; i++) {
        signal[i].re = sample(kind, i, n);
        signal[i].im = 0;
        if (window)
            signal[i].re = multiply(signal[i].re, ONE / 2 - cosines[i] / 2);
        spectrum[i] = signal[i];
    }
    transform(spectrum, n, 0);
    for (i = 0; i < n; i++)
        sum = sum * 33 + (u32)spectrum[i].re + 7 * (u32)spectrum[i].im;
    printf("spectrum %s: sum %08x constant %d\n", window ? "windowed" : "plain", sum, spectrum[0].re);
    print_peaks(n);
    transform(spectrum, n, 1);
    for (i = 0; i < n; i++) {
        error = spectrum[i].re > signal[i].re ? spectrum[i].re - signal[i].re : signal[i].re - spectrum[i].re;
        worst = error > worst ? error : worst;
    }
    printf("back: largest error %d\n", worst);
    return worst > (int)(64 * n);
}

static void filters(u32 n)
{
    int taps[TAPS], total = 0, smooth = 0, previous = 0;
    u32 i, k, crossings = 0, sum = 0;
    for (k = 0; k < TAPS; k++) {
        taps[k] = ONE / 64 * (int)(k < TAPS / 2 ? k + 1 : TAPS - k) / 4;
        total += taps[k];
    }
    for (i = 0; i < n; i++) {
        i64 value = 0;
        int out;
        for (k = 0; k < TAPS; k++)
            value += (i64)taps[k] * (i >= k ? signal[i - k].re : 0);
        out = scale_down(value, 24);
        smooth += scale_down((i64)out - smooth, 3);
        crossings += (smooth < 0) != (previous < 0);
        previous = smooth;
        sum = sum * 31 + (u32)out + (u32)smooth;
    }
    printf("filters: taps %d crossings %u sum %08x\n", total, crossings, sum);
}

static void cosine_blocks(u32 n)
{
    u32 start, i, k, kept = 0, sum = 0;
    for (start = 0; start + 16 <= n; start += 16)
        for (k = 0; k < 16; k++) {
            i64 value = 0;
            int coefficient;
            for (i = 0; i < 16; i++)
                value += (i64)signal[start + i].re * cosines[(2 * i + 1) * k % 64 * (n / 64)];
            coefficient = scale_down(value, 24 + 14 + k / 4);
            kept += coefficient != 0;
            sum = sum * 31 + (u32)coefficient;
        }
    printf("cosine blocks: %u coefficients, sum %08x\n", kept, sum);
}

static u32 power(u32 base, u32 exponent)
{
    u64 result = 1, square = base;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * square % PRIME;
        square = square * square % PRIME;
    }
    return (u32)result;
}

static void number_transform(u32 *a, u32 n, int inverse)
{
    u32 i, j = 0, bit, length;
    for (i = 1; i < n; i++) {
        for (bit = n >> 1; j & bit; bit >>= 1)
            j ^= bit;
        j |= bit;
        if (i < j) {
            u32 t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
    for (length = 2; length <= n; length *= 2) {
        u32 step = power(GENERATOR, (PRIME - 1) / length), start, k;
        step = inverse ? power(step, PRIME - 2) : step;
        for (start = 0; start < n; start += length) {
            u64 w = 1;
            for (k = start; k < start + length / 2; k++, w = w * step % PRIME) {
                u32 x = a[k], y = (u32)(a[k + length / 2] * w % PRIME);
                a[k] = (x + y) % PRIME;
                a[k + length / 2] = (x + PRIME - y) % PRIME;
            }
        }
    }
    for (i = 0; i < n && inverse; i++)
        a[i] = (u32)((u64)a[i] * power(n, PRIME - 2) % PRIME);
}

static int convolution(u32 n)
{
    static u32 a[SIZE_MAX], b[SIZE_MAX], direct[SIZE_MAX];
    u32 i, j, sum = 0, wrong = 0;
    for (i = 0; i < n; i++) {
        a[i] = i < n / 2 ? next_random() % 10000 : 0;
        b[i] = i < n / 2 ? (i * i + 3) % 1000 : 0;
        direct[i] = 0;
    }
    for (i = 0; i < n / 2; i++)
        for (j = 0; j < n / 2 && j < 64; j++)
            direct[i + j] = (u32)((direct[i + j] + (u64)a[i] * b[j]) % PRIME);
    for (j = 64; j < n; j++)
        b[j] = 0;
    number_transform(a, n, 0);
    number_transform(b, n, 0);
    for (i = 0; i < n; i++)
        a[i] = (u32)((u64)a[i] * b[i] % PRIME);
    number_transform(a, n, 1);
    for (i = 0; i < n; i++) {
        wrong += a[i] != direct[i];
        sum = sum * 31 + a[i];
    }
    printf("convolution: sum %08x wrong %u\n", sum, wrong);
    return wrong != 0;
}

int main(int argc, char **argv)
{
    u32 log = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 8, rounds = argc > 3 ? (u32)strtoul(argv[3], 0, 10) : 1, n, i;
    char kind = argc > 2 ? argv[2][0] : 't';
    int wrong = 0;
    if (log < 6 || log > 12)
        return 2;
    n = 1u << log;
    kind = argc > 2 && argv[2][0] == 's' && argv[2][1] == 'q' ? 'q' : kind;
    make_tables(n);
    for (i = 0; i < rounds; i++)
        wrong += round_trip(kind, n, (int)(i & 1));
    filters(n);
    cosine_blocks(n);
    wrong += convolution(n);
    printf("wrong %d\n", wrong);
    return wrong != 0;
}
