/* Sums a vector: each block gives one partial sum, added up in a tree in shared memory. */
#include "cuda.h"

constexpr int THREADS = 256;

extern "C" __global__ void reduction(const float *__restrict__ values, float *__restrict__ sums, int n,
                                     int blocks) {
  __shared__ float part[THREADS];
  float sum = 0.0f;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += blocks * THREADS) sum += values[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
