// SPDX-License-Identifier: Apache-2.0
// The part of it that our sources use.
#include <stddef.h>
void *calloc(size_t count, size_t size);
void *malloc(size_t size);
void free(void *block);
