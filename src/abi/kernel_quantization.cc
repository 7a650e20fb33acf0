// SPDX-License-Identifier: Apache-2.0
// Quantization parameters of operations: fixed-point multipliers and activation ranges.
#include <cmath>

#include "tensorflow/lite/kernels/internal/quantization_util.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite {

void QuantizeMultiplier(double double_multiplier, int32_t* quantized_multiplier, int* shift) {
  *quantized_multiplier = 0;
  *shift = 0;
  if (!(double_multiplier > 0) || !std::isfinite(double_multiplier)) {
    return;
  }
  constexpr int64_t kOne = int64_t{1} << 31;
  const double fraction = std::frexp(double_multiplier, shift);
  auto fixed = static_cast<int64_t>(std::round(fraction * static_cast<double>(kOne)));
  if (fixed == kOne) {
    fixed /= 2;
    ++*shift;
  }
  if (*shift < -31) {
    *shift = 0;
    fixed = 0;
  }
  *quantized_multiplier = static_cast<int32_t>(fixed);
}

void QuantizeMultiplierSmallerThanOneExp(double double_multiplier, int32_t* quantized_multiplier,
                                         int* left_shift) {
  QuantizeMultiplier(double_multiplier, quantized_multiplier, left_shift);
}

void QuantizeMultiplierGreaterThanOne(double double_multiplier, int32_t* quantized_multiplier,
                                      int* left_shift) {
  QuantizeMultiplier(double_multiplier, quantized_multiplier, left_shift);
}

TfLiteStatus GetQuantizedConvolutionMultipler(TfLiteContext* context, const TfLiteTensor* input,
                                              const TfLiteTensor* filter, const TfLiteTensor* bias,
                                              TfLiteTensor* output, double* multiplier) {
  // The product is a float on purpose: the bias was scaled that way when the model was made.
  const auto product = static_cast<double>(input->params.scale * filter->params.scale);
  if (bias != nullptr) {
    const double difference = std::abs(product - static_cast<double>(bias->params.scale));
    TF_LITE_ENSURE(context, difference / static_cast<double>(output->params.scale) <= 0.02);
  }
  return GetQuantizedConvolutionMultipler(context, input, filter, output, multiplier);
}

TfLiteStatus GetQuantizedConvolutionMultipler(TfLiteContext* context, const TfLiteTensor* input,
                                              const TfLiteTensor* filter, TfLiteTensor* output,
                                              double* multiplier) {
  const auto product = static_cast<double>(input->params.scale * filter->params.scale);
  TF_LITE_ENSURE(context, product >= 0);
  TF_LITE_ENSURE(context, output->params.scale > 0);
  *multiplier = product / static_cast<double>(output->params.scale);
  return kTfLiteOk;
}

TfLiteStatus PopulateConvolutionQuantizationParams(
    TfLiteContext* context, const TfLiteTensor* input, const TfLiteTensor* filter,
    const TfLiteTensor* bias, TfLiteTensor* output, const TfLiteFusedActivation& activation,
    int32_t* multiplier, int* shift, int32_t* output_activation_min, int32_t* output_activation_max,
    int32_t* per_channel_multiplier, int32_t* per_channel_shift) {
  TF_LITE_ENSURE_EQ(context, filter->quantization.type, kTfLiteAffineQuantization);
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(filter->quantization.params);
  TF_LITE_ENSURE(context, affine != nullptr && affine->scale != nullptr);
  return PopulateConvolutionQuantizationParams(
      context, input, filter, bias, output, activation, multiplier, shift, output_activation_min,
      output_activation_max, per_channel_multiplier, per_channel_shift, affine->scale->size);
}

