// SPDX-License-Identifier: Apache-2.0
// One dispatch put together from what a lowering asks for.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "base/status.h"
#include "gpu/desc/kernel_text.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

std::optional<ElementwiseStep> ActivationStep(TfLiteFusedActivation activation) {
  switch (activation) {
    case kTfLiteActRelu:
      return ElementwiseStep{.expression = "max(v, splat(0.0))"};
    case kTfLiteActReluN1To1:
      return ElementwiseStep{.expression = "min(max(v, splat(-1.0)), splat(1.0))"};
    case kTfLiteActRelu6:
      return ElementwiseStep{.expression = "min(max(v, splat(0.0)), splat(6.0))"};
    default:
      return std::nullopt;
  }
}

DispatchBuilder::DispatchBuilder(Lowering* lowering, const Node* node, KernelId kernel)
    : lowering_(lowering), node_(node) {
  dispatch_.label = Label(*node);
  dispatch_.node = node->index;
  dispatch_.kernel = kernel;
}

void DispatchBuilder::Fail(absl::Status status) {
  if (status_.ok()) status_ = std::move(status);
}

DispatchBuilder& DispatchBuilder::Define(std::string name, int value) {
  dispatch_.defines.push_back({std::move(name), value});
  return *this;
}

DispatchBuilder& DispatchBuilder::Int(std::string name, int64_t value) {
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    Fail(lowering_->Unsupported(*node_, StrCat(name, " is too large for the GPU (", value, ")"),
                                {Reason::kDeviceLimit}));
    return *this;
  }
  dispatch_.uniforms.push_back({.name = std::move(name), .i = static_cast<int>(value)});
  return *this;
}

DispatchBuilder& DispatchBuilder::Float(std::string name, float value) {
  dispatch_.uniforms.push_back({.name = std::move(name), .is_float = true, .f = value});
  return *this;
}

DispatchBuilder& DispatchBuilder::Bind(std::string name, absl::StatusOr<TensorId> tensor,
                                       Access access, const Box& own,
                                       const std::optional<Box>& view) {
  if (!tensor.ok()) {
    Fail(lowering_->Unsupported(*node_, tensor.status()));
    return *this;
  }
  dispatch_.bindings.push_back({std::move(name), *tensor, access, view.value_or(own)});
  return *this;
}

DispatchBuilder& DispatchBuilder::Read(std::string name, int input, std::optional<Box> view) {
  const absl::StatusOr<const GraphTensor*> tensor = lowering_->Input(*node_, input);
  if (!tensor.ok()) {
    Fail(tensor.status());
    return *this;
  }
  return Bind(std::move(name), lowering_->PlanTensorOf(node_->inputs[input], lowering_->word_),
              Access::kRead, (*tensor)->box(), view);
}

DispatchBuilder& DispatchBuilder::ReadIndices(std::string name, int input,
                                              std::optional<Box> view) {
  const int word = std::exchange(lowering_->word_, 0);
  Read(std::move(name), input, view);
  lowering_->word_ = word;
  if (status_.ok()) lowering_->lowered_.tensors[dispatch_.bindings.back().tensor].is_index = true;
  return *this;
}

DispatchBuilder& DispatchBuilder::BindOutput(std::string name, int output, Access access,
                                             const std::optional<Box>& view) {
  const absl::StatusOr<const GraphTensor*> tensor = lowering_->Output(*node_, output);
  if (!tensor.ok()) {
    Fail(tensor.status());
    return *this;
  }
  if (output == 0) {
    writes_output_ = true;
    dst_own_box_ = (*tensor)->box();
    dst_box_ = view.value_or(dst_own_box_);
  } else if (!writes_output_) {
    dst_own_box_ = dst_box_ = view.value_or((*tensor)->box());
  }
  return Bind(std::move(name), lowering_->PlanTensorOf(node_->outputs[output], lowering_->word_),
              access, (*tensor)->box(), view);
}

