// SPDX-License-Identifier: Apache-2.0
// Arrays, tensors, variants, strings: lifetimes and edge cases.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <limits>

#include "tensorflow/lite/array.h"
#include "tensorflow/lite/context_util.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/string_util.h"
#include "tensorflow/lite/util.h"

namespace tflite {
namespace {

TEST(IntArray, CopyEqualAndNull) {
  IntArrayUniquePtr a = BuildTfLiteArray({1, 2, 3});
  IntArrayUniquePtr b(TfLiteIntArrayCopy(a.get()));
  EXPECT_EQ(TfLiteIntArrayEqual(a.get(), b.get()), 1);
  b->data[2] = 4;
  EXPECT_EQ(TfLiteIntArrayEqual(a.get(), b.get()), 0);
  EXPECT_EQ(TfLiteIntArrayEqual(nullptr, nullptr), 1);
  EXPECT_EQ(TfLiteIntArrayEqual(a.get(), nullptr), 0);
  const int plain[] = {1, 2, 3};
  EXPECT_EQ(TfLiteIntArrayEqualsArray(a.get(), 3, plain), 1);
  EXPECT_EQ(TfLiteIntArrayEqualsArray(a.get(), 2, plain), 0);
  EXPECT_EQ(TfLiteIntArrayEqualsArray(nullptr, 0, nullptr), 1);
  EXPECT_EQ(TfLiteIntArrayCopy(nullptr), nullptr);
  EXPECT_EQ(TfLiteIntArrayCreate(-1), nullptr);
  EXPECT_EQ(TfLiteIntArrayGetSizeInBytes(3), 16u);
  TfLiteIntArrayFree(nullptr);
}

TEST(FloatArray, CopyAndBuild) {
  FloatArrayUniquePtr a = BuildTfLiteArray(std::vector<float>{0.5f, 1.5f});
  FloatArrayUniquePtr b(TfLiteFloatArrayCopy(a.get()));
  EXPECT_EQ(b->size, 2);
  EXPECT_EQ(b->data[1], 1.5f);
  EXPECT_EQ(TfLiteFloatArrayGetSizeInBytes(2), 12);
  EXPECT_EQ(TfLiteFloatArrayGetSizeInBytes(std::numeric_limits<int>::max()), 0);
  EXPECT_EQ(BuildTfLiteArray<int>(2, 7)->data[1], 7);
}

TEST(IntArrayView, IteratesAndAcceptsNull) {
  IntArrayUniquePtr a = BuildTfLiteArray({4, 5});
  int sum = 0;
  for (const int value : TfLiteIntArrayView(a.get())) {
    sum += value;
  }
  EXPECT_EQ(sum, 9);
  EXPECT_EQ(TfLiteIntArrayView(nullptr).size(), 0u);
}

TEST(TypeName, AllAndUnknown) {
  EXPECT_STREQ(TfLiteTypeGetName(kTfLiteNoType), "NOTYPE");
  EXPECT_STREQ(TfLiteTypeGetName(kTfLiteFloat16), "FLOAT16");
  EXPECT_STREQ(TfLiteTypeGetName(kTfLiteUInt4), "UINT4");
  EXPECT_STREQ(TfLiteTypeGetName(kTfLiteFloat8E5M2), "FLOAT8_E5M2");
  EXPECT_STREQ(TfLiteTypeGetName(static_cast<TfLiteType>(24)), "Unknown type");
  EXPECT_STREQ(TfLiteTypeGetName(static_cast<TfLiteType>(-1)), "Unknown type");
}

TEST(Tensor, ResizeKeepsOrDropsData) {
  TensorUniquePtr t = BuildTfLiteTensor(kTfLiteInt32, std::vector<int>{2}, kTfLiteDynamic);
  ASSERT_NE(t->data.i32, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(t->data.raw) % kDefaultTensorAlignment, 0u);
  t->data.i32[0] = 5;
  t->data.i32[1] = 6;
  ASSERT_EQ(TfLiteTensorRealloc(1 << 16, t.get()), kTfLiteOk);
  EXPECT_EQ(t->data.i32[1], 6);
  void* const block = t->data.data;
  ASSERT_EQ(TfLiteTensorResizeMaybeCopy(4, t.get(), false), kTfLiteOk);
  EXPECT_EQ(t->data.data, block) << "shrinking keeps the block";
  EXPECT_EQ(t->bytes, 4u);
  EXPECT_EQ(TfLiteTensorRealloc(8, nullptr), kTfLiteError);
  EXPECT_EQ(TfLiteTensorRealloc(std::numeric_limits<size_t>::max() - 8, t.get()), kTfLiteError);
  EXPECT_EQ(t->data.i32[0], 5) << "a failed grow keeps the data";
}

// `bytes` of a tensor that a program made itself may be anything: here it says more than the block.
TEST(Tensor, GrowingReadsNoMoreThanTheBlock) {
  TfLiteTensor t = {};
  t.allocation_type = kTfLiteDynamic;
  t.data.data = std::malloc(8);
  std::memcpy(t.data.raw, "12345678", 8);
  t.bytes = (1 << 24) - 1;
  ASSERT_EQ(TfLiteTensorRealloc(1 << 24, &t), kTfLiteOk);
  EXPECT_EQ(std::memcmp(t.data.raw, "12345678", 8), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(t.data.raw) % kDefaultTensorAlignment, 0u);
  EXPECT_EQ(t.bytes, size_t{1} << 24);
  TfLiteTensorFree(&t);
}

TEST(Tensor, ResizeLeavesArenaTensorsAlone) {
  TfLiteTensor t = {};
  t.allocation_type = kTfLiteArenaRw;
  EXPECT_EQ(TfLiteTensorRealloc(64, &t), kTfLiteOk);
  EXPECT_EQ(t.data.data, nullptr);
  EXPECT_EQ(t.bytes, 0u);
}

struct Counted {
  int live = 0;
  size_t bytes = 0;  // of what is live
  TfLiteAllocator Allocator() {
    TfLiteAllocator a = {};
    a.data = this;
    a.allocate = [](void* data, size_t bytes, size_t) -> void* {
      ++static_cast<Counted*>(data)->live;
      static_cast<Counted*>(data)->bytes += bytes;
      return std::malloc(bytes);
    };
    a.deallocate = [](void* data, void* ptr, size_t bytes, size_t) {
      --static_cast<Counted*>(data)->live;
      static_cast<Counted*>(data)->bytes -= bytes;
      std::free(ptr);
    };
    return a;
  }
};

TEST(Tensor, UsesTheGivenAllocator) {
  Counted counted;
  TfLiteAllocator allocator = counted.Allocator();
  TfLiteTensor t = {};
  t.allocation_type = kTfLiteDynamic;
  ASSERT_EQ(TfLiteTensorReallocWithAllocator(8, &t, &allocator), kTfLiteOk);
  std::memcpy(t.data.raw, "12345678", 8);
  ASSERT_EQ(TfLiteTensorReallocWithAllocator(800, &t, &allocator), kTfLiteOk);
  EXPECT_EQ(std::memcmp(t.data.raw, "12345678", 8), 0);
  EXPECT_EQ(counted.live, 1);
  const size_t large = counted.bytes;
  ASSERT_EQ(TfLiteTensorResizeMaybeCopyWithAllocator(4, &t, /*preserve_data=*/true, &allocator),
            kTfLiteOk);
  EXPECT_EQ(std::memcmp(t.data.raw, "1234", 4), 0);
  EXPECT_LT(counted.bytes, large) << "the block shrinks with the tensor";
  ASSERT_EQ(TfLiteTensorResizeMaybeCopyWithAllocator(2, &t, /*preserve_data=*/false, &allocator),
            kTfLiteOk);
  TfLiteTensorDataFreeWithAllocator(&t, &allocator);
  EXPECT_EQ(counted.live, 0);
  EXPECT_EQ(counted.bytes, 0u) << "what came back has the size of what was given";
  EXPECT_EQ(t.data.raw, nullptr);
}

TEST(Tensor, CopyTakesStateAndRefusesOtherSizes) {
  TensorUniquePtr a = BuildTfLiteTensor(kTfLiteFloat32, std::vector<int>{1, 2}, kTfLiteDynamic);
  TensorUniquePtr b = BuildTfLiteTensor(kTfLiteInt32, std::vector<int>{2}, kTfLiteDynamic);
  TensorUniquePtr c = BuildTfLiteTensor(kTfLiteInt32, std::vector<int>{3}, kTfLiteDynamic);
  a->data.f[1] = 2.5f;
  a->buffer_handle = 7;
  a->data_is_stale = true;
  ASSERT_EQ(TfLiteTensorCopy(a.get(), b.get()), kTfLiteOk);
  EXPECT_EQ(b->type, kTfLiteFloat32);
  EXPECT_EQ(b->dims->size, 2);
  EXPECT_EQ(b->data.f[1], 2.5f);
  EXPECT_EQ(b->buffer_handle, 7);
  EXPECT_TRUE(b->data_is_stale);
  EXPECT_EQ(TfLiteTensorCopy(a.get(), c.get()), kTfLiteError);
  EXPECT_EQ(TfLiteTensorCopy(nullptr, c.get()), kTfLiteOk);
}

void AddChannelQuantization(TfLiteTensor* t) {
  auto* affine =
      static_cast<TfLiteAffineQuantization*>(std::malloc(sizeof(TfLiteAffineQuantization)));
  affine->scale = BuildTfLiteArray({0.25f, 0.5f}).release();
  affine->zero_point = BuildTfLiteArray({0, 0}).release();
  affine->quantized_dimension = 1;
  t->quantization = {kTfLiteAffineQuantization, affine};
}

TEST(Tensor, CloneIsDeep) {
  TensorUniquePtr a = BuildTfLiteTensor(kTfLiteInt8, std::vector<int>{1, 2}, kTfLiteDynamic);
  a->data.int8[0] = 3;
  AddChannelQuantization(a.get());
  a->dims_signature = BuildTfLiteArray({-1, 2}).release();
  a->sparsity = static_cast<TfLiteSparsity*>(std::calloc(1, sizeof(TfLiteSparsity)));
  a->sparsity->traversal_order = BuildTfLiteArray({0, 1}).release();
  a->sparsity->dim_metadata_size = 1;
  a->sparsity->dim_metadata =
      static_cast<TfLiteDimensionMetadata*>(std::calloc(1, sizeof(TfLiteDimensionMetadata)));
  a->sparsity->dim_metadata[0].format = kTfLiteDimSparseCSR;
  a->sparsity->dim_metadata[0].array_indices = BuildTfLiteArray({9}).release();
  TfLiteTensor b = TfLiteTensorClone(*a);
  a.reset();
  EXPECT_EQ(b.data.int8[0], 3);
  const auto* affine = static_cast<TfLiteAffineQuantization*>(b.quantization.params);
  EXPECT_EQ(affine->scale->data[1], 0.5f);
  EXPECT_EQ(b.sparsity->dim_metadata[0].array_indices->data[0], 9);
  EXPECT_EQ(TfLiteTensorGetDimsSignature(&b)->data[0], -1);
  TfLiteTensorFree(&b);
  EXPECT_EQ(b.quantization.type, kTfLiteNoQuantization);
}

// A dense dimension has no lists; what a program leaves in their fields is no address.
TEST(Tensor, ListsOfDenseDimensionsAreNotTouched) {
  auto* rubbish = reinterpret_cast<TfLiteIntArray*>(uintptr_t{0x10});
  auto* sparsity = static_cast<TfLiteSparsity*>(std::calloc(1, sizeof(TfLiteSparsity)));
  sparsity->dim_metadata_size = 1;
  sparsity->dim_metadata =
      static_cast<TfLiteDimensionMetadata*>(std::calloc(1, sizeof(TfLiteDimensionMetadata)));
  sparsity->dim_metadata[0] = {kTfLiteDimDense, 4, rubbish, rubbish};
  TfLiteTensor a = {};
  a.sparsity = sparsity;
  TfLiteTensor b = TfLiteTensorClone(a);
  EXPECT_EQ(b.sparsity->dim_metadata[0].dense_size, 4);
  EXPECT_EQ(b.sparsity->dim_metadata[0].array_indices, nullptr);
  TfLiteTensorFree(&a);
  TfLiteTensorFree(&b);
}

TEST(Tensor, TraitsFollowTheAllocationType) {
  TfLiteTensor t = {};
  t.allocation_type = kTfLiteArenaRwPersistent;
  EXPECT_EQ(TfLiteTensorGetAllocationStrategy(&t), kTfLiteAllocationStrategyArena);
  EXPECT_EQ(TfLiteTensorGetBufferAddressStability(&t), kTfLiteRunStabilityUnstable);
  EXPECT_EQ(TfLiteTensorGetDataStability(&t), kTfLiteRunStabilityAcrossRuns);
  EXPECT_EQ(TfLiteTensorGetDataKnownStep(&t), kTfLiteRunStepEval);
  EXPECT_EQ(TfLiteTensorGetShapeKnownStep(&t), kTfLiteRunStepPrepare);
  t.allocation_type = kTfLiteNonCpu;
  EXPECT_EQ(TfLiteTensorGetDataStability(&t), kTfLiteRunStabilityUnknown);
}

class Box : public AbstractVariantData<Box> {
 public:
  explicit Box(int* deaths) : deaths_(deaths) {}
  ~Box() override { ++*deaths_; }

