// SPDX-License-Identifier: Apache-2.0
// Reading and screening what the runtime shows to a delegate.
#include "delegate/snapshot.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "abi/builtin_names.h"
#include "base/status.h"
#include "base/tensor/sparse_tensor.h"
#include "delegate/called_graph.h"
#include "gpu/desc/element_type.h"
#include "gpu/desc/reason.h"
#include "gpu/legalize/float_views.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::delegate {
namespace {

// Kernels fold axes, however many; this bounds the work of a made-up shape.
constexpr int kMaxRank = 16;

// Stands for the parameters of a node that came without any, so that reading them is harmless.
alignas(std::max_align_t) constexpr char kNoParams[1024] = {};

// Address of constants without bytes.
constexpr char kNoBytes[1] = {};

std::vector<int> ToVector(const TfLiteIntArray* array) {
  if (array == nullptr || array->size <= 0) return {};
  return {array->data, array->data + array->size};
}

bool IsConstant(const TfLiteTensor& tensor) {
  return tensor.allocation_type == kTfLiteMmapRo ||
         (tensor.allocation_type == kTfLitePersistentRo && tensor.data.raw != nullptr);
}

std::string NameOf(const TfLiteTensor& tensor) { return tensor.name == nullptr ? "" : tensor.name; }

bool InRange(const TfLiteContext& context, int tensor) {
  return tensor >= 0 && static_cast<size_t>(tensor) < context.tensors_size;
}

// Bytes of one element for the types that the GPU knows, else 0.
int64_t BytesPerElement(TfLiteType type) {
  const gpu::TypeRow* row = gpu::FindType(type);
  return row == nullptr ? 0 : row->bytes;
}

// Elements of a tensor, or an error for shapes that no kernel can index. Sizes beside one of 0
// count, too: their products are sizes of boxes.
absl::StatusOr<int64_t> CountElements(const gpu::GraphTensor& tensor) {
  int64_t count = 1;
  bool empty = false;
  for (const int d : tensor.dims) {
    if (d < 0) {
      return Annotate(Unsupported("tensor '", tensor.name, "' has an unknown dimension"),
                      {Reason::kDynamicShape});
    }
    empty = empty || d == 0;
    count *= std::max(d, 1);
    if (count > std::numeric_limits<int32_t>::max()) {
      return Annotate(Unsupported("tensor '", tensor.name, "' has too many elements"),
                      {Reason::kShape, -1, Bound{count, std::numeric_limits<int32_t>::max()}});
    }
  }
  return empty ? 0 : count;
}

absl::Status CheckConstant(const TfLiteTensor& tensor, const gpu::GraphTensor& read) {
  TERN_ASSIGN_OR_RETURN(const int64_t count, CountElements(read));
  // The results of DEQUANTIZE and DENSIFY were checked where they were read.
  const bool made = read.stored != kTfLiteNoType && read.stored != tensor.type;
  if (made || read.owns_data()) return absl::OkStatus();
  if (tensor.sparsity != nullptr) {
    return Annotate(Unsupported("constant '", read.name, "' is sparse"), {Reason::kTensorType});
  }
  const int64_t needed =
      tensor.type == kTfLiteInt4 ? (count + 1) / 2 : count * BytesPerElement(tensor.type);
  if (tensor.bytes < static_cast<size_t>(needed)) {
    return Unsupported("constant '", read.name, "' is too short (", tensor.bytes, " bytes, ",
                       needed, " needed)");
  }
  return absl::OkStatus();
}

// The rest of a sentence about its type.
std::string WhyNotFloats(const gpu::GraphTensor& tensor) {
  const gpu::AffineQuantization* q = tensor.affine();
  if (!gpu::IsNarrow(tensor.type) || q == nullptr || gpu::QuantizedOf(tensor)) return "";
  if (q->scales.size() > 1) return StrCat(" and ", q->scales.size(), " scales");
  return StrCat(" and scale ", q->scales[0]);
}

absl::Status CheckRuntimeTensor(const TfLiteTensor& tensor, const gpu::GraphTensor& read) {
  if (gpu::TypeSetOf(read.type) == 0) {
    const std::string why = WhyNotFloats(read);
    return Annotate(
        Unsupported("tensor '", read.name, "' has type ", TfLiteTypeGetName(tensor.type), why),
        {why.empty() ? Reason::kTensorType : Reason::kQuantization});
  }
  if (tensor.allocation_type == kTfLiteDynamic || tensor.allocation_type == kTfLiteVariantObject ||
      tensor.dims == nullptr) {
    return Annotate(Unsupported("tensor '", read.name, "' is dynamic"), {Reason::kDynamicShape});
  }
  if (tensor.allocation_type == kTfLiteNonCpu) {
    return Unsupported("tensor '", read.name, "' is not in host memory");
  }
  if (read.dims.size() > kMaxRank) {
    return Annotate(Unsupported("tensor '", read.name, "' has too many dimensions (",
                                read.dims.size(), ", ", kMaxRank, ")"),
                    {Reason::kShape, -1, Bound{static_cast<int64_t>(read.dims.size()), kMaxRank}});
  }
  return CountElements(read).status();
}

template <class T>
std::shared_ptr<const void> Dense(const TfLiteTensor& tensor) {
  auto elements = DenseElements<T>(&tensor, "constant");
  return elements.ok() ? gpu::Owned(*std::move(elements)) : nullptr;
}

// The elements of a sparse constant; null where they cannot be read.
std::shared_ptr<const void> Dense(const TfLiteTensor& tensor) {
  switch (BytesPerElement(tensor.type)) {
    case 1:
      return Dense<uint8_t>(tensor);
    case 2:
      return Dense<uint16_t>(tensor);
    case 4:
      return Dense<uint32_t>(tensor);
    case 8:
      return Dense<uint64_t>(tensor);
    default:
      return nullptr;
  }
}

gpu::AffineQuantization Read(const TfLiteAffineQuantization& q) {
  gpu::AffineQuantization read;
  if (q.scale != nullptr) read.scales.assign(q.scale->data, q.scale->data + q.scale->size);
  if (q.zero_point != nullptr) read.zero_points = ToVector(q.zero_point);
  read.axis = q.quantized_dimension;
  return read;
}

// The scales by block that the quantization of a constant names, where they are a constant, too.
std::optional<gpu::RowBlocks> BlocksOf(const TfLiteContext& context, const TfLiteTensor& tensor) {
  if (tensor.quantization.type != kTfLiteBlockwiseQuantization ||
      tensor.quantization.params == nullptr || !IsConstant(tensor)) {
    return std::nullopt;
  }
  const auto& q = *static_cast<const TfLiteBlockwiseQuantization*>(tensor.quantization.params);
  if (!InRange(context, q.scale)) return std::nullopt;
  const TfLiteTensor& scales = context.tensors[q.scale];
  const bool floats = scales.type == kTfLiteFloat16 || scales.type == kTfLiteFloat32;
  if (!floats || !IsConstant(scales) || scales.data.raw == nullptr || scales.sparsity != nullptr)
    return std::nullopt;
  int64_t count = 1;
  for (const int size : ToVector(scales.dims)) count *= size;
  if (scales.bytes < static_cast<size_t>(count) * BytesPerElement(scales.type)) return std::nullopt;
  return gpu::RowBlocks{scales.data.raw, scales.type, count, q.blocksize};
}

}  // namespace

