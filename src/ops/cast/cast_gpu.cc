// SPDX-License-Identifier: Apache-2.0
// CAST between FLOAT32, FLOAT16, INT32, UINT32, BOOL and elements of 8 and 16 bits on the GPU, as
// fused steps; from and to INT64 as a dispatch of its own.
#include <string>

#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

// After the range of ints the CPU stops at their limits, and NaN becomes the largest. 2147483520
// is the largest float below that limit.
constexpr char kToInt[] =
    "select_nan(v, isplat(2147483647), select_lt(v, splat(2147483520.0), to_islice(min(max(v, "
    "splat(-2147483648.0)), "
    "splat(2147483520.0))), select_le(v, splat(2147483520.0), isplat(2147483520), "
    "isplat(2147483647))))";

// The limits of UINT32 are 0 and the largest number, which NaN becomes, too.
constexpr char kToUnsigned[] =
    "select_nan(v, isplat(-1), select_lt(v, splat(2147483648.0), to_islice(min(max(v, splat(0.0)), "
    "splat(2147483520.0))), "
    "select_lt(v, splat(4294967296.0), to_islice(min(max(v, splat(2147483648.0)), "
    "splat(4294967040.0)) - splat(4294967296.0)), isplat(-1))))";

// Two halves of 16 bits are floats without loss, so that their sum is rounded once.
#define TERN_UPPER "from_islice(idiv(v - " TERN_LOWER_BITS ", isplat(65536)))"
#define TERN_LOWER_BITS                            \
  "(v - idiv(v, isplat(65536)) * isplat(65536) + " \
  "select_lt(v - idiv(v, isplat(65536)) * isplat(65536), isplat(0), isplat(65536), isplat(0)))"
constexpr char kFromUnsigned[] = "(" TERN_UPPER
                                 " + select_lt(v, isplat(0), splat(65536.0), splat(0.0))) * "
                                 "splat(65536.0) + from_islice(" TERN_LOWER_BITS ")";
#undef TERN_UPPER
#undef TERN_LOWER_BITS

constexpr unsigned kShortTypes = kFloats | kHalves | kInts | kUnsigned | kBools;

const char* Conversion(unsigned from, unsigned to) {
  if (from == kHalves) from = kFloats;
  const bool real = to == kFloats || to == kHalves;
  if (from == kUnsigned && real) return kFromUnsigned;
  if (from == kFloats && to == kUnsigned) return kToUnsigned;
  if (from == kUnsigned) from = kInts;
  if (to == kUnsigned) to = kInts;
  if (real) return from == kInts ? "from_islice(v)" : "v";
  if (to == kInts) return from == kFloats ? kToInt : from == kBools ? "to_islice(v)" : "v";
  if (from == kInts) return "select_eq(v, isplat(0), splat(0.0), splat(1.0))";
  return from == kFloats ? "select_eq(order(v), isplat(0), splat(0.0), splat(1.0))" : "v";
}

// Memory holds the real values of 8 and 16 bits, but CAST converts stored values.
void AddElementsOf(const QuantizedType& q, Epilogue& epilogue) {
  if (q.is_plain()) return;
  epilogue.push_back({.expression = "round_even(v / splat(a)) + splat(b)",
                      .a = q.scale,
                      .b = static_cast<float>(q.zero_point)});
}

void AddNumbersOf(const QuantizedType& q, Epilogue& epilogue) {
  if (q.is_plain()) return;
  epilogue.push_back({.expression = "(v - splat(b)) * splat(a)",
                      .a = q.scale,
                      .b = static_cast<float>(q.zero_point)});
}

// Integers wrap into the range of 8 or 16 bits.
std::string Wrapped(TfLiteType to) {
  const char* width = NarrowBytes(to) == 1 ? "splat(256.0)" : "splat(65536.0)";
  const char* min = to == kTfLiteUInt8  ? "splat(0.0)"
                    : to == kTfLiteInt8 ? "splat(-128.0)"
                                        : "splat(-32768.0)";
  return StrCat("v - floor((v - ", min, ") / ", width, ") * ", width);
}

