// SPDX-License-Identifier: Apache-2.0
// Operations by code: how each is lowered. The GPU supports a node exactly when this lowers it.
#ifndef TERN_GPU_LOWER_LOWERING_TABLE_H_
#define TERN_GPU_LOWER_LOWERING_TABLE_H_

#include "absl/status/status.h"
#include "gpu/graph/op_traits.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

using LowerFunction = absl::Status (*)(const Node& node, Lowering& lower);

class LoweringTable : public TraitsTable {
 public:
  // nullptr when the operation is unknown on the GPU.
  virtual LowerFunction FindLowering(const Node& node) const = 0;
  // Writes an output that is known before the run.
  virtual absl::Status WriteConstant(const Node& node, int output, Lowering& lower) const = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_LOWER_LOWERING_TABLE_H_
