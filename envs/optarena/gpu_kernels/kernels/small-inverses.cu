/* Inverts many matrices of 6 x 6 by Gauss and Jordan, one for each thread: unrolled, they need many registers. */
#include "cuda.h"

constexpr int SIDE = 6;

extern "C" __global__ void __launch_bounds__(256, 4)
    small_inverses(const float *__restrict__ matrices, float *__restrict__ inverses, int n) {
  const int which = blockIdx.x * blockDim.x + threadIdx.x;
  if (which >= n) return;
  float a[SIDE][SIDE], b[SIDE][SIDE];
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      a[i][j] = matrices[(i * SIDE + j) * n + which] + (i == j ? 8.0f : 0.0f); /* diagonal dominance needs no pivots */
      b[i][j] = i == j ? 1.0f : 0.0f;
    }
#pragma unroll
  for (int k = 0; k < SIDE; k++) {
    const float scale = 1.0f / a[k][k];
    for (int j = 0; j < SIDE; j++) {
      a[k][j] *= scale;
      b[k][j] *= scale;
    }
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
      if (i == k) continue;
      const float factor = a[i][k];
      for (int j = 0; j < SIDE; j++) {
        a[i][j] -= factor * a[k][j];
        b[i][j] -= factor * b[k][j];
      }
    }
  }
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) inverses[(i * SIDE + j) * n + which] = b[i][j];
}