 private:
  int* deaths_;
};

TEST(Variant, ReplacedCopiedAndFreed) {
  int deaths = 0;
  TfLiteTensor a = {};
  TfLiteTensor b = {};
  EXPECT_EQ(TfLiteTensorVariantRealloc<Box>(&a, &deaths), kTfLiteError) << "not a variant";
  a.type = b.type = kTfLiteVariant;
  ASSERT_EQ(TfLiteTensorVariantRealloc<Box>(&a, &deaths), kTfLiteOk);
  ASSERT_EQ(TfLiteTensorVariantRealloc<Box>(&a, &deaths), kTfLiteOk);
  EXPECT_EQ(deaths, 1);
  ASSERT_EQ(TfLiteTensorCopy(&a, &b), kTfLiteOk);
  EXPECT_NE(a.data.data, b.data.data);
  TfLiteTensorFree(&a);
  TfLiteTensorFree(&b);
  EXPECT_EQ(deaths, 3);
}

class Padding {
 public:
  virtual ~Padding() = default;
  int64_t before = 1;
};

// A class whose part of a variant does not lie at its beginning.
class LaterBox : public Padding, public AbstractVariantData<LaterBox> {
 public:
  int64_t value = 3;
};

TEST(Variant, AnObjectOfTheSameClassKeepsItsAddress) {
  int deaths = 0;
  TfLiteTensor a = {}, b = {};
  a.type = b.type = kTfLiteVariant;
  ASSERT_EQ(TfLiteTensorVariantRealloc<Box>(&a, &deaths), kTfLiteOk);
  ASSERT_EQ(TfLiteTensorVariantRealloc<Box>(&b, &deaths), kTfLiteOk);
  const void *of_a = a.data.data, *of_b = b.data.data;
  ASSERT_EQ(TfLiteTensorVariantRealloc<Box>(&a, &deaths), kTfLiteOk);
  ASSERT_EQ(TfLiteTensorCopy(&a, &b), kTfLiteOk);
  EXPECT_EQ(a.data.data, of_a);
  EXPECT_EQ(b.data.data, of_b);
  EXPECT_EQ(deaths, 2);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(TfLiteTensorVariantRealloc<LaterBox>(&a), kTfLiteOk);
    ASSERT_EQ(TfLiteTensorCopy(&a, &b), kTfLiteOk);
    auto* later = static_cast<LaterBox*>(static_cast<VariantData*>(b.data.data));
    EXPECT_EQ(later->before + later->value, 4);
  }
  EXPECT_EQ(deaths, 4);
  TfLiteTensorFree(&a);
  TfLiteTensorFree(&b);
}

// An allocator whose blocks come once, as from a buffer of a fixed size.
TEST(Tensor, ShrinksWhereAnAllocatorHasNothingMore) {
  for (const bool preserve : {false, true}) {
    int blocks = 1;
    TfLiteAllocator allocator = {};
    allocator.data = &blocks;
    allocator.allocate = [](void* data, size_t bytes, size_t) {
      return (*static_cast<int*>(data))-- > 0 ? std::malloc(bytes) : nullptr;
    };
    allocator.deallocate = [](void*, void* block, size_t, size_t) { std::free(block); };
    TfLiteTensor t = {};
    t.allocation_type = kTfLiteDynamic;
    ASSERT_EQ(TfLiteTensorResizeMaybeCopyWithAllocator(100, &t, preserve, &allocator), kTfLiteOk);
    t.data.raw[49] = 7;
    ASSERT_EQ(TfLiteTensorResizeMaybeCopyWithAllocator(50, &t, preserve, &allocator), kTfLiteOk);
    EXPECT_EQ(t.bytes, 50u);
    EXPECT_EQ(t.data.raw[49], 7);
    EXPECT_EQ(TfLiteTensorResizeMaybeCopyWithAllocator(200, &t, preserve, &allocator),
              kTfLiteError);
    TfLiteTensorDataFreeWithAllocator(&t, &allocator);
  }
}

TEST(Strings, WriteAndRead) {
  DynamicBuffer buffer;
  EXPECT_EQ(buffer.AddString("hello", 5), kTfLiteOk);
  EXPECT_EQ(buffer.AddString("", 0), kTfLiteOk);
  buffer.AddJoinedString({{"a", 1}, {"bc", 2}}, '-');
  TensorUniquePtr t = BuildTfLiteTensor(kTfLiteString, std::vector<int>{1}, kTfLiteDynamic);
  buffer.WriteToTensorAsVector(t.get());
  EXPECT_EQ(t->dims->data[0], 3);
  EXPECT_EQ(t->bytes, 4 + 4 * 4 + 9u);
  ASSERT_EQ(GetStringCount(t.get()), 3);
  const StringRef joined = GetString(t.get(), 2);
  EXPECT_EQ(std::string(joined.str, joined.len), "a-bc");
  EXPECT_EQ(GetString(t.get(), 1).len, 0u);
  EXPECT_EQ(GetString(t.get(), 3).len, 0u) << "no such string";
}

TEST(Strings, RefuseBadBytesAndTooMuch) {
  DynamicBuffer buffer(/*max_length=*/3);
  EXPECT_EQ(buffer.AddString("abcd", 4), kTfLiteError);
  EXPECT_EQ(buffer.AddString("abc", 3), kTfLiteOk);
  EXPECT_EQ(buffer.AddString("d", 1), kTfLiteError);
  int32_t bytes[3] = {1, 12, 1000};
  TfLiteTensor t = {};
  t.type = kTfLiteString;
  t.data.data = bytes;
  t.bytes = sizeof(bytes);
  EXPECT_EQ(GetStringCount(&t), 1);
  EXPECT_EQ(GetString(&t, 0).len, 0u);
  bytes[0] = 1 << 30;
  EXPECT_EQ(GetStringCount(&t), 0);
}

}  // namespace
}  // namespace tflite
