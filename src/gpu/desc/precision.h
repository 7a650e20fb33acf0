// SPDX-License-Identifier: Apache-2.0
// How numbers are kept in device memory, and in which the products of a sum are added. All other
// arithmetic is float, so a device needs no half arithmetic to keep halves.
#ifndef TERN_GPU_DESC_PRECISION_H_
#define TERN_GPU_DESC_PRECISION_H_

#include <set>

namespace tern::gpu {

enum class Precision {
  kF32,  // floats
  kF16,  // halves
};

// "f32" or "f16".
constexpr const char* PrecisionName(Precision precision) {
  return precision == Precision::kF16 ? "f16" : "f32";
}

// Products that are added in halves.
inline constexpr int kMaxHalfSum = 32;

// The precision in which a plan keeps its constants and results.
struct Storage {
  Precision weights = Precision::kF32;      // constants
  Precision activations = Precision::kF32;  // what lies between dispatches
  std::set<int> floats = {};  // nodes, by Node::index, whose constants and results stay floats
  // Convolutions whose constants and sources are halves add products in these, kMaxHalfSum of them
  // at the most; further sums of these are floats.
  Precision sums = Precision::kF32;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_PRECISION_H_
