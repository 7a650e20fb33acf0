// SPDX-License-Identifier: Apache-2.0
// Parts of the C API, the delegate helpers and the profilers that C++ shows better than C.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/c_api_opaque.h"
#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"
#include "tensorflow/lite/delegates/interpreter_utils.h"
#include "tensorflow/lite/delegates/utils.h"
#include "tensorflow/lite/delegates/utils/simple_delegate.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/common.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/kernels/padding.h"
#include "tensorflow/lite/profiling/buffered_profiler.h"
#include "tensorflow/lite/profiling/profile_summarizer.h"

namespace tflite {
namespace {

using testing::HasSubstr;

TfLiteRegistration AddOne() {
  TfLiteRegistration registration = {};
  registration.builtin_code = kTfLiteBuiltinAbs;
  registration.version = 1;
  registration.prepare = [](TfLiteContext* context, TfLiteNode* node) {
    return context->ResizeTensor(context, GetOutput(context, node, 0),
                                 TfLiteIntArrayCopy(GetInput(context, node, 0)->dims));
  };
  registration.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* input = GetInput(context, node, 0);
    for (int64_t i = 0; i < NumElements(input); ++i) {
      GetOutput(context, node, 0)->data.f[i] = input->data.f[i] + 1;
    }
    return kTfLiteOk;
  };
  return registration;
}

// A chain of `nodes` operations that add one each; tensor 0 is the input, tensor `nodes` the
// output.
std::unique_ptr<Interpreter> Chain(int nodes) {
  auto interpreter = std::make_unique<Interpreter>();
  interpreter->AddTensors(nodes + 1);
  const TfLiteRegistration add_one = AddOne();
  for (int i = 0; i <= nodes; ++i) {
    interpreter->SetTensorParametersReadWrite(i, kTfLiteFloat32, "t", {2},
                                              TfLiteQuantizationParams());
  }
  for (int i = 0; i < nodes; ++i) {
    interpreter->AddNodeWithParameters({i}, {i + 1}, nullptr, 0, nullptr, &add_one);
  }
  interpreter->SetInputs({0});
  interpreter->SetOutputs({nodes});
  return interpreter;
}

// Takes the nodes of a list and adds ten for each.
class PickKernel : public SimpleDelegateKernelInterface {
 public:
  TfLiteStatus Init(TfLiteContext*, const TfLiteDelegateParams* params) override {
    count_ = params->nodes_to_replace->size;
    return kTfLiteOk;
  }
  TfLiteStatus Prepare(TfLiteContext*, TfLiteNode*) override { return kTfLiteOk; }
  TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) override {
    for (int i = 0; i < 2; ++i) {
      GetOutput(context, node, 0)->data.f[i] =
          GetInput(context, node, 0)->data.f[i] + 10.0f * static_cast<float>(count_);
    }
    return kTfLiteOk;
  }

 private:
  int count_ = 0;
};

class PickDelegate : public SimpleDelegateInterface {
 public:
  PickDelegate(std::vector<int> outputs, Options options)
      : outputs_(std::move(outputs)), options_(options) {}

  bool IsNodeSupportedByDelegate(const TfLiteRegistration*, const TfLiteNode* node,
                                 TfLiteContext*) const override {
    return std::count(outputs_.begin(), outputs_.end(), node->outputs->data[0]) > 0;
  }
  TfLiteStatus Initialize(TfLiteContext*) override { return kTfLiteOk; }
  const char* Name() const override { return "PickDelegate"; }
  std::unique_ptr<SimpleDelegateKernelInterface> CreateDelegateKernelInterface() override {
    return std::make_unique<PickKernel>();
  }
  Options DelegateOptions() const override { return options_; }

 private:
  const std::vector<int> outputs_;  // of the nodes to take
  const Options options_;
};

