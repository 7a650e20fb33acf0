// SPDX-License-Identifier: Apache-2.0
// Tables in both directions, and tables that are asked too early.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/testing/session.h"
#include "tensorflow/lite/experimental/resource/lookup_interfaces.h"
#include "tensorflow/lite/experimental/resource/resource_variable.h"
#include "tensorflow/lite/string_util.h"

namespace tern {
namespace {

using ::testing::ElementsAre;
using testing::ModelBuilder;
using testing::Session;
using tflite::TensorType_INT64;
using tflite::TensorType_RESOURCE;
using tflite::TensorType_STRING;

int Table(ModelBuilder& b, tflite::TensorType key, tflite::TensorType value) {
  tflite::HashtableOptionsT options;
  options.table_id = 7;
  options.key_dtype = key;
  options.value_dtype = value;
  return b.Op(tflite::BuiltinOperator_HASHTABLE, {}, {b.Tensor({1}, TensorType_RESOURCE)}, options);
}

TEST(Hashtable, FromNumbersToTexts) {
  ModelBuilder b;
  const int keys = b.Input({2, 2}, TensorType_INT64);
  const int table = Table(b, TensorType_INT64, TensorType_STRING);
  b.Op(tflite::BuiltinOperator_HASHTABLE_IMPORT,
       {table, b.Const<int64_t>({3}, {5, -6, 5}), b.ConstStrings({3}, {"five", "minus six", "no"})},
       {});
  b.Output(b.Op(tflite::BuiltinOperator_HASHTABLE_FIND, {table, keys, b.ConstStrings({1}, {"?"})},
                {b.Tensor({2, 2}, TensorType_STRING)}));
  b.Output(
      b.Op(tflite::BuiltinOperator_HASHTABLE_SIZE, {table}, {b.Tensor({1}, TensorType_INT64)}));
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  for (int run = 0; run < 2; ++run) {
    const int64_t asked[] = {-6, 4, 5, 5};
    std::copy_n(asked, 4, session->typed_input_tensor<int64_t>(0));
    ASSERT_EQ(session->Invoke(), kTfLiteOk);
    const TfLiteTensor* found = session->output_tensor(0);
    ASSERT_EQ(tflite::GetStringCount(found), 4);
    std::vector<std::string> texts;
    for (int i = 0; i < 4; ++i) {
      const tflite::StringRef text = tflite::GetString(found, i);
      texts.emplace_back(text.str, text.len);
    }
    EXPECT_THAT(texts, ElementsAre("minus six", "?", "five", "five"));
    EXPECT_EQ(*session->typed_output_tensor<int64_t>(1), 2);
  }
}

// The handle as an input of the graph, with or without a shape.
TEST(Hashtable, AHandleMayBeAnInputOfTheGraph) {
  for (const std::vector<int32_t>& shape : {std::vector<int32_t>{}, {1}, {2}}) {
    ModelBuilder b;
    const int handle = b.Input(shape, TensorType_RESOURCE);
    tflite::HashtableOptionsT options;
    options.table_id = 7;
    options.key_dtype = TensorType_INT64;
    options.value_dtype = TensorType_STRING;
    b.Op(tflite::BuiltinOperator_HASHTABLE, {}, {handle}, options);
    b.Op(tflite::BuiltinOperator_HASHTABLE_IMPORT,
         {handle, b.Const<int64_t>({2}, {5, 6}), b.ConstStrings({2}, {"five", "six"})}, {});
    b.Output(
        b.Op(tflite::BuiltinOperator_HASHTABLE_SIZE, {handle}, {b.Tensor({1}, TensorType_INT64)}));
    Session session(b);
    for (int run = 0; run < 2; ++run) {
      ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
      ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
      EXPECT_EQ(*session->typed_output_tensor<int64_t>(0), 2);
    }
  }
}

TEST(Hashtable, ATableWithoutEntriesIsAnError) {
  ModelBuilder b;
  const int table = Table(b, TensorType_STRING, TensorType_INT64);
  b.Output(b.Op(tflite::BuiltinOperator_HASHTABLE_FIND,
                {table, b.ConstStrings({1}, {"a"}), b.Const<int64_t>({1}, {0})},
                {b.Tensor({1}, TensorType_INT64)}));
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(session->Invoke(), kTfLiteError);
  EXPECT_EQ(session.messages()[0], "hashtable need to be initialized before using");
}

TEST(Hashtable, TypesThatAreNotTheTablesAreErrors) {
  ModelBuilder b;
  const int table = Table(b, TensorType_STRING, TensorType_INT64);
  b.Op(tflite::BuiltinOperator_HASHTABLE_IMPORT,
       {table, b.Const<int64_t>({1}, {5}), b.ConstStrings({1}, {"five"})}, {});
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(session->Invoke(), kTfLiteError);

  ModelBuilder other;
  Table(other, tflite::TensorType_FLOAT32, TensorType_INT64);
  Session refused(other);
  EXPECT_EQ(refused->AllocateTensors(), kTfLiteError);
}

TEST(Hashtable, IsFoundByItsNumber) {
  tflite::resource::ResourceMap resources;
  using tflite::resource::CreateHashtableResourceIfNotAvailable;
  using tflite::resource::GetHashtableResource;
  EXPECT_EQ(CreateHashtableResourceIfNotAvailable(&resources, 1, kTfLiteFloat32, kTfLiteInt64),
            kTfLiteError);
  EXPECT_EQ(GetHashtableResource(&resources, 1), nullptr);
  EXPECT_EQ(CreateHashtableResourceIfNotAvailable(&resources, 1, kTfLiteString, kTfLiteInt64),
            kTfLiteOk);
  auto* table = GetHashtableResource(&resources, 1);
  ASSERT_NE(table, nullptr);
  EXPECT_FALSE(table->IsInitialized());
  EXPECT_EQ(table->GetKeyType(), kTfLiteString);
  EXPECT_EQ(table->GetValueType(), kTfLiteInt64);
  EXPECT_EQ(table->Size(), 0u);
  EXPECT_EQ(table->GetResourceType(), tflite::resource::ResourceBase::ResourceType::kHashTable);
  EXPECT_EQ(tflite::resource::CreateResourceVariableIfNotAvailable(&resources, 1), kTfLiteError);
  EXPECT_EQ(tflite::resource::CreateResourceVariableIfNotAvailable(&resources, 2), kTfLiteOk);
  EXPECT_EQ(CreateHashtableResourceIfNotAvailable(&resources, 2, kTfLiteString, kTfLiteInt64),
            kTfLiteError);
}

}  // namespace
}  // namespace tern
