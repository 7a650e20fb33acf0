// SPDX-License-Identifier: Apache-2.0
// Steps of a random graph that sum or choose along axes: reductions, products of matrices, norms,
// the largest of a row, recurrent cells.
#ifndef TERN_OPS_TESTING_RANDOM_SUMS_H_
#define TERN_OPS_TESTING_RANDOM_SUMS_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/testing/random_choices.h"

namespace tern::testing {

class SumSteps : public StepMaker {
 public:
  using StepMaker::StepMaker;

  int Normalized(int x) {
    const Sizes shape = m_.ShapeOf(x);
    switch (Pick(0, shape.size() == 4 ? 4 : 3)) {
      case 4: {
        tflite::LocalResponseNormalizationOptionsT o;
        o.radius = Pick(0, 9);
        o.bias = 0.5f * static_cast<float>(Pick(1, 4));
        o.alpha = 0.25f * static_cast<float>(Pick(0, 4));
        o.beta = 0.25f * static_cast<float>(Pick(1, 4));
        return m_.Node(tflite::BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION, {x}, shape, o);
      }
      case 0:
        return m_.Node(tflite::BuiltinOperator_L2_NORMALIZATION, {x}, shape,
                       tflite::L2NormOptionsT());
      case 1:
        return m_.Node(tflite::BuiltinOperator_LOG_SOFTMAX, {x}, shape,
                       tflite::LogSoftmaxOptionsT());
      case 2:
        return m_.Softmax(x);
      default: {
        tflite::CumsumOptionsT o;
        o.exclusive = Chance(50);
        o.reverse = Chance(50);
        const int axis = Scalar(AxisText(SomeAxis(shape), shape));
        return m_.Node(tflite::BuiltinOperator_CUMSUM, {x, axis}, shape, o);
      }
    }
  }

  int Reduced(int x) {
    constexpr Code kCodes[] = {tflite::BuiltinOperator_MEAN, tflite::BuiltinOperator_SUM,
                               tflite::BuiltinOperator_REDUCE_MAX,
                               tflite::BuiltinOperator_REDUCE_MIN};
    constexpr Code kWhole[] = {tflite::BuiltinOperator_SUM, tflite::BuiltinOperator_REDUCE_MAX,
                               tflite::BuiltinOperator_REDUCE_MIN};
    constexpr Code kBoolFolds[] = {tflite::BuiltinOperator_REDUCE_ANY,
                                   tflite::BuiltinOperator_REDUCE_ALL};
    switch (Pick(0, 7)) {
      case 0:
        return Along(tflite::BuiltinOperator_REDUCE_PROD, Bounded(x));
      case 1:
        return Number(Along(c_.OneOf(kWhole), Cast(x, tflite::TensorType_INT32)));
      case 2: {
        const int condition =
            m_.Node(tflite::BuiltinOperator_LESS, {x, m_.Const<float>({1}, {0.7f})}, m_.ShapeOf(x),
                    tflite::TensorType_BOOL);
        return Number(Along(c_.OneOf(kBoolFolds), condition));
      }
      default:
        return Along(c_.OneOf(kCodes), x);
    }
  }

  // Where the extreme of an axis lies.
  int Extreme(int x) {
    const Sizes shape = m_.ShapeOf(x);
    if (shape.size() < 2) return Reduced(x);
    const int axis = SomeAxis(shape);
    Sizes out = shape;
    out.erase(out.begin() + axis);
    const int where = m_.Const<int32_t>({1}, {AxisText(axis, shape)});
    const auto type = tflite::TensorType_INT32;
    if (Chance(50)) {
      tflite::ArgMaxOptionsT o;
      o.output_type = type;
      return Number(m_.Node(tflite::BuiltinOperator_ARG_MAX, {x, where}, out, o, type));
    }
    tflite::ArgMinOptionsT o;
    o.output_type = type;
    return Number(m_.Node(tflite::BuiltinOperator_ARG_MIN, {x, where}, out, o, type));
  }

  // The largest of each row, and where they are.
  std::vector<int> Largest(int x) {
    Sizes out = m_.ShapeOf(x);
    const int count = Pick(1, std::min(out.back(), 5));
    out.back() = count;
    ModelBuilder& b = m_;
    const int values = b.Tensor(out), places = b.Tensor(out, tflite::TensorType_INT32);
    b.SetOpVersion(1);
    b.Op(tflite::BuiltinOperator_TOPK_V2, {x, Scalar(count)}, {values, places},
         tflite::TopKV2OptionsT());
    return {values, Number(places)};
  }

