// SPDX-License-Identifier: Apache-2.0
// Operands and tensors of a lowering.
#include "gpu/lower/lowering.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/status.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::gpu {
namespace {

absl::StatusOr<const TypeRow*> TypeOf(const GraphTensor& tensor) {
  if (const TypeRow* row = FindType(tensor.type)) return row;
  return Annotate(Unsupported("tensor '", tensor.name, "' has type ",
                              TfLiteTypeGetName(tensor.type), ", which the GPU does not take"),
                  {Reason::kTensorType});
}

Element RealElement(Precision precision) {
  return precision == Precision::kF16 ? Element::kFloat16 : Element::kFloat32;
}

}  // namespace

Lowering::Lowering(const Graph& graph, const DeviceInfo& device, const Tuning& tuning,
                   const Storage& storage)
    : graph_(graph),
      device_(device),
      tuning_(tuning),
      node_tuning_(&tuning.common),
      storage_(storage) {
  if (storage.floats.empty()) return;
  const auto add_constant = [&](TensorId id) {
    if (id >= 0 && graph.tensors[id].is_constant()) float_ids_.insert(graph.Whole(id));
  };
  for (const Node& node : graph.nodes) {
    if (storage.floats.count(node.index) == 0) continue;
    for (const TensorId id : node.outputs) {
      if (id >= 0) float_ids_.insert(graph.Whole(id));
    }
    for (const TensorId id : node.inputs) add_constant(id);
    for (const EpilogueOp& step : node.epilogue) add_constant(step.operand.value_or(-1));
  }
}

void Lowering::Begin(const Node& node) {
  floats_ = storage_.floats.count(node.index) != 0;
  node_tuning_ = &tuning_.Of(node.index);
}

Element Lowering::ConstantElement() const {
  return floats_ ? Element::kFloat32 : RealElement(storage_.weights);
}

Element Lowering::ActivationElement() const {
  return floats_ ? Element::kFloat32 : RealElement(storage_.activations);
}

Element Lowering::ElementOf(TensorId id, const TypeRow& type) const {
  if (graph_.LiesInRows(id) || type.element != Element::kFloat32) return type.element;
  const std::optional<QuantizedType>& quantized = graph_.tensors[id].quantized;
  if (quantized && quantized->can_hold_elements())
    return tuning_.packed && NarrowBytes(quantized->type) == 1 ? Element::kByte : Element::kWhole;
  return float_ids_.count(graph_.Whole(id)) != 0 ? Element::kFloat32
                                                 : RealElement(storage_.activations);
}

bool Lowering::Has(const Node& node, int input) const {
  return input >= 0 && input < static_cast<int>(node.inputs.size()) && node.inputs[input] >= 0;
}

absl::StatusOr<const GraphTensor*> Lowering::Input(const Node& node, int input) const {
  if (!Has(node, input))
    return Unsupported(node, StrCat("operand ", input, " is missing"), {Reason::kOperands});
  return &graph_.tensors[node.inputs[input]];
}

absl::StatusOr<const GraphTensor*> Lowering::Output(const Node& node, int output) const {
  if (output >= static_cast<int>(node.outputs.size()) || node.outputs[output] < 0) {
    return Unsupported(node, StrCat("output ", output, " is missing"), {Reason::kOperands});
  }
  return &graph_.tensors[node.outputs[output]];
}

absl::StatusOr<const GraphTensor*> Lowering::Constant(const Node& node, int input) const {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, Input(node, input));
  if (!tensor->is_constant()) {
    return Unsupported(node, StrCat("operand ", input, " is not constant"),
                       {Reason::kNotConstant, node.inputs[input]});
  }
  return tensor;
}

absl::Status Lowering::CheckNumbers(const Node& node, int input) const {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, Constant(node, input));
  const absl::Status status = CheckDecoding(*tensor, Decoding::kReal);
  if (status.ok()) return status;
  return Unsupported(node, Annotate(status, {.tensor = node.inputs[input]}));
}

absl::StatusOr<float> Lowering::FirstNumber(const Node& node, int input) const {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, Constant(node, input));
  absl::StatusOr<float> number = gpu::FirstNumber(*tensor);
  if (!number.ok())
    return Unsupported(node, Annotate(number.status(), {.tensor = node.inputs[input]}));
  return number;
}

absl::StatusOr<std::vector<int64_t>> Lowering::Ints(const Node& node, int input) const {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, Constant(node, input));
  absl::StatusOr<std::vector<int64_t>> values = ConstantInts(*tensor);
  if (!values.ok())
    return Unsupported(node, Annotate(values.status(), {.tensor = node.inputs[input]}));
  return values;
}