float RunWith(std::vector<int> outputs, SimpleDelegateInterface::Options options) {
  std::unique_ptr<Interpreter> interpreter = Chain(6);
  TfLiteDelegateUniquePtr delegate =
      TfLiteDelegateFactory::Create(std::make_unique<PickDelegate>(std::move(outputs), options));
  EXPECT_EQ(interpreter->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
  interpreter->typed_input_tensor<float>(0)[0] = 0;
  interpreter->typed_input_tensor<float>(0)[1] = 0;
  EXPECT_EQ(interpreter->Invoke(), kTfLiteOk);
  const float result = interpreter->typed_output_tensor<float>(0)[0];
  interpreter.reset();
  return result;
}

TEST(SimpleDelegate, TakesAllGroupsUnlessLimited) {
  // Nodes 1, 2 and 4 (by output) form two groups.
  EXPECT_EQ(RunWith({1, 2, 4}, {}), 33.0f);
  EXPECT_EQ(RunWith({1, 2, 4}, {1, 0}), 24.0f) << "only the larger group";
  EXPECT_EQ(RunWith({1, 2, 4}, {0, 2}), 24.0f) << "no group below two nodes";
  EXPECT_EQ(RunWith({1, 2, 4}, {0, 3}), 6.0f);
  EXPECT_EQ(RunWith({}, {}), 6.0f);
}

TEST(SimpleDelegate, DeleteAcceptsNull) { TfLiteDelegateFactory::DeleteSimpleDelegate(nullptr); }

// Runs a function as a delegate's Prepare.
struct Probe {
  std::function<TfLiteStatus(TfLiteContext*)> look;

  static TfLiteStatus Prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    return static_cast<Probe*>(delegate->data_)->look(context);
  }
  void ApplyTo(Interpreter* interpreter) {
    TfLiteDelegate delegate = TfLiteDelegateCreate();
    delegate.data_ = this;
    delegate.Prepare = Prepare;
    EXPECT_EQ(interpreter->ModifyGraphWithDelegate(&delegate), kTfLiteOk);
  }
};

TEST(PartitionHelper, CountsSortsAndExplains) {
  std::unique_ptr<Interpreter> interpreter = Chain(6);
  bool looked = false;
  Probe probe{[&](TfLiteContext* context) {
    delegates::GraphPartitionHelper helper(
        context, [](TfLiteContext*, TfLiteNode* node, TfLiteRegistration*, std::string* details) {
          *details = "not wanted";
          const int output = node->outputs->data[0];
          return output == 1 || output == 3 || output == 4;
        });
    std::set<std::string> refusals;
    EXPECT_EQ(helper.Partition(&refusals), kTfLiteOk);
    EXPECT_EQ(refusals, std::set<std::string>({"ABS: not wanted"}));
    EXPECT_EQ(helper.num_total_nodes(), 6);
    EXPECT_EQ(helper.num_supported_nodes(), 3);
    EXPECT_EQ(helper.num_partitions(), 2);
    EXPECT_THAT(helper.GetNodesOfFirstNLargestPartitions(1), testing::ElementsAre(2, 3));
    EXPECT_THAT(helper.GetNodesOfFirstNLargestPartitions(), testing::ElementsAre(2, 3, 0));
    EXPECT_TRUE(helper.GetFirstNLargestPartitions(5, 3).empty());
    EXPECT_EQ(helper.Partition(nullptr, 1, 2), kTfLiteOk) << "a part of the plan only";
    EXPECT_EQ(helper.num_supported_nodes(), 1);
    looked = true;
    return kTfLiteOk;
  }};
  probe.ApplyTo(interpreter.get());
  EXPECT_TRUE(looked);
}

