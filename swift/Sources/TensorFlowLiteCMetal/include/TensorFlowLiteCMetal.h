// SPDX-License-Identifier: Apache-2.0
// The header of the module TensorFlowLiteCMetal: the Metal delegate's own lies in include/.
#ifndef TERN_SWIFT_TENSORFLOWLITECMETAL_H_
#define TERN_SWIFT_TENSORFLOWLITECMETAL_H_

#include "tensorflow/lite/delegates/gpu/metal_delegate.h"

#endif  // TERN_SWIFT_TENSORFLOWLITECMETAL_H_
