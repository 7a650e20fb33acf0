// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/explanation.h"

namespace tern::cli {

nlohmann::ordered_json ExplanationOf(const std::string& model, int max_partitions,
                                     const Report& report) {
  using Object = nlohmann::ordered_json;
  const Object all = Object::parse(ReportText(report, {}));
  Object reported = {{"format", 1}, {"file", model}, {"engine", report.engine}};
  for (const char* key : {"device", "driver", "precision"}) reported[key] = all[key];
  reported["max_partitions"] = max_partitions;
  reported["not_applied"] =
      report.not_applied.empty() ? Object(nullptr) : Object(report.not_applied);
  if (!report.needs.empty()) reported["needs"] = report.needs;
  for (const char* key : {"decisions", "crossings"}) reported[key] = all[key];
  return reported;
}

}  // namespace tern::cli
