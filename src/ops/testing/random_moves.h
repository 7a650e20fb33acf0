// SPDX-License-Identifier: Apache-2.0
// Steps of a random graph that move elements, of numbers, integers or BOOL values.
#ifndef TERN_OPS_TESTING_RANDOM_MOVES_H_
#define TERN_OPS_TESTING_RANDOM_MOVES_H_

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "ops/testing/random_choices.h"

namespace tern::testing {

class MoveSteps : public StepMaker {
 public:
  using StepMaker::StepMaker;

  // One move, sometimes of what x is as another type.
  int Typed(int x) {
    constexpr Type kTypes[] = {tflite::TensorType_INT32, tflite::TensorType_INT32,
                               tflite::TensorType_BOOL, tflite::TensorType_INT64};
    if (Chance(75)) return Moved(x);
    const Type type = c_.OneOf(kTypes);
    if (type == tflite::TensorType_BOOL) {
      const int condition = m_.Node(tflite::BuiltinOperator_GREATER,
                                    {x, m_.Const<float>({1}, {0.1f})}, m_.ShapeOf(x), type);
      return Number(Moved(condition));
    }
    const int ints = Cast(x, tflite::TensorType_INT32);
    if (type == tflite::TensorType_INT32) return Number(Moved(ints));
    return Number(Cast(Moved(Cast(ints, type)), tflite::TensorType_INT32));
  }

  // Fewer elements.
  int Part(int x) { return Chance(50) ? Slice(x) : Strided(x); }

  // Several results, or several operands.
  std::vector<int> Parts(int x, int y) {
    const Sizes shape = m_.ShapeOf(x);
    const int axis = SomeAxis(shape), parts = shape[axis];
    if (Chance(30) && shape.size() < 5) {
      tflite::PackOptionsT o;
      o.values_count = 2;
      o.axis = axis;
      Sizes out = shape;
      out.insert(out.begin() + axis, 2);
      return {m_.Node(tflite::BuiltinOperator_PACK, {x, y}, out, o)};
    }
    if (parts < 2) return {Moved(x)};
    if (parts > 4 || Chance(30)) return Uneven(x, axis);
    const bool unpack = Chance(50) && shape.size() > 1;
    Sizes part = shape;
    if (unpack) part.erase(part.begin() + axis);
    if (!unpack) part[axis] = 1;
    const std::vector<int32_t> outputs = Results(std::vector<Sizes>(parts, part));
    if (unpack) {
      tflite::UnpackOptionsT o;
      o.num = parts;
      o.axis = AxisText(axis, shape);
      m_.Op(tflite::BuiltinOperator_UNPACK, {x}, outputs, o);
    } else {
      tflite::SplitOptionsT o;
      o.num_splits = parts;
      m_.Op(tflite::BuiltinOperator_SPLIT, {Scalar(AxisText(axis, shape)), x}, outputs, o);
    }
    return {outputs.begin(), outputs.end()};
  }

  int Joined(const std::vector<int>& parts, const Sizes& shape, int axis) {
    return m_.Concat(parts, AxisText(axis, shape));
  }

  int Padded(int x) {
    const Sizes shape = m_.ShapeOf(x);
    std::vector<int32_t> amounts;
    for (size_t d = 0; d < 2 * shape.size(); ++d) amounts.push_back(Chance(40) ? Pick(1, 4) : 0);
    if (shape.size() > 4) std::fill(amounts.begin(), amounts.begin() + 2, 0);
    if (Chance(60)) return m_.Pad(x, amounts);
    Sizes out = shape;
    for (int d = 0; d < Rank(shape); ++d) out[d] += amounts[2 * d] + amounts[2 * d + 1];
    const int paddings = m_.Const<int32_t>({Rank(shape), 2}, amounts);
    const int value = m_.Const<float>({}, {0.5f * static_cast<float>(Pick(-3, 3))});
    return m_.Node(tflite::BuiltinOperator_PADV2, {x, paddings, value}, out,
                   tflite::PadV2OptionsT());
  }

  // The same elements under another shape.
  int Viewed(int x) {
    const Sizes shape = m_.ShapeOf(x);
    const auto size = static_cast<int32_t>(GraphMaker::CountOf(shape));
    const auto one = std::find(shape.begin(), shape.end(), 1);
    if (Chance(30) && shape.size() > 1 && one != shape.end()) {
      tflite::SqueezeOptionsT o;
      o.squeeze_dims = {static_cast<int32_t>(one - shape.begin())};
      Sizes out = shape;
      out.erase(out.begin() + (one - shape.begin()));
      return m_.Node(tflite::BuiltinOperator_SQUEEZE, {x}, out, o);
    }
    if (Chance(20) && shape.size() < 5) {
      const int axis = Pick(0, Rank(shape));
      Sizes out = shape;
      out.insert(out.begin() + axis, 1);
      return m_.Node(tflite::BuiltinOperator_EXPAND_DIMS, {x, Scalar(axis)}, out,
                     tflite::ExpandDimsOptionsT());
    }
    Sizes to(Pick(1, 4), 1);
    int32_t rest = size;
    for (size_t d = 0; d + 1 < to.size(); ++d) {
      for (int tries = 0; tries < 4; ++tries) {
        const int factor = Pick(2, 7);
        if (rest % factor == 0) to[d] *= factor, rest /= factor;
      }
    }
    to.back() = rest;
    return m_.Reshape(x, to);
  }

