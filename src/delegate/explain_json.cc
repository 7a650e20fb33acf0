// SPDX-License-Identifier: Apache-2.0
// Decisions as members of the report.
#include <functional>

#include "base/str_cat.h"
#include "delegate/explain.h"
#include "delegate/report.h"

namespace tern::delegate {
namespace {

const char* Word(TfLiteGpuDecision decision) {
  return decision == kTfLiteGpuDecisionGpu   ? "gpu"
         : decision == kTfLiteGpuDecisionCpu ? "cpu"
                                             : "folded";
}

std::string Numbers(const std::vector<int>& numbers) { return JsonList(numbers, std::identity()); }

std::string DecisionJson(int subgraph, const Decision& d) {
  const ReasonRow& row = d.row();
  std::string text =
      StrCat("{\"subgraph\":", subgraph, ",\"index\":", d.index, ",\"op\":\"", JsonText(d.op),
             "\",\"version\":", d.version, ",\"decision\":\"", Word(row.decision), "\",\"code\":\"",
             row.code, "\",\"reason\":\"", JsonText(d.text.empty() ? row.meaning : d.text), "\"");
  if (d.refusal_reason.tensor >= 0) {
    text += StrCat(",\"tensor\":{\"index\":", d.refusal_reason.tensor, ",\"name\":\"",
                   JsonText(d.tensor_name), "\",\"type\":\"", TfLiteTypeGetName(d.tensor_type),
                   "\",\"shape\":", Numbers(d.tensor_shape), "}");
  }
  if (d.refusal_reason.bound) {
    text += StrCat(",\"value\":", d.refusal_reason.bound->value,
                   ",\"limit\":", d.refusal_reason.bound->limit);
  }
  if (d.partition >= 0) text += StrCat(",\"partition\":", d.partition);
  text += StrCat(",\"bytes_crossing\":", d.bytes_crossing, ",\"multiply_adds\":", d.multiply_adds,
                 ",\"bytes\":", d.bytes);
  if (*row.suggestion != '\0') text += StrCat(",\"suggestion\":\"", JsonText(row.suggestion), "\"");
  return text + "}";
}

std::string CrossingJson(int subgraph, const Crossing& c) {
  return StrCat("{\"subgraph\":", subgraph, ",\"tensor\":", c.tensor, ",\"name\":\"",
                JsonText(c.name), "\",\"bytes\":", c.bytes, ",\"to\":\"", c.to_gpu ? "gpu" : "cpu",
                "\",\"cut\":", c.is_cut(), ",\"writer\":", c.writer,
                ",\"readers\":", Numbers(c.readers), "}");
}

}  // namespace

std::string ExplanationJson(const std::vector<const Explanation*>& graphs) {
  std::string decisions, crossings;
  for (const Explanation* graph : graphs) {
    for (const Decision& d : graph->decisions) {
      decisions += StrCat(decisions.empty() ? "" : ",", DecisionJson(graph->subgraph, d));
    }
    for (const Crossing& c : graph->crossings) {
      crossings += StrCat(crossings.empty() ? "" : ",", CrossingJson(graph->subgraph, c));
    }
  }
  return StrCat("\"decisions\":[", decisions, "],\"crossings\":[", crossings, "]");
}

}  // namespace tern::delegate
