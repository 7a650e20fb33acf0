// SPDX-License-Identifier: Apache-2.0
// Tiles of a product of integer matrices: as many sums as registers hold, each step along the depth
// multiplies one vector of weights with one activation of every row.
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/integer_gemm.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <cstring>
#include <utility>

#include "cpu/integer_kernels.h"
#include "cpu/simd/integer_tables.h"
#include "cpu/simd/multiply_pairs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {
#if TERN_SIMD

using D32 = hn::ScalableTag<int32_t>;
using V32 = hn::Vec<D32>;
using D16 = hn::Repartition<int16_t, D32>;

HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D32())); }

// Four int8 (or two int16) of an activation row in every lane.
HWY_INLINE V32 Broadcast(const uint8_t* from) {
  int32_t bits;
  std::memcpy(&bits, from, sizeof(bits));
  return hn::Set(D32(), bits);
}

// Weights in pairs, activations INT16.
struct Pairs {
  static constexpr int kGroup = 2, kBytes = 4;
  using Weights = hn::Vec<D16>;
  static HWY_INLINE Weights Load(const int8_t* from) {
    return hn::PromoteTo(D16(), hn::LoadU(hn::Rebind<int8_t, D16>(), from));
  }
  static HWY_INLINE V32 Add(V32 sum, V32 a, Weights w) {
    return AddPairs(D32(), hn::BitCast(D16(), a), w, sum);
  }
};

#if HWY_TARGET == HWY_AVX3_DL
// Weights in fours, activations UINT8.
struct Fours {
  static constexpr int kGroup = 4, kBytes = 4;
  using Weights = __m512i;
  static HWY_INLINE Weights Load(const int8_t* from) { return _mm512_loadu_si512(from); }
  static HWY_INLINE V32 Add(V32 sum, V32 a, Weights w) { return AddFours(a, w, sum); }
};
using Bytes = Fours;
constexpr int kByteRows = 14, kShortRows = 14;
#else
using Bytes = Pairs;
#if HWY_TARGET == HWY_AVX2
constexpr int kByteRows = 6, kShortRows = 6;
#else
constexpr int kByteRows = 12, kShortRows = 12;
#endif
#endif

template <class Step, int rows, int vectors>
void RunTile(const IntegerTile& tile) {
  const D32 d;
  const int64_t lanes = Lanes();
  V32 sums[rows][vectors];
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) {
      sums[r][v] = hn::Add(hn::LoadU(d, tile.column + v * lanes), hn::Set(d, tile.row[r]));
    }
  }
  const auto* a = static_cast<const uint8_t*>(tile.rows);
  const int8_t* w = tile.panel;
  const int64_t stride = tile.row_stride;
  for (int64_t g = 0; g < tile.groups; ++g, a += Step::kBytes) {
    typename Step::Weights weights[vectors];
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v, w += lanes * Step::kGroup) weights[v] = Step::Load(w);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      const V32 x = Broadcast(a + r * stride);
#pragma GCC unroll 16
      for (int v = 0; v < vectors; ++v) sums[r][v] = Step::Add(sums[r][v], x, weights[v]);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) {
      hn::StoreU(sums[r][v], d, tile.sums + (r * vectors + v) * lanes);
    }
  }
}

template <class Step, int vectors, int... index>
constexpr auto Tiles(std::integer_sequence<int, index...>) {
  return std::array<void (*)(const IntegerTile&), sizeof...(index)>{
      &RunTile<Step, index + 1, vectors>...};
}

template <class Step, int max_rows>
void Run(int64_t count, int64_t vectors, const IntegerTile& tile) {
  static constexpr auto one = Tiles<Step, 1>(std::make_integer_sequence<int, max_rows>());
  static constexpr auto two = Tiles<Step, 2>(std::make_integer_sequence<int, max_rows>());
  (vectors == 1 ? one : two)[static_cast<size_t>(count - 1)](tile);
}

void Convert(const uint8_t* from, int64_t count, uint8_t flip, int32_t zero_point, void* to) {
  if constexpr (Bytes::kGroup == 4) {
    auto* bytes = static_cast<uint8_t*>(to);
    for (int64_t i = 0; i < count; ++i) bytes[i] = static_cast<uint8_t>(from[i] ^ flip);
  } else {
    auto* shorts = static_cast<int16_t*>(to);
    const auto zero = static_cast<int16_t>(zero_point);
    for (int64_t i = 0; i < count; ++i) {
      shorts[i] = static_cast<int16_t>(static_cast<int16_t>(from[i] ^ flip) - zero);
    }
  }
}

// Wraps.
int32_t RowSum(const void* row, int64_t count, int32_t zero_point) {
  const D32 d;
  uint32_t sum = 0;
  int64_t i = 0;
  if constexpr (Bytes::kGroup == 4) {
    const hn::Repartition<uint8_t, D32> d8;
    const hn::Repartition<uint64_t, D32> d64;
    const auto* bytes = static_cast<const uint8_t*>(row);
    auto sums = hn::Zero(d64);
    for (; i + 4 * Lanes() <= count; i += 4 * Lanes()) {
      sums = hn::Add(sums, hn::SumsOf8(hn::LoadU(d8, bytes + i)));
    }
    sum = static_cast<uint32_t>(hn::GetLane(hn::SumOfLanes(d64, sums)));
    for (; i < count; ++i) sum += bytes[i];
    sum -= static_cast<uint32_t>(count) * static_cast<uint32_t>(zero_point);
  } else {
    const auto* shorts = static_cast<const int16_t*>(row);
    auto sums = hn::Zero(d);
    const auto ones = hn::Set(D16(), 1);
    for (; i + 2 * Lanes() <= count; i += 2 * Lanes()) {
      sums = AddPairs(d, hn::LoadU(D16(), shorts + i), ones, sums);
    }
    sum = static_cast<uint32_t>(hn::GetLane(hn::SumOfLanes(d, sums)));
    for (; i < count; ++i) sum += static_cast<uint32_t>(int32_t{shorts[i]});
  }
  return static_cast<int32_t>(sum);
}

bool Fill(IntegerKernels& kernels) {
  kernels.bytes = {kByteRows, Lanes(), Bytes::kGroup, Bytes::kGroup == 4 ? 1 : 2,
                   &Run<Bytes, kByteRows>};
  kernels.shorts = {kShortRows, Lanes(), Pairs::kGroup, 2, &Run<Pairs, kShortRows>};
  kernels.convert = &Convert;
  kernels.row_sum = &RowSum;
  return true;
}

#else
bool Fill(IntegerKernels&) { return false; }
#endif  // TERN_SIMD
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {
namespace {
HWY_EXPORT(Fill);
}  // namespace

bool FillIntegerGemm(IntegerKernels& kernels) { return TERN_DISPATCH(Fill)(kernels); }

}  // namespace tern

#endif  // HWY_ONCE
