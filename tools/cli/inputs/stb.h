// SPDX-License-Identifier: Apache-2.0
// The stb headers, declarations only; stb.cc holds the code.
#ifndef TERN_TOOLS_CLI_INPUTS_STB_H_
#define TERN_TOOLS_CLI_INPUTS_STB_H_

#include <stb_image.h>
#include <stb_image_write.h>

#endif  // TERN_TOOLS_CLI_INPUTS_STB_H_