DispatchBuilder& DispatchBuilder::Write(std::string name, int output, std::optional<Box> view) {
  return BindOutput(std::move(name), output, Access::kWrite, view);
}

DispatchBuilder& DispatchBuilder::ReadWrite(std::string name, int output, std::optional<Box> view) {
  return BindOutput(std::move(name), output, Access::kReadWrite, view);
}

DispatchBuilder& DispatchBuilder::ReadTemp(std::string name, TensorId temp,
                                           std::optional<Box> view) {
  return Bind(std::move(name), temp, Access::kRead, lowering_->lowered_.tensors[temp].desc.box,
              view);
}

DispatchBuilder& DispatchBuilder::WriteTemp(std::string name, TensorId temp,
                                            std::optional<Box> view) {
  // The steps of a dispatch without output 0 run on what it writes.
  if (!writes_output_) dst_own_box_ = dst_box_ = view.value_or(lowering_->TempBox(temp));
  return Bind(std::move(name), temp, Access::kWrite, lowering_->lowered_.tensors[temp].desc.box,
              view);
}

DispatchBuilder& DispatchBuilder::Constant(std::string name, int64_t slices,
                                           std::function<void(std::span<float>)> fill) {
  constants_.push_back({std::move(name), slices, std::move(fill)});
  return *this;
}

DispatchBuilder& DispatchBuilder::ConstantsIn(TensorId temp, std::vector<ConstantView> views) {
  dispatch_.constants = temp;
  dispatch_.views = std::move(views);
  return *this;
}

DispatchBuilder& DispatchBuilder::ZeroSlice() {
  zero_slice_ = true;
  return *this;
}

DispatchBuilder& DispatchBuilder::Local(std::string name, LocalArray::Type type, int length) {
  dispatch_.locals.push_back({std::move(name), type, length});
  return *this;
}

DispatchBuilder& DispatchBuilder::Step(ElementwiseStep step) {
  own_steps_.push_back({std::move(step)});
  return *this;
}

DispatchBuilder& DispatchBuilder::StepWithTemp(ElementwiseStep step, TensorId temp) {
  own_steps_.push_back({std::move(step), temp});
  return *this;
}

DispatchBuilder& DispatchBuilder::AddInput(int input) {
  const absl::StatusOr<const GraphTensor*> tensor = lowering_->Input(*node_, input);
  if (!tensor.ok()) {
    Fail(tensor.status());
    return *this;
  }
  return Step({.expression = "v + w", .operand = node_->inputs[input]});
}

DispatchBuilder& DispatchBuilder::Activation(TfLiteFusedActivation activation) {
  if (std::optional<ElementwiseStep> step = ActivationStep(activation))
    own_steps_.push_back({*std::move(step)});
  return *this;
}

DispatchBuilder& DispatchBuilder::Loop(std::initializer_list<int64_t> nest) {
  constexpr int64_t kMany = int64_t{1} << 31;  // above any limit, and products of two fit
  int64_t rounds = 0;
  for (auto loop = std::rbegin(nest); loop != std::rend(nest); ++loop) {
    // Drivers that count take leaving a loop for a round, too.
    rounds = std::min(std::min(*loop, kMany) * (rounds + 1), kMany) + 1;
  }
  dispatch_.loop_rounds += rounds;
  return *this;
}

