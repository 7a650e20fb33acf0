// SPDX-License-Identifier: Apache-2.0
// Parameters of ops that move, cut, join and look up data.

#include "model/read_params_internal.h"

namespace tern {
namespace {

Status FillConcatenation(const tflite::ConcatenationOptions& from, TfLiteConcatenationParams& to) {
  to.axis = from.axis();
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status FillReshape(const tflite::ReshapeOptions& from, TfLiteReshapeParams& to) {
  return ReadList("new_shape", from.new_shape(), to.shape, to.num_dimensions);
}

Status FillSqueeze(const tflite::SqueezeOptions& from, TfLiteSqueezeParams& to) {
  return ReadList("squeeze_dims", from.squeeze_dims(), to.squeeze_dims, to.num_squeeze_dims);
}

Status FillSpaceToDepth(const tflite::SpaceToDepthOptions& from, TfLiteSpaceToDepthParams& to) {
  to.block_size = from.block_size();
  return OkStatus();
}

Status FillDepthToSpace(const tflite::DepthToSpaceOptions& from, TfLiteDepthToSpaceParams& to) {
  to.block_size = from.block_size();
  return OkStatus();
}

Status FillGather(const tflite::GatherOptions& from, TfLiteGatherParams& to) {
  to.axis = from.axis();
  to.batch_dims = from.batch_dims();
  return OkStatus();
}

Status FillSplit(const tflite::SplitOptions& from, TfLiteSplitParams& to) {
  to.num_splits = from.num_splits();
  return OkStatus();
}

Status FillSplitV(const tflite::SplitVOptions& from, TfLiteSplitVParams& to) {
  to.num_splits = from.num_splits();
  return OkStatus();
}

Status FillStridedSlice(const tflite::StridedSliceOptions& from, TfLiteStridedSliceParams& to) {
  to.begin_mask = from.begin_mask();
  to.end_mask = from.end_mask();
  to.ellipsis_mask = from.ellipsis_mask();
  to.new_axis_mask = from.new_axis_mask();
  to.shrink_axis_mask = from.shrink_axis_mask();
  to.offset = from.offset();
  return OkStatus();
}

Status FillSparseToDense(const tflite::SparseToDenseOptions& from, TfLiteSparseToDenseParams& to) {
  to.validate_indices = from.validate_indices();
  return OkStatus();
}

Status FillShape(const tflite::ShapeOptions& from, TfLiteShapeParams& to) {
  return ReadType(from.out_type(), to.out_type);
}

Status FillPack(const tflite::PackOptions& from, TfLitePackParams& to) {
  to.values_count = from.values_count();
  to.axis = from.axis();
  return OkStatus();
}

Status FillUnpack(const tflite::UnpackOptions& from, TfLiteUnpackParams& to) {
  to.num = from.num();
  to.axis = from.axis();
  return OkStatus();
}

Status FillOneHot(const tflite::OneHotOptions& from, TfLiteOneHotParams& to) {
  to.axis = from.axis();
  return OkStatus();
}

Status FillMirrorPad(const tflite::MirrorPadOptions& from, TfLiteMirrorPaddingParams& to) {
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

Status FillUnique(const tflite::UniqueOptions& from, TfLiteUniqueParams& to) {
  return ReadType(from.idx_out_type(), to.index_out_type);
}

Status FillReverseSequence(const tflite::ReverseSequenceOptions& from,
                           TfLiteReverseSequenceParams& to) {
  to.seq_dim = from.seq_dim();
  to.batch_dim = from.batch_dim();
  return OkStatus();
}

constexpr ParamsRow kRows[] = {
    {tflite::BuiltinOperator_CONCATENATION, ReadTable<FillConcatenation>},
    {tflite::BuiltinOperator_RESHAPE, ReadTable<FillReshape>},
    {tflite::BuiltinOperator_SQUEEZE, ReadTable<FillSqueeze>},
    {tflite::BuiltinOperator_SPACE_TO_DEPTH, ReadTable<FillSpaceToDepth>},
    {tflite::BuiltinOperator_DEPTH_TO_SPACE, ReadTable<FillDepthToSpace>},
    {tflite::BuiltinOperator_GATHER, ReadTable<FillGather>},
    {tflite::BuiltinOperator_SPLIT, ReadTable<FillSplit>},
    {tflite::BuiltinOperator_SPLIT_V, ReadTable<FillSplitV>},
    {tflite::BuiltinOperator_STRIDED_SLICE, ReadTable<FillStridedSlice>},
    {tflite::BuiltinOperator_SPARSE_TO_DENSE, ReadTable<FillSparseToDense>},
    {tflite::BuiltinOperator_SHAPE, ReadTable<FillShape>},
    {tflite::BuiltinOperator_PACK, ReadTable<FillPack>},
    {tflite::BuiltinOperator_UNPACK, ReadTable<FillUnpack>},
    {tflite::BuiltinOperator_ONE_HOT, ReadTable<FillOneHot>},
    {tflite::BuiltinOperator_MIRROR_PAD, ReadTable<FillMirrorPad>},
    {tflite::BuiltinOperator_UNIQUE, ReadTable<FillUnique>},
    {tflite::BuiltinOperator_REVERSE_SEQUENCE, ReadTable<FillReverseSequence>},
    {tflite::BuiltinOperator_SPACE_TO_BATCH_ND, ReadEmpty<TfLiteSpaceToBatchNDParams>},
    {tflite::BuiltinOperator_BATCH_TO_SPACE_ND, ReadEmpty<TfLiteBatchToSpaceNDParams>},
    {tflite::BuiltinOperator_PAD, ReadEmpty<TfLitePadParams>},
    {tflite::BuiltinOperator_PADV2, ReadEmpty<TfLitePadV2Params>},
    {tflite::BuiltinOperator_TRANSPOSE, ReadEmpty<TfLiteTransposeParams>},
    {tflite::BuiltinOperator_RANK, ReadEmpty<TfLiteRankParams>},
    {tflite::BuiltinOperator_MATRIX_DIAG, ReadEmpty<TfLiteMatrixDiagParams>},
    {tflite::BuiltinOperator_MATRIX_SET_DIAG, ReadEmpty<TfLiteMatrixSetDiagParams>},
};

}  // namespace

std::span<const ParamsRow> ShapeParams() { return kRows; }

}  // namespace tern
