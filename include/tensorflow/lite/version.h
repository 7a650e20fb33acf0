// SPDX-License-Identifier: Apache-2.0
// The version of the API that these headers mirror, and of the model schema. C and C++.
#ifndef TERN_TENSORFLOW_LITE_VERSION_H_
#define TERN_TENSORFLOW_LITE_VERSION_H_

#ifndef TF_MAJOR_VERSION
#define TF_MAJOR_VERSION 2
#define TF_MINOR_VERSION 19
#define TF_PATCH_VERSION 0
#endif

#define TFLITE_SCHEMA_VERSION (3)
#define TFLITE_VERSION_STRING "2.19.0"
#define TFLITE_EXTENSION_APIS_VERSION_STRING TFLITE_VERSION_STRING

#endif  // TERN_TENSORFLOW_LITE_VERSION_H_
