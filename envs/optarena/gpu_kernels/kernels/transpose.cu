/* Transposes a matrix by tiles of 32 x 32 in shared memory; a padded row avoids conflicts between its banks. */
#include "cuda.h"

constexpr int TILE = 32, ROWS = 8;

extern "C" __global__ void transpose(const float *__restrict__ matrix, float *__restrict__ result, int rows,
                                     int columns) {
  __shared__ float tile[TILE][TILE + 1];
  const int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.x;
  for (int i = threadIdx.y; i < TILE; i += ROWS)
    if (column < columns && blockIdx.y * TILE + i < rows)
      tile[i][threadIdx.x] = matrix[(blockIdx.y * TILE + i) * columns + column];
  __syncthreads();
  for (int i = threadIdx.y; i < TILE; i += ROWS)
    if (row < rows && blockIdx.x * TILE + i < columns)
      result[(blockIdx.x * TILE + i) * rows + row] = tile[threadIdx.x][i];
}
