// SPDX-License-Identifier: Apache-2.0
// A delegate's report as JSON, in a header of its own: the library is slow to compile.
#ifndef TERN_DELEGATE_TESTING_REPORT_OF_H_
#define TERN_DELEGATE_TESTING_REPORT_OF_H_

#include "delegate/testing/models.h"
#include "nlohmann/json.hpp"
#include "tensorflow/lite/delegates/gpu/report.h"

namespace tern::delegate::testing {

inline nlohmann::json ReportOf(const Delegate& delegate) {
  return nlohmann::json::parse(TfLiteGpuDelegateV2Report(delegate.get()), nullptr, false);
}

}  // namespace tern::delegate::testing

#endif  // TERN_DELEGATE_TESTING_REPORT_OF_H_
