/* Replaces each pixel of an image by a weighted sum of its neighbourhood of 3 x 3; the border is repeated. */
#include "cuda.h"

static __device__ int clamped(int value, int limit) { return value < 0 ? 0 : value >= limit ? limit - 1 : value; }

extern "C" __global__ void stencil(const float *__restrict__ image, const float *__restrict__ weights,
                                   float *__restrict__ result, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float kept[9];
  for (int i = 0; i < 9; i++) kept[i] = weights[i];
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      sum += kept[3 * (dy + 1) + dx + 1] * image[clamped(y + dy, height) * width + clamped(x + dx, width)];
  result[y * width + x] = sum;
}
