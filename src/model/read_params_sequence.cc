// SPDX-License-Identifier: Apache-2.0
// Parameters of recurrent layers, embeddings and text ops.

#include "model/read_params_internal.h"

namespace tern {

Status Fill(const tflite::SVDFOptions& from, TfLiteSVDFParams& to) {
  to.rank = from.rank();
  to.asymmetric_quantize_inputs = from.asymmetric_quantize_inputs();
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::RNNOptions& from, TfLiteRNNParams& to) {
  to.asymmetric_quantize_inputs = from.asymmetric_quantize_inputs();
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::SequenceRNNOptions& from, TfLiteSequenceRNNParams& to) {
  to.time_major = from.time_major();
  to.asymmetric_quantize_inputs = from.asymmetric_quantize_inputs();
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::BidirectionalSequenceRNNOptions& from,
            TfLiteBidirectionalSequenceRNNParams& to) {
  to.time_major = from.time_major();
  to.merge_outputs = from.merge_outputs();
  to.asymmetric_quantize_inputs = from.asymmetric_quantize_inputs();
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::LSTMOptions& from, TfLiteLSTMParams& to) {
  to.cell_clip = from.cell_clip();
  to.proj_clip = from.proj_clip();
  to.asymmetric_quantize_inputs = from.asymmetric_quantize_inputs();
  TERN_RETURN_IF_ERROR(ReadActivation(from.fused_activation_function(), to.activation));
  switch (from.kernel_type()) {
    case tflite::LSTMKernelType_FULL:
      to.kernel_type = kTfLiteLSTMFullKernel;
      return OkStatus();
    case tflite::LSTMKernelType_BASIC:
      to.kernel_type = kTfLiteLSTMBasicKernel;
      return OkStatus();
  }
  return Invalid("unknown kernel type (", static_cast<int>(from.kernel_type()), ")");
}

Status Fill(const tflite::UnidirectionalSequenceLSTMOptions& from,
            TfLiteUnidirectionalSequenceLSTMParams& to) {
  to.cell_clip = from.cell_clip();
  to.proj_clip = from.proj_clip();
  to.time_major = from.time_major();
  to.asymmetric_quantize_inputs = from.asymmetric_quantize_inputs();
  to.diagonal_recurrent_tensors = from.diagonal_recurrent_tensors();
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::BidirectionalSequenceLSTMOptions& from,
            TfLiteBidirectionalSequenceLSTMParams& to) {
  to.cell_clip = from.cell_clip();
  to.proj_clip = from.proj_clip();
  to.merge_outputs = from.merge_outputs();
  to.time_major = from.time_major();
  to.asymmetric_quantize_inputs = from.asymmetric_quantize_inputs();
  return ReadActivation(from.fused_activation_function(), to.activation);
}

Status Fill(const tflite::LSHProjectionOptions& from, TfLiteLSHProjectionParams& to) {
  switch (from.type()) {
    case tflite::LSHProjectionType_UNKNOWN:
      to.type = kTfLiteLshProjectionUnknown;
      return OkStatus();
    case tflite::LSHProjectionType_SPARSE:
      to.type = kTfLiteLshProjectionSparse;
      return OkStatus();
    case tflite::LSHProjectionType_DENSE:
      to.type = kTfLiteLshProjectionDense;
      return OkStatus();
  }
  return Invalid("unknown projection type (", static_cast<int>(from.type()), ")");
}

Status Fill(const tflite::SkipGramOptions& from, TfLiteSkipGramParams& to) {
  to.ngram_size = from.ngram_size();
  to.max_skip_size = from.max_skip_size();
  to.include_all_ngrams = from.include_all_ngrams();
  return OkStatus();
}

Status Fill(const tflite::EmbeddingLookupSparseOptions& from,
            TfLiteEmbeddingLookupSparseParams& to) {
  switch (from.combiner()) {
    case tflite::CombinerType_SUM:
      to.combiner = kTfLiteCombinerTypeSum;
      return OkStatus();
    case tflite::CombinerType_MEAN:
      to.combiner = kTfLiteCombinerTypeMean;
      return OkStatus();
    case tflite::CombinerType_SQRTN:
      to.combiner = kTfLiteCombinerTypeSqrtn;
      return OkStatus();
  }
  return Invalid("unknown combiner (", static_cast<int>(from.combiner()), ")");
}

}  // namespace tern
