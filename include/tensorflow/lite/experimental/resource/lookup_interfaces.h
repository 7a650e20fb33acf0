// SPDX-License-Identifier: Apache-2.0
//
// A table of a model, from keys to values, known by a number.
#ifndef TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_LOOKUP_INTERFACES_H_
#define TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_LOOKUP_INTERFACES_H_

#include <stddef.h>

#include <cstdint>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/experimental/resource/resource_base.h"

namespace tflite {
namespace resource {

class LookupInterface : public ResourceBase {
 public:
  ResourceType GetResourceType() const override { return ResourceType::kHashTable; }
  // values[i] is what the table has for keys[i], or the one element of `default_value`. `values`
  // has the shape of `keys` already, and memory unless it holds strings.
  virtual TfLiteStatus Lookup(TfLiteContext* context, const TfLiteTensor* keys,
                              TfLiteTensor* values, const TfLiteTensor* default_value) = 0;
  // Fills the table; of equal keys the first counts. A table that is filled already stays as it is.
  virtual TfLiteStatus Import(TfLiteContext* context, const TfLiteTensor* keys,
                              const TfLiteTensor* values) = 0;
  // The number of keys.
  virtual size_t Size() = 0;
  virtual TfLiteType GetKeyType() const = 0;
  virtual TfLiteType GetValueType() const = 0;
  // Reports types that are not the table's.
  virtual TfLiteStatus CheckKeyAndValueTypes(TfLiteContext* context, const TfLiteTensor* keys,
                                             const TfLiteTensor* values) = 0;
};

// Makes the table `resource_id` where the map has none. Keys and values are INT64 and STRING, or
// the other way round; nothing is made of other types. kTfLiteError where the map has no such table
// afterwards.
TfLiteStatus CreateHashtableResourceIfNotAvailable(ResourceMap* resources, int resource_id,
                                                   TfLiteType key_dtype, TfLiteType value_dtype);

// The table `resource_id`; null where there is none, or where the number belongs to a resource of
// another kind.
LookupInterface* GetHashtableResource(ResourceMap* resources, int resource_id);

}  // namespace resource
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_LOOKUP_INTERFACES_H_
