// SPDX-License-Identifier: Apache-2.0
// Planning and running movements.
#include "ops/movement/movement.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "ops/strings.h"

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
    // Only dynamic outputs get their shape behind Prepare.
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
    if (output->type == kTfLiteString) continue;
    TERN_RETURN_IF_ERROR(CheckData(input, "input"));
    CopyRegion(region, input->data.raw_const, output->data.raw, ElementBytes(output->type));
  }
  for (int i = 0; i < call.outputs(); ++i) {
    if (call.output(i)->type == kTfLiteString) TERN_RETURN_IF_ERROR(CopyStrings(call, i));
  }
  return OkStatus();
}

// Strings differ in length, so their numbers move first.
Status Movement::CopyStrings(const OpCall& call, int output) const {
  TfLiteTensor* to = call.output(output);
  const auto count = static_cast<size_t>(Elements(to));
  std::vector<int32_t> source(count, 0), number(count, 0);
  for (const Region& region : moves_.regions) {
    if (region.destination != output) continue;
    const TfLiteTensor* from = call.input(region.source);
    TERN_RETURN_IF_ERROR(CheckStrings(from, "input"));
    std::vector<int32_t> numbers(static_cast<size_t>(Elements(from)));
    std::iota(numbers.begin(), numbers.end(), 0);
    CopyRegion(region, numbers.data(), number.data(), sizeof(int32_t));
    std::fill(numbers.begin(), numbers.end(), region.source);
    CopyRegion(region, numbers.data(), source.data(), sizeof(int32_t));
  }
  tflite::DynamicBuffer strings;
  for (size_t i = 0; i < count; ++i) {
    TERN_RETURN_IF_ERROR(AddString(call.input(source[i]), number[i], strings));
  }
  return WriteStrings(strings, to);
}

Status MovementByNumbers::Check(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(CheckMoved(call.input(0), call.output(0)));
  const TfLiteTensor* numbers = call.input(1);
  TERN_RETURN_IF_ERROR(CheckRank(numbers, 1, what_));
  if (!wide_) return CheckType(numbers, kTfLiteInt32, what_);
  if (numbers->type == kTfLiteInt32 || numbers->type == kTfLiteInt64) return OkStatus();
  return Invalid(what_, " must be INT32 or INT64 (", TypeText(numbers->type), ")");
}

StatusOr<Moves> MovementByNumbers::Plan(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape numbers, ReadIntegers(call.input(1), what_));
  TERN_ASSIGN_OR_RETURN(Viewed viewed, rule_(ShapeOf(call.input(0)), numbers));
  return MovesOf(std::move(viewed));
}

Status CheckMoved(const TfLiteTensor* input, const TfLiteTensor* output) {
  TERN_RETURN_IF_ERROR(CheckMovable(input, "input"));
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

void FillElements(TfLiteTensor* t, const void* value, int64_t bytes) {
  const int64_t count = Elements(t);
  char* to = t->data.raw;
  if (count == 0) return;
  std::memcpy(to, value, static_cast<size_t>(bytes));
  // Doubles what is there.
  for (int64_t done = 1; done < count;) {
    const int64_t more = done < count - done ? done : count - done;
    std::memcpy(to + done * bytes, to, static_cast<size_t>(more * bytes));
    done += more;
  }
}

}  // namespace tern
