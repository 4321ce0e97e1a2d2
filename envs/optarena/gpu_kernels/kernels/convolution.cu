/* Convolves an image with 7 x 7 weights: a block keeps a tile of 32 x 32 and its halo in shared memory. 0 is outside. */
#include "cuda.h"

constexpr int TILE = 32, RADIUS = 3, SIDE = 2 * RADIUS + 1, KEPT = TILE + 2 * RADIUS, ROWS = 8, PART = TILE / ROWS;

extern "C" __global__ void convolution(const float *__restrict__ image, const float *__restrict__ weights,
                                       float *__restrict__ result, int width, int height) {
  __shared__ float tile[KEPT][KEPT];
  const int first_x = blockIdx.x * TILE, first_y = blockIdx.y * TILE;
  for (int place = threadIdx.y * TILE + threadIdx.x; place < KEPT * KEPT; place += ROWS * TILE) {
    const int x = first_x + place % KEPT - RADIUS, y = first_y + place / KEPT - RADIUS;
    tile[place / KEPT][place % KEPT] = x >= 0 && x < width && y >= 0 && y < height ? image[y * width + x] : 0.0f;
  }
  __syncthreads();
  float sums[PART];
  for (int i = 0; i < PART; i++) sums[i] = 0.0f;
  for (int dy = 0; dy < SIDE; dy++)
    for (int dx = 0; dx < SIDE; dx++)
      for (int i = 0; i < PART; i++)
        sums[i] += weights[dy * SIDE + dx] * tile[threadIdx.y + i * ROWS + dy][threadIdx.x + dx];
  for (int i = 0; i < PART; i++) {
    const int x = first_x + threadIdx.x, y = first_y + threadIdx.y + i * ROWS;
    if (x < width && y < height) result[y * width + x] = sums[i];
  }
}
