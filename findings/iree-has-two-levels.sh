#!/usr/bin/env bash
# IREE's four levels are two, and without an option it takes the lower.
#
# Version: iree-base-compiler 3.13.0, for CPUs.
# Guess:   --iree-opt-level=O0 optimises nothing, each level up to O3 does more, and without the option iree-compile optimises.
# Seen:    O1 is O0, O3 is O2, and no option is O0, byte for byte. O0 vectorises, and makes three kernels of a layer as O2 does,
#          but its file is a third larger. So what is measured without an option is IREE's lowest level, and a search over the
#          levels has two points.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet iree-base-compiler==3.13.0 numpy==2.4.6
cd "$here"

cat > layer.mlir <<'MLIR'
#cells = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#rows = affine_map<(i, j) -> (i)>
func.func @layer(%x: tensor<64x32xf32>, %weight: tensor<48x32xf32>) -> tensor<64xf32> {
  %two = arith.constant dense<2.0> : tensor<48x32xf32>
  %zero = arith.constant 0.0 : f32
  %weights = tensor.empty() : tensor<48x32xf32>
  %doubled = linalg.generic {indexing_maps = [#cells, #cells, #cells], iterator_types = ["parallel", "parallel"]}
      ins(%two, %weight : tensor<48x32xf32>, tensor<48x32xf32>) outs(%weights : tensor<48x32xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %d = arith.mulf %a, %b : f32
      linalg.yield %d : f32
  } -> tensor<48x32xf32>
  %columns = tensor.empty() : tensor<32x48xf32>
  %transposed = linalg.generic {indexing_maps = [#turned, #cells], iterator_types = ["parallel", "parallel"]}
      ins(%doubled : tensor<48x32xf32>) outs(%columns : tensor<32x48xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
  } -> tensor<32x48xf32>
  %cells = tensor.empty() : tensor<64x48xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%cells : tensor<64x48xf32>) -> tensor<64x48xf32>
  %product = linalg.matmul ins(%x, %transposed : tensor<64x32xf32>, tensor<32x48xf32>)
      outs(%zeros : tensor<64x48xf32>) -> tensor<64x48xf32>
  %active = linalg.generic {indexing_maps = [#cells, #cells], iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<64x48xf32>) outs(%cells : tensor<64x48xf32>) {
    ^bb0(%a: f32, %b: f32):
      %d = math.tanh %a : f32
      linalg.yield %d : f32
  } -> tensor<64x48xf32>
  %empty = tensor.empty() : tensor<64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<64xf32>) -> tensor<64xf32>
  %sums = linalg.generic {indexing_maps = [#cells, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%active : tensor<64x48xf32>) outs(%none : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %d = arith.addf %a, %b : f32
      linalg.yield %d : f32
  } -> tensor<64xf32>
  return %sums : tensor<64xf32>
}
MLIR
declare -A made bytes kernels
for level in default O0 O1 O2 O3; do
  option=()
  [ "$level" = default ] || option=("--iree-opt-level=$level")
  rm -rf code
  venv/bin/iree-compile --iree-hal-target-device=local --iree-hal-local-target-device-backends=llvm-cpu \
    --iree-llvmcpu-target-cpu=generic --iree-hal-dump-executable-intermediates-to=code "${option[@]}" layer.mlir -o layer
  made[$level]=$(md5sum < layer | cut -c 1-8)
  bytes[$level]=$(stat -c %s layer)
  kernels[$level]=$(grep -cE '^layer_dispatch[^:]*:' code/*.s)
  echo "$level: ${bytes[$level]} bytes, ${made[$level]}, ${kernels[$level]} kernels, $(grep -c mulps code/*.s) products of vectors"
  [ "$(grep -c mulps code/*.s)" -gt 10 ]
done
[ "${made[default]}" = "${made[O0]}" ]
[ "${made[O1]}" = "${made[O0]}" ]
[ "${made[O3]}" = "${made[O2]}" ]
[ "${kernels[*]}" = '3 3 3 3 3' ]
[ $((bytes[O0] * 4)) -gt $((bytes[O2] * 5)) ]
