/* SPDX-License-Identifier: MIT
 * minilang: compiles a small language read from standard input to bytecode and lists it.
 *
 * usage: minilang ROUNDS LINES < program      compiles ROUNDS times, lists at most LINES instructions
 *
 * program   = { "fn" name "(" [name {"," name}] ")" block }; execution starts at main()
 * statement = ["let"] name "=" expr ";" | "mem" "[" expr "]" "=" expr ";" | "print" expr {"," expr} ";"
 *           | "if" expr block ["else" block] | "while" expr block | "return" expr ";" | call ";"
 * expr      = the usual operators over 32-bit integers that wrap around, calls, the array mem[]
 */
typedef unsigned int u32;

int printf(const char *, ...);
int getchar(void);
int memcmp(const void *, const void *, unsigned long);
unsigned long strlen(const char *);
unsigned long strtoul(const char *, char **, int);

enum { SOURCE_MAX = 8192, CODE_MAX = 4096, FUNCTIONS_MAX = 64, LOCALS_MAX = 24 };

enum op { HALT, PUSH, LOAD, STORE, FETCH, PUT, ADD, SUB, MUL, DIV, MOD, LESS, MORE, EQUAL, NOT, JUMP, JUMP_IF_NOT,
          CALL, RETURN, PRINT, NEWLINE, POP, OPS };

static const char *const op_names[OPS] = {"halt", "push", "load", "store", "fetch", "put", "add", "sub", "mul", "div",
    "mod", "less", "more", "equal", "not", "jump", "jumpifnot", "call", "return", "print", "newline", "pop"};

enum error { FINE, UNEXPECTED, TOO_BIG, UNKNOWN_NAME, NO_MAIN };

struct name { u32 at, length; };
struct function { struct name name; u32 address, parameters; };

static struct {
    char source[SOURCE_MAX + 1];
    u32 at, start, line;
    char kind;
    struct function functions[FUNCTIONS_MAX];
    struct name locals[LOCALS_MAX];
    u32 function_count, local_count, code[CODE_MAX], size, folded, error_line;
    enum error error;
} c;

static void fail(enum error error)
{
    if (!c.error)
        c.error_line = c.line, c.error = error;
}

static int is_letter(char x) { return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || x == '_'; }
static int is_digit(char x) { return x >= '0' && x <= '9'; }

/* The kind of a token is 'i' for names, 'n' for numbers, 0 for the end, the character of a one-character
 * operator, and for "==", "<=", ">=", "!=" the letters e, l, g, d. */
static void advance(void)
{
    char x;
    for (; (x = c.source[c.at]) == ' ' || x == '\n' || x == '#'; c.at++) {
        while (x == '#' && c.source[c.at + 1] && c.source[c.at + 1] != '\n')
            c.at++;
        c.line += x == '\n';
    }
    c.start = c.at;
    c.kind = x;
    if (!x)
        return;
    c.at++;
    if (is_letter(x)) {
        while (is_letter(c.source[c.at]) || is_digit(c.source[c.at]))
            c.at++;
        c.kind = 'i';
    } else if (is_digit(x)) {
        while (is_digit(c.source[c.at]))
            c.at++;
        c.kind = 'n';
    } else if (c.source[c.at] == '=') {
        switch (x) {
        case '=': c.kind = 'e'; break;
        case '<': c.kind = 'l'; break;
        case '>': c.kind = 'g'; break;
        case '!': c.kind = 'd'; break;
        default: return;
        }
        c.at++;
    }
}

static int is_text(struct name name, const char *text)
{
    return strlen(text) == name.length && memcmp(text, c.source + name.at, name.length) == 0;
}

static int same_name(struct name a, struct name b)
{
    return a.length == b.length && memcmp(c.source + a.at, c.source + b.at, a.length) == 0;
}

static int accept(char kind)
{
    if (c.kind != kind || c.error)
        return 0;
    advance();
    return 1;
}

static int accept_word(const char *word)
{
    struct name name = {c.start, c.at - c.start};
    return c.kind == 'i' && is_text(name, word) && accept('i');
}

static void expect(char kind) { if (!accept(kind)) fail(UNEXPECTED); }