  // Elements by number: numbers of the model, or those that the graph computes.
  int Found(int x) {
    const Sizes shape = m_.ShapeOf(x);
    const int axis = SomeAxis(shape);
    switch (Pick(0, 4)) {
      case 0: {
        std::vector<int32_t> indices;
        for (int i = Pick(1, 4); i > 0; --i) indices.push_back(Pick(0, shape[axis] - 1));
        return Gathered(x, axis, m_.Ints(indices), {static_cast<int32_t>(indices.size())});
      }
      case 1: {
        // |ints| modulo the size lies inside.
        const int count = Pick(1, 5);
        const int any = Cast(m_.Input({count}), tflite::TensorType_INT32);
        const int inside =
            m_.Node(tflite::BuiltinOperator_FLOOR_MOD,
                    {Simple(tflite::BuiltinOperator_ABS, any), m_.Ints({shape[axis]})}, {count},
                    tflite::FloorModOptionsT(), tflite::TensorType_INT32);
        return Gathered(x, axis, inside, {count});
      }
      case 2: {
        const int depth = Pick(1, Rank(shape)), count = Pick(1, 4);
        std::vector<int32_t> places;
        for (int i = 0; i < count * depth; ++i) {
          places.push_back(Pick(0, shape[i % depth] - 1));
        }
        Sizes out(shape.begin() + depth, shape.end());
        out.insert(out.begin(), count);
        const int where = m_.Const<int32_t>({count, depth}, places);
        return m_.Node(tflite::BuiltinOperator_GATHER_ND, {x, where}, out,
                       tflite::GatherNdOptionsT());
      }
      case 3:
        return m_.Sum(x,
                      Chance(50) ? Filled(shape) : Simple(tflite::BuiltinOperator_ZEROS_LIKE, x));
      default:
        return OneHot(x);
    }
  }

 private:
  std::vector<int32_t> Results(const std::vector<Sizes>& shapes) {
    std::vector<int32_t> outputs;
    for (const Sizes& shape : shapes) outputs.push_back(m_.Tensor(shape));
    m_.SetOpVersion(1);
    return outputs;
  }

  // Two parts of an axis.
  std::vector<int> Uneven(int x, int axis) {
    const Sizes shape = m_.ShapeOf(x);
    const int first = Pick(1, shape[axis] - 1);
    Sizes head = shape, tail = shape;
    head[axis] = first;
    tail[axis] -= first;
    const std::vector<int32_t> outputs = Results({head, tail});
    tflite::SplitVOptionsT o;
    o.num_splits = 2;
    const int sizes = m_.Ints({first, Chance(50) ? -1 : shape[axis] - first});
    m_.Op(tflite::BuiltinOperator_SPLIT_V, {x, sizes, Scalar(AxisText(axis, shape))}, outputs, o);
    return {outputs.begin(), outputs.end()};
  }

  int Gathered(int x, int axis, int indices, const Sizes& own) {
    const Sizes shape = m_.ShapeOf(x);
    Sizes out = shape;
    out[axis] = own[0];
    tflite::GatherOptionsT o;
    o.axis = AxisText(axis, shape);
    return m_.Node(tflite::BuiltinOperator_GATHER, {x, indices}, out, o);
  }

  int Filled(const Sizes& shape) {
    return m_.Node(tflite::BuiltinOperator_FILL, {m_.Ints(shape), m_.Input({})}, shape,
                   tflite::FillOptionsT());
  }

  int OneHot(int x) {
    const Sizes shape = m_.ShapeOf(x);
    if (shape.size() > 3 || GraphMaker::CountOf(shape) > 400) return Slice(x);
    const int depth = Pick(2, 6);
    const int index = Cast(x, tflite::TensorType_INT32);
    tflite::OneHotOptionsT o;
    o.axis = Chance(50) ? -1 : SomeAxis(shape);
    Sizes out = shape;
    out.insert(o.axis < 0 ? out.end() : out.begin() + o.axis, depth);
    const int on = m_.Const<float>({}, {1.5f}), off = m_.Const<float>({}, {-1});
    return m_.Node(tflite::BuiltinOperator_ONE_HOT, {index, Scalar(depth), on, off}, out, o);
  }

