// SPDX-License-Identifier: Apache-2.0
// The mark of kernels that do nothing but run the decomposition of a composite. The runtime may put
// the nodes of the decomposition in the place of such a node.
#ifndef TERN_ABI_COMPOSITE_KERNEL_H_
#define TERN_ABI_COMPOSITE_KERNEL_H_

#include "tensorflow/lite/core/c/common.h"

namespace tern {

// A bit of TfLiteRegistration::inplace_operator that TfLiteInPlaceOp does not use.
inline constexpr uint64_t kRunsDecomposition = uint64_t{1} << 62;

inline bool RunsDecomposition(const TfLiteRegistration& registration) {
  return (registration.inplace_operator & kRunsDecomposition) != 0;
}

}  // namespace tern

#endif  // TERN_ABI_COMPOSITE_KERNEL_H_