static struct name take_name(void)
{
    struct name name = {c.start, c.at - c.start};
    expect('i');
    return name;
}

static u32 emit(u32 word)
{
    if (c.size == CODE_MAX)
        fail(TOO_BIG);
    else
        c.code[c.size++] = word;
    return c.size - 1;
}

static u32 emit2(enum op op, u32 operand) { return emit(op), emit(operand); }

static u32 find_local(struct name name)
{
    u32 i;
    for (i = c.local_count; i-- > 0;)
        if (same_name(c.locals[i], name))
            return i;
    fail(UNKNOWN_NAME);
    return 0;
}

static u32 declare_local(struct name name)
{
    if (c.local_count == LOCALS_MAX)
        fail(TOO_BIG);
    else
        c.locals[c.local_count++] = name;
    return c.local_count - 1;
}

static u32 find_function(struct name name)
{
    u32 i;
    for (i = 0; i < c.function_count; i++)
        if (same_name(c.functions[i].name, name))
            return i;
    if (c.function_count == FUNCTIONS_MAX) {
        fail(TOO_BIG);
        return 0;
    }
    c.functions[c.function_count].name = name;
    c.functions[i].parameters = LOCALS_MAX + 1;
    return c.function_count++;
}

static u32 arithmetic(enum op op, u32 a, u32 b)
{
    switch (op) {
    case ADD: return a + b;
    case SUB: return a - b;
    case MUL: return a * b;
    case DIV: return a / b;
    case MOD: return a % b;
    case LESS: return (a ^ 0x80000000u) < (b ^ 0x80000000u);
    case MORE: return (a ^ 0x80000000u) > (b ^ 0x80000000u);
    default: return a == b;
    }
}

/* Emits a binary operation whose left operand began at `left` and right operand at `right`; folds constants. */
static void emit_binary(enum op op, u32 left, u32 right)
{
    int constants = right == left + 2 && c.size == right + 2 && c.code[left] == PUSH && c.code[right] == PUSH;
    if (constants && (c.code[right + 1] || (op != DIV && op != MOD))) {
        c.code[left + 1] = arithmetic(op, c.code[left + 1], c.code[right + 1]);
        c.size = right;
        c.folded++;
    } else {
        emit(op);
    }
}

static void expression(u32 lowest);

static void call(struct name name)
{
    u32 count = 0;
    if (!accept(')')) {
        do
            expression(1), count++;
        while (accept(','));
        expect(')');
    }
    emit2(CALL, find_function(name));
    emit(count);
}

static void primary(void)
{
    struct name name;
    u32 left = c.size;
    if (c.kind == 'n') {
        emit2(PUSH, (u32)strtoul(c.source + c.start, 0, 10));
        advance();
    } else if (accept('(')) {
        expression(1);
        expect(')');
    } else if (accept('-')) {
        emit2(PUSH, 0);
        primary();
        emit_binary(SUB, left, left + 2);
    } else if (accept('!')) {
        primary();
        emit(NOT);
    } else {
        name = take_name();
        if (accept('('))
            call(name);
        else if (accept('['))
            expression(1), expect(']'), emit(FETCH);
        else
            emit2(LOAD, find_local(name));
    }
}

static const struct operator { char kind; unsigned char level, op, negated; } operators[] = {
    {'e', 1, EQUAL, 0}, {'d', 1, EQUAL, 1}, {'<', 1, LESS, 0}, {'g', 1, LESS, 1}, {'>', 1, MORE, 0}, {'l', 1, MORE, 1},
    {'+', 2, ADD, 0}, {'-', 2, SUB, 0}, {'*', 3, MUL, 0}, {'/', 3, DIV, 0}, {'%', 3, MOD, 0}, {0, 0, HALT, 0},
};

/* Precedence climbing. */
static void expression(u32 lowest)
{
    u32 left = c.size, right;
    primary();
    for (;;) {
        const struct operator *o = operators;
        while (o->level && o->kind != c.kind)
            o++;
        if (o->level < lowest || c.error)
            return;
        advance();
        right = c.size;
        expression(o->level + 1u);
        emit_binary((enum op)o->op, left, right);
        if (o->negated)
            emit(NOT);
    }
}

