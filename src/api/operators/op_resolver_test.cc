// SPDX-License-Identifier: Apache-2.0
//
// MutableOpResolver and operator codes; the debug tools.
#include <gtest/gtest.h>

#include "runtime/testing/fake_delegate.h"
#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/core/api/op_resolver_internal.h"
#include "tensorflow/lite/mutable_op_resolver.h"
#include "tensorflow/lite/optional_debug_tools.h"

namespace tern {
namespace {

using tflite::MutableOpResolver;

class Chained : public MutableOpResolver {
 public:
  explicit Chained(const tflite::OpResolver* other) { ChainOpResolver(other); }
};

TEST(MutableOpResolver, VersionsAreExact) {
  const TfLiteRegistration op = testing::AddOp();
  MutableOpResolver resolver;
  resolver.AddBuiltin(tflite::BuiltinOperator_ADD, &op, 2, 3);
  resolver.AddBuiltin(tflite::BuiltinOperator_SUB, nullptr);
  EXPECT_EQ(resolver.FindOp(tflite::BuiltinOperator_ADD, 1), nullptr);
  EXPECT_EQ(resolver.FindOp(tflite::BuiltinOperator_ADD, 4), nullptr);
  EXPECT_EQ(resolver.FindOp(tflite::BuiltinOperator_SUB, 1), nullptr);
  const TfLiteRegistration* found = resolver.FindOp(tflite::BuiltinOperator_ADD, 3);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->builtin_code, tflite::BuiltinOperator_ADD);
  EXPECT_EQ(found->custom_name, nullptr);
  EXPECT_EQ(found->version, 3);
}

TEST(MutableOpResolver, CustomOperationsByName) {
  const TfLiteRegistration op = testing::AddOp("ignored");
  MutableOpResolver resolver;
  resolver.AddCustom("Mine", &op, 1, 2);
  const TfLiteRegistration* found = resolver.FindOp("Mine", 2);
  ASSERT_NE(found, nullptr);
  EXPECT_STREQ(found->custom_name, "Mine");
  EXPECT_EQ(found->builtin_code, tflite::BuiltinOperator_CUSTOM);
  EXPECT_EQ(resolver.FindOp("Mine", 3), nullptr);
  EXPECT_EQ(resolver.FindOp("Other", 1), nullptr);
  EXPECT_EQ(resolver.FindOp(static_cast<const char*>(nullptr), 1), nullptr);
}

TEST(MutableOpResolver, AddAllOverridesAndChainsComeLast) {
  TfLiteRegistration a = testing::AddOp();
  TfLiteRegistration b = testing::FailingInvokeOp();
  MutableOpResolver first;
  first.AddBuiltin(tflite::BuiltinOperator_ADD, &a);
  MutableOpResolver second;
  second.AddBuiltin(tflite::BuiltinOperator_ADD, &b);
  second.AddCustom("Only", &b);
  Chained chained(&second);
  EXPECT_EQ(chained.FindOp("Only", 1)->invoke, b.invoke);
  EXPECT_TRUE(tflite::OpResolverInternal::MayContainUserDefinedOps(chained));
  chained.AddBuiltin(tflite::BuiltinOperator_ADD, &a);
  EXPECT_EQ(chained.FindOp(tflite::BuiltinOperator_ADD, 1)->invoke, a.invoke);
  first.AddAll(second);
  EXPECT_EQ(first.FindOp(tflite::BuiltinOperator_ADD, 1)->invoke, b.invoke);
  EXPECT_FALSE(tflite::OpResolverInternal::MayContainUserDefinedOps(MutableOpResolver()));
  EXPECT_EQ(tflite::OpResolverInternal::GetSharedCache(chained), nullptr);
}

TEST(DebugTools, NamesAndDelegation) {
  EXPECT_STREQ(tflite::AllocTypeName(kTfLiteArenaRw), "kTfLiteArenaRw");
  EXPECT_STREQ(tflite::AllocTypeName(static_cast<TfLiteAllocationType>(99)), "(invalid)");
  testing::FakeDelegate delegate;
  testing::Graph graph;
  graph.Chain(2);
  graph.Node({2}, {graph.Tensor()}, testing::AddOp("other"));
  EXPECT_FALSE(tflite::GetNodeDelegationMetadata(graph.subgraph()).has_delegate_applied);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  const auto metadata = tflite::GetNodeDelegationMetadata(graph.subgraph());
  EXPECT_TRUE(metadata.has_delegate_applied);
  EXPECT_EQ(metadata.is_node_delegated, (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(metadata.replaced_by_node, (std::vector<int>{3, 3, -1, -1}));
  ::testing::internal::CaptureStdout();
  tflite::PrintInterpreterState(&graph.interpreter);
  tflite::PrintInterpreterState(nullptr);
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("delegated by node 3"), std::string::npos);
  EXPECT_NE(text.find("kTfLiteArenaRw"), std::string::npos);
}

}  // namespace
}  // namespace tern
