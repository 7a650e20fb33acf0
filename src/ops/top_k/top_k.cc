// SPDX-License-Identifier: Apache-2.0
// TOPK_V2: input, k (one number, which may be computed) -> the k largest elements along the last
// axis in falling order, and their positions. Of equal elements the earlier comes first. A k below
// 0 asks for none.
#include <algorithm>
#include <numeric>
#include <type_traits>
#include <vector>

#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

using Sorted = Types<float, uint8_t, int8_t, int16_t, int32_t, int64_t>;

class TopK : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "TOPK_V2"; }
  bool flushes_subnormals() const override { return false; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  Status Plan(const OpCall& call);
  template <class T, class Index>
  void Select(const OpCall& call, ThreadPool* pool) const;

  int64_t k_ = 0, size_ = 0;
};

Status TopK::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 2));
  const TfLiteTensor* input = call.input(0);
  if (!Sorted::Has(input->type)) {
    return Unsupported("type ", TypeText(input->type), " is not supported (input)");
  }
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and values"));
  const TfLiteType k = call.input(1)->type, indices = call.output(1)->type;
  if (k != kTfLiteInt32 && k != kTfLiteInt16) {
    return Invalid("k must be INT32 or INT16 (", TypeText(k), ")");
  }
  if (indices != kTfLiteInt32 && indices != kTfLiteInt16) {
    return Invalid("indices must be INT32 or INT16 (", TypeText(indices), ")");
  }
  if (Rank(input) < 1) return Invalid("input must have an axis (shape [])");
  if (IsConstant(call.input(1))) return Plan(call);
  MakeDynamic(call.output(0));
  MakeDynamic(call.output(1));
  return OkStatus();
}

Status TopK::Plan(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const int64_t k, ReadInteger(call.input(1), "k"));
  k_ = std::max<int64_t>(k, 0);
  Shape shape = ShapeOf(call.input(0));
  size_ = shape.back();
  if (k_ > size_) return Invalid("k is out of range (", k_, ", size ", size_, ")");
  if (call.output(1)->type == kTfLiteInt16 && size_ > INT16_MAX) {
    return Invalid("positions do not fit INT16 (", size_, ")");
  }
  shape.back() = k_;
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), shape));
  return call.SetShape(call.output(1), shape);
}

Status TopK::Eval(const OpCall& call) {
  if (!IsConstant(call.input(1))) TERN_RETURN_IF_ERROR(Plan(call));
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "values"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(1), "indices"));
  ThreadPool* pool = Pool(call);
  Sorted::Dispatch(call.input(0)->type, [&](auto number) {
    Types<int16_t, int32_t>::Dispatch(call.output(1)->type, [&](auto index) {
      Select<decltype(number), decltype(index)>(call, pool);
    });
  });
  return OkStatus();
}

// Whether the element at a comes before that at b; NaN comes last.
template <class T>
bool ComesFirst(const T* row, int32_t a, int32_t b) {
  if (row[a] > row[b]) return true;
  if (row[a] == row[b]) return a < b;
  if constexpr (std::is_floating_point_v<T>) {
    const bool nan_a = row[a] != row[a], nan_b = row[b] != row[b];
    if (nan_a || nan_b) return nan_a == nan_b ? a < b : nan_b;
  }
  return false;
}

template <class T, class Index>
void TopK::Select(const OpCall& call, ThreadPool* pool) const {
  const T* in = Data<T>(call.input(0));
  T* values = MutableData<T>(call.output(0));
  Index* indices = MutableData<Index>(call.output(1));
  const int64_t rows = Elements(call.output(0)) / k_;
  ParallelFor(pool, rows, size_ * 4, [=, this](int64_t begin, int64_t end) {
    std::vector<int32_t> order(static_cast<size_t>(size_));
    for (int64_t r = begin; r < end; ++r) {
      const T* row = in + r * size_;
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + k_, order.end(),
                        [row](int32_t a, int32_t b) { return ComesFirst(row, a, b); });
      for (int64_t i = 0; i < k_; ++i) {
        values[r * k_ + i] = row[order[i]];
        indices[r * k_ + i] = static_cast<Index>(order[i]);
      }
    }
  });
}

}  // namespace

TfLiteRegistration TopkV2Registration(OpForm form) { return MakeRegistration<TopK>(form); }

}  // namespace tern
