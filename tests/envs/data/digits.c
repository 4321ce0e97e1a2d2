int putchar(int);
int getchar(void);

static int checksum(int value) {
    switch (value & 7) {
    case 0: return 3;
    case 1: return 41;
    case 2: return 5;
    case 3: return 92;
    case 4: return 65;
    default: return 35;
    }
}

static int collatz(int n) {
    int steps = 0;
    while (n != 1 && steps < 1000) {
        if (n % 2 == 0) { n = n / 2; } else { n = 3 * n + 1; }
        steps = steps + 1;
    }
    return steps;
}

static void print(int n) {
    if (n >= 10) { print(n / 10); }
    putchar('0' + n % 10);
}

static int parse(const char *text) {
    int n = 0;
    while (*text >= '0' && *text <= '9') { n = n * 10 + (*text - '0'); text = text + 1; }
    return n;
}

int main(int argc, char **argv) {
    int limit = argc > 1 ? parse(argv[1]) : 10;
    int sum = 0;
    int i;
    int c;
    for (i = 1; i <= limit; i = i + 1) { sum = sum + collatz(i) * checksum(i); }
    while ((c = getchar()) != -1) { sum = (sum * 31 + c) % 1000003; }
    print(sum);
    putchar('\n');
    return sum % 3;
}
