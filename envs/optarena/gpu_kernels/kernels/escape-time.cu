/* Counts for each pixel the steps of z^2 + c until z leaves a circle: a loop with an end that data decide. */
#include "cuda.h"

extern "C" __global__ void escape_time(const float *__restrict__ reals, const float *__restrict__ imaginaries,
                                       int *__restrict__ steps, int n, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float c = 2.0f * reals[i] - 0.5f, d = 1.5f * imaginaries[i];
  float x = 0.0f, y = 0.0f;
  int count = 0;
  while (count < limit && x * x + y * y < 4.0f) {
    const float next = x * x - y * y + c;
    y = 2.0f * x * y + d;
    x = next;
    count++;
  }
  steps[i] = count;
}
