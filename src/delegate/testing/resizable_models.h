// SPDX-License-Identifier: Apache-2.0
// Models whose first input may have other sizes than the file says, with shapes drawn for it.
#ifndef TERN_DELEGATE_TESTING_RESIZABLE_MODELS_H_
#define TERN_DELEGATE_TESTING_RESIZABLE_MODELS_H_

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace tern::delegate::testing {

using Random = std::mt19937;

struct ResizableModel {
  std::string name;
  std::vector<uint8_t> bytes;
  // A shape that the model takes.
  std::function<std::vector<int>(Random& random)> draw;
  float tolerance = 1e-4f;  // of results against the CPU's
};

// Convolutions, depthwise and pointwise ones, a mean, a classifier.
ResizableModel ConvNet();
// Elementwise operations, sums over an axis, fully connected layers.
ResizableModel ElementwiseNet();
// A sequence through an LSTM.
ResizableModel LstmNet();
// Paddings, transposed convolution, resizing, concatenation.
ResizableModel DecoderNet();
// Batched products of a tensor with itself, softmax.
ResizableModel AttentionNet();
// Slices, splits, transpositions, packing.
ResizableModel MovementNet();
// Two parts for the GPU around a node for the CPU.
ResizableModel SplitNet();
// Quantized convolutions.
ResizableModel QuantizedNet();

std::vector<ResizableModel> ResizableModels();

}  // namespace tern::delegate::testing

#endif  // TERN_DELEGATE_TESTING_RESIZABLE_MODELS_H_
