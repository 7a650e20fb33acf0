// SPDX-License-Identifier: Apache-2.0
// Delegates over opaque objects: the callbacks of their builder and of their kernels.
#include <vector>

#include "tensorflow/lite/array.h"
#include "tensorflow/lite/delegates/utils/simple_opaque_delegate.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tflite {
namespace {

SimpleOpaqueDelegateInterface* Simple(void* data) {
  return static_cast<SimpleOpaqueDelegateInterface*>(data);
}

SimpleOpaqueDelegateKernelInterface* Kernel(void* data) {
  return static_cast<SimpleOpaqueDelegateKernelInterface*>(data);
}

void* InitKernel(TfLiteOpaqueContext* context, const char* buffer, size_t /*length*/) {
  const auto* params = reinterpret_cast<const TfLiteOpaqueDelegateParams*>(buffer);
  if (params == nullptr) {
    TfLiteOpaqueContextReportError(context, "A delegate kernel got no parameters.");
    return TfLiteKernelInitFailed();
  }
  std::unique_ptr<SimpleOpaqueDelegateKernelInterface> kernel =
      Simple(params->delegate_data)->CreateDelegateKernelInterface();
  if (kernel == nullptr || kernel->Init(context, params) != kTfLiteOk) {
    return TfLiteKernelInitFailed();
  }
  return kernel.release();
}

// The runtime owns what this makes.
TfLiteOperator* MakeKernelOperator(const char* name) {
  TfLiteOperator* op =
      TfLiteOperatorCreate(kTfLiteBuiltinDelegate, name, /*version=*/1, /*user_data=*/nullptr);
  TfLiteOperatorSetInit(op, InitKernel);
  TfLiteOperatorSetFree(op, [](TfLiteOpaqueContext*, void* data) { delete Kernel(data); });
  TfLiteOperatorSetPrepare(op, [](TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return Kernel(TfLiteOpaqueNodeGetUserData(node))->Prepare(context, node);
  });
  TfLiteOperatorSetInvoke(op, [](TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return Kernel(TfLiteOpaqueNodeGetUserData(node))->Eval(context, node);
  });
  return op;
}

TfLiteStatus PrepareDelegate(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                             void* data) {
  SimpleOpaqueDelegateInterface* simple = Simple(data);
  TF_LITE_ENSURE_STATUS(simple->Initialize(context));
  TfLiteIntArray* borrowed = nullptr;
  TF_LITE_ENSURE_STATUS(TfLiteOpaqueContextGetExecutionPlan(context, &borrowed));
  // The runtime may reuse its array while nodes are asked about.
  const IntArrayUniquePtr plan(TfLiteIntArrayCopy(borrowed));
  TF_LITE_OPAQUE_ENSURE(context, plan != nullptr);
  std::vector<int> chosen;
  for (int i = 0; i < plan->size; ++i) {
    TfLiteOpaqueNode* node = nullptr;
    TfLiteOperator* op = nullptr;
    TF_LITE_ENSURE_STATUS(
        TfLiteOpaqueContextGetNodeAndRegistration(context, plan->data[i], &node, &op));
    if (simple->IsNodeSupportedByDelegate(op, node, context)) chosen.push_back(plan->data[i]);
  }
  TFLITE_LOG_PROD_ONCE(TFLITE_LOG_INFO, "%s delegate: %d nodes delegated out of %d nodes.\n",
                       simple->Name(), static_cast<int>(chosen.size()), plan->size);
  const IntArrayUniquePtr nodes = BuildTfLiteArray(chosen);
  TF_LITE_OPAQUE_ENSURE(context, nodes != nullptr);
  return TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(
      context, MakeKernelOperator(simple->Name()), nodes.get(), delegate);
}

}  // namespace

TfLiteOpaqueDelegate* TfLiteOpaqueDelegateFactory::CreateSimpleDelegate(
    std::unique_ptr<SimpleOpaqueDelegateInterface> simple_delegate, int64_t flags) {
  if (simple_delegate == nullptr) return nullptr;
  TfLiteOpaqueDelegateBuilder builder = {};
  builder.data = simple_delegate.release();
  builder.flags = flags;
  builder.Prepare = PrepareDelegate;
  builder.CopyFromBufferHandle = [](TfLiteOpaqueContext* context, TfLiteOpaqueDelegate*, void* data,
                                    TfLiteBufferHandle buffer_handle, TfLiteOpaqueTensor* tensor) {
    return Simple(data)->CopyFromBufferHandle(context, buffer_handle, tensor);
  };
  builder.CopyToBufferHandle = [](TfLiteOpaqueContext* context, TfLiteOpaqueDelegate*, void* data,
                                  TfLiteBufferHandle buffer_handle, TfLiteOpaqueTensor* tensor) {
    return Simple(data)->CopyToBufferHandle(context, buffer_handle, tensor);
  };
  builder.FreeBufferHandle = [](TfLiteOpaqueContext* context, TfLiteOpaqueDelegate*, void* data,
                                TfLiteBufferHandle* handle) {
    Simple(data)->FreeBufferHandle(context, handle);
  };
  return TfLiteOpaqueDelegateCreate(&builder);
}

void TfLiteOpaqueDelegateFactory::DeleteSimpleDelegate(TfLiteOpaqueDelegate* opaque_delegate) {
  if (opaque_delegate == nullptr) return;
  delete Simple(TfLiteOpaqueDelegateGetData(opaque_delegate));
  TfLiteOpaqueDelegateDelete(opaque_delegate);
}

}  // namespace tflite
