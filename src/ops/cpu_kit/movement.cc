// SPDX-License-Identifier: Apache-2.0
// Planning and running movements.
#include "ops/cpu_kit/movement.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "cpu/copy_run.h"
#include "ops/cpu_kit/packed.h"
#include "ops/cpu_kit/strings.h"

namespace tern {

Moves MovesOf(Viewed viewed, int source) {
  return {{std::move(viewed.shape)}, {ViewRegion(viewed.view, source)}};
}

bool Movement::ControlsAreConstant(const OpCall& call) const {
  for (int i = 0; i < call.inputs(); ++i) {
    if (IsControl(i) && call.input(i) != nullptr && !IsConstant(call.input(i))) return false;
  }
  return true;
}

Status Movement::MakePlan(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(moves_, Plan(call));
  for (int i = 0; i < call.outputs(); ++i) {
    const Shape& shape = moves_.shapes[static_cast<size_t>(i)];
    TfLiteTensor* output = call.output(i);
    // Only dynamic outputs get their shape after Prepare.
    if (!planned_ && !IsDynamic(output) && ShapeOf(output) != shape) {
      return Invalid("the output's shape is another than the model's (", ShapeText(shape), ", ",
                     ShapeText(ShapeOf(output)), ")");
    }
    if (planned_ || IsDynamic(output)) TERN_RETURN_IF_ERROR(call.SetShape(output, shape));
  }
  return OkStatus();
}

Status Movement::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(Check(call));
  planned_ = ControlsAreConstant(call);
  if (planned_) return MakePlan(call);
  const std::vector<Shape> known = KnownShapes(call);
  for (int i = 0; i < call.outputs(); ++i) {
    if (known.empty()) {
      MakeDynamic(call.output(i));
    } else {
      TERN_RETURN_IF_ERROR(call.SetShape(call.output(i), known[static_cast<size_t>(i)]));
    }
  }
  return OkStatus();
}

namespace {

// Where the output has taken over the operand's memory.
bool StaysInPlace(const Region& region) {
  return region.source_offset == region.destination_offset &&
         region.source_strides == region.destination_strides;
}

}  // namespace

Status Movement::Eval(const OpCall& call) {
  if (!planned_) TERN_RETURN_IF_ERROR(MakePlan(call));
  for (int i = 0; i < call.outputs(); ++i) {
    if (call.output(i)->type != kTfLiteString) {
      TERN_RETURN_IF_ERROR(CheckData(call.output(i), "output"));
    }
  }
  TERN_RETURN_IF_ERROR(Fill(call));
  for (const Region& region : moves_.regions) {
    const TfLiteTensor* input = call.input(region.source);
    TfLiteTensor* output = call.output(region.destination);
    if (output->type == kTfLiteString || IsPacked(output->type)) continue;
    TERN_RETURN_IF_ERROR(CheckData(input, "input"));
    if (input->data.raw_const == output->data.raw && StaysInPlace(region)) continue;
    CopyRegion(region, input->data.raw_const, output->data.raw, ElementBytes(output->type),
               Pool(call));
  }
  for (int i = 0; i < call.outputs(); ++i) {
    if (call.output(i)->type == kTfLiteString) TERN_RETURN_IF_ERROR(CopyStrings(call, i));
    if (IsPacked(call.output(i)->type)) TERN_RETURN_IF_ERROR(CopyPacked(call, i));
  }
  return OkStatus();
}

// Strings differ in length, so their numbers move first.
Status Movement::CopyStrings(const OpCall& call, int output) const {
  TfLiteTensor* to = call.output(output);
  const auto count = static_cast<size_t>(Elements(to));
  std::vector<int32_t> source(count, -1), number(count, 0);
  for (const Region& region : moves_.regions) {
    if (region.destination != output) continue;
    const TfLiteTensor* from = call.input(region.source);
    TERN_RETURN_IF_ERROR(CheckStrings(from, "input"));
    std::vector<int32_t> numbers(static_cast<size_t>(Elements(from)));
    std::iota(numbers.begin(), numbers.end(), 0);
    CopyRegion(region, numbers.data(), number.data(), sizeof(int32_t), nullptr);
    std::fill(numbers.begin(), numbers.end(), region.source);
    CopyRegion(region, numbers.data(), source.data(), sizeof(int32_t), nullptr);
  }
  tflite::DynamicBuffer strings;
  for (size_t i = 0; i < count; ++i) {
    if (source[i] < 0) {
      strings.AddString("", 0);
      continue;
    }
    TERN_RETURN_IF_ERROR(AddString(call.input(source[i]), number[i], strings));
  }
  return WriteStrings(strings, to);
}

Status Movement::CopyPacked(const OpCall& call, int output) const {
  TfLiteTensor* to = call.output(output);
  std::vector<uint8_t> moved(static_cast<size_t>(Elements(to)));
  for (const Region& region : moves_.regions) {
    if (region.destination != output) continue;
    const TfLiteTensor* from = call.input(region.source);
    TERN_RETURN_IF_ERROR(CheckData(from, "input"));
    CopyRegion(region, Unpacked(from).data(), moved.data(), 1, nullptr);
  }
  WritePacked(moved, to);
  return OkStatus();
}

