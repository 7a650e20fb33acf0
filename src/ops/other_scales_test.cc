// SPDX-License-Identifier: Apache-2.0
// Every operation that takes quantized tensors, each tensor quantized in another way: GPU engines
// give the elements of the plain CPU kernel, or leave the node to it. Models are the examples of
// the operations with other scales and zero points.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/str_cat.h"
#include "ops/testing/engines.h"
#include "ops/testing/example.h"
#include "ops/testing/oracle.h"
#include "tensorflow/lite/logger.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {
namespace {

using Bytes = std::vector<uint8_t>;

// These compute sums of products, or states, or products one after the other: their own tests say
// how near they are. The decomposition of a composite has quantizations of its own.
const std::set<std::string> kElsewhere = {"BATCH_MATMUL",
                                          "BIDIRECTIONAL_SEQUENCE_LSTM",
                                          "BIDIRECTIONAL_SEQUENCE_RNN",
                                          "CONV_2D",
                                          "Convolution2DTransposeBias",
                                          "DEPTHWISE_CONV_2D",
                                          "FULLY_CONNECTED",
                                          "LSTM",
                                          "REDUCE_PROD",
                                          "RNN",
                                          "STABLEHLO_COMPOSITE",
                                          "SVDF",
                                          "TRANSPOSE_CONV",
                                          "UNIDIRECTIONAL_SEQUENCE_LSTM",
                                          "UNIDIRECTIONAL_SEQUENCE_RNN"};

bool IsQuantized(const tflite::TensorT& tensor) {
  const bool narrow = tensor.type == tflite::TensorType_INT8 ||
                      tensor.type == tflite::TensorType_UINT8 ||
                      tensor.type == tflite::TensorType_INT16;
  return narrow && tensor.quantization != nullptr && tensor.quantization->scale.size() == 1;
}

// Which tensors get another quantization: operations ask for that of some.
enum class Which { kAll, kOutputs, kInputs };

// The model with other scales and zero points; empty where it has no tensors for them.
Bytes WithOtherScales(const Bytes& bytes, Which which, Random& random) {
  const std::unique_ptr<tflite::ModelT> model(tflite::GetModel(bytes.data())->UnPack());
  tflite::SubGraphT& graph = *model->subgraphs[0];
  const std::set<int32_t> outputs(graph.outputs.begin(), graph.outputs.end());
  bool changed = false;
  for (size_t t = 0; t < graph.tensors.size(); ++t) {
    tflite::TensorT& tensor = *graph.tensors[t];
    const bool is_output = outputs.count(static_cast<int32_t>(t)) != 0;
    if (!IsQuantized(tensor) || (which == Which::kOutputs && !is_output) ||
        (which == Which::kInputs && is_output)) {
      continue;
    }
    const bool wide = tensor.type == tflite::TensorType_INT16;
    const double exponent = static_cast<double>(random.Integer(-2000, 1000)) / 1000;
    tensor.quantization->scale = {static_cast<float>(std::exp2(exponent - (wide ? 12 : 5)))};
    const bool is_unsigned = tensor.type == tflite::TensorType_UINT8;
    tensor.quantization->zero_point = {wide ? 0 : random.Integer(0, 255) - (is_unsigned ? 0 : 128)};
    changed = true;
  }
  if (!changed) return {};
  flatbuffers::FlatBufferBuilder builder;
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, model.get()));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

template <class T>
void Append(Bytes& bytes, T value) {
  bytes.resize(bytes.size() + sizeof value);
  std::memcpy(&bytes[bytes.size() - sizeof value], &value, sizeof value);
}

