/* SPDX-License-Identifier: MIT
 * json: parses JSON from standard input into a tree, prints it minified with sorted keys, answers path
 * queries, and reports what is wrong with a broken document.
 *
 * usage: json ROUNDS [PATH...] < document     a path is like .servers[2].name
 */
typedef unsigned int u32;
typedef unsigned char u8;

int printf(const char *, ...);
int getchar(void);
int memcmp(const void *, const void *, unsigned long);
unsigned long strlen(const char *);
unsigned long strtoul(const char *, char **, int);

enum { INPUT_MAX = 32768, NODES_MAX = 4096, TEXT_MAX = 32768, DEPTH_MAX = 32, PRINTED_MAX = 1500 };

enum kind { NOTHING, NULL_VALUE, FALSE_VALUE, TRUE_VALUE, NUMBER, STRING, ARRAY, OBJECT, KINDS };

static const char *const kind_names[KINDS] = {"nothing", "null", "false", "true", "number", "string", "array", "object"};

enum error { FINE, EARLY_END, STRAY, BAD_LITERAL, BAD_NUMBER, BAD_STRING, BAD_ESCAPE, NO_COLON, NO_COMMA, TOO_DEEP, TOO_BIG,
             DOUBLE_KEY, TRAILING, ERRORS };

static const char *const error_names[ERRORS] = {"fine", "early end", "stray character", "bad literal", "bad number",
    "bad string", "bad escape", "colon expected", "comma or end expected", "too deep", "too big", "double key",
    "text after the document"};

struct node {
    enum kind kind;
    u32 text, length;     /* of a string, or of a number as written */
    u32 key, key_length;  /* when it is a member of an object */
    u32 child, next, size;
};

static struct {
    char input[INPUT_MAX + 1];
    u32 at, end;
    struct node nodes[NODES_MAX];
    u32 node_count;
    u8 text[TEXT_MAX];
    u32 text_size;
    u32 depth, deepest;
    enum error error;
} p;

static struct {
    u32 count, hash;
} printed;

static u32 parse_value(void);

static u32 fail(enum error error)
{
    if (p.error == FINE)
        p.error = error;
    return 0;
}

static void skip_space(void)
{
    while (p.input[p.at] == ' ' || p.input[p.at] == '\n' || p.input[p.at] == '\t' || p.input[p.at] == '\r')
        p.at++;
}

static u32 new_node(enum kind kind)
{
    struct node empty = {NOTHING, 0, 0, 0, 0, 0, 0, 0};
    if (p.node_count == NODES_MAX)
        return fail(TOO_BIG);
    p.nodes[p.node_count] = empty;
    p.nodes[p.node_count].kind = kind;
    return p.node_count++;
}

static void add_byte(u32 byte)
{
    if (p.text_size == TEXT_MAX)
        fail(TOO_BIG);
    else
        p.text[p.text_size++] = (u8)byte;
}

static void add_code_point(u32 x)
{
    if (x < 0x80) {
        add_byte(x);
        return;
    }
    if (x < 0x800) {
        add_byte(0xc0 | x >> 6);
    } else {
        add_byte(0xe0 | x >> 12);
        add_byte(0x80 | (x >> 6 & 63));
    }
    add_byte(0x80 | (x & 63));
}

static u32 parse_hex(void)
{
    u32 value = 0, i;
    for (i = 0; i < 4; i++) {
        char x = p.input[p.at];
        if (x >= '0' && x <= '9')
            value = value * 16 + (u32)(x - '0');
        else if ((x | 32) >= 'a' && (x | 32) <= 'f')
            value = value * 16 + (u32)((x | 32) - 'a' + 10);
        else
            return fail(BAD_ESCAPE);
        p.at++;
    }
    return value;
}

static void parse_escape(void)
{
    char x = p.input[p.at++];
    switch (x) {
    case '"': case '\\': case '/': add_byte((u8)x); break;
    case 'b': add_byte('\b'); break;
    case 'f': add_byte('\f'); break;
    case 'n': add_byte('\n'); break;
    case 'r': add_byte('\r'); break;
    case 't': add_byte('\t'); break;
    case 'u': add_code_point(parse_hex()); break;
    default: fail(BAD_ESCAPE);
    }
}

