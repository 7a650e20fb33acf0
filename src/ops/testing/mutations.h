// SPDX-License-Identifier: Apache-2.0
// The ways to damage a model that need no knowledge of its operations.
#ifndef TERN_OPS_TESTING_MUTATIONS_H_
#define TERN_OPS_TESTING_MUTATIONS_H_

#include <functional>
#include <string>
#include <vector>

#include "ops/testing/oracle.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

using Damage = std::function<void(tflite::ModelT&)>;

// Whatever the operation is.
enum class Fails {
  kMaybe,
  kAsFile,       // when the model is a file, and on the GPU
  kUnlessAlone,  // on every route but that of the GPU without the CPU's checks
  kAlways,
};

struct Mutation {
  std::string id;  // advisories about such models, or a name
  std::string what;
  Damage apply;
  Fails fails = Fails::kMaybe;
};

// Operand lists, shapes, types, buffers, quantization, numbers in constants and options of the
// first operation.
std::vector<Mutation> MutationsOf(const tflite::ModelT& model);

// The parts of a model and the lists that join them. The id is a name.
std::vector<Mutation> GraphMutationsOf(const tflite::ModelT& model);

// Gives a constant as many bytes as its shape needs, if those are few: repeats what it has.
void FitData(tflite::ModelT& model, const tflite::TensorT& tensor);

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_MUTATIONS_H_
