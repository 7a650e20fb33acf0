// SPDX-License-Identifier: Apache-2.0
// Where an LSTM node of the full kernel, and one of a sequence, has its operands.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_LSTM_SHARED_H_
#define TERN_TENSORFLOW_LITE_KERNELS_LSTM_SHARED_H_

namespace tflite {
namespace ops {
namespace builtin {
namespace lstm {
namespace full {

constexpr int kInputTensor = 0;
// Matrices [cells, inputs] by gate; the first may be missing.
constexpr int kInputToInputWeightsTensor = 1;
constexpr int kInputToForgetWeightsTensor = 2;
constexpr int kInputToCellWeightsTensor = 3;
constexpr int kInputToOutputWeightsTensor = 4;
// Matrices [cells, outputs]; the first may be missing.
constexpr int kRecurrentToInputWeightsTensor = 5;
constexpr int kRecurrentToForgetWeightsTensor = 6;
constexpr int kRecurrentToCellWeightsTensor = 7;
constexpr int kRecurrentToOutputWeightsTensor = 8;
// Peepholes [cells], which may be missing.
constexpr int kCellToInputWeightsTensor = 9;
constexpr int kCellToForgetWeightsTensor = 10;
constexpr int kCellToOutputWeightsTensor = 11;
// Biases [cells]; the first may be missing.
constexpr int kInputGateBiasTensor = 12;
constexpr int kForgetGateBiasTensor = 13;
constexpr int kCellGateBiasTensor = 14;
constexpr int kOutputGateBiasTensor = 15;
// [outputs, cells] and [outputs], which may be missing.
constexpr int kProjectionWeightsTensor = 16;
constexpr int kProjectionBiasTensor = 17;
// Variables [batch, outputs] and [batch, cells].
constexpr int kOutputStateTensor = 18;
constexpr int kCellStateTensor = 19;
// Coefficients of layer norms [cells], which may be missing; nodes of 20 inputs have no place for
// them.
constexpr int kInputLayerNormCoefficientsTensor = 20;
constexpr int kForgetLayerNormCoefficientsTensor = 21;
constexpr int kCellLayerNormCoefficientsTensor = 22;
constexpr int kOutputLayerNormCoefficientsTensor = 23;

constexpr int kOutputTensor = 0;

}  // namespace full
}  // namespace lstm
}  // namespace builtin
}  // namespace ops
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_LSTM_SHARED_H_
