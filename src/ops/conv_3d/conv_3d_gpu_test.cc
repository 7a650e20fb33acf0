// SPDX-License-Identifier: Apache-2.0
// CONV_3D and CONV_3D_TRANSPOSE over awkward shapes, on the CPU and on the GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"

namespace tern::testing {
namespace {

struct VolumeCase {
  Sizes in = {1, 3, 4, 5, 3};
  int channels = 5;
  Sizes kernel = {2, 3, 2}, stride = {1, 1, 1}, dilation = {1, 1, 1};
  bool same = true, transposed = false;
  std::vector<int32_t> padded = {};  // amounts of a PAD that makes `in`
  Origin filter = Origin::kConstant, bias = Origin::kConstant;
  tflite::ActivationFunctionType activation = tflite::ActivationFunctionType_NONE;
};

void Check(const VolumeCase& c) {
  GraphMaker m;
  Sizes inner = c.in;
  for (size_t i = 0; i < c.padded.size(); ++i) inner[i / 2] -= c.padded[i];
  const int x = c.padded.empty() ? m.Input(c.in) : m.Pad(m.Input(inner), c.padded);
  tflite::Conv3DOptionsT o;
  o.padding = c.same ? tflite::Padding_SAME : tflite::Padding_VALID;
  o.stride_d = c.stride[0];
  o.stride_h = c.stride[1];
  o.stride_w = c.stride[2];
  o.dilation_d_factor = c.dilation[0];
  o.dilation_h_factor = c.dilation[1];
  o.dilation_w_factor = c.dilation[2];
  o.fused_activation_function = c.activation;
  Sizes out = c.in, filter = c.kernel;
  out[4] = c.channels;
  for (int i = 0; i < 3; ++i) {
    const int reach = (c.kernel[i] - 1) * c.dilation[i] + 1;
    if (c.transposed) {
      out[i + 1] = (c.in[i + 1] - 1) * c.stride[i] + (c.same ? 1 : reach);
    } else {
      out[i + 1] = WindowSpec::Extent(c.in[i + 1], c.kernel[i], c.stride[i], c.dilation[i], c.same);
    }
  }
  filter.push_back(c.transposed ? c.channels : c.in[4]);
  filter.push_back(c.transposed ? c.in[4] : c.channels);
  const int w = m.Operand(filter, c.filter, 0.5), b = m.Operand({c.channels}, c.bias);
  m.SetOpVersion(1);
  const int y = m.Tensor(out);
  if (c.transposed) {
    const int shape = m.Const<int32_t>({5}, {out[0], out[1], out[2], out[3], out[4]});
    m.Op(tflite::BuiltinOperator_CONV_3D_TRANSPOSE, {shape, w, x, b}, {y}, std::move(o));
  } else {
    m.Op(tflite::BuiltinOperator_CONV_3D, {x, w, b}, {y}, std::move(o));
  }
  CheckModel(m.Finish(
      StrCat("volume ", c.in[0], "x", c.in[1], "x", c.in[2], "x", c.in[3], "x", c.in[4], " to ",
             c.channels, ", kernel ", c.kernel[0], "x", c.kernel[1], "x", c.kernel[2], ", stride ",
             c.stride[0], "x", c.stride[1], "x", c.stride[2], ", dilation ", c.dilation[0],
             c.same ? ", same" : ", valid", c.transposed ? ", transposed" : ""),
      y));
}

TEST(Conv3dGpu, ChannelsAndBatches) {
  for (const bool transposed : {false, true}) {
    int batch = 1;
    for (const int in : {1, 3, 4, 5, 16, 17}) {
      for (const int out : {1, 4, 7, 33}) {
        Check({.in = {batch, 2, 3, 2, in}, .channels = out, .transposed = transposed});
        batch = batch % 3 + 1;
      }
    }
  }
}

TEST(Conv3dGpu, ReadsTheZerosOfPad) {
  for (const bool transposed : {false, true}) {
    for (const bool same : {false, true}) {
      Check({.in = {1, 5, 6, 7, 3},
             .same = same,
             .transposed = transposed,
             .padded = {0, 0, 1, 2, 2, 0, 1, 1, 0, 0}});
      Check({.in = {2, 6, 5, 5, 4},
             .stride = {2, 1, 2},
             .same = same,
             .transposed = transposed,
             .padded = {0, 0, 0, 3, 1, 1, 2, 1, 0, 0}});
    }
  }
}

TEST(Conv3dGpu, Windows) {
  for (const bool transposed : {false, true}) {
    for (const bool same : {false, true}) {
      for (const int stride : {1, 2, 3}) {
        for (const int dilation : {1, 2}) {
          Check({.in = {2, 5, 6, 7, 3},
                 .kernel = {3, 2, 3},
                 .stride = {stride, 1, stride},
                 .dilation = {dilation, dilation, 1},
                 .same = same,
                 .transposed = transposed,
                 .activation = tflite::ActivationFunctionType_RELU6});
          Check({.in = {1, 3, 4, 4, 2},
                 .channels = 3,
                 .kernel = {1, 3, 2},
                 .stride = {1, stride, 2},
                 .dilation = {1, 1, dilation},
                 .same = same,
                 .transposed = transposed});
        }
      }
    }
  }
}

TEST(Conv3dGpu, ComputedFilterAndBias) {
  for (const bool transposed : {false, true}) {
    for (const Origin bias : {Origin::kConstant, Origin::kRuntime, Origin::kAbsent}) {
      for (const Origin filter : {Origin::kConstant, Origin::kRuntime}) {
        Check({.channels = 6, .transposed = transposed, .filter = filter, .bias = bias});
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing
