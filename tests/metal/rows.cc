// SPDX-License-Identifier: Apache-2.0
// Prints the messages and constants that the Metal backend knows, one to a line, for
// tests/metal/apple_signatures.py.
#include <cstdio>

#include "gpu/backends/metal/metal_messages.h"

int main() {
  using namespace tern::gpu;
#define TERN_ROW(receiver, name, selector, ...)              \
  std::printf("%s\t%s\t%s\t%s\n", kind, #receiver, selector, \
              ObjcMessage<__VA_ARGS__>::Encoding().c_str());
  const char* kind = "message";
  TERN_METAL_MESSAGES(TERN_ROW)
  kind = "class";
  TERN_METAL_CLASS_MESSAGES(TERN_ROW)
#define TERN_CONSTANT_ROW(name, apple, value) std::printf("constant\t%s\t%d\n", #apple, value);
  TERN_METAL_CONSTANTS(TERN_CONSTANT_ROW)
  return 0;
}
