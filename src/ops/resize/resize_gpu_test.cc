// SPDX-License-Identifier: Apache-2.0
// Resizing of awkward sizes on the GPU engines.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "ops/testing/gpu_refusal.h"
#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

TEST(ResizeBilinearGpu, SizesAndModes) {
  struct Mode {
    bool align_corners, half_pixel;
  };
  for (const Mode mode : {Mode{false, false}, {true, false}, {false, true}}) {
    for (const Sizes& in : {Sizes{1, 4, 5, 3}, {2, 1, 1, 4}, {1, 7, 1, 17}, {3, 2, 9, 1}}) {
      for (const Sizes& to : {Sizes{1, 1}, {4, 5}, {8, 10}, {3, 11}, {13, 1}, {7, 7}}) {
        GraphMaker m;
        const int x = m.Input(in);
        const int y = m.Resize(x, to[0], to[1], mode.align_corners, mode.half_pixel);
        CheckModel(m.Finish(
            StrCat("resize ", in[1], "x", in[2], " to ", to[0], "x", to[1],
                   mode.align_corners ? ", corners" : "", mode.half_pixel ? ", half pixel" : ""),
            y));
      }
    }
  }
}

// Positions that halves hold, some of them on a pixel beside one that is infinite.
TEST(ResizeBilinearGpu, TapsWithoutWeightDoNotCount) {
  const float inf = std::numeric_limits<float>::infinity();
  ModelBuilder b;
  const int x = b.Input({1, 2, 4, 1}), size = b.Const<int32_t>({2}, {4, 8});
  const int y = b.Tensor({1, 4, 8, 1});
  b.SetOpVersion(3);
  b.Op(tflite::BuiltinOperator_RESIZE_BILINEAR, {x, size}, {y}, tflite::ResizeBilinearOptionsT());
  b.Output(y);
  const float numbers[] = {1, inf, 3, 5, -1, 2, inf, 7};
  std::vector<uint8_t> bytes(sizeof(numbers));
  std::memcpy(bytes.data(), numbers, sizeof(numbers));
  CheckSameBytes("resize beside infinities", b, bytes);
}

TEST(ResizeBilinearGpu, ElementsOf16Bits) {
  Random random(3);
  for (const int mode : {0, 1, 2}) {
    for (const Sizes& to : {Sizes{1, 1}, {4, 5}, {8, 10}, {3, 11}, {13, 2}}) {
      const Sizes in = {2, 4, 5, 3};
      ModelBuilder b;
      const int x = b.Input(in, tflite::TensorType_INT16),
                size = b.Const<int32_t>({2}, {to[0], to[1]});
      const int y = b.Tensor({in[0], to[0], to[1], in[3]}, tflite::TensorType_INT16);
      if (mode > 0) {
        b.Quantize(x, 0.37f, 0);
        b.Quantize(y, mode == 1 ? 0.37f : 0.11f, 0);
      }
      tflite::ResizeBilinearOptionsT o;
      o.align_corners = mode == 1;
      o.half_pixel_centers = mode == 2;
      b.SetOpVersion(3);
      b.Op(tflite::BuiltinOperator_RESIZE_BILINEAR, {x, size}, {y}, o);
      b.Output(y);
      std::vector<int16_t> elements(2 * 4 * 5 * 3);
      for (int16_t& v : elements) v = static_cast<int16_t>(random.Integer(-32768, 32767));
      for (size_t i = 0; i < 24; ++i) elements[i] = i % 3 == 0 ? -32768 : 32767;
      CheckSameBytes(StrCat("resize INT16 to ", to[0], "x", to[1], ", mode ", mode), b,
                     BytesOf(elements), true);
    }
  }
}

TEST(ResizeNearestNeighborGpu, SizesAndModes) {
  for (const bool align_corners : {false, true}) {
    for (const bool half_pixel : {false, true}) {
      for (const Sizes& in : {Sizes{1, 4, 5, 3}, {2, 1, 1, 4}, {1, 7, 1, 17}, {3, 2, 9, 1}}) {
        for (const Sizes& to : {Sizes{1, 1}, {4, 5}, {8, 10}, {3, 11}, {13, 1}, {65, 7}}) {
          GraphMaker m;
          const int x = m.Input(in);
          tflite::ResizeNearestNeighborOptionsT o;
          o.align_corners = align_corners;
          o.half_pixel_centers = half_pixel;
          const int size = m.Const<int32_t>({2}, {to[0], to[1]});
          m.SetOpVersion(3);
          const int y = m.Tensor({in[0], to[0], to[1], in[3]});
          m.Op(tflite::BuiltinOperator_RESIZE_NEAREST_NEIGHBOR, {x, size}, {y}, std::move(o));
          CheckModel(
              m.Finish(StrCat("nearest ", in[1], "x", in[2], " to ", to[0], "x", to[1],
                              align_corners ? ", corners" : "", half_pixel ? ", half pixel" : ""),
                       y));
        }
      }
    }
  }
}

// Else pixels of an item or channel that the input lacks would be read.
TEST(ResizeBilinearGpu, OutputsOfOtherShapesAreRefused) {
  const auto refusal = [](const std::vector<int>& in, const std::vector<int>& out) {
    gpu::GraphBuilder b;
    b.Op(kTfLiteBuiltinResizeBilinear, "RESIZE_BILINEAR", {b.Input(in), b.Ints({2}, {4, 4})}, out,
         TfLiteResizeBilinearParams{});
    return RefusalOf(b);
  };
  EXPECT_EQ(refusal({1, 2, 2, 3}, {1, 4, 4, 3}), "");
  EXPECT_EQ(refusal({1, 2, 2, 3}, {2, 4, 4, 3}),
            "RESIZE_BILINEAR #0: the output's shape is [2, 4, 4, 3], expected [1, 4, 4, 3]");
  EXPECT_EQ(refusal({1, 2, 2, 3}, {1, 4, 4, 9}),
            "RESIZE_BILINEAR #0: the output's shape is [1, 4, 4, 9], expected [1, 4, 4, 3]");
  EXPECT_EQ(refusal({1, 0, 2, 3}, {1, 4, 4, 3}), "RESIZE_BILINEAR #0: images are empty (0 x 2)");
}

TEST(ResizeBilinearGpu, ElementsOf8Bits) {
  Random random(4);
  for (const auto type : {tflite::TensorType_INT8, tflite::TensorType_UINT8}) {
    for (const int mode : {0, 1, 2}) {
      for (const Sizes& to : {Sizes{1, 1}, {4, 5}, {8, 10}, {3, 11}, {13, 2}, {33, 33}}) {
        const Sizes in = {2, 4, 5, 3};
        ModelBuilder b;
        const int x = b.Quantize(b.Input(in, type), 0.37f, 7);
        const int size = b.Const<int32_t>({2}, {to[0], to[1]});
        const int y =
            b.Quantize(b.Tensor({in[0], to[0], to[1], in[3]}, type), mode == 1 ? 0.37f : 0.11f, 9);
        tflite::ResizeBilinearOptionsT o;
        o.align_corners = mode == 1;
        o.half_pixel_centers = mode == 2;
        b.SetOpVersion(3);
        b.Output(b.Op(tflite::BuiltinOperator_RESIZE_BILINEAR, {x, size}, {y}, o));
        std::vector<uint8_t> elements(2 * 4 * 5 * 3);
        for (uint8_t& v : elements) v = static_cast<uint8_t>(random.Integer(0, 255));
        CheckSameBytes(StrCat("resize ", tflite::EnumNameTensorType(type), " to ", to[0], "x",
                              to[1], ", mode ", mode),
                       b, elements, true);
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing
