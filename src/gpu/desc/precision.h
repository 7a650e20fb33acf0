// SPDX-License-Identifier: Apache-2.0
// How numbers are kept in device memory. Arithmetic and accumulation are float in both modes, so a
// device needs no half arithmetic for kF16.
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

// The precision in which a plan keeps its constants and results.
struct Storage {
  Precision weights = Precision::kF32;      // constants
  Precision activations = Precision::kF32;  // what lies between dispatches
  std::set<int> floats = {};  // nodes, by Node::index, whose constants and results stay floats
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_PRECISION_H_
