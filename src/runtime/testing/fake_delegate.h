// SPDX-License-Identifier: Apache-2.0
//
// A delegate for runtime tests: takes the nodes with a given operation name, and adds on its own.
// Every step can be made to fail. Header-only.
#ifndef TERN_RUNTIME_TESTING_FAKE_DELEGATE_H_
#define TERN_RUNTIME_TESTING_FAKE_DELEGATE_H_

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::testing {

class FakeDelegate {
 public:
  explicit FakeDelegate(std::string op_name = "add") : op_name_(std::move(op_name)) {
    std::memset(&delegate_, 0, sizeof(delegate_));
    delegate_.data_ = this;
    delegate_.Prepare = Prepare;
    delegate_.CopyFromBufferHandle = CopyFrom;
    delegate_.FreeBufferHandle = FreeHandle;
  }
  // Fills its memory with rubbish, so that whoever follows a pointer into it crashes.
  ~FakeDelegate() { std::memset(&delegate_, 0xDB, sizeof(delegate_)); }

  TfLiteDelegate* get() { return &delegate_; }

  // Settings.
  int64_t flags = kTfLiteDelegateFlagsNone;
  TfLiteStatus prepare_status = kTfLiteOk;
  bool fail_init = false;
  bool fail_kernel_prepare = false;
  bool fail_kernel_invoke = false;
  bool dynamic_outputs = false;
  bool leave_output_in_buffer = false;
  int max_nodes = 1 << 20;
  TfLiteStatus copy_status = kTfLiteOk;

  // The record of the calls.
  int prepare_calls = 0;
  int kernels_made = 0;
  int kernels_freed = 0;
  int kernel_prepares = 0;
  int copies = 0;
  std::vector<int> freed_handles;
  std::vector<std::vector<int>> previewed;  // nodes of each part
  std::vector<std::vector<int>> part_inputs;

  TfLiteDelegate* Ready() {
    delegate_.flags = flags;
    return &delegate_;
  }

 private:
  struct Step {
    std::vector<int> inputs;
    int output;
  };
  // Keeps what it needs, so that freeing it does not touch the delegate.
  struct Kernel {
    FakeDelegate* owner;
    std::vector<Step> steps;
    std::vector<int> inputs;
    std::vector<int> outputs;
    std::map<int, std::vector<float>> values;
    int* freed_counter;
  };

  static std::vector<int> ToVector(const TfLiteIntArray* a) {
    return std::vector<int>(a->data, a->data + a->size);
  }

  static TfLiteStatus Prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    auto* self = static_cast<FakeDelegate*>(delegate->data_);
    ++self->prepare_calls;
    TfLiteIntArray* plan = nullptr;
    if (context->GetExecutionPlan(context, &plan) != kTfLiteOk) return kTfLiteError;
    std::vector<int> chosen;
    for (int i = 0; i < plan->size; ++i) {
      TfLiteNode* node = nullptr;
      TfLiteRegistration* op = nullptr;
      if (context->GetNodeAndRegistration(context, plan->data[i], &node, &op) != kTfLiteOk) {
        return kTfLiteError;
      }
      if (op->builtin_code == kTfLiteBuiltinDelegate || op->custom_name == nullptr) continue;
      if (self->op_name_ == op->custom_name && static_cast<int>(chosen.size()) < self->max_nodes) {
        chosen.push_back(plan->data[i]);
      }
    }
    TfLiteIntArray* nodes = TfLiteIntArrayCreate(static_cast<int>(chosen.size()));
    for (size_t i = 0; i < chosen.size(); ++i) nodes->data[i] = chosen[i];
    TfLiteDelegateParams* parts = nullptr;
    int part_count = 0;
    self->previewed.clear();
    if (context->PreviewDelegatePartitioning(context, nodes, &parts, &part_count) == kTfLiteOk) {
      for (int p = 0; p < part_count; ++p) {
        self->previewed.push_back(ToVector(parts[p].nodes_to_replace));
      }
    }
    const TfLiteStatus status = context->ReplaceNodeSubsetsWithDelegateKernels(
        context, self->KernelRegistration(), nodes, delegate);
    TfLiteIntArrayFree(nodes);
    return self->prepare_status != kTfLiteOk ? self->prepare_status : status;
  }

  TfLiteRegistration KernelRegistration() {
    TfLiteRegistration kernel = {};
    kernel.custom_name = "FakeKernel";
    kernel.version = 1;
    kernel.init = Init;
    kernel.free = [](TfLiteContext*, void* data) {
      auto* k = static_cast<Kernel*>(data);
      ++*k->freed_counter;
      delete k;
    };
    kernel.prepare = PrepareKernel;
    kernel.invoke = InvokeKernel;
    return kernel;
  }

  static void* Init(TfLiteContext* context, const char* buffer, size_t) {
    const auto* params = reinterpret_cast<const TfLiteDelegateParams*>(buffer);
    auto* self = static_cast<FakeDelegate*>(params->delegate->data_);
    if (self->fail_init) return TfLiteKernelInitFailed();
    ++self->kernels_made;
    auto* kernel = new Kernel{
        self, {},           ToVector(params->input_tensors), ToVector(params->output_tensors),
        {},   &FreedCount()};
    self->part_inputs.push_back(kernel->inputs);
    for (int i = 0; i < params->nodes_to_replace->size; ++i) {
      TfLiteNode* node = nullptr;
      TfLiteRegistration* op = nullptr;
      context->GetNodeAndRegistration(context, params->nodes_to_replace->data[i], &node, &op);
      kernel->steps.push_back({ToVector(node->inputs), node->outputs->data[0]});
    }
    return kernel;
  }

  static TfLiteStatus PrepareKernel(TfLiteContext* context, TfLiteNode* node) {
    auto* kernel = static_cast<Kernel*>(node->user_data);
    ++kernel->owner->kernel_prepares;
    if (kernel->owner->fail_kernel_prepare) return kTfLiteError;
    if (kernel->owner->dynamic_outputs) {
      for (int output : kernel->outputs) {
        TfLiteTensor& t = context->tensors[output];
        t.allocation_type = kTfLiteDynamic;
        t.data.raw = nullptr;
      }
      return kTfLiteOk;
    }
    for (int output : kernel->outputs) {
      context->ResizeTensor(context, &context->tensors[output],
                            TfLiteIntArrayCopy(context->tensors[kernel->inputs[0]].dims));
    }
    return kTfLiteOk;
  }

  static TfLiteStatus InvokeKernel(TfLiteContext* context, TfLiteNode* node) {
    auto* kernel = static_cast<Kernel*>(node->user_data);
    if (kernel->owner->fail_kernel_invoke) return kTfLiteError;
    for (int input : kernel->inputs) {
      const TfLiteTensor& t = context->tensors[input];
      kernel->values[input].assign(t.data.f, t.data.f + t.bytes / sizeof(float));
    }
    for (const Step& step : kernel->steps) {
      std::vector<float> sum(kernel->values[step.inputs[0]].size(), 0.0f);
      for (int input : step.inputs) {
        if (input < 0) continue;
        const std::vector<float>& in = kernel->values[input];
        for (size_t i = 0; i < sum.size(); ++i) sum[i] += in[i % in.size()];
      }
      kernel->values[step.output] = sum;
    }
    for (int output : kernel->outputs) {
      const std::vector<float>& result = kernel->values[output];
      TfLiteTensor& t = context->tensors[output];
      if (kernel->owner->leave_output_in_buffer) {
        kernel->owner->buffers_[output] = result;
        t.buffer_handle = output;
        t.data_is_stale = true;
        std::memset(t.data.raw, 0, t.bytes);
        continue;
      }
      if (kernel->owner->dynamic_outputs) {
        TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
        dims->data[0] = static_cast<int>(result.size());
        context->ResizeTensor(context, &t, dims);
      }
      std::memcpy(t.data.raw, result.data(), t.bytes);
    }
    return kTfLiteOk;
  }

  static TfLiteStatus CopyFrom(TfLiteContext*, TfLiteDelegate* delegate, TfLiteBufferHandle handle,
                               TfLiteTensor* tensor) {
    auto* self = static_cast<FakeDelegate*>(delegate->data_);
    ++self->copies;
    const std::vector<float>& source = self->buffers_[handle];
    std::memcpy(tensor->data.raw, source.data(), source.size() * sizeof(float));
    return self->copy_status;
  }

  static void FreeHandle(TfLiteContext*, TfLiteDelegate* delegate, TfLiteBufferHandle* handle) {
    auto* self = static_cast<FakeDelegate*>(delegate->data_);
    self->freed_handles.push_back(*handle);
    *handle = kTfLiteNullBufferHandle;
  }

 public:
  // Kernels freed by all fake delegates of the program.
  static int& FreedCount() {
    static int count = 0;
    return count;
  }

 private:
  TfLiteDelegate delegate_;
  std::string op_name_;
  std::map<int, std::vector<float>> buffers_;
};

// add, other, add, add: a delegate for "add" takes two parts of it.
inline void MixedChain(Graph* graph) {
  for (int i = 0; i < 5; ++i) graph->Tensor();
  graph->Node({0, 0}, {1});
  graph->Node({1, 1}, {2}, AddOp("other"));
  graph->Node({2, 2}, {3});
  graph->Node({3, 3}, {4});
  graph->interpreter.SetInputs({0});
  graph->interpreter.SetOutputs({4});
}

// The values of tensor `output` after a run with input 0 filled with `value`.
inline std::vector<float> RunWith(Graph* graph, float value, int output) {
  graph->Fill(0, value);
  EXPECT_EQ(graph->interpreter.Invoke(), kTfLiteOk) << graph->reporter.text;
  return graph->Values(output);
}

}  // namespace tern::testing

#endif  // TERN_RUNTIME_TESTING_FAKE_DELEGATE_H_
