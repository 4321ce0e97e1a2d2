/* Multiplies a sparse matrix (compressed rows) by a vector, one thread for each row. */
#include "cuda.h"

extern "C" __global__ void sparse_rows(const int *__restrict__ starts, const int *__restrict__ columns,
                                       const float *__restrict__ values, const float *__restrict__ vector,
                                       float *__restrict__ product, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = starts[row]; i < starts[row + 1]; i++) sum += values[i] * vector[columns[i]];
  product[row] = sum;
}
