/* SPDX-License-Identifier: MIT
 * sudoku: solves puzzles by dancing links (exact cover) and by bit sets with propagation; both must agree on the
 * number of solutions. Dancing links also count placements of queens.
 *
 * usage: sudoku LIMIT QUEENS < puzzles     a puzzle is a line of 81 characters, digits or . for empty cells
 */
typedef unsigned int u32;

int printf(const char *, ...);
int getchar(void);
unsigned long strtoul(const char *, char **, int);

enum { CELLS = 81, COLUMNS_MAX = 324, NODES_MAX = COLUMNS_MAX + 1 + 729 * 4, DEPTH_MAX = 96 };

struct node {
    u32 left, right, up, down, column, row;
};

static struct {
    struct node node[NODES_MAX];
    u32 size[COLUMNS_MAX + 1];
    u32 count, columns;
    u32 chosen[DEPTH_MAX];
    u32 solutions, limit, covers, guesses;
    u32 first[DEPTH_MAX], first_length;
} links;

static void start(u32 required, u32 columns)
{
    u32 i;
    links.columns = columns;
    links.count = columns + 1;
    for (i = 0; i <= columns; i++) {
        struct node *n = &links.node[i];
        links.size[i] = 0;
        n->up = n->down = n->column = i;
        n->left = n->right = i;
    }
    /* Columns beyond the required ones may stay uncovered: they are not in the header's ring. */
    for (i = 0; i <= required; i++) {
        links.node[i].left = i ? i - 1 : required;
        links.node[i].right = i < required ? i + 1 : 0;
    }
    links.solutions = links.covers = links.guesses = links.first_length = 0;
}

static void add_row(u32 row, const u32 *columns, u32 n)
{
    u32 i, first = links.count;
    for (i = 0; i < n; i++) {
        u32 at = links.count++, column = columns[i] + 1;
        struct node *node = &links.node[at];
        node->row = row;
        node->column = column;
        node->down = column;
        node->up = links.node[column].up;
        links.node[node->up].down = at;
        links.node[column].up = at;
        links.size[column]++;
        node->left = i ? at - 1 : first + n - 1;
        node->right = i + 1 < n ? at + 1 : first;
    }
}

static void cover(u32 column)
{
    struct node *n = links.node;
    u32 i, j;
    links.covers++;
    n[n[column].right].left = n[column].left;
    n[n[column].left].right = n[column].right;
    for (i = n[column].down; i != column; i = n[i].down)
        for (j = n[i].right; j != i; j = n[j].right) {
            n[n[j].down].up = n[j].up;
            n[n[j].up].down = n[j].down;
            links.size[n[j].column]--;
        }
}

static void uncover(u32 column)
{
    struct node *n = links.node;
    u32 i, j;
    for (i = n[column].up; i != column; i = n[i].up)
        for (j = n[i].left; j != i; j = n[j].left) {
            links.size[n[j].column]++;
            n[n[j].down].up = j;
            n[n[j].up].down = j;
        }
    n[n[column].right].left = column;
    n[n[column].left].right = column;
}

static void solve(u32 depth)
{
    struct node *n = links.node;
    u32 column, i, j, best = 0;
    if (n[0].right == 0) {
        if (links.solutions++ == 0)
            for (i = 0; i < depth; i++)
                links.first[links.first_length++] = links.chosen[i];
        return;
    }
    for (column = n[0].right; column; column = n[column].right)
        if (!best || links.size[column] < links.size[best])
            best = column;
    links.guesses += links.size[best] > 1;
    cover(best);
    for (i = n[best].down; i != best && links.solutions < links.limit; i = n[i].down) {
        links.chosen[depth] = n[i].row;
        for (j = n[i].right; j != i; j = n[j].right)
            cover(n[j].column);
        solve(depth + 1);
        for (j = n[i].left; j != i; j = n[j].left)
            uncover(n[j].column);
    }
    uncover(best);
}

static void sudoku_rows(const char *puzzle)
{
    u32 cell, digit;
    start(COLUMNS_MAX, COLUMNS_MAX);
    for (cell = 0; cell < CELLS; cell++)
        for (digit = 0; digit < 9; digit++) {
            u32 row = cell / 9, column = cell % 9, box = row / 3 * 3 + column / 3;
            u32 columns[4] = {cell, 81 + row * 9 + digit, 162 + column * 9 + digit, 243 + box * 9 + digit};
            if (puzzle[cell] == '.' || puzzle[cell] == (char)('1' + digit))
                add_row(cell * 9 + digit, columns, 4);
        }
}

struct board {
    unsigned short options[CELLS];
    u32 open;
};

