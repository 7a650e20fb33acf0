// SPDX-License-Identifier: Apache-2.0
// The self-test's graph, its numbers by plain loops, and the comparison.
#include "gpu/partition/self_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/compile.h"
#include "gpu/device/executor.h"
#include "gpu/graph/graph.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

using Floats = std::vector<float>;

// An image of 5 x 5 pixels; sizes that no slice and no group divides.
constexpr int kSide = 5;
constexpr int kIn = 3;
constexpr int kOut = 6;

// Multiples of `step`, so that sums of products are exact.
Floats Numbers(int count, int factor, float step) {
  Floats numbers(count);
  for (int i = 0; i < count; ++i) {
    numbers[i] = static_cast<float>((i * factor) % 11 - 5) * step;
  }
  return numbers;
}

struct Numbered {
  Floats x = Numbers(kSide * kSide * kIn, 7, 0.25f);
  Floats y = Numbers(kSide * kSide * kIn, 3, 0.5f);
  Floats filter = Numbers(kOut * 3 * 3 * kIn, 5, 0.125f);
  Floats bias = Numbers(kOut, 2, 1.0f);
  std::vector<int32_t> axes = {1, 2};
};

Floats Convolution(const Numbered& in) {
  Floats out;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      for (int o = 0; o < kOut; ++o) {
        float sum = in.bias[o];
        for (int tap = 0; tap < 9; ++tap) {
          const int from_y = y + tap / 3 - 1, from_x = x + tap % 3 - 1;
          if (from_y < 0 || from_y >= kSide || from_x < 0 || from_x >= kSide) continue;
          for (int i = 0; i < kIn; ++i) {
            sum += in.x[(from_y * kSide + from_x) * kIn + i] * in.filter[(o * 9 + tap) * kIn + i];
          }
        }
        out.push_back(sum);
      }
    }
  }
  return out;
}

Floats Sum(const Numbered& in) {
  Floats out = in.x;
  for (size_t i = 0; i < out.size(); ++i) out[i] += in.y[i];
  return out;
}

Floats Softmax(const Numbered& in) {
  Floats out = in.x;
  for (size_t at = 0; at < out.size(); at += kIn) {
    float sum = 0;
    for (int i = 0; i < kIn; ++i) sum += out[at + i] = std::exp(out[at + i]);
    for (int i = 0; i < kIn; ++i) out[at + i] /= sum;
  }
  return out;
}

Floats Mean(const Numbered& in) {
  Floats out(kIn, 0.0f);
  for (size_t i = 0; i < in.x.size(); ++i) out[i % kIn] += in.x[i] / (kSide * kSide);
  return out;
}

struct Params {
  TfLiteConvParams conv = {};
  TfLiteAddParams add = {};
  TfLiteSoftmaxParams softmax = {};
  TfLiteReducerParams mean = {};
};

TensorId AddTensor(Graph& graph, std::vector<int> dims, const void* data = nullptr,
                   TfLiteType type = kTfLiteFloat32) {
  GraphTensor tensor;
  tensor.name = std::to_string(graph.tensors.size());
  tensor.dims = std::move(dims);
  tensor.type = type;
  tensor.data = Borrowed(data);
  graph.tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(graph.tensors.size()) - 1;
}

void AddNode(Graph& graph, int builtin, const char* op, const void* params,
             std::vector<TensorId> inputs, std::vector<int> dims) {
  Node node;
  node.index = static_cast<int>(graph.nodes.size());
  node.builtin_code = builtin;
  node.op = op;
  node.params = params;
  node.inputs = std::move(inputs);
  node.outputs = {AddTensor(graph, std::move(dims))};
  graph.outputs.push_back(node.outputs[0]);
  graph.nodes.push_back(std::move(node));
}

// A graph of four nodes with an output each. It points into `in` and `params`.
Graph MakeGraph(const Numbered& in, Params& params) {
  Graph graph;
  const std::vector<int> image = {1, kSide, kSide, kIn};
  const TensorId x = AddTensor(graph, image), y = AddTensor(graph, image);
  graph.inputs = {x, y};
  const TensorId filter = AddTensor(graph, {kOut, 3, 3, kIn}, in.filter.data());
  const TensorId bias = AddTensor(graph, {kOut}, in.bias.data());
  const TensorId axes = AddTensor(graph, {2}, in.axes.data(), kTfLiteInt32);
  params.conv.padding = kTfLitePaddingSame;
  params.conv.stride_width = params.conv.stride_height = 1;
  params.conv.dilation_width_factor = params.conv.dilation_height_factor = 1;
  params.softmax.beta = 1;
  params.mean.keep_dims = true;
  AddNode(graph, kTfLiteBuiltinConv2d, "CONV_2D", &params.conv, {x, filter, bias},
          {1, kSide, kSide, kOut});
  AddNode(graph, kTfLiteBuiltinAdd, "ADD", &params.add, {x, y}, image);
  AddNode(graph, kTfLiteBuiltinSoftmax, "SOFTMAX", &params.softmax, {x}, image);
  AddNode(graph, kTfLiteBuiltinMean, "MEAN", &params.mean, {x, axes}, {1, 1, 1, kIn});
  return graph;
}

absl::Status Compare(const std::string& op, const Floats& got, const Floats& want) {
  for (size_t i = 0; i < want.size(); ++i) {
    const float tolerance = 1e-4f * std::max(1.0f, std::fabs(want[i]));
    if (std::fabs(got[i] - want[i]) <= tolerance) continue;  // false for NaN
    return Invalid("the self-test's ", op, " gives ", got[i], " at element ", i, " in place of ",
                   want[i]);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status SelfCheck(const OpenedDevice& opened) {
  const Numbered in;
  Params params;
  Graph graph = MakeGraph(in, params);
  const std::vector<Node> nodes = graph.nodes;
  TERN_ASSIGN_OR_RETURN(const Compiled compiled, Compile(graph, opened.device->info(),
                                                         GpuLoweringTable(), CompileOptions()));
  TERN_ASSIGN_OR_RETURN(
      const std::unique_ptr<Executor> executor,
      Executor::Create(compiled.plan, compiled.constants(), opened.device, *opened.programs));
  const auto bytes = [](const Floats& floats) {
    return static_cast<int64_t>(floats.size() * sizeof(float));
  };
  TERN_RETURN_IF_ERROR(executor->io().Write(Input(0), in.x.data(), bytes(in.x)));
  TERN_RETURN_IF_ERROR(executor->io().Write(Input(1), in.y.data(), bytes(in.y)));
  TERN_RETURN_IF_ERROR(executor->Run());
  const Floats wanted[] = {Convolution(in), Sum(in), Softmax(in), Mean(in)};
  for (size_t i = 0; i < nodes.size(); ++i) {
    Floats got(wanted[i].size());
    TERN_RETURN_IF_ERROR(executor->io().Read(Output(static_cast<int>(i)), got.data(), bytes(got)));
    TERN_RETURN_IF_ERROR(Compare(nodes[i].op, got, wanted[i]));
  }
  return absl::OkStatus();
}

}  // namespace tern::gpu
