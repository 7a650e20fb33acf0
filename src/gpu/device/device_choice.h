// SPDX-License-Identifier: Apache-2.0
// The user's choice among the devices of an API.
#ifndef TERN_GPU_DEVICE_DEVICE_CHOICE_H_
#define TERN_GPU_DEVICE_DEVICE_CHOICE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tern::gpu {

// The places of the devices that are meant: by a place in the list or by a part of a name in any
// case, all for an empty choice. An error lists what there is.
absl::StatusOr<std::vector<size_t>> ChooseDevices(const std::vector<std::string>& names,
                                                  const std::string& choice, const char* api);

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_DEVICE_CHOICE_H_
