// SPDX-License-Identifier: Apache-2.0
// docs/ops.md says what op_table.inc, the GPU registry and the examples of the operations say.
// TERN_UPDATE_DOCS=1 writes it again.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/str_cat.h"
#include "ops/gpu_registry.h"
#include "ops/testing/current_document.h"
#include "ops/testing/example.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::testing {
namespace {

constexpr char kPath[] = "docs/ops.md";

constexpr char kHead[] = R"(# Operations

The types and ranks of each operation, found by trying: `ops_test` runs one-op models in every element type and in the ranks 0 to 6
(the examples are `src/ops/*/examples_test.cc`). `TERN_UPDATE_DOCS=1 ops_test --gtest_filter='OpsDocument*'` writes this
page; the test fails when it is out of date.

| column | meaning |
|---|---|
| operation | builtin operations in capitals, custom ones as they are called |
| versions | those that the resolver knows |
| CPU types | what prepares and runs, in the reference and in the optimized kernel alike: the type of the first operand whose type is free |
| CPU ranks | the ranks of that operand, in the first of the types; `-` where its shape is fixed |
| GPU types, GPU ranks | what the GPU takes whole, the same in F32 and F16 storage and on the engines `opencl`, `gles`, `metal` (text) and `host`, which share one table of lowerings; tried with the limits of the smallest device (4 buffers per dispatch, groups of 128, buffers of 128 MiB) |
| fusion | «step»: runs inside the write of another operation; «takes steps»: runs such steps on what it writes; «padding»: zeros that whoever «takes padding» reads outside its input; «view»: no launch where the memory stays the same |

F32 is FLOAT32, BF16 BFLOAT16, I8 INT8, U8 UINT8, C64 COMPLEX64 and so on. I4, I8, U8 and I16 are quantized where the
operation computes. «F32×I8» are F32 values with I8 weights; scales of I4 in FULLY_CONNECTED and EMBEDDING_LOOKUP may
belong to blocks of a row. «fixed» stands for)";

constexpr char kHeadRest[] = R"(,
«all» for these and STRING.

On the GPU, I64 is moved without loss; where it says «indices», numbers must fit 32 bits. I8, U8 and I16 with one scale are
viewed as F32 there ([gpu_plan.md](gpu_plan.md)), and constants may also be F16; what DEQUANTIZE or DENSIFY makes of a constant is
a constant. A node whose types, shapes or options an operation does not take on the GPU says so, with the reason, and runs on
the CPU. Of STABLEHLO_COMPOSITE the GPU takes some by name, and WHILE where its trip count is constant
([gpu_plan.md](gpu_plan.md)).

)";

// The types of whole bytes, and those with strings.
const std::vector<std::string> kFixed = {"F32", "F16", "BF16", "F64", "I8",   "U8",  "I16", "U16",
                                         "I32", "U32", "I64",  "U64", "BOOL", "C64", "C128"};

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += StrCat(text.empty() ? "" : " ", name);
  return text;
}

// Long lists by their names.
std::string TypesText(std::vector<std::string> types) {
  const auto has = [&](const std::string& type) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  if (std::all_of(kFixed.begin(), kFixed.end(), has)) {
    const bool strings = has("STRING");
    std::erase_if(types, [](const std::string& type) {
      return type == "STRING" || std::find(kFixed.begin(), kFixed.end(), type) != kFixed.end();
    });
    types.insert(types.begin(), strings ? "all" : "fixed");
  }
  return types.empty() ? "-" : Joined(types);
}

// «0-6», «2-4», «3 5».
std::string RanksText(const std::set<int>& ranks) {
  std::string text;
  for (auto at = ranks.begin(); at != ranks.end();) {
    const int first = *at;
    int last = first;
    while (++at != ranks.end() && *at == last + 1) last = *at;
    text += StrCat(text.empty() ? "" : " ", first);
    if (last > first) text += StrCat("-", last);
  }
  return text.empty() ? "-" : text;
}

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

std::string GpuColumns(const char* op, int version, const GpuForm& form) {
  if (!form.present) return " - | - | |";
  Taken taken = TakenByGpu(op, version);
  EXPECT_FALSE(taken.types.empty()) << op << ": no example runs on the GPU";
  for (std::string& type : taken.types) {
    if (type == "I64" && (form.traits.types & gpu::kInt64s) == 0) type = "I64 indices";
  }
  std::string fusion;
  const auto add = [&](bool holds, const char* what) {
    if (holds) fusion += StrCat(fusion.empty() ? " " : ", ", what);
  };
  add(form.traits.elementwise != nullptr, "step");
  add(form.traits.takes_epilogue, "takes steps");
  add(form.traits.padding != nullptr, "padding");
  add(form.traits.takes_padding != nullptr, "takes padding");
  add(form.traits.keeps_elements, "view");
  return StrCat(" ", TypesText(taken.types), " | ", RanksText(taken.ranks), " |", fusion, " |");
}

std::string Document() {
  std::string text = StrCat(kHead, "\n", Joined(kFixed), kHeadRest,
                            "| operation | versions | CPU types | CPU ranks | GPU types | GPU "
                            "ranks | fusion |\n|---|---|---|---|---|---|---|\n");
  int ops = 0, on_gpu = 0;
  const auto add = [&](const char* name, int last, const std::string& versions,
                       const GpuForm& form) {
    ++ops;
    on_gpu += form.present ? 1 : 0;
    const Taken cpu = TakenByCpu(name, last);
    EXPECT_FALSE(cpu.types.empty()) << name << ": no example runs on the CPU";
    text += StrCat("| ", name, " | ", versions, " | ", TypesText(cpu.types), " | ",
                   RanksText(cpu.ranks), " |", GpuColumns(name, last, form), "\n");
  };
#define OP(builtin, Name, first, last, ...)                                     \
  add(#builtin, last, first == last ? StrCat(first) : StrCat(first, "-", last), \
      FormOf(kTfLiteBuiltin##Name, #builtin));
#define CUSTOM_OP(code, Name, first, last, ...)                             \
  add(code, last, first == last ? StrCat(first) : StrCat(first, "-", last), \
      FormOf(kTfLiteBuiltinCustom, code));
#include "abi/op_table.inc"
  return StrCat(text, "\n", ops, " operations, ", on_gpu, " of them on the GPU.\n");
}

TEST(OpsDocument, IsCurrent) { ExpectCurrent(kPath, Document()); }

}  // namespace
}  // namespace tern::testing
