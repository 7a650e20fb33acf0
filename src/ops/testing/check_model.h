// SPDX-License-Identifier: Apache-2.0
// Runs a float model with random inputs on engines and holds every output against the reference.
#ifndef TERN_OPS_TESTING_CHECK_MODEL_H_
#define TERN_OPS_TESTING_CHECK_MODEL_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/engines.h"
#include "ops/testing/oracle.h"
#include "ops/testing/reference.h"
#include "tensorflow/lite/logger.h"

namespace tern::testing {

// A model with inputs to run it on.
struct ModelCase {
  std::string name;
  std::vector<uint8_t> bytes;
  std::vector<std::vector<float>> inputs;
};

// A case of what the builder holds; its inputs are random values in [low, high).
inline ModelCase MakeModelCase(std::string name, const ModelBuilder& builder, double low = -2,
                               double high = 2) {
  ModelCase c{std::move(name), builder.Finish(), {}};
  tflite::ModelT model;
  tflite::GetModel(c.bytes.data())->UnPackTo(&model);
  const tflite::SubGraphT& graph = *model.subgraphs[0];
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const std::vector<int32_t>& shape = graph.tensors[graph.inputs[i]]->shape;
    c.inputs.push_back(
        Random(i + 1).Floats(Count(std::vector<int>(shape.begin(), shape.end())), low, high));
  }
  return c;
}

inline RunResult RunModelCase(const ModelCase& c, const Engine& engine) {
  std::vector<std::vector<uint8_t>> inputs;
  for (const std::vector<float>& input : c.inputs) {
    std::vector<uint8_t>& bytes = inputs.emplace_back(input.size() * sizeof(float));
    if (!bytes.empty()) std::memcpy(bytes.data(), input.data(), bytes.size());
  }
  return RunModel(c.bytes, inputs, engine);
}

inline std::vector<RefTensor> Evaluate(const ModelCase& c, bool half) {
  tflite::ModelT model;
  tflite::GetModel(c.bytes.data())->UnPackTo(&model);
  return Reference(model, half ? Rounding::F16() : Rounding::F32()).Run(c.inputs);
}

// The first element beyond its bound, in words; empty when there is none.
inline std::string FirstDeviation(const Values& got, const RefTensor& want) {
  if (std::vector<int64_t>(got.shape.begin(), got.shape.end()) != want.shape) return "shape";
  const std::vector<float> values = got.floats();
  if (values.size() != want.value.size()) return "size";
  for (size_t i = 0; i < values.size(); ++i) {
    const double bound = want.error[i] + 1e-37;
    if (std::isinf(bound) || std::fabs(values[i] - want.value[i]) <= bound) continue;
    return StrCat("element ", i, ": ", values[i], ", expected ", want.value[i], " +- ", bound);
  }
  return "";
}

inline void CheckModelOn(const ModelCase& c, const std::vector<RefTensor>& want,
                         const Engine& engine) {
  SCOPED_TRACE(StrCat(c.name, " on ", engine.name));
  const RunResult result = RunModelCase(c, engine);
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(result.outputs.size(), want.size());
  for (size_t o = 0; o < want.size(); ++o) {
    ASSERT_EQ(FirstDeviation(result.outputs[o], want[o]), "") << "output " << o;
  }
}

enum class Engines {
  kInTurn,   // one engine of a driver, each call another; for sweeps over many shapes
  kDrivers,  // all of them
  kAll,      // and those that run the C++ compiler for each program
};

// The smallest device of the OpenGL ES specification takes every node. It plans only, and says so
// of each node that it would have run.
inline void CheckSmallestDevice(const ModelCase& c, bool half) {
  // The delegate reports what it leaves to the CPU; here that is everything, for each case anew.
  const auto loud = tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
  const RunResult result =
      RunModelCase(c, {"the smallest device", false, 1, "null:gles-min", 4, half});
  tflite::LoggerOptions::SetMinimumLogSeverity(loud);
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (size_t at = 0; (at = result.report.find(text, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_GT(count("\"reason\":"), 0) << c.name << ": " << result.error;
  EXPECT_EQ(count("\"reason\":"), count("the null backend plans only"))
      << c.name << ": " << result.report;
}

// On the CPU and on GPU engines at hand. With TERN_ALL_ENGINES set, sweeps run on all drivers.
inline void CheckModel(const ModelCase& c, Engines engines = Engines::kInTurn) {
  const std::vector<RefTensor> f32 = Evaluate(c, false), f16 = Evaluate(c, true);
  ASSERT_FALSE(f32.empty()) << c.name << ": the reference lacks an op";
  const auto check = [&](const Engine& e) { CheckModelOn(c, e.half ? f16 : f32, e); };
  for (const Engine& engine : CpuEngines()) check(engine);
  for (const bool half : {false, true}) CheckSmallestDevice(c, half);
  const std::vector<Engine>& drivers = DriverEngines();
  if (engines == Engines::kInTurn && std::getenv("TERN_ALL_ENGINES") == nullptr) {
    // Not in plain order, which would follow the loops of the tests.
    static auto& turns = *new Random(1);
    if (!drivers.empty()) check(drivers[turns.Bits() % drivers.size()]);
    return;
  }
  for (const Engine& engine : drivers) check(engine);
  if (engines != Engines::kAll) return;
  for (const Engine& engine : HostEngines()) check(engine);
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_CHECK_MODEL_H_
