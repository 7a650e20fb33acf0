// SPDX-License-Identifier: Apache-2.0
// Parameters of ops that move, cut, join and look up data.

#include "model/read_params_internal.h"

namespace tern {

Status Fill(const tflite::ConcatenationOptions& from, TfLiteConcatenationParams& to) {
  to.axis = from.axis();
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::ReshapeOptions& from, TfLiteReshapeParams& to) {
  return ReadList("new_shape", from.new_shape(), to.shape, to.num_dimensions);
}

Status Fill(const tflite::SqueezeOptions& from, TfLiteSqueezeParams& to) {
  return ReadList("squeeze_dims", from.squeeze_dims(), to.squeeze_dims, to.num_squeeze_dims);
}

Status Fill(const tflite::SpaceToDepthOptions& from, TfLiteSpaceToDepthParams& to) {
  to.block_size = from.block_size();
  return OkStatus();
}

Status Fill(const tflite::DepthToSpaceOptions& from, TfLiteDepthToSpaceParams& to) {
  to.block_size = from.block_size();
  return OkStatus();
}

Status Fill(const tflite::GatherOptions& from, TfLiteGatherParams& to) {
  to.axis = from.axis();
  to.batch_dims = from.batch_dims();
  return OkStatus();
}

Status Fill(const tflite::SplitOptions& from, TfLiteSplitParams& to) {
  to.num_splits = from.num_splits();
  return OkStatus();
}

Status Fill(const tflite::SplitVOptions& from, TfLiteSplitVParams& to) {
  to.num_splits = from.num_splits();
  return OkStatus();
}

Status Fill(const tflite::StridedSliceOptions& from, TfLiteStridedSliceParams& to) {
  to.begin_mask = from.begin_mask();
  to.end_mask = from.end_mask();
  to.ellipsis_mask = from.ellipsis_mask();
  to.new_axis_mask = from.new_axis_mask();
  to.shrink_axis_mask = from.shrink_axis_mask();
  to.offset = from.offset();
  return OkStatus();
}

Status Fill(const tflite::SparseToDenseOptions& from, TfLiteSparseToDenseParams& to) {
  to.validate_indices = from.validate_indices();
  return OkStatus();
}

Status Fill(const tflite::ShapeOptions& from, TfLiteShapeParams& to) {
  return ReadType(from.out_type(), to.out_type);
}

Status Fill(const tflite::PackOptions& from, TfLitePackParams& to) {
  to.values_count = from.values_count();
  to.axis = from.axis();
  return OkStatus();
}

Status Fill(const tflite::UnpackOptions& from, TfLiteUnpackParams& to) {
  to.num = from.num();
  to.axis = from.axis();
  return OkStatus();
}

Status Fill(const tflite::OneHotOptions& from, TfLiteOneHotParams& to) {
  to.axis = from.axis();
  return OkStatus();
}

Status Fill(const tflite::MirrorPadOptions& from, TfLiteMirrorPaddingParams& to) {
  switch (from.mode()) {
    case tflite::MirrorPadMode_REFLECT:
      to.mode = kTfLiteMirrorPaddingReflect;
      return OkStatus();
    case tflite::MirrorPadMode_SYMMETRIC:
      to.mode = kTfLiteMirrorPaddingSymmetric;
      return OkStatus();
  }
  return Invalid("unknown mirror mode (", static_cast<int>(from.mode()), ")");
}

Status Fill(const tflite::UniqueOptions& from, TfLiteUniqueParams& to) {
  return ReadType(from.idx_out_type(), to.index_out_type);
}

Status Fill(const tflite::ReverseSequenceOptions& from, TfLiteReverseSequenceParams& to) {
  to.seq_dim = from.seq_dim();
  to.batch_dim = from.batch_dim();
  return OkStatus();
}

}  // namespace tern
