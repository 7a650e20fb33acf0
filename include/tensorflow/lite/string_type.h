// SPDX-License-Identifier: Apache-2.0
// The string type of the API under its historical name.
#ifndef TERN_TENSORFLOW_LITE_STRING_TYPE_H_
#define TERN_TENSORFLOW_LITE_STRING_TYPE_H_

#include <string>

namespace tflite {

using std::string;

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_STRING_TYPE_H_
