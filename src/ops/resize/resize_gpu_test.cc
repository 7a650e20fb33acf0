// SPDX-License-Identifier: Apache-2.0
// Resizing of awkward sizes on the GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"

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
          const int size = m.builder().Const<int32_t>({2}, {to[0], to[1]});
          m.builder().SetOpVersion(3);
          const int y = m.builder().Tensor({in[0], to[0], to[1], in[3]});
          m.builder().Op(tflite::BuiltinOperator_RESIZE_NEAREST_NEIGHBOR, {x, size}, {y},
                         std::move(o));
          CheckModel(
              m.Finish(StrCat("nearest ", in[1], "x", in[2], " to ", to[0], "x", to[1],
                              align_corners ? ", corners" : "", half_pixel ? ", half pixel" : ""),
                       y));
        }
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing
