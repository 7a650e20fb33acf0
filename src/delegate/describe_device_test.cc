// SPDX-License-Identifier: Apache-2.0
// Texts about devices: those at hand, and those that cannot be opened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "delegate/testing/delegate_test.h"
#include "tensorflow/lite/delegates/gpu/compatibility.h"

namespace tern::delegate {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(DescribeDeviceTest, DevicesAtHandPassTheirTest) {
  for (const std::string& backend : BackendsAtHand()) {
    const std::string reported = TfLiteGpuDelegateV2DescribeDevice(backend.c_str());
    EXPECT_THAT(reported, HasSubstr("{\"backend\":\"" + backend + "\",\"name\":\""));
    // 0 where the driver tells no times.
    EXPECT_THAT(reported, ContainsRegex("\"fma_per_second\":[0-9]+,\"self_test\":\"passed\"}"));
  }
}

TEST(DescribeDeviceTest, WhatCannotBeOpenedSaysWhy) {
  for (const char* backend : {"abacus", "", static_cast<const char*>(nullptr)}) {
    const std::string reported = TfLiteGpuDelegateV2DescribeDevice(backend);
    EXPECT_THAT(reported, HasSubstr("\"error\":\"this build has no backend '"));
    EXPECT_THAT(reported, Not(HasSubstr("self_test")));
  }
}

}  // namespace
}  // namespace tern::delegate
