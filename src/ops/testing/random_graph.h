// SPDX-License-Identifier: Apache-2.0
// Random small graphs of the ops that run on the GPU. A seed names a graph, whatever came before.
#ifndef TERN_OPS_TESTING_RANDOM_GRAPH_H_
#define TERN_OPS_TESTING_RANDOM_GRAPH_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ops/testing/random_steps.h"

namespace tern::testing {

class RandomGraph {
 public:
  explicit RandomGraph(uint64_t seed)
      : seed_(seed), random_(seed * 977 + 5), maker_(seed), steps_(random_, maker_) {}

  ModelCase Make() {
    const int inputs = Pick(1, 2), ops = Chance(50) ? Pick(1, 12) : Pick(5, 40);
    for (int i = 0; i < inputs; ++i) Keep(maker_.Input(RandomShape()));
    while (made_ < ops) Step();
    ChooseOutputs();
    return maker_.Finish(StrCat("random graph ", seed_));
  }

 private:
  static constexpr int64_t kManyElements = 3000;

  struct Live {
    int tensor;
    int readers = 0;
  };

  int Pick(int low, int high) { return static_cast<int>(random_.Integer(low, high)); }
  bool Chance(int percent) { return Pick(1, 100) <= percent; }
  int Channels() {
    constexpr int kChoices[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 20, 31, 32, 33};
    return kChoices[Pick(0, static_cast<int>(std::size(kChoices)) - 1)];
  }
  Sizes RandomShape() {
    if (Chance(75)) return {Chance(70) ? 1 : Pick(2, 3), Pick(1, 9), Pick(1, 9), Channels()};
    Sizes shape(Pick(1, 5), 1);
    for (int32_t& d : shape) d = Pick(1, 4);
    shape.back() = Channels();
    return shape;
  }
  tflite::ActivationFunctionType Activation() {
    return static_cast<tflite::ActivationFunctionType>(Chance(50) ? 0 : Pick(1, 3));
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
    s.same = (s.h - 1) * s.dilation_h >= in[1] || (s.w - 1) * s.dilation_w >= in[2] || Chance(60);
    s.activation = Activation();
    return s;
  }

  void Keep(int tensor) { live_.push_back({tensor}); }
  void Made(int tensor) {
    Keep(tensor);
    ++made_;
  }
  const Sizes& Shape(const Live& l) { return maker_.ShapeOf(l.tensor); }
  int Take(Live& l) {
    ++l.readers;
    return l.tensor;
  }
  // Prefers recent tensors, so that graphs get deep.
  size_t Some() {
    const int count = static_cast<int>(live_.size());
    return static_cast<size_t>(Chance(60) ? count - 1 : Pick(0, count - 1));
  }

  void Step() {
    const size_t at = Some();
    const Sizes shape = Shape(live_[at]);
    const int64_t size = GraphMaker::CountOf(shape);
    if (size > kManyElements || Chance(60)) return Wider(at);
    const int kind = Pick(0, 13);
    if (kind <= 5 && shape.size() != 4) return Step4d(at);
    const int x = Take(live_[at]);
    switch (kind) {
      case 0:
      case 1:
        return Made(Convolution(x, shape));
      case 2:
        return Made(maker_.Depthwise(x, Chance(70) ? 1 : Pick(2, 3), Window(shape, true), Weights(),
                                     Bias()));
      case 3:
        if (size > 2000) return Made(maker_.Relu(x));
        return Made(Transposed(x, shape));
      case 4:
        return Made(maker_.Pool(x, Chance(50), Window(shape, false)));
      case 5:
        return Made(maker_.Resize(x, Pick(1, 12), Pick(1, 12), false, Chance(50)));
      case 6:
      case 7:
        return Made(Elementwise(x));
      case 8:
      case 9:
      case 10:
        return Made(BinaryOp(x, shape));
      case 11:
        return Made(Joined(x, shape));
      case 12:
        return Made(Padded(x, shape));
      default:
        return Made(Chance(50) ? maker_.Softmax(x) : maker_.Reshape(x, Reshaped(shape)));
    }
  }

  // One of the many ops that take any rank.
  void Wider(size_t at) {
    const Sizes shape = Shape(live_[at]);
    const int x = Take(live_[at]);
    int y = x;
    for (Live& other : live_) {
      if (Shape(other) == shape && other.tensor != x && Chance(50)) {
        y = Take(other);
        break;
      }
    }
    const bool large = GraphMaker::CountOf(shape) > kManyElements;
    for (const int result : large ? steps_.Smaller(x) : steps_.Any(x, y)) Made(result);
  }

  // Brings a tensor of another rank to rank 4.
  void Step4d(size_t at) {
    const Sizes shape = Shape(live_[at]);
    const int channels = shape.back();
    const auto rest = static_cast<int32_t>(GraphMaker::CountOf(shape) / channels);
    Made(maker_.Reshape(Take(live_[at]), {1, 1, rest, channels}));
  }