gpu::Partition PartitionOf(const TfLiteDelegateParams& params) {
  return {ToVector(params.nodes_to_replace), ToVector(params.input_tensors),
          ToVector(params.output_tensors)};
}

std::vector<gpu::GraphTensor> ReadTensors(const TfLiteContext& context,
                                          const std::vector<gpu::Node>& nodes, bool quantized) {
  std::vector<gpu::GraphTensor> tensors(context.tensors_size);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TfLiteTensor& from = context.tensors[i];
    tensors[i].name = NameOf(from);
    tensors[i].dims = ToVector(from.dims);
    tensors[i].type = from.type;
    tensors[i].variable = from.is_variable;
    if (const std::optional<gpu::RowBlocks> blocks = BlocksOf(context, from))
      tensors[i].quantization = *blocks;
    if (from.quantization.type == kTfLiteAffineQuantization && from.quantization.params != nullptr)
      tensors[i].SetQuantization(
          Read(*static_cast<const TfLiteAffineQuantization*>(from.quantization.params)));
    if (!IsConstant(from)) continue;
    if (IsSparse(&from)) tensors[i].data = Dense(from);
    if (!tensors[i].is_constant())
      tensors[i].data = gpu::Borrowed(from.data.raw != nullptr ? from.data.raw : kNoBytes);
  }
  const auto is_whole = [&](int id) {
    return CheckConstant(context.tensors[id], tensors[static_cast<size_t>(id)]).ok();
  };
  gpu::FoldConstants(nodes, is_whole, tensors);
  if (quantized) gpu::SeeAsFloats(nodes, tensors);
  return tensors;
}

