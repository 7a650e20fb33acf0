// SPDX-License-Identifier: Apache-2.0
// A cause stays with its status, and the first one counts.
#include "gpu/desc/reason.h"

#include <gtest/gtest.h>

#include "base/status.h"

namespace tern {
namespace {

TEST(Reason, TravelsWithTheStatus) {
  const Cause cause = {Reason::kDeviceLimit, 3, Bound{int64_t{1} << 40, -2}};
  const Status status = Because(TooLarge("too much"), cause);
  EXPECT_EQ(CauseOf(status), cause);
  EXPECT_EQ(Message(status), "too much");
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_EQ(CauseOf(Unsupported("x")), std::nullopt);
  EXPECT_EQ(CauseOf(Because(OkStatus(), cause)), std::nullopt);
  EXPECT_TRUE(Because(OkStatus(), cause).ok());
}

TEST(Reason, TheFirstCauseStaysAndIsCompleted) {
  const Status inner = Because(Unsupported("x"), {Reason::kTensorType});
  const Status outer = Because(inner, {Reason::kShape, 7, Bound{9, 8}});
  EXPECT_EQ(CauseOf(outer), (Cause{Reason::kTensorType, 7, Bound{9, 8}}));
  EXPECT_EQ(CauseOf(Because(outer, {Reason::kShape, 1, Bound{1, 1}})), CauseOf(outer));
}

}  // namespace
}  // namespace tern
