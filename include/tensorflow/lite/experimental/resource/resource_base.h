// SPDX-License-Identifier: Apache-2.0
//
// State that outlives one invocation and is shared by the graphs of an interpreter, for example a
// variable or a hash table.
#ifndef TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_RESOURCE_BASE_H_
#define TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_RESOURCE_BASE_H_

#include <stddef.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace tflite {
namespace resource {

class ResourceBase {
 public:
  // The kind of a resource; kUnknown for classes of applications that do not say.
  enum class ResourceType { kUnknown, kHashTable, kResourceVariable };

  ResourceBase() = default;
  virtual ~ResourceBase() = default;

  virtual ResourceType GetResourceType() const { return ResourceType::kUnknown; }
  virtual bool IsInitialized() = 0;
  // Bytes held.
  virtual size_t GetMemoryUsage() { return 0; }
};

// Resources by id.
using ResourceMap = std::unordered_map<std::int32_t, std::unique_ptr<ResourceBase>>;
// Ids by (container, shared name).
using ResourceIDMap = std::map<std::pair<std::string, std::string>, int>;

}  // namespace resource
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_RESOURCE_BASE_H_
