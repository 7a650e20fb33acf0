// SPDX-License-Identifier: Apache-2.0
// Files of compile_shaders.c and compile_kernels.c.
#ifndef TERN_TOOLS_GPU_STATS_KERNEL_FILES_H_
#define TERN_TOOLS_GPU_STATS_KERNEL_FILES_H_

#include <stdio.h>
#include <stdlib.h>

static void Stop(const char* why) {
  fprintf(stderr, "gpu_stats: %s\n", why);
  exit(2);
}

static char* ReadFile(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) Stop(path);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char* text = calloc(1, (size_t)size + 1);
  if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) Stop(path);
  fclose(file);
  return text;
}

// Drivers write listings to either stream, so both name the file.
static void Begin(const char* path) {
  printf("begin\t%s\n", path);
  fflush(stdout);
  fprintf(stderr, "begin\t%s\n", path);
  fflush(stderr);
}

#endif  // TERN_TOOLS_GPU_STATS_KERNEL_FILES_H_
