// SPDX-License-Identifier: Apache-2.0
// Helpers that the parts of the generator of random graphs share: the source of choices, and small
// constants and operands that many ops want.
#ifndef TERN_OPS_TESTING_RANDOM_CHOICES_H_
#define TERN_OPS_TESTING_RANDOM_CHOICES_H_

#include <iterator>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "ops/testing/graph_maker.h"
#include "ops/testing/sparse_constant.h"

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
  int Scalar(int32_t v) { return m_.Const<int32_t>({}, {v}); }

  int Simple(Code code, int x) { return m_.Node(code, {x}, m_.ShapeOf(x), m_.TypeOf(x)); }
  int Cast(int x, Type to) { return m_.Node(tflite::BuiltinOperator_CAST, {x}, m_.ShapeOf(x), to); }
  // Ints and BOOL values go on as numbers, and sometimes leave the graph as they are.
  int Number(int x) {
    if (Chance(15)) m_.Output(x);
    return Cast(x, tflite::TensorType_FLOAT32);
  }
  // |x| + 1/2
  int Positive(int x) {
    return m_.Sum(Simple(tflite::BuiltinOperator_ABS, x), m_.Const<float>({1}, {0.5f}));
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
    switch (Pick(0, 4)) {
      case 0:
        return m_.Input(small);
      case 1:
        return Halves(small);
      case 2:
        return Sparse(small);
      default:
        return m_.Constant(small);
    }
  }
  // One like that, or the tensor y of that shape.
  int Other(const Sizes& shape, int y) { return Chance(50) ? y : Spread(shape); }

  // A constant that the model keeps as halves.
  int Halves(const Sizes& shape, double range = 1) {
    return Dequantized(StoredHalves(shape, range));
  }
  // One of which the model leaves out zeros.
  int Sparse(const Sizes& shape, double range = 1) {
    if (Chance(30)) return Dequantized(Densified(StoredHalves(shape, range)));
    return Densified(m_.Constant(shape, range));
  }
  int Weights(const Sizes& shape, double range) {
    if (Chance(20)) return Halves(shape, range);
    return Chance(25) ? Sparse(shape, range) : m_.Constant(shape, range);
  }
  // Sometimes makes a constant operand of the op that was just added sparse.
  void ThinOut(size_t operand) {
    if (!Chance(25)) return;
    auto& ops = m_.subgraph().operators;
    std::unique_ptr<tflite::OperatorT> op = std::move(ops.back());
    ops.pop_back();
    op->inputs[operand] = Densified(op->inputs[operand]);
    ops.push_back(std::move(op));
  }

  Choices& c_;
  GraphMaker& m_;

 private:
  int StoredHalves(const Sizes& shape, double range) {
    return m_.ConstHalf(shape, m_.Numbers(GraphMaker::CountOf(shape), range));
  }
  int Dequantized(int halves) {
    return m_.Node(tflite::BuiltinOperator_DEQUANTIZE, {halves}, m_.ShapeOf(halves),
                   tflite::TensorType_FLOAT32, 3);
  }

  // The constant is stored sparse from now on, DENSIFY after it. A scalar stays as it is.
  int Densified(int constant) {
    const Sizes shape = m_.ShapeOf(constant);
    if (shape.empty()) return constant;
    MakeSparse(m_, constant, FormFor(shape), [&] { return m_.Numbers(1, 1)[0] > 0.2f; });
    return m_.Node(tflite::BuiltinOperator_DENSIFY, {constant}, shape, m_.TypeOf(constant));
  }
  SparseForm FormFor(const Sizes& shape) {
    SparseForm form;
    form.small_numbers = Chance(50);
    for (int axis = 0; axis < Rank(shape); ++axis) {
      form.listed.push_back(Chance(50));
      const int block = Pick(2, 4);
      if (shape[axis] % block == 0 && Chance(40)) form.blocks.push_back({axis, block});
    }
    form.listed.back() = form.listed.back() || Chance(80);
    form.order.resize(shape.size() + form.blocks.size());
    std::iota(form.order.begin(), form.order.end(), 0);
    if (Chance(50)) return form;
    Shuffle(form.order, 0, Rank(shape));
    Shuffle(form.order, Rank(shape), static_cast<int>(form.order.size()));
    return form;
  }
  void Shuffle(std::vector<int32_t>& list, int begin, int end) {
    for (int i = end - 1; i > begin; --i) std::swap(list[i], list[Pick(begin, i)]);
  }
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_RANDOM_CHOICES_H_
