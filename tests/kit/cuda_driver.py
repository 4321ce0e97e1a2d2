"""A driver library for CUDA that answers as real ones do, also in each trouble; it computes nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DRIVER = """
void *mmap(void *, unsigned long, int, int, int, long);
int cuDriverGetVersion(int *version) { *version = VERSION; return 0; }
int cuInit(unsigned flags) {
  const int nothing = 0, private_anonymous_unreserved = 0x4022, out_of_memory = 2;
  void *reserved = mmap(0, RESERVED, nothing, private_anonymous_unreserved, -1, 0);
  return reserved == (void *)-1 ? out_of_memory : RESULT;
}
int cuGetErrorName(int error, const char **name) { *name = "CUDA_ERROR_PLANTED"; return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return COUNT ? 0 : 101; }
int cuDeviceGetPCIBusId(char *name, int size, int device) {
  const char *id = "0000:07:00.0";
  for (int i = 0; i < size && (name[i] = id[i]); ++i) ;
  return 0;
}
int cuDeviceGetCount(int *count) { *count = COUNT; return 0; }
"""


def driver(
    folder: Path, *, version: int = 13000, result: int = 0, count: int = 1, reserved: int = 4096
) -> Path:
    """A folder with a driver library that answers so, and reserves so many bytes of address space."""
    defined = {"VERSION": version, "RESULT": result, "COUNT": count, "RESERVED": f"{reserved}UL"}
    command = [
        str(Path(sys.prefix, "bin", "clang-22")),
        "-shared",
        "-fPIC",
        "-nostdlib",
        "-fuse-ld=lld",
        "-x",
        "c",
        "-",
    ]
    options = [f"-D{name}={value}" for name, value in defined.items()]
    subprocess.run(
        [*command, *options, "-o", str(folder / "libcuda.so.1")], input=DRIVER, text=True, check=True
    )
    return folder
