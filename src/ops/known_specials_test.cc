// SPDX-License-Identifier: Apache-2.0
// Answers about NaN, infinities and subnormal numbers that are known to the last bit: what the
// reference gives, and what docs/numbers.md says where its kernels differ. On every engine.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/engines.h"

namespace tern::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
using Floats = std::vector<float>;
using Sizes = std::vector<int32_t>;
using tflite::BuiltinOperator;

struct KnownResult {
  std::string name;
  ModelBuilder builder;
  std::vector<Floats> inputs;
  std::vector<double> wanted;  // of the first output
  bool on_gpu = true;
};

std::vector<uint8_t> FloatBytes(const Floats& values) {
  const auto* first = reinterpret_cast<const uint8_t*>(values.data());
  return {first, first + values.size() * sizeof(float)};
}

std::vector<Engine> AllEngines(bool on_gpu) {
  std::vector<Engine> engines = CpuEngines();
  if (!on_gpu) return engines;
  for (const auto* list : {&DriverEngines(), &HostEngines()}) {
    for (const Engine& engine : *list) {
      if (!engine.half) engines.push_back(engine);
    }
  }
  return engines;
}

void Check(const KnownResult& known) {
  std::vector<std::vector<uint8_t>> inputs;
  for (const Floats& values : known.inputs) inputs.push_back(FloatBytes(values));
  const std::vector<uint8_t> model = known.builder.Finish();
  for (const Engine& engine : AllEngines(known.on_gpu)) {
    SCOPED_TRACE(StrCat(known.name, " on ", engine.name));
    const RunResult result = RunModel(model, inputs, engine);
    ASSERT_EQ(result.error, "");
    const std::vector<double> got = result.outputs[0].numbers();
    ASSERT_EQ(got.size(), known.wanted.size());
    for (size_t i = 0; i < got.size(); ++i) {
      const double want = known.wanted[i];
      EXPECT_TRUE(std::isnan(want) ? std::isnan(got[i]) : got[i] == want)
          << "element " << i << ": " << got[i] << ", not " << want;
    }
  }
}

// ---- one number

template <class... Options>
KnownResult OfOne(const std::string& name, BuiltinOperator code, const Floats& in,
                  std::vector<double> wanted, Options... options) {
  KnownResult known{name, {}, {in}, std::move(wanted)};
  const Sizes shape = {static_cast<int32_t>(in.size())};
  ModelBuilder& b = known.builder;
  const int x = b.Input(shape);
  b.Output(b.Op(code, {x}, {b.Tensor(shape)}, std::move(options)...));
  return known;
}

TEST(KnownSpecials, SignOfSubnormalNumbers) {
  Check(OfOne("SIGN", tflite::BuiltinOperator_SIGN,
              {3e-41f, -1.96e-44f, 7e-39f, -1.1e-38f, 0.0f, 4.0f, -6.0f, 2e-38f, kNan, kInf, -kInf},
              {1, -1, 1, -1, 0, 1, -1, 1, kNan, 1, -1}));
}

TEST(KnownSpecials, ActivationsKeepNan) {
  const Floats in = {kNan, -1.0f, 0.5f, 9.0f, kInf, -kInf, -kNan, 3.0f, kNan};
  Check(OfOne("RELU", tflite::BuiltinOperator_RELU, in, {kNan, 0, 0.5, 9, kInf, 0, kNan, 3, kNan}));
  Check(OfOne("RELU6", tflite::BuiltinOperator_RELU6, in, {kNan, 0, 0.5, 6, 6, 0, kNan, 3, kNan}));
  Check(OfOne("RELU_0_TO_1", tflite::BuiltinOperator_RELU_0_TO_1, in,
              {kNan, 0, 0.5, 1, 1, 0, kNan, 1, kNan}));
  Check(OfOne("RELU_N1_TO_1", tflite::BuiltinOperator_RELU_N1_TO_1, in,
              {kNan, -1, 0.5, 1, 1, -1, kNan, 1, kNan}));
  tflite::LeakyReluOptionsT leaky;
  leaky.alpha = 0.25f;
  Check(OfOne("LEAKY_RELU", tflite::BuiltinOperator_LEAKY_RELU, in,
              {kNan, -0.25, 0.5, 9, kInf, -kInf, kNan, 3, kNan}, leaky));
}

