// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs.h"

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cli/fill.h"

namespace tern::cli {
namespace {

struct NamedValue {
  int position = 0;
  std::string value;
};

// "I=VALUE", where I is a position or a name of the engine's inputs.
absl::StatusOr<NamedValue> ParseInput(const std::string& text, const Engine& engine) {
  const std::vector<std::string> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
  if (parts.size() != 2)
    return absl::InvalidArgumentError(absl::StrCat("'", text, "': not I=VALUE"));
  NamedValue result{0, parts[1]};
  if (!absl::SimpleAtoi(parts[0], &result.position)) result.position = engine.FindInput(parts[0]);
  if (result.position < 0 || result.position >= engine.input_count()) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "': no such input (the model has ", engine.input_count(), ")"));
  }
  return result;
}

absl::StatusOr<std::vector<int>> ParseShape(const std::string& text) {
  std::vector<int> shape;
  for (const auto& part : absl::StrSplit(text, absl::ByAnyChar("x,"))) {
    int d = 0;
    if (!absl::SimpleAtoi(part, &d) || d < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", text, "': not a shape such as 1x224x224x3"));
    }
    shape.push_back(d);
  }
  return shape;
}

}  // namespace

absl::Status ResizeInputs(const std::vector<std::string>& shapes, Engine* engine) {
  for (const std::string& text : shapes) {
    absl::StatusOr<NamedValue> named = ParseInput(text, *engine);
    if (!named.ok()) return named.status();
    absl::StatusOr<std::vector<int>> shape = ParseShape(named->value);
    if (!shape.ok()) return shape.status();
    absl::Status status = engine->Resize(named->position, *shape);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status GiveInputs(const std::vector<std::string>& files, std::vector<bool> given,
                        Engine* engine) {
  for (const std::string& text : files) {
    absl::StatusOr<NamedValue> named = ParseInput(text, *engine);
    if (!named.ok()) return named.status();
    absl::StatusOr<Bytes> data = ReadFile(named->value);
    if (!data.ok()) return data.status();
    absl::Status status = engine->SetInput(named->position, *data);
    if (!status.ok()) return status;
    given[static_cast<size_t>(named->position)] = true;
  }
  for (int i = 0; i < engine->input_count(); ++i) {
    if (given[static_cast<size_t>(i)]) continue;
    absl::Status status = engine->FillInput(i);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace tern::cli
