// SPDX-License-Identifier: Apache-2.0
// Steps of a random graph that work on tensors of any rank: elementwise, truth values and ints on
// the way, sums along axes, moves. Ops without a GPU form are left out. Results stay in a range
// where a step further on can still be judged: a logarithm gets numbers above zero, and so on.
#ifndef TERN_OPS_TESTING_RANDOM_STEPS_H_
#define TERN_OPS_TESTING_RANDOM_STEPS_H_

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "ops/gpu_registry.h"
#include "ops/testing/graph_maker.h"

namespace tern::testing {

class RandomSteps {
 public:
  RandomSteps(Random& random, GraphMaker& maker) : random_(random), m_(maker) {}

  // Results of one step from x, and from y, which has the same shape and may be x.
  std::vector<int> Any(int x, int y) {
    switch (Pick(0, 9)) {
      case 0:
      case 1:
        return {Unary(x)};
      case 2:
        return {Binary(x, y)};
      case 3:
        return {Chosen(x, y)};
      case 4:
        return {Whole(x)};
      case 5:
        return Smaller(x);
      case 6:
        return {Normalized(x)};
      case 7:
        return Parts(x, y);
      default:
        return {Moved(x)};
    }
  }

  // Results with fewer elements.
  std::vector<int> Smaller(int x) {
    const Sizes shape = m_.ShapeOf(x);
    switch (Pick(0, 3)) {
      case 0:
        return {Reduced(x)};
      case 1:
        return {Extreme(x)};
      case 2:
        return {Product(x)};
      default:
        return {Slice(x)};
    }
  }

 private:
  using Code = tflite::BuiltinOperator;

  int Pick(int low, int high) { return static_cast<int>(random_.Integer(low, high)); }
  bool Chance(int percent) { return Pick(1, 100) <= percent; }
  static bool OnGpu(Code code) {
    gpu::Node node;
    node.builtin_code = code;
    return gpu::GpuLoweringTable().FindLowering(node) != nullptr;
  }
  static int Rank(const Sizes& shape) { return static_cast<int>(shape.size()); }
  // As the model may say it, from the end or from the front.
  int AxisText(int axis, const Sizes& shape) { return Chance(50) ? axis : axis - Rank(shape); }

  int Simple(Code code, int x) {
    return OnGpu(code) ? m_.Node(code, {x}, m_.ShapeOf(x)) : m_.Relu(x);
  }
  // |x| + 1/2
  int Positive(int x) {
    if (!OnGpu(tflite::BuiltinOperator_ABS)) return m_.Sum(m_.Logistic(x), Number(0.5f));
    return m_.Sum(Simple(tflite::BuiltinOperator_ABS, x), Number(0.5f));
  }
  int Number(float v) { return m_.builder().Const<float>({1}, {v}); }

  int Unary(int x) {
    using tflite::BuiltinOperator;
    constexpr Code kPlain[] = {
        tflite::BuiltinOperator_ABS,         tflite::BuiltinOperator_NEG,
        tflite::BuiltinOperator_FLOOR,       tflite::BuiltinOperator_CEIL,
        tflite::BuiltinOperator_ROUND,       tflite::BuiltinOperator_SIGN,
        tflite::BuiltinOperator_SIN,         tflite::BuiltinOperator_COS,
        tflite::BuiltinOperator_TANH,        tflite::BuiltinOperator_ELU,
        tflite::BuiltinOperator_HARD_SWISH,  tflite::BuiltinOperator_RELU_0_TO_1,
        tflite::BuiltinOperator_RELU_N1_TO_1};
    constexpr Code kOfPositive[] = {tflite::BuiltinOperator_LOG, tflite::BuiltinOperator_SQRT,
                                    tflite::BuiltinOperator_RSQRT};
    switch (Pick(0, 5)) {
      case 0:
        return Simple(kOfPositive[Pick(0, 2)], Positive(x));
      case 1:
        return Simple(Chance(50) ? tflite::BuiltinOperator_EXP : tflite::BuiltinOperator_SQUARE,
                      Simple(tflite::BuiltinOperator_TANH, x));
      case 2:
        if (!OnGpu(tflite::BuiltinOperator_GELU)) return m_.Relu(x);
        return m_.Node(tflite::BuiltinOperator_GELU, {x}, m_.ShapeOf(x), tflite::GeluOptionsT());
      default:
        return Simple(kPlain[Pick(0, static_cast<int>(std::size(kPlain)) - 1)], x);
    }
  }

