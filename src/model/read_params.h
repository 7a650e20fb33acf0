// SPDX-License-Identifier: Apache-2.0
// Operator options of the file -> the C parameter structs of core/c/builtin_op_data.h.
#ifndef TERN_MODEL_READ_PARAMS_H_
#define TERN_MODEL_READ_PARAMS_H_

#include "base/status.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

// One block from malloc, freed with free(): the struct of the op followed by whatever it points to,
// so it does not refer to the model. Null when the op has no parameters. A missing options table
// gives a zeroed struct. Errors: unknown enum value, a list longer than the struct holds.
StatusOr<void*> ReadParams(const tflite::Operator& op, tflite::BuiltinOperator code);

}  // namespace tern

#endif  // TERN_MODEL_READ_PARAMS_H_
