// SPDX-License-Identifier: Apache-2.0
// Steps of a random graph that work element by element: functions, pairs, BOOL values and what
// they choose, integers on the way. These are what a GPU plan fuses. Results stay in a range
// where a step further on can still be judged: a logarithm gets numbers above zero, and so on.
#ifndef TERN_OPS_TESTING_RANDOM_ELEMENTS_H_
#define TERN_OPS_TESTING_RANDOM_ELEMENTS_H_

#include <utility>
#include <vector>

#include "ops/testing/random_choices.h"

namespace tern::testing {

class ElementSteps : public StepMaker {
 public:
  using StepMaker::StepMaker;

  // One to four steps from x, and from y, which has the same shape and may be x.
  int Some(int x, int y) {
    int last = One(x, y);
    while (Chance(30)) last = One(last, y);
    return last;
  }

 private:
  int One(int x, int y) {
    switch (Pick(0, 9)) {
      case 0:
      case 1:
        return Activated(x);
      case 2:
      case 3:
        return Function(x);
      case 4:
        return Arithmetic(x, y);
      case 5:
      case 6:
        return Pair(x, y);
      case 7:
        return Chosen(x, y);
      default:
        return Whole(x);
    }
  }

  int Activated(int x) {
    switch (Pick(0, 5)) {
      case 0:
        return m_.Relu(x);
      case 1:
        return m_.Relu6(x);
      case 2:
        return m_.Logistic(x);
      case 3:
        return m_.LeakyRelu(x, 0.3f);
      default: {
        constexpr Code kCodes[] = {tflite::BuiltinOperator_ELU, tflite::BuiltinOperator_HARD_SWISH,
                                   tflite::BuiltinOperator_RELU_0_TO_1,
                                   tflite::BuiltinOperator_RELU_N1_TO_1,
                                   tflite::BuiltinOperator_TANH};
        return Simple(c_.OneOf(kCodes), x);
      }
    }
  }

  int Function(int x) {
    constexpr Code kPlain[] = {tflite::BuiltinOperator_ABS,   tflite::BuiltinOperator_NEG,
                               tflite::BuiltinOperator_FLOOR, tflite::BuiltinOperator_CEIL,
                               tflite::BuiltinOperator_ROUND, tflite::BuiltinOperator_SIGN,
                               tflite::BuiltinOperator_SIN,   tflite::BuiltinOperator_COS};
    constexpr Code kOfPositive[] = {tflite::BuiltinOperator_LOG, tflite::BuiltinOperator_SQRT,
                                    tflite::BuiltinOperator_RSQRT};
    constexpr Code kOfBounded[] = {tflite::BuiltinOperator_EXP, tflite::BuiltinOperator_SQUARE};
    switch (Pick(0, 5)) {
      case 0:
        return Simple(c_.OneOf(kOfPositive), Positive(x));
      case 1:
        return Simple(c_.OneOf(kOfBounded), Bounded(x));
      case 2:
        return m_.Node(tflite::BuiltinOperator_GELU, {x}, m_.ShapeOf(x), tflite::GeluOptionsT());
      default:
        return Simple(c_.OneOf(kPlain), x);
    }
  }

  // Sums and products, where normalization and residuals come from.
  int Arithmetic(int x, int y) {
    int a = x, b = Other(m_.ShapeOf(x), y);
    if (Chance(50)) std::swap(a, b);
    if (Chance(10)) {
      return m_.Node(tflite::BuiltinOperator_ADD_N,
                     {x, Simple(tflite::BuiltinOperator_SIN, x), x, x}, m_.ShapeOf(x),
                     tflite::AddNOptionsT());
    }
    return Chance(60) ? m_.Sum(a, b, Activation()) : m_.Product(a, b, Activation());
  }

  int Pair(int x, int y) {
    const Sizes shape = m_.ShapeOf(x);
    const int other = Other(shape, y);
    const auto make = [&](Code code, int a, int b, auto options) {
      return m_.Node(code, {a, b}, m_.Broadcast(a, b), options);
    };
    int a = x, b = other;
    if (Chance(50)) std::swap(a, b);
    switch (Pick(0, 9)) {
      case 0:
        return make(tflite::BuiltinOperator_SUB, a, b, tflite::SubOptionsT());
      case 1:
        return make(tflite::BuiltinOperator_DIV, a, Positive(b), tflite::DivOptionsT());
      case 2:
        return make(tflite::BuiltinOperator_MAXIMUM, a, b, tflite::MaximumMinimumOptionsT());
      case 3:
        return make(tflite::BuiltinOperator_MINIMUM, a, b, tflite::MaximumMinimumOptionsT());
      case 4:
        return make(tflite::BuiltinOperator_SQUARED_DIFFERENCE, Bounded(a), b,
                    tflite::SquaredDifferenceOptionsT());
      case 5:
        return make(tflite::BuiltinOperator_POW, Positive(Bounded(a)), Bounded(b),
                    tflite::PowOptionsT());
      case 6:  // does not broadcast
        return m_.Node(tflite::BuiltinOperator_ATAN2, {Simple(tflite::BuiltinOperator_SIN, x), y},
                       shape);
      case 7:
        return make(tflite::BuiltinOperator_FLOOR_DIV, a, Positive(b), tflite::FloorDivOptionsT());
      case 8:
        return make(tflite::BuiltinOperator_FLOOR_MOD, a, Positive(b), tflite::FloorModOptionsT());
      default: {
        if (shape.size() < 2) return m_.Sum(a, b);
        Sizes slope(shape.begin() + 1, shape.end());
        for (size_t d = 0; d + 1 < slope.size(); ++d) {
          if (Chance(70)) slope[d] = 1;
        }
        return m_.Node(tflite::BuiltinOperator_PRELU, {x, Weights(slope, 1)}, shape);
      }
    }
  }

