#!/usr/bin/env bash
# wasm-opt -O3 -Oz is not -Oz, and -Oz -O0 optimises.
#
# Version: binaryen 132.0.0 (npm).
# Guess:   the last level holds, as in clang and gcc, so -Oz given after a build's own -O3 leaves the smaller file.
# Seen:    each level adds its passes to those of the others. -O3 -Oz leaves what -O3 does, to the byte, and so does
#          -Oz -O3: 149 bytes, where -Oz alone leaves 145. -Oz -O0 optimises too. Nothing says so.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
npm install --silent --no-fund --no-audit binaryen@132.0.0 >/dev/null

cat > work.wat <<'WAT'
(module
  (memory 1)
  (func $sum (param $x i32) (result i32) (local $s i32) (local $i i32)
    (loop $next
      (local.set $s (i32.add (local.get $s) (i32.div_s (local.get $i) (i32.const 7))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_s (local.get $i) (local.get $x))))
    (local.get $s))
  (func $mix (param $x i32) (param $y i32) (result i32)
    (i32.add (i32.mul (local.get $x) (i32.const 3)) (i32.rotl (local.get $y) (local.get $x))))
  (func (export "work") (param $a i32) (param $n i32) (result i32) (local $s i32) (local $t i32)
    (local.set $t (i32.load (local.get $a)))
    (local.set $s (i32.add (call $sum (local.get $t)) (call $sum (local.get $n))))
    (if (i32.gt_s (local.get $s) (i32.const 3))
      (then (local.set $s (call $mix (local.get $s) (local.get $n))))
      (else (local.set $s (call $mix (local.get $t) (local.get $n)))))
    (i32.store (local.get $a) (i32.const 100000))
    (call $mix (local.get $s) (i32.const 5))))
WAT
seen=
for levels in -O0 -O3 -Oz '-O3 -Oz' '-Oz -O3' '-Oz -O0'; do
  node node_modules/binaryen/bin/wasm-opt $levels work.wat -o work.wasm 2>/dev/null
  echo "$levels: $(stat -c %s work.wasm) bytes, $(md5sum < work.wasm | cut -c 1-8)"
  seen="$seen $(md5sum < work.wasm | cut -c 1-8)"
done
read -r o0 o3 oz o3_oz oz_o3 oz_o0 <<<"$seen"
[ "$o3" != "$oz" ] && [ "$o3_oz" = "$o3" ] && [ "$oz_o3" = "$o3" ] && [ "$oz_o0" != "$o0" ]
