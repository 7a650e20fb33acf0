// SPDX-License-Identifier: Apache-2.0
// Op tests as data: a case is one op with its shapes, options and fills. It becomes a one-op model
// that runs on every engine present; the plain CPU kernels are the truth for the others. A test
// program with a GPU adds its engines:
//   Engines().push_back({"opencl", MakeResolver, 1, make_delegate, 8});
#ifndef TERN_OPS_TESTING_OP_CASE_H_
#define TERN_OPS_TESTING_OP_CASE_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/str_cat.h"
#include "model/testing/model_builder.h"
#include "ops/testing/oracle.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/kernels/register_ref.h"
#include "tensorflow/lite/model_builder.h"

namespace tern::testing {

struct CaseOperand {
  enum class Kind { kRuntime, kConstant, kAbsent };

  std::vector<int32_t> shape;
  Kind kind = Kind::kRuntime;
  tflite::TensorType type = tflite::TensorType_FLOAT32;
  // The values; when empty, random ones between low and high.
  std::vector<double> values = {};
  double low = -2, high = 2;
};

inline CaseOperand Runtime(std::vector<int32_t> shape) { return {std::move(shape)}; }
inline CaseOperand Constant(std::vector<int32_t> shape) {
  return {std::move(shape), CaseOperand::Kind::kConstant};
}
inline CaseOperand ConstantInts(std::vector<double> values, std::vector<int32_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<int32_t>(values.size())};
  return {std::move(shape), CaseOperand::Kind::kConstant, tflite::TensorType_INT32,
          std::move(values)};
}
inline CaseOperand Absent() { return {{}, CaseOperand::Kind::kAbsent}; }

struct OpCase {
  std::string name;
  tflite::BuiltinOperator op;
  tflite::BuiltinOptionsUnion options;
  std::vector<CaseOperand> inputs;
  std::vector<int32_t> output_shape;
  // Error that a float engine may make, besides a relative 1e-6.
  double tolerance = 0;
  int version = 1;
  tflite::TensorType output_type = tflite::TensorType_FLOAT32;
};

using DelegatePtr = std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>;

// Something that runs models.
struct Engine {
  std::string name;
  std::function<std::unique_ptr<tflite::OpResolver>()> make_resolver;
  int threads = 1;
  // Null: no delegate.
  std::function<DelegatePtr()> make_delegate = nullptr;
  // Times the case's tolerance.
  double slack = 1;
};

struct CaseResult {
  bool ok = false;
  // A delegate that does not take the op; the case then says nothing about the engine.
  bool refused = false;
  std::string error;
  std::vector<int32_t> shape;
  std::vector<double> values;
};

inline std::unique_ptr<tflite::OpResolver> MakeResolver() {
  return std::make_unique<tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates>();
}
inline std::unique_ptr<tflite::OpResolver> MakePlainResolver() {
  return std::make_unique<tflite::ops::builtin::BuiltinRefOpResolver>();
}

// All engines of this process; the first is the truth.
inline std::vector<Engine>& Engines() {
  static auto& engines = *new std::vector<Engine>{{"plain", MakePlainResolver},
                                                  {"xnnpack", MakeResolver, 1},
                                                  {"xnnpack, 2 threads", MakeResolver, 2}};
  return engines;
}

namespace internal {

template <class T>
std::vector<uint8_t> ToBytes(const std::vector<double>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    const T value = static_cast<T>(values[i]);
    std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
  }
  return bytes;
}

template <class T>
std::vector<double> FromBytes(const char* bytes, size_t size) {
  std::vector<double> values(size / sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return values;
}

inline std::vector<uint8_t> OperandBytes(const CaseOperand& operand, uint64_t seed) {
  std::vector<double> values = operand.values;
  const int64_t count = Count(std::vector<int>(operand.shape.begin(), operand.shape.end()));
  if (values.empty()) {
    for (const float v : Random(seed).Floats(count, operand.low, operand.high)) {
      values.push_back(double{v});
    }
  }
  switch (operand.type) {
    case tflite::TensorType_INT32:
      return ToBytes<int32_t>(values);
    case tflite::TensorType_INT64:
      return ToBytes<int64_t>(values);
    default:
      return ToBytes<float>(values);
  }
}

inline std::vector<double> TensorValues(const TfLiteTensor* t) {
  switch (t->type) {
    case kTfLiteInt32:
      return FromBytes<int32_t>(t->data.raw, t->bytes);
    case kTfLiteInt64:
      return FromBytes<int64_t>(t->data.raw, t->bytes);
    default:
      return FromBytes<float>(t->data.raw, t->bytes);
  }
}

inline std::vector<uint8_t> BuildModel(const OpCase& c) {
  ModelBuilder builder;
  builder.SetOpVersion(c.version);
  std::vector<int32_t> inputs;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const CaseOperand& operand = c.inputs[i];
    if (operand.kind == CaseOperand::Kind::kAbsent) {
      inputs.push_back(-1);
    } else if (operand.kind == CaseOperand::Kind::kRuntime) {
      inputs.push_back(builder.Input(operand.shape, operand.type));
    } else {
      inputs.push_back(
          builder.ConstBytes(operand.shape, operand.type, OperandBytes(operand, i + 1)));
    }
  }
  const int output = builder.Op(c.op, inputs, {builder.Tensor(c.output_shape, c.output_type)});
  builder.op().builtin_options = c.options;
  builder.Output(output);
  return builder.Finish();
}

