// SPDX-License-Identifier: Apache-2.0
// Languages are found by name in every build, and the words of each are its own.
#include "gpu/languages/language_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tern::gpu {
namespace {

using ::testing::HasSubstr;

TEST(LanguageList, EachNameIsItsOwnLanguage) {
  struct Case {
    const char* name;
    int width;
    const char* entry;  // how a program begins
  };
  for (const Case& c : {Case{"opencl", 16, "__kernel"}, Case{"glsl", 4, "void main()"},
                        Case{"metal", 16, "kernel void"}, Case{"vulkan", 4, "void main()"}}) {
    SCOPED_TRACE(c.name);
    const absl::StatusOr<NamedLanguage> found = FindLanguage(c.name);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->max_slice_width, c.width);
    EXPECT_THAT(found->language->EntryPoint(Signature()), HasSubstr(c.entry));
  }
}

TEST(LanguageList, AnUnknownNameIsReportedWithTheKnownOnes) {
  EXPECT_EQ(FindLanguage("cobol").status().message(),
            "unknown language 'cobol' (known: opencl, glsl, metal, vulkan)");
}

}  // namespace
}  // namespace tern::gpu
