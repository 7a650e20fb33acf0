// SPDX-License-Identifier: Apache-2.0
// Reads outputs and tells their statistics; a number that is none (NaN) is counted, not averaged.
#include "cli/answers/values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "cli/engine/engine.h"
#include "cli/inputs/tensor_bytes.h"

namespace tern::cli {
namespace {

constexpr size_t kFirstElements = 5;
constexpr size_t kFirstStrings = 3;
constexpr size_t kLongestName = 36;
constexpr size_t kLongestString = 24;

// Elements of a tensor as real numbers, one by one.
class Elements {
 public:
  explicit Elements(const TfLiteTensor& tensor)
      : type_(tensor.type),
        data_(reinterpret_cast<const uint8_t*>(tensor.data.raw_const)),
        scale_(IsFloat(type_) ? 0 : tensor.params.scale),
        zero_(tensor.params.zero_point) {
    const size_t element = ElementBytes(type_);
    if (element != 0 && data_ != nullptr) count_ = static_cast<int64_t>(tensor.bytes / element);
  }
  int64_t count() const { return count_; }
  bool integers() const { return !IsFloat(type_) && scale_ == 0; }
  double at(int64_t i) const {
    const double x = ReadElement(type_, data_, i);
    return scale_ == 0 ? x : scale_ * (x - zero_);
  }

 private:
  TfLiteType type_;
  const uint8_t* data_;
  double scale_;
  double zero_;
  int64_t count_ = 0;
};

std::string FirstOf(const std::vector<std::string>& texts, bool more) {
  return absl::StrCat("[", absl::StrJoin(texts, ", "), more ? ", ...]" : "]");
}

// The end of a name tells more than its middle does.
std::string WithoutMiddle(const std::string& name) {
  std::string line = OneLine(name, name.size());
  if (line.size() <= kLongestName) return line;
  constexpr size_t kEnd = kLongestName / 2 - 2;
  return absl::StrCat(line.substr(0, kLongestName - 3 - kEnd), "...",
                      line.substr(line.size() - kEnd));
}

OutputRow RowOf(const TfLiteTensor& tensor, const std::string& name) {
  return {WithoutMiddle(name), absl::StrCat(ShapeText(ShapeOf(tensor)), " ", TypeName(tensor.type)),
          "", "", ""};
}

}  // namespace

std::string OneLine(const std::string& text, size_t max) {
  std::string line = text.size() > max ? absl::StrCat(text.substr(0, max), "...") : text;
  for (char& c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == '\n' || byte == '\t' || byte == '\r')
      c = ' ';
    else if (byte < 0x20 || byte == 0x7f)
      c = '?';
  }
  return line;
}

std::string Unset(const std::string& word, const std::vector<bool>& set) {
  std::vector<std::string> parts;
  size_t count = 0;
  for (size_t i = 0; i < set.size(); ++i) {
    if (set[i]) continue;
    const size_t first = i;
    while (i + 1 < set.size() && !set[i + 1]) ++i;
    count += i - first + 1;
    parts.push_back(first == i ? absl::StrCat(first) : absl::StrCat(first, "-", i));
  }
  if (parts.empty()) return "";
  return absl::StrCat(word, count == 1 ? " " : "s ", absl::StrJoin(parts, ", "));
}

Values ReadValues(const TfLiteTensor& tensor) {
  const Elements elements(tensor);
  Values values;
  values.shape = ShapeOf(tensor);
  if (tensor.name != nullptr) values.name = tensor.name;
  values.integers = elements.integers();
  values.data.reserve(static_cast<size_t>(elements.count()));
  for (int64_t i = 0; i < elements.count(); ++i) {
    values.data.push_back(static_cast<float>(elements.at(i)));
  }
  return values;
}

std::vector<Values> ReadOutputs(Engine* engine) {
  std::vector<Values> outputs;
  for (int i = 0; i < engine->output_count(); ++i) {
    const TfLiteTensor* tensor = engine->output(i);
    outputs.push_back(tensor == nullptr ? Values() : ReadValues(*tensor));
  }
  return outputs;
}

OutputRow DescribeOutput(const TfLiteTensor& tensor, const std::string& name) {
  OutputRow row = RowOf(tensor, name);
  const Elements elements(tensor);
  if (elements.count() == 0) {
    row.range = ElementBytes(tensor.type) == 0 ? "not numbers" : "empty";
    return row;
  }
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  double sum = 0;
  int64_t missing = 0;
  for (int64_t i = 0; i < elements.count(); ++i) {
    const double x = elements.at(i);
    if (std::isnan(x)) {
      ++missing;
      continue;
    }
    low = std::min(low, x);
    high = std::max(high, x);
    sum += x;
  }
  const int64_t numbers = elements.count() - missing;
  if (numbers > 0) {
    row.range = absl::StrFormat("%.4g .. %.4g", low, high);
    row.mean = absl::StrFormat("mean %.4g", sum / static_cast<double>(numbers));
  }
  if (missing > 0) absl::StrAppend(&row.mean, numbers > 0 ? ", " : "", missing, " NaN");
  std::vector<std::string> first;
  const int64_t shown = std::min<int64_t>(elements.count(), kFirstElements);
  for (int64_t i = 0; i < shown; ++i) first.push_back(absl::StrFormat("%.4g", elements.at(i)));
  row.first = FirstOf(first, elements.count() > shown);
  return row;
}

OutputRow DescribeStrings(const TfLiteTensor& tensor, const std::string& name,
                          const std::vector<std::string>& strings) {
  OutputRow row = RowOf(tensor, name);
  row.range = strings.empty()       ? "empty"
              : strings.size() == 1 ? "1 string"
                                    : absl::StrCat(strings.size(), " strings");
  const size_t shown = std::min(strings.size(), kFirstStrings);
  std::vector<std::string> first;
  for (size_t i = 0; i < shown; ++i) {
    first.push_back(absl::StrCat("\"", OneLine(strings[i], kLongestString), "\""));
  }
  if (!first.empty()) row.first = FirstOf(first, strings.size() > shown);
  return row;
}

std::vector<std::string> OutputLines(const std::vector<OutputRow>& rows) {
  const auto width = [&rows](std::string OutputRow::*column) {
    size_t widest = 0;
    for (const OutputRow& row : rows) widest = std::max(widest, (row.*column).size());
    return static_cast<int>(widest);
  };
  const int name = width(&OutputRow::name), type = width(&OutputRow::type);
  const int range = width(&OutputRow::range), mean = width(&OutputRow::mean);
  const int number = static_cast<int>(absl::StrCat(rows.size() - 1).size());
  std::vector<std::string> lines;
  for (const OutputRow& row : rows) {
    std::string line = absl::StrFormat("output %*d  %-*s  %-*s  %-*s  %-*s  %s", number,
                                       static_cast<int>(lines.size()), name, row.name, type,
                                       row.type, range, row.range, mean, row.mean, row.first);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> OutputLines(Engine* engine) {
  std::vector<OutputRow> rows;
  for (int i = 0; i < engine->output_count(); ++i) {
    const TfLiteTensor* tensor = engine->output(i);
    const std::string& name = engine->output_name(i);
    if (tensor == nullptr) {
      rows.push_back({name, "not in use", "", "", ""});
    } else if (tensor->type == kTfLiteString) {
      rows.push_back(DescribeStrings(*tensor, name, engine->OutputStrings(i)));
    } else {
      rows.push_back(DescribeOutput(*tensor, name));
    }
  }
  return OutputLines(rows);
}

}  // namespace tern::cli
