/* Computes the running sums of each block of 512 numbers, two for each thread, up and down a tree. */
#include "cuda.h"

constexpr int THREADS = 256, ELEMENTS = 2 * THREADS;

extern "C" __global__ void scan(const float *__restrict__ values, float *__restrict__ sums, int n) {
  __shared__ float tree[ELEMENTS];
  const int start = blockIdx.x * ELEMENTS;
  for (int i = threadIdx.x; i < ELEMENTS; i += THREADS) tree[i] = start + i < n ? values[start + i] : 0.0f;
  __syncthreads();
  for (int step = 1; step < ELEMENTS; step *= 2) {
    const int place = (threadIdx.x + 1) * step * 2 - 1;
    if (place < ELEMENTS) tree[place] += tree[place - step];
    __syncthreads();
  }
  for (int step = ELEMENTS / 4; step > 0; step /= 2) {
    const int place = (threadIdx.x + 1) * step * 2 - 1;
    if (place + step < ELEMENTS) tree[place + step] += tree[place];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < ELEMENTS; i += THREADS)
    if (start + i < n) sums[start + i] = tree[i];
}
