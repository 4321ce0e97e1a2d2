/* Counts how often each of 64 values occurs; each block counts in bins of its own and adds them up in the end. */
#include "cuda.h"

constexpr int BINS = 64;

extern "C" __global__ void histogram(const int *__restrict__ values, int *__restrict__ counts, int n) {
  __shared__ int bins[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int value = values[i];
    const int bin = value < 0 ? 0 : value >= BINS ? BINS - 1 : value;
    atomicAdd(&bins[bin], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    if (bins[i] > 0) atomicAdd(&counts[i], bins[i]);
}
