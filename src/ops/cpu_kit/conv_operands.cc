// SPDX-License-Identifier: Apache-2.0
// Checks of the operands of convolutions.
#include "ops/cpu_kit/conv_operands.h"

#include "ops/cpu_kit/quantized.h"

namespace tern {
namespace {

// The filter types that go with an input type.
bool FilterFits(TfLiteType input, TfLiteType filter) {
  switch (input) {
    case kTfLiteFloat32:
      return filter == kTfLiteFloat32 || filter == kTfLiteInt8 || filter == kTfLiteUInt8 ||
             filter == kTfLiteInt4;
    case kTfLiteUInt8:
      return filter == kTfLiteUInt8;
    case kTfLiteInt8:
      return filter == kTfLiteInt8 || filter == kTfLiteInt4;
    case kTfLiteInt16:
      return filter == kTfLiteInt8 || filter == kTfLiteInt4;
    default:
      return false;
  }
}

bool BiasFits(TfLiteType input, TfLiteType bias) {
  if (input == kTfLiteFloat32) return bias == kTfLiteFloat32;
  return bias == kTfLiteInt32 || (input == kTfLiteInt16 && bias == kTfLiteInt64);
}

}  // namespace

Status CheckConvTypes(const ConvTensors& t) {
  const TfLiteType type = t.input->type;
  if (type != kTfLiteFloat32 && !IsQuantizedType(type)) {
    return Unsupported("type ", TypeText(type), " is not supported (input)");
  }
  if (!FilterFits(type, t.filter->type)) {
    return Unsupported("a filter of type ", TypeText(t.filter->type), " with an input of type ",
                       TypeText(type), " is not supported");
  }
  TERN_RETURN_IF_ERROR(CheckSameType(t.input, t.output, "input and output"));
  if (t.bias == nullptr) return OkStatus();
  if (!BiasFits(type, t.bias->type)) {
    return Unsupported("a bias of type ", TypeText(t.bias->type), " with an input of type ",
                       TypeText(type), " is not supported");
  }
  if (Elements(t.bias) == t.channels()) return OkStatus();
  return Invalid("bias must have one value per output channel (", Elements(t.bias), ", ",
                 t.channels(), ")");
}

Status SetConvOutput(TfLitePadding padding, Window& window) {
  const WindowAxis &height = window.height, &width = window.width;
  TERN_RETURN_IF_ERROR(CheckSteps("stride", height.stride, width.stride));
  TERN_RETURN_IF_ERROR(CheckSteps("dilation", height.dilation, width.dilation));
  TERN_RETURN_IF_ERROR(SetOutput(padding, window));
  if (height.out < 0 || width.out < 0) {
    return Invalid("filter is larger than the input (filter ", height.Extent(), " x ",
                   width.Extent(), ", input ", height.in, " x ", width.in, ")");
  }
  return OkStatus();
}

Status CheckConvData(const ConvTensors& t) {
  TERN_RETURN_IF_ERROR(CheckData(t.input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(t.filter, "filter"));
  if (t.bias != nullptr) TERN_RETURN_IF_ERROR(CheckData(t.bias, "bias"));
  return CheckData(t.output, "output");
}

bool CanPack(const TfLiteTensor* filter, const TfLiteTensor* bias) {
  const auto ready = [](const TfLiteTensor* tensor) {
    return IsConstant(tensor) && CheckData(tensor, "").ok();
  };
  return ready(filter) && (bias == nullptr || ready(bias));
}

}  // namespace tern
