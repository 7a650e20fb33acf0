// SPDX-License-Identifier: Apache-2.0
//
// Aligned copies of constants whose bytes in the model are not aligned for their element type.
#ifndef TERN_RUNTIME_OWNED_CONSTANTS_H_
#define TERN_RUNTIME_OWNED_CONSTANTS_H_

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "runtime/arena.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern {

// Alignment that kernels may rely on for elements of `type`, in bytes.
size_t ElementAlignment(TfLiteType type);

class OwnedConstants {
 public:
  // Keeps a copy for `tensor_index`, replacing an earlier one. Null if there is no memory.
  const char* Copy(int tensor_index, const char* data, size_t bytes);
  void Drop(int tensor_index) { copies_.erase(tensor_index); }
  // Keeps a file that constants lie in.
  void Keep(std::shared_ptr<MappedFile> file) { files_.push_back(std::move(file)); }

 private:
  std::vector<std::shared_ptr<MappedFile>> files_;
  std::unordered_map<int, std::unique_ptr<Arena>> copies_;
};

}  // namespace tern

#endif  // TERN_RUNTIME_OWNED_CONSTANTS_H_
