// SPDX-License-Identifier: Apache-2.0
// One registration in a context made by hand.
#include "ops/testing/op_runner.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "tensorflow/lite/string_util.h"

namespace tern::testing {

GuardedMemory::GuardedMemory(size_t bytes, size_t slack) {
  constexpr size_t kPage = 4096;
  size_ = (bytes + slack + kPage - 1) / kPage * kPage + kPage;
  base_ = static_cast<char*>(
      mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(base_ + size_ - kPage, kPage, PROT_NONE);
  data_ = base_ + size_ - kPage - slack - bytes;
}

GuardedMemory::~GuardedMemory() { munmap(base_, size_); }

OpRunner::OpRunner(const TfLiteRegistration& registration, void* params, int threads)
    : registration_(registration) {
  context_.runner = this;
  context_.recommended_num_threads = threads;
  context_.ReportError = &Report;
  context_.ResizeTensor = &Resize;
  node_.builtin_data = params;
  node_.user_data = registration_.init(&context_, static_cast<const char*>(params), 0);
}

OpRunner::~OpRunner() {
  registration_.free(&context_, node_.user_data);
  for (TfLiteTensor& t : tensors_) {
    if (t.type == kTfLiteString && t.allocation_type == kTfLiteDynamic) TfLiteTensorDataFree(&t);
    TfLiteIntArrayFree(t.dims);
  }
  TfLiteFloatArrayFree(affine_.scale);
  TfLiteIntArrayFree(node_.inputs);
  TfLiteIntArrayFree(node_.outputs);
}

void OpRunner::SetCustomOptions(const std::vector<uint8_t>& bytes) {
  custom_options_ = bytes;
  node_.custom_initial_data = custom_options_.data();
  node_.custom_initial_data_size = static_cast<int>(custom_options_.size());
}

void OpRunner::InputStrings(const std::vector<int>& shape, const std::vector<std::string>& values,
                            TfLiteAllocationType where) {
  tflite::DynamicBuffer buffer;
  for (const std::string& value : values) buffer.AddString(value.data(), value.size());
  char* bytes = nullptr;
  const int size = buffer.WriteToBuffer(&bytes);
  InputAs(kTfLiteString, shape, std::vector<uint8_t>(bytes, bytes + size), where);
  std::free(bytes);
}

void OpRunner::EmptyInput(const std::vector<int>& shape, TfLiteType type) {
  inputs_.push_back(AddTensor(shape, type, kTfLiteArenaRw));
}

void OpRunner::SetScales(int i, const std::vector<float>& scales, int axis) {
  TfLiteFloatArrayFree(affine_.scale);
  affine_.scale = TfLiteFloatArrayCreate(static_cast<int>(scales.size()));
  std::copy(scales.begin(), scales.end(), affine_.scale->data);
  affine_.quantized_dimension = axis;
  input(i).quantization = {kTfLiteAffineQuantization, &affine_};
}

void OpRunner::Output(TfLiteType type, const std::vector<int>& shape) {
  const bool strings = type == kTfLiteString;  // of which the size is known last
  outputs_.push_back(AddTensor(shape, type, strings ? kTfLiteDynamic : kTfLiteArenaRw));
}

TfLiteStatus OpRunner::Prepare() {
  context_.tensors = tensors_.data();
  context_.tensors_size = tensors_.size();
  SetList(inputs_, &node_.inputs);
  SetList(outputs_, &node_.outputs);
  if (registration_.prepare(&context_, &node_) != kTfLiteOk) return kTfLiteError;
  for (const int index : outputs_) {
    if (!OwnsMemory(tensors_[index])) AllocateFor(index);
  }
  return kTfLiteOk;
}

std::vector<std::string> OpRunner::Strings(int i) {
  std::vector<std::string> strings;
  for (int n = 0; n < tflite::GetStringCount(&output(i)); ++n) {
    const tflite::StringRef text = tflite::GetString(&output(i), n);
    strings.emplace_back(text.str, text.len);
  }
  return strings;
}

int OpRunner::AddTensor(const std::vector<int>& shape, TfLiteType type,
                        TfLiteAllocationType where) {
  TfLiteTensor t{};
  t.type = type;
  t.allocation_type = where;
  t.dims = TfLiteIntArrayCreate(static_cast<int>(shape.size()));
  for (size_t i = 0; i < shape.size(); ++i) t.dims->data[i] = shape[i];
  tensors_.push_back(t);
  return static_cast<int>(tensors_.size()) - 1;
}

void OpRunner::Allocate(int index, size_t bytes) {
  TfLiteTensor& t = tensors_[index];
  const size_t slack = t.allocation_type == kTfLiteArenaRw ? 16 : 0;
  t.bytes = bytes;
  t.data.raw = memory_.emplace_back(bytes, slack).data();
}

void OpRunner::AllocateFor(int index) {
  const TfLiteTensor& t = tensors_[index];
  if (t.type == kTfLiteString) return;
  Allocate(index, static_cast<size_t>(Elements(&t) * ElementBytes(t.type)));
}

bool OpRunner::OwnsMemory(const TfLiteTensor& t) {
  return t.allocation_type == kTfLiteDynamic || t.allocation_type == kTfLitePersistentRo;
}

void OpRunner::SetList(const std::vector<int>& from, TfLiteIntArray** to) {
  TfLiteIntArrayFree(*to);
  *to = TfLiteIntArrayCreate(static_cast<int>(from.size()));
  for (size_t i = 0; i < from.size(); ++i) (*to)->data[i] = from[i];
}

TfLiteStatus OpRunner::Resize(TfLiteContext* context, TfLiteTensor* tensor, TfLiteIntArray* shape) {
  auto* self = static_cast<Context*>(context)->runner;
  TfLiteIntArrayFree(tensor->dims);
  tensor->dims = shape;
  if (OwnsMemory(*tensor)) {
    self->AllocateFor(static_cast<int>(tensor - self->tensors_.data()));
  }
  return kTfLiteOk;
}

void OpRunner::Report(TfLiteContext* context, const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  static_cast<Context*>(context)->runner->error_ = text;
}

}  // namespace tern::testing
