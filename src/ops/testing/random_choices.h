// SPDX-License-Identifier: Apache-2.0
// What the parts of the generator of random graphs share: where their choices come from, and the
// small constants and operands that many ops want.
#ifndef TERN_OPS_TESTING_RANDOM_CHOICES_H_
#define TERN_OPS_TESTING_RANDOM_CHOICES_H_

#include <iterator>
#include <vector>

#include "ops/testing/graph_maker.h"

namespace tern::testing {

// The source of choices changes from step to step: a step that is repeated chooses alike.
struct Choices {
  Random random{0};
  std::vector<int> channels = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 20, 31, 32, 33};

  int Pick(int low, int high) { return static_cast<int>(random.Integer(low, high)); }
  bool Chance(int percent) { return Pick(1, 100) <= percent; }
  template <class T, size_t kCount>
  T OneOf(const T (&list)[kCount]) {
    return list[Pick(0, static_cast<int>(kCount) - 1)];
  }
  int Channels() { return channels[Pick(0, static_cast<int>(channels.size()) - 1)]; }
};

class StepMaker {
 public:
  StepMaker(Choices& choices, GraphMaker& maker) : c_(choices), m_(maker) {}

 protected:
  using Code = tflite::BuiltinOperator;
  using Type = tflite::TensorType;

  int Pick(int low, int high) { return c_.Pick(low, high); }
  bool Chance(int percent) { return c_.Chance(percent); }
  static int Rank(const Sizes& shape) { return static_cast<int>(shape.size()); }
  // As the model may say it, from the end or from the front.
  int AxisText(int axis, const Sizes& shape) { return Chance(50) ? axis : axis - Rank(shape); }
  int SomeAxis(const Sizes& shape) { return Pick(0, Rank(shape) - 1); }
  tflite::ActivationFunctionType Activation() {
    return static_cast<tflite::ActivationFunctionType>(Chance(50) ? 0 : Pick(1, 3));
  }
  int Scalar(int32_t v) { return m_.builder().Const<int32_t>({}, {v}); }

  int Simple(Code code, int x) { return m_.Node(code, {x}, m_.ShapeOf(x), m_.TypeOf(x)); }
  int Cast(int x, Type to) { return m_.Node(tflite::BuiltinOperator_CAST, {x}, m_.ShapeOf(x), to); }
  // Ints and truth values go on as numbers, and sometimes leave the graph as they are.
  int Number(int x) {
    if (Chance(15)) m_.Output(x);
    return Cast(x, tflite::TensorType_FLOAT32);
  }
  // |x| + 1/2
  int Positive(int x) {
    return m_.Sum(Simple(tflite::BuiltinOperator_ABS, x), m_.builder().Const<float>({1}, {0.5f}));
  }
  // Within -1 and 1, where powers and products stay small.
  int Bounded(int x) { return Simple(tflite::BuiltinOperator_TANH, x); }

  // A constant or runtime operand that broadcasts to `shape`.
  int Spread(const Sizes& shape) {
    Sizes small = shape;
    for (int32_t& d : small) {
      if (Chance(40)) d = 1;
    }
    while (small.size() > 1 && small[0] == 1 && Chance(40)) small.erase(small.begin());
    switch (Pick(0, 3)) {
      case 0:
        return m_.Input(small);
      case 1:
        return Halves(small);
      default:
        return m_.Constant(small);
    }
  }
  // One like that, or the tensor y of that shape.
  int Other(const Sizes& shape, int y) { return Chance(50) ? y : Spread(shape); }

  // A constant that the model keeps as halves.
  int Halves(const Sizes& shape, double range = 1) {
    ModelBuilder& b = m_.builder();
    const int from = b.ConstHalf(shape, m_.Numbers(GraphMaker::CountOf(shape), range));
    return m_.Node(tflite::BuiltinOperator_DEQUANTIZE, {from}, shape, tflite::TensorType_FLOAT32,
                   3);
  }
  int Weights(const Sizes& shape, double range) {
    return Chance(20) ? Halves(shape, range) : m_.Constant(shape, range);
  }

  Choices& c_;
  GraphMaker& m_;
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_RANDOM_CHOICES_H_
