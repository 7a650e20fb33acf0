// SPDX-License-Identifier: Apache-2.0
// The devices of Android's NNAPI, which this library does not drive: there are none.
#ifndef TERN_TENSORFLOW_LITE_NNAPI_NNAPI_UTIL_H_
#define TERN_TENSORFLOW_LITE_NNAPI_NNAPI_UTIL_H_

#include <string>
#include <vector>

struct NnApi;

namespace tflite {
namespace nnapi {

inline std::vector<const char*> GetDeviceNamesList() { return {}; }
inline std::vector<const char*> GetDeviceNamesList(const NnApi*) { return {}; }

// The names, with commas between them.
inline std::string GetStringDeviceNamesList() { return ""; }
inline std::string GetStringDeviceNamesList(const NnApi*) { return ""; }

}  // namespace nnapi
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_NNAPI_NNAPI_UTIL_H_