Status MovementByNumbers::Check(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(CheckMoved(call.input(0), call.output(0), true));
  const TfLiteTensor* numbers = call.input(1);
  if (!numbers_.wide) return CheckType(numbers, kTfLiteInt32, numbers_.what);
  if (numbers->type == kTfLiteInt32 || numbers->type == kTfLiteInt64) return OkStatus();
  return Invalid(numbers_.what, " must be INT32 or INT64 (", TypeText(numbers->type), ")");
}

// A computed list may get its shape as late as its numbers, in the body of a branch for example.
StatusOr<Moves> MovementByNumbers::Plan(const OpCall& call) {
  if (numbers_.list) TERN_RETURN_IF_ERROR(CheckRank(call.input(1), 1, numbers_.what));
  TERN_ASSIGN_OR_RETURN(const Shape numbers, ReadIntegers(call.input(1), numbers_.what));
  TERN_ASSIGN_OR_RETURN(Viewed viewed, rule_(ShapeOf(call.input(0)), numbers));
  return MovesOf(std::move(viewed));
}

Status CheckMoved(const TfLiteTensor* input, const TfLiteTensor* output, bool packed) {
  if (!packed || !IsPacked(input->type)) TERN_RETURN_IF_ERROR(CheckMovable(input, "input"));
  return CheckSameType(input, output, "input and output");
}

Status CheckSameQuantization(const TfLiteTensor* a, const TfLiteTensor* b) {
  if (a->type != kTfLiteUInt8 && a->type != kTfLiteInt8 && a->type != kTfLiteInt16) {
    return OkStatus();
  }
  if (a->params.scale == b->params.scale && a->params.zero_point == b->params.zero_point) {
    return OkStatus();
  }
  return Invalid("scale and zero point must agree (", a->params.scale, ", ", a->params.zero_point,
                 "; ", b->params.scale, ", ", b->params.zero_point, ")");
}

namespace {

// Writes runs of one element.
class Filler {
 public:
  // `bytes` is at most 16.
  Filler(const void* value, int64_t bytes) : bytes_(bytes) {
    for (int64_t i = 0; i + bytes <= kShort; i += bytes) {
      std::memcpy(pattern_ + i, value, static_cast<size_t>(bytes));
    }
  }

  void Fill(char* to, int64_t count) const {
    const int64_t size = count * bytes_;
    CopyRun(pattern_, std::min(size, kShort), to);
    // Doubles what is there.
    for (int64_t done = kShort; done < size;) {
      const int64_t more = std::min(done, size - done);
      std::memcpy(to + done, to, static_cast<size_t>(more));
      done += more;
    }
  }

 private:
  static constexpr int64_t kShort = 256;

  int64_t bytes_;
  char pattern_[kShort] = {};
};

}  // namespace

void FillElements(TfLiteTensor* t, const void* value, int64_t bytes) {
  Filler(value, bytes).Fill(t->data.raw, Elements(t));
}

std::array<char, 16> ZeroOf(const TfLiteTensor* t) {
  std::array<char, 16> zero = {};
  const int32_t zero_point = t->params.zero_point;
  if (t->type == kTfLiteInt16) {
    const auto value = static_cast<int16_t>(zero_point);
    std::memcpy(zero.data(), &value, sizeof(value));
  } else if (t->type == kTfLiteInt8 || t->type == kTfLiteUInt8) {
    zero[0] = static_cast<char>(zero_point);
  }
  return zero;
}

void FillWithZeros(TfLiteTensor* t) {
  const int64_t bytes = ElementBytes(t->type);
  if (bytes > 0) FillElements(t, ZeroOf(t).data(), bytes);
}

void FillAround(TfLiteTensor* t, const Shape& before, const Shape& size, const void* value,
                int64_t bytes, ThreadPool* pool) {
  // A short fill costs as much as that many operations of ParallelFor.
  constexpr int64_t kFill = 32;
  const Filler filler(value, bytes);
  const Shape shape = ShapeOf(t), strides = DenseStrides(shape);
  int64_t lines = 1;  // of the box along this axis
  int64_t first = 0;  // where they begin
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const int64_t begin = before[axis] * strides[axis];
    const int64_t end = begin + size[axis] * strides[axis], whole = shape[axis] * strides[axis];
    const auto fill = [&](int64_t line, int64_t last) {
      Shape index(axis, 0);
      int64_t at = first;
      for (int64_t i = static_cast<int64_t>(axis) - 1, rest = line; i >= 0; --i) {
        index[i] = rest % size[i];
        at += index[i] * strides[i];
        rest /= size[i];
      }
      for (; line < last; ++line) {
        if (begin > 0) filler.Fill(t->data.raw + at * bytes, begin);
        if (whole > end) filler.Fill(t->data.raw + (at + end) * bytes, whole - end);
        for (size_t i = axis; i-- > 0;) {
          at += strides[i];
          if (++index[i] < size[i]) break;
          index[i] = 0;
          at -= size[i] * strides[i];
        }
      }
    };
    const int64_t around = begin + whole - end;
    if (around > 0) ParallelFor(pool, lines, 2 * kFill + around * bytes / 8, fill);
    lines *= size[axis];
    first += begin;
  }
}

}  // namespace tern
