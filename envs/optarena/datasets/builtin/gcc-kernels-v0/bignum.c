/* SPDX-License-Identifier: MIT
 * bignum: arithmetic on natural numbers of any size: schoolbook and Karatsuba products, Knuth's division,
 * powers modulo, square roots; factorials, digits of pi and of square roots, Mersenne primes.
 *
 * usage: bignum MODE AMOUNT     MODE: factorial | pi | root | primes | products
 */
typedef unsigned int u32;
typedef unsigned long long u64;

int printf(const char *, ...);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
unsigned long strtoul(const char *, char **, int);

enum { LIMBS = 512, KARATSUBA = 24 };

struct big {
    u32 size;
    u32 limb[LIMBS];
};

static u32 overflows;

static void trim(struct big *a) { while (a->size && a->limb[a->size - 1] == 0) a->size--; }

static void set(struct big *a, u32 value) { a->limb[0] = value, a->size = value != 0; }

static void append(struct big *a, u32 limb)
{
    if (limb && a->size < LIMBS)
        a->limb[a->size++] = limb;
    else
        overflows += limb != 0;
}

static int compare(const struct big *a, const struct big *b)
{
    u32 i;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    for (i = a->size; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static u32 add_limbs(u32 *to, u32 n, const u32 *from, u32 m)
{
    u64 carry = 0;
    u32 i;
    for (i = 0; i < n && (i < m || carry); i++) {
        carry += (u64)to[i] + (i < m ? from[i] : 0);
        to[i] = (u32)carry;
        carry >>= 32;
    }
    return (u32)carry;
}

static void subtract_limbs(u32 *to, u32 n, const u32 *from, u32 m)
{
    u32 i, borrow = 0;
    for (i = 0; i < n && (i < m || borrow); i++) {
        u64 difference = (u64)to[i] - (i < m ? from[i] : 0) - borrow;
        to[i] = (u32)difference;
        borrow = (u32)(difference >> 63);
    }
}

static void add(struct big *a, const struct big *b)
{
    u32 carry;
    while (a->size < b->size)
        a->limb[a->size++] = 0;
    carry = add_limbs(a->limb, a->size, b->limb, b->size);
    append(a, carry);
}

static void subtract(struct big *a, const struct big *b)
{
    subtract_limbs(a->limb, a->size, b->limb, b->size);
    trim(a);
}

static void multiply_small(struct big *a, u32 factor)
{
    u64 carry = 0;
    u32 i;
    for (i = 0; i < a->size; i++, carry >>= 32) {
        carry += (u64)a->limb[i] * factor;
        a->limb[i] = (u32)carry;
    }
    append(a, (u32)carry);
    trim(a);
}

static u32 divide_small(struct big *a, u32 divisor)
{
    u64 rest = 0;
    u32 i;
    for (i = a->size; i-- > 0;) {
        rest = rest << 32 | a->limb[i];
        a->limb[i] = (u32)(rest / divisor);
        rest %= divisor;
    }
    trim(a);
    return (u32)rest;
}

static void product_plain(u32 *to, const u32 *a, u32 n, const u32 *b, u32 m)
{
    u32 i, j;
    memset(to, 0, (n + m) * sizeof *to);
    for (i = 0; i < n; i++) {
        u64 carry = 0;
        for (j = 0; j < m; j++) {
            carry += (u64)a[i] * b[j] + to[i + j];
            to[i + j] = (u32)carry;
            carry >>= 32;
        }
        to[i + m] = (u32)carry;
    }
}

/* Both factors have n limbs, `to` has 2n, `spare` at least 8n. */
static void product_karatsuba(u32 *to, const u32 *a, const u32 *b, u32 n, u32 *spare)
{
    u32 low = n / 2, high = n - low, *middle = spare, *sum_a = spare + 2 * high + 2, *sum_b = sum_a + high + 1;
    if (n < KARATSUBA) {
        product_plain(to, a, n, b, n);
        return;
    }
    spare = sum_b + high + 1;
    product_karatsuba(to, a, b, low, spare);
    product_karatsuba(to + 2 * low, a + low, b + low, high, spare);
    memcpy(sum_a, a + low, high * sizeof *a);
    sum_a[high] = add_limbs(sum_a, high, a, low);
    memcpy(sum_b, b + low, high * sizeof *b);
    sum_b[high] = add_limbs(sum_b, high, b, low);
    product_karatsuba(middle, sum_a, sum_b, high + 1, spare);
    subtract_limbs(middle, 2 * high + 2, to, 2 * low);
    subtract_limbs(middle, 2 * high + 2, to + 2 * low, 2 * high);
    add_limbs(to + low, 2 * n - low, middle, 2 * high + 2 < 2 * n - low ? 2 * high + 2 : 2 * n - low);
}

static void multiply(struct big *to, const struct big *a, const struct big *b)
{
    static u32 product[2 * LIMBS];
    u32 size = a->size + b->size;
    product_plain(product, a->limb, a->size, b->limb, b->size);
    while (size && product[size - 1] == 0)
        size--;
    if (size > LIMBS) {
        overflows++;
        size = LIMBS;
    }
    memcpy(to->limb, product, size * sizeof *product);
    to->size = size;
    trim(to);
}

static void shift_left(struct big *a, u32 bits)
{
    u32 i, carry = 0;
    for (i = 0; i < a->size && bits; i++) {
        u32 limb = a->limb[i];
        a->limb[i] = limb << bits | carry;
        carry = limb >> (32 - bits);
    }
    append(a, carry);
}

/* Knuth's algorithm D: a becomes the remainder, the quotient goes to q. */
static void divide(struct big *q, struct big *a, const struct big *divisor)
{
    struct big b = *divisor;
    u32 shift = 0, i, j, n = b.size;
    memset(q->limb, 0, sizeof q->limb);
    q->size = 0;
    if (compare(a, &b) < 0)
        return;
    if (n == 1) {
        *q = *a;
        set(a, divide_small(q, b.limb[0]));
        return;
    }
    while (!(b.limb[n - 1] << shift >> 31))
        shift++;
    shift_left(&b, shift);
    shift_left(a, shift);
    if (a->size < LIMBS)
        a->limb[a->size] = 0;
    q->size = a->size - n + 1;
    for (j = q->size; j-- > 0;) {
        u64 top = (j + n < a->size ? (u64)a->limb[j + n] << 32 : 0) | a->limb[j + n - 1];
        u64 guess = top / b.limb[n - 1], rest = top % b.limb[n - 1], carry = 0;
        u32 borrow = 0;
        while (guess >> 32 || guess * b.limb[n - 2] > (rest << 32 | a->limb[j + n - 2])) {
            guess--;
            rest += b.limb[n - 1];
            if (rest >> 32)
                break;
        }
        for (i = 0; i <= n; i++) {
            u64 difference;
            carry += i < n ? guess * b.limb[i] : 0;
            difference = (u64)(j + i < LIMBS ? a->limb[j + i] : 0) - (u32)carry - borrow;
            if (j + i < LIMBS)
                a->limb[j + i] = (u32)difference;
            borrow = (u32)(difference >> 63);
            carry >>= 32;
        }
        if (borrow) {
            guess--;
            add_limbs(a->limb + j, n + 1 < LIMBS - j ? n + 1 : LIMBS - j, b.limb, n);
        }
        q->limb[j] = (u32)guess;
    }
    a->size = n;
    trim(a);
    trim(q);
    for (i = 0; i < a->size && shift; i++)
        a->limb[i] = a->limb[i] >> shift | (i + 1 < a->size ? a->limb[i + 1] << (32 - shift) : 0);
    trim(a);
}

static void print(const char *label, const struct big *value, u32 limit)
{
    static char digits[LIMBS * 10 + 16];
    struct big a = *value;
    u32 n = 0, i, sum = 0;
    do {
        u32 part = divide_small(&a, 1000000000u);
        for (i = 0; i < 9; i++, part /= 10)
            digits[n++] = (char)('0' + part % 10);
    } while (a.size);
    while (n > 1 && digits[n - 1] == '0')
        n--;
    printf("%s (%u digits) ", label, n);
    for (i = 0; i < n; i++) {
        sum = sum * 31 + (u32)digits[n - 1 - i];
        if (i < limit)
            printf("%c", digits[n - 1 - i]);
    }
    printf(" sum %08x\n", sum);
}

static void square_root(struct big *root, const struct big *a)
{
    struct big next, q, rest;
    memset(root->limb, 0, sizeof root->limb);
    root->size = a->size / 2 + 1;
    root->limb[root->size - 1] = 0xffffffffu;
    for (;;) {
        rest = *a;
        divide(&q, &rest, root);
        next = *root;
        add(&next, &q);
        divide_small(&next, 2);
        if (compare(&next, root) >= 0)
            return;
        *root = next;
    }
}

static void power_modulo(struct big *result, const struct big *base, const struct big *exponent, const struct big *modulus)
{
    struct big square = *base, q, product;
    u32 i;
    set(result, 1);
    for (i = 0; i < 32 * exponent->size; i++) {
        if (exponent->limb[i / 32] >> i % 32 & 1) {
            multiply(&product, result, &square);
            divide(&q, &product, modulus);
            *result = product;
        }
        multiply(&product, &square, &square);
        divide(&q, &product, modulus);
        square = product;
    }
}

static void factorial(u32 n)
{
    struct big a, b;
    u32 i, rest = 0;
    set(&a, 1);
    for (i = 2; i <= n; i++)
        multiply_small(&a, i);
    print("factorial", &a, 120);
    for (i = n, b = a; i > 1; i--)
        rest += divide_small(&b, i);
    printf("divided again: size %u value %u remainders %u\n", b.size, b.limb[0], rest);
}

/* Adds or subtracts scale * factor * arctan(1 / x) by its series. */
static void arctangent(struct big *sum, const struct big *scale, u32 factor, u32 x, int negative)
{
    struct big power = *scale, term;
    u32 k = 1;
    multiply_small(&power, factor);
    divide_small(&power, x);
    while (power.size) {
        term = power;
        divide_small(&term, k);
        if (((k & 2) != 0) != negative)
            subtract(sum, &term);
        else
            add(sum, &term);
        divide_small(&power, x * x);
        k += 2;
    }
}

static void scaled(struct big *a, u32 value, u32 digits)
{
    set(a, value);
    while (digits--)
        multiply_small(a, 10);
}

static void pi(u32 digits)
{
    struct big sum, scale;
    scaled(&scale, 1, digits + 10);
    set(&sum, 0);
    arctangent(&sum, &scale, 16, 5, 0);
    arctangent(&sum, &scale, 4, 239, 1);
    divide_small(&sum, 1000000000);
    divide_small(&sum, 10);
    print("pi", &sum, 400);
}

static void root(u32 digits)
{
    static const u32 numbers[] = {2, 3, 10, 65537};
    struct big a, result, square;
    u32 i;
    for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        scaled(&a, numbers[i], 2 * digits);
        square_root(&result, &a);
        print("root", &result, 100);
        multiply(&square, &result, &result);
        subtract(&a, &square);
        print("rest", &a, 20);
    }
}

static void primes(u32 count)
{
    static const u32 exponents[] = {13, 61, 67, 89, 101, 107, 127, 131, 257, 521};
    struct big n, base, exponent, result, one;
    u32 i;
    set(&one, 1);
    for (i = 0; i < count && i < sizeof exponents / sizeof exponents[0]; i++) {
        u32 bits;
        set(&n, 1);
        for (bits = 0; bits < exponents[i]; bits++)
            multiply_small(&n, 2);
        subtract(&n, &one);
        exponent = n;
        subtract(&exponent, &one);
        set(&base, 3);
        power_modulo(&result, &base, &exponent, &n);
        printf("2^%u - 1 ", exponents[i]);
        print(compare(&result, &one) == 0 ? "is probably prime" : "is composite", &result, 20);
    }
}

static int products(u32 n)
{
    static u32 a[2000], b[2000], plain[4000], fast[4000], spare[16512];
    u32 i, sum = 0, state = n, wrong = 0;
    n = n < 2 ? 2 : n > 2000 ? 2000 : n;
    for (i = 0; i < n; i++) {
        a[i] = state = state * 1664525u + 1013904223u;
        b[i] = i % 5 ? ~state : 0xffffffffu;
    }
    product_plain(plain, a, n, b, n);
    product_karatsuba(fast, a, b, n, spare);
    for (i = 0; i < 2 * n; i++) {
        wrong += plain[i] != fast[i];
        sum = sum * 31 + fast[i];
    }
    printf("product of %u limbs: sum %08x top %08x wrong %u\n", n, sum, fast[2 * n - 1], wrong);
    return wrong != 0;
}

int main(int argc, char **argv)
{
    u32 amount = argc > 2 ? (u32)strtoul(argv[2], 0, 10) : 100;
    switch (argc > 1 ? argv[1][0] + argv[1][1] : 0) {
    case 'f' + 'a': factorial(amount); break;
    case 'p' + 'i': pi(amount); break;
    case 'r' + 'o': root(amount); break;
    case 'p' + 'r': return argv[1][2] == 'i' ? (primes(amount), 0) : products(amount);
    default: return 2;
    }
    printf("overflows %u\n", overflows);
    return overflows != 0;
}
