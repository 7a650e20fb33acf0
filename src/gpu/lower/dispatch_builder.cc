// SPDX-License-Identifier: Apache-2.0
// One dispatch put together from what a lowering asks for.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "base/status.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

EpilogueOp ClampStep(float min, float max) {
  return {.expression = kClampExpression, .a = min, .b = max};
}

std::optional<EpilogueOp> ActivationStep(TfLiteFusedActivation activation) {
  switch (activation) {
    case kTfLiteActRelu:
      return ClampStep(0, kInfinity);
    case kTfLiteActReluN1To1:
      return ClampStep(-1, 1);
    case kTfLiteActRelu6:
      return ClampStep(0, 6);
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

DispatchBuilder& DispatchBuilder::Kernel(KernelId kernel) {
  dispatch_.kernel = kernel;
  return *this;
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
  return ReadInt64Half(std::move(name), input, node_->int64_half, view);
}

DispatchBuilder& DispatchBuilder::ReadInt64Half(std::string name, int input, int half,
                                                std::optional<Box> view) {
  const absl::StatusOr<const GraphTensor*> tensor = lowering_->Input(*node_, input);
  if (!tensor.ok()) {
    Fail(tensor.status());
    return *this;
  }
  if (half == 1 && (*tensor)->type == kTfLiteInt64 && (*tensor)->high < 0) {
    Fail(Invalid(dispatch_.label, ": '", (*tensor)->name, "' has no high half"));
    return *this;
  }
  const TensorId id = lowering_->graph_.Int64HalfOf(*node_, static_cast<size_t>(input), half);
  const bool elements = node_->ReadsElements(input);
  Bind(std::move(name),
       elements && (*tensor)->is_constant() ? lowering_->AddConstant(id, Decoding::kStored)
                                            : lowering_->PlanTensorOf(id),
       Access::kRead, (*tensor)->box(), view);
  if (status_.ok()) dispatch_.bindings.back().elements = elements;
  return *this;
}

DispatchBuilder& DispatchBuilder::ReadIndices(std::string name, int input,
                                              std::optional<Box> view) {
  ReadInt64Half(std::move(name), input, 0, view);
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
  return Bind(std::move(name), lowering_->PlanTensorOf(node_->outputs[output]), access,
              (*tensor)->box(), view);
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

DispatchBuilder& DispatchBuilder::AddPart(std::string name, int input, ConstantPart part) {
  if (input >= 0) {
    const absl::StatusOr<const GraphTensor*> tensor = lowering_->Constant(*node_, input);
    if (!tensor.ok()) {
      Fail(tensor.status());
      return *this;
    }
    const absl::StatusOr<int> source = lowering_->SourceOf(node_->inputs[input], part.decoding);
    if (!source.ok()) {
      Fail(lowering_->Unsupported(*node_, source.status()));
      return *this;
    }
    part.source = *source;
  }
  constant_names_.push_back(std::move(name));
  constants_.push_back(std::move(part));
  return *this;
}

DispatchBuilder& DispatchBuilder::ConstantRow(std::string name, int64_t slices, int input,
                                              int64_t count, Decoding decoding, int64_t first) {
  return AddPart(std::move(name), input,
                 {.slices = slices,
                  .decoding = decoding,
                  .first = first,
                  .packing = Box{1, 1, 1, static_cast<int>(count)}});
}

DispatchBuilder& DispatchBuilder::ConstantBox(std::string name, int input, const Box& box,
                                              Decoding decoding) {
  const int64_t slices = int64_t{box.b} * box.h * box.w * lowering_->Slices(box.c);
  return AddPart(std::move(name), input, {.slices = slices, .decoding = decoding, .packing = box});
}

DispatchBuilder& DispatchBuilder::ConstantFilter(std::string name, int input,
                                                 const FilterPacking& packing, Decoding decoding,
                                                 int64_t first) {
  return AddPart(std::move(name), input,
                 {.slices = packing.filter_slices(),
                  .decoding = decoding,
                  .first = first,
                  .packing = packing});
}

DispatchBuilder& DispatchBuilder::PackableFilter(std::string name, int input,
                                                 const FilterPacking& packing, Decoding decoding,
                                                 int64_t first) {
  ConstantFilter(std::move(name), input, packing, decoding, first);
  if (!status_.ok() || !lowering_->tuning_.packed) return *this;
  const TensorId id = node_->inputs[input];
  const std::optional<PackedForm> form =
      PackedFormOf(lowering_->graph_.tensors[id], decoding, packing, first);
  if (form && BitsOf(form->element) < BitsOf(lowering_->ConstantElement()))
    filter_ = {constants_.size() - 1, id, *form};
  return *this;
}

DispatchBuilder& DispatchBuilder::Requantize(int64_t slices, int channels) {
  // A bias may have more bits than a float, and multipliers do.
  constexpr int kBiasBits = 12, kMultiplierBits = 16;
  const Requantization& how = *node_->requantization;
  dispatch_.finish = how.finish;
  dispatch_.sums = how.sums;
  const auto high = [](int32_t v) { return v >> kMultiplierBits; };
  const auto low = [](int32_t v) { return v & ((1 << kMultiplierBits) - 1); };
  const auto add = [&](const char* name, const auto& from, auto number) {
    std::vector<float> values;
    for (const auto& one : from) values.push_back(static_cast<float>(number(one)));
    AddPart(name, -1,
            {.slices = slices, .values = std::move(values), .packing = Box{1, 1, 1, channels}});
  };
  const auto is_float = [](int32_t b) { return static_cast<double>(static_cast<float>(b)) == b; };
  if (std::all_of(how.bias.begin(), how.bias.end(), is_float)) {
    add("bias", how.bias, [](int32_t b) { return b; });
  } else {
    add("bias", how.bias, [](int32_t b) { return (b >> kBiasBits) * (1 << kBiasBits); });
    add("bias_rest", how.bias, [](int32_t b) { return b & ((1 << kBiasBits) - 1); });
  }
  add("multiplier_high", how.multipliers, [&](const Multiplier& m) { return high(m.value); });
  add("multiplier_low", how.multipliers, [&](const Multiplier& m) { return low(m.value); });
  if (!how.fractions.empty()) {
    add("fraction_high", how.fractions, high);
    add("fraction_low", how.fractions, low);
  }
  add("shift", how.multipliers, [](const Multiplier& m) { return m.shift; });
  return Int("least_element", how.range.min).Int("most_element", how.range.max);
}

DispatchBuilder& DispatchBuilder::IntSums() {
  dispatch_.sums = Number::kInt;
  return *this;
}

DispatchBuilder& DispatchBuilder::HalfSums(int64_t products) {
  may_sum_halves_ = products <= kMaxHalfSum;
  return *this;
}

DispatchBuilder& DispatchBuilder::HalfParts(int64_t slices) {
  // Fewer are no gain over sums of floats, and more take registers for what is read ahead.
  constexpr int kMaxChannels = 16, kMinChannels = 8;
  const int width = lowering_->slice_width();
  int parts = kMaxChannels / width;
  while (parts > 0 && slices % parts != 0) parts /= 2;
  parts_ = parts * width >= kMinChannels ? parts : 0;
  may_sum_halves_ = *parts_ > 0;
  return *this;
}

// Sums are halves where the storage asks for it and all that the kernel reads are halves.
bool DispatchBuilder::SumsHalves() const {
  if (lowering_->storage_.sums != Precision::kF16 || !may_sum_halves_) return false;
  // A kernel that loops over channels is one for processors.
  const bool loops = std::any_of(dispatch_.defines.begin(), dispatch_.defines.end(),
                                 [](const auto& define) { return define.name == "LANE_LOOP"; });
  const auto is_half = [this](TensorId id) {
    const TensorDesc& desc = lowering_->lowered_.tensors[id].desc;
    return desc.element == Element::kFloat16 && desc.layout != Layout::kRows;
  };
  return !loops && std::all_of(dispatch_.bindings.begin(), dispatch_.bindings.end(),
                               [&](const Binding& binding) {
                                 return binding.access != Access::kRead ||
                                        binding.role == BindingRole::kEpilogue ||
                                        is_half(binding.tensor);
                               });
}

DispatchBuilder& DispatchBuilder::BlockFilter(std::string name, std::string scales, int input,
                                              const FilterPacking& packing) {
  ConstantFilter(std::move(name), input, packing, Decoding::kWeights);
  block_scales_ = std::move(scales);
  if (!status_.ok() || !lowering_->tuning_.packed) return *this;
  const TensorId id = node_->inputs[input];
  const std::optional<PackedForm> form = PackedBlocksOf(lowering_->graph_.tensors[id]);
  if (form) filter_ = {constants_.size() - 1, id, *form};
  return *this;
}

DispatchBuilder& DispatchBuilder::ConstantValues(std::string name, std::vector<float> values) {
  const Box row{1, 1, 1, static_cast<int>(values.size())};
  return AddPart(std::move(name), -1,
                 {.slices = row.slices(lowering_->slice_width()),
                  .values = std::move(values),
                  .packing = row});
}

DispatchBuilder& DispatchBuilder::ConstantsIn(TensorId temp, std::vector<ConstantView> views) {
  constants_in_ = temp;
  dispatch_.views = std::move(views);
  return *this;
}

DispatchBuilder& DispatchBuilder::ZeroSlice() {
  zero_slice_ = true;
  return *this;
}

DispatchBuilder& DispatchBuilder::LocalNumbers(std::string name, int length) {
  dispatch_.locals.push_back({std::move(name), length});
  return *this;
}

DispatchBuilder& DispatchBuilder::LocalSlices(std::string name, int length) {
  dispatch_.locals.push_back({std::move(name), length, /*slices=*/true});
  return *this;
}

DispatchBuilder& DispatchBuilder::LocalSums(std::string name, int length) {
  dispatch_.locals.push_back({std::move(name), length, /*slices=*/true, /*sums=*/true});
  return *this;
}

DispatchBuilder& DispatchBuilder::Step(EpilogueOp step) {
  own_steps_.push_back({std::move(step)});
  return *this;
}

DispatchBuilder& DispatchBuilder::StepWithTemp(EpilogueOp step, TensorId temp) {
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
  if (node_->requantization) return *this;
  if (std::optional<EpilogueOp> step = ActivationStep(activation))
    own_steps_.push_back({*std::move(step)});
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

// Memory gets stored values, epilogue ops get real values.
void DispatchBuilder::WriteElements() {
  const auto dst =
      std::find_if(dispatch_.bindings.begin(), dispatch_.bindings.end(),
                   [](const Binding& binding) { return binding.access != Access::kRead; });
  if (dst == dispatch_.bindings.end()) return;
  // A view of an output that is given as floats holds numbers.
  const Element element = lowering_->lowered_.tensors[dst->tensor].desc.element;
  if (own_steps_.empty() && node_->epilogue.empty() && HoldsElements(element)) {
    dst->elements = true;
  } else {
    own_steps_.insert(own_steps_.begin(),
                      {{.expression = "v * splat(a)", .a = node_->requantization->scale}});
  }
}

absl::Status DispatchBuilder::AttachEpilogue() {
  if (dispatch_.finish != Finish::kReal) WriteElements();
  std::vector<OwnStep> epilogue = std::move(own_steps_);
  if (writes_output_) {
    dispatch_.fused = node_->fused;
    for (const EpilogueOp& step : node_->epilogue) epilogue.push_back({step});
  }
  for (auto& [step, temp] : epilogue) {
    if (step.operand || temp >= 0) {
      Box box =
          temp >= 0 ? lowering_->TempBox(temp) : lowering_->graph_.tensors[*step.operand].box();
      const bool flat = !(dst_box_ == dst_own_box_);
      if (flat && !step.lookup && box.h == dst_own_box_.h && box.w == dst_own_box_.w)
        box = Lowering::Flat(box);
      absl::StatusOr<TensorId> id = temp >= 0 ? temp : lowering_->PlanTensorOf(*step.operand);
      if (!id.ok()) return lowering_->Unsupported(*node_, id.status());
      if (!step.lookup && !step.FitsTo(box, dst_box_)) {
        return lowering_->Unsupported(
            *node_, StrCat("operand of shape ", ToString(box), " does not broadcast to ",
                           ToString(dst_box_)));
      }
      step.operand = BindEpilogueOperand(*id, box, dispatch_);
    }
    dispatch_.epilogue.push_back(std::move(step));
  }
  return absl::OkStatus();
}

TensorId DispatchBuilder::PackFilter() {
  constexpr int kConstantsAndPacked = 2;
  const int buffers = static_cast<int>(dispatch_.bindings.size()) + kConstantsAndPacked;
  if (!filter_ || buffers > lowering_->device().max_buffers ||
      constants_[filter_->part].slices * lowering_->slice_width() >
          std::numeric_limits<int>::max()) {
    return -1;
  }
  const auto at = static_cast<std::ptrdiff_t>(filter_->part);
  ConstantPart filter = std::move(constants_[filter_->part]);
  constants_.erase(constants_.begin() + at);
  std::string name = std::move(constant_names_[filter_->part]);
  constant_names_.erase(constant_names_.begin() + at);
  const FilterPacking packing = std::get<FilterPacking>(filter.packing);
  const int source = filter.source;
  filter.decoding = filter_->form.decoding;
  PlanTensor packed;
  packed.desc.element = filter_->form.element;
  packed.zero = filter_->form.zero;
  packed.parts.push_back(std::move(filter));
  const TensorId id = lowering_->AddVector(dispatch_.label, std::move(packed));
  dispatch_.views.push_back({std::move(name), 0, /*packed=*/true});
  if (IsPacked(filter_->form.element) && dispatch_.finish == Finish::kReal) {
    constant_names_.push_back(block_scales_.empty() ? "scale" : block_scales_);
    constants_.push_back(ScalesOf(packing, source));
  }
  return id;
}

ConstantPart DispatchBuilder::ScalesOf(const FilterPacking& packing, int source) const {
  ConstantPart scales = {.slices = packing.bias_slices(),
                         .source = source,
                         .decoding = Decoding::kScales,
                         .packing = Box{1, 1, 1, packing.out_channels}};
  if (block_scales_.empty()) return scales;
  // Scales by block lie as a filter whose taps are the blocks of a row.
  const int blocks =
      static_cast<int>(packing.out_step) / lowering_->graph_.tensors[filter_->id].blocks()->size;
  const FilterPacking by_block = {.out_channels = packing.out_channels,
                                  .group_out = packing.out_channels,
                                  .taps = blocks,
                                  .blocks = packing.blocks,
                                  .lanes = 1,
                                  .slices = packing.slices,
                                  .out_step = blocks};
  scales.slices = by_block.filter_slices();
  scales.packing = by_block;
  return scales;
}

bool DispatchBuilder::LanesInMemory(std::string_view name, bool with_zero) const {
  if (!lowering_->tuning_.lanes_from_memory) return false;
  // The zeros lie among constants of the model, those that the device makes, or scales of packed
  // weights, which are floats whatever the others are.
  const auto like_constants = [this](Element element) {
    return (element == Element::kFloat32 || element == Element::kWhole) &&
           lowering_->ConstantElement() == Element::kFloat32 &&
           lowering_->ActivationElement() == Element::kFloat32;
  };
  return std::any_of(
      dispatch_.bindings.begin(), dispatch_.bindings.end(), [&](const Binding& binding) {
        const TensorDesc& desc = lowering_->lowered_.tensors[binding.tensor].desc;
        return binding.name == name && desc.layout != Layout::kVector && !IsPacked(desc.element) &&
               (desc.element != Element::kWhole || binding.elements) &&
               (!with_zero || like_constants(desc.element));
      });
}

absl::Status DispatchBuilder::PackConstants() {
  if (constants_in_ >= 0) {
    if (!constants_.empty()) return Invalid(dispatch_.label, ": constants of two kinds");
    dispatch_.bindings.push_back(gpu::ConstantsIn(constants_in_));
    return absl::OkStatus();
  }
  if (constants_.empty() && !zero_slice_) return absl::OkStatus();
  const TensorId packed = PackFilter();
  const bool scaled = packed >= 0 && IsPacked(filter_->form.element);
  if (!block_scales_.empty()) Define("SCALED", scaled);
  PlanTensor made;
  // Halves do not hold the scales of weights.
  made.desc.element = scaled ? Element::kFloat32 : lowering_->ConstantElement();
  made.parts.push_back({.slices = 1});  // zeros
  int64_t slices = 1;
  for (size_t i = 0; i < constants_.size(); ++i) {
    if (i == 0 || constant_names_[i] != constant_names_[i - 1])
      dispatch_.views.push_back({constant_names_[i], static_cast<int>(slices)});
    slices += constants_[i].slices;
    made.parts.push_back(std::move(constants_[i]));
    if (slices * lowering_->slice_width() > std::numeric_limits<int>::max()) {
      return lowering_->Unsupported(*node_, StrCat("constants are too large for the GPU (",
                                                   slices * lowering_->slice_width(), " numbers)"));
    }
  }
  dispatch_.bindings.push_back(
      gpu::ConstantsIn(lowering_->AddVector(dispatch_.label, std::move(made))));
  if (packed >= 0) dispatch_.bindings.push_back(PackedIn(packed));
  return absl::OkStatus();
}

absl::Status DispatchBuilder::Emit() {
  if (status_.ok()) Fail(AttachEpilogue());
  if (status_.ok()) Fail(PackConstants());
  if (status_.ok()) dispatch_.half_sums = SumsHalves();
  if (parts_) Define("PARTS", dispatch_.half_sums ? *parts_ : 0);
  TERN_RETURN_IF_ERROR(status_);
  lowering_->lowered_.dispatches.push_back(std::move(dispatch_));
  return absl::OkStatus();
}

}  // namespace tern::gpu
