// SPDX-License-Identifier: Apache-2.0
// A texel has four numbers, as slices have there (plan/tuning_table.cc).
#include "gpu/plan/texel_buffers.h"

namespace tern::gpu {
namespace {

bool HasTexels(const PlanTensor& tensor, int64_t max_texels) {
  const TensorDesc& desc = tensor.desc;
  const bool own = tensor.role == Role::kTemp || tensor.role == Role::kConstant;
  return own && RowOf(desc.element).glsl_texels != nullptr && desc.layout != Layout::kRows &&
         tensor.bytes <= BytesOf(desc.element, max_texels * 4);
}

}  // namespace

void ReadByTexels(const std::vector<PlanTensor>& tensors, const DeviceInfo& device,
                  std::vector<Dispatch>& dispatches) {
  for (Dispatch& dispatch : dispatches) {
    int count = 0;
    for (Binding& binding : dispatch.bindings) {
      binding.texels = count < device.max_texel_buffers && binding.access == Access::kRead &&
                       HasTexels(tensors[binding.tensor], device.max_texels);
      if (binding.texels) ++count;
    }
  }
}

}  // namespace tern::gpu
