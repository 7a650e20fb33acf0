// SPDX-License-Identifier: Apache-2.0
// Checks of one op's options and operand counts. What depends on shapes is left to the op itself.
// An op without a table of options, as old converters wrote it, has all of them 0, and judges that
// itself.

#include <initializer_list>

#include "model/op_rules.h"
#include "model/tensor_types.h"
#include "model/vectors.h"
#include "model/verify_context.h"

namespace tern {
namespace {

using tflite::Operator;

struct Named {
  const char* name;
  int64_t value;
};

Status CheckPositive(std::initializer_list<Named> values) {
  for (const Named& v : values) {
    if (v.value <= 0) return Invalid(v.name, " must be positive (", v.value, ")");
  }
  return OkStatus();
}

Status CheckPadding(tflite::Padding padding) {
  if (padding < 0 || padding > tflite::Padding_MAX) {
    return Invalid("unknown padding (", static_cast<int>(padding), ")");
  }
  return OkStatus();
}

Status CheckActivation(tflite::ActivationFunctionType activation) {
  if (activation < 0 || activation > tflite::ActivationFunctionType_MAX) {
    return Invalid("unknown activation (", static_cast<int>(activation), ")");
  }
  return OkStatus();
}

Status CheckCount(const char* name, int64_t value, const char* what, uint32_t count) {
  if (value == int64_t{count}) return OkStatus();
  return Invalid(name, " differs from the number of ", what, " (", value, ", ", count, ")");
}

Status CheckList(const char* name, uint32_t size, uint32_t limit) {
  if (size <= limit) return OkStatus();
  return Invalid(name, " is too long (", size, ", ", limit, ")");
}

template <typename Options>
Status CheckWindow(const Options& o) {
  TERN_RETURN_IF_ERROR(CheckPadding(o.padding()));
  TERN_RETURN_IF_ERROR(CheckActivation(o.fused_activation_function()));
  return CheckPositive({{"stride", o.stride_h()}, {"stride", o.stride_w()}});
}

Status CheckConv(const Operator& op) {
  const auto* o = op.builtin_options_as_Conv2DOptions();
  if (o == nullptr) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckWindow(*o));
  return CheckPositive(
      {{"dilation", o->dilation_h_factor()}, {"dilation", o->dilation_w_factor()}});
}

Status CheckDepthwiseConv(const Operator& op) {
  const auto* o = op.builtin_options_as_DepthwiseConv2DOptions();
  if (o == nullptr) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckWindow(*o));
  if (o->depth_multiplier() < 0) {
    return Invalid("depth multiplier must not be negative (", o->depth_multiplier(), ")");
  }
  return CheckPositive(
      {{"dilation", o->dilation_h_factor()}, {"dilation", o->dilation_w_factor()}});
}

Status CheckConv3D(const Operator& op) {
  const auto* o = op.builtin_options_as_Conv3DOptions();
  if (o == nullptr) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckWindow(*o));
  return CheckPositive({{"stride", o->stride_d()},
                        {"dilation", o->dilation_d_factor()},
                        {"dilation", o->dilation_h_factor()},
                        {"dilation", o->dilation_w_factor()}});
}

Status CheckTransposeConv(const Operator& op) {
  const auto* o = op.builtin_options_as_TransposeConvOptions();
  return o == nullptr ? OkStatus() : CheckWindow(*o);
}

Status CheckPool(const Operator& op) {
  const auto* o = op.builtin_options_as_Pool2DOptions();
  if (o == nullptr) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckWindow(*o));
  return CheckPositive(
      {{"filter height", o->filter_height()}, {"filter width", o->filter_width()}});
}

