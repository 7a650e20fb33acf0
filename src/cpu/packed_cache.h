// SPDX-License-Identifier: Apache-2.0
// Constant weights packed by fast forms, once per process: interpreters of one model share them. An
// entry lives as long as somebody holds it.
#ifndef TERN_CPU_PACKED_CACHE_H_
#define TERN_CPU_PACKED_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <typeinfo>
#include <vector>

namespace tern {

// Bytes of the model that something was made of.
struct WeightBytes {
  const void* data = nullptr;
  size_t size = 0;
};

// The entry that was made of the same bytes at the same addresses with the same parameters, or a
// new one by `make`, which may return null (it is then not kept). The bytes are hashed, so that a
// new model at an old address is told from the old one.
std::shared_ptr<const void> FindOrPack(std::span<const WeightBytes> bytes,
                                       const std::type_info& type,
                                       std::span<const int64_t> parameters,
                                       const std::function<std::shared_ptr<const void>()>& make);

template <class T, class Make>
std::shared_ptr<const T> FindOrPack(std::span<const WeightBytes> bytes,
                                    std::span<const int64_t> parameters, const Make& make) {
  return std::static_pointer_cast<const T>(FindOrPack(
      bytes, typeid(T), parameters,
      [&]() -> std::shared_ptr<const void> { return std::shared_ptr<const T>(make()); }));
}

// How many entries were made in this process, for tests.
int64_t PackedCount();

}  // namespace tern

#endif  // TERN_CPU_PACKED_CACHE_H_
