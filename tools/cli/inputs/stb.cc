// SPDX-License-Identifier: Apache-2.0
// The code of the stb headers, compiled once.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "cli/inputs/stb.h"
