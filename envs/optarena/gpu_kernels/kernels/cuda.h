/* The part of CUDA C that the kernels here use, for clang without NVIDIA's headers. nvcc and NVRTC have their own. */
#pragma once
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __restrict__ __restrict

#define OPTARENA_REGISTERS(NAME, REGISTER)                                                             \
  struct optarena_##NAME {                                                                             \
    __declspec(property(get = get_x)) int x;                                                           \
    __declspec(property(get = get_y)) int y;                                                           \
    static __device__ __forceinline__ int get_x() { return __nvvm_read_ptx_sreg_##REGISTER##_x(); }    \
    static __device__ __forceinline__ int get_y() { return __nvvm_read_ptx_sreg_##REGISTER##_y(); }    \
  };
OPTARENA_REGISTERS(thread, tid)
OPTARENA_REGISTERS(block, ctaid)
OPTARENA_REGISTERS(block_size, ntid)
OPTARENA_REGISTERS(grid_size, nctaid)
#define threadIdx (optarena_thread())
#define blockIdx (optarena_block())
#define blockDim (optarena_block_size())
#define gridDim (optarena_grid_size())

static __device__ __forceinline__ float sqrtf(float x) { return __builtin_sqrtf(x); }
static __device__ __forceinline__ float fmaxf(float x, float y) { return x > y ? x : y; }
static __device__ __forceinline__ int atomicAdd(int *p, int v) {
  return __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
static __device__ __forceinline__ float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