TEST(KnownSpecials, EndsOfCurves) {
  constexpr float kMost = std::numeric_limits<float>::max();
  Check(OfOne("HARD_SWISH", tflite::BuiltinOperator_HARD_SWISH, {kMost, -kMost, kInf, -kInf, kNan},
              {kInf, 0, kInf, kNan, kNan}));
  tflite::GeluOptionsT exact;
  Check(OfOne("GELU", tflite::BuiltinOperator_GELU,
              {-1e34f, -3.4e38f, -1e20f, -30.0f, kInf, -kInf, kNan}, {0, 0, 0, 0, kInf, kNan, kNan},
              exact));
}

// ---- two numbers

template <class Options>
KnownResult OfTwo(const std::string& name, BuiltinOperator code, const Floats& a, const Floats& b,
                  std::vector<double> wanted, Options options,
                  tflite::TensorType type = tflite::TensorType_FLOAT32) {
  KnownResult known{name, {}, {a, b}, std::move(wanted)};
  const Sizes shape = {static_cast<int32_t>(a.size())};
  ModelBuilder& m = known.builder;
  const int x = m.Input(shape), y = m.Input(shape);
  m.Output(m.Op(code, {x, y}, {m.Tensor(shape, type)}, std::move(options)));
  return known;
}

TEST(KnownSpecials, LargerAndSmallerKeepNan) {
  const Floats a = {kNan, 1, 2, kNan, -1, kInf, -kInf, kNan},
               b = {1, kNan, 3, kNan, kNan, kNan, 5, -kInf};
  const tflite::MaximumMinimumOptionsT none;
  Check(OfTwo("MAXIMUM", tflite::BuiltinOperator_MAXIMUM, a, b,
              {kNan, kNan, 3, kNan, kNan, kNan, 5, kNan}, none));
  Check(OfTwo("MINIMUM", tflite::BuiltinOperator_MINIMUM, a, b,
              {kNan, kNan, 2, kNan, kNan, kNan, -kInf, kNan}, none));
}

TEST(KnownSpecials, ComparisonsSeeSubnormalNumbersAndNan) {
  const Floats a = {3e-41f, 1e-42f, 0, 1e-40f, kNan, 1, kNan, 0.0f, kInf},
               b = {2e-41f, 0, 1e-44f, 1e-40f, 1, kNan, kNan, -0.0f, kInf};
  const auto check = [&](const char* name, BuiltinOperator code, std::vector<double> wanted) {
    Check(OfTwo(name, code, a, b, std::move(wanted), tflite::EqualOptionsT(),
                tflite::TensorType_BOOL));
  };
  check("GREATER", tflite::BuiltinOperator_GREATER, {1, 1, 0, 0, 0, 0, 0, 0, 0});
  check("GREATER_EQUAL", tflite::BuiltinOperator_GREATER_EQUAL, {1, 1, 0, 1, 0, 0, 0, 1, 1});
  check("LESS", tflite::BuiltinOperator_LESS, {0, 0, 1, 0, 0, 0, 0, 0, 0});
  check("LESS_EQUAL", tflite::BuiltinOperator_LESS_EQUAL, {0, 0, 1, 1, 0, 0, 0, 1, 1});
  check("EQUAL", tflite::BuiltinOperator_EQUAL, {0, 0, 0, 1, 0, 0, 0, 1, 1});
  check("NOT_EQUAL", tflite::BuiltinOperator_NOT_EQUAL, {1, 1, 1, 0, 1, 1, 1, 0, 0});
}

TEST(KnownSpecials, FusedActivationsKeepNan) {
  tflite::AddOptionsT add;
  add.fused_activation_function = tflite::ActivationFunctionType_RELU6;
  Check(OfTwo("ADD with RELU6", tflite::BuiltinOperator_ADD, {kNan, 1, -5, 9, kInf},
              {1, kNan, 1, 1, -kInf}, {kNan, kNan, 0, 6, kNan}, add));
  tflite::MulOptionsT mul;
  mul.fused_activation_function = tflite::ActivationFunctionType_RELU_N1_TO_1;
  Check(OfTwo("MUL with RELU_N1_TO_1", tflite::BuiltinOperator_MUL, {kNan, 1, -5, 0.5f, kInf},
              {1, kNan, 1, 0.5f, 0}, {kNan, kNan, -1, 0.25, kNan}, mul));
}