static struct {
    u32 solutions, limit, guesses, hash;
} bits;

static u32 count_bits(u32 x)
{
    u32 count = 0;
    for (; x; x &= x - 1)
        count++;
    return count;
}

static int related(u32 a, u32 b)
{
    return a / 9 == b / 9 || a % 9 == b % 9 || (a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3);
}

static int assign(struct board *b, u32 cell, u32 bit)
{
    u32 other;
    if (!(b->options[cell] & bit))
        return 0;
    b->options[cell] = (unsigned short)(bit | 0x8000);
    b->open--;
    for (other = 0; other < CELLS; other++) {
        u32 before = b->options[other], after;
        if (other == cell || !related(cell, other) || !(before & bit))
            continue;
        if (before & 0x8000)
            return 0;
        after = before & ~bit;
        if (!after)
            return 0;
        b->options[other] = (unsigned short)after;
        if (count_bits(after) == 1 && !assign(b, other, after))
            return 0;
        if (!(b->options[cell] & bit))
            return 0;
    }
    return 1;
}

static void search(const struct board *from)
{
    u32 cell, best = CELLS, fewest = 10, bit;
    if (!from->open) {
        bits.solutions++;
        for (cell = 0; cell < CELLS; cell++)
            bits.hash = bits.hash * 33 + from->options[cell];
        return;
    }
    for (cell = 0; cell < CELLS; cell++) {
        u32 n = from->options[cell] & 0x8000 ? 10 : count_bits(from->options[cell]);
        if (n < fewest) {
            fewest = n;
            best = cell;
        }
    }
    bits.guesses += fewest > 1;
    for (bit = 1; bit < 512 && bits.solutions < bits.limit; bit <<= 1)
        if (from->options[best] & bit) {
            struct board next = *from;
            if (assign(&next, best, bit))
                search(&next);
        }
}

static void search_puzzle(const char *puzzle)
{
    struct board board;
    u32 cell;
    bits.solutions = bits.guesses = 0;
    board.open = CELLS;
    for (cell = 0; cell < CELLS; cell++)
        board.options[cell] = 511;
    for (cell = 0; cell < CELLS; cell++)
        if (puzzle[cell] != '.' && !(board.options[cell] & 0x8000 && board.options[cell] & 1u << (puzzle[cell] - '1')) &&
            !assign(&board, cell, 1u << (puzzle[cell] - '1')))
            return;
    search(&board);
}

static u32 solve_puzzle(const char *puzzle, u32 limit, u32 number)
{
    char solution[CELLS + 1] = {0};
    u32 i;
    sudoku_rows(puzzle);
    links.limit = bits.limit = limit;
    solve(0);
    search_puzzle(puzzle);
    for (i = 0; i < links.first_length; i++)
        solution[links.first[i] / 9] = (char)('1' + links.first[i] % 9);
    printf("%u: %u solutions, %u covers, %u guesses; by bits %u solutions, %u guesses\n", number, links.solutions,
           links.covers, links.guesses, bits.solutions, bits.guesses);
    for (i = 0; i < CELLS && links.solutions; i++)
        printf("%c%s", solution[i], i % 27 == 26 ? "\n" : i % 9 == 8 ? " " : "");
    return links.solutions != bits.solutions;
}

static void queens(u32 n)
{
    u32 row, column;
    start(2 * n, 6 * n - 2);
    for (row = 0; row < n; row++)
        for (column = 0; column < n; column++) {
            u32 columns[4] = {row, n + column, 2 * n + row + column, 4 * n - 1 + row + n - 1 - column};
            add_row(row * n + column, columns, 4);
        }
    links.limit = 0xffffffffu;
    solve(0);
    printf("%u queens: %u placements, %u covers; first", n, links.solutions, links.covers);
    for (row = 0; row < links.first_length; row++)
        printf(" %u", links.first[row]);
    printf("\n");
}

int main(int argc, char **argv)
{
    char puzzle[CELLS];
    u32 limit = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 2, n = argc > 2 ? (u32)strtoul(argv[2], 0, 10) : 6;
    u32 size = 0, number = 0, wrong = 0;
    int c;
    while ((c = getchar()) >= 0) {
        if (c != '.' && (c < '1' || c > '9'))
            continue;
        puzzle[size++] = (char)c;
        if (size == CELLS) {
            wrong += solve_puzzle(puzzle, limit, ++number);
            size = 0;
        }
    }
    if (n >= 1 && n <= 12)
        queens(n);
    printf("%u puzzles, %u characters left, hash %08x, wrong %u\n", number, size, bits.hash, wrong);
    return wrong != 0;
}
