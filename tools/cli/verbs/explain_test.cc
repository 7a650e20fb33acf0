// SPDX-License-Identifier: Apache-2.0
// `tern explain`, `plan` and `kernels` on a model whose nodes this program cannot all prepare.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/inputs/fill.h"
#include "cli/verbs.h"
#include "model/testing/model_builder.h"
#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using ::testing::HasSubstr;
using testing::ModelBuilder;

// RELU #0 -> ShopWindowOp #1, FlexErf #2, edgetpu-custom-op #3, ADD #4 that cannot be prepared ->
// TANH #5. The file's path.
std::string UnpreparedModel() {
  ModelBuilder b;
  int x = b.Op(tflite::BuiltinOperator_RELU, {b.Input({1, 4})}, {b.Tensor({1, 4})});
  for (const char* name : {"ShopWindowOp", "FlexErf", "edgetpu-custom-op"}) {
    x = b.CustomOp(name, {x}, {b.Tensor({1, 4})});
  }
  const int sum = b.Op(tflite::BuiltinOperator_ADD, {x, b.Const<float>({3}, {1, 2, 3})},
                       {b.Tensor({1, 4})}, tflite::AddOptionsT());
  b.Output(b.Op(tflite::BuiltinOperator_TANH, {sum}, {b.Tensor({1, 4})}));
  const std::string file = ::testing::TempDir() + "unprepared.tflite";
  const std::vector<uint8_t> bytes = b.Finish();
  EXPECT_TRUE(WriteFile(file, bytes.data(), bytes.size()).ok());
  return file;
}

// Prints of a verb that ends without an error.
template <class Options>
std::string PrintedBy(absl::StatusOr<int> (*verb)(const Options&), Options options) {
  options.model = UnpreparedModel();
  options.engine.device = "gles-min";
  ::testing::internal::CaptureStdout();
  const absl::StatusOr<int> status = verb(options);
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_TRUE(status.ok()) << status.status();
  EXPECT_EQ(status.value_or(-1), 0);
  return text;
}

constexpr const char* kNeeds[] = {
    "before it runs: ShopWindowOp: the application must register it",
    "before it runs: FlexErf: ",
    "before it runs: edgetpu-custom-op: ",
    "before it runs: ADD #4: it cannot run as it is: ",
};

TEST(UnpreparedNodes, AreDecidedAndTellWhatTheyNeed) {
  const std::string table = PrintedBy<ExplainOptions>(Explain, {});
  EXPECT_THAT(table, HasSubstr("6 nodes: 2 on the GPU, 0 folded into them, 4 on the CPU"));
  const std::string plans = PrintedBy<PlanOptions>(PrintPlans, {});
  const std::string kernels = PrintedBy<PlanOptions>(PrintKernels, {});
  for (const char* need : kNeeds) {
    EXPECT_THAT(table, HasSubstr(need));
    EXPECT_THAT(plans, HasSubstr(need));
    EXPECT_THAT(kernels, HasSubstr(need));
  }
  for (const char* node : {"RELU #0", "TANH #5"}) EXPECT_THAT(plans, HasSubstr(node));
  EXPECT_THAT(plans, HasSubstr("on the CPU: ShopWindowOp #1: this operation has no GPU form\n"));
  EXPECT_THAT(kernels, HasSubstr("// elementwise\n"));
}

TEST(UnpreparedNodes, AreInJsonAndPages) {
  ExplainOptions options;
  options.json = "-";
  const nlohmann::json reported = nlohmann::json::parse(PrintedBy(Explain, options));
  EXPECT_EQ(reported["decisions"].size(), 6u);
  EXPECT_EQ(reported["needs"].size(), 4u);
  options.json.clear();
  options.html = "-";
  const std::string page = PrintedBy(Explain, options);
  EXPECT_THAT(page, HasSubstr("ShopWindowOp: the application must register it"));
  EXPECT_THAT(page, HasSubstr("its preparation fails: "));
}

}  // namespace
}  // namespace tern::cli
