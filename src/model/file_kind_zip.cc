// SPDX-License-Identifier: Apache-2.0
// Zip archives by the names in them: many formats of models are one.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/status.h"
#include "model/file_kind.h"

namespace tern {
namespace {

constexpr std::string_view kLocal = "PK\x03\x04", kCentral = "PK\x01\x02", kEnd = "PK\x05\x06";
constexpr size_t kEndBytes = 22, kCentralBytes = 46, kLocalBytes = 30;
constexpr size_t kMostComment = 65535, kMostNames = 256;

// 0 where the file ends before.
uint64_t Number(std::string_view file, size_t offset, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; --i) {
    const size_t at = offset + static_cast<size_t>(i);
    value = value << 8 | (at < file.size() ? static_cast<uint8_t>(file[at]) : 0);
  }
  return value;
}

// As the directory at the end of an archive lists them; none where the archive is cut off.
std::vector<std::string_view> NamesOfDirectory(std::string_view file) {
  std::vector<std::string_view> names;
  const size_t back = std::min(file.size(), kEndBytes + kMostComment);
  const size_t end = file.substr(file.size() - back).rfind(kEnd);
  if (end == std::string_view::npos) return names;
  uint64_t at = Number(file, file.size() - back + end + 16, 4);
  while (names.size() < kMostNames && at < file.size() &&
         file.substr(at, kCentral.size()) == kCentral) {
    const uint64_t name = Number(file, at + 28, 2);
    names.push_back(file.substr(std::min<uint64_t>(file.size(), at + kCentralBytes), name));
    at += kCentralBytes + name + Number(file, at + 30, 2) + Number(file, at + 32, 2);
  }
  return names;
}

std::vector<std::string_view> NamesOf(std::string_view file) {
  std::vector<std::string_view> names = NamesOfDirectory(file);
  if (names.empty() && file.size() > kLocalBytes) {
    names.push_back(file.substr(kLocalBytes, Number(file, 26, 2)));
  }
  return names;
}

class Names {
 public:
  explicit Names(std::vector<std::string_view> names) : names_(std::move(names)) {}

  // The first name that ends so; empty: none does.
  std::string_view EndingWith(std::string_view end) const {
    return First([end](std::string_view name) { return name.ends_with(end); });
  }
  std::string_view Containing(std::string_view part) const {
    return First([part](std::string_view name) { return name.find(part) != name.npos; });
  }
  bool Has(std::string_view end) const { return !EndingWith(end).empty(); }

 private:
  template <typename Test>
  std::string_view First(const Test& test) const {
    const auto found = std::find_if(names_.begin(), names_.end(), test);
    return found == names_.end() ? std::string_view() : *found;
  }

  const std::vector<std::string_view> names_;
};

std::string DescribeNames(const Names& names) {
  std::string_view model = names.EndingWith(".tflite");
  if (model.empty()) model = names.Containing("TF_LITE_");
  if (!model.empty()) {
    return StrCat(
        "a zip archive with models inside, such as a task bundle (.task): unzip it and "
        "take '",
        Printable(model, 60), "'");
  }
  if (names.Has("data.pkl")) {
    const bool script = names.Has("constants.pkl") || !names.Containing("/code/").empty();
    return script ? "a TorchScript model of PyTorch (.pt): convert the model to .tflite"
                  : "a PyTorch checkpoint (.pt, .pth): convert the model to .tflite";
  }
  if (names.Has("model.weights.h5")) {
    return "a Keras model (.keras): convert it with tf.lite.TFLiteConverter";
  }
  if (names.Has("saved_model.pb")) {
    return "a zip archive with a SavedModel of TensorFlow: unzip it and convert it with "
           "tf.lite.TFLiteConverter";
  }
  if (names.Has(".mlmodel")) return "a zip archive with a Core ML model";
  if (names.Has(".npy")) return "arrays of NumPy (.npz)";
  if (names.Has("AndroidManifest.xml")) return "an Android package (.apk, .aar)";
  if (names.Has("META-INF/MANIFEST.MF")) return "a Java archive (.jar)";
  return "a zip archive (unzip unpacks it)";
}

}  // namespace

std::optional<std::string> DescribeZip(std::span<const uint8_t> bytes) {
  const std::string_view file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!file.starts_with(kLocal) && !file.starts_with(kEnd)) return std::nullopt;
  return DescribeNames(Names(NamesOf(file)));
}

}  // namespace tern
