/* SPDX-License-Identifier: MIT
 * nbody: gravitating bodies under three integrators, with energy and momentum as checks. The arithmetic uses only
 * + - * / on doubles in a fixed order and a square root of our own, so every correct compiler gives the same bits.
 *
 * usage: nbody BODIES STEPS SEED [INTEGRATOR...]     INTEGRATOR: euler | leapfrog | rk4 (default: all)
 */
typedef unsigned int u32;
typedef unsigned long long u64;

int printf(const char *, ...);
int strcmp(const char *, const char *);
void *memcpy(void *, const void *, unsigned long);
unsigned long strtoul(const char *, char **, int);

enum { BODIES_MAX = 32, AXES = 3 };

struct vector {
    double at[AXES];
};

struct body {
    struct vector position, velocity;
    double mass;
};

struct system {
    struct body body[BODIES_MAX];
    u32 count, evaluations;
};

struct change {
    struct vector position[BODIES_MAX], velocity[BODIES_MAX];
};

static u32 random_state;

static double next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (double)(random_state >> 8) / 16777216.0;
}

/* Heron's iteration from a power of two near the root; a fixed number of steps. */
static double square_root(double x)
{
    double guess = 1.0, low = x;
    u32 i;
    if (x <= 0)
        return 0;
    while (low >= 4.0) {
        low /= 4.0;
        guess *= 2.0;
    }
    while (low < 1.0) {
        low *= 4.0;
        guess /= 2.0;
    }
    for (i = 0; i < 6; i++)
        guess = 0.5 * (guess + x / guess);
    return guess;
}

static struct vector add_scaled(struct vector a, double factor, struct vector b)
{
    u32 i;
    for (i = 0; i < AXES; i++)
        a.at[i] += factor * b.at[i];
    return a;
}

