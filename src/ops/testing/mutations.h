// SPDX-License-Identifier: Apache-2.0
// All the ways to damage a model of one operation that need no knowledge of the operation.
#ifndef TERN_OPS_TESTING_MUTATIONS_H_
#define TERN_OPS_TESTING_MUTATIONS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

// Whatever the operation is.
enum class Fails {
  kMaybe,
  kAsFile,       // when the model is a file, and on the GPU
  kUnlessAlone,  // on every route but that of the GPU without the CPU's checks
  kAlways,
};

struct Mutation {
  std::string id;  // advisories about such models
  std::string what;
  std::function<void(tflite::ModelT&)> apply;
  Fails fails = Fails::kMaybe;
};

// Operand lists, shapes, types, buffers, quantization, numbers in constants and options of the
// first operation.
std::vector<Mutation> MutationsOf(const tflite::ModelT& model);

// Gives a constant as many bytes as its shape needs, if those are few: repeats what it has.
void FitData(tflite::ModelT& model, size_t tensor);

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_MUTATIONS_H_
