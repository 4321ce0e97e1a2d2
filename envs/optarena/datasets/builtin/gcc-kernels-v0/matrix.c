/* SPDX-License-Identifier: MIT
 * matrix: products (plain, blocked, Strassen), powers, determinants and inverses over a prime field, and an
 * LU solver in doubles whose residual is printed in units that no reordering-free compiler may change.
 *
 * usage: matrix SIZE SEED [KIND...]     KIND: product | power | inverse | solve | walk (default: all)
 */
typedef unsigned int u32;
typedef unsigned long long u64;

int printf(const char *, ...);
void *malloc(unsigned long);
void free(void *);
int strcmp(const char *, const char *);
unsigned long strtoul(const char *, char **, int);

enum { PRIME = 1000003, CUTOFF = 16, BLOCK = 8 };

static u32 random_state;

static u32 next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

static u32 *new_matrix(u32 n)
{
    return malloc((u64)n * n * sizeof(u32));
}

static void randomise(u32 *a, u32 n)
{
    u32 i;
    for (i = 0; i < n * n; i++)
        a[i] = next_random() % PRIME;
}

static u32 checksum(const u32 *a, u32 n)
{
    u32 i, sum = 1;
    for (i = 0; i < n * n; i++)
        sum = (u32)(((u64)sum * 31 + a[i]) % 4294967291u);
    return sum;
}

static void multiply_plain(const u32 *a, const u32 *b, u32 *c, u32 n)
{
    u32 i, j, k;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            u64 sum = 0;
            for (k = 0; k < n; k++)
                sum += (u64)a[i * n + k] * b[k * n + j] % PRIME;
            c[i * n + j] = (u32)(sum % PRIME);
        }
}

static void multiply_blocked(const u32 *a, const u32 *b, u32 *c, u32 n)
{
    u32 bi, bj, bk, i, j, k;
    for (i = 0; i < n * n; i++)
        c[i] = 0;
    for (bi = 0; bi < n; bi += BLOCK)
        for (bk = 0; bk < n; bk += BLOCK)
            for (bj = 0; bj < n; bj += BLOCK)
                for (i = bi; i < bi + BLOCK && i < n; i++)
                    for (k = bk; k < bk + BLOCK && k < n; k++) {
                        u64 factor = a[i * n + k];
                        for (j = bj; j < bj + BLOCK && j < n; j++)
                            c[i * n + j] = (u32)((c[i * n + j] + factor * b[k * n + j]) % PRIME);
                    }
}

/* to = x + sign * y, on half-size quadrants that start at x and y inside matrices of width `width`. */
static void combine(u32 *to, const u32 *x, const u32 *y, int sign, u32 half, u32 width)
{
    u32 i, j;
    for (i = 0; i < half; i++)
        for (j = 0; j < half; j++) {
            u32 left = x[i * width + j], right = y ? y[i * width + j] : 0;
            to[i * half + j] = (left + (sign < 0 ? PRIME - right : right)) % PRIME;
        }
}

static void accumulate(u32 *to, const u32 *from, int sign, u32 half, u32 width)
{
    u32 i, j;
    for (i = 0; i < half; i++)
        for (j = 0; j < half; j++) {
            u32 *cell = &to[i * width + j];
            *cell = (*cell + (sign < 0 ? PRIME - from[i * half + j] : from[i * half + j])) % PRIME;
        }
}

/* One row a product: quadrants of A with signs, quadrants of B with signs, where the product goes. */
static const struct strassen_step {
    signed char a1, a2, a_sign, b1, b2, b_sign;
    signed char into[4];
} strassen_steps[7] = {
    {0, 3, 1, 0, 3, 1, {1, 0, 0, 1}},
    {2, 3, 1, 0, -1, 1, {0, 0, 1, -1}},
    {0, -1, 1, 1, 3, -1, {0, 1, 0, 1}},
    {3, -1, 1, 2, 0, -1, {1, 0, 1, 0}},
    {0, 1, 1, 3, -1, 1, {-1, 1, 0, 0}},
    {2, 0, -1, 0, 1, 1, {0, 0, 0, 1}},
    {1, 3, -1, 2, 3, 1, {1, 0, 0, 0}},
};

static u32 quadrant(u32 which, u32 half, u32 width)
{
    return (which & 2 ? half * width : 0) + (which & 1 ? half : 0);
}

