// SPDX-License-Identifier: Apache-2.0
//
// Whether the graph that a CALL_ONCE node names has run already.
#ifndef TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_INITIALIZATION_STATUS_H_
#define TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_INITIALIZATION_STATUS_H_

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "tensorflow/lite/experimental/resource/resource_base.h"

namespace tflite {
namespace resource {

class InitializationStatus : public ResourceBase {
 public:
  void MarkInitializationIsDone() { is_done_ = true; }
  bool IsInitialized() override { return is_done_; }

 private:
  bool is_done_ = false;
};

// Status by index of the initializing graph.
using InitializationStatusMap =
    std::unordered_map<std::int32_t, std::unique_ptr<InitializationStatus>>;

// The entry for `subgraph_id`, made on first use. Owned by the map.
inline InitializationStatus* GetInitializationStatus(InitializationStatusMap* map,
                                                     int subgraph_id) {
  std::unique_ptr<InitializationStatus>& entry = (*map)[subgraph_id];
  if (entry == nullptr) entry = std::make_unique<InitializationStatus>();
  return entry.get();
}

}  // namespace resource
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_INITIALIZATION_STATUS_H_
