// SPDX-License-Identifier: Apache-2.0
// Graphs of many small operations, slices with every mask, sizes no float holds, bodies that call
// themselves, and memory that runs out at any step.
#include <gtest/gtest.h>

#include "base/str_cat.h"
#include "ops/testing/attempt.h"
#include "ops/testing/cpu_seconds.h"
#include "ops/testing/damage.h"
#include "ops/testing/good_models.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::testing {
namespace {

using tflite::BuiltinOperator;

constexpr int32_t kMin = INT32_MIN, kMax = INT32_MAX;

// CVE-2021-37686: every mask on ranks 0 to 8 ends at once.
TEST(MalformedGraphs, StridedSliceMasks) {
  const double start = CpuSeconds();
  int turn = 0;
  for (int32_t rank = 0; rank <= 8; ++rank) {
    for (int32_t entries = 1; entries <= 6; ++entries) {
      for (int masks = 0; masks < 32; ++masks) {
        const auto mask = [&](int bit) {
          return (masks >> bit & 1) == 0 ? 0 : masks % 3 == 0 ? 1 << (entries / 2) : -1;
        };
        ModelBuilder b;
        const int x = b.Input(std::vector<int32_t>(static_cast<size_t>(rank), 2));
        const auto list = [&](int32_t v) {
          return b.Const({entries}, std::vector<int32_t>(static_cast<size_t>(entries), v));
        };
        tflite::StridedSliceOptionsT o;
        o.begin_mask = mask(0);
        o.end_mask = mask(1);
        o.ellipsis_mask = mask(2);
        o.new_axis_mask = mask(3);
        o.shrink_axis_mask = mask(4);
        const int begin = list(0), end = list(2), stride = list(1);
        b.Output(b.Op(tflite::BuiltinOperator_STRIDED_SLICE, {x, begin, end, stride},
                      {b.Tensor({2})}, o));
        Attempt(b.model(), kAllRoutes[turn++ % 5]);
      }
    }
  }
  EXPECT_LT(CpuSeconds() - start, 60);
}

// Chromium 495864183: numbers near the ends of their type.
TEST(MalformedGraphs, StridedSliceExtremes) {
  const std::vector<int32_t> values = {kMin, kMin + 1, -1, 0, 1, kMax - 1, kMax};
  int turn = 0;
  for (const int32_t begin : values) {
    for (const int32_t end : values) {
      for (const int32_t stride : values) {
        tflite::ModelT model = GoodModelOf("STRIDED_SLICE");
        Numbers(1, {0, 0, 0, begin})(model);
        Numbers(2, {2, 2, 2, end})(model);
        Numbers(3, {1, 1, 1, stride})(model);
        for (const Route& route : {Route::kFile, kAllRoutes[turn++ % 5]}) {
          const Outcome outcome = Attempt(model, route);
          if (stride == 0) {
            EXPECT_FALSE(outcome.ran() || outcome.planned) << begin << " to " << end;
          }
        }
      }
    }
  }
}

// Chromium 493310462: lengths that 32-bit floats round. Nothing is copied: the rows are empty.
TEST(MalformedGraphs, StridedSliceLengths) {
  for (const int32_t extent : {(1 << 24) + 1, (1 << 24) + 2, (1 << 24) + 3, kMax}) {
    for (const int32_t stride : {1, 2, 3, -1, -3}) {
      ModelBuilder b;
      const int x = b.Input({extent, 0});
      const int begin = b.Const<int32_t>({1}, {0}), end = b.Const<int32_t>({1}, {0});
      const int step = b.Const<int32_t>({1}, {stride});
      tflite::StridedSliceOptionsT o;
      o.begin_mask = o.end_mask = 1;
      const int64_t want = (int64_t{extent} + std::abs(stride) - 1) / std::abs(stride);
      b.Output(b.Op(tflite::BuiltinOperator_STRIDED_SLICE, {x, begin, end, step},
                    {b.Tensor({static_cast<int32_t>(want), 0})}, o));
      for (const Route& route : {Route::kFile, Route::kFileOptimized, Route::kGpu}) {
        const Outcome outcome = Attempt(b.model(), route);
        ASSERT_TRUE(outcome.ran()) << outcome.message;
        EXPECT_EQ(outcome.shapes[0], (std::vector<int32_t>{static_cast<int32_t>(want), 0}));
      }
    }
  }
}

// Chromium 492450480.
TEST(MalformedGraphs, LongChainOfReshapes) {
  ModelBuilder b;
  int x = b.Input({2, 3});
  const int shapes[] = {b.Const<int32_t>({2}, {3, 2}), b.Const<int32_t>({1}, {6})};
  for (int i = 0; i < 3000; ++i) {
    const std::vector<int32_t> to =
        i % 2 == 0 ? std::vector<int32_t>{3, 2} : std::vector<int32_t>{6};
    x = b.Op(tflite::BuiltinOperator_RESHAPE, {x, shapes[i % 2]}, {b.Tensor(to)},
             tflite::ReshapeOptionsT());
  }
  b.Output(x);
  for (const Route& route : {Route::kFile, Route::kGpu}) {
    const double start = CpuSeconds();
    EXPECT_TRUE(Attempt(b.model(), route).ran()) << route.name;
    EXPECT_LT(CpuSeconds() - start, 60);
  }
}

// Chromium 497456778: one constant after several operations, chains of operations of one operand.
TEST(MalformedGraphs, SharedConstantsAndChains) {
  for (const int length : {2, 3, 10, 50}) {
    for (const bool quantized : {false, true}) {
      ModelBuilder b;
      const auto type = quantized ? tflite::TensorType_INT8 : tflite::TensorType_FLOAT32;
      const auto tensor = [&](int t) { return quantized ? b.Quantize(t, 0.5f, 0) : t; };
      int x = tensor(b.Input({2, 3}, type));
      const int shared = tensor(b.ConstBytes({3}, type, std::vector<uint8_t>(quantized ? 3 : 12)));
      const BuiltinOperator codes[] = {tflite::BuiltinOperator_RELU, tflite::BuiltinOperator_ABS,
                                       tflite::BuiltinOperator_RELU6, tflite::BuiltinOperator_NEG};
      for (int i = 0; i < length; ++i) {
        x = b.Op(codes[i % 4], {x}, {tensor(b.Tensor({2, 3}, type))});
        const int sum = b.Op(tflite::BuiltinOperator_ADD, {x, shared},
                             {tensor(b.Tensor({2, 3}, type))}, tflite::AddOptionsT());
        if (i % 5 == 0) b.Output(x);
        x = sum;
      }
      b.Output(x);
      for (const Route& route : kAllRoutes) {
        const Outcome outcome = Attempt(b.model(), route);
        if (route.checked && !route.on_gpu() && !quantized) {
          EXPECT_TRUE(outcome.ran()) << outcome.message;
        }
      }
    }
  }
}

// CVE-2021-29591: the body of an operation is the graph itself, or none.
TEST(MalformedGraphs, BodiesThatAreNone) {
  std::vector<DamageRow> rows;
  for (const int32_t body : {0, -1, 2, 1000, kMax, kMin}) {
    rows.push_back(
        {"CVE-2021-29591", "STABLEHLO_SCATTER", StrCat("body ", body),
         Set(&tflite::StablehloScatterOptionsT::update_computation_subgraph_index, body)});
    rows.push_back({"CVE-2021-29591", "STABLEHLO_REDUCE_WINDOW", StrCat("body ", body),
                    Set(&tflite::StablehloReduceWindowOptionsT::body_subgraph_index, body)});
  }
  CheckRows(rows);
}

// LiteRT 9b4e25db7: every request for memory of every operation is refused once.
TEST(MalformedGraphs, MemoryThatRunsOut) {
  for (const GoodModel& good : AllGoodModels()) {
    for (const Route& route :
         {Route::kFile, Route::kFileOptimized, Route::kUnchecked, Route::kGpu}) {
      const int blocks = Attempt(good.model, route).blocks;
      ASSERT_LT(blocks, 64) << good.op;
      for (int refused = 0; refused < blocks; ++refused) {
        // A request that fails while the delegate examines the graph is repeated, so the run may
        // succeed.
        const bool ran = Attempt(good.model, route, {.refused = refused}).ran();
        EXPECT_TRUE(!ran || route.on_gpu())
            << good.op << ", block " << refused << ", " << route.name;
      }
    }
    EXPECT_TRUE(Attempt(good.model, Route::kFile).ran()) << good.op;
  }
}

// CVE-2021-29605, CVE-2022-23558, issue 115068: lengths whose bytes no size holds.
TEST(MalformedGraphs, ArraysTooLongForTheirBytes) {
  for (const int length : {-1, kMin, kMax, kMax - 1, (1 << 29) - 1, 1 << 29, 1 << 30}) {
    const size_t bytes = length < 0 ? 0 : (static_cast<size_t>(length) + 1) * sizeof(int);
    EXPECT_EQ(static_cast<size_t>(TfLiteIntArrayGetSizeInBytes(length)), bytes) << length;
    if (length < 0) {
      EXPECT_EQ(TfLiteIntArrayCreate(length), nullptr) << length;
    }
  }
  for (const size_t below : {0, 1, 15, 16, 63, 64}) {
    TfLiteTensor tensor{};
    tensor.allocation_type = kTfLiteDynamic;
    EXPECT_EQ(TfLiteTensorRealloc(SIZE_MAX - below, &tensor), kTfLiteError) << below;
    TfLiteTensorFree(&tensor);
  }
}

}  // namespace
}  // namespace tern::testing
