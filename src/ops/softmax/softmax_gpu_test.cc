// SPDX-License-Identifier: Apache-2.0
// Softmax and its logarithm over many counts of channels on the GPU engines.
#include <gtest/gtest.h>

#include <vector>

#include "ops/testing/gpu_refusal.h"
#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

void CheckSoftmax(const Sizes& shape, float beta, double range) {
  GraphMaker m;
  const int x = m.Input(shape);
  const int y = m.Softmax(x, beta);
  CheckModel(m.Finish(StrCat("softmax over ", shape.back(), ", beta ", beta), y, range));
}

TEST(SoftmaxGpu, ChannelCounts) {
  for (int channels = 1; channels <= 300; channels += channels < 36 ? 1 : 23) {
    CheckSoftmax({2, 3, channels}, 1, 4);
  }
}

TEST(SoftmaxGpu, RanksRangesAndBeta) {
  CheckSoftmax({17}, 1, 2);
  CheckSoftmax({1, 1, 1, 5}, 1, 80);
  CheckSoftmax({2, 3, 4, 9}, 0.1f, 80);
  CheckSoftmax({2, 3, 4, 9}, 3, 80);
  CheckSoftmax({2, 2, 3, 4, 6}, 1, 2);
  CheckSoftmax({1, 70, 70, 3}, 1, 2);  // more pixels than items that share one
}

TEST(SoftmaxGpu, Logarithm) {
  for (const Sizes& shape : std::vector<Sizes>{
           {5}, {2, 3, 17}, {2, 5, 4, 33}, {1, 70, 70, 3}, {2, 2, 3, 4, 6}, {7, 130}}) {
    GraphMaker m;
    const int x = m.Input(shape);
    m.SetOpVersion(1);
    const int y = m.Op(tflite::BuiltinOperator_LOG_SOFTMAX, {x}, {m.Tensor(m.ShapeOf(x))});
    m.op().builtin_options.Set(tflite::LogSoftmaxOptionsT());
    m.Output(m.LeakyRelu(y));  // a step after it
    CheckModel(m.Finish(StrCat("logarithm of softmax over ", shape.back()), 4.0));
  }
}

// Elements of 16 bits, each row with a range of its own.
void CheckInt16(int rows, int channels, float scale, float beta) {
  ModelBuilder b;
  const std::vector<int32_t> shape = {rows, channels};
  const int x = b.Quantize(b.Input(shape, tflite::TensorType_INT16), scale, 0);
  const int y = b.Quantize(b.Tensor(shape, tflite::TensorType_INT16), 1.0f / 32768, 0);
  tflite::SoftmaxOptionsT options;
  options.beta = beta;
  b.SetOpVersion(3);
  b.Output(b.Op(tflite::BuiltinOperator_SOFTMAX, {x}, {y}, options));
  Random random(static_cast<uint64_t>(rows) * 1000 + static_cast<uint64_t>(channels));
  std::vector<int16_t> values;
  for (int row = 0; row < rows; ++row) {
    const int64_t reach = random.Integer(0, 32767);
    for (int c = 0; c < channels; ++c)
      values.push_back(static_cast<int16_t>(random.Integer(-reach - 1, reach)));
  }
  CheckSameBytes(StrCat("INT16 softmax over ", channels, ", scale ", scale), b, BytesOf(values),
                 true);
}

TEST(SoftmaxGpu, Int16ElementsAreTheCpus) {
  for (const int channels : {1, 2, 3, 7, 12, 33, 257}) {
    for (const float scale : {1e-5f, 2e-4f, 1.0f / 26214, 3e-3f, 1.0f}) {
      CheckInt16(40, channels, scale, 1);
    }
    CheckInt16(40, channels, 2e-4f, 2.5f);
  }
  CheckInt16(5000, 5, 2e-4f, 1);  // more pixels than items that share one
}

// By a factor that rounds nothing.
TEST(SoftmaxGpu, AnotherScaleBehindShorts) {
  const auto type = tflite::TensorType_INT16;
  ModelBuilder b;
  const int x = b.Quantize(b.Input({3, 7}, type), 3e-4f, 0);
  const int y = b.Quantize(b.Tensor({3, 7}, type), 1.0f / 32768, 0);
  tflite::SoftmaxOptionsT options;
  options.beta = 1;
  b.SetOpVersion(3);
  b.Op(tflite::BuiltinOperator_SOFTMAX, {x}, {y}, options);
  b.SetOpVersion(2);
  b.Output(b.Op(tflite::BuiltinOperator_QUANTIZE, {y},
                {b.Quantize(b.Tensor({3, 7}, type), 1.0f / 65536, 0)}));
  std::vector<int16_t> values;
  for (int i = 0; i < 21; ++i) values.push_back(static_cast<int16_t>(i * i * 37 % 20000 - 9000));
  CheckSameBytes("INT16 softmax and QUANTIZE", b, BytesOf(values), true);
}

// Rows of 8 bits, each with a range of its own.
void CheckBytes(tflite::BuiltinOperator code, tflite::TensorType type, int rows, int channels,
                float scale, float beta) {
  const bool is_log = code == tflite::BuiltinOperator_LOG_SOFTMAX;
  const bool is_signed = type == tflite::TensorType_INT8;
  ModelBuilder b;
  const std::vector<int32_t> shape = {rows, channels};
  const int x = b.Quantize(b.Input(shape, type), scale, 3);
  const int y = b.Quantize(b.Tensor(shape, type), is_log ? 16.0f / 256 : 1.0f / 256,
                           is_log ? (is_signed ? 127 : 255) : (is_signed ? -128 : 0));
  b.SetOpVersion(2);
  b.Output(b.Op(code, {x}, {y}));
  if (is_log) {
    b.op().builtin_options.Set(tflite::LogSoftmaxOptionsT());
  } else {
    tflite::SoftmaxOptionsT options;
    options.beta = beta;
    b.op().builtin_options.Set(options);
  }
  Random random(static_cast<uint64_t>(rows) * 1000 + static_cast<uint64_t>(channels));
  std::vector<uint8_t> values;
  for (int row = 0; row < rows; ++row) {
    const int64_t reach = random.Integer(0, 127), middle = is_signed ? 0 : 128;
    for (int c = 0; c < channels; ++c)
      values.push_back(static_cast<uint8_t>(random.Integer(middle - reach - 1, middle + reach)));
  }
  CheckSameBytes(StrCat(tflite::EnumNameBuiltinOperator(code), " of ",
                        tflite::EnumNameTensorType(type), " over ", channels, ", scale ", scale),
                 b, values, true);
}

TEST(SoftmaxGpu, BytesAreTheCpusElements) {
  for (const auto code : {tflite::BuiltinOperator_SOFTMAX, tflite::BuiltinOperator_LOG_SOFTMAX}) {
    for (const auto type : {tflite::TensorType_INT8, tflite::TensorType_UINT8}) {
      for (const int channels : {1, 2, 3, 7, 12, 33, 257, 1001}) {
        for (const float scale : {1e-4f, 0.02f, 0.13f, 1.0f, 40.0f})
          CheckBytes(code, type, 24, channels, scale, 1);
      }
      CheckBytes(code, type, 24, 10, 0.05f, 2.5f);
      CheckBytes(code, type, 5000, 5, 0.1f, 1);  // more pixels than items that share one
    }
  }
}

}  // namespace
}  // namespace tern::testing
