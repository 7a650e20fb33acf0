// SPDX-License-Identifier: Apache-2.0
// Sizes of the parameter structs, by operation.
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/util.h"

namespace tflite {
namespace {

struct Entry {
  int op;
  int bytes;
};

constexpr Entry kSizes[] = {
    {kTfLiteBuiltinAdd, sizeof(TfLiteAddParams)},
    {kTfLiteBuiltinArgMax, sizeof(TfLiteArgMaxParams)},
    {kTfLiteBuiltinArgMin, sizeof(TfLiteArgMinParams)},
    {kTfLiteBuiltinBatchMatmul, sizeof(TfLiteBatchMatMulParams)},
    {kTfLiteBuiltinBatchToSpaceNd, sizeof(TfLiteBatchToSpaceNDParams)},
    {kTfLiteBuiltinBidirectionalSequenceLstm, sizeof(TfLiteBidirectionalSequenceLSTMParams)},
    {kTfLiteBuiltinBidirectionalSequenceRnn, sizeof(TfLiteBidirectionalSequenceRNNParams)},
    {kTfLiteBuiltinBucketize, sizeof(TfLiteBucketizeParams)},
    {kTfLiteBuiltinCallOnce, sizeof(TfLiteCallOnceParams)},
    {kTfLiteBuiltinCast, sizeof(TfLiteCastParams)},
    {kTfLiteBuiltinConcatenation, sizeof(TfLiteConcatenationParams)},
    {kTfLiteBuiltinConv2d, sizeof(TfLiteConvParams)},
    {kTfLiteBuiltinConv3d, sizeof(TfLiteConv3DParams)},
    {kTfLiteBuiltinConv3dTranspose, sizeof(TfLiteConv3DParams)},
    {kTfLiteBuiltinCumsum, sizeof(TfLiteCumsumParams)},
    {kTfLiteBuiltinDepthToSpace, sizeof(TfLiteDepthToSpaceParams)},
    {kTfLiteBuiltinDepthwiseConv2d, sizeof(TfLiteDepthwiseConvParams)},
    {kTfLiteBuiltinDiv, sizeof(TfLiteDivParams)},
    {kTfLiteBuiltinEmbeddingLookupSparse, sizeof(TfLiteEmbeddingLookupSparseParams)},
    {kTfLiteBuiltinFakeQuant, sizeof(TfLiteFakeQuantParams)},
    {kTfLiteBuiltinFullyConnected, sizeof(TfLiteFullyConnectedParams)},
    {kTfLiteBuiltinGather, sizeof(TfLiteGatherParams)},
    {kTfLiteBuiltinGelu, sizeof(TfLiteGeluParams)},
    {kTfLiteBuiltinHashtable, sizeof(TfLiteHashtableParams)},
    {kTfLiteBuiltinIf, sizeof(TfLiteIfParams)},
    {kTfLiteBuiltinL2Normalization, sizeof(TfLiteL2NormParams)},
    {kTfLiteBuiltinLshProjection, sizeof(TfLiteLSHProjectionParams)},
    {kTfLiteBuiltinLstm, sizeof(TfLiteLSTMParams)},
    {kTfLiteBuiltinLeakyRelu, sizeof(TfLiteLeakyReluParams)},
    {kTfLiteBuiltinLocalResponseNormalization, sizeof(TfLiteLocalResponseNormParams)},
    {kTfLiteBuiltinMatrixDiag, sizeof(TfLiteMatrixDiagParams)},
    {kTfLiteBuiltinMatrixSetDiag, sizeof(TfLiteMatrixSetDiagParams)},
    {kTfLiteBuiltinMirrorPad, sizeof(TfLiteMirrorPaddingParams)},
    {kTfLiteBuiltinMul, sizeof(TfLiteMulParams)},
    {kTfLiteBuiltinOneHot, sizeof(TfLiteOneHotParams)},
    {kTfLiteBuiltinPack, sizeof(TfLitePackParams)},
    {kTfLiteBuiltinPad, sizeof(TfLitePadParams)},
    {kTfLiteBuiltinPadv2, sizeof(TfLitePadV2Params)},
    {kTfLiteBuiltinAveragePool2d, sizeof(TfLitePoolParams)},
    {kTfLiteBuiltinMaxPool2d, sizeof(TfLitePoolParams)},
    {kTfLiteBuiltinL2Pool2d, sizeof(TfLitePoolParams)},
    {kTfLiteBuiltinRnn, sizeof(TfLiteRNNParams)},
    {kTfLiteBuiltinRandomStandardNormal, sizeof(TfLiteRandomParams)},
    {kTfLiteBuiltinRandomUniform, sizeof(TfLiteRandomParams)},
    {kTfLiteBuiltinMultinomial, sizeof(TfLiteRandomParams)},
    {kTfLiteBuiltinRank, sizeof(TfLiteRankParams)},
    {kTfLiteBuiltinReduceWindow, sizeof(TfLiteReduceWindowParams)},
    {kTfLiteBuiltinMean, sizeof(TfLiteReducerParams)},
    {kTfLiteBuiltinSum, sizeof(TfLiteReducerParams)},
    {kTfLiteBuiltinReduceProd, sizeof(TfLiteReducerParams)},
    {kTfLiteBuiltinReduceMax, sizeof(TfLiteReducerParams)},
    {kTfLiteBuiltinReduceMin, sizeof(TfLiteReducerParams)},
    {kTfLiteBuiltinReduceAny, sizeof(TfLiteReducerParams)},
    {kTfLiteBuiltinReduceAll, sizeof(TfLiteReducerParams)},
    {kTfLiteBuiltinReshape, sizeof(TfLiteReshapeParams)},
    {kTfLiteBuiltinResizeBilinear, sizeof(TfLiteResizeBilinearParams)},
    {kTfLiteBuiltinResizeNearestNeighbor, sizeof(TfLiteResizeNearestNeighborParams)},
    {kTfLiteBuiltinReverseSequence, sizeof(TfLiteReverseSequenceParams)},
    {kTfLiteBuiltinSvdf, sizeof(TfLiteSVDFParams)},
    {kTfLiteBuiltinUnidirectionalSequenceRnn, sizeof(TfLiteSequenceRNNParams)},
    {kTfLiteBuiltinShape, sizeof(TfLiteShapeParams)},
    {kTfLiteBuiltinSkipGram, sizeof(TfLiteSkipGramParams)},
    {kTfLiteBuiltinSoftmax, sizeof(TfLiteSoftmaxParams)},
    {kTfLiteBuiltinSpaceToBatchNd, sizeof(TfLiteSpaceToBatchNDParams)},
    {kTfLiteBuiltinSpaceToDepth, sizeof(TfLiteSpaceToDepthParams)},
    {kTfLiteBuiltinSparseToDense, sizeof(TfLiteSparseToDenseParams)},
    {kTfLiteBuiltinSplit, sizeof(TfLiteSplitParams)},
    {kTfLiteBuiltinSplitV, sizeof(TfLiteSplitVParams)},
    {kTfLiteBuiltinSqueeze, sizeof(TfLiteSqueezeParams)},
    {kTfLiteBuiltinStablehloCase, sizeof(TfLiteStablehloCaseParams)},
    {kTfLiteBuiltinStablehloComposite, sizeof(TfLiteStablehloCompositeParams)},
    {kTfLiteBuiltinStablehloConcatenate, sizeof(TfLiteStablehloConcatenateParams)},
    {kTfLiteBuiltinStablehloGather, sizeof(TfLiteStablehloGatherParams)},
    {kTfLiteBuiltinStablehloPad, sizeof(TfLiteStablehloPadParams)},
    {kTfLiteBuiltinStablehloReduceWindow, sizeof(TfLiteStablehloReduceWindowParams)},
    {kTfLiteBuiltinStablehloRngBitGenerator, sizeof(TfLiteStablehloRngBitGeneratorParams)},
    {kTfLiteBuiltinStablehloScatter, sizeof(TfLiteStablehloScatterParams)},
    {kTfLiteBuiltinStridedSlice, sizeof(TfLiteStridedSliceParams)},
    {kTfLiteBuiltinSub, sizeof(TfLiteSubParams)},
    {kTfLiteBuiltinTranspose, sizeof(TfLiteTransposeParams)},
    {kTfLiteBuiltinTransposeConv, sizeof(TfLiteTransposeConvParams)},
    {kTfLiteBuiltinUnidirectionalSequenceLstm, sizeof(TfLiteUnidirectionalSequenceLSTMParams)},
    {kTfLiteBuiltinUnique, sizeof(TfLiteUniqueParams)},
    {kTfLiteBuiltinUnpack, sizeof(TfLiteUnpackParams)},
    {kTfLiteBuiltinVarHandle, sizeof(TfLiteVarHandleParams)},
    {kTfLiteBuiltinWhile, sizeof(TfLiteWhileParams)},
};

}  // namespace

int GetBuiltinDataSize(BuiltinOperator op) {
  for (const Entry& entry : kSizes) {
    if (entry.op == static_cast<int>(op)) {
      return entry.bytes;
    }
  }
  return 0;
}

}  // namespace tflite
