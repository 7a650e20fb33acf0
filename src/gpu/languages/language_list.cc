// SPDX-License-Identifier: Apache-2.0
// One line for each language.
#include "gpu/languages/language_list.h"

#include <string>
#include <vector>

#include "base/status.h"
#include "gpu/languages/glsl_language.h"
#include "gpu/languages/metal_language.h"
#include "gpu/languages/opencl_language.h"
#include "gpu/languages/vulkan_language.h"

namespace tern::gpu {

absl::StatusOr<NamedLanguage> FindLanguage(std::string_view name) {
  static const auto* const languages = new std::vector<NamedLanguage>{
      {"opencl", new OpenClLanguage, 16, true, true},
      {"glsl", new GlslLanguage, 4, true},
      {"metal", new MetalLanguage, 16},
      {"vulkan", new VulkanLanguage, 4, true},
  };
  std::string known;
  for (const NamedLanguage& language : *languages) {
    if (language.name == name) return language;
    known += StrCat(known.empty() ? "" : ", ", language.name);
  }
  return Invalid("unknown language '", name, "' (known: ", known, ")");
}

}  // namespace tern::gpu
