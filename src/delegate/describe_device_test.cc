// SPDX-License-Identifier: Apache-2.0
// Texts about devices: those at hand, and those that cannot be opened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "delegate/testing/delegate_test.h"
#include "tensorflow/lite/delegates/gpu/compatibility.h"

namespace tern::delegate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(DescribeDeviceTest, DevicesAtHandPassTheirTest) {
  for (const std::string& backend : BackendsAtHand()) {
    const std::string reported = TfLiteGpuDelegateV2DescribeDevice(backend.c_str());
    EXPECT_THAT(reported, HasSubstr("{\"backend\":\"" + backend + "\",\"name\":\""));
    EXPECT_THAT(reported, HasSubstr(",\"self_test\":\"passed\"}"));
  }
}

TEST(DescribeDeviceTest, WhatCannotBeOpenedSaysWhy) {
  for (const char* backend : {"abacus", "", static_cast<const char*>(nullptr)}) {
    const std::string reported = TfLiteGpuDelegateV2DescribeDevice(backend);
    EXPECT_THAT(reported, HasSubstr("\"error\":\"this build has no backend '"));
    EXPECT_THAT(reported, Not(HasSubstr("self_test")));
    EXPECT_EQ(TfLiteGpuDelegateV2MeasureFmaPeak(backend), 0);
  }
}

// A driver that tells no true times, for instance on a busy processor, has no peak. Some take
// seconds for it, so that the first device stands for all unless TERN_ALL_ENGINES is set.
TEST(DescribeDeviceTest, APeakIsNoneOrThatOfADevice) {
  std::vector<std::string> backends = BackendsAtHand();
  if (backends.empty()) GTEST_SKIP() << "no GPU driver here";
  if (std::getenv("TERN_ALL_ENGINES") == nullptr) backends.resize(1);
  for (const std::string& backend : backends) {
    const int64_t peak = TfLiteGpuDelegateV2MeasureFmaPeak(backend.c_str());
    EXPECT_TRUE(peak == 0 || peak > 100'000'000) << backend << ": " << peak;
  }
}

}  // namespace
}  // namespace tern::delegate
