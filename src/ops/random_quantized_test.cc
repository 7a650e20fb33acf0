// SPDX-License-Identifier: Apache-2.0
// Random graphs of quantized tensors, chosen as in random_graphs_test.cc. An engine computes a
// graph with all its tensors as outputs, and each node is held against the plain CPU kernel on the
// very numbers that the engine gave to the node: exactly, as errors do not add up so. Then the
// graph runs as it is, where nodes are fused: the same elements must come out. A failing graph is
// made small and written to quantized_SEED.tflite in the current folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ops/testing/random_quantized.h"
#include "ops/testing/seeds.h"
#include "ops/testing/shrink.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {
namespace {

constexpr uint64_t kSeeds = 200;
// Some drivers take a second for the programs of one graph.
constexpr uint64_t kSeedsOfABackend = 20;
constexpr uint64_t kSeedsOfVulkan = 6;  // its drivers are given the text of OpenGL ES
constexpr uint64_t kGraphsPerTurn = 10;

using Bytes = std::vector<uint8_t>;

std::unique_ptr<tflite::ModelT> Unpack(const Bytes& bytes) {
  return std::unique_ptr<tflite::ModelT>(tflite::GetModel(bytes.data())->UnPack());
}

Bytes Pack(const tflite::ModelT& model) {
  flatbuffers::FlatBufferBuilder builder;
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &model));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

bool IsFloat(const tflite::TensorT& tensor) { return tensor.type == tflite::TensorType_FLOAT32; }

// The elements of integer weights as floats.
Bytes FloatsOf(const tflite::TensorT& tensor, const Bytes& elements) {
  const tflite::QuantizationParametersT& q = *tensor.quantization;
  size_t inner = 1;
  for (size_t d = static_cast<size_t>(q.quantized_dimension) + 1; d < tensor.shape.size(); ++d) {
    inner *= static_cast<size_t>(tensor.shape[d]);
  }
  Bytes floats(elements.size() * sizeof(float));
  for (size_t i = 0; i < elements.size(); ++i) {
    const size_t channel = i / inner % q.scale.size();
    const float value = q.scale[channel] * static_cast<float>(static_cast<int8_t>(elements[i]));
    std::memcpy(&floats[i * sizeof value], &value, sizeof value);
  }
  return floats;
}

// One node as a model, and what it got.
struct NodeModel {
  Bytes bytes;
  std::vector<Bytes> inputs;
};

// `given`: the elements of each tensor that is no constant.
NodeModel Apart(const Bytes& whole, size_t node, const std::vector<Bytes>& given) {
  const auto model = Unpack(whole);
  tflite::SubGraphT& graph = *model->subgraphs[0];
  std::swap(graph.operators[0], graph.operators[node]);
  graph.operators.resize(1);
  graph.inputs.clear();
  graph.outputs = graph.operators[0]->outputs;
  NodeModel part;
  const bool floats = IsFloat(*graph.tensors[static_cast<size_t>(graph.operators[0]->inputs[0])]);
  for (const int32_t t : graph.operators[0]->inputs) {
    if (t < 0) continue;
    tflite::TensorT& tensor = *graph.tensors[static_cast<size_t>(t)];
    const Bytes& constant = model->buffers[tensor.buffer]->data;
    if (constant.empty()) {
      if (std::count(graph.inputs.begin(), graph.inputs.end(), t) != 0) continue;
      graph.inputs.push_back(t);
      part.inputs.push_back(given[static_cast<size_t>(t)]);
    } else if (floats && tensor.type == tflite::TensorType_INT8) {
      // The CPU makes integers of the values, the GPU floats of the weights.
      auto buffer = std::make_unique<tflite::BufferT>();
      buffer->data = FloatsOf(tensor, constant);
      tensor.buffer = static_cast<uint32_t>(model->buffers.size());
      tensor.type = tflite::TensorType_FLOAT32;
      tensor.quantization = nullptr;
      model->buffers.push_back(std::move(buffer));
    }
  }
  part.bytes = Pack(*model);
  return part;
}

// The first element that is off by more; empty when there is none.
std::string FirstBeyond(const Values& got, const Values& want, double steps) {
  if (got.shape != want.shape || got.type != want.type) return "another shape or type";
  const std::vector<double> g = got.numbers(), w = want.numbers();
  double limit = steps;
  if (got.type == kTfLiteFloat32) {
    // Sums of some hundred terms.
    limit = 0;
    for (const double v : w) limit = std::max(limit, std::fabs(v));
    limit = 1e-5 * (limit + 1);
  }
  for (size_t i = 0; i < w.size(); ++i) {
    if (std::fabs(g[i] - w[i]) <= limit) continue;
    return StrCat("element ", i, ": ", g[i], ", the CPU has ", w[i], ", allowed are ", limit);
  }
  return "";
}

// Whether the CPU computes with integers what is given as floats.
bool IsDynamicRange(const tflite::ModelT& model, const tflite::OperatorT& op) {
  const tflite::SubGraphT& graph = *model.subgraphs[0];
  if (!IsFloat(*graph.tensors[static_cast<size_t>(op.inputs[0])]) || op.inputs.size() < 2) {
    return false;
  }
  return !IsFloat(*graph.tensors[static_cast<size_t>(op.inputs[1])]);
}

