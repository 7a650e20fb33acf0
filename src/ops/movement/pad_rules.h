// SPDX-License-Identifier: Apache-2.0
// The shapes that paddings give and where mirrored borders come from, for the CPU and the GPU form.
#ifndef TERN_OPS_MOVEMENT_PAD_RULES_H_
#define TERN_OPS_MOVEMENT_PAD_RULES_H_

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "ops/rules_kit/view.h"

namespace tern {

struct Padded {
  Shape shape;   // with the borders
  Shape before;  // elements in front of the input, by axis
};

// `paddings` holds two numbers per axis: elements before and after the input.
inline StatusOr<Padded> PaddedShape(const Shape& input, const Shape& paddings) {
  if (paddings.size() != 2 * input.size()) {
    return Invalid("paddings must be [rank, 2] (", paddings.size(), " numbers, rank ", input.size(),
                   ")");
  }
  Padded result;
  for (size_t i = 0; i < input.size(); ++i) {
    const int64_t before = paddings[2 * i], after = paddings[2 * i + 1];
    if (before < 0 || after < 0) {
      return Invalid("Pad value has to be greater than equal to 0 (", before, ", ", after, ")");
    }
    if (before > kMaxElements || after > kMaxElements) {
      return TooLarge("Pad output dimension overflowed (", before, ", ", after, ", limit ",
                      kMaxElements, ")");
    }
    result.shape.push_back(before + input[i] + after);
    result.before.push_back(before);
  }
  TERN_RETURN_IF_ERROR(CheckedElements(result.shape).status());
  return result;
}

// `size` elements from `to` on are those of the input from `from` on in steps of `step`.
struct MirrorPart {
  int64_t to, from, size, step;
};

// One axis of `size` elements with mirrored borders: at most three parts from front to end. The
// outermost elements are mirrored, too, when `with_edge`.
inline StatusOr<std::vector<MirrorPart>> MirrorParts(int64_t size, int64_t before, int64_t after,
                                                     bool with_edge) {
  const int64_t edge = with_edge ? 0 : 1;
  for (const int64_t border : {before, after}) {
    if (border > 0 && border > size - edge) {
      return Invalid("a border is wider than what it mirrors (", border, ", ", size - edge, ")");
    }
  }
  std::vector<MirrorPart> parts;
  if (before > 0) parts.push_back({0, before - 1 + edge, before, -1});
  if (size > 0) parts.push_back({before, 0, size, 1});
  if (after > 0) parts.push_back({before + size, size - 1 - edge, after, -1});
  return parts;
}

}  // namespace tern

#endif  // TERN_OPS_MOVEMENT_PAD_RULES_H_