  int Product(int x, int y) {
    const Sizes shape = m_.ShapeOf(x);
    if (shape.size() < 2) return Reduced(x);
    const int depth = shape.back(), units = Pick(1, 20);
    Sizes out = shape;
    out.back() = units;
    const double range = 2 / std::sqrt(static_cast<double>(std::max(depth, 1)));
    switch (Pick(0, 3)) {
      case 0:
      case 1: {
        tflite::FullyConnectedOptionsT o;
        o.keep_num_dims = true;
        o.fused_activation_function = Activation();
        const int bias = Chance(50) ? m_.Constant({units}) : -1;
        return m_.Node(tflite::BuiltinOperator_FULLY_CONNECTED,
                       {x, Weights({units, depth}, range), bias}, out, o,
                       tflite::TensorType_FLOAT32, 6);
      }
      case 2: {
        tflite::BatchMatMulOptionsT o;
        o.adj_y = Chance(50);
        const Sizes matrix = o.adj_y ? Sizes{units, depth} : Sizes{depth, units};
        return m_.Node(tflite::BuiltinOperator_BATCH_MATMUL, {x, Weights(matrix, range)}, out, o);
      }
      default: {
        // Rows against rows, as in attention.
        tflite::BatchMatMulOptionsT o;
        o.adj_y = true;
        out.back() = shape[shape.size() - 2];
        return m_.Node(tflite::BuiltinOperator_BATCH_MATMUL, {Bounded(x), y}, out, o);
      }
    }
  }

  // A recurrent cell, over the rows as a batch or as a sequence.
  std::vector<int> Recurrent(int x) {
    const Sizes shape = m_.ShapeOf(x);
    const int inputs = shape.back(), cells = Pick(1, 9);
    const auto rows = static_cast<int32_t>(GraphMaker::CountOf(shape) / inputs);
    if (inputs > 64 || rows > 48) return {Reduced(x)};
    if (Chance(50)) return Cell(m_.Reshape(x, {rows, inputs}), rows, inputs, cells);
    return {Sequence(m_.Reshape(x, {rows, 1, inputs}), rows, inputs, cells)};
  }

 private:
  int Along(Code code, int x) {
    const Sizes shape = m_.ShapeOf(x);
    tflite::ReducerOptionsT o;
    o.keep_dims = Chance(50);
    std::vector<int32_t> axes;
    Sizes out;
    const int kept = SomeAxis(shape);  // so that something is left
    for (int d = 0; d < Rank(shape); ++d) {
      const bool reduced = Chance(50) && d != kept;
      if (reduced) axes.push_back(AxisText(d, shape));
      if (!reduced) out.push_back(shape[d]);
      if (reduced && o.keep_dims) out.push_back(1);
    }
    if (axes.empty()) {  // a constant without elements is none
      o.keep_dims = true;
      axes.push_back(AxisText(kept, shape));
      out[kept] = 1;
    }
    return m_.Node(code, {x, m_.Ints(axes)}, out, o, m_.TypeOf(x));
  }

  std::vector<int> Cell(int x, int batch, int inputs, int cells) {
    ModelBuilder& b = m_;
    const int columns = inputs + cells;
    const double range = 2 / std::sqrt(static_cast<double>(columns));
    const bool kept = Chance(50);  // in variables; both or none
    const auto state = [&](const Sizes& shape) {
      return kept ? b.Variable(shape) : m_.Input(shape);
    };
    const int h = state({batch, cells}), c = state({batch, cells});
    const int w = m_.Constant({4 * cells, columns}, range), bias = m_.Constant({4 * cells});
    const int out = b.Tensor({batch, cells}), next = b.Tensor({batch, cells});
    tflite::LSTMOptionsT o;
    o.fused_activation_function = tflite::ActivationFunctionType_TANH;
    o.kernel_type = tflite::LSTMKernelType_BASIC;
    b.SetOpVersion(2);
    b.Op(tflite::BuiltinOperator_LSTM, {x, h, w, bias, c},
         {out, next, b.Tensor({batch, columns}), b.Tensor({batch, 4 * cells})}, o);
    return {out, next};
  }

  int Sequence(int x, int time, int inputs, int cells) {
    constexpr int kOperands = 24, kGates = 4;
    ModelBuilder& b = m_;
    std::vector<int32_t> in(kOperands, -1);
    in[0] = x;
    const double range = 2 / std::sqrt(static_cast<double>(inputs + cells));
    const bool peephole = Chance(30);
    for (int gate = 0; gate < kGates; ++gate) {
      in[1 + gate] = m_.Constant({cells, inputs}, range);
      in[5 + gate] = m_.Constant({cells, cells}, range);
      in[12 + gate] = m_.Constant({cells});
    }
    for (int i = 9; peephole && i < 12; ++i) in[i] = m_.Constant({cells});
    in[18] = b.Variable({1, cells});
    in[19] = b.Variable({1, cells});
    tflite::UnidirectionalSequenceLSTMOptionsT o;
    o.fused_activation_function = tflite::ActivationFunctionType_TANH;
    o.time_major = true;
    return m_.Node(tflite::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM, in, {time, 1, cells}, o);
  }
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_RANDOM_SUMS_H_
