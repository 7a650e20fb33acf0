// SPDX-License-Identifier: Apache-2.0
// The fused epilogue of a dispatch: elementwise ops that its write accessor applies to every value
// on the way to memory. They are data, so that passes can build them and plans can be printed.
#ifndef TERN_GPU_DESC_EPILOGUE_H_
#define TERN_GPU_DESC_EPILOGUE_H_

#include <optional>
#include <string>
#include <vector>

#include "gpu/desc/tensor_desc.h"

namespace tern::gpu {

using TensorId = int;  // index into the tensors of a graph, or of a plan once lowered

struct EpilogueOp {
  // Dialect text for the new v, over the slices v (value so far) and w (second operand), the reals
  // a, b and c and the ints i0, i1, ..., e.g. "max(v, splat(a))".
  std::string expression;
  float a = 0, b = 0, c = 0;
  std::vector<int> ints = {};  // i0, i1, ...; at most kMaxInts
  // w is read from it at the written coordinates; extents of 1 broadcast. A tensor of the graph, or
  // in a dispatch the place of its binding.
  std::optional<int> operand = std::nullopt;
  bool swapped = false;  // v and w change places in the expression
  // Of v before and after the op; w is what its tensor holds.
  Number from = Number::kReal, to = Number::kReal;
  // The value of kChoice in the expression. An optional op is left out where it is below zero; its
  // operand, which names some tensor all the same, is not read then.
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

inline constexpr size_t kMaxInts = 10;

// Expressions of an op: v, or a below it, or b above it; NaN stays, or becomes a.
inline constexpr char kClampExpression[] = "between(v, splat(a), splat(b))";
inline constexpr char kLimitExpression[] = "limited(v, splat(a), splat(b))";

// The word of expressions for the op's choice, an int known at launch.
inline constexpr char kChoice[] = "choice";

// The word for the numbers at the places of its slice.
inline constexpr char kLookup[] = "lookup";

using Epilogue = std::vector<EpilogueOp>;

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_EPILOGUE_H_
