// SPDX-License-Identifier: Apache-2.0
// Parameters of convolutions, pools, fully connected layers and other windowed ops.

#include "model/read_params_internal.h"

namespace tern {

Status Fill(const tflite::Conv2DOptions& from, TfLiteConvParams& to) {
  to.stride_width = from.stride_w();
  to.stride_height = from.stride_h();
  to.dilation_width_factor = from.dilation_w_factor();
  to.dilation_height_factor = from.dilation_h_factor();
  TERN_RETURN_IF_ERROR(ReadPadding(from.padding(), to.padding));
  TERN_RETURN_IF_ERROR(ReadActivation(from.fused_activation_function(), to.activation));
  return ReadType(from.quantized_bias_type(), to.quantized_bias_type);
}

Status Fill(const tflite::Conv3DOptions& from, TfLiteConv3DParams& to) {
  to.stride_width = from.stride_w();
  to.stride_height = from.stride_h();
  to.stride_depth = from.stride_d();
  to.dilation_width_factor = from.dilation_w_factor();
  to.dilation_height_factor = from.dilation_h_factor();
  to.dilation_depth_factor = from.dilation_d_factor();
  TERN_RETURN_IF_ERROR(ReadPadding(from.padding(), to.padding));
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::DepthwiseConv2DOptions& from, TfLiteDepthwiseConvParams& to) {
  to.stride_width = from.stride_w();
  to.stride_height = from.stride_h();
  to.depth_multiplier = from.depth_multiplier();
  to.dilation_width_factor = from.dilation_w_factor();
  to.dilation_height_factor = from.dilation_h_factor();
  TERN_RETURN_IF_ERROR(ReadPadding(from.padding(), to.padding));
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::TransposeConvOptions& from, TfLiteTransposeConvParams& to) {
  to.stride_width = from.stride_w();
  to.stride_height = from.stride_h();
  TERN_RETURN_IF_ERROR(ReadPadding(from.padding(), to.padding));
  TERN_RETURN_IF_ERROR(ReadActivation(from.fused_activation_function(), to.activation));
  return ReadType(from.quantized_bias_type(), to.quantized_bias_type);
}

Status Fill(const tflite::Pool2DOptions& from, TfLitePoolParams& to) {
  to.stride_width = from.stride_w();
  to.stride_height = from.stride_h();
  to.filter_width = from.filter_width();
  to.filter_height = from.filter_height();
  TERN_RETURN_IF_ERROR(ReadPadding(from.padding(), to.padding));
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::FullyConnectedOptions& from, TfLiteFullyConnectedParams& to) {
  to.keep_num_dims = from.keep_num_dims();
  to.asymmetric_quantize_inputs = from.asymmetric_quantize_inputs();
  TERN_RETURN_IF_ERROR(ReadActivation(from.fused_activation_function(), to.activation));
  TERN_RETURN_IF_ERROR(ReadType(from.quantized_bias_type(), to.quantized_bias_type));
  switch (from.weights_format()) {
    case tflite::FullyConnectedOptionsWeightsFormat_DEFAULT:
      to.weights_format = kTfLiteFullyConnectedWeightsFormatDefault;
      return OkStatus();
    case tflite::FullyConnectedOptionsWeightsFormat_SHUFFLED4x16INT8:
      to.weights_format = kTfLiteFullyConnectedWeightsFormatShuffled4x16Int8;
      return OkStatus();
  }
  return Invalid("unknown weights format (", static_cast<int>(from.weights_format()), ")");
}

Status Fill(const tflite::BatchMatMulOptions& from, TfLiteBatchMatMulParams& to) {
  to.adj_x = from.adj_x();
  to.adj_y = from.adj_y();
  to.asymmetric_quantize_inputs = from.asymmetric_quantize_inputs();
  return OkStatus();
}

Status Fill(const tflite::L2NormOptions& from, TfLiteL2NormParams& to) {
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::LocalResponseNormalizationOptions& from,
            TfLiteLocalResponseNormParams& to) {
  to.radius = from.radius();
  to.bias = from.bias();
  to.alpha = from.alpha();
  to.beta = from.beta();
  return OkStatus();
}

Status Fill(const tflite::ResizeBilinearOptions& from, TfLiteResizeBilinearParams& to) {
  to.align_corners = from.align_corners();
  to.half_pixel_centers = from.half_pixel_centers();
  return OkStatus();
}

Status Fill(const tflite::ResizeNearestNeighborOptions& from,
            TfLiteResizeNearestNeighborParams& to) {
  to.align_corners = from.align_corners();
  to.half_pixel_centers = from.half_pixel_centers();
  return OkStatus();
}

}  // namespace tern
