/* SPDX-License-Identifier: MIT
 * regex: compiles regular expressions to a small program and matches them twice, by backtracking with memory
 * and by simulating all threads in step; both must find the same leftmost match and groups.
 *
 * usage: regex ROUNDS < lines      a line "=EXPRESSION" sets the expression, any other line is matched with it
 *
 * Syntax: . [set] [^set] \d \w \s ( ) | * + ? *? +? ?? ^ $
 */
typedef unsigned char u8;
typedef unsigned int u32;

int printf(const char *, ...);
int getchar(void);
void *memset(void *, int, unsigned long);
unsigned long strtoul(const char *, char **, int);

enum { CODE_MAX = 256, LINE_MAX = 160, INPUT_MAX = 16384, SETS_MAX = 32, SLOTS = 8 };

enum op { CHAR, ANY, SET, SPLIT, JUMP, SAVE, BEGIN, END, MATCH };

struct instruction {
    u8 op, arg;
    u32 x, y;
};

struct program {
    struct instruction code[CODE_MAX];
    u32 size;
    u32 sets[SETS_MAX][8];
    u32 set_count, group_count;
    const char *at;
    const char *error;
};

struct match {
    u32 slot[SLOTS];
    u32 found;
};

static struct program p;
static struct {
    const char *text;
    u32 length, start, steps;
    u8 visited[CODE_MAX][LINE_MAX + 1];
} search;

static void alternatives(void);

static u32 emit(enum op op, u32 arg, u32 x, u32 y)
{
    if (p.size == CODE_MAX) {
        p.error = "too long";
        return 0;
    }
    p.code[p.size].op = (u8)op, p.code[p.size].arg = (u8)arg;
    p.code[p.size].x = x, p.code[p.size].y = y;
    return p.size++;
}

/* Makes room for one instruction at `at`; jumps of what moves are relative to the program, so they move too. */
static void insert(u32 at, enum op op, u32 x, u32 y)
{
    u32 i;
    emit(op, 0, 0, 0);
    if (p.error)
        return;
    for (i = p.size - 1; i > at; i--) {
        p.code[i] = p.code[i - 1];
        if (p.code[i].op == SPLIT || p.code[i].op == JUMP) {
            p.code[i].x += p.code[i].x >= at;
            p.code[i].y += p.code[i].y >= at;
        }
    }
    p.code[at].op = (u8)op, p.code[at].x = x, p.code[at].y = y;
}

static void set_add(u32 *set, u32 c) { set[c / 32] |= 1u << c % 32; }

static void set_class(u32 *set, char name)
{
    u32 c;
    for (c = 1; c < 256; c++) {
        int digit = c >= '0' && c <= '9', letter = (c | 32) >= 'a' && (c | 32) <= 'z', in;
        switch (name) {
        case 'd': in = digit; break;
        case 'w': in = digit || letter || c == '_'; break;
        case 's': in = c == ' ' || c == '\t'; break;
        default: in = c == (u8)name;
        }
        if (in)
            set_add(set, c);
    }
}

static u32 *new_set(void)
{
    if (p.set_count == SETS_MAX) {
        p.error = "too many sets";
        return p.sets[0];
    }
    memset(p.sets[p.set_count], 0, sizeof p.sets[0]);
    emit(SET, p.set_count, 0, 0);
    return p.sets[p.set_count++];
}

static void bracket(void)
{
    u32 *set = new_set(), i;
    int negated = *p.at == '^';
    p.at += negated;
    do {
        u8 low = (u8)*p.at, high;
        if (!low) {
            p.error = "] is missing";
            return;
        }
        p.at++;
        if (low == '\\' && *p.at) {
            set_class(set, *p.at++);
            continue;
        }
        high = low;
        if (*p.at == '-' && p.at[1] && p.at[1] != ']') {
            high = (u8)p.at[1];
            p.at += 2;
        }
        for (i = low; i <= high; i++)
            set_add(set, i);
    } while (*p.at != ']');
    p.at++;
    for (i = 0; i < 8 && negated; i++)
        set[i] = ~set[i];
}

