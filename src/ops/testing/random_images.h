// SPDX-License-Identifier: Apache-2.0
// Steps of a random graph that slide windows over images, of rank 4, and over volumes, of rank 5.
#ifndef TERN_OPS_TESTING_RANDOM_IMAGES_H_
#define TERN_OPS_TESTING_RANDOM_IMAGES_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/testing/random_choices.h"

namespace tern::testing {

class ImageSteps : public StepMaker {
 public:
  using StepMaker::StepMaker;

  int Convolution(int x) {
    x = Bordered(x);
    const Sizes shape = m_.ShapeOf(x);
    WindowSpec s = Window(shape, true);
    if (Chance(40)) s = WindowSpec{1, 1, 1, 1, 1, 1, true, s.activation};
    const int channels = shape[3];
    std::vector<int> groups;
    for (int g = 2; g <= channels; ++g) {
      if (channels % g == 0) groups.push_back(g);
    }
    const Origin weights = Filter(), bias = Bias();
    if (groups.empty() || Chance(80)) {
      return Filtered(m_.Conv(x, c_.Channels(), 1, s, weights, bias), weights);
    }
    const int g = groups[Pick(0, static_cast<int>(groups.size()) - 1)];
    const int channels_out = g * Pick(1, std::max(32 / g, 1));
    return Filtered(m_.Conv(x, channels_out, g, s, Origin::kConstant, bias), Origin::kConstant);
  }

  int Depthwise(int x) {
    x = Bordered(x);
    const int multiplier = Chance(70) ? 1 : Pick(2, 3);
    const WindowSpec s = Window(m_.ShapeOf(x), true);
    const Origin weights = Filter();
    return Filtered(m_.Depthwise(x, multiplier, s, weights, Bias()), weights);
  }

  int Transposed(int x) {
    const Sizes shape = m_.ShapeOf(x);
    WindowSpec s = Window(shape, false);
    s.same = Chance(50);
    const Origin bias = Chance(50) ? Origin::kAbsent : Origin::kConstant, weights = Filter();
    const int rest = Pick(0, 2), channels = c_.Channels();
    if (GraphMaker::CountOf(shape) > 2000) return Pooled(x);
    return Filtered(m_.TransposeConv(x, channels, s, weights, bias, rest), weights);
  }

  int Pooled(int x) { return m_.Pool(x, Chance(50), Window(m_.ShapeOf(x), false)); }

  int Resized(int x) {
    const Sizes in = m_.ShapeOf(x);
    const int height = Pick(1, 12), width = Pick(1, 12);
    const int kind = Pick(0, 2);  // corners, centers or neither
    if (Chance(60)) return m_.Resize(x, height, width, kind == 1, kind == 2);
    // Nearest pixels are chosen by floats: sizes where no choice is a tie.
    tflite::ResizeNearestNeighborOptionsT o;
    const Sizes out = {in[0], in[1] * 2, in[2] * 2, in[3]};
    return m_.Node(tflite::BuiltinOperator_RESIZE_NEAREST_NEIGHBOR, {x, m_.Ints({out[1], out[2]})},
                   out, o);
  }

  // The image as a volume whose depth are its rows.
  int Volume(int x) {
    const Sizes image = m_.ShapeOf(x);
    const int volume = Bordered(m_.Reshape(x, {image[0], image[1], 1, image[2], image[3]}));
    const Sizes in = m_.ShapeOf(volume);
    const int depth = Pick(1, 3), width = Pick(1, 3), channels = c_.Channels();
    tflite::Conv3DOptionsT o;
    o.padding = tflite::Padding_SAME;
    o.stride_d = o.stride_h = 1;
    o.stride_w = Pick(1, 2);
    o.fused_activation_function = Activation();
    const double range = 2 / std::sqrt(static_cast<double>(depth * width * in[4]));
    const bool transposed = Chance(40);
    if (transposed) o.stride_w = 1;
    const Sizes taps = transposed ? Sizes{depth, 1, width, channels, in[4]}
                                  : Sizes{depth, 1, width, in[4], channels};
    const int filter = m_.Constant(taps, range);
    const Sizes out = {in[0], in[1], in[2], (in[3] + o.stride_w - 1) / o.stride_w, channels};
    std::vector<int32_t> operands = {volume, filter};
    if (transposed) operands = {m_.Ints(out), filter, volume};
    operands.push_back(Chance(50) ? m_.Constant({channels}) : -1);
    return m_.Node(
        transposed ? tflite::BuiltinOperator_CONV_3D_TRANSPOSE : tflite::BuiltinOperator_CONV_3D,
        operands, out, o);
  }

 private:
  // Sometimes with zeros around the inner axes, once or twice.
  int Bordered(int x) {
    while (Chance(25)) {
      std::vector<int32_t> amounts(2 * m_.ShapeOf(x).size(), 0);
      for (size_t i = 2; i + 2 < amounts.size(); ++i) amounts[i] = Pick(0, 3);
      x = m_.Pad(x, amounts);
    }
    return x;
  }
  // Returns the result of the op just added. Its constant filter may now be sparse.
  int Filtered(int y, Origin filter) {
    if (filter == Origin::kConstant) ThinOut(1);
    return y;
  }
  Origin Filter() { return Chance(85) ? Origin::kConstant : Origin::kRuntime; }
  Origin Bias() {
    return Chance(70) ? Origin::kConstant : Chance(50) ? Origin::kRuntime : Origin::kAbsent;
  }

  // A window that fits the image when nothing is padded.
  WindowSpec Window(const Sizes& in, bool dilates) {
    WindowSpec s;
    s.h = Pick(1, 4);
    s.w = Pick(1, 5);
    s.stride_h = Chance(60) ? 1 : Pick(1, 3);
    s.stride_w = Chance(60) ? 1 : Pick(1, 3);
    if (dilates && Chance(20)) s.dilation_h = Pick(1, 2);
    if (dilates && Chance(20)) s.dilation_w = Pick(1, 3);
    const bool same = Chance(60);
    s.same = (s.h - 1) * s.dilation_h >= in[1] || (s.w - 1) * s.dilation_w >= in[2] || same;
    s.activation = Activation();
    return s;
  }
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_RANDOM_IMAGES_H_
