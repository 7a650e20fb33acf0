// SPDX-License-Identifier: Apache-2.0
// A chain of elementwise steps that runs inside the write accessor of a dispatch: every value on
// its way to memory passes through it. The steps are data, so passes can build them and plans can
// be printed.
#ifndef TERN_GPU_DESC_ELEMENTWISE_CHAIN_H_
#define TERN_GPU_DESC_ELEMENTWISE_CHAIN_H_

#include <optional>
#include <string>
#include <vector>

#include "gpu/desc/tensor_desc.h"

namespace tern::gpu {

using TensorId = int;  // index into the tensors of a graph, or of a plan once lowered

struct ElementwiseStep {
  // Dialect text for the new v, over the slices v (value so far) and w (second operand), the reals
  // a, b and c and the ints i0, i1, ..., e.g. "max(v, splat(a))".
  std::string expression;
  float a = 0, b = 0, c = 0;
  std::vector<int> ints = {};  // i0, i1, ...; at most kMostInts
  // w is read from it at the written coordinates; extents of 1 broadcast.
  std::optional<TensorId> operand = std::nullopt;
  bool swapped = false;  // v and w change places in the expression
  // Of v before and after the step; w is what its tensor holds.
  Number from = Number::kReal, to = Number::kReal;
  // The value of kChoice in the expression. An optional step is left out where it is below zero;
  // its operand, which names some tensor all the same, is not read then.
  int choice = 0;
  bool optional = false;
  // The operand is a row of numbers: lookup(slice) in the expression is, for each lane, the number
  // at that place of it, or at the nearest place that it has. There is no w.
  bool lookup = false;
  // The operand may have fewer channels than v: zeros stand for the others.
  bool zeros_behind = false;

  // Whether an operand of the box `from` can be read where v has the box `to`.
  bool FitsTo(Box from, const Box& to) const {
    if (zeros_behind && from.c < to.c) from.c = to.c;
    return BroadcastsTo(from, to);
  }
};

inline constexpr size_t kMostInts = 10;

// Of a step: v, or a below it, or b above it; NaN stays. And the same for numbers that elements of
// integers stand for, where NaN becomes a.
inline constexpr char kClampExpression[] = "between(v, splat(a), splat(b))";
inline constexpr char kLimitExpression[] = "limited(v, splat(a), splat(b))";

// The word of expressions for the step's choice, an int known at launch.
inline constexpr char kChoice[] = "choice";

// The word for the numbers at the places of its slice.
inline constexpr char kLookup[] = "lookup";

using ElementwiseChain = std::vector<ElementwiseStep>;

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_ELEMENTWISE_CHAIN_H_
