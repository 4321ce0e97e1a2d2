#!/usr/bin/env bash
# The larger the cache, the smaller are the tiles that MLIR chooses for it.
#
# Version: mlir-opt 22.1.8 (Debian 12).
# Guess:   --affine-loop-tile=cache-size=N chooses tiles that fit into N KiB: a larger cache gets larger tiles, and a nest
#          whose data fits as a whole stays as it is.
# Seen:    a product of matrices of 4 MiB gets tiles of 8 for a cache of 4 KiB, of 2 for 1 MiB, and of 1 for 16 MiB, which
#          holds all three: six loops, the three inner ones of one round each. A search over cache-size goes the wrong way.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 mlir-22-tools=1:22.1.8-1~deb12u1 libmlir-22=1:22.1.8-1~deb12u1 \
  libllvm22=1:22.1.8-1~deb12u1 libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu:$here/usr/lib/llvm-22/lib

cat > product.mlir <<'MLIR'
func.func @product(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  affine.for %i = 0 to 1024 {
    affine.for %j = 0 to 1024 {
      affine.for %k = 0 to 1024 {
        %x = affine.load %a[%i, %k] : memref<1024x1024xf32>
        %y = affine.load %b[%k, %j] : memref<1024x1024xf32>
        %z = affine.load %c[%i, %j] : memref<1024x1024xf32>
        %xy = arith.mulf %x, %y : f32
        %sum = arith.addf %z, %xy : f32
        affine.store %sum, %c[%i, %j] : memref<1024x1024xf32>
      }
    }
  }
  return
}
MLIR
seen=
for kib in 4 64 1024 16384; do
  mlir-opt "--affine-loop-tile=cache-size=$kib" product.mlir > tiled.mlir
  tiles=$(awk '/affine.for .* = 0 to/ { print /step/ ? $(NF - 1) : 1 }' tiled.mlir | paste -sd x)
  loops=$(grep -c affine.for tiled.mlir)
  echo "cache of $kib KiB: $loops loops, tiles of $tiles"
  seen="$seen $loops:$tiles"
done
[ "$seen" = ' 6:8x8x8 6:4x4x4 6:2x2x2 6:1x1x1' ]
