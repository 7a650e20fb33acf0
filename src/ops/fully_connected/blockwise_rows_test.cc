// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED with scales by block of a row on the CPU, against double precision, and its
// refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "ops/cpu_registry.h"
#include "ops/testing/block_weights.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/packed_once.h"

namespace tern::testing {
namespace {

TfLiteType TypeOfBits(int bits) {
  return bits == 2 ? kTfLiteInt2 : bits == 4 ? kTfLiteInt4 : kTfLiteInt8;
}

struct BlockLayer {
  int rows = 3, units = 5, depth = 64, block = 32, bits = 4;
  bool biased = true;
  TfLiteFusedActivation activation = kTfLiteActNone;
  TfLiteAllocationType where = kTfLiteMmapRo;  // the weights
  bool float_scales = false;
};

// A node with its weights, and their scales in a tensor beside its operands.
class Runner {
 public:
  Runner(const BlockLayer& l, const BlockWeights& w, const std::vector<float>& x, OpForm form,
         int threads = 1)
      : blocks_{l.biased ? 4 : 3, -1, l.block, 0} {
    params_.activation = l.activation;
    run_ = std::make_unique<OpRunner>(FullyConnectedRegistration(form), &params_, threads);
    run_->Output();
    run_->Input({l.rows, l.depth}, x);
    run_->InputAs(TypeOfBits(l.bits), {l.units, l.depth}, w.packed, l.where);
    if (l.biased) run_->Input({l.units}, Bias(l), kTfLiteMmapRo);
    const std::vector<int> scales = {l.units, l.depth / l.block};
    if (l.float_scales) {
      run_->Input(scales, w.scales, kTfLiteMmapRo);
    } else {
      run_->InputAs(kTfLiteFloat16, scales, w.half_scales(), kTfLiteMmapRo);
    }
    scales_ = &run_->input(l.biased ? 3 : 2);
    run_->HideLastInput();
    run_->input(1).quantization = {kTfLiteBlockwiseQuantization, &blocks_};
  }
  static std::vector<float> Bias(const BlockLayer& l) { return Random(11).Floats(l.units); }

  OpRunner& run() { return *run_; }
  TfLiteBlockwiseQuantization& blocks() { return blocks_; }
  TfLiteTensor& weights() { return run_->input(1); }
  TfLiteTensor& scales() { return *scales_; }
  std::string Error() { return run_->Run() == kTfLiteOk ? "" : run_->error(); }