  // A constant or runtime operand that broadcasts to `shape`, or a tensor of that shape.
  int Other(const Sizes& shape, int y) {
    if (Chance(50)) return y;
    Sizes small = shape;
    for (int32_t& d : small) {
      if (Chance(40)) d = 1;
    }
    while (small.size() > 1 && small[0] == 1 && Chance(40)) small.erase(small.begin());
    return m_.Operand(small, Chance(50) ? Where::kConstant : Where::kRuntime);
  }

  int Binary(int x, int y) {
    const Sizes shape = m_.ShapeOf(x);
    const int other = Other(shape, y);
    const auto make = [&](Code code, int a, int b, auto options) {
      if (!OnGpu(code)) return m_.Sum(a, b);
      return m_.Node(code, {a, b}, m_.Broadcast(a, b), options);
    };
    const int a = Chance(50) ? x : other, b = a == x ? other : x;
    switch (Pick(0, 5)) {
      case 0:
        return make(tflite::BuiltinOperator_SUB, a, b, tflite::SubOptionsT());
      case 1:
        return make(tflite::BuiltinOperator_DIV, a, Positive(b), tflite::DivOptionsT());
      case 2:
        return make(tflite::BuiltinOperator_MAXIMUM, a, b, tflite::MaximumMinimumOptionsT());
      case 3:
        return make(tflite::BuiltinOperator_MINIMUM, a, b, tflite::MaximumMinimumOptionsT());
      case 4:
        return make(tflite::BuiltinOperator_SQUARED_DIFFERENCE,
                    Simple(tflite::BuiltinOperator_TANH, a), b,
                    tflite::SquaredDifferenceOptionsT());
      default: {
        if (!OnGpu(tflite::BuiltinOperator_PRELU) || shape.size() < 2) return m_.Sum(a, b);
        Sizes slope(shape.begin() + 1, shape.end());
        for (size_t d = 0; d + 1 < slope.size(); ++d) {
          if (Chance(70)) slope[d] = 1;
        }
        return m_.Node(tflite::BuiltinOperator_PRELU, {x, m_.Constant(slope)}, shape);
      }
    }
  }

  int Truth(int x, int y) {
    constexpr Code kRelations[] = {
        tflite::BuiltinOperator_LESS,      tflite::BuiltinOperator_LESS_EQUAL,
        tflite::BuiltinOperator_GREATER,   tflite::BuiltinOperator_EQUAL,
        tflite::BuiltinOperator_NOT_EQUAL, tflite::BuiltinOperator_GREATER_EQUAL};
    const int other = Other(m_.ShapeOf(x), y);
    return m_.Node(kRelations[Pick(0, 5)], {x, other}, m_.Broadcast(x, other),
                   tflite::TensorType_BOOL);
  }

  // Truth values, combined, and what they choose.
  int Chosen(int x, int y) {
    for (const Code code : {tflite::BuiltinOperator_LESS, tflite::BuiltinOperator_LOGICAL_AND,
                            tflite::BuiltinOperator_LOGICAL_NOT, tflite::BuiltinOperator_CAST,
                            tflite::BuiltinOperator_SELECT_V2}) {
      if (!OnGpu(code)) return m_.Sum(x, y);
    }
    int truth = Truth(x, y);
    const Sizes shape = m_.ShapeOf(truth);
    if (Chance(30)) {
      const Code code =
          Chance(50) ? tflite::BuiltinOperator_LOGICAL_AND : tflite::BuiltinOperator_LOGICAL_OR;
      truth = m_.Node(code, {truth, Truth(x, y)}, shape, tflite::TensorType_BOOL);
    }
    if (Chance(30)) {
      truth = m_.Node(tflite::BuiltinOperator_LOGICAL_NOT, {truth}, shape, tflite::TensorType_BOOL);
    }
    if (Chance(30)) return Cast(truth, tflite::TensorType_FLOAT32);
    const int other = Other(shape, y);
    const Sizes all = m_.Broadcast(truth, other);
    return m_.Node(
        tflite::BuiltinOperator_SELECT_V2,
        Chance(50) ? std::vector<int32_t>{truth, x, other} : std::vector<int32_t>{truth, other, x},
        all);
  }