// Rows of four pixels or units, one of them NaN.
TEST(KnownSpecials, FusedActivationsOfSumsKeepNan) {
  const Floats in = {1, 2, kNan, 4, 1, 1, 1, 1, -1, -1, -1, -1};
  for (const auto activation :
       {tflite::ActivationFunctionType_RELU, tflite::ActivationFunctionType_RELU6,
        tflite::ActivationFunctionType_RELU_N1_TO_1}) {
    const double low = activation == tflite::ActivationFunctionType_RELU_N1_TO_1 ? -1 : 0;
    const double high = activation == tflite::ActivationFunctionType_RELU_N1_TO_1 ? 1 : 4;
    KnownResult rows{"FULLY_CONNECTED", {}, {in}, {kNan, kNan, high, low, low, high}};
    tflite::FullyConnectedOptionsT options;
    options.fused_activation_function = activation;
    ModelBuilder& b = rows.builder;
    const int x = b.Input({3, 4});
    const int w = b.Const<float>({2, 4}, {1, 1, 1, 1, -1, -1, -1, -1});
    b.Output(
        b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w, -1}, {b.Tensor({3, 2})}, options));
    Check(rows);
    KnownResult pixels{"CONV_2D", {}, {in}, {kNan, kNan, high, low, low, high}};
    tflite::Conv2DOptionsT conv;
    conv.padding = tflite::Padding_VALID;
    conv.stride_w = conv.stride_h = 1;
    conv.fused_activation_function = activation;
    ModelBuilder& c = pixels.builder;
    const int image = c.Input({1, 3, 1, 4});
    const int filter = c.Const<float>({2, 1, 1, 4}, {1, 1, 1, 1, -1, -1, -1, -1});
    const int bias = c.Const<float>({2}, {0, 0});
    c.Output(c.Op(tflite::BuiltinOperator_CONV_2D, {image, filter, bias}, {c.Tensor({1, 3, 1, 2})},
                  conv));
    Check(pixels);
  }
}

// ---- one of many

// Rows of one length; the operation goes along them, or along columns where they stand upright.
KnownResult OfRows(const std::string& name, BuiltinOperator code, const std::vector<Floats>& rows,
                   bool upright, std::vector<double> wanted) {
  KnownResult known{name, {}, {{}}, std::move(wanted)};
  const auto count = static_cast<int32_t>(rows.size()), size = static_cast<int32_t>(rows[0].size());
  for (int32_t i = 0; i < count * size; ++i) {
    known.inputs[0].push_back(upright ? rows[i % count][i / count] : rows[i / size][i % size]);
  }
  ModelBuilder& b = known.builder;
  const int x = b.Input(upright ? Sizes{size, count} : Sizes{count, size});
  const bool places =
      code == tflite::BuiltinOperator_ARG_MAX || code == tflite::BuiltinOperator_ARG_MIN;
  const int axis = b.Const<int32_t>({1}, {upright ? 0 : 1});
  const int y = b.Tensor({count}, places ? tflite::TensorType_INT32 : tflite::TensorType_FLOAT32);
  if (code == tflite::BuiltinOperator_ARG_MAX) {
    tflite::ArgMaxOptionsT options;
    options.output_type = tflite::TensorType_INT32;
    b.Op(code, {x, axis}, {y}, options);
  } else if (code == tflite::BuiltinOperator_ARG_MIN) {
    tflite::ArgMinOptionsT options;
    options.output_type = tflite::TensorType_INT32;
    b.Op(code, {x, axis}, {y}, options);
  } else {
    b.Op(code, {x, axis}, {y}, tflite::ReducerOptionsT());
  }
  b.Output(y);
  return known;
}

TEST(KnownSpecials, LargestAndSmallestOfManyAreAmongThem) {
  const std::vector<Floats> rows = {{1, 2, 3, 4, kNan},
                                    {kNan, 1, 2, 3, 4},
                                    {1, kNan, 5, 2, 0},
                                    {kInf, 1, 2, 3, 4},
                                    {-kInf, 1, 2, 3, 4},
                                    {kNan, kNan, kNan, kNan, kNan},
                                    {kInf, kInf, kInf, kInf, kInf},
                                    {-kInf, -kInf, -kInf, -kInf, -kInf},
                                    {3e-41f, 1e-41f, 2e-41f, 4e-41f, 3e-41f}};
  for (const bool upright : {false, true}) {
    Check(OfRows("REDUCE_MAX", tflite::BuiltinOperator_REDUCE_MAX, rows, upright,
                 {4, 4, 5, kInf, 4, kNan, kInf, -kInf, 4e-41f}));
    Check(OfRows("REDUCE_MIN", tflite::BuiltinOperator_REDUCE_MIN, rows, upright,
                 {1, 1, 0, 1, -kInf, kNan, kInf, -kInf, 1e-41f}));
  }
}

