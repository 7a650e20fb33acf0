// SPDX-License-Identifier: Apache-2.0
// One reason for all nodes.
#include "cli/decisions.h"

#include "nlohmann/json.hpp"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/delegates/gpu/decisions.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::cli {

std::string NotAppliedDecisions(const tflite::Interpreter& interpreter, const std::string& reason) {
  nlohmann::json decisions = nlohmann::json::array();
  for (const int index : interpreter.execution_plan()) {
    const auto* node = interpreter.node_and_registration(index);
    if (node == nullptr) continue;
    const TfLiteRegistration& op = node->second;
    const bool custom = op.custom_name != nullptr && op.builtin_code == kTfLiteBuiltinCustom;
    decisions.push_back(
        {{"subgraph", 0},
         {"index", index},
         {"op", custom ? op.custom_name
                       : tflite::EnumNameBuiltinOperator(
                             static_cast<tflite::BuiltinOperator>(op.builtin_code))},
         {"version", op.version},
         {"decision", "cpu"},
         {"code", TfLiteGpuDelegateV2ReasonCode(kTfLiteGpuReasonDynamicShape)},
         {"reason", reason},
         {"bytes_crossing", 0},
         {"multiply_adds", nullptr},
         {"bytes", nullptr},
         {"suggestion", TfLiteGpuDelegateV2ReasonSuggestion(kTfLiteGpuReasonDynamicShape)}});
  }
  return decisions.dump(-1, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace);
}

}  // namespace tern::cli