static void atom(void)
{
    u32 group;
    char c = *p.at++;
    switch (c) {
    case '.': emit(ANY, 0, 0, 0); break;
    case '^': emit(BEGIN, 0, 0, 0); break;
    case '$': emit(END, 0, 0, 0); break;
    case '[': bracket(); break;
    case '(':
        group = ++p.group_count;
        if (group >= SLOTS / 2) {
            p.error = "too many groups";
            return;
        }
        emit(SAVE, 2 * group, 0, 0);
        alternatives();
        emit(SAVE, 2 * group + 1, 0, 0);
        if (*p.at == ')')
            p.at++;
        else if (!p.error)
            p.error = ") is missing";
        break;
    case '*': case '+': case '?': p.error = "nothing to repeat"; break;
    case '\\':
        if (*p.at)
            set_class(new_set(), *p.at++);
        else
            p.error = "\\ at the end";
        break;
    default: emit(CHAR, (u8)c, 0, 0);
    }
}

static void repetition(void)
{
    u32 start = p.size, end;
    atom();
    while (!p.error && (*p.at == '*' || *p.at == '+' || *p.at == '?')) {
        char kind = *p.at++;
        int lazy = *p.at == '?';
        p.at += lazy;
        if (kind == '+') {
            end = emit(SPLIT, 0, start, p.size + 1);
        } else {
            insert(start, SPLIT, start + 1, 0);
            if (kind == '*')
                emit(JUMP, 0, start, 0);
            end = start;
            p.code[start].y = p.size;
        }
        if (lazy) {
            u32 x = p.code[end].x;
            p.code[end].x = p.code[end].y;
            p.code[end].y = x;
        }
    }
}

static void alternatives(void)
{
    u32 start = p.size, jump;
    while (*p.at && *p.at != '|' && *p.at != ')' && !p.error)
        repetition();
    if (*p.at != '|' || p.error)
        return;
    p.at++;
    insert(start, SPLIT, start + 1, 0);
    jump = emit(JUMP, 0, 0, 0);
    p.code[start].y = p.size;
    alternatives();
    p.code[jump].x = p.size;
}

static void compile(const char *expression)
{
    p.size = p.set_count = p.group_count = 0;
    p.error = 0;
    p.at = expression;
    emit(SAVE, 0, 0, 0);
    alternatives();
    if (*p.at && !p.error)
        p.error = "unexpected )";
    emit(SAVE, 1, 0, 0);
    emit(MATCH, 0, 0, 0);
}

static int accepts(const struct instruction *i, u32 at)
{
    u8 c;
    if (at >= search.length)
        return 0;
    c = (u8)search.text[at];
    switch (i->op) {
    case CHAR: return c == i->arg;
    case ANY: return 1;
    default: return (int)(p.sets[i->arg][c / 32] >> c % 32 & 1);
    }
}

static int holds(const struct instruction *i, u32 at) { return at == (i->op == BEGIN ? 0 : search.length); }

static int backtrack(u32 pc, u32 at, struct match *m)
{
    for (;;) {
        const struct instruction *i = &p.code[pc];
        u32 old;
        search.steps++;
        if (search.visited[pc][at])
            return 0;
        search.visited[pc][at] = 1;
        switch (i->op) {
        case MATCH: return m->found = 1;
        case JUMP: pc = i->x; break;
        case SPLIT:
            if (backtrack(i->x, at, m))
                return 1;
            pc = i->y;
            break;
        case SAVE:
            old = m->slot[i->arg % SLOTS];
            m->slot[i->arg % SLOTS] = at;
            if (backtrack(pc + 1, at, m))
                return 1;
            m->slot[i->arg % SLOTS] = old;
            return 0;
        case BEGIN:
        case END:
            if (!holds(i, at))
                return 0;
            pc++;
            break;
        default:
            if (!accepts(i, at))
                return 0;
            pc++;
            at++;
        }
    }
}

