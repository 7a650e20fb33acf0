// SPDX-License-Identifier: Apache-2.0
#include "fuzz/play.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "ops/testing/cpu_seconds.h"
#include "ops/testing/engines.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/logger.h"
#include "tensorflow/lite/string_util.h"

namespace tern::fuzz {
namespace {

struct QuotaAllocator : TfLiteAllocator {
  QuotaAllocator() {
    data = nullptr;
    allocate = [](void*, size_t bytes, size_t alignment) -> void* {
      if (bytes > kMostTensorBytes) return nullptr;
      return ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
    };
    reallocate = nullptr;
    deallocate = [](void*, void* block, size_t, size_t alignment) {
      ::operator delete(block, std::align_val_t(alignment));
    };
  }
};

uint32_t NextRandom(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

class Player {
 public:
  Player(std::unique_ptr<tflite::Interpreter> interpreter, const Tail& tail, const char* device)
      : tail_(tail), device_(device), interpreter_(std::move(interpreter)) {}

  void Run() {
    static QuotaAllocator allocator;
    if (interpreter_->SetAllocator(&allocator) != kTfLiteOk) Fail("the allocator is refused");
    interpreter_->SetCancellationFunction(this, [](void* self) {
      return testing::CpuSeconds() > static_cast<Player*>(self)->deadline_;
    });
    if (tail_.Has(Tail::kResizeFirst)) Resize();
    if (device_ != nullptr && !tail_.Has(Tail::kDelegateLate)) Delegate();
    AllocateAndInvoke();
    if (device_ != nullptr && tail_.Has(Tail::kDelegateLate)) {
      Delegate();
      AllocateAndInvoke();
    }
    if (tail_.Has(Tail::kResizeAgain)) {
      Resize();
      AllocateAndInvoke();
    }
    if (tail_.Has(Tail::kSignatures)) Signatures();
  }

 private:
  void Resize() {
    const std::vector<int>& inputs = interpreter_->inputs();
    if (inputs.empty()) return;
    const int tensor = inputs[tail_.input % inputs.size()];
    std::vector<int> shape;
    for (int d = 0; d < tail_.rank % 7; ++d) shape.push_back(tail_.sizes[d]);
    if (tail_.Has(Tail::kStrict)) {
      interpreter_->ResizeInputTensorStrict(tensor, shape);
    } else {
      interpreter_->ResizeInputTensor(tensor, shape);
    }
  }

  void Delegate() {
    delegate_ = testing::MakeDelegate({"planner", false, 1, device_, 4, tail_.Has(Tail::kHalf)});
    if (delegate_ == nullptr) Fail("no delegate");
    interpreter_->ModifyGraphWithDelegate(delegate_.get());
    const char* report = TfLiteGpuDelegateV2Report(delegate_.get());
    if (report == nullptr || report[0] != '{') Fail("no report");
  }

  void AllocateAndInvoke() {
    if (interpreter_->AllocateTensors() != kTfLiteOk) return;
    for (const int t : interpreter_->inputs()) {
      if (TfLiteTensor* tensor = interpreter_->tensor(t)) Fill(tensor);
    }
    deadline_ = testing::CpuSeconds() + kMostSeconds;
    if (interpreter_->Invoke() != kTfLiteOk) return;
    for (const int t : interpreter_->outputs()) Read(interpreter_->tensor(t));
    interpreter_->ResetVariableTensors();
  }

  void Signatures() {
    for (const std::string* key : interpreter_->signature_keys()) {
      tflite::SignatureRunner* runner = interpreter_->GetSignatureRunner(key->c_str());
      if (runner == nullptr || runner->AllocateTensors() != kTfLiteOk) continue;
      for (const char* name : runner->input_names()) {
        if (TfLiteTensor* tensor = runner->input_tensor(name)) Fill(tensor);
      }
      deadline_ = testing::CpuSeconds() + kMostSeconds;
      if (runner->Invoke() != kTfLiteOk) continue;
      for (const char* name : runner->output_names()) Read(runner->output_tensor(name));
    }
  }

  void Fill(TfLiteTensor* tensor) {
    if (tensor->type == kTfLiteString) return FillStrings(tensor);
    if (tensor->data.raw == nullptr || tensor->type == kTfLiteResource ||
        tensor->type == kTfLiteVariant) {
      return;
    }
    uint32_t state = tail_.fill;
    const auto fill = [&](auto value) {
      for (size_t at = 0; at + sizeof(value) <= tensor->bytes; at += sizeof(value)) {
        std::memcpy(tensor->data.raw + at, &value, sizeof(value));
      }
    };
    if (tensor->type == kTfLiteBool) {
      for (size_t i = 0; i < tensor->bytes; ++i) tensor->data.b[i] = (NextRandom(&state) & 1) != 0;
    } else if (tail_.fill == 0 && tensor->type == kTfLiteFloat32) {
      fill(0.5f);
    } else if (tail_.fill == 0 && tensor->type == kTfLiteInt32) {
      fill(int32_t{1});
    } else if (tail_.fill == 0 && tensor->type == kTfLiteInt64) {
      fill(int64_t{1});
    } else if (tail_.fill % 4 == 1 && tensor->type == kTfLiteInt32) {
      for (size_t i = 0; i < tensor->bytes / 4; ++i) {
        tensor->data.i32[i] = static_cast<int32_t>(NextRandom(&state) % 9) - 2;
      }
    } else {
      for (size_t i = 0; i < tensor->bytes; ++i) {
        tensor->data.raw[i] = static_cast<char>(NextRandom(&state));
      }
    }
  }

  void FillStrings(TfLiteTensor* tensor) {
    if (tensor->dims == nullptr) return;
    int64_t count = 1;
    for (int d = 0; d < tensor->dims->size; ++d) {
      count *= tensor->dims->data[d];
      if (count < 0 || count > 1000) return;
    }
    tflite::DynamicBuffer strings;
    for (int64_t i = 0; i < count; ++i) strings.AddString("text", tail_.fill % 5);
    strings.WriteToTensor(tensor, nullptr);
  }

  // Every result must be readable to its last byte.
  static void Read(const TfLiteTensor* tensor) {
    if (tensor == nullptr || tensor->data.raw == nullptr) return;
    if (tensor->type == kTfLiteResource || tensor->type == kTfLiteVariant) return;
    volatile char sum = 0;
    for (size_t i = 0; i < tensor->bytes; ++i) sum = static_cast<char>(sum ^ tensor->data.raw[i]);
    if (tensor->type != kTfLiteString) return;
    for (int i = 0; i < tflite::GetStringCount(tensor); ++i) {
      const tflite::StringRef text = tflite::GetString(tensor, i);
      for (size_t c = 0; c < text.len; ++c) sum = static_cast<char>(sum ^ text.str[c]);
    }
  }

  const Tail& tail_;
  const char* device_;
  double deadline_ = 0;
  testing::DelegatePtr delegate_{nullptr, [](TfLiteDelegate*) {}};
  std::unique_ptr<tflite::Interpreter> interpreter_;  // goes before the delegate
};

}  // namespace

int Listener::Report(const char* format, va_list args) {
  // Formatted as any reporter would: a wrong pair of format and arguments is a finding.
  char line[1024];
  ++messages_;
  return std::vsnprintf(line, sizeof(line), format, args);
}

void BeQuiet() { tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT); }

void Play(std::unique_ptr<tflite::Interpreter> interpreter, const Tail& tail, const char* device) {
  Player(std::move(interpreter), tail, device).Run();
}

void Fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

}  // namespace tern::fuzz
