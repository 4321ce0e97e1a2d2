#!/usr/bin/env bash
# libLLVM's wheel for manylinux needs libatomic, which small containers lack, and uses nothing of it.
#
# Version: karellen-llvm-core 22.1.8, tagged manylinux_2_28; Debian 12's libatomic1; binutils 2.40.
# Guess:   a wheel with this tag brings what a system with its glibc may lack, and so loads in python:3.11-slim-bookworm.
# Seen:    libLLVM needs the libc++ of the wheel, and that needs libatomic.so.1, which is not in the wheel. Debian gives
#          libatomic1 the priority "optional", and pip cannot ask for it. libc++ uses no function of it, but names it, and the
#          loader loads neither without it.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" download --quiet --no-deps --dest "$here" karellen-llvm-core==22.1.8
wheel=$(ls "$here" | grep 'manylinux_2_28_x86_64\.whl$')
"$here/venv/bin/python" -m zipfile -e "$here/$wheel" "$here/content"

needed() { readelf --dynamic "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
llvm=$(find "$here/content" -type f -name 'libLLVM.so.22.1')
cxx=$(find "$here/content" -type f -name 'libc++.so.1.0')
needed "$llvm" | grep -x 'libc++\.so\.1'
needed "$cxx" | grep -x 'libatomic\.so\.1'
if find "$here/content" -name 'libatomic*' | grep .; then exit 1; fi
if nm --dynamic --undefined-only "$cxx" | grep ' __atomic_'; then exit 1; fi
if nm --dynamic --undefined-only "$llvm" | grep ' __atomic_'; then exit 1; fi
apt-cache show libatomic1=12.2.0-14+deb12u1 | grep -x 'Priority: optional'