TfLiteStatus PopulateConvolutionQuantizationParams(
    TfLiteContext* context, const TfLiteTensor* input, const TfLiteTensor* filter,
    const TfLiteTensor* bias, TfLiteTensor* output, const TfLiteFusedActivation& activation,
    int32_t* multiplier, int* shift, int32_t* output_activation_min, int32_t* output_activation_max,
    int32_t* per_channel_multiplier, int32_t* per_channel_shift, int num_channels) {
  TF_LITE_ENSURE_EQ(context, input->quantization.type, kTfLiteAffineQuantization);
  TF_LITE_ENSURE_EQ(context, filter->quantization.type, kTfLiteAffineQuantization);
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(filter->quantization.params);
  TF_LITE_ENSURE(context, affine != nullptr && affine->scale != nullptr);
  TF_LITE_ENSURE(context, affine->scale->size > 0);
  const bool is_per_channel = affine->scale->size > 1;
  if (is_per_channel) {
    TF_LITE_ENSURE(context, input->type == kTfLiteInt8 || input->type == kTfLiteInt16);
    TF_LITE_ENSURE(context, filter->type == kTfLiteInt8 || filter->type == kTfLiteInt4 ||
                                filter->type == kTfLiteInt2);
    TF_LITE_ENSURE_EQ(context, affine->scale->size, num_channels);
    const int dimension = affine->quantized_dimension;
    TF_LITE_ENSURE(context, dimension >= 0 && dimension < NumDimensions(filter));
    TF_LITE_ENSURE_EQ(context, num_channels, SizeOfDimension(filter, dimension));
  }
  const auto input_scale = static_cast<double>(input->params.scale);
  const auto output_scale = static_cast<double>(output->params.scale);
  TF_LITE_ENSURE(context, output_scale > 0);
  for (int i = 0; i < num_channels; ++i) {
    const auto filter_scale = static_cast<double>(affine->scale->data[is_per_channel ? i : 0]);
    int channel_shift = 0;
    QuantizeMultiplier(input_scale * filter_scale / output_scale, &per_channel_multiplier[i],
                       &channel_shift);
    per_channel_shift[i] = channel_shift;
  }
  if (input->type == kTfLiteUInt8) {
    double real_multiplier = 0;
    TF_LITE_ENSURE_STATUS(
        GetQuantizedConvolutionMultipler(context, input, filter, bias, output, &real_multiplier));
    int left_shift = 0;
    QuantizeMultiplier(real_multiplier, multiplier, &left_shift);
    *shift = -left_shift;
  }
  if (input->type == kTfLiteInt8 || input->type == kTfLiteUInt8 || input->type == kTfLiteInt16) {
    TF_LITE_ENSURE_STATUS(CalculateActivationRangeQuantized(
        context, activation, output, output_activation_min, output_activation_max));
  }
  return kTfLiteOk;
}

TfLiteStatus CalculateActivationRangeQuantized(TfLiteContext* context,
                                               TfLiteFusedActivation activation,
                                               TfLiteTensor* output, int32_t* act_min,
                                               int32_t* act_max) {
  double lowest = 0;
  double highest = 0;
  switch (output->type) {
    case kTfLiteUInt8:
      highest = 255;
      break;
    case kTfLiteInt8:
      lowest = -128;
      highest = 127;
      break;
    case kTfLiteInt16:
      lowest = -32768;
      highest = 32767;
      break;
    default:
      TF_LITE_KERNEL_LOG(context, "Activation range of type %s is not quantized.",
                         TfLiteTypeGetName(output->type));
      return kTfLiteError;
  }
  bool no_integer_overflow_from_quantization = true;
  const auto quantize = [&](float real) {
    const auto steps = static_cast<double>(std::round(real / output->params.scale));
    no_integer_overflow_from_quantization =
        no_integer_overflow_from_quantization && std::fabs(steps) <= 2147483647.0;
    const double stored = static_cast<double>(output->params.zero_point) + steps;
    return std::min(std::max(stored, lowest), highest);
  };
  const bool clamps = activation == kTfLiteActRelu || activation == kTfLiteActRelu6 ||
                      activation == kTfLiteActReluN1To1;
  double low = lowest;
  double high = highest;
  if (clamps) {
    TF_LITE_ENSURE(context, output->params.scale > 0);
    low = quantize(activation == kTfLiteActReluN1To1 ? -1.0f : 0.0f);
    high = activation == kTfLiteActRelu ? highest
                                        : quantize(activation == kTfLiteActRelu6 ? 6.0f : 1.0f);
    TF_LITE_ENSURE(context, no_integer_overflow_from_quantization);
  }
  *act_min = static_cast<int32_t>(low);
  *act_max = static_cast<int32_t>(high);
  return kTfLiteOk;
}

}  // namespace tflite
