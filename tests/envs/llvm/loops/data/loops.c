// Loops and calls of each kind that decisions are made on; what it prints shows all of their results.
int printf(const char *, ...);

static int numbers[64], results[64], grid[64][64];
static float parts[64];

int sum(const int *from, int count) {
  int total = 0;
  for (int i = 0; i < count; i++) total += from[i];
  return total;
}

void scale(int *restrict to, const int *restrict from, int count) {
  for (int i = 0; i < count; i++) to[i] = from[i] * 3 + 1;
}

int nest(int count) {
  int total = 0;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) total += grid[i][j] * i;
  return total;
}

int length(const char *text) {
  int count = 0;
  while (*text++) count++;
  return count;
}

int constant(const int *from) {
  int total = 0;
  for (int i = 0; i < 64; i++) total ^= from[i] * i;
  return total;
}

float add_floats(const float *from, int count) {
  float total = 0;
  for (int i = 0; i < count; i++) total += from[i];
  return total;
}

static int tiny(int x) { return x * 7 + 1; }

static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

int main(void) {
  for (int i = 0; i < 64; i++) {
    numbers[i] = tiny(i);
    parts[i] = 1.0f / (float)(i + 3);
  }
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++) grid[i][j] = i ^ j;
  scale(results, numbers, 61);
  printf("%d %d %d\n", sum(numbers, 59), sum(results, 64), nest(63));
  printf("%d %d %d %d\n", length("hello world"), constant(results), tiny(5), factorial(9));
  printf("%.9g\n", (double)add_floats(parts, 63));
  return 0;
}
