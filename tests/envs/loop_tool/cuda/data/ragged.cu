extern "C" __global__ void __launch_bounds__(256)
add(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z)
{
  const unsigned thread = (unsigned)blockIdx.x * 256u + threadIdx.x;
  if (thread >= 32u) return;
  const unsigned i0 = thread / 4u;
  const unsigned i1 = thread % 4u;
  const unsigned b0 = i0 * 128u;
  if (b0 < 901u) {
    const unsigned e0 = b0 + 128u < 901u ? b0 + 128u : 901u;
    const unsigned b1 = b0 + i1 * 42u;
    if (b1 < e0) {
      const unsigned e1 = b1 + 42u < e0 ? b1 + 42u : e0;
#pragma unroll 1
      for (unsigned b2 = b1; b2 < e1; b2 += 8u) {
        const unsigned e2 = b2 + 8u < e1 ? b2 + 8u : e1;
        if (e2 - b2 == 8u) {
          const float2 *const px = (const float2 *)(x + b2);
          const float2 *const py = (const float2 *)(y + b2);
          float2 *const pz = (float2 *)(z + b2);
          const float2 x0 = px[0], y0 = py[0];
          const float2 x1 = px[1], y1 = py[1];
          const float2 x2 = px[2], y2 = py[2];
          const float2 x3 = px[3], y3 = py[3];
          pz[0] = make_float2(x0.x + y0.x, x0.y + y0.y);
          pz[1] = make_float2(x1.x + y1.x, x1.y + y1.y);
          pz[2] = make_float2(x2.x + y2.x, x2.y + y2.y);
          pz[3] = make_float2(x3.x + y3.x, x3.y + y3.y);
        }
        else {
#pragma unroll 1
          for (unsigned b = b2; b < e2; ++b) z[b] = x[b] + y[b];
        }
      }
    }
  }
}
