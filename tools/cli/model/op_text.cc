// SPDX-License-Identifier: Apache-2.0
// Options of the operators that models are mostly made of.
#include "cli/model/op_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::cli {
namespace {

std::string Activation(tflite::ActivationFunctionType type) {
  if (type == tflite::ActivationFunctionType_NONE) return "";
  return absl::StrCat(", ", tflite::EnumNameActivationFunctionType(type));
}

template <typename Options>
std::string Window(const Options& o) {
  return absl::StrCat("stride ", o.stride_h(), "x", o.stride_w(), ", ",
                      tflite::EnumNamePadding(o.padding()));
}

template <typename Options>
std::string Dilation(const Options& o) {
  if (o.dilation_h_factor() == 1 && o.dilation_w_factor() == 1) return "";
  return absl::StrCat(", dilation ", o.dilation_h_factor(), "x", o.dilation_w_factor());
}

std::string Pool(const tflite::Pool2DOptions& o) {
  return absl::StrCat("window ", o.filter_height(), "x", o.filter_width(), ", ", Window(o),
                      Activation(o.fused_activation_function()));
}

std::string Fused(tflite::ActivationFunctionType type) {
  return type == tflite::ActivationFunctionType_NONE ? ""
                                                     : tflite::EnumNameActivationFunctionType(type);
}

std::string Resize(bool align_corners, bool half_pixel_centers) {
  return absl::StrCat(align_corners ? "align corners" : "",
                      align_corners && half_pixel_centers ? ", " : "",
                      half_pixel_centers ? "half pixel centers" : "");
}

std::string ConvText(const tflite::Operator& op) {
  if (const auto* o = op.builtin_options_as_Conv2DOptions()) {
    return Window(*o) + Dilation(*o) + Activation(o->fused_activation_function());
  }
  if (const auto* o = op.builtin_options_as_DepthwiseConv2DOptions()) {
    return absl::StrCat(Window(*o), Dilation(*o), ", multiplier ", o->depth_multiplier(),
                        Activation(o->fused_activation_function()));
  }
  if (const auto* o = op.builtin_options_as_TransposeConvOptions()) {
    return Window(*o) + Activation(o->fused_activation_function());
  }
  if (const auto* o = op.builtin_options_as_Pool2DOptions()) return Pool(*o);
  if (const auto* o = op.builtin_options_as_FullyConnectedOptions()) {
    return absl::StrCat(o->keep_num_dims() ? "keeps dimensions" : "flattens",
                        Activation(o->fused_activation_function()));
  }
  return "";
}

std::string FusedText(const tflite::Operator& op) {
  if (const auto* o = op.builtin_options_as_AddOptions())
    return Fused(o->fused_activation_function());
  if (const auto* o = op.builtin_options_as_SubOptions())
    return Fused(o->fused_activation_function());
  if (const auto* o = op.builtin_options_as_MulOptions())
    return Fused(o->fused_activation_function());
  if (const auto* o = op.builtin_options_as_DivOptions())
    return Fused(o->fused_activation_function());
  if (const auto* o = op.builtin_options_as_ConcatenationOptions()) {
    return absl::StrCat("axis ", o->axis(), Activation(o->fused_activation_function()));
  }
  return "";
}

std::string ShapeChangeText(const tflite::Operator& op) {
  if (const auto* o = op.builtin_options_as_ReshapeOptions()) {
    return o->new_shape() == nullptr ? ""
                                     : absl::StrCat("to ", absl::StrJoin(*o->new_shape(), "x"));
  }
  if (const auto* o = op.builtin_options_as_SqueezeOptions()) {
    return o->squeeze_dims() == nullptr
               ? ""
               : absl::StrCat("axes ", absl::StrJoin(*o->squeeze_dims(), ","));
  }
  if (const auto* o = op.builtin_options_as_ResizeBilinearOptions()) {
    return Resize(o->align_corners(), o->half_pixel_centers());
  }
  if (const auto* o = op.builtin_options_as_ResizeNearestNeighborOptions()) {
    return Resize(o->align_corners(), o->half_pixel_centers());
  }
  if (const auto* o = op.builtin_options_as_SplitOptions()) {
    return absl::StrCat("into ", o->num_splits());
  }
  if (const auto* o = op.builtin_options_as_GatherOptions()) {
    return absl::StrCat("axis ", o->axis(), ", batch dimensions ", o->batch_dims());
  }
  if (const auto* o = op.builtin_options_as_PackOptions()) return absl::StrCat("axis ", o->axis());
  if (const auto* o = op.builtin_options_as_UnpackOptions()) {
    return absl::StrCat("axis ", o->axis(), ", ", o->num(), " parts");
  }
  if (const auto* o = op.builtin_options_as_StridedSliceOptions()) {
    return absl::StrCat("masks begin ", o->begin_mask(), " end ", o->end_mask(), " ellipsis ",
                        o->ellipsis_mask(), " new ", o->new_axis_mask(), " shrink ",
                        o->shrink_axis_mask());
  }
  return "";
}

std::string OtherText(const tflite::Operator& op) {
  if (const auto* o = op.builtin_options_as_SoftmaxOptions())
    return absl::StrCat("beta ", o->beta());
  if (const auto* o = op.builtin_options_as_LeakyReluOptions()) {
    return absl::StrCat("alpha ", o->alpha());
  }
  if (const auto* o = op.builtin_options_as_ReducerOptions()) {
    return o->keep_dims() ? "keeps dimensions" : "";
  }
  if (const auto* o = op.builtin_options_as_BatchMatMulOptions()) {
    return absl::StrCat(o->adj_x() ? "first transposed " : "",
                        o->adj_y() ? "second transposed" : "");
  }
  if (const auto* o = op.builtin_options_as_CastOptions()) {
    return absl::StrCat(tflite::EnumNameTensorType(o->in_data_type()), " to ",
                        tflite::EnumNameTensorType(o->out_data_type()));
  }
  if (const auto* o = op.builtin_options_as_WhileOptions()) {
    return absl::StrCat("condition subgraph ", o->cond_subgraph_index(), ", body ",
                        o->body_subgraph_index());
  }
  if (const auto* o = op.builtin_options_as_IfOptions()) {
    return absl::StrCat("then subgraph ", o->then_subgraph_index(), ", else ",
                        o->else_subgraph_index());
  }
  return "";
}

}  // namespace

std::string OptionsText(const tflite::Operator& op) {
  for (auto* text : {ConvText, FusedText, ShapeChangeText, OtherText}) {
    std::string line = text(op);
    if (!line.empty()) return line;
  }
  if (op.custom_options() != nullptr && op.custom_options()->size() > 0) {
    return absl::StrCat(op.custom_options()->size(), " bytes of custom options");
  }
  return "";
}

}  // namespace tern::cli
