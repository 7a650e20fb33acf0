// SPDX-License-Identifier: Apache-2.0
// Sparse constants: where each stored element lies in the dense tensor.
#ifndef TERN_BASE_TENSOR_SPARSE_TENSOR_H_
#define TERN_BASE_TENSOR_SPARSE_TENSOR_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "base/status.h"
#include "base/tensor/shape_math.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern {

inline bool IsSparse(const TfLiteTensor* t) { return t->sparsity != nullptr; }

// Calls visit(position among the stored elements, position in the dense tensor) for each stored
// element of a sparse tensor that stores at most `stored` elements. Stored elements that do not fit
// the tensor's shape are an error.
Status WalkStored(const TfLiteTensor* t, int64_t stored,
                  const std::function<void(int64_t from, int64_t to)>& visit);

// A file of a few bytes may name any shape; more bytes than these are not made of a sparse
// constant.
inline constexpr int64_t kMaxDenseBytes = int64_t{1} << 30;

// The dense elements of a sparse constant; elements that are not stored are 0. T has the size of
// one element. Over kMaxDenseBytes is an error.
template <class T>
StatusOr<std::vector<T>> DenseElements(const TfLiteTensor* t, const char* what) {
  TERN_ASSIGN_OR_RETURN(const int64_t count, CheckedElements(ShapeOf(t)));
  const auto stored = static_cast<int64_t>(t->bytes / sizeof(T));
  if (stored > 0 && t->data.raw == nullptr) return Invalid(what, " has no data");
  constexpr int64_t kLimit = kMaxDenseBytes / static_cast<int64_t>(sizeof(T));
  if (count > kLimit) {
    return TooLarge(what, " is too large for a sparse constant (", count, " elements, limit ",
                    kLimit, ")");
  }
  std::vector<T> dense(static_cast<size_t>(count), T{});
  const T* from = reinterpret_cast<const T*>(t->data.raw_const);
  const Status walked = WalkStored(t, stored, [&](int64_t i, int64_t at) { dense[at] = from[i]; });
  if (!walked.ok()) return WithPrefix(walked, what);
  return dense;
}

}  // namespace tern

#endif  // TERN_BASE_TENSOR_SPARSE_TENSOR_H_