absl::Status Lowering::Unsupported(const Node& node, std::string_view what,
                                   const RefusalReason& refusal_reason) const {
  return Annotate(absl::UnimplementedError(StrCat(Label(node), ": ", what)), refusal_reason);
}

absl::Status Lowering::Unsupported(const Node& node, const absl::Status& why) const {
  return Unsupported(node, Message(why), RefusalReasonOf(why).value_or(RefusalReason{}));
}

bool Lowering::CanFlatten(const Node& node) const {
  if (node.outputs.empty() || node.outputs[0] < 0) return false;
  const Box out = graph_.tensors[node.outputs[0]].box();
  return std::all_of(node.epilogue.begin(), node.epilogue.end(), [&](const EpilogueOp& step) {
    if (!step.operand || step.lookup) return true;
    const Box box = graph_.tensors[*step.operand].box();
    return (box.h == out.h && box.w == out.w) || (box.h == 1 && box.w == 1);
  });
}

TensorId Lowering::Temp(std::string name, const Box& box, Layout layout, Number number) {
  if (number == Number::kInt) return AddTemp(std::move(name), {box, layout, Element::kInt32});
  const Element element = ActivationElement();
  const TensorId id = AddTemp(std::move(name), {box, layout, element});
  lowered_.tensors[id].narrowed = element == Element::kFloat16;
  return id;
}

TensorId Lowering::FloatTemp(std::string name, const Box& box, Layout layout) {
  return AddTemp(std::move(name), {box, layout, Element::kFloat32});
}

TensorId Lowering::AddTemp(std::string name, const TensorDesc& desc) {
  PlanTensor tensor;
  tensor.name = std::move(name);
  tensor.desc = desc;
  tensor.role = Role::kTemp;
  tensor.bytes = tensor.desc.Bytes(slice_width());
  return AddTensor(std::move(tensor), -1);
}

TensorId Lowering::AddTensor(PlanTensor tensor, TensorId origin) {
  lowered_.tensors.push_back(std::move(tensor));
  lowered_.origins.push_back(origin);
  return static_cast<TensorId>(lowered_.tensors.size()) - 1;
}

absl::StatusOr<TensorId> Lowering::PlanTensorOf(TensorId graph_id) {
  const TensorId root = graph_.Root(graph_id);
  const auto known = plan_ids_.find(root);
  if (known != plan_ids_.end()) return known->second;
  const GraphTensor& tensor = graph_.tensors[root];
  if (tensor.is_constant() && !graph_.IsOutput(root)) return PlanConstant(root);
  PlanTensor made;
  TERN_ASSIGN_OR_RETURN(const TypeRow* type, TypeOf(tensor));
  made.name = tensor.name;
  made.io_conversion = type->io_conversion;
  made.io_bytes = tensor.box().elements() * type->bytes;
  made.role = graph_.IsInput(root)    ? Role::kInput
              : graph_.IsOutput(root) ? Role::kOutput
                                      : Role::kTemp;
  // The user's tensors are row-major; kernels read and write them directly.
  made.desc = {tensor.box(), graph_.LiesInRows(root) ? Layout::kRows : Layout::kSlices,
               ElementOf(root, *type)};
  made.narrowed = type->element == Element::kFloat32 && made.desc.element == Element::kFloat16;
  if (HoldsElements(made.desc.element)) made.scale = tensor.quantized->scale;
  if (made.desc.element == Element::kByte) {
    const QuantizedType& q = *tensor.quantized;
    made.zero = q.zero_point + (q.type == kTfLiteInt8 ? 128 : 0);
  }
  if (type->io_conversion == IoConversion::kPacked)
    made.desc = {NarrowBox(tensor), Layout::kRows, type->element};
  made.bytes = made.desc.Bytes(slice_width());
  if (tensor.inside >= 0) {
    TERN_ASSIGN_OR_RETURN(made.inside, PlanTensorOf(tensor.inside));
    made.offset = tensor.inside_at * BitsOf(made.desc.element) / 8;
  }
  const TensorId id = AddTensor(std::move(made), root);
  plan_ids_[root] = id;
  return id;
}

absl::StatusOr<TensorId> Lowering::PlanConstant(TensorId graph_id) {
  absl::StatusOr<TensorId> made = CopyOfConstant(graph_id);
  if (made.ok()) plan_ids_[graph_id] = *made;
  return made;
}

absl::StatusOr<TensorId> Lowering::FloatsInMemory(const Node& node, int input) {
  TERN_RETURN_IF_ERROR(CheckNumbers(node, input));
  return AddConstant(node.inputs[input], Decoding::kReal);
}

