/* Multiplies two matrices: a block computes a tile of 64 x 64, and each of its 16 x 16 threads a part of 4 x 4. */
#include "cuda.h"

constexpr int TILE = 64, PART = 4, DEPTH = 16, SIDE = TILE / PART;

extern "C" __global__ void matrix_product(const float *__restrict__ a, const float *__restrict__ b,
                                          float *__restrict__ product, int rows, int columns, int inner) {
  __shared__ float left[DEPTH][TILE];
  __shared__ float right[DEPTH][TILE];
  const int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
  const int thread = threadIdx.y * SIDE + threadIdx.x;
  float sums[PART][PART], own[PART], other[PART];
  for (int i = 0; i < PART; i++)
    for (int j = 0; j < PART; j++) sums[i][j] = 0.0f;
  for (int start = 0; start < inner; start += DEPTH) {
    for (int place = thread; place < DEPTH * TILE; place += SIDE * SIDE) {
      const int k = start + place / TILE, i = place % TILE;
      const bool in_depth = k < inner;
      left[place / TILE][i] = in_depth && first_row + i < rows ? a[(first_row + i) * inner + k] : 0.0f;
      right[place / TILE][i] = in_depth && first_column + i < columns ? b[k * columns + first_column + i] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < DEPTH; k++) {
      for (int i = 0; i < PART; i++) own[i] = left[k][threadIdx.y * PART + i];
      for (int j = 0; j < PART; j++) other[j] = right[k][threadIdx.x * PART + j];
      for (int i = 0; i < PART; i++)
        for (int j = 0; j < PART; j++) sums[i][j] += own[i] * other[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < PART; i++)
    for (int j = 0; j < PART; j++) {
      const int row = first_row + threadIdx.y * PART + i, column = first_column + threadIdx.x * PART + j;
      if (row < rows && column < columns) product[row * columns + column] = sums[i][j];
    }
}
