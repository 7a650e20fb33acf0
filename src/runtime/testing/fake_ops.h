// SPDX-License-Identifier: Apache-2.0
//
// Operations for runtime tests that need no real kernels: "add" sums its float inputs, and variants
// of it fail, hide their shape or depend on data. Header-only.
#ifndef TERN_RUNTIME_TESTING_FAKE_OPS_H_
#define TERN_RUNTIME_TESTING_FAKE_OPS_H_

#include <string>
#include <vector>

#include "model/testing/recording_reporter.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tern::testing {

// How often the functions of the fake operations ran.
struct Calls {
  int init = 0;
  int free = 0;
  int prepare = 0;
  int invoke = 0;
};
inline Calls& FakeCalls() {
  static Calls calls;
  return calls;
}

inline TfLiteIntArray* CopyDims(const TfLiteTensor* tensor) {
  return TfLiteIntArrayCopy(tensor->dims);
}

inline TfLiteStatus SumInputs(TfLiteContext* context, TfLiteNode* node) {
  ++FakeCalls().invoke;
  TfLiteTensor& out = context->tensors[node->outputs->data[0]];
  const size_t count = out.bytes / sizeof(float);
  for (size_t i = 0; i < count; ++i) {
    float sum = 0;
    for (int n = 0; n < node->inputs->size; ++n) {
      if (node->inputs->data[n] < 0) continue;
      const TfLiteTensor& in = context->tensors[node->inputs->data[n]];
      const size_t in_count = in.bytes / sizeof(float);
      if (in_count > 0) sum += in.data.f[i % in_count];
    }
    out.data.f[i] = sum;
  }
  return kTfLiteOk;
}

inline TfLiteStatus ShapeLikeFirstInput(TfLiteContext* context, TfLiteNode* node) {
  ++FakeCalls().prepare;
  return context->ResizeTensor(context, &context->tensors[node->outputs->data[0]],
                               CopyDims(&context->tensors[node->inputs->data[0]]));
}

// A registration named `name` as a custom operation; "add" unless changed.
inline TfLiteRegistration AddOp(const char* name = "add") {
  TfLiteRegistration op = {};
  op.builtin_code = kTfLiteBuiltinCustom;
  op.custom_name = name;
  op.version = 1;
  op.init = [](TfLiteContext*, const char*, size_t) -> void* {
    ++FakeCalls().init;
    return new int(0);
  };
  op.free = [](TfLiteContext*, void* data) {
    ++FakeCalls().free;
    delete static_cast<int*>(data);
  };
  op.prepare = ShapeLikeFirstInput;
  op.invoke = SumInputs;
  return op;
}

inline TfLiteRegistration FailingPrepareOp() {
  TfLiteRegistration op = AddOp("bad_prepare");
  op.prepare = [](TfLiteContext*, TfLiteNode*) { return kTfLiteError; };
  return op;
}

inline TfLiteRegistration FailingInvokeOp() {
  TfLiteRegistration op = AddOp("bad_invoke");
  op.invoke = [](TfLiteContext*, TfLiteNode*) { return kTfLiteApplicationError; };
  return op;
}

// The output has as many elements as the first input says.
inline TfLiteRegistration DynamicOp() {
  TfLiteRegistration op = AddOp("dynamic");
  op.prepare = [](TfLiteContext* context, TfLiteNode* node) {
    ++FakeCalls().prepare;
    tflite::SetTensorToDynamic(&context->tensors[node->outputs->data[0]]);
    return kTfLiteOk;
  };
  op.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    const int count = static_cast<int>(context->tensors[node->inputs->data[0]].data.f[0]);
    TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
    dims->data[0] = count;
    TfLiteTensor* out = &context->tensors[node->outputs->data[0]];
    if (context->ResizeTensor(context, out, dims) != kTfLiteOk) return kTfLiteError;
    for (int i = 0; i < count; ++i) out->data.f[i] = static_cast<float>(i);
    return kTfLiteOk;
  };
  return op;
}

// Knows its output's shape, [4] for input [2, 2], only when it runs.
inline TfLiteRegistration OpenShapeOp() {
  TfLiteRegistration op = AddOp("open_shape");
  op.prepare = [](TfLiteContext* context, TfLiteNode* node) {
    TfLiteTensor* out = &context->tensors[node->outputs->data[0]];
    out->bytes = context->tensors[node->inputs->data[0]].bytes;
    return kTfLiteOutputShapeNotKnown;
  };
  op.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    TfLiteTensor* out = &context->tensors[node->outputs->data[0]];
    TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
    dims->data[0] = static_cast<int>(out->bytes / sizeof(float));
    if (context->ResizeTensor(context, out, dims) != kTfLiteOk) return kTfLiteError;
    return SumInputs(context, node);
  };
  return op;
}

// An interpreter that is put together node by node.
struct Graph {
  Graph() : interpreter(&reporter) {}

  int Tensor(const std::vector<int>& dims = {4}, TfLiteType type = kTfLiteFloat32,
             bool variable = false) {
    int index = -1;
    interpreter.AddTensors(1, &index);
    interpreter.SetTensorParametersReadWrite(index, type, "t", dims, TfLiteQuantization{},
                                             variable);
    return index;
  }
  // `values` must outlive the graph.
  int Constant(const std::vector<float>& values) {
    int index = -1;
    interpreter.AddTensors(1, &index);
    interpreter.SetTensorParametersReadOnly(
        index, kTfLiteFloat32, "c", {static_cast<int>(values.size())}, TfLiteQuantization{},
        reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return index;
  }
  // Returns the node's index, -1 if it was refused.
  int Node(const std::vector<int>& inputs, const std::vector<int>& outputs,
           const TfLiteRegistration& op = AddOp()) {
    int index = -1;
    interpreter.AddNodeWithParameters(inputs, outputs, nullptr, 0, nullptr, &op, &index);
    return index;
  }
  // A chain of `length` nodes that add a tensor to itself: input 0, node i makes tensor i + 1.
  void Chain(int length) {
    Tensor();
    for (int i = 0; i < length; ++i) {
      Tensor();
      Node({i, i}, {i + 1});
    }
    interpreter.SetInputs({0});
    interpreter.SetOutputs({length});
  }
  void Fill(int tensor, float value) {
    TfLiteTensor* t = interpreter.tensor(tensor);
    for (size_t i = 0; i < t->bytes / sizeof(float); ++i) t->data.f[i] = value;
  }
  std::vector<float> Values(int tensor) {
    const TfLiteTensor* t = interpreter.tensor(tensor);
    return std::vector<float>(t->data.f, t->data.f + t->bytes / sizeof(float));
  }
  tflite::Subgraph& subgraph() { return interpreter.primary_subgraph(); }

  RecordingReporter reporter;
  tflite::Interpreter interpreter;
};

}  // namespace tern::testing

#endif  // TERN_RUNTIME_TESTING_FAKE_OPS_H_
