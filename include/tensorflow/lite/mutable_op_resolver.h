// SPDX-License-Identifier: Apache-2.0
//
// An OpResolver that applications fill themselves.
#ifndef TERN_TENSORFLOW_LITE_MUTABLE_OP_RESOLVER_H_
#define TERN_TENSORFLOW_LITE_MUTABLE_OP_RESOLVER_H_

#include <stddef.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/lite/core/api/op_resolver.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/util.h"

namespace tflite {

class MutableOpResolver : public OpResolver {
 public:
  const TfLiteRegistration* FindOp(tflite::BuiltinOperator op, int version) const override;
  const TfLiteRegistration* FindOp(const char* op, int version) const override;

  // Copies `registration` for one version or for all versions from min to max; a null registration
  // is ignored, an earlier entry replaced.
  void AddBuiltin(tflite::BuiltinOperator op, const TfLiteRegistration* registration,
                  int version = 1);
  void AddBuiltin(tflite::BuiltinOperator op, const TfLiteRegistration* registration,
                  int min_version, int max_version);

  // The same for a custom operator. `name` must stay valid as long as the resolver and every
  // interpreter built with it.
  void AddCustom(const char* name, const TfLiteRegistration* registration, int version = 1);
  void AddCustom(const char* name, const TfLiteRegistration* registration, int min_version,
                 int max_version);

  // Takes over all entries of `other`, which go before existing ones.
  void AddAll(const MutableOpResolver& other);

  TfLiteDelegateCreators GetDelegateCreators() const final { return delegate_creators_; }
  TfLiteOpaqueDelegateCreators GetOpaqueDelegateCreators() const final {
    return opaque_delegate_creators_;
  }

 protected:
  // Asks `other` for what this resolver does not know. Not owned; must outlive this resolver.
  void ChainOpResolver(const OpResolver* other);

  // True once the application itself has added something.
  bool may_directly_contain_user_defined_ops_ = false;
  TfLiteDelegateCreators delegate_creators_;
  TfLiteOpaqueDelegateCreators opaque_delegate_creators_;

 private:
  bool MayContainUserDefinedOps() const override;

  std::map<std::pair<int, int>, TfLiteRegistration> builtins_;         // (code, version)
  std::map<std::pair<std::string, int>, TfLiteRegistration> customs_;  // (name, version)
  std::vector<const OpResolver*> other_op_resolvers_;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_MUTABLE_OP_RESOLVER_H_
