// SPDX-License-Identifier: Apache-2.0
// The settings of inputs that flags give.
#include "benchmark_model/inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchmark_model/options.h"

namespace tern::tools {
namespace {

using testing::ElementsAre;

absl::StatusOr<std::vector<InputLayer>> Parsed(std::vector<std::string> arguments) {
  Flags flags(BenchmarkFlags());
  if (absl::Status status = flags.Parse(&arguments); !status.ok()) return status;
  return ParseInputLayers(flags);
}

TEST(Inputs, LayersHaveShapesRangesAndFiles) {
  const auto layers =
      Parsed({"--input_layer=a:0,b", "--input_layer_shape=1,2,3:7",
              "--input_layer_value_range=b,-3,9", "--input_layer_value_files=a::0:folder/x.bin"});
  ASSERT_TRUE(layers.ok()) << layers.status();
  ASSERT_EQ(layers->size(), 2u);
  EXPECT_THAT(layers->front().shape, ElementsAre(1, 2, 3));
  EXPECT_EQ(layers->front().file, "folder/x.bin");
  EXPECT_FALSE(layers->front().range);
  EXPECT_THAT(layers->back().shape, ElementsAre(7));
  EXPECT_EQ(layers->back().range, std::pair(-3, 9));
}

TEST(Inputs, BadItemsAreErrors) {
  const std::string one = "--input_layer=a";
  const std::string shape = "--input_layer_shape=1";
  EXPECT_FALSE(Parsed({one}).ok());
  EXPECT_FALSE(Parsed({one, "--input_layer_shape=1:2"}).ok());
  EXPECT_FALSE(Parsed({one, "--input_layer_shape=1,x"}).ok());
  EXPECT_FALSE(Parsed({one, "--input_layer_shape=-1"}).ok());
  EXPECT_FALSE(Parsed({one, shape, "--input_layer_value_range=c,1,2"}).ok());
  EXPECT_FALSE(Parsed({one, shape, "--input_layer_value_range=a,2,1"}).ok());
  EXPECT_FALSE(Parsed({one, shape, "--input_layer_value_range=a,1"}).ok());
  EXPECT_FALSE(Parsed({one, shape, "--input_layer_value_files=a"}).ok());
  EXPECT_FALSE(Parsed({one, shape, "--input_layer_value_files=c:x"}).ok());
  EXPECT_TRUE(Parsed({one, shape}).ok());
  EXPECT_TRUE(Parsed({}).ok());
}

}  // namespace
}  // namespace tern::tools
