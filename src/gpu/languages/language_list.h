// SPDX-License-Identifier: Apache-2.0
// The languages that kernels are printed in, by name. None of them needs a backend or its library.
#ifndef TERN_GPU_LANGUAGES_LANGUAGE_LIST_H_
#define TERN_GPU_LANGUAGES_LANGUAGE_LIST_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "gpu/source/language.h"

namespace tern::gpu {

struct NamedLanguage {
  const char* name;
  const Language* language;   // static
  int max_slice_width;        // lanes of the widest slice that it can spell
  bool has_texels = false;    // it reads texel buffers
  bool whole_texels = false;  // DeviceInfo::whole_texels, on devices that are not at hand
};

// "opencl", "glsl", "metal" or "vulkan". An unknown name is an error that lists the known ones.
absl::StatusOr<NamedLanguage> FindLanguage(std::string_view name);

}  // namespace tern::gpu

#endif  // TERN_GPU_LANGUAGES_LANGUAGE_LIST_H_