static int multiply_strassen(const u32 *a, const u32 *b, u32 *c, u32 n)
{
    u32 half = n / 2, i, q;
    u32 *x, *y, *z;
    if (n <= CUTOFF || n % 2) {
        multiply_plain(a, b, c, n);
        return 1;
    }
    x = new_matrix(half);
    y = new_matrix(half);
    z = new_matrix(half);
    if (!x || !y || !z)
        return 0;
    for (i = 0; i < n * n; i++)
        c[i] = 0;
    for (i = 0; i < 7; i++) {
        const struct strassen_step *s = &strassen_steps[i];
        combine(x, a + quadrant((u32)s->a1, half, n), s->a2 < 0 ? 0 : a + quadrant((u32)s->a2, half, n), s->a_sign,
                half, n);
        combine(y, b + quadrant((u32)s->b1, half, n), s->b2 < 0 ? 0 : b + quadrant((u32)s->b2, half, n), s->b_sign,
                half, n);
        if (!multiply_strassen(x, y, z, half))
            return 0;
        for (q = 0; q < 4; q++)
            if (s->into[q])
                accumulate(c + quadrant(q, half, n), z, s->into[q], half, n);
    }
    free(z);
    free(y);
    free(x);
    return 1;
}

static u32 power_mod(u32 base, u32 exponent)
{
    u64 result = 1, square = base;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * square % PRIME;
        square = square * square % PRIME;
    }
    return (u32)result;
}

/* Gauss-Jordan: turns a into the identity and b (if given) into its inverse; returns the determinant. */
static u32 eliminate(u32 *a, u32 *b, u32 n)
{
    u32 column, row, j, determinant = 1;
    for (column = 0; column < n; column++) {
        u32 pivot = column, scale;
        while (pivot < n && a[pivot * n + column] == 0)
            pivot++;
        if (pivot == n)
            return 0;
        if (pivot != column) {
            determinant = PRIME - determinant;
            for (j = 0; j < n; j++) {
                u32 t = a[pivot * n + j];
                a[pivot * n + j] = a[column * n + j];
                a[column * n + j] = t;
                t = b[pivot * n + j];
                b[pivot * n + j] = b[column * n + j];
                b[column * n + j] = t;
            }
        }
        determinant = (u32)((u64)determinant * a[column * n + column] % PRIME);
        scale = power_mod(a[column * n + column], PRIME - 2);
        for (j = 0; j < n; j++) {
            a[column * n + j] = (u32)((u64)a[column * n + j] * scale % PRIME);
            b[column * n + j] = (u32)((u64)b[column * n + j] * scale % PRIME);
        }
        for (row = 0; row < n; row++) {
            u64 factor = PRIME - a[row * n + column];
            if (row == column || factor == PRIME)
                continue;
            for (j = 0; j < n; j++) {
                a[row * n + j] = (u32)((a[row * n + j] + factor * a[column * n + j]) % PRIME);
                b[row * n + j] = (u32)((b[row * n + j] + factor * b[column * n + j]) % PRIME);
            }
        }
    }
    return determinant;
}

static int do_product(u32 *a, u32 *b, u32 *c, u32 n)
{
    u32 sums[3];
    randomise(a, n);
    randomise(b, n);
    multiply_plain(a, b, c, n);
    sums[0] = checksum(c, n);
    multiply_blocked(a, b, c, n);
    sums[1] = checksum(c, n);
    if (!multiply_strassen(a, b, c, n))
        return 1;
    sums[2] = checksum(c, n);
    printf("product %u: %08x %08x %08x corner %u %u\n", n, sums[0], sums[1], sums[2], c[0], c[n * n - 1]);
    return sums[0] != sums[1] || sums[1] != sums[2];
}

static int do_power(u32 *a, u32 *b, u32 *c, u32 n)
{
    static const u32 exponents[] = {1, 2, 5, 30, 1000};
    u32 which, i, e;
    for (which = 0; which < sizeof exponents / sizeof exponents[0]; which++) {
        for (i = 0; i < n * n; i++) {
            a[i] = i % n == i / n + 1 || (i / n == n - 1 && i % n < 2);
            b[i] = i % n == i / n;
        }
        for (e = exponents[which]; e; e >>= 1) {
            if (e & 1) {
                multiply_blocked(a, b, c, n);
                for (i = 0; i < n * n; i++)
                    b[i] = c[i];
            }
            multiply_blocked(a, a, c, n);
            for (i = 0; i < n * n; i++)
                a[i] = c[i];
        }
        printf("power %u: trace", exponents[which]);
        for (i = 0, e = 0; i < n; i++)
            e = (e + b[i * n + i]) % PRIME;
        printf(" %u sum %08x\n", e, checksum(b, n));
    }
    return 0;
}

