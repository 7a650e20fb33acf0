// SPDX-License-Identifier: Apache-2.0
// Same padding, as in the networks that the shapes come from.
#include "bench/xnn_layer.h"

#include <pthreadpool.h>
#include <xnnpack.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tern::bench {
namespace {

constexpr size_t kExtraFloats = 16;  // XNNPACK reads past the end of its inputs

}  // namespace

std::unique_ptr<XnnLayer> XnnLayer::Create(const Layer& layer, const std::vector<float>& weights,
                                           const std::vector<float>& bias, int threads) {
  if (xnn_initialize(nullptr) != xnn_status_success) return nullptr;
  const uint32_t filter = layer.filter, stride = layer.stride;
  const uint32_t out_size = layer.out_size();
  const uint32_t total = std::max<int64_t>(
      int64_t{out_size - 1} * stride + filter - static_cast<uint32_t>(layer.size), 0);
  const uint32_t before = total / 2, after = total - before;
  const size_t groups = layer.depthwise ? layer.in : 1;
  const float infinity = std::numeric_limits<float>::infinity();
  xnn_operator_t op = nullptr;
  const xnn_status status = xnn_create_convolution2d_nhwc_f32(
      before, after, after, before, filter, filter, stride, stride, 1, 1, groups,
      layer.depthwise ? 1 : layer.in, layer.depthwise ? 1 : layer.out, layer.in, layer.out,
      weights.data(), bias.data(), -infinity, infinity,
      layer.depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, &op);
  if (status != xnn_status_success) return nullptr;
  std::unique_ptr<XnnLayer> made(new XnnLayer());
  made->op_ = op;
  made->pool_ = threads > 1 ? pthreadpool_create(threads) : nullptr;
  made->threads_ = threads;
  made->input_.resize(size_t{1} * layer.size * layer.size * layer.in + kExtraFloats);
  made->output_.resize(size_t{out_size} * out_size * layer.out);
  if (xnn_setup_convolution2d_nhwc_f32(
          op, 1, layer.size, layer.size, made->input_.data(), made->output_.data(),
          static_cast<pthreadpool_t>(made->pool_)) != xnn_status_success) {
    return nullptr;
  }
  return made;
}

XnnLayer::~XnnLayer() {
  xnn_delete_operator(static_cast<xnn_operator_t>(op_));
  if (pool_ != nullptr) pthreadpool_destroy(static_cast<pthreadpool_t>(pool_));
}

void XnnLayer::SetInput(const std::vector<float>& input) {
  std::copy(input.begin(), input.end(), input_.begin());
}

void XnnLayer::Run(int times) {
  for (int i = 0; i < times; ++i) {
    xnn_run_operator(static_cast<xnn_operator_t>(op_), static_cast<pthreadpool_t>(pool_));
  }
}

void XnnLayer::Rest() {
  if (pool_ == nullptr) return;
  const auto nothing = [](void*, size_t) {};
  pthreadpool_parallelize_1d(static_cast<pthreadpool_t>(pool_), nothing, nullptr, threads_,
                             PTHREADPOOL_FLAG_YIELD_WORKERS);
}

}  // namespace tern::bench
