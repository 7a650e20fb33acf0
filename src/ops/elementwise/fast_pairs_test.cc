// SPDX-License-Identifier: Apache-2.0
// Pairs by rows against pairs one by one, to the last bit, for shapes that repeat operands in every
// way: short rows that are copied behind themselves, single numbers, rows cut by threads.
#include <gtest/gtest.h>

#include <cstring>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

using Sizes = std::vector<int>;
struct Shapes {
  Sizes a, b;
};

const Shapes kShapes[] = {
    {{7}, {7}},
    {{3, 1000}, {3, 1000}},
    {{2, 40, 41, 3}, {3}},
    {{17}, {2, 900, 17}},
    {{2, 300, 5}, {2, 1, 5}},
    {{2, 1, 5}, {2, 300, 5}},
    {{3, 200, 256}, {256}},
    {{3, 20, 300}, {300}},
    {{2, 50, 60, 8}, {2, 50, 60, 1}},
    {{5, 1, 33}, {5, 40, 1}},
    {{1}, {70000}},
    {{70000}, {}},
    {{4, 3, 2, 5, 6}, {3, 1, 5, 1}},
};

template <class T>
std::vector<T> FastNumbers(const Sizes& shape, uint64_t seed) {
  Random random(seed);
  const std::vector<float> floats = random.Floats(Count(shape));
  std::vector<T> numbers;
  for (const float v : floats) {
    if constexpr (std::is_same_v<T, float>) {
      numbers.push_back(v);
    } else {
      numbers.push_back(static_cast<T>(static_cast<int>(v * 127)));
    }
  }
  return numbers;
}

template <class T>
void Check(TfLiteRegistration (*make)(OpForm), void* options) {
  for (const Shapes& shapes : kShapes) {
    std::vector<T> want;
    for (const Way& way : kWays) {
      OpRunner run(make(way.form), options, way.threads);
      run.Input(shapes.a, FastNumbers<T>(shapes.a, 1));
      run.Input(shapes.b, FastNumbers<T>(shapes.b, 2));
      run.Output(run.input(0).type);
      OperandScales scales;
      if (!std::is_same_v<T, float>) {
        scales.Give(run.input(0), {0.031f}, 3);
        scales.Give(run.input(1), {0.027f}, 5);
        scales.Give(run.output(), {0.043f}, 7);
      }
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      const std::vector<T> got = run.Values<T>();
      if (want.empty()) want = got;
      ASSERT_EQ(got.size(), want.size());
      EXPECT_EQ(std::memcmp(got.data(), want.data(), got.size() * sizeof(T)), 0)
          << way.name << " " << ShapeText(Shape(shapes.a.begin(), shapes.a.end())) << ", "
          << ShapeText(Shape(shapes.b.begin(), shapes.b.end()));
    }
  }
}

TEST(FastPairs, AreThoseOfTheReferenceKernel) {
  TfLiteAddParams options{kTfLiteActRelu6, false};
  for (const auto make : {&AddRegistration, &SubRegistration, &MulRegistration}) {
    Check<float>(make, &options);
    Check<int8_t>(make, &options);
    Check<uint8_t>(make, &options);
  }
  Check<float>(&DivRegistration, &options);
  Check<float>(&MaximumRegistration, nullptr);
  Check<float>(&MinimumRegistration, nullptr);
  Check<float>(&SquaredDifferenceRegistration, nullptr);
}

}  // namespace
}  // namespace tern::testing