  Where Weights() { return Chance(85) ? Where::kConstant : Where::kRuntime; }
  Where Bias() {
    return Chance(70) ? Where::kConstant : Chance(50) ? Where::kRuntime : Where::kAbsent;
  }

  int Convolution(int x, const Sizes& shape) {
    WindowSpec s = Window(shape, true);
    if (Chance(40)) s = WindowSpec{1, 1, 1, 1, 1, 1, true, s.activation};
    const int channels = shape[3];
    std::vector<int> groups;
    for (int g = 2; g <= channels; ++g) {
      if (channels % g == 0) groups.push_back(g);
    }
    if (groups.empty() || Chance(80)) return maker_.Conv(x, Channels(), 1, s, Weights(), Bias());
    const int g = groups[Pick(0, static_cast<int>(groups.size()) - 1)];
    return maker_.Conv(x, g * Pick(1, std::max(32 / g, 1)), g, s, Where::kConstant, Bias());
  }

  int Transposed(int x, const Sizes& shape) {
    WindowSpec s = Window(shape, false);
    s.same = Chance(50);
    const Where bias = Chance(50) ? Where::kAbsent : Where::kConstant;
    return maker_.TransposeConv(x, Channels(), s, Weights(), bias, Pick(0, 2));
  }

  int Elementwise(int x) {
    switch (Pick(0, 3)) {
      case 0:
        return maker_.Relu(x);
      case 1:
        return maker_.Relu6(x);
      case 2:
        return maker_.Logistic(x);
      default:
        return maker_.LeakyRelu(x, 0.3f);
    }
  }

  int BinaryOp(int x, const Sizes& shape) {
    int y = -1;
    for (Live& other : live_) {
      if (Shape(other) == shape && Chance(50)) y = Take(other);
    }
    if (y < 0 || Chance(30)) {
      Sizes small = shape;
      for (int32_t& d : small) {
        if (Chance(40)) d = 1;
      }
      while (small.size() > 1 && small[0] == 1 && Chance(40)) small.erase(small.begin());
      y = maker_.Operand(small, Chance(50) ? Where::kConstant : Where::kRuntime);
    }
    int a = x, b = y;
    if (Chance(50)) std::swap(a, b);
    return Chance(60) ? maker_.Sum(a, b, Activation()) : maker_.Product(a, b, Activation());
  }

  int Joined(int x, const Sizes& shape) {
    const int axis = Pick(0, static_cast<int>(shape.size()) - 1);
    std::vector<int> parts = {x};
    for (Live& other : live_) {
      Sizes same = Shape(other);
      if (same.size() != shape.size() || parts.size() > 3) continue;
      same[axis] = shape[axis];
      if (same == shape && Chance(50)) parts.push_back(Take(other));
    }
    if (Chance(30)) {
      Sizes own = shape;
      own[axis] = Pick(1, 5);
      parts.push_back(maker_.Constant(own));
    }
    std::reverse(parts.begin() + Pick(0, static_cast<int>(parts.size()) - 1), parts.end());
    return maker_.Concat(parts, Chance(50) ? axis : axis - static_cast<int>(shape.size()));
  }

  int Padded(int x, const Sizes& shape) {
    std::vector<int32_t> amounts;
    for (size_t d = 0; d < 2 * shape.size(); ++d) amounts.push_back(Chance(40) ? Pick(1, 4) : 0);
    if (shape.size() > 4) std::fill(amounts.begin(), amounts.begin() + 2, 0);
    return maker_.Pad(x, amounts);
  }

  Sizes Reshaped(const Sizes& shape) {
    const auto size = static_cast<int32_t>(GraphMaker::CountOf(shape));
    Sizes to(Pick(1, 4), 1);
    int32_t rest = size;
    for (size_t d = 0; d + 1 < to.size(); ++d) {
      for (int tries = 0; tries < 4; ++tries) {
        const int factor = Pick(2, 7);
        if (rest % factor == 0) to[d] *= factor, rest /= factor;
      }
    }
    to.back() = rest;
    return to;
  }

  void ChooseOutputs() {
    for (size_t i = 0; i < live_.size(); ++i) {
      const bool is_input = !Written(live_[i].tensor);
      if (is_input) continue;
      if (live_[i].readers == 0 || Chance(10)) maker_.Output(live_[i].tensor);
    }
  }
  bool Written(int tensor) {
    for (const auto& op : maker_.builder().subgraph().operators) {
      if (std::count(op->outputs.begin(), op->outputs.end(), tensor) != 0) return true;
    }
    return false;
  }

  const uint64_t seed_;
  Random random_;
  GraphMaker maker_;
  RandomSteps steps_;
  std::vector<Live> live_;
  int made_ = 0;
};

inline ModelCase MakeRandomGraph(uint64_t seed) { return RandomGraph(seed).Make(); }

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_RANDOM_GRAPH_H_
