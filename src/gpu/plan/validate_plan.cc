// SPDX-License-Identifier: Apache-2.0
// Limits are checked here, never hoped for.
#include "gpu/plan/validate_plan.h"

#include <limits>
#include <set>
#include <string>

#include "base/status.h"
#include "gpu/desc/reason.h"

namespace tern::gpu {
namespace {

absl::Status Beyond(const Dispatch& dispatch, std::string_view what, int64_t value, int64_t limit) {
  return Annotate(TooLarge(dispatch.label, ": ", what, " (", value, ", limit ", limit, ")"),
                  {Reason::kDeviceLimit, -1, Bound{value, limit}});
}

absl::Status ValidateNames(const Dispatch& dispatch) {
  std::set<std::string> names;
  auto add = [&](const std::string& name) { return names.insert(name).second; };
  for (const Binding& b : dispatch.bindings) {
    if (!add(b.name)) return Invalid(dispatch.label, ": the name ", b.name, " is bound twice");
  }
  for (const ConstantView& v : dispatch.views) {
    if (!add(v.name)) return Invalid(dispatch.label, ": the name ", v.name, " is bound twice");
  }
  for (const Uniform& u : dispatch.uniforms) {
    if (!add(u.name)) return Invalid(dispatch.label, ": the name ", u.name, " is bound twice");
  }
  return absl::OkStatus();
}

absl::Status ValidateTensors(const std::vector<PlanTensor>& tensors, const Dispatch& dispatch,
                             int slice_width) {
  const int count = static_cast<int>(tensors.size());
  for (const Binding& b : dispatch.bindings) {
    if (b.tensor < 0 || b.tensor >= count)
      return Invalid(dispatch.label, ": ", b.name, " names no tensor");
    if (b.role != BindingRole::kOperand) continue;
    const TensorDesc& own = tensors[b.tensor].desc;
    if (own.layout == Layout::kVector) continue;
    TensorDesc seen = own;
    seen.box = b.box;
    if (seen.Bytes(slice_width) != own.Bytes(slice_width)) {
      return Invalid(dispatch.label, ": ", b.name, " is seen as ", ToString(b.box), " but is ",
                     ToString(own));
    }
  }
  const int bindings = static_cast<int>(dispatch.bindings.size());
  for (const EpilogueOp& step : dispatch.epilogue) {
    if (step.operand && (*step.operand < 0 || *step.operand >= bindings))
      return Invalid(dispatch.label, ": a fused operand names no tensor");
  }
  return absl::OkStatus();
}

absl::Status ValidateSize(const PlanTensor& tensor, const DeviceInfo& device) {
  if (tensor.bytes > device.max_buffer_bytes) {
    return Annotate(TooLarge("tensor '", tensor.name, "' takes ", tensor.bytes,
                             " bytes, the device allows ", device.max_buffer_bytes),
                    {Reason::kDeviceLimit, -1, Bound{tensor.bytes, device.max_buffer_bytes}});
  }
  // Kernels address elements with ints.
  constexpr int64_t kMaxDeviceElements = std::numeric_limits<int32_t>::max();
  const int64_t elements = tensor.bytes * 8 / BitsOf(tensor.desc.element);
  if (elements > kMaxDeviceElements) {
    return Annotate(TooLarge("tensor '", tensor.name, "' has ", elements,
                             " elements on the device, kernels address ", kMaxDeviceElements),
                    {Reason::kDeviceLimit, -1, Bound{elements, kMaxDeviceElements}});
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateDispatch(const std::vector<PlanTensor>& tensors, const Dispatch& dispatch,
                              const DeviceInfo& device, int slice_width) {
  TERN_RETURN_IF_ERROR(ValidateTensors(tensors, dispatch, slice_width));
  TERN_RETURN_IF_ERROR(ValidateNames(dispatch));
  const int buffers = static_cast<int>(dispatch.bindings.size());
  if (buffers > device.max_buffers)
    return Beyond(dispatch, "too many buffers", buffers, device.max_buffers);
  if (dispatch.loop_iterations > device.max_loop_iterations) {
    return Beyond(dispatch, "too many rounds of loops for one work-item", dispatch.loop_iterations,
                  device.max_loop_iterations);
  }
  int64_t items = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const int size = dispatch.group[axis];
    if (size > device.max_group[axis])
      return Beyond(dispatch, "group too large", size, device.max_group[axis]);
    if (size > 0) {
      items *= size;
      const int64_t groups = (int64_t{dispatch.grid[axis]} + size - 1) / size;
      if (groups > device.max_grid_groups[axis]) {
        return Beyond(dispatch, "too many groups", groups, device.max_grid_groups[axis]);
      }
    }
  }
  if (items > device.max_group_items)
    return Beyond(dispatch, "group too large", items, device.max_group_items);
  int64_t local = 0;
  for (const LocalArray& array : dispatch.locals) {
    local += int64_t{array.length} * 4 * (array.slices ? slice_width : 1);
  }
  if (local > device.local_memory_bytes) {
    return Beyond(dispatch, "too much local memory", local, device.local_memory_bytes);
  }
  return absl::OkStatus();
}

std::vector<Excess> FindExcesses(const Plan& plan, const DeviceInfo& device) {
  std::vector<Excess> excesses;
  for (size_t i = 0; i < plan.dispatches.size(); ++i) {
    const absl::Status status =
        ValidateDispatch(plan.tensors, plan.dispatches[i], device, plan.tuning.slice_width);
    if (!status.ok()) excesses.push_back({.status = status, .dispatch = static_cast<int>(i)});
  }
  for (size_t i = 0; i < plan.tensors.size(); ++i) {
    const absl::Status status = ValidateSize(plan.tensors[i], device);
    if (!status.ok()) excesses.push_back({.status = status, .tensor = static_cast<TensorId>(i)});
  }
  return excesses;
}

absl::Status ValidatePlan(const Plan& plan, const DeviceInfo& device) {
  const std::vector<Excess> excesses = FindExcesses(plan, device);
  return excesses.empty() ? absl::OkStatus() : excesses.front().status;
}

}  // namespace tern::gpu
