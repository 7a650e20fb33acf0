// SPDX-License-Identifier: Apache-2.0
// Variables, alone and as programs of the C++ interface see them.
#include "tensorflow/lite/experimental/resource/resource_variable.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <utility>

#include "ops/testing/session.h"
#include "tensorflow/lite/util.h"

namespace tern {
namespace {

using testing::ModelBuilder;
using testing::Session;
using tflite::TensorType_RESOURCE;
using tflite::resource::ResourceVariable;

int Handle(ModelBuilder& b, const std::string& container, const std::string& name) {
  tflite::VarHandleOptionsT options;
  options.container = container;
  options.shared_name = name;
  return b.Op(tflite::BuiltinOperator_VAR_HANDLE, {}, {b.Tensor({}, TensorType_RESOURCE)}, options);
}

// CALL_ONCE gives v its first value 10; then v = v + x, y = v.
ModelBuilder Counter() {
  ModelBuilder b;
  const int x = b.Input({1});
  tflite::CallOnceOptionsT once;
  once.init_subgraph_index = 1;
  b.Op(tflite::BuiltinOperator_CALL_ONCE, {}, {}, once);
  const int v = Handle(b, "", "v");
  const int before = b.Op(tflite::BuiltinOperator_READ_VARIABLE, {v}, {b.Tensor({1})});
  const int sum =
      b.Op(tflite::BuiltinOperator_ADD, {before, x}, {b.Tensor({1})}, tflite::AddOptionsT());
  b.Op(tflite::BuiltinOperator_ASSIGN_VARIABLE, {v, sum}, {});
  b.Output(b.Op(tflite::BuiltinOperator_READ_VARIABLE, {v}, {b.Tensor({1})}));
  b.AddSubgraph("init");
  b.Op(tflite::BuiltinOperator_ASSIGN_VARIABLE, {Handle(b, "", "v"), b.Const<float>({1}, {10})},
       {});
  return b;
}

// Counts its blocks, and those that it is given back without having made them.
struct CountingAllocator : TfLiteAllocator {
  CountingAllocator() {
    data = this;
    allocate = [](void* self, size_t bytes, size_t alignment) -> void* {
      void* block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
      static_cast<CountingAllocator*>(self)->live.insert(block);
      return block;
    };
    reallocate = nullptr;
    deallocate = [](void* self, void* block, size_t, size_t) {
      auto* counting = static_cast<CountingAllocator*>(self);
      counting->foreign += counting->live.erase(block) == 0 ? 1 : 0;
      std::free(block);
    };
  }