  int Relation(int x, int other) {
    constexpr Code kRelations[] = {
        tflite::BuiltinOperator_LESS,      tflite::BuiltinOperator_LESS_EQUAL,
        tflite::BuiltinOperator_GREATER,   tflite::BuiltinOperator_EQUAL,
        tflite::BuiltinOperator_NOT_EQUAL, tflite::BuiltinOperator_GREATER_EQUAL};
    return m_.Node(c_.OneOf(kRelations), {x, other}, m_.Broadcast(x, other),
                   tflite::TensorType_BOOL);
  }

  // BOOL values, combined, and what they choose.
  int Chosen(int x, int y) {
    const Sizes shape = m_.ShapeOf(x);
    int condition = Relation(x, Other(shape, y));
    if (Chance(30)) {
      const Code code =
          Chance(50) ? tflite::BuiltinOperator_LOGICAL_AND : tflite::BuiltinOperator_LOGICAL_OR;
      condition =
          m_.Node(code, {condition, Relation(x, Other(shape, y))}, shape, tflite::TensorType_BOOL);
    }
    if (Chance(30)) condition = Simple(tflite::BuiltinOperator_LOGICAL_NOT, condition);
    if (Chance(30)) return Number(condition);
    if (Chance(30)) {
      const std::vector<int32_t> inputs = {condition, x, m_.ShapeOf(y) == shape ? y : x};
      return m_.Node(tflite::BuiltinOperator_SELECT, inputs, shape, tflite::SelectOptionsT());
    }
    int a = x, b = Other(shape, y);
    if (Chance(50)) std::swap(a, b);
    return m_.Node(tflite::BuiltinOperator_SELECT_V2, {condition, a, b}, shape);
  }

  // Through integers and back.
  int Whole(int x) {
    int ints = Cast(x, tflite::TensorType_INT32);
    do {
      ints = WholeStep(ints);
    } while (Chance(40));
    if (Chance(20)) {
      ints = Cast(Cast(ints, tflite::TensorType_INT64), tflite::TensorType_INT32);
    }
    return Number(ints);
  }

  int WholeStep(int x) {
    const Type type = tflite::TensorType_INT32;
    const Sizes shape = m_.ShapeOf(x);
    const int number = m_.Ints({Pick(1, 5)});
    const auto make = [&](Code code, auto options) {
      return m_.Node(code, {x, number}, shape, options, type);
    };
    switch (Pick(0, 11)) {
      case 0:
        return make(tflite::BuiltinOperator_ADD, tflite::AddOptionsT());
      case 1:
        return make(tflite::BuiltinOperator_MUL, tflite::MulOptionsT());
      case 2:
        return make(tflite::BuiltinOperator_SUB, tflite::SubOptionsT());
      case 3:
        return make(tflite::BuiltinOperator_MAXIMUM, tflite::MaximumMinimumOptionsT());
      case 4:
        return make(tflite::BuiltinOperator_MINIMUM, tflite::MaximumMinimumOptionsT());
      case 5:
        return make(tflite::BuiltinOperator_FLOOR_DIV, tflite::FloorDivOptionsT());
      case 6:
        return make(tflite::BuiltinOperator_FLOOR_MOD, tflite::FloorModOptionsT());
      case 7:
        return make(tflite::BuiltinOperator_DIV, tflite::DivOptionsT());
      case 8:
        return Simple(tflite::BuiltinOperator_NEG, x);
      case 9:
        return Simple(tflite::BuiltinOperator_ABS, x);
      case 10: {
        const int condition = Relation(x, number);
        return m_.Node(tflite::BuiltinOperator_SELECT_V2, {condition, x, number}, shape, type);
      }
      default: {
        // SELECT_V2 in INT64, of which the GPU keeps both halves.
        const int condition = Relation(x, number);
        const int wide = Cast(x, tflite::TensorType_INT64);
        const int other = m_.Const<int64_t>({1}, {int64_t{7}});
        const int chosen = m_.Node(tflite::BuiltinOperator_SELECT_V2, {condition, wide, other},
                                   shape, tflite::TensorType_INT64);
        return Cast(chosen, type);
      }
    }
  }
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_RANDOM_ELEMENTS_H_