static int do_inverse(u32 *a, u32 *b, u32 *c, u32 n)
{
    u32 i, determinant, wrong = 0, *copy = new_matrix(n);
    if (!copy)
        return 1;
    randomise(a, n);
    for (i = 0; i < n * n; i++) {
        copy[i] = a[i];
        b[i] = i / n == i % n;
    }
    determinant = eliminate(a, b, n);
    printf("inverse: determinant %u sum %08x first %u\n", determinant, checksum(b, n), b[0]);
    multiply_blocked(copy, b, c, n);
    for (i = 0; i < n * n; i++)
        wrong += c[i] != (determinant ? i / n == i % n : c[i]);
    for (i = 0; i < n; i++)
        copy[i] = copy[n * (n - 1) + i];
    printf("inverse: singular determinant %u wrong %u\n", eliminate(copy, c, n), wrong);
    free(copy);
    return wrong != 0;
}

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

static void lu_solve(double *a, double *x, u32 n)
{
    u32 i, j, k;
    for (k = 0; k < n; k++) {
        u32 pivot = k;
        for (i = k + 1; i < n; i++)
            if (magnitude(a[i * n + k]) > magnitude(a[pivot * n + k]))
                pivot = i;
        for (j = 0; j < n && pivot != k; j++) {
            double t = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = t;
        }
        if (pivot != k) {
            double t = x[k];
            x[k] = x[pivot];
            x[pivot] = t;
        }
        for (i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            x[i] -= factor * x[k];
        }
    }
    for (i = n; i-- > 0;) {
        for (j = i + 1; j < n; j++)
            x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
}

static int do_solve(u32 *unused_a, u32 *unused_b, u32 *unused_c, u32 n)
{
    double *a = malloc((u64)n * n * sizeof *a), *x = malloc(n * sizeof *x), worst = 0;
    u32 i, j;
    (void)unused_a, (void)unused_b, (void)unused_c;
    if (!a || !x)
        return 1;
    for (i = 0; i < n; i++) {
        x[i] = 0;
        for (j = 0; j < n; j++) {
            a[i * n + j] = (double)(next_random() % 2001) / 1000.0 - 1.0 + (i == j ? 4.0 : 0.0);
            x[i] += a[i * n + j] * (1.0 + j % 5);
        }
    }
    lu_solve(a, x, n);
    for (i = 0; i < n; i++)
        if (magnitude(x[i] - (1.0 + i % 5)) > worst)
            worst = magnitude(x[i] - (1.0 + i % 5));
    printf("solve: x0 %.9f x%u %.9f worst below 1e-6: %s\n", x[0], n - 1, x[n - 1], worst < 1e-6 ? "yes" : "no");
    free(x);
    free(a);
    return worst >= 1e-6;
}

static int do_walk(u32 *a, u32 *b, u32 *c, u32 n)
{
    u32 row = 0, column = 0, direction = 0, i, sum = 7;
    (void)c;
    randomise(a, n);
    for (i = 0; i < n * n; i++)
        b[i] = 0;
    for (i = 0; i < n * n; i++) {
        u32 next_row = row, next_column = column;
        sum = sum * 33 + a[row * n + column] * (direction + 1);
        b[row * n + column] = i + 1;
        switch (direction) {
        case 0: next_column++; break;
        case 1: next_row++; break;
        case 2: next_column--; break;
        case 3: next_row--; break;
        }
        if (next_row >= n || next_column >= n || b[next_row * n + next_column]) {
            direction = (direction + 1) % 4;
            next_row = row + (direction == 1) - (direction == 3);
            next_column = column + (direction == 0) - (direction == 2);
        }
        row = next_row;
        column = next_column;
    }
    printf("walk: sum %08x centre %u order %08x\n", sum, b[n / 2 * n + n / 2], checksum(b, n));
    return 0;
}

static const struct {
    const char *name;
    int (*run)(u32 *, u32 *, u32 *, u32);
} kinds[] = {{"product", do_product}, {"power", do_power}, {"inverse", do_inverse}, {"solve", do_solve}, {"walk", do_walk}};

int main(int argc, char **argv)
{
    u32 n = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 16, kind;
    u32 *a, *b, *c;
    int failures = 0, i;
    random_state = argc > 2 ? (u32)strtoul(argv[2], 0, 10) : 1;
    if (n < 2 || n > 512) {
        printf("size must be from 2 to 512\n");
        return 2;
    }
    a = new_matrix(n);
    b = new_matrix(n);
    c = new_matrix(n);
    if (!a || !b || !c)
        return 3;
    for (kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        int wanted = argc < 4;
        for (i = 3; i < argc; i++)
            wanted |= strcmp(argv[i], kinds[kind].name) == 0;
        if (wanted)
            failures += kinds[kind].run(a, b, c, n);
    }
    free(c);
    free(b);
    free(a);
    printf("failures %d\n", failures);
    return failures != 0;
}
