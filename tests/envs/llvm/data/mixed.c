// A program with a bit of everything, so that most passes and features have something to do.
typedef unsigned long size_t;
typedef unsigned __int128 wide;
typedef int vector __attribute__((vector_size(16)));
int printf(const char *, ...);
int atoi(const char *);
void exit(int);
void *memcpy(void *, const void *, size_t);
double sqrt(double);

struct node { int key; struct node *left, *right; };
static struct node pool[64];
static int used;
static const int weights[8] = {3, 1, 4, 1, 5, 9, 2, 6};

static struct node *insert(struct node *root, int key) {
  if (!root) {
    struct node *fresh = &pool[used++ & 63];
    fresh->key = key;
    fresh->left = fresh->right = 0;
    return fresh;
  }
  if (key < root->key) root->left = insert(root->left, key);
  else if (key > root->key) root->right = insert(root->right, key);
  return root;
}

static int depth(const struct node *root) {
  if (!root) return 0;
  int left = depth(root->left), right = depth(root->right);
  return 1 + (left > right ? left : right);
}

static int classify(int c) {
  switch (c % 9) {
    case 0: return 3;
    case 1: case 2: return 19;
    case 3: return -4;
    case 5: case 6: case 7: return 100 + c;
    default: return c ^ 1;
  }
}

static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int (*const operations[])(int) = {twice, thrice, classify};

static long collatz(long n) {
  long steps = 0;
  while (n != 1 && steps < 1000) {
    n = (n & 1) ? 3 * n + 1 : n >> 1;
    steps++;
  }
  return steps;
}

static double norm(const float *values, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (double)values[i] * values[i];
  return sqrt(sum);
}

static int dot(const int *a, const int *b, int n) {
  vector total = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    vector left, right;
    memcpy(&left, a + i, sizeof left);
    memcpy(&right, b + i, sizeof right);
    total += left * right;
  }
  int sum = total[0] + total[1] + total[2] + total[3];
  for (; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static unsigned long reduce(unsigned long x, unsigned long m) {
  wide product = (wide)x * x + 1;
  return (unsigned long)(product % m);
}

static int checked(int value, int limit) {
  if (value < 0 || value >= limit || !weights[value & 7]) exit(3);
  return weights[value & 7];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 24;
  int grid[16][16];
  float samples[16];
  struct node *root = 0;
  long total = 0;
  for (int i = 0; i < 16; i++) {
    samples[i] = (float)i * 0.5f;
    for (int j = 0; j < 16; j++) grid[i][j] = (i * n + j) % 17;
  }
  for (int i = 0; i < n; i++) {
    root = insert(root, (i * 37) % 101);
    total += operations[i % 3](i) + checked(i, 1000);
  }
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < i; j++)
      if (grid[i][j] > grid[j][i]) total += collatz(grid[i][j] + 1);
      else total ^= grid[j][i];
  printf("%ld %d %d %lu\n", total, depth(root), dot(grid[1], grid[2], 15), reduce(total | 1, 1000003));
  printf("%.3f\n", norm(samples, 16));
  return n & 3;
}
