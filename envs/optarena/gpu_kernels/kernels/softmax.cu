/* Computes the softmax of each row of a matrix, one block for each row, in three passes over the row. */
#include "cuda.h"

constexpr int THREADS = 128;

/* e^x for x <= 0: 2^i by the exponent's bits, and 2^f for 0 <= f < 1 by a polynomial; relative error below 1e-6. */
static __device__ float exponential(float x) {
  const float scaled = fmaxf(x * 1.44269504f, -126.0f) + 127.0f;
  const int whole = (int)scaled;
  const float f = scaled - (float)whole;
  const float coefficients[] = {0.00021877f, 0.00123879f, 0.00968435f, 0.05548053f, 0.24023070f, 0.69314697f, 1.0f};
  float power = 0.0f;
  for (int i = 0; i < 7; i++) power = power * f + coefficients[i];
  return power * __int_as_float(whole << 23);
}

template <bool MAXIMUM> static __device__ float combined(float own, float *shared) {
  shared[threadIdx.x] = own;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const float other = shared[threadIdx.x + half];
      shared[threadIdx.x] = MAXIMUM ? fmaxf(shared[threadIdx.x], other) : shared[threadIdx.x] + other;
    }
    __syncthreads();
  }
  const float result = shared[0];
  __syncthreads();
  return result;
}

extern "C" __global__ void softmax(const float *__restrict__ rows, float *__restrict__ result, int columns) {
  __shared__ float shared[THREADS];
  const float *row = rows + blockIdx.x * columns;
  float *target = result + blockIdx.x * columns;
  float largest = -3.4e38f;
  for (int i = threadIdx.x; i < columns; i += THREADS) largest = fmaxf(largest, row[i]);
  largest = combined<true>(largest, shared);
  float sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += THREADS) sum += exponential(row[i] - largest);
  sum = combined<false>(sum, shared);
  for (int i = threadIdx.x; i < columns; i += THREADS) target[i] = exponential(row[i] - largest) / sum;
}
