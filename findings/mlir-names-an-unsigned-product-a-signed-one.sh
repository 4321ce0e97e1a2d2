#!/usr/bin/env bash
# MLIR turns a product of unsigned numbers into one of signed numbers when it writes linalg.matmul for linalg.generic.
#
# Version: mlir-opt and mlir-runner 22.1.8 (Debian 12).
# Guess:   --linalg-specialize-generic-ops writes linalg.matmul for a linalg.generic only where both compute the same.
# Seen:    it does not look at how the elements are widened: arith.extui of i8 becomes linalg.matmul, which widens by arith.extsi
#          unless it is told otherwise. 255 times 255 is 65,025 before, and 1 after. --linalg-morph-ops=generic-to-named
#          does the same. So a search over such passes for quantised models may win by computing something else.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 mlir-22-tools=1:22.1.8-1~deb12u1 libmlir-22=1:22.1.8-1~deb12u1 \
  libllvm22=1:22.1.8-1~deb12u1 libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu:$here/usr/lib/llvm-22/lib

cat > product.mlir <<'MLIR'
#rows = affine_map<(i, j, k) -> (i, k)>
#columns = affine_map<(i, j, k) -> (k, j)>
#cells = affine_map<(i, j, k) -> (i, j)>
func.func private @product(%a: memref<1x1xi8>, %b: memref<1x1xi8>, %sum: memref<1x1xi32>) {
  linalg.generic {indexing_maps = [#rows, #columns, #cells], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<1x1xi8>, memref<1x1xi8>) outs(%sum : memref<1x1xi32>) {
    ^bb0(%x: i8, %y: i8, %old: i32):
      %wide = arith.extui %x : i8 to i32
      %other = arith.extui %y : i8 to i32
      %term = arith.muli %wide, %other : i32
      %new = arith.addi %old, %term : i32
      linalg.yield %new : i32
  }
  return
}
func.func @main() -> i32 {
  %none = arith.constant 0 : i32
  %largest = arith.constant 255 : i8
  %zero = arith.constant 0 : index
  %a = memref.alloca() : memref<1x1xi8>
  %sum = memref.alloca() : memref<1x1xi32>
  memref.store %largest, %a[%zero, %zero] : memref<1x1xi8>
  memref.store %none, %sum[%zero, %zero] : memref<1x1xi32>
  func.call @product(%a, %a, %sum) : (memref<1x1xi8>, memref<1x1xi8>, memref<1x1xi32>) -> ()
  %result = memref.load %sum[%zero, %zero] : memref<1x1xi32>
  return %result : i32
}
MLIR
seen=
for pass in canonicalize linalg-specialize-generic-ops linalg-morph-ops=generic-to-named; do
  mlir-opt "--$pass" product.mlir > named.mlir
  result=$(mlir-opt --convert-linalg-to-loops --convert-scf-to-cf --convert-arith-to-llvm --finalize-memref-to-llvm \
    --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts named.mlir |
    mlir-runner -e main --entry-point-result=i32)
  echo "after $pass ($(grep -oE 'linalg\.(generic|matmul)' named.mlir)): $result"
  seen="$seen $result"
done
[ "$seen" = ' 65025 1 1' ]