TEST(PartitionHelper, SeesThroughHalfPrecisionConstants) {
  auto interpreter = std::make_unique<Interpreter>();
  interpreter->AddTensors(4);
  static const uint16_t kHalf[2] = {0x3C00, 0x4000};
  interpreter->SetTensorParametersReadOnly(0, kTfLiteFloat16, "half", {2}, TfLiteQuantization(),
                                           reinterpret_cast<const char*>(kHalf), sizeof(kHalf));
  for (int i = 1; i < 4; ++i) {
    interpreter->SetTensorParametersReadWrite(i, kTfLiteFloat32, "t", {2},
                                              TfLiteQuantizationParams());
  }
  TfLiteRegistration dequantize = AddOne();
  dequantize.builtin_code = kTfLiteBuiltinDequantize;
  TfLiteRegistration add = AddOne();
  add.builtin_code = kTfLiteBuiltinAdd;
  interpreter->AddNodeWithParameters({0}, {1}, nullptr, 0, nullptr, &dequantize);
  interpreter->AddNodeWithParameters({2, 1}, {3}, nullptr, 0, nullptr, &add);
  interpreter->SetInputs({2});
  interpreter->SetOutputs({3});
  int seen_input = -1;
  Probe probe{[&](TfLiteContext* context) {
    delegates::FP16GraphPartitionHelper helper(
        context, [&](TfLiteContext*, TfLiteNode* node, TfLiteRegistration*, std::string*) {
          seen_input = node->inputs->data[1];
          return true;
        });
    EXPECT_EQ(helper.Partition(nullptr), kTfLiteOk);
    EXPECT_EQ(seen_input, 0) << "the half constant itself";
    EXPECT_EQ(helper.num_supported_nodes(), 1);
    TfLiteNode* node = nullptr;
    TfLiteRegistration* registration = nullptr;
    context->GetNodeAndRegistration(context, 1, &node, &registration);
    EXPECT_EQ(node->inputs->data[1], 1) << "restored after the question";
    EXPECT_THAT(helper.GetNodesOfFirstNLargestPartitions(1), testing::ElementsAre(0, 1));
    EXPECT_EQ(node->inputs->data[1], 0) << "redirected for good";
    node->inputs->data[1] = 1;
    return kTfLiteOk;
  }};
  probe.ApplyTo(interpreter.get());
}

TEST(OpaqueDelegate, ReadsTheGraphAndReplacesNodes) {
  struct State {
    int nodes = 0;
    bool prepared = false;
  } state;
  TfLiteOpaqueDelegateBuilder builder = {};
  builder.data = &state;
  builder.Prepare = [](TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data) {
    auto* state = static_cast<State*>(data);
    TfLiteIntArray* plan = nullptr;
    TF_LITE_ENSURE_STATUS(TfLiteOpaqueContextGetExecutionPlan(context, &plan));
    state->nodes = plan->size;
    EXPECT_EQ(TfLiteOpaqueDelegateGetData(delegate), data);
    TfLiteOpaqueNode* node = nullptr;
    TfLiteOperator* op = nullptr;
    TF_LITE_ENSURE_STATUS(TfLiteOpaqueContextGetNodeAndRegistration(context, 0, &node, &op));
    EXPECT_EQ(TfLiteOperatorGetBuiltInCode(op), kTfLiteBuiltinAbs);
    EXPECT_EQ(TfLiteOpaqueNodeGetInputTensorIndex(node, 0), 0);
    EXPECT_EQ(TfLiteOpaqueNodeGetOutputTensorIndex(node, 1), -1);
    EXPECT_EQ(TfLiteOpaqueContextGetNumTensors(context), 3u);
    const int* inputs = nullptr;
    int num_inputs = 0;
    EXPECT_EQ(TfLiteOpaqueContextGetInputs(context, &inputs, &num_inputs), kTfLiteOk);
    EXPECT_EQ(num_inputs, 1);
    EXPECT_EQ(TfLiteOpaqueContextGetOpaqueTensor(context, 3), nullptr);
    TfLiteOperator* kernel =
        TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Opaque", 1, /*user_data=*/nullptr);
    TfLiteOperatorSetInvoke(kernel, [](TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
      const float values[2] = {42, 43};
      return TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueNodeGetOutput(context, node, 0), values,
                                              sizeof(values));
    });
    state->prepared = true;
    const IntArrayUniquePtr nodes(TfLiteIntArrayCopy(plan));
    return TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(context, kernel, nodes.get(),
                                                                    delegate);
  };
  TfLiteOpaqueDelegate* delegate = TfLiteOpaqueDelegateCreate(&builder);
  std::unique_ptr<Interpreter> interpreter = Chain(2);
  ASSERT_EQ(interpreter->ModifyGraphWithDelegate(reinterpret_cast<TfLiteDelegate*>(delegate)),
            kTfLiteOk);
  EXPECT_TRUE(state.prepared);
  EXPECT_EQ(state.nodes, 2);
  ASSERT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(interpreter->Invoke(), kTfLiteOk);
  EXPECT_EQ(interpreter->typed_output_tensor<float>(0)[1], 43.0f);
  interpreter.reset();
  TfLiteOpaqueDelegateDelete(delegate);
}

