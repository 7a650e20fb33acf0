// SPDX-License-Identifier: Apache-2.0
// The part of it that our sources use.
#include <stddef.h>
size_t strlen(const char *text);
