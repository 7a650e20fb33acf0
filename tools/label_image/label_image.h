// SPDX-License-Identifier: Apache-2.0
// Classifies a photo and prints the result on standard error, where scripts expect it.
#ifndef TERN_TOOLS_LABEL_IMAGE_LABEL_IMAGE_H_
#define TERN_TOOLS_LABEL_IMAGE_LABEL_IMAGE_H_

#include "absl/status/status.h"
#include "flags/flags.h"
#include "label_image/settings.h"

namespace tern::tools {

// The whole run of the tool. An error is the one message that is still to be printed.
absl::Status LabelImage(const LabelSettings& settings, const Flags& delegates);

}  // namespace tern::tools

#endif  // TERN_TOOLS_LABEL_IMAGE_LABEL_IMAGE_H_