TEST(OpaqueTensor, StringsAndBuilder) {
  TensorUniquePtr t = BuildTfLiteTensor(kTfLiteString, std::vector<int>{1}, kTfLiteDynamic);
  auto* opaque = reinterpret_cast<TfLiteOpaqueTensor*>(t.get());
  const char* const texts[] = {"ab", "cde"};
  const int lengths[] = {2, 3};
  ASSERT_EQ(TfLiteOpaqueTensorWriteStrings(opaque, texts, 2, lengths), kTfLiteOk);
  EXPECT_EQ(TfLiteOpaqueTensorGetStringCount(opaque), 2);
  const char* text = nullptr;
  int length = 0;
  ASSERT_EQ(TfLiteOpaqueTensorGetString(opaque, 1, &text, &length), kTfLiteOk);
  EXPECT_EQ(std::string(text, static_cast<size_t>(length)), "cde");
  EXPECT_EQ(TfLiteOpaqueTensorGetString(opaque, 2, &text, &length), kTfLiteError);

  std::unique_ptr<Interpreter> interpreter = Chain(1);
  auto* context = reinterpret_cast<TfLiteOpaqueContext*>(interpreter->primary_subgraph().context());
  TfLiteOpaqueTensorBuilder* builder = TfLiteOpaqueTensorBuilderCreate();
  TfLiteOpaqueTensorBuilderSetType(builder, kTfLiteInt32);
  int index = -1;
  EXPECT_EQ(TfLiteOpaqueContextAddTensor(context, builder, &index), kTfLiteError);
  TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteArenaRw);
  EXPECT_EQ(TfLiteOpaqueContextAddTensor(context, builder, &index), kTfLiteOk);
  EXPECT_EQ(index, 2);
  EXPECT_EQ(TfLiteOpaqueTensorType(TfLiteOpaqueContextGetOpaqueTensor(context, 2)), kTfLiteInt32);
  TfLiteOpaqueTensorBuilderDelete(builder);
}

TEST(ExternalDelegate, OptionsAndMissingLibrary) {
  TfLiteExternalDelegateOptions options = TfLiteExternalDelegateOptionsDefault("/no/such/lib.so");
  for (int i = 0; i < kExternalDelegateMaxOptions; ++i) {
    ASSERT_EQ(options.insert(&options, "key", "value"), kTfLiteOk);
  }
  EXPECT_EQ(options.insert(&options, "one", "more"), kTfLiteError);
  testing::internal::CaptureStderr();
  EXPECT_EQ(TfLiteExternalDelegateCreate(&options), nullptr);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("Unable to load external delegate from : /no/such/lib.so"));
  for (int count : {-1, kExternalDelegateMaxOptions + 1}) {
    options.count = count;
    testing::internal::CaptureStderr();
    EXPECT_EQ(TfLiteExternalDelegateCreate(&options), nullptr);
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                HasSubstr("it cannot have " + std::to_string(count) + " options, at most 256"));
  }
  TfLiteExternalDelegateDelete(nullptr);
}

