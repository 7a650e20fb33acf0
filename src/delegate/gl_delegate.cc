// SPDX-License-Identifier: Apache-2.0
// The documented functions for OpenGL ES alone: other options and another form of the one delegate.
#include "tensorflow/lite/delegates/gpu/gl_delegate.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "delegate/gpu_delegate.h"
#include "delegate/options.h"
#include "gpu/backends/backend_list.h"
#include "tensorflow/lite/minimal_logging.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::delegate {
namespace {

constexpr char kBackend[] = "gles";
constexpr char kCreate[] = "TfLiteGpuDelegateCreate";
constexpr DelegateForm kForm = {"TfLiteGpuDelegate", kTfLiteDelegateFlagsNone, true};

// Lists the options that have no effect, one line each.
std::vector<std::string> WithoutEffect(const TfLiteGpuDelegateOptions& options) {
  std::vector<std::string> lines;
  const TfLiteGlCompileOptions& compile = options.compile_options;
  const int32_t type = compile.preferred_gl_object_type;
  if (type != TFLITE_GL_OBJECT_TYPE_FASTEST && type != TFLITE_GL_OBJECT_TYPE_BUFFER) {
    lines.push_back(StrCat("preferred_gl_object_type ", type, ": buffers are used"));
  }
  if (compile.dynamic_batch_enabled != 0) {
    lines.emplace_back("dynamic_batch_enabled has no effect: batches are always taken");
  }
  if (compile.inline_parameters != 0) lines.emplace_back("inline_parameters has no effect");
  if (options.metadata != nullptr) lines.emplace_back("metadata has no effect");
  return lines;
}

absl::Status Bind(const TfLiteDelegate* delegate, GLuint buffer, int tensor) {
  TERN_ASSIGN_OR_RETURN(const auto core, FindCreatedBy(kCreate, delegate));
  return core->BindBuffer(tensor, buffer, [] { return gpu::OpenSharingDevice(kBackend); });
}

}  // namespace
}  // namespace tern::delegate

extern "C" {

TfLiteGlCompileOptions TfLiteGlCompileOptionsDefault(void) {
  return {0, TFLITE_GL_OBJECT_TYPE_FASTEST, 0, 0};
}

TfLiteGpuDelegateOptions TfLiteGpuDelegateOptionsDefault(void) {
  return {nullptr, TfLiteGlCompileOptionsDefault()};
}

TfLiteDelegate* TfLiteGpuDelegateCreate(const TfLiteGpuDelegateOptions* options) {
  using namespace tern::delegate;
  const TfLiteGpuDelegateOptions given =
      options != nullptr ? *options : TfLiteGpuDelegateOptionsDefault();
  for (const std::string& line : WithoutEffect(given)) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING, "%s", line.c_str());
  }
  const bool loss = given.compile_options.precision_loss_allowed != 0;
  const DelegateOptions all = OptionsOfApi(kBackend, kCreate, loss, /*quantized=*/false);
  return CreateDelegate(std::make_shared<DelegateCore>(all), kForm);
}

void TfLiteGpuDelegateDelete(TfLiteDelegate* delegate) { tern::delegate::DeleteDelegate(delegate); }

TfLiteStatus TfLiteGpuDelegateBindBufferToTensor(TfLiteDelegate* delegate, GLuint buffer,
                                                 int tensor_index) {
  using namespace tern::delegate;
  const absl::Status bound = Bind(delegate, buffer, tensor_index);
  return StatusOf("TfLiteGpuDelegateBindBufferToTensor", bound);
}

const uint8_t* TfLiteGpuDelegateGetModelMetadata(const void* tflite_model) {
  const auto* model = static_cast<const tflite::Model*>(tflite_model);
  if (model == nullptr || model->metadata_buffer() == nullptr || model->buffers() == nullptr) {
    return nullptr;
  }
  for (const int32_t index : *model->metadata_buffer()) {
    if (index < 0 || static_cast<uint32_t>(index) >= model->buffers()->size()) continue;
    const tflite::Buffer* buffer = model->buffers()->Get(static_cast<uint32_t>(index));
    if (buffer != nullptr && buffer->data() != nullptr && buffer->data()->size() != 0) {
      return buffer->data()->data();
    }
  }
  return nullptr;
}

}  // extern "C"
