// SPDX-License-Identifier: Apache-2.0
// SELECT and SELECT_V2: elements of the first branch where the condition holds, else of the second.
// Elements move as they are; their quantization plays no part.
#include "ops/select/select_rules.h"

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/strings.h"
#include "ops/cpu_registry.h"
#include "ops/rules_kit/broadcast.h"

namespace tern {
namespace {

struct Bytes16 {
  uint64_t low, high;
};

template <bool kBroadcasts>
class SelectOp : public Op {
 public:
  using Op::Op;
  const char* name() const override { return kBroadcasts ? "SELECT_V2" : "SELECT"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override {
    return AllConstant(call) && call.output(0)->type != kTfLiteString;
  }

 private:
  template <class T>
  void Choose(const OpCall& call);
  Status ChooseStrings(const OpCall& call) const;

  BroadcastWalkOf<3> walk_;
};

template <bool kBroadcasts>
Status SelectOp<kBroadcasts>::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
  const TfLiteTensor *condition = call.input(0), *x = call.input(1), *y = call.input(2);
  TERN_RETURN_IF_ERROR(CheckType(condition, kTfLiteBool, "condition"));
  TERN_RETURN_IF_ERROR(CheckMovable(x, "input"));
  TERN_RETURN_IF_ERROR(CheckSameType(x, y, "both branches"));
  TERN_RETURN_IF_ERROR(CheckSameType(x, call.output(0), "branches and output"));
  const Shape shape_x = ShapeOf(x), shape_y = ShapeOf(y), declared = ShapeOf(call.output(0));
  const bool single = Elements(condition) == 1 && Elements(x) == 1 && Elements(y) == 1;
  if (single && Elements(call.output(0)) == 1) {
    // One element in all: the shape that the model declares stays.
    TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), declared));
    walk_ = BroadcastWalkOf<3>({Shape{}, Shape{}, Shape{}}, {});
    return OkStatus();
  }
  TERN_ASSIGN_OR_RETURN(const SelectShapes shapes,
                        ShapesOfSelect(ShapeOf(condition), shape_x, shape_y, kBroadcasts));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), shapes.result));
  walk_ = BroadcastWalkOf<3>({shapes.condition, shape_x, shape_y}, shapes.result);
  return OkStatus();
}

template <bool kBroadcasts>
template <class T>
void SelectOp<kBroadcasts>::Choose(const OpCall& call) {
  const uint8_t* condition = Data<uint8_t>(call.input(0));
  const T *x = Data<T>(call.input(1)), *y = Data<T>(call.input(2));
  T* out = MutableData<T>(call.output(0));
  const auto step = walk_.steps.back();
  ParallelFor(Pool(call), Elements(call.output(0)), 4, [&](int64_t begin, int64_t end) {
    walk_.ForEachPiece(begin, end, [&](int64_t at, const auto& from, int64_t count) {
      const uint8_t* c = condition + from[0];
      const T *v = x + from[1], *w = y + from[2];
      for (int64_t i = 0; i < count; ++i) {
        out[at + i] = c[i * step[0]] != 0 ? v[i * step[1]] : w[i * step[2]];
      }
    });
  });
}

template <bool kBroadcasts>
Status SelectOp<kBroadcasts>::ChooseStrings(const OpCall& call) const {
  const TfLiteTensor *x = call.input(1), *y = call.input(2);
  TERN_RETURN_IF_ERROR(CheckStrings(x, "first branch"));
  TERN_RETURN_IF_ERROR(CheckStrings(y, "second branch"));
  const uint8_t* condition = Data<uint8_t>(call.input(0));
  tflite::DynamicBuffer strings;
  Status status;
  const auto step = walk_.steps.back();
  walk_.ForEachPiece(0, Elements(call.output(0)), [&](int64_t, const auto& from, int64_t count) {
    for (int64_t i = 0; status.ok() && i < count; ++i) {
      const bool first = condition[from[0] + i * step[0]] != 0;
      const int64_t number = first ? from[1] + i * step[1] : from[2] + i * step[2];
      status = AddString(first ? x : y, number, strings);
    }
  });
  TERN_RETURN_IF_ERROR(status);
  return WriteStrings(strings, call.output(0));
}

template <bool kBroadcasts>
Status SelectOp<kBroadcasts>::Eval(const OpCall& call) {
  const TfLiteTensor* output = call.output(0);
  if (output->type == kTfLiteString) {
    TERN_RETURN_IF_ERROR(CheckData(call.input(0), "condition"));
    return ChooseStrings(call);
  }
  if (Elements(output) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "condition"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "first branch"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(2), "second branch"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  switch (ElementBytes(output->type)) {
    case 1:
      Choose<uint8_t>(call);
      break;
    case 2:
      Choose<uint16_t>(call);
      break;
    case 4:
      Choose<uint32_t>(call);
      break;
    case 8:
      Choose<uint64_t>(call);
      break;
    default:
      Choose<Bytes16>(call);
      break;
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration SelectRegistration(OpForm form) {
  return MakeRegistration<SelectOp<false>>(form);
}
TfLiteRegistration SelectV2Registration(OpForm form) {
  return MakeRegistration<SelectOp<true>>(form);
}

}  // namespace tern
