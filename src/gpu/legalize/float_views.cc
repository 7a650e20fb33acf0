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
bool HasGoodScalesAlongAxis(const GraphTensor& tensor, const AffineQuantization& q) {
  const size_t count = q.scales.size(), zeros = q.zero_points.size();
  if (q.axis < 0 || q.axis >= static_cast<int>(tensor.dims.size()) ||
      tensor.dims[static_cast<size_t>(q.axis)] != static_cast<int>(count) ||
      (zeros > 1 && zeros != count)) {
    return false;
  }
  return std::all_of(q.scales.begin(), q.scales.end(), IsScale) &&
         std::all_of(q.zero_points.begin(), q.zero_points.end(), IsZeroPoint);
}

void FoldDensify(const GraphTensor& from, GraphTensor& to) {
  if (!from.owns_data() || to.is_constant() || to.type != from.type || to.dims != from.dims) return;
  to.data = from.data;
}

}  // namespace

bool IsNarrow(TfLiteType type) {
  const TypeRow* row = FindType(type);
  return row != nullptr && row->io_conversion == IoConversion::kPacked;
}

std::optional<QuantizedType> QuantizedOf(const GraphTensor& tensor) {
  if (!IsNarrow(tensor.type)) return std::nullopt;
  const QuantizedType plain{tensor.type, 1, 0};
  const AffineQuantization* q = tensor.affine();
  if (q == nullptr || q->scales.empty()) return plain;
  if (q->scales.size() > 1)
    return HasGoodScalesAlongAxis(tensor, *q) ? std::optional(plain) : std::nullopt;
  const QuantizedType one{tensor.type, q->scales[0], q->zero_point(0)};
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
    to.stored = from.type;
    to.quantization = from.quantization;
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
      if (tensor.affine() == nullptr) {
        if (!all_plain || tensor.type == kTfLiteInt4) continue;
        tensor.SetQuantization({{1}, {0}});
      }
      tensor.stored = std::exchange(tensor.type, kTfLiteFloat32);
    }
  }
}

}  // namespace tern::gpu
