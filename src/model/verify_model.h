// SPDX-License-Identifier: Apache-2.0
// The static checks that every model passes before anything runs it: they refuse models that no op
// could run safely. Each op checks its options, operand counts, shapes and scales itself when it
// prepares. The checks are linear in the size of the graph, never touch the pages of numeric
// weights and yield one error, the first found.
#ifndef TERN_MODEL_VERIFY_MODEL_H_
#define TERN_MODEL_VERIFY_MODEL_H_

#include <cstdint>
#include <span>

#include "base/status.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

// Checks size, identifier, root offset and the whole flatbuffer structure. `file` starts at an
// address that is a multiple of 8.
Status VerifyContainer(std::span<const uint8_t> file);

// Checks the contents of the tables: tensors, buffers, quantization, sparsity, graph order,
// signatures. The flatbuffer structure must be sound. `file`: the whole file when there is one.
Status VerifyModel(const tflite::Model& model, std::span<const uint8_t> file = {});

// Calls VerifyContainer and VerifyModel.
Status VerifyModelFile(std::span<const uint8_t> file);

// VerifyModel, and rules of a well-formed file that a run does not need: no section is missing,
// each tensor has one writer, every input has a value, data is exactly as long as its tensor. An
// error about a tensor names it as TensorFlow Lite's verifier does.
Status VerifyFormat(const tflite::Model& model, std::span<const uint8_t> file = {});

}  // namespace tern

#endif  // TERN_MODEL_VERIFY_MODEL_H_
