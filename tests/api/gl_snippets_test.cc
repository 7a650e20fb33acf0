// SPDX-License-Identifier: Apache-2.0
// The block of the announcement with the header that it was written for, and the calls that bind
// buffers in C++'s spelling. Tests beside the delegate check their effect.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "tensorflow/lite/delegates/gpu/gl_delegate.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

using namespace tflite;

namespace {

constexpr size_t kInputs = size_t{240} * 320 * 3;

// The document's loop never ends; writing the input for the second time does.
struct LoopEnds {};

bool Announcement(const FlatBufferModel& model, float* shares) {
  const ops::builtin::BuiltinOpResolver op_resolver;
  int runs = 0;
  TfLiteDelegate* made = nullptr;
  const auto NewGpuDelegate = [&made](std::nullptr_t) { return made = ::NewGpuDelegate(nullptr); };
  const auto WriteToInputTensor = [&](float* data) {
    if (++runs == 2) throw LoopEnds();
    std::fill_n(data, kInputs, 0.5f);
  };
  const auto ReadFromOutputTensor = [shares](const float* data) {
    for (int i = 0; i < 7; ++i) *shares += data[i];
  };
  try {
#include "snippets/announcement.inc"
  } catch (const LoopEnds&) {
    DeleteGpuDelegate(made);
  }
  return true;
}

TEST(GlSnippets, AnnouncementWithTheOlderHeader) {
  const auto model = FlatBufferModel::BuildFromFile("demo/landscape.tflite");
  ASSERT_NE(model, nullptr);
  float shares = 0;
  if (!Announcement(*model, &shares)) GTEST_SKIP() << "no GPU device for the documented block";
  EXPECT_NEAR(shares, 1.0f, 1e-3f) << "class shares of the first pixel";
}

TEST(GlSnippets, BindingWithoutAContextIsAnError) {
  TfLiteGpuDelegateOptions options = TfLiteGpuDelegateOptionsDefault();
  options.compile_options.precision_loss_allowed = 1;
  options.compile_options.preferred_gl_object_type = TFLITE_GL_OBJECT_TYPE_FASTEST;
  auto* delegate = TfLiteGpuDelegateCreate(&options);
  const GLuint ssbo = 1;
  EXPECT_NE(TfLiteGpuDelegateBindBufferToTensor(delegate, ssbo, 0), kTfLiteOk);
  TfLiteGpuDelegateDelete(delegate);
}

}  // namespace
