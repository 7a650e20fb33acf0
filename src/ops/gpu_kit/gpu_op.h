// SPDX-License-Identifier: Apache-2.0
// The entry of an operation in the GPU registry: for each row OP(NAME, Name, ...) of op_table.inc,
// the operation's folder defines GpuOp NameGpu().
#ifndef TERN_OPS_GPU_KIT_GPU_OP_H_
#define TERN_OPS_GPU_KIT_GPU_OP_H_

#include "gpu/lower/lowering_table.h"

namespace tern::gpu {

struct GpuOp {
  LowerFunction lower = nullptr;  // nullptr: no GPU form
  OpTraits traits = {};
};

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_GPU_OP_H_