  std::set<void*> live;
  int foreign = 0;
};

// A handle of type INT32 is a tensor of known size, which the application's allocator serves.
TEST(Variable, HandlesAndValuesLieWhereTheAllocatorSays) {
  for (const tflite::TensorType type : {TensorType_RESOURCE, tflite::TensorType_INT32}) {
    CountingAllocator allocator;
    {
      ModelBuilder b;
      const int x = b.Input({1});
      const int v = b.Op(tflite::BuiltinOperator_VAR_HANDLE, {}, {b.Tensor({}, type)},
                         tflite::VarHandleOptionsT());
      b.Op(tflite::BuiltinOperator_ASSIGN_VARIABLE, {v, x}, {});
      b.Output(b.Op(tflite::BuiltinOperator_READ_VARIABLE, {v}, {b.Tensor({1})}));
      Session session(b);
      ASSERT_EQ(session->SetAllocator(&allocator), kTfLiteOk);
      for (int run = 0; run < 2; ++run) {
        ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
        session.Set<float>(0, {3});
        ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
        EXPECT_EQ(*session->typed_output_tensor<float>(0), 3);
      }
    }
    EXPECT_EQ(allocator.foreign, 0);
    EXPECT_TRUE(allocator.live.empty());
  }
}

TEST(Variable, KeepsItsValueFromRunToRun) {
  Session first(Counter()), second(Counter());
  float expected = 10;
  ASSERT_EQ(first->AllocateTensors(), kTfLiteOk);
  for (int run = 1; run < 4; ++run) {
    *first->typed_input_tensor<float>(0) = static_cast<float>(run);
    ASSERT_EQ(first->Invoke(), kTfLiteOk);
    expected += static_cast<float>(run);
    EXPECT_EQ(*first->typed_output_tensor<float>(0), expected);
  }
  // Another interpreter has its own.
  ASSERT_EQ(second->AllocateTensors(), kTfLiteOk);
  *second->typed_input_tensor<float>(0) = 1;
  ASSERT_EQ(second->Invoke(), kTfLiteOk);
  EXPECT_EQ(*second->typed_output_tensor<float>(0), 11);
  EXPECT_EQ(second->subgraph(0)->resources().size(), 1u);
}

// v has 2 elements; what reads it states `shape`, and a sum follows.
ModelBuilder TwoElements(const std::vector<int>& shape, const std::vector<int>& signature = {}) {
  ModelBuilder b;
  const int v = Handle(b, "", "v");
  b.Op(tflite::BuiltinOperator_ASSIGN_VARIABLE, {v, b.Const<float>({2}, {3, 4})}, {});
  const int read = b.Tensor(shape);
  b.tensor(read).shape_signature = signature;
  b.Op(tflite::BuiltinOperator_READ_VARIABLE, {v}, {read});
  b.Output(b.Op(tflite::BuiltinOperator_ADD, {read, b.Const<float>({1}, {1})}, {b.Tensor({})},
                tflite::AddOptionsT()));
  return b;
}

// As the reference: graphs with variables of known shapes need not be prepared in every run, and
// may go to delegates.
TEST(Variable, AStatedShapeIsKnownBeforeTheRun) {
  const struct {
    std::vector<int> shape, signature;
    bool known;
  } kCases[] = {{{2}, {}, true}, {{}, {}, false}, {{2}, {-1}, false}, {{1}, {}, true}};
  for (const auto& c : kCases) {
    Session session(TwoElements(c.shape, c.signature));
    for (int run = 0; run < 2; ++run) {
      ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
      const int read = session->node_and_registration(2)->first.outputs->data[0];
      if (run == 0) {
        EXPECT_EQ(session->tensor(read)->allocation_type,
                  c.known ? kTfLiteArenaRw : kTfLiteDynamic);
      }
      for (int again = 0; again < 2; ++again) {
        ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
        ASSERT_EQ(session->output_tensor(0)->bytes, 2 * sizeof(float));
        EXPECT_EQ(session->typed_output_tensor<float>(0)[0], 4);
        EXPECT_EQ(session->typed_output_tensor<float>(0)[1], 5);
      }
    }
  }
}

TEST(Variable, ReadingOneWithoutAValueIsAnError) {
  ModelBuilder b;
  b.Output(b.Op(tflite::BuiltinOperator_READ_VARIABLE, {Handle(b, "c", "v")}, {b.Tensor({1})}));
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(session->Invoke(), kTfLiteError);
  EXPECT_EQ(session.messages()[0], "READ_VARIABLE: variable 0 has no value yet");
}

TEST(Variable, ReadingAnotherTypeIsAnError) {
  ModelBuilder b;
  const int v = Handle(b, "", "v");
  b.Op(tflite::BuiltinOperator_ASSIGN_VARIABLE, {v, b.Const<int32_t>({1}, {1})}, {});
  b.Output(b.Op(tflite::BuiltinOperator_READ_VARIABLE, {v}, {b.Tensor({1})}));
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(session->Invoke(), kTfLiteError);
  EXPECT_EQ(session.messages()[0], "READ_VARIABLE: variable 0 has another type (INT32, FLOAT32)");
}

TEST(ResourceVariable, CopiesWhatItIsGiven) {
  ResourceVariable variable;
  EXPECT_EQ(variable.GetTensor(), nullptr);
  EXPECT_FALSE(variable.IsInitialized());
  EXPECT_EQ(variable.GetMemoryUsage(), 0u);
  EXPECT_EQ(variable.AssignFrom(nullptr), kTfLiteError);
  for (const int count : {2, 5, 0, 3}) {
    auto value = tflite::BuildTfLiteTensor(kTfLiteFloat32, {count}, kTfLiteDynamic);
    for (int i = 0; i < count; ++i) value->data.f[i] = static_cast<float>(i);
    ASSERT_EQ(variable.AssignFrom(value.get()), kTfLiteOk);
    ASSERT_TRUE(variable.IsInitialized());
    EXPECT_EQ(variable.GetMemoryUsage(), count * sizeof(float));
    EXPECT_EQ(variable.GetTensor()->dims->data[0], count);
    for (int i = 0; i < count; ++i) EXPECT_EQ(variable.GetTensor()->data.f[i], i);
  }
  ResourceVariable moved(std::move(variable));
  EXPECT_EQ(moved.GetTensor()->dims->data[0], 3);
}

TEST(ResourceVariable, IsFoundByItsNumber) {
  tflite::resource::ResourceMap resources;
  EXPECT_EQ(tflite::resource::GetResourceVariable(&resources, 3), nullptr);
  tflite::resource::CreateResourceVariableIfNotAvailable(&resources, 3);
  ResourceVariable* variable = tflite::resource::GetResourceVariable(&resources, 3);
  ASSERT_NE(variable, nullptr);
  tflite::resource::CreateResourceVariableIfNotAvailable(&resources, 3);
  EXPECT_EQ(tflite::resource::GetResourceVariable(&resources, 3), variable);
}

}  // namespace
}  // namespace tern
