// SPDX-License-Identifier: Apache-2.0
// A refusal reason stays with its status, and the first one counts.
#include "gpu/desc/reason.h"

#include <gtest/gtest.h>

#include "base/status.h"

namespace tern {
namespace {

TEST(Reason, TravelsWithTheStatus) {
  const RefusalReason refusal_reason = {Reason::kDeviceLimit, 3, Bound{int64_t{1} << 40, -2}};
  const Status status = Annotate(TooLarge("too much"), refusal_reason);
  EXPECT_EQ(RefusalReasonOf(status), refusal_reason);
  EXPECT_EQ(Message(status), "too much");
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_EQ(RefusalReasonOf(Unsupported("x")), std::nullopt);
  EXPECT_EQ(RefusalReasonOf(Annotate(OkStatus(), refusal_reason)), std::nullopt);
  EXPECT_TRUE(Annotate(OkStatus(), refusal_reason).ok());
}

TEST(Reason, TheFirstReasonStaysAndIsCompleted) {
  const Status inner = Annotate(Unsupported("x"), {Reason::kTensorType});
  const Status outer = Annotate(inner, {Reason::kShape, 7, Bound{9, 8}});
  EXPECT_EQ(RefusalReasonOf(outer), (RefusalReason{Reason::kTensorType, 7, Bound{9, 8}}));
  EXPECT_EQ(RefusalReasonOf(Annotate(outer, {Reason::kShape, 1, Bound{1, 1}})),
            RefusalReasonOf(outer));
}

}  // namespace
}  // namespace tern
