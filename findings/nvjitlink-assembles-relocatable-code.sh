#!/usr/bin/env bash
# nvJitLink assembles PTX as `ptxas -c` does, never as ptxas does, and the code is larger and slower.
#
# Version: nvidia-nvjitlink 13.0.88 and ptxas of nvidia-cuda-nvcc 13.0.88.
# Guess:   one kernel of one file, given to the same ptxas at -O3, gives the same instructions as a library.
# Seen:    they are those of `ptxas -c`, byte for byte: shared memory has no known address until the code is linked. The
#          option cannot be undone. A product of matrices took 1.32 times as long on an H100
#          (benchmarks/results/gpu_nvcc_h100.txt).
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet nvidia-nvjitlink==13.0.88
"$here/venv/bin/pip" install --quiet --no-deps nvidia-cuda-nvcc==13.0.88
cd "$here"

cat > reverse.ptx <<'PTX'
.version 9.0
.target sm_90
.address_size 64
.visible .entry reverse(.param .u64 given, .param .u64 result) {
    .shared .align 4 .b8 tile[1024];
    .reg .b32 %r<6>;
    .reg .b64 %d<8>;
    ld.param.u64 %d1, [given];
    ld.param.u64 %d2, [result];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d3, %r1, 4;
    add.s64 %d4, %d1, %d3;
    ld.global.b32 %r2, [%d4];
    shl.b32 %r3, %r1, 2;
    mov.b32 %r4, tile;
    add.s32 %r5, %r4, %r3;
    st.shared.b32 [%r5], %r2;
    bar.sync 0;
    sub.s32 %r3, %r4, %r3;
    ld.shared.b32 %r2, [%r3+1020];
    add.s64 %d5, %d2, %d3;
    st.global.b32 [%d5], %r2;
    ret;
}
PTX
ptxas=$(find venv -path '*/bin/ptxas')
"$ptxas" -arch=sm_90 -O3 reverse.ptx -o whole.cubin
"$ptxas" -arch=sm_90 -O3 -c reverse.ptx -o part.cubin

venv/bin/python - "$(find venv -name 'libnvJitLink.so.13')" <<'PYTHON'
import ctypes
import struct
import sys
from pathlib import Path

library = ctypes.CDLL(sys.argv[1])


def by_library(*more):
    options = [b"-arch=sm_90", b"-Xptxas=-O3", *more]
    handle, size = ctypes.c_void_p(), ctypes.c_size_t()
    given = (ctypes.c_char_p * len(options))(*options)
    ptx = Path("reverse.ptx").read_bytes()
    assert not library.nvJitLinkCreate(ctypes.byref(handle), len(options), given)
    if library.nvJitLinkAddData(handle, 2, ptx, ctypes.c_size_t(len(ptx)), b"reverse"):
        library.nvJitLinkGetErrorLogSize(handle, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        library.nvJitLinkGetErrorLog(handle, log)
        return log.value.decode()
    assert not library.nvJitLinkComplete(handle)
    library.nvJitLinkGetLinkedCubinSize(handle, ctypes.byref(size))
    cubin = ctypes.create_string_buffer(size.value)
    library.nvJitLinkGetLinkedCubin(handle, cubin)
    return code(cubin.raw)


def code(cubin):  # the section .text.reverse, without the empty instructions at its end
    (start,), (size, count, names) = struct.unpack_from("<Q", cubin, 40), struct.unpack_from("<HHH", cubin, 58)
    headers = [struct.unpack_from("<II8xQQQ", cubin, start + size * index) for index in range(count)]
    name = next(one for one in headers if cubin.startswith(b".text.reverse", headers[names][3] + one[0]))
    words = [cubin[place : place + 16] for place in range(name[3], name[3] + name[4], 16)]
    while int.from_bytes(words[-1][:2], "little") & 0x1FF == 0x118:
        words.pop()
    return words


whole, part = (code(Path(f"{name}.cubin").read_bytes()) for name in ("whole", "part"))
linked = by_library()
same = linked == part
refused = by_library(b"-Xptxas=--compile-as-tools-patch")
print(f"ptxas {len(whole)} instructions, ptxas -c {len(part)}, nvJitLink {len(linked)}; the last two are the same: {same}")
print(refused.strip())
raise SystemExit(not (same and len(linked) > len(whole) and "'--compile-only'" in refused))
PYTHON
