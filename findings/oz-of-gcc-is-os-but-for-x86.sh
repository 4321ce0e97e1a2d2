#!/usr/bin/env bash
# gcc's -Oz makes the same code as -Os for AArch64 and RISC-V.
#
# Version: gcc 12.2.0 for x86-64, AArch64 and RISC-V (Debian 12).
# Guess:   -Oz is a level of its own for every machine, which saves bytes wherever -Os minds speed.
# Seen:    no line of the assembler text of five functions differs for AArch64 and RISC-V; for x86-64 it does in each of them. A
#          share saved over "-Oz" is one saved over -Os there, and a search that tries both tries one of them twice.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 cpp-12=12.2.0-14+deb12u1 cpp-12-aarch64-linux-gnu=12.2.0-14cross1 \
  cpp-12-riscv64-linux-gnu=12.2.0-13cross1 libisl23 libmpc3 libmpfr6 libgmp10
for package in *.deb; do dpkg-deb --extract "$package" .; done
export LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

cat > clear.c <<'C'
void clear(char *at) { __builtin_memset(at, 0, 48); }
C
cat > sort.c <<'C'
void sort(int *numbers, int number) {
  for (int i = 1; i < number; i++) {
    int moved = numbers[i], j = i - 1;
    for (; j >= 0 && numbers[j] > moved; j--) numbers[j + 1] = numbers[j];
    numbers[j + 1] = moved;
  }
}
C
cat > choose.c <<'C'
int known(int);
int choose(int which) {
  switch (which) {
    case 0: return known(5);
    case 1: return known(19) + 1;
    case 2: return known(2) * 10;
    case 3: return known(77) / 10;
    case 4: return 100;
    case 5: return known(which) % 7;
    default: return -1;
  }
}
C
cat > split.c <<'C'
unsigned split(unsigned number) { return number / 10 * 16 + number % 10; }
C
cat > chain.c <<'C'
struct node { struct node *next; int key, value; };
int send(int, int, int);
int chain(struct node *from, int key) {
  int sent = 0;
  for (; from; from = from->next)
    if (from->key == key) sent += send(1, from->value, 64); else from->value = 1;
  return sent;
}
C
seen=
for machine in gcc/x86_64 gcc-cross/aarch64 gcc-cross/riscv64; do
  differing=0
  for file in *.c; do
    for level in s z; do "usr/lib/$machine-linux-gnu/12/cc1" -quiet "-O$level" "$file" -o "$level.s"; done
    cmp --quiet s.s z.s || differing=$((differing + 1))
  done
  echo "$machine: $differing of 5 functions differ"
  seen="$seen $differing"
done
[ "$seen" = ' 5 0 0' ]
