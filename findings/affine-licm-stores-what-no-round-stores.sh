#!/usr/bin/env bash
# MLIR's affine pass for loop invariants stores what a loop that never runs would have stored.
#
# Version: mlir-opt and mlir-runner 22.1.8 (Debian 12).
# Guess:   a store is moved out of a loop only if the loop runs, as LLVM's licm sees to, and with
#          --loop-invariant-code-motion of MLIR.
# Seen:    --affine-loop-invariant-code-motion moves stores before a loop whose number of rounds is not
#          known. With no round at all the cell has 9 instead of 7. A sequence of passes that has it may be faster, and wrong
#          for empty inputs alone.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 mlir-22-tools=1:22.1.8-1~deb12u1 libmlir-22=1:22.1.8-1~deb12u1 \
  libllvm22=1:22.1.8-1~deb12u1 libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu:$here/usr/lib/llvm-22/lib

cat > fill.mlir <<'MLIR'
func.func private @fill(%cell: memref<1xi32>, %rounds: index) {
  %nine = arith.constant 9 : i32
  affine.for %i = 0 to %rounds {
    affine.store %nine, %cell[0] : memref<1xi32>
  }
  return
}
func.func @main() -> i32 {
  %seven = arith.constant 7 : i32
  %none = arith.constant 0 : index
  %cell = memref.alloca() : memref<1xi32>
  affine.store %seven, %cell[0] : memref<1xi32>
  func.call @fill(%cell, %none) : (memref<1xi32>, index) -> ()
  %left = affine.load %cell[0] : memref<1xi32>
  return %left : i32
}
MLIR
seen=
for pass in --canonicalize --loop-invariant-code-motion --affine-loop-invariant-code-motion; do
  mlir-opt "$pass" fill.mlir | mlir-opt --lower-affine --convert-scf-to-cf --convert-arith-to-llvm \
    --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts > lowered.mlir
  left=$(mlir-runner -e main --entry-point-result=i32 lowered.mlir)
  echo "$pass: after no round the cell has $left"
  seen="$seen $left"
done
[ "$seen" = ' 7 7 9' ]