// True when one delegate kernel is all that is left of the graph.
inline bool FullyDelegated(tflite::Interpreter& interpreter) {
  if (interpreter.execution_plan().size() != 1) return false;
  const auto* node = interpreter.node_and_registration(interpreter.execution_plan()[0]);
  return node != nullptr && node->first.delegate != nullptr;
}

}  // namespace internal

inline CaseResult RunCase(const OpCase& c, const Engine& engine) {
  const std::vector<uint8_t> bytes = internal::BuildModel(c);
  CaseResult result;
  const auto fail = [&](const char* what) {
    result.error = StrCat(engine.name, ": ", what);
    return result;
  };
  const auto model = tflite::FlatBufferModel::BuildFromBuffer(
      reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (model == nullptr) return fail("the model is refused");
  const std::unique_ptr<tflite::OpResolver> resolver = engine.make_resolver();
  DelegatePtr delegate(nullptr, [](TfLiteDelegate*) {});
  std::unique_ptr<tflite::Interpreter> interpreter;
  tflite::InterpreterBuilder(*model, *resolver)(&interpreter, engine.threads);
  if (interpreter == nullptr) return fail("no interpreter");
  if (engine.make_delegate) {
    delegate = engine.make_delegate();
    if (delegate == nullptr) return fail("no delegate");
    if (interpreter->ModifyGraphWithDelegate(delegate.get()) != kTfLiteOk) {
      return fail("ModifyGraphWithDelegate failed");
    }
    if (!internal::FullyDelegated(*interpreter)) {
      result.refused = true;
      return result;
    }
  }
  if (interpreter->AllocateTensors() != kTfLiteOk) return fail("AllocateTensors failed");
  size_t next = 0;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    if (c.inputs[i].kind != CaseOperand::Kind::kRuntime) continue;
    TfLiteTensor* tensor = interpreter->input_tensor(next++);
    const std::vector<uint8_t> data = internal::OperandBytes(c.inputs[i], i + 1);
    if (tensor->bytes != data.size()) return fail("an input has another size");
    if (!data.empty()) std::memcpy(tensor->data.raw, data.data(), data.size());
  }
  if (interpreter->Invoke() != kTfLiteOk) return fail("Invoke failed");
  const TfLiteTensor* output = interpreter->output_tensor(0);
  result.shape.assign(output->dims->data, output->dims->data + output->dims->size);
  result.values = internal::TensorValues(output);
  result.ok = true;
  interpreter.reset();
  return result;
}

// Runs the case on all engines and compares them with the first.
inline void CheckCase(const OpCase& c) {
  CaseResult truth;
  for (const Engine& engine : Engines()) {
    SCOPED_TRACE(StrCat(c.name, " on ", engine.name));
    const CaseResult result = RunCase(c, engine);
    if (result.refused) {
      std::printf("[  REFUSED ] %s on %s\n", c.name.c_str(), engine.name.c_str());
      continue;
    }
    ASSERT_TRUE(result.ok) << result.error;
    if (!truth.ok) truth = result;
    ASSERT_EQ(result.shape, truth.shape);
    ASSERT_EQ(result.values.size(), truth.values.size());
    for (size_t i = 0; i < truth.values.size(); ++i) {
      const double want = truth.values[i];
      ASSERT_NEAR(result.values[i], want,
                  engine.slack * (c.tolerance + 1e-6 * std::fabs(want)) + 1e-37)
          << "element " << i;
    }
  }
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_OP_CASE_H_
