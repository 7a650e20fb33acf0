// SPDX-License-Identifier: Apache-2.0
// Parameters of elementwise ops, reductions and other arithmetic.

#include "model/read_params_internal.h"

namespace tern {

Status Fill(const tflite::AddOptions& from, TfLiteAddParams& to) {
  to.pot_scale_int16 = from.pot_scale_int16();
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::SubOptions& from, TfLiteSubParams& to) {
  to.pot_scale_int16 = from.pot_scale_int16();
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::MulOptions& from, TfLiteMulParams& to) {
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::DivOptions& from, TfLiteDivParams& to) {
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::SoftmaxOptions& from, TfLiteSoftmaxParams& to) {
  to.beta = from.beta();
  return OkStatus();
}

Status Fill(const tflite::LeakyReluOptions& from, TfLiteLeakyReluParams& to) {
  to.alpha = from.alpha();
  return OkStatus();
}

Status Fill(const tflite::GeluOptions& from, TfLiteGeluParams& to) {
  to.approximate = from.approximate();
  return OkStatus();
}

Status Fill(const tflite::CastOptions& from, TfLiteCastParams& to) {
  TERN_RETURN_IF_ERROR(ReadType(from.in_data_type(), to.in_data_type));
  return ReadType(from.out_data_type(), to.out_data_type);
}

Status Fill(const tflite::ReducerOptions& from, TfLiteReducerParams& to) {
  to.keep_dims = from.keep_dims();
  return OkStatus();
}

Status Fill(const tflite::ArgMaxOptions& from, TfLiteArgMaxParams& to) {
  return ReadType(from.output_type(), to.output_type);
}

Status Fill(const tflite::ArgMinOptions& from, TfLiteArgMinParams& to) {
  return ReadType(from.output_type(), to.output_type);
}

Status Fill(const tflite::FakeQuantOptions& from, TfLiteFakeQuantParams& to) {
  to.min = from.min();
  to.max = from.max();
  to.num_bits = from.num_bits();
  to.narrow_range = from.narrow_range();
  return OkStatus();
}

Status Fill(const tflite::CumsumOptions& from, TfLiteCumsumParams& to) {
  to.exclusive = from.exclusive();
  to.reverse = from.reverse();
  return OkStatus();
}

Status Fill(const tflite::RandomOptions& from, TfLiteRandomParams& to) {
  to.seed = static_cast<int>(from.seed());
  to.seed2 = static_cast<int>(from.seed2());
  return OkStatus();
}

Status Fill(const tflite::ReduceWindowOptions& from, TfLiteReduceWindowParams& to) {
  switch (from.reduce_function()) {
    case tflite::ReduceWindowFunction_UNSUPPORTED:
      to.reduce_function = TfLiteReduceWindowFunctionUnsupported;
      return OkStatus();
    case tflite::ReduceWindowFunction_ADD:
      to.reduce_function = TfLiteReduceWindowFunctionAdd;
      return OkStatus();
    case tflite::ReduceWindowFunction_MUL:
      to.reduce_function = TfLiteReduceWindowFunctionMul;
      return OkStatus();
    case tflite::ReduceWindowFunction_MINIMUM:
      to.reduce_function = TfLiteReduceWindowFunctionMin;
      return OkStatus();
    case tflite::ReduceWindowFunction_MAXIMUM:
      to.reduce_function = TfLiteReduceWindowFunctionMax;
      return OkStatus();
    case tflite::ReduceWindowFunction_ALL:
      to.reduce_function = TfLiteReduceWindowFunctionAll;
      return OkStatus();
    case tflite::ReduceWindowFunction_ANY:
      to.reduce_function = TfLiteReduceWindowFunctionAny;
      return OkStatus();
  }
  return Invalid("unknown reduce function (", static_cast<int>(from.reduce_function()), ")");
}

// The boundaries lie after the struct.
template <>
StatusOr<void*> Read<tflite::BucketizeOptions, TfLiteBucketizeParams>(const tflite::Operator& op) {
  const auto* options = op.builtin_options_as_BucketizeOptions();
  const auto* boundaries = options != nullptr ? options->boundaries() : nullptr;
  const uint32_t count = SizeOf(boundaries);
  auto* params = NewParams<TfLiteBucketizeParams>(count * sizeof(float));
  if (params == nullptr) return NoParamsMemory();
  auto* values = reinterpret_cast<float*>(params + 1);
  for (uint32_t i = 0; i < count; ++i) values[i] = boundaries->Get(i);
  params->num_boundaries = static_cast<int>(count);
  params->boundaries = values;
  return static_cast<void*>(params);
}

}  // namespace tern
