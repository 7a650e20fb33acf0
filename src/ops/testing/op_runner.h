// SPDX-License-Identifier: Apache-2.0
// Runs one registration in a hand-made context, without a model or an interpreter, so that tests
// can also pass operands that no checked model holds. Every tensor ends at an unreadable page:
// constants and user memory exactly, arena memory after the slack that the runtime promises.
#ifndef TERN_OPS_TESTING_OP_RUNNER_H_
#define TERN_OPS_TESTING_OP_RUNNER_H_

#include <sys/mman.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "ops/op_kit.h"
#include "tensorflow/lite/string_util.h"

namespace tern::testing {

// `bytes` bytes whose end, `slack` bytes later, touches a page that cannot be read or written.
class GuardedMemory {
 public:
  GuardedMemory(size_t bytes, size_t slack) {
    constexpr size_t kPage = 4096;
    size_ = (bytes + slack + kPage - 1) / kPage * kPage + kPage;
    base_ = static_cast<char*>(
        mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_ + size_ - kPage, kPage, PROT_NONE);
    data_ = base_ + size_ - kPage - slack - bytes;
  }
  ~GuardedMemory() { munmap(base_, size_); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  char* data() const { return data_; }

 private:
  size_t size_;
  char* base_;
  char* data_;
};

class OpRunner {
 public:
  // `params` is the op's TfLite*Params, which must outlive the runner; null for none.
  explicit OpRunner(const TfLiteRegistration& registration, void* params = nullptr, int threads = 1)
      : registration_(registration) {
    context_.impl_ = this;
    context_.recommended_num_threads = threads;
    context_.ReportError = &Report;
    context_.ResizeTensor = &Resize;
    node_.builtin_data = params;
    node_.user_data = registration_.init(&context_, static_cast<const char*>(params), 0);
  }
  ~OpRunner() {
    registration_.free(&context_, node_.user_data);
    for (TfLiteTensor& t : tensors_) {
      if (t.type == kTfLiteString && t.allocation_type == kTfLiteDynamic) TfLiteTensorDataFree(&t);
      TfLiteIntArrayFree(t.dims);
    }
    TfLiteFloatArrayFree(affine_.scale);
    TfLiteIntArrayFree(node_.inputs);
    TfLiteIntArrayFree(node_.outputs);
  }
  OpRunner(const OpRunner&) = delete;
  OpRunner& operator=(const OpRunner&) = delete;

  void SetCustomOptions(const std::vector<uint8_t>& bytes) {
    custom_options_ = bytes;
    node_.custom_initial_data = custom_options_.data();
    node_.custom_initial_data_size = static_cast<int>(custom_options_.size());
  }

  // Adds an operand that holds `values`. Arena tensors stand for what another op has computed.
  template <class T>
  void Input(const std::vector<int>& shape, const std::vector<T>& values,
             TfLiteAllocationType where = kTfLiteArenaRw) {
    const int index = AddTensor(shape, TypeFor<T>(), where);
    Allocate(index, values.size() * sizeof(T));
    if (!values.empty()) {
      std::memcpy(tensors_[index].data.raw, values.data(), values.size() * sizeof(T));
    }
    inputs_.push_back(index);
  }
  // An operand whose elements have the bytes of `values` but another type of their size.
  template <class T>
  void InputAs(TfLiteType type, const std::vector<int>& shape, const std::vector<T>& values,
               TfLiteAllocationType where = kTfLiteArenaRw) {
    Input(shape, values, where);
    input(static_cast<int>(inputs_.size()) - 1).type = type;
  }
  void InputStrings(const std::vector<int>& shape, const std::vector<std::string>& values,
                    TfLiteAllocationType where = kTfLiteMmapRo) {
    tflite::DynamicBuffer buffer;
    for (const std::string& value : values) buffer.AddString(value.data(), value.size());
    char* bytes = nullptr;
    const int size = buffer.WriteToBuffer(&bytes);
    InputAs(kTfLiteString, shape, std::vector<uint8_t>(bytes, bytes + size), where);
    std::free(bytes);
  }
  // An operand of any type without data, for tests of Prepare.
  void EmptyInput(const std::vector<int>& shape, TfLiteType type) {
    inputs_.push_back(AddTensor(shape, type, kTfLiteArenaRw));
  }
  // Gives input i a quantization; the scales are copied.
  void SetScales(int i, const std::vector<float>& scales, int axis) {
    affine_.scale = TfLiteFloatArrayCreate(static_cast<int>(scales.size()));
    std::copy(scales.begin(), scales.end(), affine_.scale->data);
    affine_.quantized_dimension = axis;
    input(i).quantization = {kTfLiteAffineQuantization, &affine_};
  }
  void AbsentInput() { inputs_.push_back(-1); }
  // The tensor added last is there but is no operand.
  void HideLastInput() { inputs_.pop_back(); }
  // With the shape that the model declares for it.
  void Output(TfLiteType type = kTfLiteFloat32, const std::vector<int>& shape = {}) {
    const bool strings = type == kTfLiteString;  // of which the size is known last
    outputs_.push_back(AddTensor(shape, type, strings ? kTfLiteDynamic : kTfLiteArenaRw));
  }

