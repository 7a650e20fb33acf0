// SPDX-License-Identifier: Apache-2.0
// How often the delegate looks at the runtime's graph.
#include "delegate/snapshot.h"

#include <map>

#include "delegate/testing/delegate_test.h"

namespace tern::delegate {
namespace {

// Stands before functions of a context, and counts how often nodes are shown. The runtime sets its
// own again where another graph is acquired.
struct CountedReads {
  decltype(TfLiteDelegate::Prepare) prepare = nullptr;
  TfLiteContext runtime = {};
  std::map<int, int> reads;  // by node
};
CountedReads& Counted() {
  static auto& counted = *new CountedReads();
  return counted;
}
TfLiteStatus CountAndShow(TfLiteContext* context, int index, TfLiteNode** node,
                          TfLiteRegistration** registration) {
  ++Counted().reads[index];
  return Counted().runtime.GetNodeAndRegistration(context, index, node, registration);
}
TfLiteStatus Acquire(TfLiteContext* context, int index, TfLiteContext** acquired) {
  const TfLiteStatus status = Counted().runtime.AcquireSubgraphContext(context, index, acquired);
  context->GetNodeAndRegistration = &CountAndShow;
  return status;
}
TfLiteStatus Release(TfLiteContext* context, int index) {
  const TfLiteStatus status = Counted().runtime.ReleaseSubgraphContext(context, index);
  context->GetNodeAndRegistration = &CountAndShow;
  return status;
}
TfLiteStatus PrepareCounted(TfLiteContext* context, TfLiteDelegate* delegate) {
  Counted().runtime = *context;
  context->GetNodeAndRegistration = &CountAndShow;
  context->AcquireSubgraphContext = &Acquire;
  context->ReleaseSubgraphContext = &Release;
  const TfLiteStatus status = Counted().prepare(context, delegate);
  context->GetNodeAndRegistration = Counted().runtime.GetNodeAndRegistration;
  context->AcquireSubgraphContext = Counted().runtime.AcquireSubgraphContext;
  context->ReleaseSubgraphContext = Counted().runtime.ReleaseSubgraphContext;
  return status;
}

TEST(Snapshot, TheDelegateReadsEachNodeOnce) {
  if (!gpu::OpenDevice("host").ok()) GTEST_SKIP() << "no host device here";
  const Delegate delegate = PluginDelegate({{"tern_backend", "host"}, {"tern_deny", "op:ABS"}});
  Counted().prepare = delegate->Prepare;
  Counted().reads.clear();
  delegate->Prepare = &PrepareCounted;
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_THAT(session->execution_plan(), SizeIs(1));
  EXPECT_EQ(Counted().reads, (std::map<int, int>{{0, 1}, {1, 1}, {2, 1}}));
}

}  // namespace
}  // namespace tern::delegate
