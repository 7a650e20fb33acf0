// SPDX-License-Identifier: Apache-2.0
// On the CPU sums of INT16 products are multiplied by a number of 16 bits for each channel, which
// is up to 2^-16 of it off: half a step, in the same direction for a whole channel and for each
// layer anew. So the scales of filter and bias become those that give these numbers.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/wide_multiplier.h"
#include "gpu/passes/pass.h"

namespace tern::gpu {
namespace {

using OwnQuantization = std::shared_ptr<TfLiteAffineQuantization>;

OwnQuantization MakeQuantization(int scales, int dimension) {
  OwnQuantization q(new TfLiteAffineQuantization(), [](TfLiteAffineQuantization* of) {
    TfLiteFloatArrayFree(of->scale);
    TfLiteIntArrayFree(of->zero_point);
    delete of;
  });
  q->scale = TfLiteFloatArrayCreate(scales);
  q->zero_point = TfLiteIntArrayCreate(1);
  q->zero_point->data[0] = 0;
  q->quantized_dimension = dimension;
  return q;
}

bool IsShort(const Graph& graph, TensorId id) {
  const auto& quantized = graph.tensors[id].quantized;
  return quantized && quantized->type == kTfLiteInt16;
}

// A constant with one scale, or `count` of them.
bool HasScales(const Graph& graph, TensorId id, int count) {
  if (id < 0 || !graph.tensors[id].is_constant()) return false;
  const TfLiteAffineQuantization* q = graph.tensors[id].quantization;
  return q != nullptr && q->scale != nullptr && (q->scale->size == 1 || q->scale->size == count);
}

// The node's own tensor with the scales of operand `input` times the factors, one or one for each
// place along an axis.
void Rescale(Graph& graph, Node& node, int input, const std::vector<double>& factors, int axis) {
  GraphTensor tensor = graph.tensors[node.inputs[input]];
  const TfLiteFloatArray& scales = *tensor.quantization->scale;
  const int count = std::max(scales.size, static_cast<int>(factors.size()));
  const OwnQuantization q = MakeQuantization(count, axis);
  for (int i = 0; i < count; ++i) {
    const double scale = scales.data[scales.size == 1 ? 0 : i];
    q->scale->data[i] = static_cast<float>(scale * factors[factors.size() == 1 ? 0 : i]);
  }
  tensor.quantization = q.get();
  tensor.own_quantization = q;
  graph.tensors.push_back(std::move(tensor));
  node.inputs[input] = static_cast<TensorId>(graph.tensors.size()) - 1;
}

void RoundOf(Graph& graph, Node& node, const WideProduct& product) {
  const TensorId filter = node.inputs[product.filter];
  const bool biased =
      product.bias < static_cast<int>(node.inputs.size()) && node.inputs[product.bias] >= 0;
  if (filter < 0 || !graph.tensors[filter].is_constant()) return;
  const TfLiteAffineQuantization* q = graph.tensors[filter].quantization;
  if (q == nullptr || q->scale == nullptr || q->scale->size < 1) return;
  const int count = q->scale->size;
  if (biased && !HasScales(graph, node.inputs[product.bias], count)) return;
  const double in = graph.tensors[node.inputs[product.input]].quantized->scale;
  const double out = graph.tensors[node.outputs[0]].quantized->scale;
  std::vector<double> factors;
  for (int i = 0; i < count; ++i) {
    const double real = in * double{q->scale->data[i]} / out;
    factors.push_back(real > 0 && std::isfinite(real) ? WideMultiplier(real) / real : 1);
  }
  const int axis = q->quantized_dimension;
  Rescale(graph, node, product.filter, factors, axis);
  if (biased) Rescale(graph, node, product.bias, factors, 0);
}

}  // namespace

absl::Status RoundMultipliers(Graph& graph, const PassContext& context) {
  for (Node& node : graph.nodes) {
    const OpTraits* traits = context.table.Find(node);
    if (traits == nullptr || traits->wide_product == nullptr || node.outputs.size() != 1) continue;
    const std::optional<WideProduct> product = traits->wide_product(graph, node);
    if (!product || node.inputs.size() <= static_cast<size_t>(product->filter)) continue;
    const TensorId input = node.inputs[product->input];
    if (input < 0 || !IsShort(graph, input) || !IsShort(graph, node.outputs[0])) continue;
    RoundOf(graph, node, *product);
  }
  return absl::OkStatus();
}

}  // namespace tern::gpu
