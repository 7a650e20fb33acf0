// SPDX-License-Identifier: Apache-2.0
// Runs one registration in a hand-made context, without a model or an interpreter, so that tests
// can also pass operands that no checked model holds. Every tensor ends at an unreadable page:
// constants and user memory exactly, arena memory after the slack that the runtime promises.
#ifndef TERN_OPS_TESTING_OP_RUNNER_H_
#define TERN_OPS_TESTING_OP_RUNNER_H_

#include <cstdint>
#include <cstring>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "ops/cpu_kit/op_kit.h"

namespace tern::testing {

// Where numbers that control an operation may be: in the model, and computed by another one.
inline constexpr TfLiteAllocationType kPlaces[] = {kTfLiteMmapRo, kTfLiteArenaRw};

// `bytes` bytes whose end, `slack` bytes later, touches a page that cannot be read or written.
class GuardedMemory {
 public:
  GuardedMemory(size_t bytes, size_t slack);
  ~GuardedMemory();
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
  explicit OpRunner(const TfLiteRegistration& registration, void* params = nullptr,
                    int threads = 1);
  ~OpRunner();
  OpRunner(const OpRunner&) = delete;
  OpRunner& operator=(const OpRunner&) = delete;

  void SetCustomOptions(const std::vector<uint8_t>& bytes);

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
                    TfLiteAllocationType where = kTfLiteMmapRo);
  // An operand of any type without data, for tests of Prepare.
  void EmptyInput(const std::vector<int>& shape, TfLiteType type);
  // Gives input i a quantization; the scales are copied.
  void SetScales(int i, const std::vector<float>& scales, int axis);
  void AbsentInput() { inputs_.push_back(-1); }
  // The tensor added last is there but is no operand.
  void HideLastInput() { inputs_.pop_back(); }
  // With the shape that the model declares for it.
  void Output(TfLiteType type = kTfLiteFloat32, const std::vector<int>& shape = {});

  TfLiteStatus Prepare();
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
  std::vector<std::string> Strings(int i = 0);
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

  int AddTensor(const std::vector<int>& shape, TfLiteType type, TfLiteAllocationType where);
  void Allocate(int index, size_t bytes);
  void AllocateFor(int index);
  // Tensors that get memory when they get a shape; the others are placed after Prepare.
  static bool OwnsMemory(const TfLiteTensor& t);
  static void SetList(const std::vector<int>& from, TfLiteIntArray** to);

  static TfLiteStatus Resize(TfLiteContext* context, TfLiteTensor* tensor, TfLiteIntArray* shape);
  static void Report(TfLiteContext* context, const char* format, ...);

  TfLiteRegistration registration_;
  // Ops may look for a graph behind impl_: there is none here.
  struct Context : TfLiteContext {
    OpRunner* runner = nullptr;
  };
  Context context_{};
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