// From `in` to elements of 8 or 16 bits. Floats stop at the limits, NaN at the upper one.
void AddNarrowing(const GraphTensor& in, const QuantizedType& to, Epilogue& epilogue) {
  const QuantizedType elements = {to.type, 1, 0};
  const bool ints = in.number() == Number::kInt;
  if (ints) {
    const char* width = NarrowBytes(to.type) == 1 ? "isplat(256)" : "isplat(65536)";
    epilogue.push_back({.expression = StrCat("from_islice(v - idiv(v, ", width, ") * ", width, ")"),
                        .from = Number::kInt});
  }
  if (in.quantized || ints) {
    epilogue.push_back({.expression = Wrapped(to.type)});
  } else if (in.type != kTfLiteBool) {
    epilogue.push_back({.expression = "select_nan(v, splat(b), select_lt(v, splat(b), "
                                      "from_islice(to_islice(max(v, splat(a)))), splat(b)))",
                        .a = elements.lowest(),
                        .b = elements.highest()});
  }
}

absl::StatusOr<Epilogue> Steps(const Graph& graph, const Node& node) {
  TERN_RETURN_IF_ERROR(CheckSingle(graph, node, kShortTypes));
  const GraphTensor &in = graph.tensors[node.inputs[0]], &out = graph.tensors[node.outputs[0]];
  Epilogue epilogue;
  if (in.quantized) AddElementsOf(*in.quantized, epilogue);
  if (out.quantized) {
    AddNarrowing(in, *out.quantized, epilogue);
    AddNumbersOf(*out.quantized, epilogue);
    if (epilogue.empty()) epilogue.push_back({.expression = "v"});
    return epilogue;
  }
  EpilogueOp step;
  // Elements are integers, which wrap.
  const bool wraps = in.quantized && out.type == kTfLiteUInt32;
  step.expression = wraps ? "to_islice(v)" : Conversion(TypeSetOf(in.type), TypeSetOf(out.type));
  step.from = in.number();
  step.to = out.number();
  epilogue.push_back(step);
  return epilogue;
}

bool MakesElements(const Graph& graph, const Node& node) {
  return graph.tensors[node.outputs[0]].quantized.has_value();
}

// The halves of an INT64: of the magnitude first, whose halves are floats without loss. After the
// range of INT64 the CPU stops at its limits, and NaN becomes the largest.
#define TERN_SIZE "floor(abs(v))"
#define TERN_HIGH "floor(" TERN_SIZE " * splat(2.3283064365386963e-10))"
#define TERN_LOW "(" TERN_SIZE " - " TERN_HIGH " * splat(4294967296.0))"
#define TERN_HIGH_WORD "to_islice(min(" TERN_HIGH ", splat(2147483520.0)))"
#define TERN_LOW_WORD                                                      \
  "select_le(splat(2147483648.0), " TERN_LOW ", to_islice(max(" TERN_LOW   \
  ", splat(2147483648.0)) - splat(4294967296.0)), to_islice(min(" TERN_LOW \
  ", splat(2147483520.0))))"
#define TERN_LIMITED(WORD, MINUS, LEAST, MOST)                                                     \
  "select_nan(v, " MOST                                                                            \
  ", select_lt(abs(v), splat(9223372036854775808.0), select_lt(v, "                                \
  "splat(0.0), " MINUS ", " WORD "), select_le(v, splat(-9223372036854775808.0), " LEAST ", " MOST \
  ")))"
constexpr const char* kToLong[] = {
    TERN_LIMITED(TERN_LOW_WORD, "isplat(0) - " TERN_LOW_WORD, "isplat(0)", "isplat(-1)"),
    TERN_LIMITED(TERN_HIGH_WORD, "long_minus(" TERN_HIGH_WORD ", " TERN_LOW_WORD ")",
                 "isplat(-2147483647) - isplat(1)", "isplat(2147483647)")};
