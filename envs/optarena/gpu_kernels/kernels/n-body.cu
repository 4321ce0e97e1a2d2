/* Computes the accelerations of n bodies by their mutual gravity; blocks share the positions by tiles. */
#include "cuda.h"

constexpr int THREADS = 128;

extern "C" __global__ void n_body(const float *__restrict__ bodies, float *__restrict__ accelerations, int n) {
  __shared__ float tile[THREADS][4];
  const int body = blockIdx.x * THREADS + threadIdx.x;
  float place[3] = {0.0f, 0.0f, 0.0f}, sum[3] = {0.0f, 0.0f, 0.0f};
  if (body < n)
    for (int i = 0; i < 3; i++) place[i] = bodies[4 * body + i];
  for (int start = 0; start < n; start += THREADS) {
    for (int i = 0; i < 4; i++) tile[threadIdx.x][i] = start + threadIdx.x < n ? bodies[4 * (start + threadIdx.x) + i] : 0.0f;
    __syncthreads();
    for (int other = 0; other < THREADS; other++) {
      float apart[3], square = 0.01f;
      for (int i = 0; i < 3; i++) {
        apart[i] = tile[other][i] - place[i];
        square += apart[i] * apart[i];
      }
      const float mass = start + other < n ? tile[other][3] : 0.0f;
      const float pull = (mass + 1.0f) * (start + other < n ? 1.0f : 0.0f) / (square * sqrtf(square));
      for (int i = 0; i < 3; i++) sum[i] += pull * apart[i];
    }
    __syncthreads();
  }
  if (body < n)
    for (int i = 0; i < 3; i++) accelerations[3 * body + i] = sum[i];
}