 private:
  TfLiteFullyConnectedParams params_{};
  TfLiteBlockwiseQuantization blocks_;
  std::unique_ptr<OpRunner> run_;
  TfLiteTensor* scales_ = nullptr;
};

// `loss`: the maximum that a row's quantization takes from an activation. Sums of quantized values,
// which lie around a zero point of their own, are rounded.
void CheckLayer(const BlockLayer& l, const std::vector<float>& x, double loss) {
  const BlockWeights w(l.units, l.depth, l.block, l.bits);
  const std::vector<float> bias = Runner::Bias(l);
  const FloatRange range = ActivationRange(l.activation);
  for (const Way& way : kWays) {
    Runner runner(l, w, x, way.form, way.threads);
    ASSERT_EQ(runner.Error(), "") << way.name;
    for (int round = 0; round < 2; ++round) {
      const std::vector<float> got = runner.run().Values();
      ASSERT_EQ(got.size(), static_cast<size_t>(l.rows * l.units));
      for (int i = 0; i < l.rows * l.units; ++i) {
        Expected want;
        double reach = 0, offset = 0;
        for (int k = 0; k < l.depth; ++k) {
          const double weight = w.floats[i % l.units * l.depth + k];
          const double value = x[i / l.units * l.depth + k];
          want.Add(value * weight);
          reach += std::fabs(weight) * loss;
          offset = std::max(offset, std::fabs(value));
        }
        for (int k = 0; k < l.depth; ++k) {
          want.magnitude += 2 * offset * std::fabs(w.floats[i % l.units * l.depth + k]);
        }
        if (l.biased) want.Add(bias[i % l.units]);
        want.Clamp(range);
        ASSERT_NEAR(got[i], want.value, reach + want.Tolerance()) << way.name << ", " << i;
      }
      ASSERT_EQ(runner.run().Eval(), kTfLiteOk);
    }
  }
}

void CheckExact(const BlockLayer& l) {
  CheckLayer(l, ExactRows(l.rows, l.depth), 0);
  CheckLayer(l, ExactRows(l.rows, l.depth, /*positive=*/true), 0);
}

TEST(BlockwiseRows, BlocksOfEverySize) {
  for (const int block : {32, 64, 128, 256}) {
    for (const int blocks : {1, 2, 3}) {
      for (const int rows : {1, 2, 7}) {
        CheckExact({.rows = rows, .units = 13, .depth = blocks * block, .block = block});
      }
    }
  }
  for (const int block : {2, 3, 8, 11, 24, 33}) {
    CheckExact({.depth = 2 * block, .block = block});
  }
}

TEST(BlockwiseRows, BitsScalesAndPlaces) {
  for (const int bits : {2, 4, 8}) {
    CheckExact({.bits = bits});
    CheckExact({.bits = bits, .float_scales = true});
    CheckExact({.bits = bits, .where = kTfLiteArenaRw});
  }
}

TEST(BlockwiseRows, BiasesAndActivations) {
  CheckExact({.biased = false});
  for (const auto activation : {kTfLiteActRelu, kTfLiteActReluN1To1, kTfLiteActRelu6}) {
    CheckExact({.activation = activation});
  }
}

// A row is quantized to 255 steps from its smallest value, or 0, to its largest, or 0: half of a
// step is what a value loses. Where the zero point is rounded that is half a step more at one end.
TEST(BlockwiseRows, AnyActivations) {
  const double step = 4.0 / 255;
  for (const int block : {32, 128}) {
    const BlockLayer l = {.rows = 4, .units = 9, .depth = 256, .block = block};
    CheckLayer(l, Random(1).Floats(int64_t{l.rows} * l.depth, -2, 2), step);
    CheckLayer(l, Random(2).Floats(int64_t{l.rows} * l.depth, 1, 4), step);
    CheckLayer(l, Random(3).Floats(int64_t{l.rows} * l.depth, -4, -1), step);
    CheckLayer(l, std::vector<float>(static_cast<size_t>(l.rows * l.depth), 0), 0);
  }
}

TEST(BlockwiseRows, RowsThatAreNoNumbersGiveNone) {
  const BlockLayer l;
  const BlockWeights w(l.units, l.depth, l.block);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> x = ExactRows(l.rows, l.depth);
    x[5] = bad;
    for (const Way& way : kWays) {
      Runner runner(l, w, x, way.form, way.threads);
      ASSERT_EQ(runner.Error(), "");
      const std::vector<float> got = runner.run().Values();
      for (int i = 0; i < l.rows * l.units; ++i) {
        EXPECT_EQ(std::isnan(got[i]), i < l.units) << way.name << ", " << i;
      }
    }
  }
}

TEST(BlockwiseRows, OperatorsOfTheSameWeightsPackThemOnce) {
  const BlockLayer l;
  const BlockWeights w(l.units, l.depth, l.block);
  const std::vector<float> x = ExactRows(l.rows, l.depth);
  Runner first(l, w, x, OpForm::kOptimized), second(l, w, x, OpForm::kOptimized);
  second.scales().data.raw = first.scales().data.raw;
  ExpectPackedOnce(first.run(), second.run(), 1);
}

// No scale of any tensor's is read that is not there.
TEST(BlockwiseRows, BadBlocksAreErrors) {
  using Change = std::function<void(Runner&)>;
  const struct {
    std::string error;
    Change change;
  } cases[] = {
      {"the scales of weights are missing (tensor -1)", [](Runner& r) { r.blocks().scale = -1; }},
      {"the scales of weights are missing (tensor 5)", [](Runner& r) { r.blocks().scale = 5; }},
      {"scales of weights must be 5 x 2 (5)", [](Runner& r) { r.blocks().scale = 3; }},
      {"scales of weights of type INT4 are not supported (FLOAT16 and FLOAT32 are)",
       [](Runner& r) { r.blocks().scale = 2; }},
      {"scales of weights of type BFLOAT16 are not supported (FLOAT16 and FLOAT32 are)",
       [](Runner& r) { r.scales().type = kTfLiteBFloat16; }},
      {"scales of weights must be constants of the model",
       [](Runner& r) { r.scales().allocation_type = kTfLiteArenaRw; }},
      {"blocks of weights do not divide its rows (0, 64)",
       [](Runner& r) { r.blocks().blocksize = 0; }},
      {"blocks of weights do not divide its rows (-32, 64)",
       [](Runner& r) { r.blocks().blocksize = -32; }},
      {"blocks of weights do not divide its rows (48, 64)",
       [](Runner& r) { r.blocks().blocksize = 48; }},
      {"blocks of weights do not divide its rows (128, 64)",
       [](Runner& r) { r.blocks().blocksize = 128; }},
      {"scales of weights must be 5 x 4 (10)", [](Runner& r) { r.blocks().blocksize = 16; }},
      {"scales of weights must be 5 x 2 (8)", [](Runner& r) { r.scales().dims->data[0] = 4; }},
      {"scales has no data", [](Runner& r) { r.scales().data.raw = nullptr; }},
      {"scales holds too few bytes (19, needed 20)", [](Runner& r) { r.scales().bytes = 19; }},
      {"weights holds too few bytes (100, needed 160)", [](Runner& r) { r.weights().bytes = 100; }},
  };
  const BlockLayer l;
  const BlockWeights w(l.units, l.depth, l.block);
  for (const auto& bad : cases) {
    for (const OpForm form : {OpForm::kReference, OpForm::kOptimized}) {
      Runner runner(l, w, ExactRows(l.rows, l.depth), form);
      bad.change(runner);
      EXPECT_EQ(runner.Error(), "FULLY_CONNECTED: " + bad.error);
    }
  }
}

// The reference ignores zero points and which axis is named: exporters write -1, 0 and nothing.
TEST(BlockwiseRows, ZeroPointsAndAxisCountNothing) {
  const BlockLayer l;
  const BlockWeights w(l.units, l.depth, l.block);
  const std::vector<float> x = ExactRows(l.rows, l.depth);
  std::vector<float> want;
  for (const int zero_point : {-1, 0, 2, 99}) {
    for (const int axis : {0, 1}) {
      Runner runner(l, w, x, OpForm::kOptimized);
      runner.blocks().zero_point = zero_point;
      runner.blocks().quantized_dimension = axis;
      ASSERT_EQ(runner.Error(), "");
      if (want.empty()) want = runner.run().Values();
      EXPECT_EQ(runner.run().Values(), want);
    }
  }
}

}  // namespace
}  // namespace tern::testing