DispatchBuilder& DispatchBuilder::Grid(int64_t x, int64_t y, int64_t z) {
  for (int64_t extent : {x, y, z}) {
    if (extent > std::numeric_limits<int>::max()) {
      Fail(lowering_->Unsupported(*node_, StrCat("the work grid is too large (", extent, ")"),
                                  {Reason::kDeviceLimit}));
      return *this;
    }
  }
  dispatch_.grid = {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
  return *this;
}

DispatchBuilder& DispatchBuilder::Group(int x, int y, int z) {
  dispatch_.group = {x, y, z};
  return *this;
}

absl::Status DispatchBuilder::AttachChain() {
  std::vector<OwnStep> chain = std::move(own_steps_);
  if (writes_output_) {
    dispatch_.fused = node_->fused;
    for (const ElementwiseStep& step : node_->chain) chain.push_back({step});
  }
  for (auto& [step, temp] : chain) {
    Box box;
    if (step.operand || temp >= 0) {
      box = temp >= 0 ? lowering_->TempBox(temp) : lowering_->graph_.tensors[*step.operand].box();
      const bool flat = !(dst_box_ == dst_own_box_);
      if (flat && box.h == dst_own_box_.h && box.w == dst_own_box_.w) box = Lowering::Flat(box);
      absl::StatusOr<TensorId> id = temp >= 0 ? temp : lowering_->PlanTensorOf(*step.operand, 0);
      if (!id.ok()) return lowering_->Unsupported(*node_, id.status());
      if (!BroadcastsTo(box, dst_box_)) {
        return lowering_->Unsupported(
            *node_, StrCat("operand of shape ", ToString(box), " does not broadcast to ",
                           ToString(dst_box_)));
      }
      step.operand = *id;
    }
    dispatch_.chain.push_back(std::move(step));
    dispatch_.chain_boxes.push_back(box);
  }
  return absl::OkStatus();
}

DispatchBuilder& DispatchBuilder::ShareConstants(std::string key) {
  shared_key_ = std::move(key);
  return *this;
}

void DispatchBuilder::PackConstants() {
  if (dispatch_.constants >= 0 && !constants_.empty()) {
    return Fail(Invalid(dispatch_.label, ": constants of two kinds"));
  }
  if (dispatch_.constants >= 0 || (constants_.empty() && !zero_slice_)) return;
  if (const auto known = lowering_->shared_constants_.find(shared_key_);
      known != lowering_->shared_constants_.end()) {
    dispatch_.constants = known->second.tensor;
    dispatch_.views = known->second.views;
    return;
  }
  const int width = lowering_->slice_width();
  int64_t slices = 1;  // slice 0: zeros
  for (const ConstantPart& part : constants_) {
    dispatch_.views.push_back({part.name, static_cast<int>(slices)});
    slices += part.slices;
  }
  if (slices * width > std::numeric_limits<int>::max()) {
    Fail(lowering_->Unsupported(
        *node_, StrCat("constants are too large for the GPU (", slices * width, " numbers)"),
        {Reason::kDeviceLimit}));
    return;
  }
  PlanTensor packed;
  packed.name = StrCat(dispatch_.label, " constants");
  packed.role = Role::kConstant;
  packed.desc = {
      {1, 1, static_cast<int>(slices), width}, Layout::kVector, lowering_->InnerElement()};
  packed.bytes = packed.desc.Bytes(width);
  if (!lowering_->dry_run_) {
    packed.values.assign(static_cast<size_t>(slices * width), 0.0f);
    for (size_t i = 0; i < constants_.size(); ++i) {
      const size_t first = static_cast<size_t>(dispatch_.views[i].first) * width;
      constants_[i].fill(
          std::span<float>(packed.values).subspan(first, constants_[i].slices * width));
    }
  }
  lowering_->lowered_.tensors.push_back(std::move(packed));
  dispatch_.constants = static_cast<TensorId>(lowering_->lowered_.tensors.size()) - 1;
  if (!shared_key_.empty()) {
    lowering_->shared_constants_[shared_key_] = {dispatch_.constants, dispatch_.views};
  }
}

absl::Status DispatchBuilder::Emit() {
  if (dispatch_.loop_rounds == 0 &&
      std::strstr(KernelText(dispatch_.kernel), "for (int ") != nullptr) {
    Fail(Invalid(dispatch_.label, ": the loops of ", KernelName(dispatch_.kernel),
                 " are not declared"));
  }
  if (status_.ok()) Fail(AttachChain());
  if (status_.ok()) PackConstants();
  TERN_RETURN_IF_ERROR(status_);
  lowering_->lowered_.dispatches.push_back(std::move(dispatch_));
  return absl::OkStatus();
}

}  // namespace tern::gpu
