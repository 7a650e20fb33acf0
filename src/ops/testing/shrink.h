// SPDX-License-Identifier: Apache-2.0
// A failing model made small: fewer operations, as long as it fails.
#ifndef TERN_OPS_TESTING_SHRINK_H_
#define TERN_OPS_TESTING_SHRINK_H_

#include <functional>

#include "ops/testing/check_model.h"

namespace tern::testing {

// The smallest model found by taking inner tensors as outputs and as inputs. `fails` must hold for
// `c`; it is asked about twice per operation.
ModelCase Shrink(const ModelCase& c, const std::function<bool(const ModelCase&)>& fails);

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_SHRINK_H_
