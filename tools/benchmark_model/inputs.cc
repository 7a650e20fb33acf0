// SPDX-License-Identifier: Apache-2.0
// Reading the flags about inputs, and filling inputs.
#include "benchmark_model/inputs.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cli/inputs/fill.h"
#include "nlohmann/json.hpp"
#include "tensorflow/lite/string_util.h"

namespace tern::tools {
namespace {

constexpr char kRandomText[] = "text of a random input";

std::vector<std::string> Split(const std::string& text, char separator) {
  if (text.empty()) return {};
  return absl::StrSplit(text, separator);
}

absl::StatusOr<std::vector<int>> ParseShape(const std::string& text) {
  std::vector<int> shape;
  for (const std::string& item : Split(text, ',')) {
    int size = 0;
    if (!absl::SimpleAtoi(item, &size)) {
      return absl::InvalidArgumentError(absl::StrCat("Incorrect size string specified: ", text));
    }
    if (size < 0) {
      return absl::InvalidArgumentError(absl::StrCat("--input_layer_shape: ", size, " in ", text,
                                                     " (sizes to run with, not -1)"));
    }
    shape.push_back(size);
  }
  return shape;
}

// The layer that an item of another flag is about.
absl::StatusOr<InputLayer*> Find(std::vector<InputLayer>* layers, const std::string& name,
                                 const std::string& names) {
  const auto found = std::find_if(layers->begin(), layers->end(),
                                  [&](const InputLayer& layer) { return layer.name == name; });
  if (found == layers->end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Cannot find the corresponding input_layer name(", name, ") in --input_layer as ", names));
  }
  return &*found;
}

absl::Status ParseRange(const std::string& item, const std::string& names,
                        std::vector<InputLayer>* layers) {
  const std::vector<std::string> parts = Split(item, ',');
  int low = 0;
  int high = 0;
  if (parts.size() != 3 || !absl::SimpleAtoi(parts[1], &low) ||
      !absl::SimpleAtoi(parts[2], &high) || low > high) {
    return absl::InvalidArgumentError(
        absl::StrCat("Wrong input value range item specified: ", item, " (NAME,LOW,HIGH)"));
  }
  const absl::StatusOr<InputLayer*> layer = Find(layers, parts[0], names);
  if (!layer.ok()) return layer.status();
  (*layer)->range = {low, high};
  return absl::OkStatus();
}

// NAME:PATH, with `::` for a colon inside one of them.
absl::Status ParseFile(const std::string& item, const std::string& names,
                       std::vector<InputLayer>* layers) {
  std::vector<std::string> parts = {""};
  for (size_t i = 0; i < item.size(); ++i) {
    const bool colon = item[i] == ':';
    const bool twice = colon && i + 1 < item.size() && item[i + 1] == ':';
    if (colon && !twice) {
      parts.emplace_back();
    } else {
      parts.back() += item[i];
    }
    if (twice) ++i;
  }
  if (parts.size() != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("Wrong input value file item specified: ", item, " (NAME:PATH)"));
  }
  const absl::StatusOr<InputLayer*> layer = Find(layers, parts[0], names);
  if (!layer.ok()) return layer.status();
  (*layer)->file = parts[1];
  return absl::OkStatus();
}

// The ends of the range that random elements come from.
std::pair<double, double> RandomRange(TfLiteType type, const InputLayer* layer) {
  if (layer != nullptr && layer->range) return *layer->range;
  switch (type) {
    case kTfLiteUInt8:
      return {0, 254};
    case kTfLiteInt8:
      return {-127, 127};
    case kTfLiteInt16:
      return {-32767, 32767};
    case kTfLiteUInt16:
      return {0, 65535};
    case kTfLiteBool:
      return {0, 1};
    default:
      return cli::IsFloat(type) ? std::pair(-0.5, 0.5) : std::pair(0.0, 99.0);
  }
}

int64_t Elements(const TfLiteTensor& tensor) { return cli::ElementCount(cli::ShapeOf(tensor)); }

absl::StatusOr<InputData> LoadInputData(const TfLiteTensor& tensor, const std::string& path) {
  absl::StatusOr<cli::Bytes> file = cli::ReadFile(path);
  if (!file.ok()) {
    return absl::NotFoundError(absl::StrCat("Failed to read the input_layer_value_file:", path));
  }
  InputData data;
  if (tensor.type != kTfLiteString) {
    if (file->size() != tensor.bytes) {
      return absl::InvalidArgumentError(absl::StrCat("The size of ", path, " is ", file->size(),
                                                     " bytes. It should be ", tensor.bytes,
                                                     " bytes."));
    }
    data.bytes = *std::move(file);
    return data;
  }
  const std::string text(file->begin(), file->end());
  data.strings = absl::StrSplit(text, '\0');
  if (data.strings.back().empty()) data.strings.pop_back();  // the last one may end with a zero
  if (static_cast<int64_t>(data.strings.size()) != Elements(tensor)) {
    return absl::InvalidArgumentError(
        absl::StrCat("The number of string in the input_layer_value_file(", path, ") is ",
                     data.strings.size(), ". It should be ", Elements(tensor), "."));
  }
  return data;
}

}  // namespace

