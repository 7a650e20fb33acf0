// SPDX-License-Identifier: Apache-2.0
// Reading case files.
#include "cli/cases/case.h"

#include <algorithm>
#include <exception>

#include "absl/strings/str_cat.h"
#include "cli/inputs/fill.h"
#include "cli/whole.h"
#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Of one tensor in a case.
constexpr int64_t kMaxBytes = int64_t{256} << 20;

// Sizes whose elements are at most kMaxBytes.
std::vector<int> ReadShape(const json& j, TfLiteType type) {
  std::vector<int> shape;
  const auto element = static_cast<int64_t>(std::max(ElementBytes(type), size_t{1}));
  int64_t bytes = element;
  for (const json& size : j.get_ref<const json::array_t&>()) {
    shape.push_back(Whole<int>(size));
    if (shape.back() < 0) throw std::out_of_range("a negative size");
    bytes *= std::max(shape.back(), 1);
    if (bytes > kMaxBytes) throw std::out_of_range("a shape of too many elements");
  }
  return shape;
}

// Floats have a pair for each judge, integers one number of steps for the CPU and one for GPUs;
// bools are equal or not.
void ReadLimits(const json& tolerance, CaseOutput* output) {
  const auto set = [output](Judge judge, Limit limit) {
    output->limits[static_cast<size_t>(judge)] = limit;
  };
  if (output->type == kTfLiteBool) output->limits.fill(Limit());
  const bool real = IsFloat(output->type);
  for (const auto& [key, value] : tolerance.items()) {
    if (real && value.is_array() && value.size() == 2) {
      const Limit limit = {value[0].get<double>(), value[1].get<double>()};
      if (key == "cpu") set(Judge::kCpu, limit);
      if (key == "gpu") set(Judge::kGpu, limit);
      if (key == "f16") set(Judge::kF16, limit);
    } else if (!real && value.is_number()) {
      const Limit steps = {value.get<double>(), 0};
      if (key == "cpu_steps") set(Judge::kCpu, steps);
      if (key == "gpu_steps") set(Judge::kGpu, steps);
      if (key == "gpu_steps") set(Judge::kF16, steps);
    }
  }
}

CaseInput ReadInput(const json& j, const fs::path& base) {
  CaseInput input;
  input.index = Whole<int>(j.at("index"));
  input.name = j.value("name", "");
  input.type = TypeByName(j.at("type").get<std::string>());
  input.shape = ReadShape(j.at("shape"), input.type);
  input.elements = FillTensor(j.at("fill"), input.shape, input.type, base);
  return input;
}

absl::Status ReadWanted(const json& j, const fs::path& base, int64_t count, CaseOutput* output) {
  if (output->type == kTfLiteString) {
    output->strings = j.at("values").get<std::vector<std::string>>();
    return absl::OkStatus();
  }
  if (j.contains("values")) {
    absl::StatusOr<Bytes> wanted =
        FillTensor({{"values", j["values"]}}, {static_cast<int>(count)}, output->type, base);
    if (!wanted.ok()) return wanted.status();
    output->wanted = *std::move(wanted);
    return absl::OkStatus();
  }
  absl::StatusOr<Bytes> raw = ReadFile(base / j.at("file").get<std::string>());
  if (!raw.ok()) return raw.status();
  const auto offset = WholeOr<size_t>(j, "offset", 0);
  const size_t bytes = static_cast<size_t>(count) * ElementBytes(output->type);
  if (offset > raw->size() || raw->size() - offset < bytes) {
    return absl::InvalidArgumentError(absl::StrCat("output ", output->index, ": ", raw->size(),
                                                   " bytes stored, ", bytes, " needed at ",
                                                   offset));
  }
  output->wanted.assign(raw->begin() + static_cast<std::ptrdiff_t>(offset),
                        raw->begin() + static_cast<std::ptrdiff_t>(offset + bytes));
  return absl::OkStatus();
}

absl::StatusOr<CaseOutput> ReadOutput(const json& j, const fs::path& base) {
  CaseOutput output;
  output.index = Whole<int>(j.at("index"));
  output.name = j.value("name", "");
  output.type = TypeByName(j.at("type").get<std::string>());
  output.shape = ReadShape(j.at("shape"), output.type);
  ReadLimits(j.at("tolerance"), &output);
  int64_t count = ElementCount(output.shape);
  if (j.contains("pick") && !j["pick"].is_null()) {
    const auto seed = Whole<uint64_t>(j["pick"].at("seed"));
    const auto picks = Whole<int64_t>(j["pick"].at("count"));
    if (count <= 0) return absl::InvalidArgumentError("picked elements of an empty output");
    if (picks < 0 || picks > kMaxBytes / 16) {
      return absl::InvalidArgumentError(absl::StrCat(picks, " picked elements"));
    }
    output.all = false;
    for (int64_t i = 1; i <= picks; ++i) {
      output.picked.push_back(static_cast<int64_t>(SplitMix64(seed, static_cast<uint64_t>(i)) %
                                                   static_cast<uint64_t>(count)));
    }
    count = picks;
  }
  absl::Status status = ReadWanted(j, base, count, &output);
  if (!status.ok()) return status;
  return output;
}

absl::StatusOr<Case> ParseCase(const json& j, const fs::path& file) {
  Case c;
  c.file = file;
  c.name = j.at("name").get<std::string>();
  c.model = file.parent_path() / j.at("model").get<std::string>();
  c.signature = j.value("signature", "");
  c.runs = WholeOr<int>(j, "runs", 1);
  c.no_f16 = j.value("no_f16", false);
  c.unstable = j.value("unstable", false);
  for (const json& position : j.value("resized", json::array())) {
    c.resized.insert(Whole<int>(position));
  }
  for (const json& input : j.at("inputs")) c.inputs.push_back(ReadInput(input, file.parent_path()));
  for (const json& output : j.at("outputs")) {
    absl::StatusOr<CaseOutput> o = ReadOutput(output, file.parent_path());
    if (!o.ok()) return o.status();
    c.outputs.push_back(*std::move(o));
  }
  return c;
}

}  // namespace

absl::StatusOr<Case> ReadCase(const fs::path& file) {
  absl::StatusOr<Bytes> text = ReadFile(file);
  if (!text.ok()) return text.status();
  // The JSON library reports missing and mistyped fields by exceptions, Whole those that do not
  // fit; they end here.
  try {
    absl::StatusOr<Case> c = ParseCase(json::parse(text->begin(), text->end()), file);
    if (c.ok()) return c;
    return absl::InvalidArgumentError(absl::StrCat(file.string(), ": ", c.status().message()));
  } catch (const std::exception& e) {
    const std::string what = e.what();  // behind the library's own number for it
    const size_t number = what.find("] ");
    return absl::InvalidArgumentError(absl::StrCat(
        file.string(),
        ": no usable case: ", number == std::string::npos ? what : what.substr(number + 2)));
  }
}

std::vector<fs::path> FindCases(const fs::path& root) {
  constexpr std::string_view kSuffix = ".case.json";
  std::vector<fs::path> found;
  std::error_code error;
  if (fs::is_regular_file(root, error)) return {root};
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.size() > kSuffix.size() && name.ends_with(kSuffix)) found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tern::cli
