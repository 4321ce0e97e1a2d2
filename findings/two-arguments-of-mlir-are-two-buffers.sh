#!/usr/bin/env bash
# MLIR's affine passes take two arguments for two buffers, and compute something else if both are the same.
#
# Version: mlir-opt and mlir-runner 22.1.8 (Debian 12).
# Guess:   two arguments of the same type may be one buffer, since nothing says otherwise, as two pointers without noalias are to
#          LLVM, and as --affine-scalrep, of the same dialect, sees to.
# Seen:    with one buffer given twice, --affine-loop-fusion returns 3 instead of 4, and --affine-super-vectorize
#          and --affine-data-copy-generate 1 instead of 8. So a search over these passes finds speed-ups that are wrong for
#          programs that work in place, and the checker of a result has to call them so.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 mlir-22-tools=1:22.1.8-1~deb12u1 libmlir-22=1:22.1.8-1~deb12u1 \
  libllvm22=1:22.1.8-1~deb12u1 libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu:$here/usr/lib/llvm-22/lib

cat > sums.mlir <<'MLIR'
func.func private @sums(%a: memref<8xi32>, %b: memref<8xi32>, %sums: memref<8xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = arith.addi %x, %one : i32
    affine.store %y, %b[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %b[%i] : memref<8xi32>
    %y = affine.load %a[7 - %i] : memref<8xi32>
    %sum = arith.addi %x, %y : i32
    affine.store %sum, %sums[%i] : memref<8xi32>
  }
  return
}
func.func @main() -> i32 {
  %one = arith.constant 1 : i32
  %ones = memref.alloca() : memref<8xi32>
  %sums = memref.alloca() : memref<8xi32>
  affine.for %i = 0 to 8 { affine.store %one, %ones[%i] : memref<8xi32> }
  func.call @sums(%ones, %ones, %sums) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  %first = affine.load %sums[0] : memref<8xi32>
  return %first : i32
}
MLIR
cat > steps.mlir <<'MLIR'
func.func private @steps(%a: memref<9xi32>, %b: memref<9xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<9xi32>
    %y = arith.addi %x, %one : i32
    affine.store %y, %b[%i + 1] : memref<9xi32>
  }
  return
}
func.func @main() -> i32 {
  %none = arith.constant 0 : i32
  %cells = memref.alloca() : memref<9xi32>
  affine.for %i = 0 to 9 { affine.store %none, %cells[%i] : memref<9xi32> }
  func.call @steps(%cells, %cells) : (memref<9xi32>, memref<9xi32>) -> ()
  %last = affine.load %cells[8] : memref<9xi32>
  return %last : i32
}
MLIR
seen=
while read -r program pass; do
  mlir-opt --pass-pipeline="builtin.module(func.func($pass))" $program.mlir | mlir-opt --convert-vector-to-scf \
    --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm \
    --convert-func-to-llvm --convert-cf-to-llvm --convert-ub-to-llvm --reconcile-unrealized-casts > lowered.mlir
  result=$(mlir-runner -e main --entry-point-result=i32 lowered.mlir)
  echo "$program after $pass: $result"
  seen="$seen $result"
done <<'PASSES'
sums canonicalize
sums affine-scalrep
sums affine-loop-fusion
steps canonicalize
steps affine-scalrep
steps affine-super-vectorize{virtual-vector-size=4}
steps affine-data-copy-generate{generate-dma=false fast-mem-space=0}
PASSES
[ "$seen" = ' 4 4 3 8 8 1 1' ]