// Elements over the whole range of the type, or of positive numbers alone; other types get small
// numbers.
std::vector<Bytes> RandomInputs(const Bytes& bytes, bool positive, Random& random) {
  const std::unique_ptr<tflite::ModelT> model(tflite::GetModel(bytes.data())->UnPack());
  const tflite::SubGraphT& graph = *model->subgraphs[0];
  std::vector<Bytes> inputs;
  for (const int32_t t : graph.inputs) {
    const tflite::TensorT& tensor = *graph.tensors[static_cast<size_t>(t)];
    int64_t count = 1;
    for (const int32_t size : tensor.shape) count *= size;
    const bool quantized = IsQuantized(tensor);
    const int64_t zero = quantized && !tensor.quantization->zero_point.empty()
                             ? tensor.quantization->zero_point[0]
                             : 0;
    const auto element = [&](int64_t low, int64_t high) {
      return random.Integer(positive && quantized ? std::min(zero + 1, high) : low, high);
    };
    Bytes& input = inputs.emplace_back();
    for (int64_t i = 0; i < count; ++i) {
      switch (tensor.type) {
        case tflite::TensorType_INT8:
          Append(input, static_cast<int8_t>(element(-128, 127)));
          break;
        case tflite::TensorType_UINT8:
          Append(input, static_cast<uint8_t>(element(0, 255)));
          break;
        case tflite::TensorType_INT16:
          Append(input, static_cast<int16_t>(element(-32768, 32767)));
          break;
        case tflite::TensorType_INT64:
          Append(input, int64_t{1});
          break;
        case tflite::TensorType_INT32:
          Append(input, int32_t{1});
          break;
        case tflite::TensorType_FLOAT32:
          Append(input, static_cast<float>(random.Integer(-1000, 1000)) / 500);
          break;
        default:
          Append(input, uint8_t{1});
      }
    }
  }
  return inputs;
}

const std::vector<Engine>& EnginesInTurn() {
  static const auto& engines = *new std::vector<Engine>([] {
    std::vector<Engine> all = DriverEngines();
    // A program costs them a run of the C++ compiler.
    const bool host = std::getenv("TERN_ALL_ENGINES") != nullptr || all.empty();
    if (host) all.insert(all.end(), HostEngines().begin(), HostEngines().end());
    std::erase_if(all, [](const Engine& engine) { return engine.half; });
    return all;
  }());
  return engines;
}

class OtherScales {
 public:
  void Check(const std::string& op, const Bytes& model) {
    Random random(++number_);
    for (const Which which : {Which::kAll, Which::kOutputs, Which::kInputs}) {
      const Bytes other = WithOtherScales(model, which, random);
      if (other.empty()) return;
      for (const bool positive : {false, true}) {
        const std::vector<Bytes> inputs = RandomInputs(other, positive, random);
        const RunResult want = RunModel(other, inputs, CpuEngines()[0]);
        if (!want.error.empty()) continue;
        ++checked_;
        CheckEngines(op, other, inputs, want);
        break;
      }
    }
  }
  size_t checked() const { return checked_; }

 private:
  void CheckEngines(const std::string& op, const Bytes& model, const std::vector<Bytes>& inputs,
                    const RunResult& want) {
    const bool all = std::getenv("TERN_ALL_ENGINES") != nullptr;
    for (size_t i = 0; i < (all ? EnginesInTurn().size() : 1); ++i) {
      const Engine& engine = EnginesInTurn()[all ? i : turn_++ % EnginesInTurn().size()];
      const RunResult got = RunModel(model, inputs, engine);
      // The second where shapes are not known, and no node is shown to the delegate.
      if (got.error.rfind("not delegated", 0) == 0 ||
          got.error.find("\"nodes\":0,") != std::string::npos) {
        continue;
      }
      ASSERT_EQ(got.error, "") << op << " on " << engine.name;
      for (size_t o = 0; o < want.outputs.size(); ++o) {
        EXPECT_EQ(got.outputs[o].numbers(), want.outputs[o].numbers())
            << op << " of " << TfLiteTypeGetName(want.outputs[o].type) << " on " << engine.name
            << ", output " << o;
      }
    }
  }

  uint64_t number_ = 0;
  size_t turn_ = 0, checked_ = 0;
};

TEST(OtherScales, ElementsAreThoseOfTheCpu) {
  if (EnginesInTurn().empty()) GTEST_SKIP() << "no GPU engine here";
  const tflite::LogSeverity before =
      tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
  const char* only = std::getenv("TERN_ONLY_OP");
  OtherScales scales;
  for (const Example& example : Examples::All()) {
    if (kElsewhere.count(example.op) != 0 || (only != nullptr && example.op != only)) continue;
    for (const Bytes& model : ModelsOnCpu(example)) scales.Check(example.op, model);
  }
  tflite::LoggerOptions::SetMinimumLogSeverity(before);
  EXPECT_TRUE(only != nullptr || scales.checked() > 300) << scales.checked();
}

}  // namespace
}  // namespace tern::testing