  int Moved(int x) {
    const Sizes shape = m_.ShapeOf(x);
    const int rank = Rank(shape);
    switch (Pick(0, 9)) {
      case 0: {
        std::vector<int32_t> order(rank);
        std::iota(order.begin(), order.end(), 0);
        for (int d = rank - 1; d > 0; --d) std::swap(order[d], order[Pick(0, d)]);
        Sizes out;
        for (const int32_t d : order) out.push_back(shape[d]);
        return m_.Node(tflite::BuiltinOperator_TRANSPOSE, {x, m_.Ints(order)}, out,
                       tflite::TransposeOptionsT(), m_.TypeOf(x));
      }
      case 1: {
        Sizes out = shape;
        std::vector<int32_t> times(rank, 1);
        const int axis = SomeAxis(shape);
        times[axis] = Pick(1, 3);
        out[axis] *= times[axis];
        return m_.Node(tflite::BuiltinOperator_TILE, {x, m_.Ints(times)}, out,
                       tflite::TileOptionsT(), m_.TypeOf(x));
      }
      case 2:
        return Mirrored(x);
      case 3:
        return m_.Node(tflite::BuiltinOperator_REVERSE_V2,
                       {x, m_.Ints({AxisText(SomeAxis(shape), shape)})}, shape,
                       tflite::ReverseV2OptionsT(), m_.TypeOf(x));
      case 4:
      case 5:
        return Blocks(x);
      case 6: {
        Sizes out = shape;
        for (int32_t& d : out) {
          if (d == 1 && Chance(50)) d = Pick(2, 3);
        }
        return m_.Node(tflite::BuiltinOperator_BROADCAST_TO, {x, m_.Ints(out)}, out,
                       tflite::BroadcastToOptionsT(), m_.TypeOf(x), 2);
      }
      default:
        return Part(x);
    }
  }

  int Mirrored(int x) {
    const Sizes shape = m_.ShapeOf(x);
    const int rank = Rank(shape);
    tflite::MirrorPadOptionsT o;
    o.mode = Chance(50) ? tflite::MirrorPadMode_REFLECT : tflite::MirrorPadMode_SYMMETRIC;
    const int min = o.mode == tflite::MirrorPadMode_REFLECT ? 1 : 0;
    std::vector<int32_t> amounts;
    Sizes out = shape;
    for (int d = 0; d < rank; ++d) {
      for (int side = 0; side < 2; ++side) {
        amounts.push_back(Chance(70) || rank > 4 ? 0 : Pick(0, std::min(shape[d] - min, 3)));
        out[d] += amounts.back();
      }
    }
    const int paddings = m_.Const<int32_t>({rank, 2}, amounts);
    return m_.Node(tflite::BuiltinOperator_MIRROR_PAD, {x, paddings}, out, o, m_.TypeOf(x));
  }

  int Slice(int x) {
    const Sizes shape = m_.ShapeOf(x);
    std::vector<int32_t> begin, size;
    for (const int32_t n : shape) {
      begin.push_back(Pick(0, n - 1));
      size.push_back(Pick(1, n - begin.back()));
    }
    return m_.Node(tflite::BuiltinOperator_SLICE, {x, m_.Ints(begin), m_.Ints(size)}, size,
                   tflite::SliceOptionsT(), m_.TypeOf(x));
  }

  int Strided(int x) {
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
                   tflite::StridedSliceOptionsT(), m_.TypeOf(x));
  }

  // Between space and channels or batch, where the sizes allow it.
  int Blocks(int x) {
    const Sizes s = m_.ShapeOf(x);
    if (s.size() != 4) return Slice(x);
    const int block = Pick(2, 3);
    const bool batches = Chance(50);
    if (batches && s[0] % block == 0) {
      return m_.Node(
          tflite::BuiltinOperator_BATCH_TO_SPACE_ND, {x, m_.Ints({1, block}), Edges({0, 0, 0, 0})},
          {s[0] / block, s[1], s[2] * block, s[3]}, tflite::BatchToSpaceNDOptionsT(), m_.TypeOf(x));
    }
    if (batches && s[0] < 4) {
      const int rest = (block - s[2] % block) % block;
      return m_.Node(tflite::BuiltinOperator_SPACE_TO_BATCH_ND,
                     {x, m_.Ints({1, block}), Edges({0, 0, 0, rest})},
                     {s[0] * block, s[1], (s[2] + rest) / block, s[3]},
                     tflite::SpaceToBatchNDOptionsT(), m_.TypeOf(x));
    }
    if (s[1] % block == 0 && s[2] % block == 0) {
      tflite::SpaceToDepthOptionsT o;
      o.block_size = block;
      return m_.Node(tflite::BuiltinOperator_SPACE_TO_DEPTH, {x},
                     {s[0], s[1] / block, s[2] / block, s[3] * block * block}, o, m_.TypeOf(x));
    }
    if (s[3] % (block * block) != 0) return Slice(x);
    tflite::DepthToSpaceOptionsT o;
    o.block_size = block;
    return m_.Node(tflite::BuiltinOperator_DEPTH_TO_SPACE, {x},
                   {s[0], s[1] * block, s[2] * block, s[3] / (block * block)}, o, m_.TypeOf(x));
  }
  int Edges(const std::vector<int32_t>& amounts) { return m_.Const<int32_t>({2, 2}, amounts); }
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_RANDOM_MOVES_H_
