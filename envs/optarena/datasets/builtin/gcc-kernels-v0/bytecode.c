/* SPDX-License-Identifier: MIT
 * bytecode: assembles a program for a stack machine from standard input and interprets it.
 *
 * usage: bytecode FUEL [ARGUMENT...] < assembly     arguments are numbers, the start of the stack
 *
 * A line holds `label:` and/or an instruction with at most one operand (number or label), `;` begins a comment.
 */
typedef unsigned int u32;

int printf(const char *, ...);
int getchar(void);
int memcmp(const void *, const void *, unsigned long);
unsigned long strlen(const char *);
unsigned long strtoul(const char *, char **, int);

enum { SOURCE_MAX = 8192, CODE_MAX = 2048, LABELS_MAX = 128, STACK_MAX = 1024, CALLS_MAX = 512, MEMORY = 8192 };

enum op { HALT, PUSH, POP, DUP, OVER, SWAP, ROT, ADD, SUB, MUL, DIVMOD, AND, OR, XOR, SHIFT, LESS, EQUAL, NOT, JUMP,
          JUMPZ, CALL, RETURN, LOAD, STORE, PRINT, EMIT, OPS };

enum error { FINE, BAD_WORD, TOO_MANY, NO_LABEL, UNDERFLOW, OVERFLOWED, BAD_ADDRESS, DIVIDED_BY_ZERO, OUT_OF_FUEL };

/* How many values an instruction needs on the stack, and how many it leaves there instead. */
static const struct instruction {
    const char *name;
    unsigned char operand, needs, leaves;
} instructions[OPS] = {
    {"halt", 0, 0, 0}, {"push", 1, 0, 1},   {"pop", 0, 1, 0},    {"dup", 0, 1, 2},   {"over", 0, 2, 3},
    {"swap", 0, 2, 2}, {"rot", 0, 3, 3},    {"add", 0, 2, 1},    {"sub", 0, 2, 1},   {"mul", 0, 2, 1},
    {"divmod", 0, 2, 2}, {"and", 0, 2, 1},  {"or", 0, 2, 1},     {"xor", 0, 2, 1},   {"shift", 0, 2, 1},
    {"less", 0, 2, 1}, {"equal", 0, 2, 1},  {"not", 0, 1, 1},    {"jump", 1, 0, 0},  {"jumpz", 1, 1, 0},
    {"call", 1, 0, 0}, {"return", 0, 0, 0}, {"load", 0, 1, 1},   {"store", 0, 2, 0}, {"print", 0, 1, 0},
    {"emit", 0, 1, 0},
};

struct word {
    const char *text;
    u32 length;
};

struct code {
    u32 op;
    u32 operand;
    struct word label;
};

static char source[SOURCE_MAX + 1];

static struct {
    struct code code[CODE_MAX];
    u32 size;
    struct { struct word name; u32 at; } labels[LABELS_MAX];
    u32 label_count;
    u32 line;
} assembler;

static struct {
    u32 stack[STACK_MAX], top, calls[CALLS_MAX], depth, memory[MEMORY];
    u32 pc, fuel, deepest, printed, output_sum;
    u32 executed[OPS];
} vm;

static int is_space(char x)
{
    return x == ' ' || x == '\t' || x == '\r';
}

static struct word next_word(const char **at)
{
    struct word word;
    while (is_space(**at))
        ++*at;
    if (**at == ';')
        while (**at && **at != '\n')
            ++*at;
    word.text = *at;
    while (**at && **at != '\n' && **at != ';' && !is_space(**at))
        ++*at;
    word.length = (u32)(*at - word.text);
    return word;
}

