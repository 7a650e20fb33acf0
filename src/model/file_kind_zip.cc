// SPDX-License-Identifier: Apache-2.0
// Zip archives by the names in them: many formats of models are one.
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/file_kind.h"
#include "model/zip_directory.h"

namespace tern {
namespace {

constexpr std::string_view kLocal = "PK\x03\x04", kEnd = "PK\x05\x06";
constexpr size_t kLocalBytes = 30;

// Of an archive that is cut off the first name alone.
std::vector<std::string> NamesOf(std::span<const uint8_t> bytes, std::string_view file) {
  std::vector<std::string> names;
  for (ZipFile& entry : ListZip(bytes)) names.push_back(std::move(entry.name));
  if (names.empty() && file.size() > kLocalBytes) {
    names.emplace_back(file.substr(kLocalBytes, ZipNumber(bytes, 26, 2)));
  }
  return names;
}

class EntryNames {
 public:
  explicit EntryNames(std::vector<std::string> names) : names_(std::move(names)) {}

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
    return found == names_.end() ? std::string_view() : std::string_view(*found);
  }

  const std::vector<std::string> names_;
};

std::string DescribeNames(const EntryNames& names) {
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
  return DescribeNames(EntryNames(NamesOf(bytes, file)));
}

}  // namespace tern
