// SPDX-License-Identifier: Apache-2.0
// Runs a one-op model of any types on the plain CPU and on a GPU engine: for ops whose results are
// the same to the last bit. Inputs are small integers, so that halves hold them.
#ifndef TERN_OPS_TESTING_SAME_BYTES_H_
#define TERN_OPS_TESTING_SAME_BYTES_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/tensor/half.h"
#include "model/testing/model_builder.h"
#include "ops/testing/engines.h"
#include "ops/testing/oracle.h"

namespace tern::testing {

// Elements as they lie in a tensor.
template <class T>
std::vector<uint8_t> BytesOf(const std::vector<T>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// `count` numbers in [low, high] as the bytes of `type` (FLOAT32, INT32, UINT32, INT64, BOOL, or
// FLOAT16, which holds what is left of them modulo 2048).
inline std::vector<uint8_t> WholeNumbers(int64_t count, tflite::TensorType type, int64_t low,
                                         int64_t high) {
  Random random(static_cast<uint64_t>(count) + 5);
  std::vector<uint8_t> bytes;
  const auto add = [&](auto v) {
    const size_t at = bytes.size();
    bytes.resize(at + sizeof(v));
    std::memcpy(&bytes[at], &v, sizeof(v));
  };
  for (int64_t i = 0; i < count; ++i) {
    const int64_t v = random.Integer(low, high);
    if (type == tflite::TensorType_FLOAT32) {
      add(static_cast<float>(v));
    } else if (type == tflite::TensorType_FLOAT16) {
      add(FloatToHalf(static_cast<float>(v % 2048)));
    } else if (type == tflite::TensorType_INT32 || type == tflite::TensorType_UINT32) {
      add(static_cast<int32_t>(v));
    } else if (type == tflite::TensorType_INT64) {
      add(v);
    } else {
      add(static_cast<uint8_t>(v > 0 ? 1 : 0));
    }
  }
  return bytes;
}

// The engines of drivers; with quantized tensors those in floats alone, as nothing of them is ever
// in half precision.
inline const std::vector<Engine>& EnginesFor(bool quantized) {
  static const auto& floats = *new std::vector<Engine>([] {
    std::vector<Engine> engines = DriverEngines();
    std::erase_if(engines, [](const Engine& engine) { return engine.half; });
    return engines;
  }());
  return quantized ? floats : DriverEngines();
}

// Another engine at each call; all of them with TERN_ALL_ENGINES set.
inline void CheckSameBytes(const std::string& name, const ModelBuilder& builder,
                           const std::vector<std::vector<uint8_t>>& inputs,
                           bool quantized = false) {
  const std::vector<uint8_t> model = builder.Finish();
  const RunResult want = RunModel(model, inputs, CpuEngines()[0]);
  ASSERT_EQ(want.error, "") << name;
  static size_t turn = 0;
  const std::vector<Engine>& drivers = EnginesFor(quantized);
  const bool all = std::getenv("TERN_ALL_ENGINES") != nullptr;
  for (size_t i = 0; i < (all ? drivers.size() : std::min<size_t>(drivers.size(), 1)); ++i) {
    const Engine& engine = drivers[all ? i : turn++ % drivers.size()];
    const RunResult got = RunModel(model, inputs, engine);
    ASSERT_EQ(got.error, "") << name << " on " << engine.name;
    ASSERT_EQ(got.outputs.size(), want.outputs.size());
    for (size_t o = 0; o < want.outputs.size(); ++o) {
      EXPECT_EQ(got.outputs[o].bytes, want.outputs[o].bytes)
          << name << " on " << engine.name << ", output " << o;
    }
  }
}

inline void CheckSameBytes(const std::string& name, const ModelBuilder& builder,
                           const std::vector<uint8_t>& input, bool quantized = false) {
  CheckSameBytes(name, builder, std::vector<std::vector<uint8_t>>{input}, quantized);
}

// On two engines of drivers, others at each call, or on all and on the host with TERN_ALL_ENGINES
// set, elements of outputs lie within so many steps of the plain CPU's.
inline void CheckWithinSteps(const std::string& name, const std::vector<uint8_t>& model,
                             const std::vector<std::vector<uint8_t>>& inputs, double steps) {
  const RunResult want = RunModel(model, inputs, CpuEngines()[0]);
  ASSERT_EQ(want.error, "") << name;
  static size_t turn = 0;
  const std::vector<Engine>& drivers = EnginesFor(true);
  std::vector<Engine> engines = drivers;
  if (std::getenv("TERN_ALL_ENGINES") == nullptr) {
    engines.resize(std::min<size_t>(drivers.size(), 2));
    for (Engine& engine : engines) engine = drivers[turn++ % drivers.size()];
  } else {
    for (const Engine& engine : HostEngines()) {
      if (!engine.half) engines.push_back(engine);
    }
  }
  for (const Engine& engine : engines) {
    const RunResult got = RunModel(model, inputs, engine);
    ASSERT_EQ(got.error, "") << name << " on " << engine.name;
    for (size_t o = 0; o < want.outputs.size(); ++o) {
      const std::vector<double> a = got.outputs[o].numbers(), b = want.outputs[o].numbers();
      ASSERT_EQ(a.size(), b.size());
      for (size_t i = 0; i < a.size(); ++i) {
        ASSERT_NEAR(a[i], b[i], steps) << name << " on " << engine.name << ", element " << i;
      }
    }
  }
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_SAME_BYTES_H_
