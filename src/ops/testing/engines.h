// SPDX-License-Identifier: Apache-2.0
// The engines of a test program, and running a model on one of them: the CPU kernels, and the GPU
// delegate on every backend at hand with each slice width and precision.
#ifndef TERN_OPS_TESTING_ENGINES_H_
#define TERN_OPS_TESTING_ENGINES_H_

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/str_cat.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/model_builder.h"

namespace tern::testing {

using DelegatePtr = std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>;

// Something that runs models.
struct Engine {
  std::string name;
  bool plain = false;  // the plain CPU kernels instead of the fast ones
  int threads = 1;
  // A GPU engine has a backend.
  std::string backend = {};
  int slice_width = 0;
  bool half = false;
  bool fuse = true;
  std::optional<bool> packed = {};  // whether what is 8 bits in the model is on the device, too
  bool winograd = false;            // 3x3 convolutions by Winograd's algorithm

  bool on_gpu() const { return !backend.empty(); }
};

const std::vector<Engine>& CpuEngines();

// The engines of one backend; none, with a line that says so, when it is not at hand. With
// TERN_ONLY_ENGINE set, only those whose names contain it.
std::vector<Engine> GpuEngines(const std::string& backend, const std::vector<int>& widths);

// OpenCL, and OpenGL ES and Vulkan with no more than their specifications guarantee.
const std::vector<Engine>& DriverEngines();
// DriverEngines for the next model. Vulkan's driver gets the text of OpenGL ES, so that it takes
// every third model; all with TERN_ALL_ENGINES or TERN_ONLY_ENGINE set.
std::vector<Engine> NextDriverEngines();

// Each program costs a run of the C++ compiler, so only chosen cases run here.
const std::vector<Engine>& HostEngines();

struct Values {
  std::vector<int> shape;
  TfLiteType type = kTfLiteNoType;
  std::vector<uint8_t> bytes;

  // Elements of FLOAT32, INT8, UINT8, INT16, INT32, INT64 or BOOL.
  std::vector<double> numbers() const {
    std::vector<double> result;
    const auto read = [&](auto zero) {
      for (size_t at = 0; at < bytes.size(); at += sizeof zero) {
        std::memcpy(&zero, &bytes[at], sizeof zero);
        result.push_back(static_cast<double>(zero));
      }
    };
    if (type == kTfLiteFloat32) read(float{});
    if (type == kTfLiteInt8) read(int8_t{});
    if (type == kTfLiteUInt8) read(uint8_t{});
    if (type == kTfLiteInt16) read(int16_t{});
    if (type == kTfLiteInt32) read(int32_t{});
    if (type == kTfLiteInt64) read(int64_t{});
    if (type == kTfLiteBool) read(uint8_t{});
    return result;
  }
  std::vector<float> floats() const {
    std::vector<float> values(bytes.size() / sizeof(float));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

struct RunResult {
  std::string error;  // empty: it ran
  std::vector<Values> outputs;
  std::string report;  // of the delegate
};

DelegatePtr MakeDelegate(const Engine& engine);

// Whether a report of the null backend, which plans only, has nothing else against running the
// whole graph.
bool PlannedWhole(const std::string& report);

// An interpreter of the model for the engine, and the delegate that it needs, with its report;
// gives why there is none. Of a GPU engine also where that does not take the whole graph.
std::string BuildInterpreter(const tflite::FlatBufferModel& model, const Engine& engine,
                             DelegatePtr* delegate,
                             std::unique_ptr<tflite::Interpreter>* interpreter,
                             std::string* report);

std::vector<Values> OutputsOf(const tflite::Interpreter& interpreter);

// Runs a model once; inputs are raw bytes in the model's order.
RunResult RunModel(const std::vector<uint8_t>& bytes,
                   const std::vector<std::vector<uint8_t>>& inputs, const Engine& engine);

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_ENGINES_H_