  int Cast(int x, tflite::TensorType to) {
    return m_.Node(tflite::BuiltinOperator_CAST, {x}, m_.ShapeOf(x), to);
  }

  // Through ints and back.
  int Whole(int x) {
    if (!OnGpu(tflite::BuiltinOperator_CAST)) return m_.Relu6(x);
    int ints = Cast(x, tflite::TensorType_INT32);
    const Sizes shape = m_.ShapeOf(x);
    if (Chance(60)) {
      const int factor = m_.Ints({Pick(-5, 5)});
      const bool sum = Chance(50);
      ints = sum ? m_.Node(tflite::BuiltinOperator_ADD, {ints, factor}, shape,
                           tflite::AddOptionsT(), tflite::TensorType_INT32)
                 : m_.Node(tflite::BuiltinOperator_MUL, {ints, factor}, shape,
                           tflite::MulOptionsT(), tflite::TensorType_INT32);
    }
    return Cast(ints, tflite::TensorType_FLOAT32);
  }

  int Normalized(int x) {
    const Sizes shape = m_.ShapeOf(x);
    const int kind = Pick(0, 2);
    if (kind == 0 && OnGpu(tflite::BuiltinOperator_L2_NORMALIZATION)) {
      return m_.Node(tflite::BuiltinOperator_L2_NORMALIZATION, {x}, shape,
                     tflite::L2NormOptionsT());
    }
    if (kind == 1 && OnGpu(tflite::BuiltinOperator_LOG_SOFTMAX)) {
      return m_.Node(tflite::BuiltinOperator_LOG_SOFTMAX, {x}, shape, tflite::LogSoftmaxOptionsT());
    }
    if (!OnGpu(tflite::BuiltinOperator_CUMSUM)) return m_.Softmax(x);
    tflite::CumsumOptionsT o;
    o.exclusive = Chance(50);
    o.reverse = Chance(50);
    const int axis = Pick(0, Rank(shape) - 1);
    const int axis_tensor = m_.builder().Const<int32_t>({}, {AxisText(axis, shape)});
    return m_.Node(tflite::BuiltinOperator_CUMSUM, {x, axis_tensor}, shape, o);
  }

  int Reduced(int x) {
    constexpr Code kCodes[] = {tflite::BuiltinOperator_MEAN, tflite::BuiltinOperator_SUM,
                               tflite::BuiltinOperator_REDUCE_MAX,
                               tflite::BuiltinOperator_REDUCE_MIN};
    const Code code = kCodes[Pick(0, 3)];
    if (!OnGpu(code)) return Slice(x);
    const Sizes shape = m_.ShapeOf(x);
    tflite::ReducerOptionsT o;
    o.keep_dims = Chance(50);
    std::vector<int32_t> axes;
    Sizes out;
    for (int d = 0; d < Rank(shape); ++d) {
      const bool reduced = Chance(50);
      if (reduced) axes.push_back(AxisText(d, shape));
      if (!reduced) out.push_back(shape[d]);
      if (reduced && o.keep_dims) out.push_back(1);
    }
    if (out.empty()) return Slice(x);
    return m_.Node(code, {x, m_.Ints(axes)}, out, o);
  }

