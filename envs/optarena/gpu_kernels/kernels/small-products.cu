/* Multiplies many pairs of 16 x 16 matrices: a block takes one pair after the other through shared memory. */
#include "cuda.h"

constexpr int SIDE = 16, ROWS = 4, PART = SIDE / ROWS;

extern "C" __global__ void small_products(const float *__restrict__ a, const float *__restrict__ b,
                                          float *__restrict__ products, int n) {
  __shared__ float left[SIDE][SIDE];
  __shared__ float right[SIDE][SIDE];
  for (int which = blockIdx.x; which < n; which += gridDim.x) {
    const int start = which * SIDE * SIDE;
    for (int row = threadIdx.y; row < SIDE; row += ROWS) {
      left[row][threadIdx.x] = a[start + row * SIDE + threadIdx.x];
      right[row][threadIdx.x] = b[start + row * SIDE + threadIdx.x];
    }
    __syncthreads();
    float sums[PART];
    for (int i = 0; i < PART; i++) sums[i] = 0.0f;
    for (int k = 0; k < SIDE; k++)
      for (int i = 0; i < PART; i++) sums[i] += left[threadIdx.y + i * ROWS][k] * right[k][threadIdx.x];
    for (int i = 0; i < PART; i++) products[start + (threadIdx.y + i * ROWS) * SIDE + threadIdx.x] = sums[i];
    __syncthreads();
  }
}
