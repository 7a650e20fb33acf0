// SPDX-License-Identifier: Apache-2.0
// BUCKETIZE: numbers -> how many of the sorted boundaries do not lie above each (INT32).
#include <algorithm>

#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Bucketize : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "BUCKETIZE"; }
  bool flushes_subnormals() const override { return false; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(call.CheckParams());
    const auto& params = call.params<TfLiteBucketizeParams>();
    if (params.num_boundaries < 0 || (params.num_boundaries > 0 && params.boundaries == nullptr)) {
      return Invalid("the boundaries are missing (", params.num_boundaries, ")");
    }
    for (int i = 1; i < params.num_boundaries; ++i) {
      if (!(params.boundaries[i - 1] <= params.boundaries[i])) {
        return Invalid("the boundaries are not sorted (number ", i, ")");
      }
    }
    if (!Numbers::Has(call.input(0)->type)) {
      return Unsupported("type ", TypeText(call.input(0)->type), " is not supported yet (input)");
    }
    TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt32, "output"));
    return call.SetShape(call.output(0), ShapeOf(call.input(0)));
  }

  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
    TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
    Numbers::Dispatch(call.input(0)->type, [&](auto number) { Count<decltype(number)>(call); });
    return OkStatus();
  }

  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  using Numbers = Types<float, double, int32_t, int64_t>;

  template <class T>
  static void Count(const OpCall& call) {
    const auto& params = call.params<TfLiteBucketizeParams>();
    const float *first = params.boundaries, *last = first + params.num_boundaries;
    const T* in = Data<T>(call.input(0));
    int32_t* out = MutableData<int32_t>(call.output(0));
    for (int64_t i = 0; i < Elements(call.input(0)); ++i) {
      const auto below = [](T v, float boundary) {
        if constexpr (std::is_integral_v<T>) {
          return static_cast<float>(v) < boundary;
        } else {
          return v < T{boundary};
        }
      };
      out[i] = static_cast<int32_t>(std::upper_bound(first, last, in[i], below) - first);
    }
  }
};

}  // namespace

TfLiteRegistration BucketizeRegistration(OpForm form) { return MakeRegistration<Bucketize>(form); }

}  // namespace tern