  int Extreme(int x) {
    const Code code =
        Chance(50) ? tflite::BuiltinOperator_ARG_MAX : tflite::BuiltinOperator_ARG_MIN;
    const Sizes shape = m_.ShapeOf(x);
    if (!OnGpu(code) || !OnGpu(tflite::BuiltinOperator_CAST) || shape.size() < 2) return Slice(x);
    const int axis = Pick(0, Rank(shape) - 1);
    Sizes out = shape;
    out.erase(out.begin() + axis);
    const int axis_tensor = m_.builder().Const<int32_t>({1}, {AxisText(axis, shape)});
    const auto type = tflite::TensorType_INT32;
    int place;
    if (code == tflite::BuiltinOperator_ARG_MAX) {
      tflite::ArgMaxOptionsT o;
      o.output_type = type;
      place = m_.Node(code, {x, axis_tensor}, out, o, type);
    } else {
      tflite::ArgMinOptionsT o;
      o.output_type = type;
      place = m_.Node(code, {x, axis_tensor}, out, o, type);
    }
    return Cast(place, tflite::TensorType_FLOAT32);
  }

  int Product(int x) {
    const Sizes shape = m_.ShapeOf(x);
    const int depth = shape.back(), units = Pick(1, 20);
    Sizes out = shape;
    out.back() = units;
    const double range = 2 / std::sqrt(static_cast<double>(std::max(depth, 1)));
    if (shape.size() < 2) return Slice(x);
    if (Chance(50) && OnGpu(tflite::BuiltinOperator_FULLY_CONNECTED)) {
      tflite::FullyConnectedOptionsT o;
      o.keep_num_dims = true;
      const int bias = Chance(50) ? m_.Constant({units}) : -1;
      return m_.Node(tflite::BuiltinOperator_FULLY_CONNECTED,
                     {x, m_.Constant({units, depth}, range), bias}, out, o,
                     tflite::TensorType_FLOAT32, 6);
    }
    if (!OnGpu(tflite::BuiltinOperator_BATCH_MATMUL)) return Slice(x);
    tflite::BatchMatMulOptionsT o;
    o.adj_y = Chance(50);
    const Sizes matrix = o.adj_y ? Sizes{units, depth} : Sizes{depth, units};
    return m_.Node(tflite::BuiltinOperator_BATCH_MATMUL, {x, m_.Constant(matrix, range)}, out, o);
  }

  int Slice(int x) {
    const Sizes shape = m_.ShapeOf(x);
    std::vector<int32_t> begin, end, stride;
    Sizes out;
    for (const int32_t n : shape) {
      const int first = Pick(0, n - 1), count = Pick(1, n - first);
      const int step = Chance(70) ? 1 : Pick(1, 3);
      begin.push_back(first);
      end.push_back(first + count);
      stride.push_back(step);
      out.push_back((count + step - 1) / step);
    }
    return m_.Node(tflite::BuiltinOperator_STRIDED_SLICE,
                   {x, m_.Ints(begin), m_.Ints(end), m_.Ints(stride)}, out,
                   tflite::StridedSliceOptionsT());
  }

  std::vector<int> Parts(int x, int y) {
    const Sizes shape = m_.ShapeOf(x);
    const int axis = Pick(0, Rank(shape) - 1);
    const int parts = shape[axis];
    if (Chance(40) && shape.size() < 5) {
      tflite::PackOptionsT o;
      o.values_count = 2;
      o.axis = axis;
      Sizes out = shape;
      out.insert(out.begin() + axis, 2);
      return {m_.Node(tflite::BuiltinOperator_PACK, {x, y}, out, o)};
    }
    if (parts > 4 || parts < 2) return {Moved(x)};
    const bool unpack = Chance(50) && shape.size() > 1;
    Sizes part = shape;
    if (unpack) part.erase(part.begin() + axis);
    if (!unpack) part[axis] = 1;
    std::vector<int32_t> outputs;
    for (int i = 0; i < parts; ++i) outputs.push_back(m_.builder().Tensor(part));
    m_.builder().SetOpVersion(1);
    if (unpack) {
      tflite::UnpackOptionsT o;
      o.num = parts;
      o.axis = AxisText(axis, shape);
      m_.builder().Op(tflite::BuiltinOperator_UNPACK, {x}, outputs, o);
    } else {
      tflite::SplitOptionsT o;
      o.num_splits = parts;
      const int where = m_.builder().Const<int32_t>({}, {AxisText(axis, shape)});
      m_.builder().Op(tflite::BuiltinOperator_SPLIT, {where, x}, outputs, o);
    }
    return {outputs.begin(), outputs.end()};
  }

