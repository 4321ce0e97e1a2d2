#!/usr/bin/env bash
# llvm-mca gives the same report, to the byte, for processors that are years and designs apart.
#
# Version: llvm-mca 22.1.8 (Debian 12).
# Guess:   -mcpu=apple-m4 is a model of that processor, or an error, as it is for carmel.
# Seen:    it is the model of Apple's Cyclone of 2013, cortex-a78 is the Cortex-A57, knl (two instructions a cycle) is
#          Haswell, bdver4 is Zen, and sierraforest, which has efficiency cores alone, the performance core of Alder Lake.
#          No warning says so. Cycles for the one cannot be compared with cycles for the other.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

cat > aarch64.s <<'ASM'
ldr q3, [x0], #16
fmla v0.4s, v1.4s, v3.4s
fadd d4, d5, d6
mul x1, x1, x2
udiv x4, x5, x6
ASM
cat > x86_64.s <<'ASM'
vmulps (%rdi), %ymm2, %ymm3
vaddps %ymm0, %ymm1, %ymm1
vdivpd %ymm4, %ymm5, %ymm6
imulq %rax, %rbx
ASM
seen=
while read -r architecture processors; do
  for processor in $processors; do
    llvm-mca "-mtriple=$architecture" "-mcpu=$processor" --all-stats --all-views $architecture.s > report 2>> said
    hash=$(md5sum < report | cut -c 1-8)
    echo "$architecture $processor: $(awk '/Total Cycles/ { print $3 }' report) cycles, report $hash"
    seen="$seen $hash"
  done
done <<'PROCESSORS'
aarch64 cyclone apple-m1 apple-m4 cortex-a57 cortex-a78
x86_64 haswell knl znver1 bdver4 alderlake sierraforest
PROCESSORS
refused=$(llvm-mca -mtriple=aarch64 -mcpu=carmel aarch64.s 2>&1) || true
echo "aarch64 carmel: $refused"
read -r cyclone m1 m4 a57 a78 haswell knl zen bdver4 alderlake sierraforest <<<"$seen"
[ "$cyclone $m1 $m4" = "$cyclone $cyclone $cyclone" ] && [ "$a57" = "$a78" ] && [ "$haswell" = "$knl" ] &&
  [ "$zen" = "$bdver4" ] && [ "$alderlake" = "$sierraforest" ] &&
  [ "$(printf '%s\n' $seen | sort -u | wc -l)" -eq 5 ] && [[ $refused == *'unable to find'* ]] &&
  ! grep -q processor said
