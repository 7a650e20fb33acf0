// SPDX-License-Identifier: Apache-2.0
// A tensor of a plan: what it is for, how it lies in memory, and where.
#ifndef TERN_GPU_DESC_PLAN_TENSOR_H_
#define TERN_GPU_DESC_PLAN_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gpu/desc/constant_part.h"
#include "gpu/desc/tensor_desc.h"

namespace tern::gpu {

enum class Role {
  kInput,     // filled by the user before each run; own memory or the user's, row-major
  kOutput,    // read by the user after each run; own memory or the user's, row-major
  kTemp,      // lives between dispatches, at `offset` in an arena that such tensors share
  kConstant,  // uploaded once, at `offset` in a buffer of constants
  kFlags,     // zero before each run; own memory
};

struct PlanTensor {
  std::string name;
  TensorDesc desc;
  Role role = Role::kTemp;
  int64_t bytes = 0;   // in device memory
  int buffer = 0;      // kTemp, kConstant: which of Plan::arenas, Plan::constants
  int64_t offset = 0;  // in it
  // kTemp: lies inside this tensor, an earlier one, at `offset`. -1: inside none.
  int inside = -1;
  IoConversion io_conversion = IoConversion::kAsIs;  // kInput, kOutput
  int64_t io_bytes = 0;                              // that the user has; kInput, kOutput
  // INT64 is two tensors of ints. This one holds the low half, and here is that of the high half,
  // known of inputs and outputs of the graph. -1: it is not INT64, or holds the high half itself.
  int high = -1;
  bool is_index = false;  // kInput: its numbers must fit 32 bits, kernels read the low half alone
  bool narrowed = false;  // halves stand for floats, by Storage
  float scale = 1;        // Element::kByte and kWhole
  int zero = 0;           // Element::kByte and kNibble
  std::vector<ConstantPart> parts;  // kConstant: its slices, in order
};

// Writes elements of a constant, from slice `first_slice` on, as they lie in device
// memory; `bytes` is whole slices.
using FillConstant = std::function<void(const PlanTensor& constant, int64_t first_slice,
                                        std::span<std::byte> bytes)>;

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_PLAN_TENSOR_H_
