// SPDX-License-Identifier: Apache-2.0
// Compiled once: the reference is large.
#include "ops/testing/check_model.h"

#include <algorithm>
#include <limits>

#include "ops/testing/reference.h"
#include "tensorflow/lite/logger.h"

namespace tern::testing {

ModelCase MakeModelCase(std::string name, const tflite::ModelT& model, double low, double high) {
  ModelCase c{std::move(name), BytesOf(model), {}};
  const tflite::SubGraphT& graph = *model.subgraphs[0];
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const std::vector<int32_t>& shape = graph.tensors[graph.inputs[i]]->shape;
    c.inputs.push_back(
        Random(i + 1).Floats(Count(std::vector<int>(shape.begin(), shape.end())), low, high));
  }
  return c;
}

namespace {

template <class T>
void AppendSteps(const std::vector<float>& values, const tflite::QuantizationParametersT& q,
                 std::vector<uint8_t>& bytes) {
  for (const float v : values) {
    const double step = std::nearbyint(v / q.scale[0]) + static_cast<double>(q.zero_point[0]);
    const double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    const T element = static_cast<T>(std::min(std::max(step, low), high));
    const auto* first = reinterpret_cast<const uint8_t*>(&element);
    bytes.insert(bytes.end(), first, first + sizeof element);
  }
}

}  // namespace

std::vector<std::vector<uint8_t>> InputBytes(const ModelCase& c) {
  tflite::ModelT model;
  tflite::GetModel(c.bytes.data())->UnPackTo(&model);
  const tflite::SubGraphT& graph = *model.subgraphs[0];
  std::vector<std::vector<uint8_t>> inputs;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const tflite::TensorT& tensor = *graph.tensors[static_cast<size_t>(graph.inputs[i])];
    std::vector<uint8_t>& bytes = inputs.emplace_back();
    switch (tensor.type) {
      case tflite::TensorType_INT8:
        AppendSteps<int8_t>(c.inputs[i], *tensor.quantization, bytes);
        break;
      case tflite::TensorType_UINT8:
        AppendSteps<uint8_t>(c.inputs[i], *tensor.quantization, bytes);
        break;
      case tflite::TensorType_INT16:
        AppendSteps<int16_t>(c.inputs[i], *tensor.quantization, bytes);
        break;
      default:
        bytes.resize(c.inputs[i].size() * sizeof(float));
        if (!bytes.empty()) std::memcpy(bytes.data(), c.inputs[i].data(), bytes.size());
    }
  }
  return inputs;
}

RunResult RunModelCase(const ModelCase& c, const Engine& engine) {
  return RunModel(c.bytes, InputBytes(c), engine);
}

std::vector<RefTensor> Evaluate(const ModelCase& c, bool half) {
  tflite::ModelT model;
  tflite::GetModel(c.bytes.data())->UnPackTo(&model);
  return Reference(model, half ? Rounding::F16() : Rounding::F32()).Run(c.inputs);
}

std::string FirstDeviation(const Values& got, const RefTensor& want) {
  if (std::vector<int64_t>(got.shape.begin(), got.shape.end()) != want.shape) return "shape";
  const std::vector<double> values = got.numbers();
  if (values.size() != want.value.size()) return "size";
  for (size_t i = 0; i < values.size(); ++i) {
    const double bound = want.error[i] + 1e-37;
    if (!std::isfinite(bound) || std::fabs(values[i] - want.value[i]) <= bound) continue;
    return StrCat("element ", i, ": ", values[i], ", expected ", want.value[i], " +- ", bound);
  }
  return "";
}

void CheckModelOn(const ModelCase& c, const std::vector<RefTensor>& want, const Engine& engine) {
  SCOPED_TRACE(StrCat(c.name, " on ", engine.name));
  const RunResult result = RunModelCase(c, engine);
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(result.outputs.size(), want.size());
  for (size_t o = 0; o < want.size(); ++o) {
    ASSERT_EQ(FirstDeviation(result.outputs[o], want[o]), "") << "output " << o;
  }
}

void CheckSmallestDevice(const ModelCase& c, bool half) {
  // The delegate reports what it leaves to the CPU; here that is everything, for each case again.
  const auto loud = tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
  const RunResult result =
      RunModelCase(c, {"the smallest device", false, 1, "null:gles-min", 4, half});
  tflite::LoggerOptions::SetMinimumLogSeverity(loud);
  EXPECT_TRUE(PlannedWhole(result.report)) << c.name << ": " << result.error << result.report;
}

namespace {

// Which of the drivers' engines a case of a sweep runs on. Programs of OpenCL take four times as
// long to build as those of OpenGL ES, and in slices of 16 twice as long as in those of 4: half of
// these turns go to the quicker one.
const Engine& DrawEngine(const std::vector<Engine>& drivers) {
  static auto& turns = *new Random(1);
  const Engine* drawn = &drivers[turns.Bits() % drivers.size()];
  const auto pass_on = [&](const auto& slow, const auto& quick) {
    if (!slow(*drawn) || turns.Bits() % 2 == 0) return;
    for (const Engine& engine : drivers) {
      if (engine.half == drawn->half && quick(engine)) drawn = &engine;
    }
  };
  const auto is_wide = [](const Engine& engine) { return engine.slice_width != 4; };
  const auto is_opencl = [](const Engine& engine) { return engine.backend == "opencl"; };
  pass_on(is_wide, [&](const Engine& engine) { return is_opencl(engine) && !is_wide(engine); });
  pass_on(is_opencl, [&](const Engine& engine) { return !is_opencl(engine); });
  return *drawn;
}

}  // namespace

void CheckModel(const ModelCase& c, Engines engines) { CheckModelAgainst(c, c, engines); }

void CheckModelAgainst(const ModelCase& c, const ModelCase& same, Engines engines) {
  const std::vector<RefTensor> f32 = Evaluate(same, false), f16 = Evaluate(same, true);
  ASSERT_FALSE(f32.empty()) << c.name << ": the reference lacks an op";
  const auto check = [&](const Engine& e) { CheckModelOn(c, e.half ? f16 : f32, e); };
  for (const Engine& engine : CpuEngines()) check(engine);
  for (const bool half : {false, true}) CheckSmallestDevice(c, half);
  if (engines == Engines::kInTurn && std::getenv("TERN_ALL_ENGINES") == nullptr) {
    if (!DriverEngines().empty()) check(DrawEngine(DriverEngines()));
    return;
  }
  for (const Engine& engine : NextDriverEngines()) check(engine);
  if (engines != Engines::kAll) return;
  for (const Engine& engine : HostEngines()) check(engine);
}

}  // namespace tern::testing
