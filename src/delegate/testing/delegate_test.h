// SPDX-License-Identifier: Apache-2.0
// The common start of delegate tests: models, delegates over devices of the test's choice, the
// comparison with the CPU, and the names that nearly all of them say.
#ifndef TERN_DELEGATE_TESTING_DELEGATE_TEST_H_
#define TERN_DELEGATE_TESTING_DELEGATE_TEST_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "delegate/gpu_delegate.h"
#include "delegate/testing/models.h"
#include "delegate/testing/report_of.h"

namespace tern::delegate {

using gpu::Opened;
using testing::BackendsAtHand;
using testing::CpuResult;
using testing::Delegate;
using testing::Elements;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Pattern;
using testing::PluginDelegate;
using testing::PluginError;
using testing::ReportOf;
using testing::Session;
using ::testing::SizeIs;
using testing::SplitModel;
using testing::ThreeOpModel;

namespace testing {

// For results: devices round in other places than the CPU does.
inline auto CloseTo(const std::vector<float>& expected, float tolerance = 1e-5f) {
  return ::testing::Pointwise(::testing::FloatNear(tolerance), expected);
}

// A delegate over an opened device, or over what an opener gives.
template <class Source>
Delegate DelegateOver(const DelegateOptions& options, Source source) {
  return Delegate(CreateDelegate(std::make_shared<DelegateCore>(options, std::move(source))),
                  DeleteDelegate);
}

}  // namespace testing

using testing::CloseTo;
using testing::DelegateOver;

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_TESTING_DELEGATE_TEST_H_
