// SPDX-License-Identifier: Apache-2.0
// A dispatch of a plan, printed as one compilable kernel in a language.
#ifndef TERN_GPU_SOURCE_WRITE_SOURCE_H_
#define TERN_GPU_SOURCE_WRITE_SOURCE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/plan.h"
#include "gpu/source/language.h"

namespace tern::gpu {

// The text of a dispatch, and all else that a launch of it needs.
struct Source {
  std::string text;
  Signature signature;
  // For each buffer of the signature: the plan tensor to bind.
  std::vector<TensorId> buffers;
  // Values of signature.uniforms: the bit patterns of ints and floats.
  std::vector<uint32_t> uniform_words;
  bool has_barrier = false;
};

// Prints one dispatch. Two dispatches with equal text share a program. An error names the kernel
// and the word or name that is wrong.
absl::StatusOr<Source> WriteSource(const Plan& plan, const Dispatch& dispatch,
                                   const DeviceInfo& device, const Language& language);

}  // namespace tern::gpu

#endif  // TERN_GPU_SOURCE_WRITE_SOURCE_H_