absl::StatusOr<gpu::Node> ReadNode(TfLiteContext* context, int index) {
  TfLiteNode* from = nullptr;
  TfLiteRegistration* registration = nullptr;
  if (context->GetNodeAndRegistration(context, index, &from, &registration) != kTfLiteOk) {
    return absl::InternalError(StrCat("Couldn't get node and registration info for op: ", index));
  }
  gpu::Node node;
  node.index = index;
  node.builtin_code = registration->builtin_code;
  node.op = OpName(*registration);
  node.version = registration->version;
  node.params = from->builtin_data;
  if (registration->builtin_code == kTfLiteBuiltinCustom) {
    node.params = from->custom_initial_data;
    node.params_size = node.params == nullptr ? 0 : from->custom_initial_data_size;
  }
  if (node.params == nullptr) node.params = kNoParams;
  node.inputs = ToVector(from->inputs);
  node.outputs = ToVector(from->outputs);
  node.intermediates = ToVector(from->intermediates);
  return node;
}

absl::Status CheckTensors(const TfLiteContext& context,
                          const std::vector<gpu::GraphTensor>& tensors, const gpu::Node& node,
                          const std::vector<int>& variables, bool quantized) {
  for (const int id : node.inputs) {
    if (id == kTfLiteOptionalTensor) continue;
    if (!InRange(context, id))
      return Annotate(Invalid("operand ", id, " does not exist"), {Reason::kOperands});
    const TfLiteTensor& tensor = context.tensors[id];
    if (tensor.is_variable &&
        std::find(variables.begin(), variables.end(), id) == variables.end()) {
      return Annotate(Unsupported("tensor '", tensors[id].name, "' is a variable"),
                      {Reason::kState, id});
    }
    TERN_RETURN_IF_ERROR(Annotate(tensors[id].is_constant()
                                      ? CheckConstant(tensor, tensors[id])
                                      : CheckRuntimeTensor(tensor, tensors[id]),
                                  {Reason::kShape, id}));
  }
  for (const int id : node.outputs) {
    if (!InRange(context, id)) {
      return Annotate(Invalid("output ", id, " does not exist"), {Reason::kOperands});
    }
    if (context.tensors[id].is_variable) {
      return Annotate(Unsupported("tensor '", tensors[id].name, "' is a variable"),
                      {Reason::kState, id});
    }
    // The elements of a known one need no numbers.
    if (quantized && tensors[id].is_constant() && gpu::IsNarrow(context.tensors[id].type)) continue;
    TERN_RETURN_IF_ERROR(
        Annotate(CheckRuntimeTensor(context.tensors[id], tensors[id]), {Reason::kShape, id}));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<gpu::Node>> ReadNodes(TfLiteContext* context) {
  TfLiteIntArray* plan = nullptr;
  if (context->GetExecutionPlan(context, &plan) != kTfLiteOk || plan == nullptr) {
    return absl::InternalError("Unable to get graph execution plan.");
  }
  std::vector<gpu::Node> nodes;
  for (const int index : ToVector(plan)) {
    TERN_ASSIGN_OR_RETURN(gpu::Node node, ReadNode(context, index));
    nodes.push_back(std::move(node));
  }
  return nodes;
}

absl::StatusOr<Snapshot> Snapshot::Read(TfLiteContext* context, const gpu::TraitsTable& traits,
                                        bool quantized) {
  gpu::Graph graph;
  TERN_ASSIGN_OR_RETURN(graph.nodes, ReadNodes(context));
  graph.tensors = ReadTensors(*context, graph.nodes, quantized);
  gpu::CalledGraphs called;
  for (gpu::Node& node : graph.nodes) {
    ReadJoin(context, traits, &node);
    for (const int index : GraphsOf(node)) {
      if (called.count(index) != 0) continue;
      absl::StatusOr<gpu::CalledGraph> read = ReadCalledGraph(context, index, quantized);
      if (read.ok()) {
        for (gpu::Node& inner : read->nodes) ReadJoin(context, traits, &inner);
      }
      called.emplace(index, std::move(read));
    }
  }
  if (!called.empty()) graph.called = std::make_shared<gpu::CalledGraphs>(std::move(called));
  return Snapshot(context, quantized, std::move(graph));
}

Snapshot::Snapshot(TfLiteContext* context, bool quantized, gpu::Graph graph)
    : context_(context), quantized_(quantized), graph_(std::move(graph)), uses_(graph_) {
  for (size_t i = 0; i < graph_.nodes.size(); ++i) positions_[graph_.nodes[i].index] = i;
}

const gpu::Node* Snapshot::Find(int index) const {
  const auto found = positions_.find(index);
  return found == positions_.end() ? nullptr : &graph_.nodes[found->second];
}

std::string OpName(const TfLiteRegistration& registration) {
  if (registration.custom_name != nullptr &&
      (registration.builtin_code == kTfLiteBuiltinCustom ||
       registration.builtin_code == kTfLiteBuiltinDelegate)) {
    return registration.custom_name;
  }
  const char* name = BuiltinOpName(registration.builtin_code);
  return name != nullptr ? name : StrCat("op ", registration.builtin_code);
}

}  // namespace tern::delegate
