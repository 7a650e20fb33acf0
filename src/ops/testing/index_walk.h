// SPDX-License-Identifier: Apache-2.0
// Expected values of ops that move elements, said by coordinates: for each element of the result
// the coordinates of the operand's element.
#ifndef TERN_OPS_TESTING_INDEX_WALK_H_
#define TERN_OPS_TESTING_INDEX_WALK_H_

#include <cstdint>
#include <numeric>
#include <vector>

namespace tern::testing {

using Index = std::vector<int>;

inline int64_t FlatAt(const Index& shape, const Index& index) {
  int64_t at = 0;
  for (size_t i = 0; i < shape.size(); ++i) at = at * shape[i] + index[i];
  return at;
}

// Calls visit(index) for every element of the shape, the last axis fastest.
template <class Visit>
void Walk(const Index& shape, const Visit& visit) {
  int64_t count = 1;
  for (const int size : shape) count *= size;
  Index index(shape.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    visit(static_cast<const Index&>(index));
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

// The elements that an output of shape `to` takes from `values` of shape `from`: for each of its
// indices from_index gives that of the operand, or an empty one where `fill` stands (for operands
// of rank 0 pass their only element in shape [1]).
template <class T, class FromIndex>
std::vector<T> Picked(const std::vector<T>& values, const Index& from, const Index& to,
                      const FromIndex& from_index, T fill = T()) {
  std::vector<T> picked;
  Walk(to, [&](const Index& index) {
    const Index at = from_index(index);
    picked.push_back(at.empty() ? fill : values[static_cast<size_t>(FlatAt(from, at))]);
  });
  return picked;
}

// Different numbers as far as the type allows.
template <class T>
std::vector<T> Numbered(const Index& shape, int start = 1) {
  int64_t count = 1;
  for (const int size : shape) count *= size;
  std::vector<T> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>((static_cast<int64_t>(i) + start) % 120);
  }
  return values;
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_INDEX_WALK_H_
