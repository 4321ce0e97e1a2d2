#!/usr/bin/env bash
# wasm-opt that does nothing, or one pass that changes nothing, undoes a part of wasm-opt -Oz.
#
# Version: binaryen 132.0.0 (npm).
# Guess:   a file that was optimised is read and written as it is, as by opt, so passes can be tried one call at a time.
# Seen:    the last rewriting of a level is done while the file is written, and only by a call that has a level: without
#          passes, and after --vacuum, the 170 bytes of -Oz are 175. Sizes of sequences depend on whether
#          the last call had a level. Only the call without passes gives a warning.
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
      (local.set $s (i32.add (local.get $s) (i32.div_s (i32.mul (local.get $i) (local.get $i)) (i32.const 7))))
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
    (local.set $s
      (i32.add (local.get $s) (i32.mul (call $mix (i32.mul (local.get $s) (i32.const 12345)) (i32.const 5)) (i32.const 8))))
    (i32.store (local.get $a) (i32.const 100000))
    (i32.store offset=4 (local.get $a) (i32.const 100000))
    (local.get $s)))
WAT
optimise() { node node_modules/binaryen/bin/wasm-opt "$@" -o out.wasm 2>/dev/null && stat -c %s out.wasm; }
seen=$(optimise -Oz work.wat)
cp out.wasm oz.wasm
for options in '' --vacuum -Oz; do seen="$seen $(optimise $options oz.wasm)"; done
echo "bytes after -Oz, and after a second call without options, with --vacuum and with -Oz: $seen"
[ "$seen" = '170 175 175 170' ]
