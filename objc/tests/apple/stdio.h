// SPDX-License-Identifier: Apache-2.0
// The part of it that our sources use.
#include <stdarg.h>
#include <stddef.h>
typedef struct FILE FILE;
int vsnprintf(char *text, size_t size, const char *format, va_list args);