TEST(KnownSpecials, WindowsHoldTheirLargest) {
  const std::vector<Floats> windows = {
      {kNan, 1, 2},    {1, kNan, 2},       {1, 2, kNan},
      {kNan, kNan, 1}, {kNan, kNan, kNan}, {-kInf, -kInf, -kInf},
      {kInf, 1, 2},    {-kInf, 1, 2},      {1e-41f, 3e-41f, 2e-41f}};
  const auto count = static_cast<int32_t>(windows.size());
  // Windows beside each other, of several channels that are turned.
  for (const int32_t channels : {1, 5}) {
    KnownResult known{"MAX_POOL_2D", {}, {{}}, {}};
    for (int32_t i = 0; i < count * 3 * channels; ++i) {
      const int32_t window = (i / channels / 3 + i % channels) % count;
      known.inputs[0].push_back(windows[window][i / channels % 3]);
    }
    const double wanted[] = {2, 2, 2, 1, kNan, -kInf, kInf, 2, 3e-41f};
    for (int32_t i = 0; i < count * channels; ++i) {
      known.wanted.push_back(wanted[(i / channels + i % channels) % count]);
    }
    tflite::Pool2DOptionsT options;
    options.padding = tflite::Padding_VALID;
    options.filter_width = options.stride_w = 3;
    options.filter_height = options.stride_h = 1;
    ModelBuilder& b = known.builder;
    const int x = b.Input({1, 1, count * 3, channels});
    b.Output(b.Op(tflite::BuiltinOperator_MAX_POOL_2D, {x}, {b.Tensor({1, 1, count, channels})},
                  options));
    Check(known);
  }
}

TEST(KnownSpecials, SegmentsHoldTheirLargest) {
  const Floats in = {kNan, 1, 2, 3, kNan, kNan, -kInf, kInf, 1e-41f, 3e-41f};
  constexpr float kMost = std::numeric_limits<float>::max();
  for (const bool largest : {true, false}) {
    KnownResult known{
        largest ? "UNSORTED_SEGMENT_MAX" : "UNSORTED_SEGMENT_MIN", {}, {in}, {}, false};
    known.wanted = largest ? std::vector<double>{2, 3, kNan, kInf, 3e-41f, -kMost}
                           : std::vector<double>{1, 3, kNan, -kInf, 1e-41f, kMost};
    ModelBuilder& b = known.builder;
    const int x = b.Input({10});
    const int ids = b.Const<int32_t>({10}, {0, 0, 0, 1, 1, 2, 3, 3, 4, 4});
    const int segments = b.Const<int32_t>({1}, {6});
    b.Output(b.Op(largest ? tflite::BuiltinOperator_UNSORTED_SEGMENT_MAX
                          : tflite::BuiltinOperator_UNSORTED_SEGMENT_MIN,
                  {x, ids, segments}, {b.Tensor({6})}));
    Check(known);
  }
}

// ---- places

TEST(KnownSpecials, PlacesBesideNan) {
  struct Row {
    Floats values;
    double largest, smallest;
  };
  const Row rows[] = {
      {{kNan, 2}, 1, 1},
      {{kNan, 2, 3}, 2, 1},
      {{kNan, 1, -2, 3}, 0, 0},
      {{1, kNan, 3, 4}, 3, 0},
      {{1, 2, kNan, 4}, 1, 0},
      {{1, 2, 3, kNan}, 2, 0},
      {{kInf, kNan, kInf, 1}, 0, 3},
      {{kNan, 1, 2, 3, 4}, 4, 4},
      {{1, kNan, 2, 3, 4}, 4, 0},
      {{4, 3, kNan, 2, 1}, 0, 4},
      {{kNan, kNan, 1, 2, 3}, 4, 4},
      {{kNan, kNan, kNan, kNan, kNan}, 0, 0},
      {{-kInf, -kInf, -kInf, -kInf, -kInf}, 0, 0},
      {{1e-41f, 3e-41f, 4e-41f, 2e-41f}, 2, 0},
      {{kNan, 7, 6, 5, 4, 3, 2, 1}, 1, 7},
      {{1, 2, 3, kNan, 5, 6, 7, 8, 9}, 8, 0},
      {{kNan, kNan, 2, kNan, 2, 0, kNan, 2}, 2, 5},
      {{kNan, 5, 6, 7, 8, 9, 10, 3, 2, 1, 0, -1, 8, 3, 4, 2, 4, 7, 99, 3}, 18, 11},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(StrCat("of ", row.values.size(), " numbers"));
    Check(OfRows("ARG_MAX", tflite::BuiltinOperator_ARG_MAX, {row.values}, false, {row.largest}));
    Check(OfRows("ARG_MIN", tflite::BuiltinOperator_ARG_MIN, {row.values}, false, {row.smallest}));
  }
  // Other axes pass over NaN.
  const std::vector<Floats> columns = {{kNan, 1, -2, 3}, {3, kNan, 5, 1}, {kNan, kNan, kNan, kNan}};
  Check(OfRows("ARG_MAX", tflite::BuiltinOperator_ARG_MAX, columns, true, {3, 2, 0}));
  Check(OfRows("ARG_MIN", tflite::BuiltinOperator_ARG_MIN, columns, true, {2, 3, 0}));
}

