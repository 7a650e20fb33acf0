// SPDX-License-Identifier: Apache-2.0
// Several texts made one.
#include "gpu/backends/opencl/cl_program.h"

#include <gtest/gtest.h>

namespace tern::gpu {
namespace {

ProgramSource Text(const std::string& text) { return {text, {}, false}; }

TEST(MergeClTexts, NamesOfOneAreNotThoseOfAnother) {
  const std::vector<ProgramSource> sources = {
      Text("typedef float real;\n"
           "#define W 4\n"
           "#define twice(V) ((V) + (V))\n"
           "static inline real half_of(real v) {\n"
           "  return v / 2;\n"
           "}\n"
           "__kernel void tern_main(\n"
           "    __global real* dst) {\n"
           "  dst[0] = twice(half_of(W));\n"
           "}\n"),
      Text("#define W 8\n__kernel void tern_main(int n) { }\n")};
  EXPECT_EQ(MergeClTexts(sources),
            "#define half_of half_of_1\n"
            "#define tern_main tern_main_1\n" +
                sources[0].text +
                "#undef half_of\n"
                "#undef tern_main\n"
                "#undef W\n"
                "#undef twice\n"
                "#define tern_main tern_main_2\n" +
                sources[1].text +
                "#undef tern_main\n"
                "#undef W\n");
  EXPECT_EQ(ClEntryName(0), "tern_main");
  EXPECT_EQ(ClEntryName(2), "tern_main_2");
}

}  // namespace
}  // namespace tern::gpu
