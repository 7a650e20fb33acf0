// SPDX-License-Identifier: Apache-2.0
// Constants after DEQUANTIZE are constants on the GPU: weights, operands of elementwise ops, and
// outputs of the model.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "ops/testing/graph_maker.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model_builder.h"

namespace tern::testing {
namespace {

enum class Stored { kHalf, kInt8PerChannel, kUInt8, kInt16, kInt4 };
const Stored kAllStored[] = {Stored::kHalf, Stored::kInt8PerChannel, Stored::kUInt8, Stored::kInt16,
                             Stored::kInt4};

void SetScales(GraphMaker& m, int tensor, const std::vector<float>& scales, int64_t zero_point) {
  auto q = std::make_unique<tflite::QuantizationParametersT>();
  q->scale = scales;
  q->zero_point.assign(scales.size(), zero_point);
  q->quantized_dimension = 0;
  m.tensor(tensor).quantization = std::move(q);
}

// A random constant of the kind, and DEQUANTIZE after it.
int Dequantized(GraphMaker& m, const Sizes& shape, Stored stored) {
  Random random(static_cast<uint64_t>(GraphMaker::CountOf(shape)) + 77);
  const auto count = static_cast<size_t>(GraphMaker::CountOf(shape));
  ModelBuilder& b = m;
  int from = -1;
  if (stored == Stored::kHalf) {
    from = b.ConstHalf(shape, random.Floats(static_cast<int64_t>(count), -1, 1));
  } else if (stored == Stored::kInt8PerChannel) {
    std::vector<int8_t> values(count);
    for (int8_t& v : values) v = static_cast<int8_t>(random.Integer(-128, 127));
    from = b.Const(shape, values);
    std::vector<float> scales;
    for (int i = 0; i < shape[0]; ++i) scales.push_back(0.002f * static_cast<float>(i + 1));
    SetScales(m, from, scales, 3);
  } else if (stored == Stored::kUInt8) {
    std::vector<uint8_t> values(count);
    for (uint8_t& v : values) v = static_cast<uint8_t>(random.Integer(0, 255));
    from = b.Const(shape, values);
    SetScales(m, from, {0.01f}, 130);
  } else if (stored == Stored::kInt16) {
    std::vector<int16_t> values(count);
    for (int16_t& v : values) v = static_cast<int16_t>(random.Integer(-32768, 32767));
    from = b.Const(shape, values);
    SetScales(m, from, {1.0f / 32768}, 0);
  } else {
    std::vector<uint8_t> bytes((count + 1) / 2);
    for (uint8_t& v : bytes) v = static_cast<uint8_t>(random.Integer(0, 255));
    from = b.ConstBytes(shape, tflite::TensorType_INT4, bytes);
    SetScales(m, from, {0.125f}, 0);
  }
  b.SetOpVersion(stored == Stored::kInt4 ? 6 : stored == Stored::kInt8PerChannel ? 5 : 3);
  return b.Op(tflite::BuiltinOperator_DEQUANTIZE, {from}, {b.Tensor(shape)});
}

// Delegated completely, and near to the plain CPU kernels.
void CheckAgainstCpu(const ModelCase& c) {
  const RunResult want = RunModelCase(c, CpuEngines()[0]);
  ASSERT_EQ(want.error, "") << c.name;
  std::vector<Engine> engines = {CpuEngines()[1]};
  engines.insert(engines.end(), DriverEngines().begin(), DriverEngines().end());
  for (const Engine& engine : engines) {
    const RunResult got = RunModelCase(c, engine);
    ASSERT_EQ(got.error, "") << c.name << " on " << engine.name;
    ASSERT_EQ(got.outputs.size(), want.outputs.size());
    for (size_t o = 0; o < got.outputs.size(); ++o) {
      const std::vector<float> a = got.outputs[o].floats(), b = want.outputs[o].floats();
      ASSERT_EQ(a.size(), b.size());
      for (size_t i = 0; i < a.size(); ++i) {
        const double near = engine.half ? 2e-2 : 2e-5;
        ASSERT_NEAR(a[i], b[i], near * (1 + std::fabs(b[i]))) << c.name << " on " << engine.name;
      }
    }
  }
}

TEST(DequantizeGpu, Weights) {
  for (const Stored stored : kAllStored) {
    GraphMaker m;
    const int x = m.Input({2, 5, 4, 3});
    const int filter = Dequantized(m, {7, 3, 3, 3}, stored);
    const int bias = Dequantized(m, {7}, Stored::kHalf);
    tflite::Conv2DOptionsT o;
    o.padding = tflite::Padding_SAME;
    o.stride_h = o.stride_w = 1;
    m.SetOpVersion(1);
    const int y = m.Op(tflite::BuiltinOperator_CONV_2D, {x, filter, bias}, {m.Tensor({2, 5, 4, 7})},
                       std::move(o));
    CheckAgainstCpu(m.Finish(StrCat("filter stored ", static_cast<int>(stored)), y));
  }
}

TEST(DequantizeGpu, OperandsAndOutputs) {
  for (const Stored stored : kAllStored) {
    GraphMaker m;
    const int x = m.Input({2, 3, 2, 5});
    const int operand = Dequantized(m, {3, 1, 5}, stored);
    m.Output(m.Sum(m.Product(x, operand), m.Relu(x)));
    m.Output(operand);  // the application wants it, too
    CheckAgainstCpu(m.Finish(StrCat("operand stored ", static_cast<int>(stored))));
  }
}

int Convolution(GraphMaker& m, int x, Stored stored) {
  const Sizes in = m.ShapeOf(x);
  const int filter = Dequantized(m, {in[3], 1, 1, in[3]}, stored);
  tflite::Conv2DOptionsT o;
  o.padding = tflite::Padding_SAME;
  o.stride_h = o.stride_w = 1;
  m.SetOpVersion(1);
  return m.Op(tflite::BuiltinOperator_CONV_2D, {x, filter, m.Constant({in[3]})}, {m.Tensor(in)},
              std::move(o));
}

// Where a part of the model stays on the CPU, its constants stay there, too, instead of coming from
// the GPU in every run.
TEST(DequantizeGpu, ConstantsOfOthersStayOnTheCpu) {
  GraphMaker m;
  const int first = Convolution(m, m.Relu(m.Input({1, 4, 3, 5})), Stored::kHalf);
  tflite::FakeQuantOptionsT o;
  o.min = -4;
  o.max = 4;
  o.num_bits = 16;
  m.SetOpVersion(1);
  const int between =
      m.Op(tflite::BuiltinOperator_FAKE_QUANT, {first}, {m.Tensor(m.ShapeOf(first))}, std::move(o));
  const ModelCase c = m.Finish("two parts", Convolution(m, between, Stored::kInt8PerChannel));
  const RunResult want = RunModelCase(c, CpuEngines()[0]);
  ASSERT_EQ(want.error, "");
  const auto model = tflite::FlatBufferModel::BuildFromBuffer(
      reinterpret_cast<const char*>(c.bytes.data()), c.bytes.size());
  const tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates resolver;
  for (const Engine& engine : DriverEngines()) {
    if (engine.half) continue;
    const DelegatePtr delegate = MakeDelegate(engine);
    std::unique_ptr<tflite::Interpreter> interpreter;
    tflite::InterpreterBuilder(*model, resolver)(&interpreter, 1);
    ASSERT_EQ(interpreter->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << engine.name;
    ASSERT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
    int delegated = 0;
    for (const int index : interpreter->execution_plan()) {
      const TfLiteNode& node = interpreter->node_and_registration(index)->first;
      if (node.delegate == nullptr) continue;
      ++delegated;
      EXPECT_EQ(node.outputs->size, 1) << engine.name;
    }
    EXPECT_EQ(delegated, 1) << engine.name;
    std::memcpy(interpreter->typed_input_tensor<float>(0), c.inputs[0].data(),
                c.inputs[0].size() * sizeof(float));
    ASSERT_EQ(interpreter->Invoke(), kTfLiteOk);
    const std::vector<float> expected = want.outputs[0].floats();
    for (size_t i = 0; i < expected.size(); ++i) {
      // A value may fall on the other side of a step between two numbers of 16 bits.
      ASSERT_NEAR(interpreter->typed_output_tensor<float>(0)[i], expected[i], 2e-3) << engine.name;
    }
  }
}

}  // namespace
}  // namespace tern::testing
