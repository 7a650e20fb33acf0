// SPDX-License-Identifier: Apache-2.0
// moe against its formula, with weights of all types, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/flex_options.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

constexpr int kTokens = 5, kSize = 6, kHidden = 4, kExperts = 3, kRoutes = 2;

std::vector<uint8_t> Options(const std::string& type, const std::string& activation,
                             int experts = kExperts, int routes = kRoutes) {
  return FlexOptions([&](flexbuffers::Builder& b) {
    b.Int("num_experts", experts);
    b.Int("num_active_experts", routes);
    b.Int("model_dim", kSize);
    b.Int("hidden_dim", kHidden);
    b.String("weight_type", type);
    if (!activation.empty()) b.String("activation", activation);
  });
}

struct MoeCase {
  // `parts` scales per row of integers.
  MoeCase(const std::string& type, const std::string& activation, int parts, bool bytes = false)
      : run(MoeRegistration(OpForm::kOptimized), nullptr, 2), tanh(activation == "gelu_tanh") {
    run.SetCustomOptions(Options(type, activation));
    run.Input({1, kTokens, kSize}, x);
    run.Input({1, kTokens, kRoutes}, route_weights);
    run.Input({1, kTokens, kRoutes}, experts);
    gate = Weights(type, {kHidden, kExperts, 1, kSize}, parts, bytes, 2);
    up = Weights(type, {kHidden, kExperts, 1, kSize}, parts, bytes, 3);
    down = Weights(type, {kSize, kExperts, 1, kHidden}, parts, bytes, 4);
    run.Input({kExperts}, scale, kTfLiteMmapRo);
    run.Output();
  }

  // Adds the operands and returns their real values.
  std::vector<double> Weights(const std::string& type, const std::vector<int>& shape, int parts,
                              bool bytes, uint64_t seed) {
    const int rows = shape[0] * shape[1], columns = shape[3], count = rows * columns;
    std::vector<double> real;
    if (type == "fp32") {
      const std::vector<float> values = Random(seed).Floats(count, -1, 1);
      run.Input(shape, values, kTfLiteMmapRo);
      return {values.begin(), values.end()};
    }
    const int max = type == "int8" ? 127 : 7;
    const std::vector<float> floats = Random(seed).Floats(count, -1, 1),
                             scales = Random(seed + 9).Floats(rows * parts, 0.5f, 1);
    std::vector<int8_t> numbers, packed;
    for (int i = 0; i < count; ++i) {
      numbers.push_back(static_cast<int8_t>(std::lround(floats[i] * static_cast<float>(max))));
      const int part = std::min(i % columns / (columns / parts), parts - 1);
      real.push_back(double{scales[i / columns * parts + part]} / max * numbers.back());
      if (i % 2 == 1) {
        packed.push_back(static_cast<int8_t>((numbers[i - 1] & 15) | numbers[i] << 4));
      }
    }
    if (type == "int8") {
      run.Input(shape, numbers, kTfLiteMmapRo);
    } else if (bytes) {
      run.Input({count / 2}, packed, kTfLiteMmapRo);
    } else {
      run.InputAs(kTfLiteInt4, shape, packed, kTfLiteMmapRo);
    }
    std::vector<float> per_row;
    for (const float s : scales) per_row.push_back(s / static_cast<float>(max));
    run.Input({rows * parts}, per_row, kTfLiteMmapRo);
    return real;
  }

  std::vector<double> Wanted() const {
    std::vector<double> want(kTokens * kSize);
    for (int route = 0; route < kTokens * kRoutes; ++route) {
      const int token = route / kRoutes, expert = (experts[route] + kExperts) % kExperts;
      std::vector<double> hidden(kHidden);
      for (int h = 0; h < kHidden; ++h) {
        double g = 0, u = 0;
        for (int i = 0; i < kSize; ++i) {
          const int at = (h * kExperts + expert) * kSize + i;
          g += gate[at] * x[token * kSize + i];
          u += up[at] * x[token * kSize + i];
        }
        const double gelu =
            tanh ? 0.5 * g * (1 + std::tanh(std::sqrt(2 / M_PI) * (g + 0.044715 * g * g * g)))
                 : 0.5 * g * (1 + std::erf(g / std::sqrt(2.0)));
        hidden[h] = gelu * u;
      }
      for (int i = 0; i < kSize; ++i) {
        for (int h = 0; h < kHidden; ++h) {
          want[token * kSize + i] += double{route_weights[route]} * scale[expert] *
                                     down[(i * kExperts + expert) * kHidden + h] * hidden[h];
        }
      }
    }
    return want;
  }

