"""A CUPTI of tests, compiled from NVIDIA's own header: it knows the order of calls, and answers the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from optarena.cuda import sampling
from optarena.cuda.missing import find_packaged

DRIVER = "int cuCtxGetCurrent(void **context) { *context = (void *)CONTEXT; return 0; }\n"
CUPTI = r"""
#include "cupti_pcsampling.h"
enum { OFF, ENABLED, STARTED, STOPPED };
static int state = OFF, calls = 0;
static char *const names[3] = {"not_selected", "long_scoreboard", "barrier"};
static void set(CUpti_PCSamplingPCData *p, uint64_t offset, char *function, uint32_t one, uint32_t two) {
  p->pcOffset = offset; p->functionName = function; p->stallReasonCount = 2;
  p->stallReason[0].pcSamplingStallReasonIndex = 11; p->stallReason[0].samples = one;
  p->stallReason[1].pcSamplingStallReasonIndex = 12; p->stallReason[1].samples = two;
}
static int step(void *ctx, int from, int to) {
  if (ctx != (void *)77 || state != from) return CUPTI_ERROR_INVALID_OPERATION;
  state = to;
  return 0;
}
CUptiResult cuptiPCSamplingEnable(CUpti_PCSamplingEnableParams *p) {
  if (p->size != CUpti_PCSamplingEnableParamsSize || p->pPriv) return CUPTI_ERROR_INVALID_PARAMETER;
  return FAILS ? FAILS : step(p->ctx, OFF, ENABLED);
}
CUptiResult cuptiPCSamplingGetNumStallReasons(CUpti_PCSamplingGetNumStallReasonsParams *p) {
  *p->numStallReasons = 3;
  return step(p->ctx, ENABLED, ENABLED);
}
CUptiResult cuptiPCSamplingGetStallReasons(CUpti_PCSamplingGetStallReasonsParams *p) {
  if (p->numStallReasons != 3) return CUPTI_ERROR_INVALID_PARAMETER;
  for (int i = 0; i < 3; ++i) {
    p->stallReasonIndex[i] = 10 + i;
    int k = 0;
    do p->stallReasons[i][k] = names[i][k]; while (names[i][k++]);
  }
  return step(p->ctx, ENABLED, ENABLED);
}
CUptiResult cuptiPCSamplingSetConfigurationAttribute(CUpti_PCSamplingConfigurationInfoParams *p) {
  CUpti_PCSamplingConfigurationInfo *given = p->pPCSamplingConfigurationInfo;
  if (p->numAttributes != 2) return CUPTI_ERROR_INVALID_PARAMETER;
  if (given[0].attributeType != CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL ||
      given[0].attributeData.enableStartStopControlData.enableStartStopControl != 1 ||
      given[1].attributeType != CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER)
    return CUPTI_ERROR_INVALID_PARAMETER;
  CUpti_PCSamplingData *data = given[1].attributeData.samplingDataBufferData.samplingDataBuffer;
  if (data->size != sizeof *data || data->collectNumPcs != 4096 ||
      data->pPcData[4095].size != sizeof *data->pPcData)
    return CUPTI_ERROR_INVALID_PARAMETER;
  return step(p->ctx, ENABLED, ENABLED);
}
CUptiResult cuptiPCSamplingStart(CUpti_PCSamplingStartParams *p) { return step(p->ctx, ENABLED, STARTED); }
CUptiResult cuptiPCSamplingStop(CUpti_PCSamplingStopParams *p) { return step(p->ctx, STARTED, STOPPED); }
CUptiResult cuptiPCSamplingGetData(CUpti_PCSamplingGetDataParams *p) {
  CUpti_PCSamplingData *data = p->pcSamplingData;
  int first = !calls++;
  data->totalSamples = first ? 100 : 20; data->droppedSamples = first ? 3 : 0;
  data->remainingNumPcs = first ? 1 : 0; data->totalNumPcs = first ? 2 : 1;
  set(&data->pPcData[0], 64, "scan", first ? 5 : 7, 0);
  set(&data->pPcData[1], 16, first ? "scan" : "other", 0, 9);
  return step(p->ctx, STOPPED, STOPPED);
}
CUptiResult cuptiPCSamplingDisable(CUpti_PCSamplingDisableParams *p) {
  int before = state;
  state = OFF;
  return p->ctx == (CUcontext)77 && before != OFF ? 0 : CUPTI_ERROR_INVALID_OPERATION;
}
CUptiResult cuptiGetResultString(CUptiResult code, const char **text) {
  *text = "CUPTI_ERROR_PLANTED";
  return 0;
}
"""


def headers(folder: Path) -> list[str]:
    """The options with which NVIDIA's header is found, and what it includes of CUDA's own."""
    types = ("struct CUctx_st *CUcontext", "struct CUmod_st *CUmodule", "int CUdevice")
    (folder / "cuda.h").write_text("".join(f"typedef {one};\n" for one in types))
    header = find_packaged(sampling.DISTRIBUTION, "cupti_pcsampling.h")
    return [f"-I{folder}", f"-I{header.parent}"]


def compiled(folder: Path, name: str, source: str, *options: str) -> None:
    command = [str(Path(sys.prefix, "bin", "clang-22")), "-x", "c", "-", *options]
    shared = (
        ["-shared", "-fPIC", "-nostdlib", "-fuse-ld=lld", "-o", str(folder / name)]
        if name
        else ["-fsyntax-only"]
    )
    subprocess.run([*command, *shared], input=source, text=True, check=True)


def installed(folder: Path, *, context: int = 77, fails: int = 0) -> dict[str, str]:
    """The environment of a process where such libraries are the driver and CUPTI's package.

    Args:
        folder: Where they are.
        context: The context that is current there; 0 for none.
        fails: The error with which sampling cannot be enabled.
    """
    library = folder / sampling.LIBRARY
    compiled(folder, library.name, CUPTI, f"-DFAILS={fails}", *headers(folder))
    compiled(folder, "libcuda.so.1", DRIVER, f"-DCONTEXT={context}")
    about = folder / "nvidia_cuda_cupti-13.0.85.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: nvidia-cuda-cupti\nVersion: 13.0.85\n")
    (about / "RECORD").write_text(f"{library.name},,\n")
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "LD_LIBRARY_PATH": str(folder), "PYTHONPATH": path}
