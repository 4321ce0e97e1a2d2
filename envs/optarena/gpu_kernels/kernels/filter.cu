/* Filters a signal by 24 taps; each thread computes 8 neighbouring values from a window that it keeps. */
#include "cuda.h"

constexpr int TAPS = 24, OUTPUTS = 8, WINDOW = TAPS + OUTPUTS - 1;

extern "C" __global__ void __launch_bounds__(1024)
    filter(const float *__restrict__ signal, const float *__restrict__ taps, float *__restrict__ result, int n) {
  const int start = (blockIdx.x * blockDim.x + threadIdx.x) * OUTPUTS;
  if (start >= n) return;
  float window[WINDOW], kept[TAPS], sums[OUTPUTS];
  for (int i = 0; i < WINDOW; i++) window[i] = start + i < n ? signal[start + i] : 0.0f;
  for (int i = 0; i < TAPS; i++) kept[i] = taps[i];
  for (int j = 0; j < OUTPUTS; j++) sums[j] = 0.0f;
  for (int i = 0; i < TAPS; i++)
    for (int j = 0; j < OUTPUTS; j++) sums[j] += kept[i] * window[i + j];
  for (int j = 0; j < OUTPUTS; j++)
    if (start + j < n) result[start + j] = sums[j];
}