static int same_word(struct word a, struct word b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static u32 find_op(struct word word)
{
    u32 op;
    for (op = 0; op < OPS; op++) {
        struct word name = {instructions[op].name, (u32)strlen(instructions[op].name)};
        if (same_word(word, name))
            break;
    }
    return op;
}

static enum error assemble_line(const char **at)
{
    struct word word = next_word(at), operand;
    struct code *code;
    if (word.length && word.text[word.length - 1] == ':') {
        if (assembler.label_count == LABELS_MAX)
            return TOO_MANY;
        word.length--;
        assembler.labels[assembler.label_count].name = word;
        assembler.labels[assembler.label_count++].at = assembler.size;
        word = next_word(at);
    }
    if (!word.length)
        return FINE;
    if (assembler.size == CODE_MAX)
        return TOO_MANY;
    code = &assembler.code[assembler.size++];
    code->op = find_op(word);
    operand = next_word(at);
    if (code->op == OPS || instructions[code->op].operand != (operand.length != 0) || next_word(at).length)
        return BAD_WORD;
    code->label.length = 0;
    if (operand.length && (operand.text[0] == '-' || (operand.text[0] >= '0' && operand.text[0] <= '9')))
        code->operand = (u32)strtoul(operand.text, 0, 0);
    else
        code->label = operand;
    return FINE;
}

static enum error resolve(struct code *code)
{
    u32 i;
    for (i = 0; i < assembler.label_count; i++)
        if (same_word(assembler.labels[i].name, code->label)) {
            code->operand = assembler.labels[i].at;
            return FINE;
        }
    return NO_LABEL;
}

static enum error assemble(void)
{
    const char *at = source;
    enum error error = FINE;
    u32 i;
    assembler.line = 1;
    while (*at && error == FINE) {
        error = assemble_line(&at);
        if (error == FINE && *at == '\n') {
            at++;
            assembler.line++;
        }
    }
    for (i = 0; i < assembler.size && error == FINE; i++)
        if (assembler.code[i].label.length)
            error = resolve(&assembler.code[i]);
    return error;
}

static void output(u32 value, int as_character)
{
    vm.output_sum = vm.output_sum * 16777619u ^ value;
    if (vm.printed++ >= 300)
        return;
    if (as_character)
        printf("%c", value == 10 || (value >= 32 && value < 127) ? (int)value : '?');
    else
        printf("%d ", (int)value);
}

static u32 shifted(u32 value, u32 by)
{
    if ((int)by < 0)
        return by < (u32)-31 ? 0 : value >> (0u - by);
    return by > 31 ? 0 : value << by;
}

static enum error transfer(enum op op, u32 operand)
{
    switch (op) {
    case CALL:
        if (vm.depth == CALLS_MAX)
            return OVERFLOWED;
        vm.calls[vm.depth++] = vm.pc;
        vm.pc = operand;
        return FINE;
    default:
        if (vm.depth == 0)
            return UNDERFLOW;
        vm.pc = vm.calls[--vm.depth];
        return FINE;
    }
}

static enum error step(void)
{
    const struct code *code = &assembler.code[vm.pc++];
    const struct instruction *instruction = &instructions[code->op];
    u32 *s, a;
    vm.executed[code->op]++;
    if (vm.top < instruction->needs)
        return UNDERFLOW;
    if (vm.top + instruction->leaves - instruction->needs > STACK_MAX)
        return OVERFLOWED;
    s = vm.stack + vm.top - instruction->needs;
    vm.top = vm.top - instruction->needs + instruction->leaves;
    switch ((enum op)code->op) {
    case PUSH: s[0] = code->operand; break;
    case POP: break;
    case DUP: s[1] = s[0]; break;
    case OVER: s[2] = s[0]; break;
    case SWAP: a = s[0]; s[0] = s[1]; s[1] = a; break;
    case ROT: a = s[0]; s[0] = s[1]; s[1] = s[2]; s[2] = a; break;
    case ADD: s[0] += s[1]; break;
    case SUB: s[0] -= s[1]; break;
    case MUL: s[0] *= s[1]; break;
    case DIVMOD:
        if (s[1] == 0)
            return DIVIDED_BY_ZERO;
        a = s[0];
        s[0] = a / s[1];
        s[1] = a % s[1];
        break;
    case AND: s[0] &= s[1]; break;
    case OR: s[0] |= s[1]; break;
    case XOR: s[0] ^= s[1]; break;
    case SHIFT: s[0] = shifted(s[0], s[1]); break;
    case LESS: s[0] = (int)s[0] < (int)s[1]; break;
    case EQUAL: s[0] = s[0] == s[1]; break;
    case NOT: s[0] = !s[0]; break;
    case JUMP: vm.pc = code->operand; break;
    case JUMPZ: vm.pc = s[0] ? vm.pc : code->operand; break;
    case CALL: case RETURN: return transfer((enum op)code->op, code->operand);
    case LOAD:
        if (s[0] >= MEMORY)
            return BAD_ADDRESS;
        s[0] = vm.memory[s[0]];
        break;
    case STORE:
        if (s[1] >= MEMORY)
            return BAD_ADDRESS;
        vm.memory[s[1]] = s[0];
        break;
    case PRINT: output(s[0], 0); break;
    case EMIT: output(s[0], 1); break;
    default: return BAD_WORD;
    }
    if (vm.top > vm.deepest)
        vm.deepest = vm.top;
    return FINE;
}

static enum error run(void)
{
    enum error error = FINE;
    while (error == FINE && vm.pc < assembler.size && assembler.code[vm.pc].op != HALT) {
        if (vm.fuel == 0)
            return OUT_OF_FUEL;
        vm.fuel--;
        error = step();
    }
    return vm.pc > assembler.size ? BAD_ADDRESS : error;
}

int main(int argc, char **argv)
{
    u32 n = 0, i, sum = 0;
    int x;
    enum error error;
    vm.fuel = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 100000;
    while ((x = getchar()) >= 0 && n < SOURCE_MAX)
        source[n++] = (char)x;
    for (i = 2; i < (u32)argc && vm.top < STACK_MAX; i++)
        vm.stack[vm.top++] = (u32)strtoul(argv[i], 0, 10);
    error = assemble();
    if (error) {
        printf("line %u: error %d\n", assembler.line, (int)error);
        return 2;
    }
    for (i = 0; i < assembler.size; i++)
        sum = sum * 31 + assembler.code[i].op * 7 + assembler.code[i].operand;
    printf("%u instructions, %u labels, sum %08x\n", assembler.size, assembler.label_count, sum);
    error = run();
    printf("\nerror %d at %u, fuel left %u, deepest %u, output sum %08x\nstack", (int)error, vm.pc, vm.fuel, vm.deepest,
           vm.output_sum);
    for (i = 0; i < vm.top && i < 8; i++)
        printf(" %d", (int)vm.stack[i]);
    for (i = 0, sum = 0; i < MEMORY; i++)
        sum = sum * 31 + vm.memory[i];
    printf("\nmemory %08x\n", sum);
    for (i = 0; i < OPS; i++)
        if (vm.executed[i])
            printf("%s %u\n", instructions[i].name, vm.executed[i]);
    return error != FINE;
}
