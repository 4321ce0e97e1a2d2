/* SPDX-License-Identifier: MIT
 * paths: shortest paths (Dijkstra with a heap, Bellman-Ford, Floyd-Warshall, A* on a grid), spanning trees and
 * strongly connected components of random graphs; algorithms that answer the same question must agree.
 *
 * usage: paths VERTICES EDGES SEED [GRID]
 */
typedef unsigned int u32;

int printf(const char *, ...);
void *malloc(unsigned long);
void free(void *);
unsigned long strtoul(const char *, char **, int);

enum { UNREACHED = 1000000000, VERTICES_MAX = 4096, DENSE_MAX = 160, GRID_MAX = 128 };

struct edge {
    u32 from, to, weight;
};

struct graph {
    u32 vertices, edges;
    struct edge *edge;
    u32 *first;
    u32 *out;
};

struct heap {
    u32 vertex[VERTICES_MAX * 4];
    u32 key[VERTICES_MAX * 4];
    int place[VERTICES_MAX * 4];
    u32 size, pushes;
};

static u32 random_state;
static struct heap heap;
static u32 distance[GRID_MAX * GRID_MAX], other[VERTICES_MAX];

static u32 next_random(void)
{
    u32 x = random_state += 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x21f0aaadu;
    x = (x ^ x >> 15) * 0x735a2d97u;
    return x ^ x >> 15;
}

static int make_graph(struct graph *g, u32 vertices, u32 edges)
{
    u32 i;
    g->vertices = vertices;
    g->edges = edges;
    g->edge = malloc(edges * sizeof *g->edge);
    g->first = malloc((vertices + 1) * sizeof *g->first);
    g->out = malloc(edges * sizeof *g->out);
    if (!g->edge || !g->first || !g->out)
        return 0;
    for (i = 0; i < edges; i++) {
        g->edge[i].from = next_random() % vertices;
        g->edge[i].to = i % 3 ? next_random() % vertices : (g->edge[i].from + 1 + next_random() % 5) % vertices;
        g->edge[i].weight = 1 + next_random() % 1000;
    }
    for (i = 0; i <= vertices; i++)
        g->first[i] = 0;
    for (i = 0; i < edges; i++)
        g->first[g->edge[i].from]++;
    for (i = 1; i <= vertices; i++)
        g->first[i] += g->first[i - 1];
    for (i = 0; i < edges; i++)
        g->out[--g->first[g->edge[i].from]] = i;
    return 1;
}

static void heap_swap(u32 a, u32 b)
{
    u32 vertex = heap.vertex[a], key = heap.key[a];
    heap.vertex[a] = heap.vertex[b];
    heap.key[a] = heap.key[b];
    heap.vertex[b] = vertex;
    heap.key[b] = key;
    heap.place[heap.vertex[a]] = (int)a;
    heap.place[heap.vertex[b]] = (int)b;
}

static void heap_clear(u32 n)
{
    u32 i;
    for (i = 0; i < n; i++)
        heap.place[i] = -1;
    heap.size = heap.pushes = 0;
}

