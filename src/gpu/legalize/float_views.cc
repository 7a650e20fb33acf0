// SPDX-License-Identifier: Apache-2.0
// Before rewrites, tensor by tensor.
#include "gpu/legalize/float_views.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/desc/element_type.h"
#include "gpu/lower/constants.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

constexpr int kMaxZeroPoint = 32768;

bool IsZeroPoint(int zero) { return zero >= -kMaxZeroPoint && zero < kMaxZeroPoint; }
bool IsScale(float scale) { return std::isnormal(scale) && scale > 0; }

bool Exists(const std::vector<GraphTensor>& tensors, TensorId id) {
  return id >= 0 && static_cast<size_t>(id) < tensors.size();
}

// Whether a runtime tensor has a good scale for each place along an axis.
bool HasGoodScalesAlongAxis(const GraphTensor& tensor, const TfLiteAffineQuantization& q) {
  const int axis = q.quantized_dimension, count = q.scale->size;
  const int zeros = q.zero_point == nullptr ? 0 : q.zero_point->size;
  if (axis < 0 || axis >= static_cast<int>(tensor.dims.size()) ||
      tensor.dims[static_cast<size_t>(axis)] != count || (zeros > 1 && zeros != count)) {
    return false;
  }
  return std::all_of(q.scale->data, q.scale->data + count, IsScale) &&
         (zeros == 0 || std::all_of(q.zero_point->data, q.zero_point->data + zeros, IsZeroPoint));
}

// Of elements that are numbers as they are.
const TfLiteAffineQuantization* PlainQuantization() {
  static const auto* const plain = [] {
    auto* q = new TfLiteAffineQuantization();
    q->scale = TfLiteFloatArrayCreate(1);
    q->scale->data[0] = 1;
    q->zero_point = TfLiteIntArrayCreate(1);
    q->zero_point->data[0] = 0;
    return q;
  }();
  return plain;
}

void FoldDensify(const GraphTensor& from, GraphTensor& to) {
  if (from.dense == nullptr || to.is_constant() || to.type != from.type || to.dims != from.dims)
    return;
  to.data = from.data;
  to.dense = from.dense;
}

}  // namespace

bool IsNarrow(TfLiteType type) {
  const TypeRow* row = FindType(type);
  return row != nullptr && row->io_conversion == IoConversion::kPacked;
}

std::optional<QuantizedType> QuantizedOf(const GraphTensor& tensor) {
  if (!IsNarrow(tensor.type)) return std::nullopt;
  const QuantizedType plain{tensor.type, 1, 0};
  const TfLiteAffineQuantization* q = tensor.quantization;
  if (q == nullptr || q->scale == nullptr || q->scale->size == 0) return plain;
  if (q->scale->size > 1)
    return HasGoodScalesAlongAxis(tensor, *q) ? std::optional(plain) : std::nullopt;
  const bool has_zero = q->zero_point != nullptr && q->zero_point->size > 0;
  const QuantizedType one{tensor.type, q->scale->data[0], has_zero ? q->zero_point->data[0] : 0};
  return IsZeroPoint(one.zero_point) && IsScale(one.scale) ? std::optional(one) : std::nullopt;
}

void FoldConstants(const std::vector<Node>& nodes, const std::function<bool(TensorId)>& is_whole,
                   std::vector<GraphTensor>& tensors) {
  for (const Node& node : nodes) {
    const bool densify = node.builtin_code == kTfLiteBuiltinDensify;
    if (!densify && node.builtin_code != kTfLiteBuiltinDequantize) continue;
    if (node.inputs.size() != 1 || node.outputs.size() != 1 || !Exists(tensors, node.inputs[0]) ||
        !Exists(tensors, node.outputs[0])) {
      continue;
    }
    const GraphTensor& from = tensors[node.inputs[0]];
    GraphTensor& to = tensors[node.outputs[0]];
    if (densify) {
      FoldDensify(from, to);
      continue;
    }
    if (!from.is_constant() || to.is_constant() || to.type != kTfLiteFloat32 ||
        to.dims != from.dims || !is_whole(node.inputs[0]) ||
        !CheckDecoding(from, Decoding::kReal).ok()) {
      continue;
    }
    to.data = from.data;
    to.dense = from.dense;
    to.stored = from.type;
    to.quantization = from.quantization;
    to.blocks = from.blocks;
  }
}

void SeeAsFloats(const std::vector<Node>& nodes, std::vector<GraphTensor>& tensors) {
  for (GraphTensor& tensor : tensors) {
    if (tensor.is_constant()) continue;
    tensor.quantized = QuantizedOf(tensor);
    if (tensor.quantized) tensor.type = kTfLiteFloat32;
  }
  const auto quantized = [&](TensorId id) {
    return Exists(tensors, id) && tensors[id].quantized.has_value();
  };
  const auto plain = [&](TensorId id) {
    return !quantized(id) || tensors[id].quantized->is_plain();
  };
  for (const Node& node : nodes) {
    const std::vector<TensorId>&inputs = node.inputs, &outputs = node.outputs;
    if (std::none_of(inputs.begin(), inputs.end(), quantized) &&
        std::none_of(outputs.begin(), outputs.end(), quantized)) {
      continue;
    }
    const bool all_plain = std::all_of(inputs.begin(), inputs.end(), plain) &&
                           std::all_of(outputs.begin(), outputs.end(), plain);
    for (const TensorId id : inputs) {
      if (!Exists(tensors, id)) continue;
      GraphTensor& tensor = tensors[id];
      const bool narrow = IsNarrow(tensor.type) || tensor.type == kTfLiteInt4;
      if (!tensor.is_constant() || !narrow) continue;
      if (tensor.quantization == nullptr) {
        if (!all_plain || tensor.type == kTfLiteInt4) continue;
        tensor.quantization = PlainQuantization();
        tensor.blocks.reset();
      }
      tensor.stored = std::exchange(tensor.type, kTfLiteFloat32);
    }
  }
}

}  // namespace tern::gpu
