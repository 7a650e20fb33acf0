// SPDX-License-Identifier: Apache-2.0
// Movements of numbers of 4 and 2 bits: the same as of bytes.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes Packed(const Bytes& numbers, int bits) {
  Bytes bytes((numbers.size() * static_cast<size_t>(bits) + 7) / 8);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const size_t at = i * static_cast<size_t>(bits);
    bytes[at / 8] |= static_cast<uint8_t>((numbers[i] & ((1 << bits) - 1)) << at % 8);
  }
  return bytes;
}

// Adds the operands that follow the moved one (or two), then runs.
struct Movement {
  TfLiteRegistration registration;
  std::function<void(OpRunner&)> add;
  void* params = nullptr;
  bool update = false;  // a second moved operand [1, 2]
};

constexpr int kRows = 3, kColumns = 5;

void Check(const Movement& m) {
  Bytes numbers, updates = {3, 2};
  for (int i = 0; i < kRows * kColumns; ++i) numbers.push_back(static_cast<uint8_t>(i * 7 % 16));
  const auto load = [&](OpRunner& run, TfLiteType type, int bits) {
    run.InputAs(type, {kRows, kColumns}, bits == 8 ? numbers : Packed(numbers, bits));
    if (m.update) run.InputAs(type, {1, 2}, bits == 8 ? updates : Packed(updates, bits));
    m.add(run);
    run.Output(type);
    ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  };
  OpRunner whole(m.registration, m.params);
  load(whole, kTfLiteUInt8, 8);
  ASSERT_EQ(whole.Eval(), kTfLiteOk) << whole.error();
  const Bytes want = whole.Values<uint8_t>();
  for (const auto& [type, bits] : std::vector<std::pair<TfLiteType, int>>{
           {kTfLiteInt4, 4}, {kTfLiteUInt4, 4}, {kTfLiteInt2, 2}}) {
    OpRunner run(m.registration, m.params);
    load(run, type, bits);
    EXPECT_EQ(run.OutputShape(), whole.OutputShape());
    Bytes bytes(Packed(want, bits).size(), 0xAA);
    run.output().data.uint8 = bytes.data();
    run.output().bytes = bytes.size();
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    EXPECT_EQ(bytes, Packed(want, bits)) << TypeText(type);
  }
}

void AddInts(OpRunner& run, const std::vector<int32_t>& values) {
  run.Input({static_cast<int>(values.size())}, values, kTfLiteMmapRo);
}

TEST(PackedMovement, AsBytes) {
  Check({TransposeRegistration(OpForm::kOptimized), [](OpRunner& run) { AddInts(run, {1, 0}); }});
  Check({ReverseV2Registration(OpForm::kOptimized), [](OpRunner& run) { AddInts(run, {1}); }});
  Check({SliceRegistration(OpForm::kOptimized), [](OpRunner& run) {
           AddInts(run, {1, 2});
           AddInts(run, {2, 3});
         }});
  TfLiteStridedSliceParams strided{};
  Check({StridedSliceRegistration(OpForm::kOptimized),
         [](OpRunner& run) {
           AddInts(run, {0, 4});
           AddInts(run, {3, 0});
           AddInts(run, {2, -2});
         },
         &strided});
  TfLiteGatherParams gather{1, 0};
  Check({GatherRegistration(OpForm::kOptimized),
         [](OpRunner& run) {
           AddInts(run, {4, 0, 1});
         },
         &gather});
  Check({DynamicUpdateSliceRegistration(OpForm::kOptimized),
         [](OpRunner& run) {
           AddInts(run, {1, 2});
         },
         nullptr, true});
}

TEST(PackedMovement, ShortOperandsAreErrors) {
  OpRunner run(TransposeRegistration(OpForm::kOptimized));
  run.InputAs<uint8_t>(kTfLiteInt4, {3, 3}, {1, 2, 3, 4});
  AddInts(run, {1, 0});
  run.Output(kTfLiteInt4);
  ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  Bytes bytes(5);
  run.output().data.uint8 = bytes.data();
  run.output().bytes = bytes.size();
  EXPECT_EQ(run.Eval(), kTfLiteError);
  EXPECT_EQ(run.error(), "TRANSPOSE: input holds too few bytes (4, needed 5)");
}

}  // namespace
}  // namespace tern::testing