  TfLiteStatus Prepare() {
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
  TfLiteStatus Eval() { return registration_.invoke(&context_, &node_); }
  TfLiteStatus Run() { return Prepare() == kTfLiteOk ? Eval() : kTfLiteError; }

  TfLiteTensor& input(int i) { return tensors_[inputs_[i]]; }
  TfLiteTensor& output(int i = 0) { return tensors_[outputs_[i]]; }
  Shape OutputShape(int i = 0) { return ShapeOf(&output(i)); }
  template <class T = float>
  std::vector<T> Values(int i = 0) {
    const TfLiteTensor& t = output(i);
    const T* data = Data<T>(&t);
    return std::vector<T>(data, data + (data == nullptr ? 0 : t.bytes / sizeof(T)));
  }
  std::vector<std::string> Strings(int i = 0) {
    std::vector<std::string> strings;
    for (int n = 0; n < tflite::GetStringCount(&output(i)); ++n) {
      const tflite::StringRef text = tflite::GetString(&output(i), n);
      strings.emplace_back(text.str, text.len);
    }
    return strings;
  }
  const std::string& error() const { return error_; }
  void set_threads(int threads) { context_.recommended_num_threads = threads; }

 private:
  template <class T>
  static TfLiteType TypeFor() {
    if constexpr (std::is_same_v<T, float>) return kTfLiteFloat32;
    if constexpr (std::is_same_v<T, int32_t>) return kTfLiteInt32;
    if constexpr (std::is_same_v<T, int64_t>) return kTfLiteInt64;
    if constexpr (std::is_same_v<T, int16_t>) return kTfLiteInt16;
    if constexpr (std::is_same_v<T, int8_t>) return kTfLiteInt8;
    if constexpr (std::is_same_v<T, uint8_t>) return kTfLiteUInt8;
    if constexpr (std::is_same_v<T, uint16_t>) return kTfLiteUInt16;
    if constexpr (std::is_same_v<T, uint32_t>) return kTfLiteUInt32;
    if constexpr (std::is_same_v<T, double>) return kTfLiteFloat64;
    return kTfLiteNoType;
  }

  int AddTensor(const std::vector<int>& shape, TfLiteType type, TfLiteAllocationType where) {
    TfLiteTensor t{};
    t.type = type;
    t.allocation_type = where;
    t.dims = TfLiteIntArrayCreate(static_cast<int>(shape.size()));
    for (size_t i = 0; i < shape.size(); ++i) t.dims->data[i] = shape[i];
    tensors_.push_back(t);
    return static_cast<int>(tensors_.size()) - 1;
  }
  void Allocate(int index, size_t bytes) {
    TfLiteTensor& t = tensors_[index];
    const size_t slack = t.allocation_type == kTfLiteArenaRw ? 16 : 0;
    t.bytes = bytes;
    t.data.raw = memory_.emplace_back(bytes, slack).data();
  }
  void AllocateFor(int index) {
    const TfLiteTensor& t = tensors_[index];
    if (t.type == kTfLiteString) return;
    Allocate(index, static_cast<size_t>(Elements(&t) * ElementBytes(t.type)));
  }
  // Tensors that get memory when they get a shape; the others are placed behind Prepare.
  static bool OwnsMemory(const TfLiteTensor& t) {
    return t.allocation_type == kTfLiteDynamic || t.allocation_type == kTfLitePersistentRo;
  }
  static void SetList(const std::vector<int>& from, TfLiteIntArray** to) {
    TfLiteIntArrayFree(*to);
    *to = TfLiteIntArrayCreate(static_cast<int>(from.size()));
    for (size_t i = 0; i < from.size(); ++i) (*to)->data[i] = from[i];
  }

  static TfLiteStatus Resize(TfLiteContext* context, TfLiteTensor* tensor, TfLiteIntArray* shape) {
    auto* self = static_cast<OpRunner*>(context->impl_);
    TfLiteIntArrayFree(tensor->dims);
    tensor->dims = shape;
    if (OwnsMemory(*tensor)) {
      self->AllocateFor(static_cast<int>(tensor - self->tensors_.data()));
    }
    return kTfLiteOk;
  }
  static void Report(TfLiteContext* context, const char* format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    static_cast<OpRunner*>(context->impl_)->error_ = text;
  }

  TfLiteRegistration registration_;
  TfLiteContext context_{};
  TfLiteNode node_{};
  std::vector<uint8_t> custom_options_;
  std::vector<TfLiteTensor> tensors_;
  std::vector<int> inputs_, outputs_;
  std::list<GuardedMemory> memory_;
  TfLiteAffineQuantization affine_{};
  std::string error_;
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_OP_RUNNER_H_
