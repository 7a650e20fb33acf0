// SPDX-License-Identifier: Apache-2.0
// Gives a C++ compiler the part of the Metal language that printed kernels use. The text is written
// next to a kernel as the file "metal_stdlib". It includes nothing, so that a kernel compiles in a
// moment.
#ifndef TERN_GPU_BACKENDS_HOST_METAL_SHIM_H_
#define TERN_GPU_BACKENDS_HOST_METAL_SHIM_H_

namespace tern::gpu {

inline constexpr char kMetalShim[] = R"shim(
#pragma once
#define kernel static
#define device
#define constant const
#define threadgroup static  // one group at a time
extern "C" void (*tern_barrier)();

namespace metal {

typedef unsigned int uint;
typedef unsigned char uchar;
struct uint3 { uint x, y, z; };

// Conversions round to nearest even.
struct half {
  unsigned short bits;
  half() = default;
  explicit half(float value) {
    uint f = __builtin_bit_cast(uint, value);
    const unsigned short sign = (f >> 16) & 0x8000u;
    f &= 0x7FFFFFFFu;
    if (f > 0x7F800000u) bits = sign | 0x7E00u;
    else if (f >= 0x47800000u) bits = sign | 0x7C00u;
    else if (f < 0x38800000u) bits = sign | (__builtin_bit_cast(uint, __builtin_bit_cast(float, f) + 0.5f) - 0x3F000000u);
    else bits = sign | ((f - 0x38000000u + 0xFFFu + ((f >> 13) & 1u)) >> 13);
  }
  operator float() const {
    const uint sign = uint(bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u, mantissa = bits & 0x3FFu;
    if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7F800000u | (mantissa << 13));
    if (exponent != 0) return __builtin_bit_cast(float, sign | ((exponent + 112) << 23) | (mantissa << 13));
    const float value = float(mantissa) * 0x1p-24f;
    return sign != 0 ? -value : value;
  }
};

template <class T, int N> struct vec;

template <int N> struct alignas(2 * N) vec<half, N> {
  half lanes[N];
  vec() = default;
  explicit vec(half s) { for (int i = 0; i < N; ++i) lanes[i] = s; }
  half operator[](int i) const { return lanes[i]; }
  explicit vec(vec<float, N> v) { for (int i = 0; i < N; ++i) lanes[i] = half(v[i]); }
};

template <int N> struct alignas(N) vec<uchar, N> {
  uchar lanes[N];
  vec() = default;
  explicit vec(vec<float, N> v) { for (int i = 0; i < N; ++i) lanes[i] = uchar(v[i]); }
};

template <int N> struct native;
#define TERN_NATIVE(N)                                            \
  template <> struct native<N> {                                  \
    typedef float lanes __attribute__((vector_size(4 * N)));      \
    typedef int mask __attribute__((vector_size(4 * N)));         \
    typedef uint bits __attribute__((vector_size(4 * N)));        \
  };
TERN_NATIVE(4)
TERN_NATIVE(8)
TERN_NATIVE(16)

template <int N> struct vec<float, N> {
  typedef typename native<N>::lanes lanes_type;
  typedef typename native<N>::mask mask;
  lanes_type lanes;
  vec() = default;
  vec(lanes_type v) : lanes(v) {}
  explicit vec(float s) : lanes(s - lanes_type{}) {}
  template <class... Rest> vec(float first, float second, Rest... rest) : lanes{first, second, rest...} {
    static_assert(sizeof...(Rest) + 2 == N, "one value per lane");
  }
  explicit vec(vec<half, N> v) { for (int i = 0; i < N; ++i) lanes[i] = v.lanes[i]; }
  explicit vec(vec<int, N> v) { for (int i = 0; i < N; ++i) lanes[i] = float(v.lanes[i]); }
  explicit vec(vec<uchar, N> v) { for (int i = 0; i < N; ++i) lanes[i] = float(v.lanes[i]); }
  float operator[](int i) const { return lanes[i]; }
  float& operator[](int i) { return ((float*)&lanes)[i]; }
};

template <int N> struct vec<int, N> {
  typedef typename native<N>::mask lanes_type;
  typedef typename native<N>::mask mask;
  lanes_type lanes;
  vec() = default;
  vec(lanes_type v) : lanes(v) {}
  explicit vec(int s) : lanes(s - lanes_type{}) {}
  template <class... Rest> vec(int first, int second, Rest... rest) : lanes{first, second, rest...} {
    static_assert(sizeof...(Rest) + 2 == N, "one value per lane");
  }
  explicit vec(vec<float, N> v) {
    for (int i = 0; i < N; ++i) {
      const float x = v.lanes[i];  // saturates; a plain conversion of others is undefined
      lanes[i] = x >= 0x1p31f ? 0x7FFFFFFF : x >= -0x1p31f ? int(x) : x < 0.0f ? -0x7FFFFFFF - 1 : 0;
    }
  }
  int operator[](int i) const { return lanes[i]; }
  int& operator[](int i) { return ((int*)&lanes)[i]; }
};

template <int N> struct vec<uint, N> {
  typedef typename native<N>::mask mask;
  typename native<N>::bits lanes;
};

template <class To, class From> inline To as_type(From v) { return __builtin_bit_cast(To, v); }
template <int N> inline vec<uint, N> mulhi(vec<uint, N> a, vec<uint, N> b) {
  for (int i = 0; i < N; ++i) a.lanes[i] = uint((unsigned long long)a.lanes[i] * b.lanes[i] >> 32);
  return a;
}

template <int N> inline vec<int, N> mulhi(vec<int, N> a, vec<int, N> b) {
  for (int i = 0; i < N; ++i) a[i] = int((long long)a.lanes[i] * b.lanes[i] >> 32);
  return a;
}
template <int N> inline vec<uint, N> operator<<(vec<uint, N> a, vec<uint, N> b) { return {a.lanes << b.lanes}; }
template <int N> inline vec<int, N> operator>>(vec<int, N> a, vec<int, N> b) { return a.lanes >> b.lanes; }

#define TERN_OPERATOR(OP)                                                                  \
  template <class T, int N> inline vec<T, N> operator OP(vec<T, N> a, vec<T, N> b) {       \
    return a.lanes OP b.lanes;                                                             \
  }                                                                                        \
  template <class T, int N> inline vec<T, N>& operator OP##=(vec<T, N>& a, vec<T, N> b) {  \
    a.lanes = a.lanes OP b.lanes;                                                          \
    return a;                                                                              \
  }
TERN_OPERATOR(+)
TERN_OPERATOR(-)
TERN_OPERATOR(*)
TERN_OPERATOR(/)
TERN_OPERATOR(&)
template <class T, int N> inline vec<T, N> operator-(vec<T, N> a) { return -a.lanes; }
#define TERN_HALF_OPERATOR(OP)                                                            \
  template <int N> inline vec<half, N> operator OP(vec<half, N> a, vec<half, N> b) {      \
    for (int i = 0; i < N; ++i) a.lanes[i] = half(float(a.lanes[i]) OP float(b.lanes[i])); \
    return a;                                                                             \
  }
TERN_HALF_OPERATOR(+)
TERN_HALF_OPERATOR(*)
#define TERN_COMPARISON(OP)                                                                          \
  template <class T, int N> inline auto operator OP(vec<T, N> a, vec<T, N> b) -> typename vec<T, N>::mask { \
    return a.lanes OP b.lanes;                                                                       \
  }
TERN_COMPARISON(<)
TERN_COMPARISON(<=)
TERN_COMPARISON(==)

// Metal's order: the value for false comes first.
template <class T, int N> inline vec<T, N> select(vec<T, N> no, vec<T, N> yes, typename vec<T, N>::mask which) {
  typedef typename vec<T, N>::mask bits;
  return (typename vec<T, N>::lanes_type)((which & (bits)yes.lanes) | (~which & (bits)no.lanes));
}
inline float min(float a, float b) { return b < a ? b : a; }
inline float max(float a, float b) { return a < b ? b : a; }
template <class T, int N> inline vec<T, N> min(vec<T, N> a, vec<T, N> b) { return select(a, b, b < a); }
template <class T, int N> inline vec<T, N> max(vec<T, N> a, vec<T, N> b) { return select(a, b, a < b); }

#define TERN_FUNCTION(NAME, VALUE)                                                 \
  inline float NAME(float x) { return VALUE; }                                     \
  template <int N> inline vec<float, N> NAME(vec<float, N> v) {                    \
    vec<float, N> result;                                                          \
    for (int i = 0; i < N; ++i) { const float x = v.lanes[i]; result.lanes[i] = VALUE; } \
    return result;                                                                 \
  }
TERN_FUNCTION(abs, __builtin_fabsf(x))
TERN_FUNCTION(exp, __builtin_expf(x))
TERN_FUNCTION(log, __builtin_logf(x))
TERN_FUNCTION(sqrt, __builtin_sqrtf(x))
TERN_FUNCTION(rsqrt, 1.0f / __builtin_sqrtf(x))
TERN_FUNCTION(tanh, __builtin_tanhf(x))
TERN_FUNCTION(sin, __builtin_sinf(x))
TERN_FUNCTION(cos, __builtin_cosf(x))
TERN_FUNCTION(floor, __builtin_floorf(x))
TERN_FUNCTION(ceil, __builtin_ceilf(x))
TERN_FUNCTION(rint, __builtin_rintf(x))
inline float pow(float x, float y) { return __builtin_powf(x, y); }
inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
template <int N> inline vec<float, N> pow(vec<float, N> x, vec<float, N> y) {
  vec<float, N> result;
  for (int i = 0; i < N; ++i) result.lanes[i] = pow(x.lanes[i], y.lanes[i]);
  return result;
}
template <int N> inline vec<float, N> fma(vec<float, N> a, vec<float, N> b, vec<float, N> c) {
  vec<float, N> result;
  for (int i = 0; i < N; ++i) result.lanes[i] = fma(a.lanes[i], b.lanes[i], c.lanes[i]);
  return result;
}
template <int N> inline vec<half, N> fma(vec<half, N> a, vec<half, N> b, vec<half, N> c) {
  for (int i = 0; i < N; ++i) a.lanes[i] = half(fma(float(a.lanes[i]), float(b.lanes[i]), float(c.lanes[i])));
  return a;
}

typedef vec<float, 4> float4;
typedef vec<half, 4> half4;
typedef vec<int, 4> int4;
typedef vec<uint, 4> uint4;
typedef vec<uchar, 4> uchar4;
enum class mem_flags { mem_none, mem_device, mem_threadgroup };
inline void threadgroup_barrier(mem_flags) { tern_barrier(); }

}  // namespace metal
)shim";

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_HOST_METAL_SHIM_H_
