// SPDX-License-Identifier: Apache-2.0
//
// Looks inside a resolver on behalf of the library and its tests.
#ifndef TERN_TENSORFLOW_LITE_CORE_API_OP_RESOLVER_INTERNAL_H_
#define TERN_TENSORFLOW_LITE_CORE_API_OP_RESOLVER_INTERNAL_H_

#include <memory>

#include "tensorflow/lite/core/api/op_resolver.h"

namespace tflite {

class OpResolverInternal {
 public:
  OpResolverInternal() = delete;

  static bool MayContainUserDefinedOps(const OpResolver& op_resolver) {
    return op_resolver.MayContainUserDefinedOps();
  }
  // Null, as for a resolver that no graph has used: nothing is shared.
  static std::shared_ptr<internal::OperatorsCache> GetSharedCache(const OpResolver&) {
    return nullptr;
  }
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_API_OP_RESOLVER_INTERNAL_H_