absl::StatusOr<std::vector<InputLayer>> ParseInputLayers(const Flags& flags) {
  const std::string& names_text = flags.Text("input_layer");
  const std::string& shapes_text = flags.Text("input_layer_shape");
  const std::vector<std::string> names = Split(names_text, ',');
  const std::vector<std::string> shapes = Split(shapes_text, ':');
  if (names.size() != shapes.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("The number of items in --input_layer_shape (", shapes_text, ", with ",
                     shapes.size(), " items) must match the number of items in --input_layer (",
                     names_text, ", with ", names.size(), " items)."));
  }
  std::vector<InputLayer> layers;
  for (size_t i = 0; i < names.size(); ++i) {
    const absl::StatusOr<std::vector<int>> shape = ParseShape(shapes[i]);
    if (!shape.ok()) return shape.status();
    layers.push_back({names[i], *shape, std::nullopt, ""});
  }
  absl::Status status;
  for (const std::string& item : Split(flags.Text("input_layer_value_range"), ':')) {
    status.Update(ParseRange(item, names_text, &layers));
  }
  for (const std::string& item : Split(flags.Text("input_layer_value_files"), ',')) {
    status.Update(ParseFile(item, names_text, &layers));
  }
  if (!status.ok()) return status;
  return layers;
}

absl::StatusOr<InputData> MakeInputData(const TfLiteTensor& tensor, const InputLayer* layer,
                                        uint64_t seed) {
  if (layer != nullptr && !layer->file.empty()) return LoadInputData(tensor, layer->file);
  InputData data;
  if (tensor.type == kTfLiteString) {
    data.strings.assign(static_cast<size_t>(Elements(tensor)), kRandomText);
    return data;
  }
  const auto [low, high] = RandomRange(tensor.type, layer);
  const nlohmann::json fill = {{"kind", cli::IsFloat(tensor.type) ? "uniform" : "integers"},
                               {"seed", seed},
                               {"low", low},
                               {"high", high}};
  absl::StatusOr<cli::Bytes> bytes =
      cli::FillTensor(fill, cli::ShapeOf(tensor), tensor.type, /*base=*/{});
  if (!bytes.ok()) return bytes.status();
  data.bytes = *std::move(bytes);
  return data;
}

absl::Status WriteInputData(const InputData& data, TfLiteTensor* tensor) {
  if (tensor->type == kTfLiteString) {
    tflite::DynamicBuffer strings;
    for (const std::string& text : data.strings) strings.AddString(text.data(), text.size());
    strings.WriteToTensor(tensor, /*new_shape=*/nullptr);
    return absl::OkStatus();
  }
  if (data.bytes.size() != tensor->bytes || (tensor->data.raw == nullptr && tensor->bytes > 0)) {
    return absl::InternalError(absl::StrCat("input '", tensor->name, "': ", tensor->bytes,
                                            " bytes (", data.bytes.size(), ")"));
  }
  if (!data.bytes.empty()) std::memcpy(tensor->data.raw, data.bytes.data(), data.bytes.size());
  return absl::OkStatus();
}

}  // namespace tern::tools