#undef TERN_SIZE
#undef TERN_HIGH
#undef TERN_LOW
#undef TERN_HIGH_WORD
#undef TERN_LOW_WORD
#undef TERN_LIMITED

constexpr char kSigns[] = "select_lt(v, isplat(0), isplat(-1), isplat(0))";

// Returns the expression that computes one 32-bit half of an INT64; null if the GPU cannot convert
// the type.
const char* Int64Text(TfLiteType from, int half) {
  switch (from) {
    case kTfLiteFloat32:
    case kTfLiteFloat16:
      return kToLong[half];
    case kTfLiteInt32:
      return half == 0 ? "v" : kSigns;
    case kTfLiteUInt32:
      return half == 0 ? "v" : "isplat(0)";
    case kTfLiteBool:
      return half == 0 ? "to_islice(v)" : "isplat(0)";
    default:
      return nullptr;
  }
}

// A half of an INT64, or the result of its low half alone.
absl::StatusOr<Epilogue> Int64Steps(const Node& node, const GraphTensor& in,
                                    const GraphTensor& out) {
  Epilogue epilogue;
  if (in.quantized) AddElementsOf(*in.quantized, epilogue);
  if (out.quantized) {
    AddNarrowing(in, *out.quantized, epilogue);
    AddNumbersOf(*out.quantized, epilogue);
    return epilogue;
  }
  const bool narrows = in.type == kTfLiteInt64 && out.number() == Number::kInt;
  const char* text = out.type == kTfLiteInt64 ? Int64Text(in.type, node.int64_half)
                     : narrows                ? "v"
                                              : nullptr;
  if (text != nullptr) {
    epilogue.push_back({.expression = text, .from = in.number(), .to = Number::kInt});
    return epilogue;
  }
  return Annotate(Unsupported(Label(node), ": from ", TfLiteTypeGetName(in.type), " to ",
                              TfLiteTypeGetName(out.type)),
                  {Reason::kTensorType});
}

// FLOAT32, FLOAT16 or BOOL, which take both words.
bool MakesRealOfInt64(const GraphTensor& in, const GraphTensor& out) {
  return in.type == kTfLiteInt64 && out.number() == Number::kReal && !out.quantized;
}

absl::Status LowerInt64ToReal(const Node& node, const GraphTensor& in, const GraphTensor& out,
                              Lowering& lower) {
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, out, ShapeOf(in)));
  const Box box = out.box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::long_to_real);
  dispatch.ReadInt64Half("low", 0, 0).ReadInt64Half("high", 0, 1).Write("dst", 0);
  dispatch.Define("TRUTH", out.type == kTfLiteBool);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

// Numbers that fit 32 bits.
absl::Status LowerSignExtend(const Node& node, Lowering& lower) {
  return LowerSteps(node, lower,
                    Epilogue{{.expression = kSigns, .from = Number::kInt, .to = Number::kInt}});
}

absl::Status Lower(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (MakesRealOfInt64(*in, *out)) return LowerInt64ToReal(node, *in, *out, lower);
  if (in->type == kTfLiteInt64 || out->type == kTfLiteInt64) {
    return LowerSteps(node, lower, Int64Steps(node, *in, *out));
  }
  return LowerSteps(node, lower, Steps(lower.graph(), node));
}

}  // namespace

// CAST takes no steps after it: its output's type says what to make. After a producer it is a step
// like any other.
GpuOp CastGpu() {
  GpuOp op = ElementwiseOp(Lower, Steps, kShortTypes | kInt64s);
  op.traits.takes_epilogue = false;
  op.traits.joins_halves = [](const Graph& graph, const Node& node) {
    return MakesRealOfInt64(graph.tensors[node.inputs[0]], graph.tensors[node.outputs[0]]);
  };
  op.traits.elements = ComputedWhere<MakesElements>;
  return op;
}

GpuOp SignExtendGpu() { return {.lower = LowerSignExtend, .traits = {.types = kInt64s}}; }

}  // namespace tern::gpu