TEST(KnownSpecials, NanComesLastInOrder) {
  const std::vector<std::pair<Floats, std::vector<double>>> rows = {
      {{kNan, 1, 2, 3, 4}, {4, 3, 2, 1, 0}},
      {{1, 2, kNan, 3, 4}, {4, 3, 1, 0, 2}},
      {{kInf, kNan, -kInf, 1, kNan}, {0, 3, 2, 1, 4}},
      {{kNan, kNan, kNan, kNan, kNan}, {0, 1, 2, 3, 4}},
      {{1e-41f, 3e-41f, 2e-41f, 0, -1e-41f}, {1, 2, 0, 3, 4}},
      {{0, -0.0f, 1, 0, -0.0f}, {2, 0, 1, 3, 4}}};
  for (const auto& [row, places] : rows) {
    KnownResult known{"TOPK_V2", {}, {row}, places};
    ModelBuilder& b = known.builder;
    const int x = b.Input({5}), k = b.Const<int32_t>({}, {5});
    const int values = b.Tensor({5}), at = b.Tensor({5}, tflite::TensorType_INT32);
    b.Op(tflite::BuiltinOperator_TOPK_V2, {x, k}, {values, at}, tflite::TopKV2OptionsT());
    b.Output(at);
    b.Output(values);
    Check(known);
  }
}

// ---- integers

TEST(KnownSpecials, ElementsOfNan) {
  const Floats in = {kNan, kInf, -kInf, 1e30f, -1e30f, 0.125f, -kNan, 1e-41f};
  struct Type {
    tflite::TensorType type;
    float scale;
    int64_t zero;
    std::vector<double> wanted;
  };
  const Type types[] = {
      {tflite::TensorType_INT8, 0.125f, 3, {-128, 127, -128, 127, -128, 4, -128, 3}},
      {tflite::TensorType_UINT8, 0.125f, 128, {0, 255, 0, 255, 0, 129, 0, 128}},
      {tflite::TensorType_INT16, 0.125f, 0, {-32768, 32767, -32768, 32767, -32768, 1, -32768, 0}}};
  for (const Type& type : types) {
    KnownResult known{
        StrCat("QUANTIZE to ", tflite::EnumNameTensorType(type.type)), {}, {in}, type.wanted};
    ModelBuilder& b = known.builder;
    const int x = b.Input({8}), y = b.Quantize(b.Tensor({8}, type.type), type.scale, type.zero);
    b.Output(b.Op(tflite::BuiltinOperator_QUANTIZE, {x}, {y}, tflite::QuantizeOptionsT()));
    Check(known);
  }
  KnownResult casts{
      "CAST",
      {},
      {in},
      {2147483647, 2147483647, -2147483648.0, 2147483647, -2147483648.0, 0, 2147483647, 0}};
  ModelBuilder& b = casts.builder;
  const int x = b.Input({8}), y = b.Tensor({8}, tflite::TensorType_INT32);
  b.Output(b.Op(tflite::BuiltinOperator_CAST, {x}, {y}, tflite::CastOptionsT()));
  Check(casts);
}

// A function that has no value there: its element is the smallest.
TEST(KnownSpecials, QuantizedLogarithmOfNothing) {
  ModelBuilder b;
  const int x = b.Quantize(b.Input({8}, tflite::TensorType_INT8), 0.0625f, 0);
  const int y = b.Quantize(b.Tensor({8}, tflite::TensorType_INT8), 0.0625f, 10);
  b.Output(b.Op(tflite::BuiltinOperator_LOG, {x}, {y}));
  const std::vector<uint8_t> bytes = {0x80, 0xff, 0xf0, 0, 16, 1, 127, 0xc0};
  const std::vector<double> wanted = {-128, -128, -128, -128, 10, -34, 43, -128};
  for (const Engine& engine : AllEngines(true)) {
    SCOPED_TRACE(engine.name);
    const RunResult result = RunModel(b.Finish(), {bytes}, engine);
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.outputs[0].numbers(), wanted);
  }
}

}  // namespace
}  // namespace tern::testing