static u32 parse_text(u32 *length)
{
    u32 start = p.text_size;
    p.at++;
    while (p.input[p.at] != '"' && !p.error) {
        u8 x = (u8)p.input[p.at];
        if (x < 32) {
            fail(p.at == p.end ? EARLY_END : BAD_STRING);
        } else {
            p.at++;
            if (x == '\\')
                parse_escape();
            else
                add_byte(x);
        }
    }
    p.at++;
    *length = p.text_size - start;
    return start;
}

static u32 digits(void)
{
    u32 count = 0;
    while (p.input[p.at] >= '0' && p.input[p.at] <= '9') {
        p.at++;
        count++;
    }
    return count;
}

static u32 parse_number(void)
{
    u32 node = new_node(NUMBER), start = p.at, i, whole;
    p.at += p.input[p.at] == '-';
    i = p.at;
    whole = digits();
    if (whole == 0 || (whole > 1 && p.input[i] == '0'))
        return fail(BAD_NUMBER);
    if (p.input[p.at] == '.') {
        p.at++;
        if (!digits())
            return fail(BAD_NUMBER);
    }
    if ((p.input[p.at] | 32) == 'e') {
        p.at++;
        p.at += p.input[p.at] == '+' || p.input[p.at] == '-';
        if (!digits())
            return fail(BAD_NUMBER);
    }
    p.nodes[node].text = p.text_size;
    p.nodes[node].length = p.at - start;
    for (i = start; i < p.at; i++)
        add_byte((u8)p.input[i]);
    return node;
}

static u32 parse_literal(const char *word, enum kind kind)
{
    u32 length = (u32)strlen(word);
    if (p.end - p.at < length || memcmp(p.input + p.at, word, length) != 0)
        return fail(BAD_LITERAL);
    p.at += length;
    return new_node(kind);
}

static int compare_keys(const struct node *a, const struct node *b)
{
    u32 shorter = a->key_length < b->key_length ? a->key_length : b->key_length;
    int order = memcmp(p.text + a->key, p.text + b->key, shorter);
    return order ? order : a->key_length < b->key_length ? -1 : a->key_length > b->key_length;
}

/* Members of objects are kept sorted by key, items of arrays in their order. */
static void add_child(u32 parent, u32 child, u32 *last)
{
    u32 *link = &p.nodes[parent].child;
    if (p.nodes[parent].kind == ARRAY) {
        link = *last ? &p.nodes[*last].next : link;
        *last = child;
    } else {
        int order = 1;
        while (*link && (order = compare_keys(&p.nodes[*link], &p.nodes[child])) < 0)
            link = &p.nodes[*link].next;
        if (*link && order == 0)
            fail(DOUBLE_KEY);
    }
    p.nodes[child].next = *link;
    *link = child;
    p.nodes[parent].size++;
}

static u32 parse_container(enum kind kind, char close)
{
    u32 node = new_node(kind), last = 0, key = 0, key_length = 0, child;
    if (++p.depth > DEPTH_MAX)
        return fail(TOO_DEEP);
    p.deepest = p.depth > p.deepest ? p.depth : p.deepest;
    p.at++;
    skip_space();
    if (p.input[p.at] == close) {
        p.at++;
        p.depth--;
        return node;
    }
    while (!p.error) {
        skip_space();
        if (kind == OBJECT) {
            if (p.input[p.at] != '"')
                return fail(p.at == p.end ? EARLY_END : BAD_STRING);
            key = parse_text(&key_length);
            skip_space();
            if (p.input[p.at++] != ':')
                return fail(NO_COLON);
        }
        child = parse_value();
        if (p.error)
            return 0;
        p.nodes[child].key = key;
        p.nodes[child].key_length = key_length;
        add_child(node, child, &last);
        skip_space();
        if (p.input[p.at] == close)
            break;
        if (p.input[p.at] != ',')
            return fail(p.at == p.end ? EARLY_END : NO_COMMA);
        p.at++;
    }
    p.at++;
    p.depth--;
    return node;
}