Status CheckSplits(const Operator& op, tflite::BuiltinOperator code) {
  int64_t splits = 0;
  if (code == tflite::BuiltinOperator_SPLIT) {
    const auto* o = op.builtin_options_as_SplitOptions();
    if (o == nullptr) return OkStatus();
    splits = o->num_splits();
  } else {
    const auto* o = op.builtin_options_as_SplitVOptions();
    if (o == nullptr) return OkStatus();
    splits = o->num_splits();
  }
  TERN_RETURN_IF_ERROR(CheckPositive({{"num_splits", splits}}));
  return CheckCount("num_splits", splits, "outputs", SizeOf(op.outputs()));
}

Status CheckSvdf(const Operator& op) {
  const auto* o = op.builtin_options_as_SVDFOptions();
  if (o == nullptr) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckActivation(o->fused_activation_function()));
  return CheckPositive({{"rank", o->rank()}});
}

Status CheckMovement(const Operator& op, tflite::BuiltinOperator code) {
  switch (code) {
    case tflite::BuiltinOperator_SPACE_TO_DEPTH: {
      const auto* o = op.builtin_options_as_SpaceToDepthOptions();
      return o == nullptr ? OkStatus() : CheckPositive({{"block size", o->block_size()}});
    }
    case tflite::BuiltinOperator_DEPTH_TO_SPACE: {
      const auto* o = op.builtin_options_as_DepthToSpaceOptions();
      return o == nullptr ? OkStatus() : CheckPositive({{"block size", o->block_size()}});
    }
    case tflite::BuiltinOperator_PACK: {
      const auto* o = op.builtin_options_as_PackOptions();
      if (o == nullptr) return OkStatus();
      return CheckCount("values_count", o->values_count(), "inputs", SizeOf(op.inputs()));
    }
    case tflite::BuiltinOperator_UNPACK: {
      const auto* o = op.builtin_options_as_UnpackOptions();
      if (o == nullptr) return OkStatus();
      return CheckCount("num", o->num(), "outputs", SizeOf(op.outputs()));
    }
    case tflite::BuiltinOperator_RESHAPE: {
      const auto* o = op.builtin_options_as_ReshapeOptions();
      return o == nullptr ? OkStatus() : CheckList("new_shape", SizeOf(o->new_shape()), 8);
    }
    case tflite::BuiltinOperator_SQUEEZE: {
      const auto* o = op.builtin_options_as_SqueezeOptions();
      return o == nullptr ? OkStatus() : CheckList("squeeze_dims", SizeOf(o->squeeze_dims()), 8);
    }
    case tflite::BuiltinOperator_CONCATENATION: {
      const auto* o = op.builtin_options_as_ConcatenationOptions();
      return o == nullptr ? OkStatus() : CheckActivation(o->fused_activation_function());
    }
    default:
      return OkStatus();
  }
}

Status CheckFusedArithmetic(const Operator& op, tflite::BuiltinOperator code) {
  auto activation = tflite::ActivationFunctionType_NONE;
  if (code == tflite::BuiltinOperator_ADD) {
    if (const auto* o = op.builtin_options_as_AddOptions()) {
      activation = o->fused_activation_function();
    }
  } else if (code == tflite::BuiltinOperator_SUB) {
    if (const auto* o = op.builtin_options_as_SubOptions()) {
      activation = o->fused_activation_function();
    }
  } else if (code == tflite::BuiltinOperator_MUL) {
    if (const auto* o = op.builtin_options_as_MulOptions()) {
      activation = o->fused_activation_function();
    }
  } else if (code == tflite::BuiltinOperator_DIV) {
    if (const auto* o = op.builtin_options_as_DivOptions()) {
      activation = o->fused_activation_function();
    }
  } else if (const auto* o = op.builtin_options_as_FullyConnectedOptions()) {
    activation = o->fused_activation_function();
  }
  return CheckActivation(activation);
}