absl::StatusOr<TensorId> Lowering::CopyOfConstant(TensorId graph_id) {
  const GraphTensor& tensor = graph_.tensors[graph_id];
  if (tensor.number() == Number::kReal) return AddConstant(graph_id, Decoding::kReal);
  return AddConstant(graph_id, tensor.low >= 0 ? Decoding::kHighHalf : Decoding::kLowHalf);
}

absl::StatusOr<int> Lowering::SourceOf(TensorId graph_id, Decoding decoding) {
  const GraphTensor& tensor = graph_.tensors[graph_id];
  TERN_RETURN_IF_ERROR(CheckDecoding(tensor, decoding));
  const auto [place, is_new] = source_ids_.emplace(graph_id, 0);
  if (is_new) {
    place->second = lowered_.sources.Add(tensor);
    source_tensors_.push_back(graph_id);
  }
  return place->second;
}

absl::StatusOr<TensorId> Lowering::AddConstant(TensorId graph_id, Decoding decoding) {
  const bool ints = decoding == Decoding::kHighHalf || decoding == Decoding::kLowHalf;
  TERN_ASSIGN_OR_RETURN(const int source, SourceOf(graph_id, decoding));
  PlanTensor made;
  made.name = graph_.tensors[graph_id].name;
  made.role = Role::kConstant;
  const Element real =
      float_ids_.count(graph_id) != 0 ? Element::kFloat32 : RealElement(storage_.weights);
  made.desc = {graph_.tensors[graph_id].box(), Layout::kSlices, ints ? Element::kInt32 : real};
  made.bytes = made.desc.Bytes(slice_width());
  const Box& box = made.desc.box;
  const int64_t slices = int64_t{box.b} * box.slices(slice_width()) * box.h * box.w;
  made.parts.push_back({.slices = slices, .source = source, .decoding = decoding, .packing = box});
  return AddTensor(std::move(made), graph_id);
}

TensorId Lowering::OriginOf(const PlanTensor& constant) const {
  const auto max = std::max_element(
      constant.parts.begin(), constant.parts.end(),
      [](const ConstantPart& a, const ConstantPart& b) { return a.slices < b.slices; });
  const bool none = max == constant.parts.end() || max->source < 0;
  return none ? -1 : source_tensors_[static_cast<size_t>(max->source)];
}

TensorId Lowering::AddVector(const std::string& label, PlanTensor made) {
  std::vector<TensorId>& known = vectors_[label];
  for (const TensorId id : known) {
    const PlanTensor& other = lowered_.tensors[id];
    if (other.parts == made.parts && other.desc.element == made.desc.element &&
        other.zero == made.zero) {
      return id;
    }
  }
  made.name = StrCat(label, " constants");
  made.role = Role::kConstant;
  int64_t slices = 0;
  for (const ConstantPart& part : made.parts) slices += part.slices;
  made.desc.box = {1, 1, static_cast<int>(slices), slice_width()};
  made.desc.layout = Layout::kVector;
  made.bytes = made.desc.Bytes(slice_width());
  const TensorId origin = OriginOf(made);
  known.push_back(AddTensor(std::move(made), origin));
  return known.back();
}

Box NarrowBox(const GraphTensor& tensor) {
  const int64_t in_word = 4 / NarrowBytes(tensor.type);
  return {1, 1, 1, static_cast<int>((tensor.box().elements() + in_word - 1) / in_word)};
}

absl::StatusOr<TensorId> Lowering::PlanIo(TensorId graph_id) {
  TERN_ASSIGN_OR_RETURN(const TensorId made, PlanTensorOf(graph_id));
  if (const TensorId high = graph_.tensors[graph_id].high; high >= 0) {
    TERN_ASSIGN_OR_RETURN(lowered_.tensors[made].high, PlanTensorOf(high));
  }
  return made;
}

absl::StatusOr<Lowered> Lowering::TakeWithEdges() {
  for (TensorId id : graph_.inputs) {
    TERN_ASSIGN_OR_RETURN(const TensorId made, PlanIo(id));
    lowered_.inputs.push_back(made);
  }
  for (TensorId id : graph_.outputs) {
    TERN_ASSIGN_OR_RETURN(const TensorId made, PlanIo(id));
    lowered_.outputs.push_back(made);
  }
  return Take();
}

DispatchBuilder Lowering::Dispatch(const Node& node, KernelId kernel) {
  return DispatchBuilder(this, &node, kernel);
}

}  // namespace tern::gpu