  int Moved(int x) {
    const Sizes shape = m_.ShapeOf(x);
    const int rank = Rank(shape);
    switch (Pick(0, 7)) {
      case 0: {
        std::vector<int32_t> order(rank);
        std::iota(order.begin(), order.end(), 0);
        for (int d = rank - 1; d > 0; --d) std::swap(order[d], order[Pick(0, d)]);
        Sizes out;
        for (const int32_t d : order) out.push_back(shape[d]);
        return m_.Node(tflite::BuiltinOperator_TRANSPOSE, {x, m_.Ints(order)}, out,
                       tflite::TransposeOptionsT());
      }
      case 1: {
        Sizes out = shape;
        std::vector<int32_t> times(rank, 1);
        const int axis = Pick(0, rank - 1);
        times[axis] = Pick(1, 3);
        out[axis] *= times[axis];
        return m_.Node(tflite::BuiltinOperator_TILE, {x, m_.Ints(times)}, out,
                       tflite::TileOptionsT());
      }
      case 2: {
        tflite::MirrorPadOptionsT o;
        o.mode = Chance(50) ? tflite::MirrorPadMode_REFLECT : tflite::MirrorPadMode_SYMMETRIC;
        const int least = o.mode == tflite::MirrorPadMode_REFLECT ? 1 : 0;
        std::vector<int32_t> amounts;
        Sizes out = shape;
        for (int d = 0; d < rank; ++d) {
          for (int side = 0; side < 2; ++side) {
            amounts.push_back(Chance(70) || rank > 4 ? 0 : Pick(0, std::min(shape[d] - least, 3)));
            out[d] += amounts.back();
          }
        }
        const int paddings = m_.builder().Const<int32_t>({rank, 2}, amounts);
        return m_.Node(tflite::BuiltinOperator_MIRROR_PAD, {x, paddings}, out, o);
      }
      case 3:
        return m_.Node(tflite::BuiltinOperator_REVERSE_V2,
                       {x, m_.Ints({AxisText(Pick(0, rank - 1), shape)})}, shape,
                       tflite::ReverseV2OptionsT());
      case 4:
        return Blocks(x);
      case 5: {
        if (rank > 4) return Slice(x);
        const int axis = Pick(0, rank);
        Sizes out = shape;
        out.insert(out.begin() + axis, 1);
        const int where = m_.builder().Const<int32_t>({}, {axis});
        return m_.Node(tflite::BuiltinOperator_EXPAND_DIMS, {x, where}, out,
                       tflite::ExpandDimsOptionsT());
      }
      case 6: {
        const int axis = Pick(0, rank - 1);
        std::vector<int32_t> indices;
        for (int i = Pick(1, 4); i > 0; --i) indices.push_back(Pick(0, shape[axis] - 1));
        Sizes out = shape;
        out[axis] = static_cast<int32_t>(indices.size());
        tflite::GatherOptionsT o;
        o.axis = AxisText(axis, shape);
        return m_.Node(tflite::BuiltinOperator_GATHER, {x, m_.Ints(indices)}, out, o);
      }
      default:
        return Slice(x);
    }
  }

  // Between space and channels, where the sizes allow it.
  int Blocks(int x) {
    const Sizes s = m_.ShapeOf(x);
    if (s.size() != 4) return Slice(x);
    const int block = Pick(2, 3);
    if (s[1] % block == 0 && s[2] % block == 0) {
      tflite::SpaceToDepthOptionsT o;
      o.block_size = block;
      return m_.Node(tflite::BuiltinOperator_SPACE_TO_DEPTH, {x},
                     {s[0], s[1] / block, s[2] / block, s[3] * block * block}, o);
    }
    if (s[3] % (block * block) != 0) return Slice(x);
    tflite::DepthToSpaceOptionsT o;
    o.block_size = block;
    return m_.Node(tflite::BuiltinOperator_DEPTH_TO_SPACE, {x},
                   {s[0], s[1] * block, s[2] * block, s[3] / (block * block)}, o);
  }

  Random& random_;
  GraphMaker& m_;
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_RANDOM_STEPS_H_
