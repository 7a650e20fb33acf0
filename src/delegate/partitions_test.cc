// SPDX-License-Identifier: Apache-2.0
// How often the choice of parts lowers a node.
#include "delegate/partitions.h"

#include <map>

#include "delegate/testing/delegate_test.h"
#include "gpu/testing/counting_table.h"

namespace tern::delegate {
namespace {

using Counts = std::map<std::string, int>;

// A delegate that plans and replaces nothing.
struct Planner {
  gpu::CountingTable table;
  Target target;
  absl::StatusOr<CompiledGraph> graph = absl::InternalError("nothing was planned");

  static TfLiteStatus Prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    auto* self = static_cast<Planner*>(delegate->data_);
    const auto snapshot = Snapshot::Read(context, self->table, /*quantized=*/true);
    if (snapshot.ok()) self->graph = CompileGraph(*snapshot, self->target, 0);
    return kTfLiteOk;
  }
  void Plan(const std::vector<uint8_t>& model) {
    target.opened = *gpu::OpenDevice("null:mali");
    target.table = &table;
    target.plan_only = true;
    TfLiteDelegate delegate = TfLiteDelegateCreate();
    delegate.data_ = this;
    delegate.Prepare = &Prepare;
    Session session(model);
    ASSERT_EQ(session->ModifyGraphWithDelegate(&delegate), kTfLiteOk) << session.errors.text;
    ASSERT_TRUE(graph.ok()) << graph.status();
  }
};

TEST(Partitions, OnePartLowersEachNodeOnce) {
  Planner planner;
  planner.Plan(ThreeOpModel());
  EXPECT_THAT(planner.graph->parts, SizeIs(1));
  EXPECT_EQ(planner.table.counts, (Counts{{"RELU #0", 1}}));  // with the others in it
}

TEST(Partitions, SeveralPartsLowerEachNodeOnce) {
  for (const int max : {1, 2}) {
    Planner planner;
    planner.target.max_partitions = max;
    planner.Plan(SplitModel());
    EXPECT_THAT(planner.graph->parts, SizeIs(max));
    EXPECT_EQ(planner.table.counts, (Counts{{"RELU #0", 1}, {"LOGISTIC #2", 1}}));
  }
}

// x -> TANH -> OnlyOnCpu -> SOFTMAX -> CUMSUM along a computed axis -> SOFTMAX
// -> y
TEST(Partitions, ARefusalLowersTheNodesOfItsPartAgain) {
  tern::testing::ModelBuilder b;
  const std::vector<int> shape = {2, 4};
  tflite::SoftmaxOptionsT softmax;
  softmax.beta = 1;
  const int axis = b.Input({}, tflite::TensorType_INT32, "axis");
  int v = b.Op(tflite::BuiltinOperator_TANH, {b.Input(shape)}, {b.Tensor(shape)});
  v = b.CustomOp("OnlyOnCpu", {v}, {b.Tensor(shape)});
  v = b.Op(tflite::BuiltinOperator_SOFTMAX, {v}, {b.Tensor(shape)}, softmax);
  v = b.Op(tflite::BuiltinOperator_CUMSUM, {v, axis}, {b.Tensor(shape)}, tflite::CumsumOptionsT());
  b.Output(b.Op(tflite::BuiltinOperator_SOFTMAX, {v}, {b.Tensor(shape)}, softmax));
  Planner planner;
  planner.target.max_partitions = 3;
  planner.Plan(b.Finish());
  EXPECT_THAT(planner.graph->parts, SizeIs(3));
  EXPECT_EQ(planner.table.counts,
            (Counts{{"TANH #0", 1}, {"SOFTMAX #2", 2}, {"CUMSUM #3", 1}, {"SOFTMAX #4", 2}}));
}

}  // namespace
}  // namespace tern::delegate
