// SPDX-License-Identifier: Apache-2.0
// A texel has four numbers, as slices have there (plan/tuning_table.cc).
#include "gpu/plan/texel_buffers.h"

namespace tern::gpu {
namespace {

// Of the memory that a texel buffer has to hold for a tensor.
int64_t BytesFor(TensorId id, const Plan& plan, const DeviceInfo& device) {
  if (!device.whole_texels) return plan.tensors[id].bytes;
  while (plan.tensors[id].inside >= 0) id = plan.tensors[id].inside;
  const PlanTensor& tensor = plan.tensors[id];
  return (tensor.role == Role::kConstant ? plan.constants : plan.arenas)[tensor.buffer];
}

bool HasTexels(TensorId id, const Plan& plan, const DeviceInfo& device) {
  const PlanTensor& tensor = plan.tensors[id];
  const TensorDesc& desc = tensor.desc;
  const bool own = tensor.role == Role::kTemp || tensor.role == Role::kConstant;
  return own && RowOf(desc.element).glsl_texels != nullptr && desc.layout != Layout::kRows &&
         BytesFor(id, plan, device) <= BytesOf(desc.element, device.max_texels * 4);
}

}  // namespace

void ReadByTexels(Plan& plan, const DeviceInfo& device) {
  for (Dispatch& dispatch : plan.dispatches) {
    int count = 0;
    for (Binding& binding : dispatch.bindings) {
      binding.texels = count < device.max_texel_buffers && binding.access == Access::kRead &&
                       HasTexels(binding.tensor, plan, device);
      if (binding.texels) ++count;
    }
  }
}

}  // namespace tern::gpu
