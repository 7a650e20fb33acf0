// SPDX-License-Identifier: Apache-2.0
// The C side of delegates that derive from SimpleDelegateInterface.
#include "tensorflow/lite/delegates/utils/simple_delegate.h"

#include <limits>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/delegates/utils.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tflite {
namespace {

SimpleDelegateInterface* Simple(TfLiteDelegate* delegate) {
  return static_cast<SimpleDelegateInterface*>(delegate->data_);
}

SimpleDelegateKernelInterface* Kernel(TfLiteNode* node) {
  return static_cast<SimpleDelegateKernelInterface*>(node->user_data);
}

// A kernel that could not be made leaves no user data; its prepare then fails, in every runtime.
void* InitKernel(TfLiteContext* context, const char* buffer, size_t /*length*/) {
  const auto* params = reinterpret_cast<const TfLiteDelegateParams*>(buffer);
  if (params == nullptr) {
    TF_LITE_KERNEL_LOG(context, "A delegate kernel got no parameters.");
    return nullptr;
  }
  std::unique_ptr<SimpleDelegateKernelInterface> kernel =
      Simple(params->delegate)->CreateDelegateKernelInterface();
  if (kernel == nullptr || kernel->Init(context, params) != kTfLiteOk) {
    return nullptr;
  }
  return kernel.release();
}

TfLiteRegistration MakeRegistration(const SimpleDelegateInterface& delegate) {
  TfLiteRegistration registration = {};
  registration.builtin_code = kTfLiteBuiltinDelegate;
  registration.custom_name = delegate.Name();
  registration.version = 1;
  registration.init = InitKernel;
  registration.free = [](TfLiteContext*, void* buffer) {
    delete static_cast<SimpleDelegateKernelInterface*>(buffer);
  };
  registration.prepare = [](TfLiteContext* context, TfLiteNode* node) {
    if (node->user_data == nullptr) {
      TF_LITE_KERNEL_LOG(context, "Delegate kernel was not initialized");
      return kTfLiteError;
    }
    return Kernel(node)->Prepare(context, node);
  };
  registration.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    return node->user_data == nullptr ? kTfLiteError : Kernel(node)->Eval(context, node);
  };
  return registration;
}

TfLiteStatus PrepareDelegate(TfLiteContext* context, TfLiteDelegate* delegate) {
  SimpleDelegateInterface* simple = Simple(delegate);
  const SimpleDelegateInterface::Options options = simple->DelegateOptions();
  TF_LITE_ENSURE_STATUS(simple->Initialize(context));
  delegates::IsNodeSupportedFn is_supported = [simple](TfLiteContext* context, TfLiteNode* node,
                                                       TfLiteRegistration* registration,
                                                       std::string* /*details*/) {
    return simple->IsNodeSupportedByDelegate(registration, node, context);
  };
  delegates::GraphPartitionHelper helper(context, is_supported);
  TF_LITE_ENSURE_STATUS(helper.Partition(nullptr));
  const int limit = options.max_delegated_partitions > 0 ? options.max_delegated_partitions
                                                         : std::numeric_limits<int>::max();
  const std::vector<int> nodes =
      helper.GetNodesOfFirstNLargestPartitions(limit, options.min_nodes_per_partition);
  TFLITE_LOG_PROD_ONCE(
      TFLITE_LOG_INFO, "%s delegate: %d nodes delegated out of %d nodes with %d partitions.\n",
      simple->Name(), static_cast<int>(nodes.size()), helper.num_total_nodes(),
      static_cast<int>(
          helper.GetFirstNLargestPartitions(limit, options.min_nodes_per_partition).size()));
  const IntArrayUniquePtr nodes_to_replace = BuildTfLiteArray(nodes);
  TF_LITE_ENSURE(context, nodes_to_replace != nullptr);
  return context->ReplaceNodeSubsetsWithDelegateKernels(context, MakeRegistration(*simple),
                                                        nodes_to_replace.get(), delegate);
}

}  // namespace

TfLiteDelegate* TfLiteDelegateFactory::CreateSimpleDelegate(
    std::unique_ptr<SimpleDelegateInterface> simple_delegate, int64_t flag) {
  if (simple_delegate == nullptr) {
    return nullptr;
  }
  auto* delegate = new TfLiteDelegate{};
  delegate->data_ = simple_delegate.release();
  delegate->flags = flag;
  delegate->Prepare = PrepareDelegate;
  delegate->CopyFromBufferHandle = [](TfLiteContext* context, TfLiteDelegate* delegate,
                                      TfLiteBufferHandle buffer_handle, TfLiteTensor* tensor) {
    return Simple(delegate)->CopyFromBufferHandle(context, buffer_handle, tensor);
  };
  delegate->CopyToBufferHandle = [](TfLiteContext* context, TfLiteDelegate* delegate,
                                    TfLiteBufferHandle buffer_handle, TfLiteTensor* tensor) {
    return Simple(delegate)->CopyToBufferHandle(context, buffer_handle, tensor);
  };
  delegate->FreeBufferHandle = [](TfLiteContext* context, TfLiteDelegate* delegate,
                                  TfLiteBufferHandle* handle) {
    Simple(delegate)->FreeBufferHandle(context, handle);
  };
  return delegate;
}

void TfLiteDelegateFactory::DeleteSimpleDelegate(TfLiteDelegate* delegate) {
  if (delegate != nullptr) {
    delete Simple(delegate);
    delete delegate;
  }
}

}  // namespace tflite