TEST(Profiling, FullBufferDropsNewEventsOrGrows) {
  using Type = Profiler::EventType;
  profiling::ProfileBuffer fixed(2, /*enabled=*/true);
  for (int i = 0; i < 3; ++i) {
    fixed.EndEvent(fixed.BeginEvent("e", Type::DEFAULT, i, 0));
  }
  ASSERT_EQ(fixed.Size(), 2u);
  EXPECT_EQ(fixed.At(0)->event_metadata, 0);
  EXPECT_EQ(fixed.At(1)->event_metadata, 1) << "the newest was dropped";
  EXPECT_EQ(fixed.BeginEvent("e", Type::DEFAULT, 3, 0), profiling::kInvalidEventHandle);
  fixed.Reset();
  EXPECT_EQ(fixed.BeginEvent("e", Type::DEFAULT, 4, 0), 0u);
  fixed.AddEvent("e", Type::DEFAULT, 1, 5, 0);
  EXPECT_EQ(fixed.At(2), nullptr);
  profiling::ProfileBuffer growing(1, /*enabled=*/true, /*allow_dynamic_expansion=*/true);
  for (int i = 0; i < 3; ++i) {
    growing.AddEvent("e", Type::DEFAULT, 5, i, 0);
  }
  ASSERT_EQ(growing.Size(), 3u);
  EXPECT_EQ(growing.At(2)->elapsed_time, 5u);
  growing.SetEnabled(false);
  EXPECT_EQ(growing.BeginEvent("e", Type::DEFAULT, 0, 0), profiling::kInvalidEventHandle);
}

TEST(Profiling, OneEventPerNodeAndASummary) {
  std::unique_ptr<Interpreter> interpreter = Chain(3);
  profiling::BufferedProfiler profiler(64);
  interpreter->SetProfiler(&profiler);
  ASSERT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
  profiler.StartProfiling();
  ASSERT_EQ(interpreter->Invoke(), kTfLiteOk);
  profiler.StopProfiling();
  int nodes = 0;
  for (const profiling::ProfileEvent* event : profiler.GetProfileEvents()) {
    if (event->event_type == Profiler::EventType::OPERATOR_INVOKE_EVENT) {
      EXPECT_EQ(event->tag, "ABS");
      EXPECT_EQ(event->event_metadata, nodes++);
    }
  }
  EXPECT_EQ(nodes, 3);
  profiling::ProfileSummarizer summarizer;
  EXPECT_FALSE(summarizer.HasProfiles());
  summarizer.ProcessProfiles(profiler.GetProfileEvents(), *interpreter);
  EXPECT_TRUE(summarizer.HasProfiles());
  EXPECT_THAT(summarizer.GetShortSummary(), HasSubstr("3 nodes observed"));
  EXPECT_THAT(summarizer.GetOutputString(), HasSubstr("ABS"));
}

TEST(Padding, SameAndValid) {
  int height = 0;
  int width = 0;
  const TfLitePaddingValues same =
      ComputePaddingHeightWidth(2, 2, 1, 1, 5, 6, 3, 3, kTfLitePaddingSame, &height, &width);
  EXPECT_EQ(height, 3);
  EXPECT_EQ(width, 3);
  EXPECT_EQ(same.height, 1);
  EXPECT_EQ(same.height_offset, 0);
  EXPECT_EQ(same.width, 0);
  EXPECT_EQ(same.width_offset, 1);
  EXPECT_EQ(ComputeOutSize(kTfLitePaddingValid, 7, 3, 2, 2), 2);
  EXPECT_EQ(ComputeOutSize(kTfLitePaddingSame, 7, 3, 0), 0);
}

TEST(Common, MultiplierRoundsTiesAwayFromZero) {
  EXPECT_EQ(MultiplyByQuantizedMultiplier(3, 1 << 30, 0), 2);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(-3, 1 << 30, -1), -1);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(5, 1 << 30, 1), 5);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(int64_t{100}, 1 << 30, 0), 50);
  EXPECT_EQ(ActivationFunctionWithMinMax(7, 0, 6), 6);
}

}  // namespace
}  // namespace tflite