static double dot(struct vector a, struct vector b)
{
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

static void make_system(struct system *s, u32 count)
{
    struct vector momentum = {{0, 0, 0}};
    u32 i, axis;
    s->count = count;
    s->evaluations = 0;
    for (i = 0; i < count; i++) {
        struct body *b = &s->body[i];
        b->mass = i == 0 ? 10.0 : 0.01 + 0.1 * next_random();
        for (axis = 0; axis < AXES; axis++) {
            b->position.at[axis] = i == 0 ? 0.0 : 8.0 * (next_random() - 0.5);
            b->velocity.at[axis] = 0.0;
        }
        if (i) {
            double distance = square_root(dot(b->position, b->position)) + 0.5;
            double speed = square_root(10.0 / distance) / distance;
            b->velocity.at[0] = -speed * b->position.at[1];
            b->velocity.at[1] = speed * b->position.at[0];
            b->velocity.at[2] = 0.05 * (next_random() - 0.5);
        }
        momentum = add_scaled(momentum, b->mass, b->velocity);
    }
    s->body[0].velocity = add_scaled(s->body[0].velocity, -1.0 / s->body[0].mass, momentum);
}

static void accelerations(struct system *s, struct vector *out)
{
    static const struct vector zero = {{0, 0, 0}};
    u32 i, j;
    s->evaluations++;
    for (i = 0; i < s->count; i++)
        out[i] = zero;
    for (i = 0; i < s->count; i++)
        for (j = i + 1; j < s->count; j++) {
            struct vector d = add_scaled(s->body[j].position, -1.0, s->body[i].position);
            double squared = dot(d, d) + 0.01, inverse = 1.0 / (squared * square_root(squared));
            out[i] = add_scaled(out[i], inverse * s->body[j].mass, d);
            out[j] = add_scaled(out[j], -inverse * s->body[i].mass, d);
        }
}

static void euler(struct system *s, double dt)
{
    struct vector a[BODIES_MAX];
    u32 i;
    accelerations(s, a);
    for (i = 0; i < s->count; i++) {
        s->body[i].velocity = add_scaled(s->body[i].velocity, dt, a[i]);
        s->body[i].position = add_scaled(s->body[i].position, dt, s->body[i].velocity);
    }
}

static void leapfrog(struct system *s, double dt)
{
    struct vector a[BODIES_MAX];
    u32 i;
    for (i = 0; i < s->count; i++)
        s->body[i].position = add_scaled(s->body[i].position, 0.5 * dt, s->body[i].velocity);
    accelerations(s, a);
    for (i = 0; i < s->count; i++) {
        s->body[i].velocity = add_scaled(s->body[i].velocity, dt, a[i]);
        s->body[i].position = add_scaled(s->body[i].position, 0.5 * dt, s->body[i].velocity);
    }
}

static void slope(const struct system *from, const struct change *by, double factor, struct change *out)
{
    struct system moved;
    u32 i;
    memcpy(&moved, from, sizeof moved);
    for (i = 0; by && i < from->count; i++) {
        moved.body[i].position = add_scaled(from->body[i].position, factor, by->position[i]);
        moved.body[i].velocity = add_scaled(from->body[i].velocity, factor, by->velocity[i]);
    }
    accelerations(&moved, out->velocity);
    for (i = 0; i < from->count; i++)
        out->position[i] = moved.body[i].velocity;
}

static void rk4(struct system *s, double dt)
{
    static const double weights[4] = {1.0, 2.0, 2.0, 1.0};
    struct change k[4];
    u32 i, part;
    slope(s, 0, 0.0, &k[0]);
    slope(s, &k[0], 0.5 * dt, &k[1]);
    slope(s, &k[1], 0.5 * dt, &k[2]);
    slope(s, &k[2], dt, &k[3]);
    s->evaluations += 4;
    for (i = 0; i < s->count; i++)
        for (part = 0; part < 4; part++) {
            double factor = dt * weights[part] / 6.0;
            s->body[i].position = add_scaled(s->body[i].position, factor, k[part].position[i]);
            s->body[i].velocity = add_scaled(s->body[i].velocity, factor, k[part].velocity[i]);
        }
}

static const struct {
    const char *name;
    void (*advance)(struct system *, double);
} integrators[] = {{"euler", euler}, {"leapfrog", leapfrog}, {"rk4", rk4}};

static double energy(const struct system *s)
{
    double total = 0;
    u32 i, j;
    for (i = 0; i < s->count; i++) {
        total += 0.5 * s->body[i].mass * dot(s->body[i].velocity, s->body[i].velocity);
        for (j = i + 1; j < s->count; j++) {
            struct vector d = add_scaled(s->body[j].position, -1.0, s->body[i].position);
            total -= s->body[i].mass * s->body[j].mass / square_root(dot(d, d) + 0.01);
        }
    }
    return total;
}

static struct vector momentum(const struct system *s)
{
    struct vector total = {{0, 0, 0}};
    u32 i;
    for (i = 0; i < s->count; i++)
        total = add_scaled(total, s->body[i].mass, s->body[i].velocity);
    return total;
}

static u64 fingerprint(const struct system *s)
{
    u64 hash = 14695981039346656037ULL, word;
    u32 i, axis;
    for (i = 0; i < s->count; i++)
        for (axis = 0; axis < AXES; axis++) {
            memcpy(&word, &s->body[i].position.at[axis], sizeof word);
            hash = (hash ^ word) * 1099511628211ULL;
        }
    return hash;
}

static void classify(const struct system *s)
{
    u32 kinds[4] = {0}, i;
    for (i = 1; i < s->count; i++) {
        struct vector d = add_scaled(s->body[i].position, -1.0, s->body[0].position);
        struct vector v = add_scaled(s->body[i].velocity, -1.0, s->body[0].velocity);
        double r = square_root(dot(d, d)), bound = 0.5 * dot(v, v) - s->body[0].mass / (r + 1e-9);
        switch ((bound >= 0) * 2 + (dot(d, v) >= 0)) {
        case 0: kinds[0]++; break;
        case 1: kinds[1]++; break;
        case 2: kinds[2]++; break;
        default: kinds[3] += r > 3.0 ? 1 : 100;
        }
    }
    printf("  bound and falling %u, bound and rising %u, passing %u, leaving %u\n", kinds[0], kinds[1], kinds[2], kinds[3]);
}

static void simulate(u32 which, const struct system *start, u32 steps)
{
    struct system s = *start;
    double before = energy(&s);
    struct vector p;
    u32 i;
    printf("%s\n", integrators[which].name);
    for (i = 1; i <= steps; i++) {
        integrators[which].advance(&s, 0.002);
        if (i % (steps / 4 + 1) == 0 || i == steps)
            printf("  step %u energy %.9f first %.9f %.9f %.9f\n", i, energy(&s), s.body[1].position.at[0],
                   s.body[1].position.at[1], s.body[1].position.at[2]);
    }
    p = momentum(&s);
    printf("  drift %.6e momentum below 1e-9: %s evaluations %u bits %016llx\n", energy(&s) - before,
           dot(p, p) < 1e-18 ? "yes" : "no", s.evaluations, fingerprint(&s));
    classify(&s);
}

int main(int argc, char **argv)
{
    static struct system start;
    u32 bodies = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 5, steps = argc > 2 ? (u32)strtoul(argv[2], 0, 10) : 100, which;
    random_state = argc > 3 ? (u32)strtoul(argv[3], 0, 10) : 1;
    if (bodies < 2 || bodies > BODIES_MAX)
        return 2;
    make_system(&start, bodies);
    printf("%u bodies, energy %.9f\n", bodies, energy(&start));
    for (which = 0; which < sizeof integrators / sizeof integrators[0]; which++) {
        int wanted = argc < 5, i;
        for (i = 4; i < argc; i++)
            wanted |= strcmp(argv[i], integrators[which].name) == 0;
        if (wanted)
            simulate(which, &start, steps);
    }
    return 0;
}
