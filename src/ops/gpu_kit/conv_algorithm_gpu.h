// SPDX-License-Identifier: Apache-2.0
// Which kernel a convolution goes through: the one place for that choice.
#ifndef TERN_OPS_GPU_KIT_CONV_ALGORITHM_GPU_H_
#define TERN_OPS_GPU_KIT_CONV_ALGORITHM_GPU_H_

#include <cstdint>

#include "gpu/lower/lowering.h"
#include "ops/gpu_kit/conv_weights_gpu.h"
#include "ops/rules_kit/window_rules.h"

namespace tern::gpu {

enum class ConvAlgorithm {
  kWindow,     // conv_2d.kernel: any filter, stride, padding and grouping
  kWinograd,   // winograd_input.kernel and so on: 3 by 3 taps that lie and move side by side
  kPointwise,  // conv_1x1.kernel: one tap, over pixels in a line
  kShared,     // shared_product.kernel: one tap, and few pixels; items of a group share their sums
};

struct ConvChoice {
  ConvAlgorithm algorithm = ConvAlgorithm::kWindow;
  int items = 1;  // that share the sums of one slice of one pixel
};

// For a convolution from one box to another. `line`: its pixels may be viewed as one. Whether sums
// are shared does not depend on that: fusion decides it, and must not change the order of sums.
// Images of one pixel alone share them, so that few sizes make other programs.
ConvChoice ChooseConv(const Node& node, const Lowering& lower, const KernelConv& shape,
                      const Window& window, const Box& in, const Box& out, bool line);

// Pixels of a row that a work-item of kWindow makes, which share each weight that it reads. Of an
// image one pixel wide that is one. On a CPU, where short sums gain little by more, half as many
// are half the text to compile.
int PixelsInRow(const Lowering& lower, const KernelConv& shape, int width);

// For rows times weights.
ConvChoice ChooseProduct(const Lowering& lower, const KernelConv& shape, int64_t rows);

// Emits kShared. `dispatch` has been begun with shared_product.kernel and reads "src"; the output
// is viewed as `out`.
absl::Status EmitShared(const Node& node, Lowering& lower, const KernelConv& shape, const Box& out,
                        int items, TfLiteFusedActivation activation, bool channels_last,
                        DispatchBuilder& dispatch);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_CONV_ALGORITHM_GPU_H_