static u32 parse_value(void)
{
    u32 node, length;
    skip_space();
    switch (p.input[p.at]) {
    case 0: return fail(EARLY_END);
    case '{': return parse_container(OBJECT, '}');
    case '[': return parse_container(ARRAY, ']');
    case 't': return parse_literal("true", TRUE_VALUE);
    case 'f': return parse_literal("false", FALSE_VALUE);
    case 'n': return parse_literal("null", NULL_VALUE);
    case '"':
        node = new_node(STRING);
        p.nodes[node].text = parse_text(&length);
        p.nodes[node].length = length;
        return node;
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        return parse_number();
    default: return fail(STRAY);
    }
}

static u32 parse_document(void)
{
    u32 root;
    p.at = p.node_count = p.text_size = p.depth = p.deepest = 0;
    new_node(NOTHING);
    root = parse_value();
    skip_space();
    if (p.at < p.end)
        fail(TRAILING);
    return root;
}

static void put(const char *text, u32 length)
{
    u32 i;
    for (i = 0; i < length; i++) {
        printed.hash = (printed.hash ^ (u8)text[i]) * 16777619u;
        if (printed.count++ < PRINTED_MAX)
            printf("%c", text[i]);
    }
}

static void put_string(u32 text, u32 length)
{
    u32 i;
    put("\"", 1);
    for (i = 0; i < length; i++) {
        char x = (char)p.text[text + i], escape[2] = {'\\', x};
        switch (x) {
        case '\n': escape[1] = 'n'; break;
        case '\t': escape[1] = 't'; break;
        case '"': case '\\': break;
        default: put(&x, 1); continue;
        }
        put(escape, 2);
    }
    put("\"", 1);
}

static void put_value(u32 node)
{
    const struct node *n = &p.nodes[node];
    u32 child;
    switch (n->kind) {
    case NUMBER: put((const char *)p.text + n->text, n->length); break;
    case STRING: put_string(n->text, n->length); break;
    case ARRAY: case OBJECT:
        put(n->kind == ARRAY ? "[" : "{", 1);
        for (child = n->child; child; child = p.nodes[child].next) {
            if (n->kind == OBJECT) {
                put_string(p.nodes[child].key, p.nodes[child].key_length);
                put(":", 1);
            }
            put_value(child);
            if (p.nodes[child].next)
                put(",", 1);
        }
        put(n->kind == ARRAY ? "]" : "}", 1);
        break;
    default: put(kind_names[n->kind], (u32)strlen(kind_names[n->kind]));
    }
}

static u32 query(u32 node, const char *path)
{
    while (*path && node) {
        u32 child = p.nodes[node].child, length = 0;
        if (*path == '[') {
            char *end;
            u32 index = (u32)strtoul(path + 1, &end, 10);
            while (child && index--)
                child = p.nodes[child].next;
            path = *end ? end + 1 : end;
        } else {
            path += *path == '.';
            while (path[length] && path[length] != '.' && path[length] != '[')
                length++;
            while (child && (p.nodes[child].key_length != length || memcmp(p.text + p.nodes[child].key, path, length) != 0))
                child = p.nodes[child].next;
            path += length;
        }
        node = child;
    }
    return node;
}

int main(int argc, char **argv)
{
    u32 rounds = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 1, root = 0, i, counts[KINDS] = {0};
    int x, path;
    while ((x = getchar()) >= 0 && p.end < INPUT_MAX)
        p.input[p.end++] = (char)x;
    for (i = 0; i < rounds && !p.error; i++)
        root = parse_document();
    if (p.error) {
        printf("%s at %u [%.10s]\n", error_names[p.error], p.at, p.at < p.end ? p.input + p.at : "");
        return 1;
    }
    put_value(root);
    for (i = 1; i < p.node_count; i++)
        counts[p.nodes[i].kind]++;
    printf("\n%u bytes, hash %08x, %u nodes, %u deep\n", printed.count, printed.hash, p.node_count - 1, p.deepest);
    for (i = 1; i < KINDS; i++)
        printf("%s %u%s", kind_names[i], counts[i], i + 1 < KINDS ? ", " : "\n");
    for (path = 2; path < argc; path++) {
        u32 node = query(root, argv[path]);
        printf("%s: %s %u ", argv[path], kind_names[p.nodes[node].kind], p.nodes[node].size);
        printed.count = 0;
        put_value(node);
        printf("\n");
    }
    return 0;
}