static void block(void);

static void statement(void)
{
    u32 start = c.size, out, end;
    if (accept_word("if")) {
        expression(1);
        out = emit2(JUMP_IF_NOT, 0);
        block();
        if (accept_word("else")) {
            end = emit2(JUMP, 0);
            c.code[out] = c.size;
            block();
            out = end;
        }
        c.code[out] = c.size;
        return;
    }
    if (accept_word("while")) {
        expression(1);
        out = emit2(JUMP_IF_NOT, 0);
        block();
        emit2(JUMP, start);
        c.code[out] = c.size;
        return;
    }
    if (accept_word("return")) {
        expression(1);
        emit(RETURN);
    } else if (accept_word("print")) {
        do
            expression(1), emit(PRINT);
        while (accept(','));
        emit(NEWLINE);
    } else {
        int fresh = accept_word("let");
        struct name name = take_name();
        if (accept('(')) {
            call(name), emit(POP);
        } else if (accept('[')) {
            expression(1), expect(']'), expect('=');
            expression(1), emit(PUT);
        } else {
            expect('=');
            expression(1);
            emit2(STORE, fresh ? declare_local(name) : find_local(name));
        }
    }
    expect(';');
}

static void block(void)
{
    u32 outer = c.local_count;
    for (expect('{'); !c.error && !accept('}');)
        statement();
    c.local_count = outer;
}

static void function(void)
{
    struct function *f;
    if (!accept_word("fn"))
        fail(UNEXPECTED);
    f = &c.functions[find_function(take_name())];
    c.local_count = 0;
    expect('(');
    if (!accept(')')) {
        do
            declare_local(take_name());
        while (accept(','));
        expect(')');
    }
    f->address = c.size;
    f->parameters = c.local_count;
    block();
    emit2(PUSH, 0);
    emit(RETURN);
}

static u32 compile(void)
{
    u32 i, entry = FUNCTIONS_MAX;
    c.line = 1;
    advance();
    while (!c.error && c.kind)
        function();
    for (i = 0; i < c.function_count; i++)
        if (c.functions[i].parameters > LOCALS_MAX)
            fail(UNKNOWN_NAME);
        else if (is_text(c.functions[i].name, "main"))
            entry = i;
    if (entry == FUNCTIONS_MAX)
        fail(NO_MAIN);
    return entry;
}

static u32 operands(u32 op)
{
    switch (op) {
    case PUSH: case LOAD: case STORE: case JUMP: case JUMP_IF_NOT: return 1;
    case CALL: return 2;
    default: return 0;
    }
}

static void list(u32 lines)
{
    u32 at, i, line = 0, counts[OPS] = {0};
    for (at = 0; at < c.size; at += 1 + operands(c.code[at])) {
        counts[c.code[at]]++;
        if (line++ >= lines)
            continue;
        printf("%4u %s", at, op_names[c.code[at]]);
        for (i = 1; i <= operands(c.code[at]); i++)
            printf(" %d", (int)c.code[at + i]);
        printf("\n");
    }
    for (i = 0; i < OPS; i++)
        printf("%s %u%s", op_names[i], counts[i], i % 8 == 7 || i == OPS - 1 ? "\n" : ", ");
}

int main(int argc, char **argv)
{
    u32 rounds = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 1, n = 0, i, entry = 0, sum = 0;
    int x;
    while ((x = getchar()) >= 0 && n < SOURCE_MAX)
        c.source[n++] = (char)x;
    for (i = 0; i < rounds && !c.error; i++) {
        c.at = c.size = c.function_count = c.folded = 0;
        entry = compile();
        for (n = 0; n < c.size; n++)
            sum = sum * 33 + c.code[n] + i;
    }
    if (c.error) {
        printf("line %u: error %d near [%.12s]\n", c.error_line, (int)c.error, c.source + c.start);
        return 1;
    }
    printf("%u words, %u functions, main is %u, %u folded, sum %08x\n", c.size, c.function_count, entry, c.folded, sum);
    list(argc > 2 ? (u32)strtoul(argv[2], 0, 10) : 50);
    return 0;
}