struct threads {
    u32 pc[CODE_MAX];
    struct match match[CODE_MAX];
    u32 count;
    u8 seen[CODE_MAX];
};

static void add_thread(struct threads *t, u32 pc, u32 at, struct match m)
{
    const struct instruction *i = &p.code[pc];
    search.steps++;
    if (t->seen[pc])
        return;
    t->seen[pc] = 1;
    switch (i->op) {
    case JUMP: add_thread(t, i->x, at, m); break;
    case SPLIT:
        add_thread(t, i->x, at, m);
        add_thread(t, i->y, at, m);
        break;
    case SAVE:
        m.slot[i->arg % SLOTS] = at;
        add_thread(t, pc + 1, at, m);
        break;
    case BEGIN:
    case END:
        if (holds(i, at))
            add_thread(t, pc + 1, at, m);
        break;
    default:
        t->pc[t->count] = pc;
        t->match[t->count++] = m;
    }
}

static struct match simulate(void)
{
    static struct threads lists[2];
    struct threads *now = &lists[0], *next = &lists[1], *t;
    struct match none, best;
    u32 at, i;
    memset(&none, 0xff, sizeof none);
    none.found = 0;
    best = none;
    now->count = 0;
    memset(now->seen, 0, sizeof now->seen);
    for (at = 0; at <= search.length; at++) {
        if (!best.found)
            add_thread(now, 0, at, none);
        next->count = 0;
        memset(next->seen, 0, sizeof next->seen);
        for (i = 0; i < now->count; i++) {
            if (p.code[now->pc[i]].op == MATCH) {
                best = now->match[i];
                best.found = 1;
                break;
            }
            if (accepts(&p.code[now->pc[i]], at))
                add_thread(next, now->pc[i] + 1, at + 1, now->match[i]);
        }
        t = now, now = next, next = t;
    }
    return best;
}

static struct match try_all(void)
{
    struct match m;
    u32 at;
    memset(search.visited, 0, sizeof search.visited);
    memset(&m, 0xff, sizeof m);
    m.found = 0;
    for (at = 0; at <= search.length && !backtrack(0, at, &m); at++) {
    }
    return m;
}

static u32 match_line(const char *text, u32 length, u32 rounds, u32 steps[2])
{
    struct match a = {{0}, 0}, b = a;
    u32 i, wrong;
    search.text = text;
    search.length = length;
    for (i = 0; i < rounds; i++) {
        search.steps = 0;
        a = try_all();
        steps[0] += search.steps;
        search.steps = 0;
        b = simulate();
        steps[1] += search.steps;
    }
    wrong = a.found != b.found;
    printf("  %-24.24s", text);
    for (i = 0; i < SLOTS && a.found; i += 2) {
        wrong += a.slot[i] != b.slot[i] || a.slot[i + 1] != b.slot[i + 1];
        if (a.slot[i] <= length && a.slot[i + 1] <= length)
            printf(" %u-%u", a.slot[i], a.slot[i + 1]);
    }
    printf(a.found ? "%s\n" : " no%s\n", wrong ? " WRONG" : "");
    return wrong;
}

int main(int argc, char **argv)
{
    static char input[INPUT_MAX + 1];
    u32 rounds = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 1, n = 0, start, end, steps[2] = {0, 0}, wrong = 0;
    int c;
    while ((c = getchar()) >= 0 && n < INPUT_MAX)
        input[n++] = (char)c;
    compile("");
    for (start = 0; start < n; start = end + 1) {
        for (end = start; end < n && input[end] != '\n'; end++) {
        }
        input[end] = 0;
        if (input[start] == '=') {
            compile(input + start + 1);
            printf("%s: %s, %u instructions, %u groups\n", input + start + 1, p.error ? p.error : "fine", p.size,
                   p.group_count);
        } else if (!p.error && end - start <= LINE_MAX) {
            wrong += match_line(input + start, end - start, rounds, steps);
        }
    }
    printf("steps %u %u wrong %u\n", steps[0], steps[1], wrong);
    return wrong != 0;
}
