// SPDX-License-Identifier: Apache-2.0
#include "cli/cases/diff_case.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "cli/inputs/fill.h"
#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

// The path without ".tflite".
std::string Stem(const std::string& model_file) {
  fs::path path(model_file);
  return path.extension() == ".tflite" ? path.replace_extension().string() : model_file;
}

OrderedJson Numbered(size_t index, const std::string& name, TfLiteType type,
                     const std::vector<int>& shape) {
  return {{"index", index}, {"name", name}, {"type", TypeName(type)}, {"shape", shape}};
}

OrderedJson Tolerance(const CaseOutput& output, Limit limit, bool cpu) {
  if (output.type == kTfLiteBool) return OrderedJson::object();
  OrderedJson tolerance;
  if (IsFloat(output.type)) {
    const OrderedJson pair = {limit.abs, limit.rel};
    tolerance = {{"gpu", pair}, {"f16", pair}};
    if (cpu) tolerance["cpu"] = pair;
  } else {
    tolerance = {{"gpu_steps", limit.abs}};
    if (cpu) tolerance["cpu_steps"] = limit.abs;
  }
  return tolerance;
}

}  // namespace

std::string CaseFileOf(const std::string& model_file) { return Stem(model_file) + ".case.json"; }

absl::Status WriteDiffCase(const std::string& model_file, const Cut& cut,
                           const std::vector<std::string>& ops,
                           const std::vector<const TfLiteTensor*>& inputs,
                           const std::vector<CaseOutput>& outputs, const std::vector<Limit>& limits,
                           bool cpu) {
  const fs::path folder = fs::path(model_file).parent_path();
  if (absl::Status made = folder.empty() ? absl::OkStatus() : MakeFolder(folder); !made.ok()) {
    return made;
  }
  const std::string stem = Stem(model_file);
  const std::string name = fs::path(stem).filename().string();
  OrderedJson c = {{"format", 1},
                   {"name", absl::StrCat("DIFF/", name)},
                   {"model", fs::path(model_file).filename().string()},
                   {"needs", ops},
                   {"inputs", OrderedJson::array()},
                   {"outputs", OrderedJson::array()}};
  absl::Status status = WriteFile(model_file, cut.model.data(), cut.model.size());
  for (size_t i = 0; i < inputs.size() && status.ok(); ++i) {
    const TfLiteTensor& input = *inputs[i];
    const std::string end = absl::StrCat(".in", i, ".bin");
    OrderedJson entry =
        Numbered(i, input.name == nullptr ? "" : input.name, input.type, ShapeOf(input));
    entry["fill"] = {{"file", name + end}};
    c["inputs"].push_back(entry);
    status = WriteFile(stem + end, input.data.raw_const, input.bytes);
  }
  for (size_t o = 0; o < outputs.size() && status.ok(); ++o) {
    const CaseOutput& output = outputs[o];
    const std::string end = absl::StrCat(".out", o, ".bin");
    OrderedJson entry = Numbered(o, output.name, output.type, output.shape);
    entry["tolerance"] = Tolerance(output, limits[o], cpu);
    entry["file"] = name + end;
    entry["offset"] = 0;
    c["outputs"].push_back(entry);
    status = WriteFile(stem + end, output.wanted.data(), output.wanted.size());
  }
  if (!status.ok()) return status;
  const std::string text = c.dump(1) + "\n";
  return WriteFile(CaseFileOf(model_file), text.data(), text.size());
}

}  // namespace tern::cli
