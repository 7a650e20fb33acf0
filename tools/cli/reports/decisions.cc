// SPDX-License-Identifier: Apache-2.0
// One reason for all nodes.
#include "cli/reports/decisions.h"

#include "absl/strings/str_cat.h"
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

namespace {

using Json = nlohmann::json;

std::string Dumped(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

Json TensorOf(const tflite::Interpreter& interpreter, const StandIn& one) {
  const TfLiteTensor* tensor = interpreter.subgraph(one.subgraph)->tensor(one.tensor);
  std::vector<int> shape(tensor->dims->data, tensor->dims->data + tensor->dims->size);
  return {{"index", one.tensor},
          {"name", tensor->name == nullptr ? "" : tensor->name},
          {"type", TfLiteTypeGetName(tensor->type)},
          {"shape", shape}};
}

// Describes a node that only a stand-in has prepared.
Json OwnReason(const tflite::Interpreter& interpreter, const StandIn& one) {
  TfLiteGpuReason reason = kTfLiteGpuReasonNoGpuForm;
  std::string text = "this operation has no GPU form";
  Json own;
  switch (one.why) {
    case StandIn::Why::kUnknownOp:
      break;
    case StandIn::Why::kUnknownVersion:
      text = "the runtime does not know this version of the operation";
      break;
    case StandIn::Why::kFails:
      reason = kTfLiteGpuReasonOperands;
      text = "its preparation fails: " + one.text;
      break;
    case StandIn::Why::kUnknownShape:
      reason = kTfLiteGpuReasonDynamicShape;
      own["tensor"] = TensorOf(interpreter, one);
      text = absl::StrCat("the shape of tensor '", own["tensor"]["name"].get<std::string>(),
                          "' is not in the file, and an operation makes it that is not known here");
      break;
  }
  own.update({{"code", TfLiteGpuDelegateV2ReasonCode(reason)},
              {"reason", text},
              {"suggestion", TfLiteGpuDelegateV2ReasonSuggestion(reason)}});
  return own;
}

}  // namespace

void TellOfStandIns(const std::vector<StandIn>& stand_ins, const tflite::Interpreter& interpreter,
                    Report* report) {
  if (stand_ins.empty()) return;
  report->needs = NeedsOf(stand_ins);
  Json reported = report->delegate.empty() ? Json::object() : Json::parse(report->delegate);
  if (!report->decisions.empty()) reported["decisions"] = Json::parse(report->decisions);
  for (const StandIn& one : stand_ins) {
    const Json own = OwnReason(interpreter, one);
    for (Json& decision : reported["decisions"]) {
      if (decision["subgraph"] == one.subgraph && decision["index"] == one.node)
        decision.update(own);
    }
    if (one.subgraph != 0) continue;  // refusals do not tell their graphs
    for (Refused& refused : report->refused) {
      if (refused.node == one.node && refused.op == one.op) refused.reason = own["reason"];
    }
  }
  if (!report->decisions.empty()) report->decisions = Dumped(reported["decisions"]);
  if (!report->delegate.empty()) report->delegate = Dumped(reported);
}

}  // namespace tern::cli