static void heap_lower(u32 vertex, u32 key)
{
    u32 at;
    if (heap.place[vertex] < 0) {
        heap.place[vertex] = (int)heap.size;
        heap.vertex[heap.size++] = vertex;
    }
    heap.pushes++;
    at = (u32)heap.place[vertex];
    heap.key[at] = key;
    while (at && heap.key[(at - 1) / 2] > heap.key[at]) {
        heap_swap(at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
}

static u32 heap_take(void)
{
    u32 vertex = heap.vertex[0], at = 0;
    heap_swap(0, heap.size - 1);
    heap.size--;
    heap.place[vertex] = -2;
    for (;;) {
        u32 child = 2 * at + 1;
        if (child >= heap.size)
            return vertex;
        if (child + 1 < heap.size && heap.key[child + 1] < heap.key[child])
            child++;
        if (heap.key[at] <= heap.key[child])
            return vertex;
        heap_swap(at, child);
        at = child;
    }
}

static void dijkstra(const struct graph *g, u32 source)
{
    u32 i;
    for (i = 0; i < g->vertices; i++)
        distance[i] = UNREACHED;
    heap_clear(g->vertices);
    distance[source] = 0;
    heap_lower(source, 0);
    while (heap.size) {
        u32 vertex = heap_take();
        for (i = g->first[vertex]; i < g->first[vertex + 1]; i++) {
            const struct edge *e = &g->edge[g->out[i]];
            if (distance[vertex] + e->weight < distance[e->to]) {
                distance[e->to] = distance[vertex] + e->weight;
                heap_lower(e->to, distance[e->to]);
            }
        }
    }
}

static u32 bellman_ford(const struct graph *g, u32 source)
{
    u32 i, rounds = 0, changed = 1;
    for (i = 0; i < g->vertices; i++)
        other[i] = i == source ? 0 : UNREACHED;
    while (changed) {
        changed = 0;
        for (i = 0; i < g->edges; i++) {
            const struct edge *e = &g->edge[i];
            if (other[e->from] != UNREACHED && other[e->from] + e->weight < other[e->to]) {
                other[e->to] = other[e->from] + e->weight;
                changed++;
            }
        }
        rounds++;
    }
    return rounds;
}

static u32 floyd_warshall(const struct graph *g, u32 n)
{
    static u32 d[DENSE_MAX][DENSE_MAX];
    u32 i, j, k, sum = 0, widest = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            d[i][j] = i == j ? 0 : UNREACHED;
    for (i = 0; i < g->edges; i++) {
        const struct edge *e = &g->edge[i];
        if (e->from < n && e->to < n && e->weight < d[e->from][e->to])
            d[e->from][e->to] = e->weight;
    }
    for (k = 0; k < n; k++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n && d[i][k] != UNREACHED; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            sum = sum * 31 + d[i][j];
            if (d[i][j] != UNREACHED && d[i][j] > widest)
                widest = d[i][j];
        }
    printf("dense %u: widest %u sum %08x\n", n, widest, sum);
    return sum;
}

static u32 find_root(u32 *parent, u32 x)
{
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

static void sort_by_weight(u32 *order, u32 *spare, const struct graph *g)
{
    u32 counts[1002] = {0}, i;
    for (i = 0; i < g->edges; i++)
        counts[g->edge[i].weight + 1]++;
    for (i = 1; i < 1002; i++)
        counts[i] += counts[i - 1];
    for (i = 0; i < g->edges; i++)
        spare[counts[g->edge[i].weight]++] = i;
    for (i = 0; i < g->edges; i++)
        order[i] = spare[i];
}

static int spanning_tree(const struct graph *g)
{
    u32 *parent = malloc(g->vertices * sizeof *parent), *order = malloc(g->edges * sizeof *order);
    u32 *spare = malloc(g->edges * sizeof *spare), i, total = 0, used = 0, heaviest = 0;
    if (!parent || !order || !spare)
        return 0;
    for (i = 0; i < g->vertices; i++)
        parent[i] = i;
    sort_by_weight(order, spare, g);
    for (i = 0; i < g->edges; i++) {
        const struct edge *e = &g->edge[order[i]];
        u32 a = find_root(parent, e->from), b = find_root(parent, e->to);
        if (a == b)
            continue;
        parent[a] = b;
        total += e->weight;
        heaviest = e->weight;
        used++;
    }
    printf("spanning forest: %u edges, weight %u, heaviest %u\n", used, total, heaviest);
    free(spare);
    free(order);
    free(parent);
    return 1;
}

static struct {
    u32 index[VERTICES_MAX], low[VERTICES_MAX], stack[VERTICES_MAX], on_stack[VERTICES_MAX];
    u32 next, top, components, largest, deepest, hash;
} tarjan;

static void connect(const struct graph *g, u32 v, u32 depth)
{
    u32 i, size = 0, w;
    tarjan.index[v] = tarjan.low[v] = ++tarjan.next;
    tarjan.stack[tarjan.top++] = v;
    tarjan.on_stack[v] = 1;
    if (depth > tarjan.deepest)
        tarjan.deepest = depth;
    for (i = g->first[v]; i < g->first[v + 1]; i++) {
        w = g->edge[g->out[i]].to;
        if (!tarjan.index[w]) {
            connect(g, w, depth + 1);
            tarjan.low[v] = tarjan.low[w] < tarjan.low[v] ? tarjan.low[w] : tarjan.low[v];
        } else if (tarjan.on_stack[w] && tarjan.index[w] < tarjan.low[v]) {
            tarjan.low[v] = tarjan.index[w];
        }
    }
    if (tarjan.low[v] != tarjan.index[v])
        return;
    do {
        w = tarjan.stack[--tarjan.top];
        tarjan.on_stack[w] = 0;
        tarjan.hash = tarjan.hash * 33 + w + tarjan.components;
        size++;
    } while (w != v);
    tarjan.components++;
    tarjan.largest = size > tarjan.largest ? size : tarjan.largest;
}

static u32 away(u32 a, u32 b)
{
    return a > b ? a - b : b - a;
}

static u32 grid_cost(u32 x, u32 y)
{
    u32 h = (x * 73856093u ^ y * 19349663u) * 2654435761u >> 24;
    switch (h & 7) {
    case 0: case 1:
        return 0;
    case 2:
        return 5;
    case 3:
        return 3;
    default:
        return 1;
    }
}

/* A* from the top left to the bottom right; with `guided` 0 it is Dijkstra's search. */
static u32 grid_path(u32 n, u32 guided)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    u32 i, expanded = 0, goal = n * n - 1;
    heap_clear(n * n);
    for (i = 0; i < n * n; i++)
        distance[i] = UNREACHED;
    distance[0] = 0;
    heap_lower(0, 0);
    while (heap.size && heap.place[goal] != -2) {
        u32 at = heap_take(), x = at % n, y = at / n;
        expanded++;
        for (i = 0; i < 4; i++) {
            u32 nx = x + (u32)steps[i][0], ny = y + (u32)steps[i][1], to = ny * n + nx, cost;
            if (nx >= n || ny >= n)
                continue;
            cost = to == goal ? 1 : grid_cost(nx, ny);
            if (cost == 0 || distance[at] + cost >= distance[to])
                continue;
            distance[to] = distance[at] + cost;
            heap_lower(to, distance[to] + guided * (away(nx, n - 1) + away(ny, n - 1)));
        }
    }
    printf("grid %u guided %u: cost %u expanded %u pushes %u\n", n, guided, distance[goal], expanded, heap.pushes);
    return distance[goal];
}

static u32 compare_searches(const struct graph *g, u32 source)
{
    u32 i, reached = 0, farthest = 0, sum = 0, wrong = 0, rounds;
    dijkstra(g, source);
    rounds = bellman_ford(g, source);
    for (i = 0; i < g->vertices; i++) {
        wrong += distance[i] != other[i];
        sum = sum * 31 + distance[i];
        if (distance[i] == UNREACHED)
            continue;
        reached++;
        farthest = distance[i] > farthest ? distance[i] : farthest;
    }
    printf("from %u: reached %u farthest %u sum %08x rounds %u pushes %u wrong %u\n", source, reached, farthest, sum,
           rounds, heap.pushes, wrong);
    return wrong;
}

int main(int argc, char **argv)
{
    u32 vertices = argc > 1 ? (u32)strtoul(argv[1], 0, 10) : 100, edges = argc > 2 ? (u32)strtoul(argv[2], 0, 10) : 400;
    u32 grid = argc > 4 ? (u32)strtoul(argv[4], 0, 10) : 32, i, wrong = 0;
    struct graph g;
    random_state = argc > 3 ? (u32)strtoul(argv[3], 0, 10) : 1;
    if (vertices < 8 || vertices > VERTICES_MAX || edges == 0 || edges > 1u << 20 || grid < 2 || grid > GRID_MAX)
        return 2;
    if (!make_graph(&g, vertices, edges))
        return 3;
    for (i = 0; i < 6; i++)
        wrong += compare_searches(&g, i * (vertices / 8));
    floyd_warshall(&g, vertices < DENSE_MAX ? vertices : DENSE_MAX);
    if (!spanning_tree(&g))
        return 3;
    for (i = 0; i < vertices; i++)
        if (!tarjan.index[i])
            connect(&g, i, 1);
    printf("components %u largest %u deepest %u order %08x\n", tarjan.components, tarjan.largest, tarjan.deepest,
           tarjan.hash);
    wrong += grid_path(grid, 0) != grid_path(grid, 1);
    free(g.out);
    free(g.first);
    free(g.edge);
    printf("wrong %u\n", wrong);
    return wrong != 0;
}