  void Check() {
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), Shape({1, kTokens, kSize}));
    const std::vector<double> want = Wanted();
    for (size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(run.Values()[i], want[i], 2e-6) << i;
  }

  OpRunner run;
  bool tanh;
  std::vector<float> x = Random(1).Floats(kTokens * kSize, -1, 1),
                     route_weights = Random(5).Floats(kTokens * kRoutes, 0, 1),
                     scale = {0.5f, 1.0f, 2.0f};
  // One expert twice, one from the end, one that no token takes.
  std::vector<int32_t> experts = {0, 2, 2, 2, -1, 0, 0, 2, -3, 2};
  std::vector<double> gate, up, down;
};

TEST(Moe, Floats) {
  MoeCase("fp32", "", 1).Check();
  MoeCase("fp32", "gelu", 1).Check();
  MoeCase("fp32", "gelu_tanh", 1).Check();
}

TEST(Moe, Integers) {
  MoeCase("int8", "gelu", 1).Check();
  for (const bool bytes : {false, true}) {
    for (const int parts : {1, 2, 4}) MoeCase("int4", "gelu", parts, bytes).Check();
  }
}

TEST(Moe, BadOptionsAreErrors) {
  const auto error = [](const std::vector<uint8_t>& options) {
    MoeCase c("fp32", "gelu", 1);
    c.run.SetCustomOptions(options);
    EXPECT_EQ(c.run.Prepare(), kTfLiteError);
    return c.run.error();
  };
  EXPECT_EQ(error(Options("fp16", "gelu")), "moe: weight_type must be fp32, int8 or int4 (fp16)");
  EXPECT_EQ(error(Options("fp32", "silu")), "moe: activation must be gelu or gelu_tanh (silu)");
  EXPECT_EQ(error(Options("fp32", "gelu", 3, 4)),
            "moe: num_active_experts is above num_experts (4, 3)");
  EXPECT_EQ(error(Options("fp32", "gelu", 0)), "moe: num_experts must be a positive int32 (0)");
  EXPECT_EQ(error(IntegerOptions({{"num_experts", 3}, {"model_dim", kSize}, {"hidden_dim", 1}})),
            "moe: num_active_experts must be a positive int32 (0)");
  error(Options("int8", "gelu"));  // has other operands
  error({});
}

TEST(Moe, BadOperandsAreErrors) {
  for (int i = 0; i < 7; ++i) {
    MoeCase c("fp32", "gelu", 1);
    ++c.run.input(i).dims->data[0];
    EXPECT_EQ(c.run.Prepare(), kTfLiteError) << i;
    --c.run.input(i).dims->data[0];
    c.run.input(i).type = kTfLiteInt16;
    EXPECT_EQ(c.run.Prepare(), kTfLiteError) << i;
  }
  MoeCase scales("int4", "gelu", 1);
  scales.run.input(4).dims->data[0] -= 1;
  EXPECT_EQ(scales.run.Prepare(), kTfLiteError);
  EXPECT_EQ(scales.run.error(), "moe: gate has 11 scales for 12 rows of 6");
  for (const int32_t bad : {kExperts, -kExperts - 1}) {
    MoeCase c("fp32", "gelu", 1);
    ASSERT_EQ(c.run.Prepare(), kTfLiteOk) << c.run.error();
    MutableData<int32_t>(&c.run.input(2))[3] = bad;
    EXPECT_EQ(c.run.Eval(), kTfLiteError);
    EXPECT_EQ(c.run.error(), "moe: no such expert (" + std::to_string(bad) + ", 3 experts)");
  }
}

}  // namespace
}  // namespace tern::testing
