// SPDX-License-Identifier: Apache-2.0
// A delegate by deriving two classes: which nodes to take, and how to run a group of them.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_UTILS_SIMPLE_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_UTILS_SIMPLE_DELEGATE_H_

#include <cstdint>
#include <memory>

#include "tensorflow/lite/core/c/common.h"

namespace tflite {

using TfLiteDelegateUniquePtr = std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>;

// Runs one group of nodes.
class SimpleDelegateKernelInterface {
 public:
  virtual ~SimpleDelegateKernelInterface() = default;

  // Once, with the nodes and the tensors at their border; a failure makes the delegation fail.
  virtual TfLiteStatus Init(TfLiteContext* context, const TfLiteDelegateParams* params) = 0;
  // After every change of a shape; may happen more than once.
  virtual TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) = 0;
  virtual TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) = 0;
};

class SimpleDelegateInterface {
 public:
  struct Options {
    int max_delegated_partitions = 0;  // 0 or less: no limit
    int min_nodes_per_partition = 0;   // smaller groups stay with the runtime
  };

  virtual ~SimpleDelegateInterface() = default;

  virtual bool IsNodeSupportedByDelegate(const TfLiteRegistration* registration,
                                         const TfLiteNode* node, TfLiteContext* context) const = 0;
  // Before the nodes are chosen, once per graph.
  virtual TfLiteStatus Initialize(TfLiteContext* context) = 0;
  // Name of the nodes in messages and profiles; must outlive the delegate.
  virtual const char* Name() const = 0;
  virtual std::unique_ptr<SimpleDelegateKernelInterface> CreateDelegateKernelInterface() = 0;
  virtual Options DelegateOptions() const = 0;

  // For delegates that hand out buffer handles. The copies fail unless overridden.
  virtual TfLiteStatus CopyFromBufferHandle(TfLiteContext* context,
                                            TfLiteBufferHandle buffer_handle,
                                            TfLiteTensor* tensor) {
    (void)context;
    (void)buffer_handle;
    (void)tensor;
    return kTfLiteError;
  }
  virtual TfLiteStatus CopyToBufferHandle(TfLiteContext* context, TfLiteBufferHandle buffer_handle,
                                          const TfLiteTensor* tensor) {
    (void)context;
    (void)buffer_handle;
    (void)tensor;
    return kTfLiteError;
  }
  virtual void FreeBufferHandle(TfLiteContext* context, TfLiteBufferHandle* handle) {
    (void)context;
    (void)handle;
  }
};

class TfLiteDelegateFactory {
 public:
  // `flag` holds bits of TfLiteDelegateFlags. Delete the result with DeleteSimpleDelegate, after
  // its interpreters.
  static TfLiteDelegate* CreateSimpleDelegate(
      std::unique_ptr<SimpleDelegateInterface> simple_delegate,
      int64_t flag = kTfLiteDelegateFlagsNone);
  // Accepts null.
  static void DeleteSimpleDelegate(TfLiteDelegate* delegate);

  static TfLiteDelegateUniquePtr Create(std::unique_ptr<SimpleDelegateInterface> simple_delegate) {
    return TfLiteDelegateUniquePtr(CreateSimpleDelegate(std::move(simple_delegate)),
                                   DeleteSimpleDelegate);
  }
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_UTILS_SIMPLE_DELEGATE_H_
