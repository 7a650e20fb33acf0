// SPDX-License-Identifier: Apache-2.0
// The options of an operator in one short line.
#ifndef TERN_TOOLS_CLI_MODEL_OP_TEXT_H_
#define TERN_TOOLS_CLI_MODEL_OP_TEXT_H_

#include <string>

namespace tflite {
struct Operator;
}  // namespace tflite

namespace tern::cli {

// "stride 2x2, SAME, RELU6"; empty for operators without options worth telling.
std::string OptionsText(const tflite::Operator& op);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_MODEL_OP_TEXT_H_