// The rules that an op's attributes must keep whatever its shapes are.
Status CheckOptions(const Operator& op, tflite::BuiltinOperator code) {
  switch (code) {
    case tflite::BuiltinOperator_CONV_2D:
      return CheckConv(op);
    case tflite::BuiltinOperator_DEPTHWISE_CONV_2D:
      return CheckDepthwiseConv(op);
    case tflite::BuiltinOperator_CONV_3D:
    case tflite::BuiltinOperator_CONV_3D_TRANSPOSE:
      return CheckConv3D(op);
    case tflite::BuiltinOperator_TRANSPOSE_CONV:
      return CheckTransposeConv(op);
    case tflite::BuiltinOperator_AVERAGE_POOL_2D:
    case tflite::BuiltinOperator_MAX_POOL_2D:
    case tflite::BuiltinOperator_L2_POOL_2D:
      return CheckPool(op);
    case tflite::BuiltinOperator_SPLIT:
    case tflite::BuiltinOperator_SPLIT_V:
      return CheckSplits(op, code);
    case tflite::BuiltinOperator_SVDF:
      return CheckSvdf(op);
    case tflite::BuiltinOperator_ADD:
    case tflite::BuiltinOperator_SUB:
    case tflite::BuiltinOperator_MUL:
    case tflite::BuiltinOperator_DIV:
    case tflite::BuiltinOperator_FULLY_CONNECTED:
      return CheckFusedArithmetic(op, code);
    case tflite::BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION: {
      const auto* o = op.builtin_options_as_LocalResponseNormalizationOptions();
      if (o != nullptr && o->radius() < 0) {
        return Invalid("radius must not be negative (", o->radius(), ")");
      }
      return OkStatus();
    }
    default:
      return CheckMovement(op, code);
  }
}

Status CheckTable(const Operator& op, const OpRule& rule) {
  const tflite::BuiltinOptions options = op.builtin_options_type();
  const tflite::BuiltinOptions2 options_2 = op.builtin_options_2_type();
  if (options > tflite::BuiltinOptions_MAX || options_2 > tflite::BuiltinOptions2_MAX) {
    return Invalid("unknown options table (", static_cast<int>(options), ", ",
                   static_cast<int>(options_2), ")");
  }
  if (rule.options != tflite::BuiltinOptions_NONE && options != tflite::BuiltinOptions_NONE &&
      options != rule.options) {
    return Invalid("has the options of another op (", tflite::EnumNameBuiltinOptions(options), ")");
  }
  if (rule.options_2 != tflite::BuiltinOptions2_NONE && options_2 != tflite::BuiltinOptions2_NONE &&
      options_2 != rule.options_2) {
    return Invalid("has the options of another op (", tflite::EnumNameBuiltinOptions2(options_2),
                   ")");
  }
  return OkStatus();
}

Status CheckOperands(const Operator& op, const OpRule& rule) {
  const int64_t inputs = SizeOf(op.inputs());
  const int64_t outputs = SizeOf(op.outputs());
  if (inputs < rule.min_inputs || (rule.max_inputs != kAnyCount && inputs > rule.max_inputs)) {
    return Invalid("wrong number of inputs (", inputs, ")");
  }
  if (outputs < rule.min_outputs || (rule.max_outputs != kAnyCount && outputs > rule.max_outputs)) {
    return Invalid("wrong number of outputs (", outputs, ")");
  }
  for (uint32_t i = 0; i < inputs; ++i) {
    const bool optional = i < 64 && ((rule.optional_inputs >> i) & 1) != 0;
    if (op.inputs()->Get(i) < 0 && !optional) return Invalid("input ", i, " is missing");
  }
  return OkStatus();
}

}  // namespace

Status VerifyOp(VerifyContext& context, const Operator& op) {
  const tflite::BuiltinOperator code = context.CodeOf(op);
  TERN_RETURN_IF_ERROR(CustomOptionBytes(op, context.file()).status());
  const OpRule* rule = FindOpRule(code);
  if (rule == nullptr) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckTable(op, *rule));
  TERN_RETURN_IF_ERROR(CheckOperands(op, *rule));
  return CheckOptions(op, code);
}

}  // namespace tern