// Runs the graph on an engine. Returns the first deviation; empty when there is none.
std::string Deviation(const ModelCase& c, const Engine& engine) {
  const auto model = Unpack(c.bytes);
  tflite::SubGraphT& graph = *model->subgraphs[0];
  const std::vector<int32_t> outputs = graph.outputs;
  graph.outputs.clear();
  for (const auto& op : graph.operators) {
    graph.outputs.insert(graph.outputs.end(), op->outputs.begin(), op->outputs.end());
  }
  const std::vector<Bytes> inputs = InputBytes(c);
  const RunResult all = RunModel(Pack(*model), inputs, engine);
  if (!all.error.empty()) return StrCat("with all tensors: ", all.error);
  std::vector<Bytes> tensors(graph.tensors.size());
  std::vector<const Values*> results(graph.tensors.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    tensors[static_cast<size_t>(graph.inputs[i])] = inputs[i];
  for (size_t o = 0; o < graph.outputs.size(); ++o) {
    const auto t = static_cast<size_t>(graph.outputs[o]);
    tensors[t] = all.outputs[o].bytes;
    results[t] = &all.outputs[o];
  }
  for (size_t node = 0; node < graph.operators.size(); ++node) {
    const tflite::OperatorT& op = *graph.operators[node];
    if (!engine.on_gpu() && IsDynamicRange(*model, op)) continue;
    const auto code = model->operator_codes[op.opcode_index]->builtin_code;
    const NodeModel apart = Apart(c.bytes, node, tensors);
    const RunResult want = RunModel(apart.bytes, apart.inputs, CpuEngines()[0]);
    if (!want.error.empty()) return StrCat("on the CPU: ", want.error);
    for (size_t o = 0; o < op.outputs.size(); ++o) {
      const Values& got = *results[static_cast<size_t>(op.outputs[o])];
      const std::string where = FirstBeyond(got, want.outputs[o], /*abs=*/0);
      if (where.empty()) continue;
      return StrCat(tflite::EnumNameBuiltinOperator(code), " #", node, ", ", where);
    }
  }
  const RunResult as_it_is = RunModelCase(c, engine);
  if (!as_it_is.error.empty()) return as_it_is.error;
  for (size_t o = 0; o < outputs.size(); ++o) {
    const Values& seen = *results[static_cast<size_t>(outputs[o])];
    const std::string where = FirstBeyond(as_it_is.outputs[o], seen, 0);
    if (!where.empty()) return StrCat("output ", o, " as it is against all tensors, ", where);
  }
  return "";
}

void CheckGraph(uint64_t seed, const Engine& engine) {
  const ModelCase c = MakeRandomQuantizedGraph(seed);
  const std::string what = Deviation(c, engine);
  if (what.empty()) return;
  const ModelCase small =
      Shrink(c, [&](const ModelCase& part) { return !Deviation(part, engine).empty(); });
  const std::string file = WriteCase(StrCat("quantized_", seed), small);
  ADD_FAILURE() << "seed " << seed << " on " << engine.name << ": " << what << "\n"
                << file << ": " << Deviation(small, engine);
}

// Parts with quantized tensors are never in half precision; their tensors may take 8 bits or lie as
// floats.
std::vector<Engine> EnginesOf(const std::string& backend, const std::vector<int>& widths) {
  std::vector<Engine> engines;
  for (Engine engine : GpuEngines(backend, widths)) {
    if (engine.half) continue;
    for (const bool packed : {true, false}) {
      engine.packed = packed;
      engines.push_back(engine);
      if (packed) engines.back().name += ", packed";
    }
  }
  return engines;
}

void CheckOn(const std::vector<Engine>& engines, uint64_t seeds = kSeedsOfABackend) {
  if (engines.empty()) GTEST_SKIP() << "no such engine here";
  ForEachSeed(seeds, [&](uint64_t seed) {
    CheckGraph(seed, engines[seed / kGraphsPerTurn % engines.size()]);
  });
}

TEST(RandomQuantizedGraphs, OnTheCpu) {
  ForEachSeed(kSeeds, [](uint64_t seed) { CheckGraph(seed, CpuEngines()[1 + seed % 2]); });
}

TEST(RandomQuantizedGraphs, FitTheSmallestDevice) {
  ForEachSeed(kSeeds,
              [](uint64_t seed) { CheckSmallestDevice(MakeRandomQuantizedGraph(seed), false); });
}

TEST(RandomQuantizedGraphs, OnTheHost) { CheckOn(EnginesOf("host", {4, 16})); }

TEST(RandomQuantizedGraphs, OnOpenCl) { CheckOn(EnginesOf("opencl", {4, 16})); }

TEST(RandomQuantizedGraphs, OnOpenGlEs) { CheckOn(EnginesOf("gles:min", {4})); }

TEST(RandomQuantizedGraphs, OnVulkan) { CheckOn(EnginesOf("vulkan:min", {4}), kSeedsOfVulkan); }

}  // namespace
}  // namespace tern::testing
