// SPDX-License-Identifier: Apache-2.0
// docs/ops.md says what op_list.inc and the GPU registry say. TERN_UPDATE_DOCS=1 writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "base/str_cat.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern {
namespace {

constexpr char kPath[] = "docs/ops.md";

constexpr char kHead[] = R"(# Operations

Made from `src/ops/op_list.inc` and the GPU registry by `ops_test` (`TERN_UPDATE_DOCS=1 ops_test
--gtest_filter='OpsDocument*'`); that test fails when this page is out of date.

Every operation runs on the CPU. The next columns say which types of runtime tensors it takes on the GPU, the same
on every GPU engine, in F32 and F16 storage. INT64 is moved without loss;
where it says «indices», numbers must fit 32 bits. Constants may also be FLOAT16, INT8 and UINT8, and what DEQUANTIZE or
DENSIFY makes of a constant is a constant. A node whose shapes or options an operation does not take says so, with the
reason, and runs on the CPU. «step» marks operations that run inside the write of another one; «takes steps» those
that run such steps on what they write.

)";

struct GpuForm {
  bool present = false;
  gpu::OpTraits traits;
};

GpuForm FormOf(int builtin, const char* custom) {
  gpu::Node node;
  node.builtin_code = builtin;
  node.op = custom;
  const gpu::LoweringTable& table = gpu::GpuLoweringTable();
  if (table.FindLowering(node) == nullptr) return {};
  return {true, *table.Find(node)};
}

std::string GpuColumns(const GpuForm& form) {
  if (!form.present) return " - | |";
  const unsigned types = form.traits.types;
  std::string names;
  const auto add = [&](unsigned set, const char* name) {
    if ((types & set) != 0) names += StrCat(names.empty() ? "" : ", ", name);
  };
  add(gpu::kFloats, "FLOAT32");
  add(gpu::kInts, "INT32");
  add(gpu::kLongs, "INT64");
  add(gpu::kIndices, "INT64 indices");
  add(gpu::kBools, "BOOL");
  std::string fusion;
  if (form.traits.elementwise != nullptr) fusion = " step";
  if (form.traits.takes_chain) fusion += StrCat(fusion.empty() ? " " : ", ", "takes steps");
  return StrCat(" ", names, " |", fusion, " |");
}

std::string Document() {
  std::string text =
      StrCat(kHead, "| operation | versions | types on the GPU | fusion |\n|---|---|---|---|\n");
  int ops = 0, on_gpu = 0;
  const auto add = [&](const char* name, const std::string& versions, const GpuForm& form) {
    ++ops;
    on_gpu += form.present ? 1 : 0;
    text += StrCat("| ", name, " | ", versions, " |", GpuColumns(form), "\n");
  };
#define OP(builtin, Name, first, last)                                    \
  add(#builtin, first == last ? StrCat(first) : StrCat(first, "-", last), \
      FormOf(kTfLiteBuiltin##Name, #builtin));
#define CUSTOM_OP(code, Name) add(code, "custom", FormOf(kTfLiteBuiltinCustom, code));
#include "ops/op_list.inc"
  return StrCat(text, "\n", ops, " operations, ", on_gpu, " of them on the GPU.\n");
}

TEST(OpsDocument, IsCurrent) {
  const std::string text = Document();
  if (std::getenv("TERN_UPDATE_DOCS") != nullptr) std::ofstream(kPath) << text;
  std::ifstream file(kPath);
  std::ostringstream written;
  written << file.rdbuf();
  EXPECT_TRUE(written.str() == text) << kPath << " is out of date: TERN_UPDATE_DOCS=1 writes it";
}

}  // namespace
}  // namespace tern
