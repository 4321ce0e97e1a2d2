#!/usr/bin/env bash
# MLIR's --math-expand-ops makes (-2)^2 and 0^0 no number, and the inverse hyperbolic sine of -10,000 infinite.
#
# Version: mlir-opt and mlir-runner 22.1.8 (Debian 12).
# Guess:   an operation is written out by others that give the same to the last bits, unless fastmath allows more; so the pass may
#          stand in any sequence.
# Seen:    math.powf and math.fpowi with an exponent that is not a constant become exp(y * log x): (-2)^2 is not a number instead
#          of 4, and 0^0 instead of 1. math.asinh becomes log(x + sqrt(x^2 + 1)): of -10,000 it is minus infinity instead of -9.9,
#          and of 1e-6 it is 9.54e-7. No operation has fastmath. So a search over passes may win with other results.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 mlir-22-tools=1:22.1.8-1~deb12u1 libmlir-22=1:22.1.8-1~deb12u1 \
  libllvm22=1:22.1.8-1~deb12u1 libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu:$here/usr/lib/llvm-22/lib
libm=$(/sbin/ldconfig -p | awk '$1 == "libm.so.6" && /x86-64/ && !found { found = $NF } END { print found }')

result() { # of an operation on %x and %y, as text of MLIR, for two numbers, after a pass
  cat > one.mlir <<MLIR
func.func private @work(%x: f32, %y: $3) -> f32 {
  %r = math.$1
  return %r : f32
}
func.func @main() -> f32 {
  %x = arith.constant $2 : f32
  %y = arith.constant $4 : $3
  %r = call @work(%x, %y) : (f32, $3) -> f32
  return %r : f32
}
MLIR
  mlir-opt "$5" one.mlir | mlir-opt --convert-math-to-llvm --convert-math-to-libm --convert-arith-to-llvm \
    --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts > lowered.mlir
  mlir-runner lowered.mlir --entry-point-result=f32 "--shared-libs=$libm"
}
while IFS=';' read -r operation x type y without with; do
  plain=$(result "$operation" "$x" "$type" "$y" --canonicalize)
  expanded=$(result "$operation" "$x" "$type" "$y" --math-expand-ops)
  echo "math.${operation% : *} of x = $x, y = $y: $plain, and $expanded after --math-expand-ops"
  [ "$plain" = "$without" ]
  [ "$expanded" = "$with" ]
done <<'CASES'
powf %x, %y : f32;2.0;f32;3.0;8.000000e+00;8.000000e+00
powf %x, %y : f32;-2.0;f32;2.0;4.000000e+00;nan
powf %x, %y : f32;-2.0;f32;3.0;-8.000000e+00;nan
powf %x, %y : f32;0.0;f32;0.0;1.000000e+00;nan
fpowi %x, %y : f32, i32;-2.0;i32;2;4.000000e+00;nan
fpowi %x, %y : f32, i32;-2.0;i32;3;-8.000000e+00;nan
fpowi %x, %y : f32, i32;0.0;i32;0;1.000000e+00;nan
asinh %x : f32;-10000.0;f32;0.0;-9.903487e+00;-INF
asinh %x : f32;1.0e-06;f32;0.0;1.000000e-06;9.536739e-07
CASES
