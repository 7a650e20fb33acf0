// SPDX-License-Identifier: Apache-2.0
// LSTMs over sequences and batches of many rows, whose products are those of packed matrices:
// against each row alone, to the last bit, in the forms whose sums are integers.
#include <gtest/gtest.h>

#include <cstring>

#include "model/testing/model_builder.h"
#include "ops/testing/engines.h"

namespace tern::testing {
namespace {

constexpr int kItemInputs = 9, kItemCells = 70;  // rows of the state suit the kernels of bytes
constexpr size_t kNumberBytes = sizeof(float);

enum class WeightForm { kDynamicRange, kAsymmetricDynamicRange, kInteger };

struct Sequences {
  WeightForm form;
  int time, batch;
  bool time_major;
};

// Results of each engine for `input`, which has the bytes of [time, batch, inputs] in its layout.
std::vector<std::vector<uint8_t>> RunSequences(const Sequences& s,
                                               const std::vector<uint8_t>& input) {
  const bool integer = s.form == WeightForm::kInteger;
  ModelBuilder b;
  const auto type = integer ? tflite::TensorType_INT8 : tflite::TensorType_FLOAT32;
  const auto shape = [&](int size) {
    return s.time_major ? std::vector<int32_t>{s.time, s.batch, size}
                        : std::vector<int32_t>{s.batch, s.time, size};
  };
  const auto quantized = [&](int tensor, float scale, int zero) {
    return integer ? b.Quantize(tensor, scale, zero) : tensor;
  };
  int seed = 1;
  const auto weights = [&](int columns) {
    std::vector<int8_t> values(static_cast<size_t>(kItemCells * columns));
    for (int8_t& v : values) {
      seed = (seed * 75 + 74) % 65537;
      v = static_cast<int8_t>(seed % 255 - 127);
    }
    return b.Quantize(b.Const({kItemCells, columns}, values), 0.004f, 0);
  };
  std::vector<int32_t> in = {quantized(b.Input(shape(kItemInputs), type), 0.02f, 3)};
  for (int g = 0; g < 4; ++g) in.push_back(weights(kItemInputs));
  for (int g = 0; g < 4; ++g) in.push_back(weights(kItemCells));
  in.insert(in.end(), {-1, -1, -1});
  for (int g = 0; g < 4; ++g) {
    in.push_back(integer ? b.Const({kItemCells}, std::vector<int32_t>(kItemCells, 300 * g - 500))
                         : b.Const({kItemCells}, std::vector<float>(kItemCells, 0.2f)));
  }
  in.insert(in.end(), {-1, -1, quantized(b.Variable({s.batch, kItemCells}, type), 0.01f, -4)});
  const auto state = integer ? tflite::TensorType_INT16 : tflite::TensorType_FLOAT32;
  in.push_back(quantized(b.Variable({s.batch, kItemCells}, state), 1.0f / 2048, 0));
  in.insert(in.end(), 4, -1);
  const int out = quantized(b.Tensor(shape(kItemCells), type), 0.01f, -4);
  tflite::UnidirectionalSequenceLSTMOptionsT options;
  options.fused_activation_function = tflite::ActivationFunctionType_TANH;
  options.time_major = s.time_major;
  options.asymmetric_quantize_inputs = s.form == WeightForm::kAsymmetricDynamicRange;
  b.Op(tflite::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM, in, {out}, options);
  if (integer) {
    std::vector<int32_t> between;
    for (int i = 0; i < 4; ++i) between.push_back(b.Tensor({0}));
    between.push_back(b.Quantize(b.Tensor({0}, tflite::TensorType_INT8), 0.01f, -4));
    b.op().intermediates = between;
  }
  b.Output(out);
  std::vector<std::vector<uint8_t>> results;
  for (const Engine& engine : CpuEngines()) {
    const RunResult result = RunModel(b.Finish(), {input}, engine);
    EXPECT_EQ(result.error, "");
    results.push_back(result.error.empty() ? result.outputs[0].bytes : std::vector<uint8_t>());
  }
  return results;
}

// The rows of one batch item.
std::vector<uint8_t> RowsOfItem(const Sequences& s, int item, const std::vector<uint8_t>& all) {
  const size_t size = all.size() / static_cast<size_t>(s.time * s.batch);
  std::vector<uint8_t> rows;
  for (int t = 0; t < s.time; ++t) {
    const int row = s.time_major ? t * s.batch + item : item * s.time + t;
    const auto begin = all.begin() + static_cast<long>(static_cast<size_t>(row) * size);
    rows.insert(rows.end(), begin, begin + static_cast<long>(size));
  }
  return rows;
}

TEST(LstmBatches, EachSequenceIsAsAlone) {
  for (const WeightForm form :
       {WeightForm::kDynamicRange, WeightForm::kAsymmetricDynamicRange, WeightForm::kInteger}) {
    for (const bool time_major : {true, false}) {
      for (const int batch : {2, 7}) {
        const Sequences together = {form, 40, batch, time_major};
        const int numbers = together.time * batch * kItemInputs;
        std::vector<uint8_t> input;
        for (int i = 0; i < numbers; ++i) {
          const int v = (i * 7919 + 11) % 251 - 125;
          if (form == WeightForm::kInteger) {
            input.push_back(static_cast<uint8_t>(v));
          } else {
            const float x = static_cast<float>(v) / 100;
            input.resize(input.size() + kNumberBytes);
            std::memcpy(&input[input.size() - kNumberBytes], &x, kNumberBytes);
          }
        }
        const auto all = RunSequences(together, input);
        for (int item = 0; item < batch; ++item) {
          const auto alone =
              RunSequences({form, together.time, 1, time_major}, RowsOfItem(together, item, input));
          for (size_t engine = 0; engine < all.size(); ++engine) {
            EXPECT_EQ(RowsOfItem(together, item, all[engine]), alone[engine])
                << static_cast<int>(form) << ", time major " << time_major << ", item " << item
                << " of " << batch << ", " << CpuEngines()[engine].name;
          }
        }
        if (form != WeightForm::kInteger) continue;
        for (const auto& result : all) EXPECT_EQ(result, all[0]);
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing
