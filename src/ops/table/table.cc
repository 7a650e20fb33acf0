// SPDX-License-Identifier: Apache-2.0
// Table (custom): INT8 or INT16 numbers and a table of INT8 or INT16 results -> what the table says
// of each. INT8 numbers have 256 results, those of 0 to 127 before those of -128 to -1; INT16 ones
// interpolate between 513, 128 numbers apart.
#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

using Shorts = Types<int8_t, int16_t>;

template <class R>
R Result(int8_t v, const R* table) {
  return table[static_cast<uint8_t>(v)];
}

// The difference of two results wraps in their type.
template <class R>
R Result(int16_t v, const R* table) {
  const R* at = table + 256 + (v >> 7);
  const auto slope = static_cast<R>(at[1] - at[0]);
  return static_cast<R>(at[0] + ((slope * (v & 127) + 64) >> 7));
}

class Table : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "Table"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    const TfLiteTensor *input = call.input(0), *table = call.input(1), *output = call.output(0);
    for (const TfLiteTensor* t : {input, output}) {
      if (!Shorts::Has(t->type)) {
        return Unsupported("type ", TypeText(t->type), " is not supported (",
                           t == input ? "input" : "output", ")");
      }
      if (t->type == kTfLiteInt16 && t->params.zero_point != 0) {
        return Invalid("the zero point of INT16 must be 0 (", t->params.zero_point, ")");
      }
    }
    TERN_RETURN_IF_ERROR(CheckSameType(table, output, "table and output"));
    TERN_RETURN_IF_ERROR(CheckRank(table, 1, "table"));
    const int64_t size = input->type == kTfLiteInt8 ? 256 : 513;
    if (Dim(table, 0) != size) {
      return Invalid("the table must have ", size, " elements (", Dim(table, 0), ")");
    }
    return call.SetShape(call.output(0), ShapeOf(input));
  }

  Status Eval(const OpCall& call) override {
    const TfLiteTensor *input = call.input(0), *table = call.input(1);
    TERN_RETURN_IF_ERROR(CheckData(input, "input"));
    TERN_RETURN_IF_ERROR(CheckData(table, "table"));
    TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
    Shorts::Dispatch(input->type, [&](auto number) {
      Shorts::Dispatch(table->type, [&](auto result) {
        using R = decltype(result);
        const auto* in = Data<decltype(number)>(input);
        R* out = MutableData<R>(call.output(0));
        for (int64_t i = 0; i < Elements(input); ++i) out[i] = Result(in[i], Data<R>(table));
      });
    });
    return OkStatus();
  }

  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }
};

}  // namespace

TfLiteRegistration TableRegistration(OpForm form) { return MakeRegistration<Table>(form); }

}  // namespace tern
