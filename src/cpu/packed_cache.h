// SPDX-License-Identifier: Apache-2.0
// Constant weights packed by optimized kernels, once per process: interpreters of one model share
// them. An entry lives as long as somebody holds it.
#ifndef TERN_CPU_PACKED_CACHE_H_
#define TERN_CPU_PACKED_CACHE_H_

#include <algorithm>
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
  bool operator==(const WeightBytes&) const = default;
};

// The entry that was made of the same bytes at the same addresses with the same parameters, or a
// new one by `make`, which may return null (it is then not kept). The bytes are hashed, so that a
// new model at an old address differs from the old one.
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

// A node's packed weights. They are made at their first use, and at every use where the weights are
// no constants.
template <class T>
class Packed {
 public:
  // The next use makes them again, whatever the addresses of the weights.
  void Forget() { made_.reset(); }

  // Null where make() gives null. The process shares constants, unless `bytes` is empty.
  template <class Make>
  const T* Get(bool constant, std::span<const WeightBytes> bytes,
               std::span<const int64_t> parameters, const Make& make) {
    const bool same =
        std::equal(bytes.begin(), bytes.end(), bytes_.begin(), bytes_.end()) &&
        std::equal(parameters.begin(), parameters.end(), parameters_.begin(), parameters_.end());
    if (made_ != nullptr && constant && same) return made_.get();
    bytes_.assign(bytes.begin(), bytes.end());
    parameters_.assign(parameters.begin(), parameters.end());
    made_ = constant && !bytes.empty() ? FindOrPack<T>(bytes, parameters, make) : make();
    return made_.get();
  }

 private:
  std::shared_ptr<const T> made_;
  std::vector<WeightBytes> bytes_;
  std::vector<int64_t> parameters_;
};

// How many entries were made in this process, for tests.
int64_t PackedCount();

}  // namespace tern

#endif  // TERN_CPU_PACKED_CACHE_H_
