// SPDX-License-Identifier: Apache-2.0
// Signatures in a table, and what needs a closer look.
#include "model/file_kind.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>

#include "base/status.h"
#include "flatbuffers/flatbuffers.h"
#include "tensorflow/lite/schema/schema_generated.h"

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace tern {
namespace {

using std::string_view_literals::operator""sv;

struct FirstBytes {
  size_t offset;
  std::string_view bytes;
  const char* kind;
};

// A longer one stands before what it begins with.
constexpr FirstBytes kFirstBytes[] = {
    {0, "LITERTLM"sv,
     "a LiteRT-LM bundle (.litertlm): its models lie inside, and a runtime for text generation "
     "reads it"},
    {0, "\x1f\x8b"sv, "a gzip archive (gunzip or tar -xzf unpacks it)"},
    {257, "ustar"sv, "a tar archive (tar -xf unpacks it)"},
    {0, "BZh"sv, "a bzip2 archive (bunzip2 unpacks it)"},
    {0,
     "\xfd"
     "7zXZ\0"sv,
     "an xz archive (unxz unpacks it)"},
    {0, "\x28\xb5\x2f\xfd"sv, "a zstd archive (unzstd unpacks it)"},
    {0, "7z\xbc\xaf\x27\x1c"sv, "a 7-Zip archive (7z x unpacks it)"},
    {0, "Rar!\x1a\x07"sv, "a RAR archive (unrar unpacks it)"},
    {0, "\x89HDF\r\n\x1a\n"sv,
     "an HDF5 file, as Keras saves (.h5, .keras, .hdf5): convert it with tf.lite.TFLiteConverter"},
    {0, "GGUF"sv, "a GGUF file of llama.cpp: its weights, which are no .tflite"},
    {0, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv,
     "a PyTorch checkpoint (.pt, .pth) of the old form: convert the model to .tflite"},
    {0, "\x93NUMPY"sv, "an array of NumPy (.npy)"},
    {4, "ET12"sv, "an ExecuTorch program (.pte)"},
    {4, "ORTM"sv, "a model of ONNX Runtime (.ort)"},
    {4, "M001"sv, "metadata of a TensorFlow Lite model, without the model"},
    {4, "TFL1"sv, "a TensorFlow Lite model of an old format, TFL1: convert the model anew"},
    {4, "TFL2"sv, "a TensorFlow Lite model of an old format, TFL2: convert the model anew"},
    {8, "TFL3"sv, "a model behind a size of 4 bytes: take these away"},
    {0, "ML\xefR"sv, "a program in MLIR's bytecode"},
    {0, "RKNN"sv, "a model for Rockchip's NPUs (.rknn)"},
    {0, "\x01HEF"sv, "a program for Hailo's accelerators (.hef)"},
    {0, "%PDF-"sv, "a PDF document"},
    {0, "\x89PNG\r\n\x1a\n"sv, "a picture (PNG)"},
    {0, "\xff\xd8\xff"sv, "a picture (JPEG)"},
    {0, "GIF8"sv, "a picture (GIF)"},
    {8, "WEBP"sv, "a picture (WebP)"},
    {8, "WAVE"sv, "a sound (WAV)"},
    {4, "ftyp"sv, "a video or picture (MP4, HEIF)"},
    {0, "SQLite format 3\0"sv, "an SQLite database"},
    {0,
     "\x7f"
     "ELF"sv,
     "a program or a library (ELF)"},
    {0, "MZ\x90\0"sv, "a program or a library of Windows"},
    {0, "\xca\xfe\xba\xbe"sv, "a class of Java, or a program of macOS"},
    {0, "\xcf\xfa\xed\xfe"sv, "a program or a library of macOS"},
};

std::string_view Characters(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool HasAt(std::string_view file, size_t offset, std::string_view bytes) {
  return file.size() >= offset && file.substr(offset, bytes.size()) == bytes;
}

// A length in 8 bytes, and so much JSON.
bool IsSafetensors(std::string_view file) {
  constexpr uint64_t kMaxHeader = 100 << 20;
  if (file.size() < 10) return false;
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<uint8_t>(file[i]);
  return length >= 2 && length <= kMaxHeader && file[8] == '{' &&
         (file[9] == '"' || file[9] == '}' || file[9] == ' ');
}

// A protocol of 2 and above, and an opcode that pickles begin with.
bool IsPickle(std::string_view file) {
  return file.size() >= 3 && file[0] == '\x80' && file[1] >= 2 && file[1] <= 5 &&
         "\x95}]()cXJKMGNqI\x8a\x8c"sv.find(file[2]) != std::string_view::npos;
}

// A mebibyte of zeros is as good as all of them.
bool IsAllZeros(std::string_view file) {
  const std::string_view front = file.substr(0, 1 << 20);
  return front.size() >= 8 && front.find_first_not_of('\0') == std::string_view::npos;
}

// Reads numbers of a flatbuffer, and notes the farthest byte that is asked for.
class BoundedReader {
 public:
  explicit BoundedReader(std::span<const uint8_t> file) : file_(file) {}

  // 0 where the file ends before.
  template <typename T>
  T At(uint64_t offset) {
    if (!Reach(offset, sizeof(T))) return 0;
    return flatbuffers::ReadScalar<T>(file_.data() + offset);
  }
  bool Reach(uint64_t offset, uint64_t bytes) {
    farthest_ = std::max(farthest_, offset + bytes);
    return offset + bytes <= file_.size();
  }
  // Where a field of a table lies; 0: it has none.
  uint64_t Field(uint64_t table, uint16_t field) {
    const auto back = At<flatbuffers::soffset_t>(table);
    const int64_t vtable = static_cast<int64_t>(table) - back;
    if (vtable < 0 || At<uint16_t>(static_cast<uint64_t>(vtable)) <= field) return 0;
    const auto at = At<uint16_t>(static_cast<uint64_t>(vtable) + field);
    return at == 0 ? 0 : table + at;
  }
  uint64_t Follow(uint64_t at) { return at + At<flatbuffers::uoffset_t>(at); }
  uint64_t farthest() const { return farthest_; }

 private:
  const std::span<const uint8_t> file_;
  uint64_t farthest_ = 0;
};

// The farthest byte that the model's buffers reach to.
uint64_t EndOfBuffers(std::span<const uint8_t> file) {
  constexpr uint64_t kMaxBuffers = 1 << 20;
  BoundedReader reader(file);
  const uint64_t root = reader.Follow(0);
  const uint64_t field = reader.Field(root, tflite::Model::VT_BUFFERS);
  if (field == 0) return reader.farthest();
  const uint64_t list = reader.Follow(field);
  const uint64_t count = reader.At<flatbuffers::uoffset_t>(list);
  for (uint64_t i = 0; i < std::min(count, kMaxBuffers); ++i) {
    const uint64_t data = reader.Field(reader.Follow(list + 4 + 4 * i), tflite::Buffer::VT_DATA);
    if (data == 0) continue;
    const uint64_t bytes = reader.Follow(data);
    reader.Reach(bytes + 4, reader.At<flatbuffers::uoffset_t>(bytes));
  }
  return reader.farthest();
}

}  // namespace

std::string Printable(std::string_view bytes, size_t max) {
  std::string text(bytes.substr(0, max));
  for (char& c : text) {
    if (std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
  }
  return text;
}

std::string DescribeForeignFile(std::span<const uint8_t> bytes) {
  const std::string_view file = Characters(bytes);
  if (std::optional<std::string> zip = DescribeZip(bytes)) return *zip;
  for (const FirstBytes& one : kFirstBytes) {
    if (HasAt(file, one.offset, one.bytes)) return one.kind;
  }
  if (IsSafetensors(file)) {
    return "a safetensors file: weights of a model without its graph, which are no .tflite";
  }
  if (IsPickle(file)) return "a Python pickle";
  if (std::optional<std::string> text = DescribeText(bytes)) return *text;
  if (std::optional<std::string> message = DescribeMessage(bytes)) return *message;
  if (IsAllZeros(file)) return "nothing but zeros (a download or a copy that was not finished)";
  return "";
}

std::string DescribeFolder([[maybe_unused]] int descriptor) {
#if defined(__unix__) || defined(__APPLE__)
  struct stat info {};
  if (fstat(descriptor, &info) != 0 || !S_ISDIR(info.st_mode)) return "";
  const auto has = [descriptor](const char* name) {
    return faccessat(descriptor, name, F_OK, 0) == 0;
  };
  if (has("saved_model.pb") || has("saved_model.pbtxt")) {
    return "a folder with a SavedModel of TensorFlow: convert it with tf.lite.TFLiteConverter";
  }
  if (has("Manifest.json") && has("Data")) return "a folder with a Core ML model (.mlpackage)";
  if (has("coremldata.bin")) return "a folder with a compiled Core ML model (.mlmodelc)";
  if (has("model.json")) return "a folder with a model of TensorFlow.js";
  return "a folder: a model is a file";
#else
  return "";
#endif
}

std::string DescribeDamage(std::span<const uint8_t> file) {
  const uint64_t end = EndOfBuffers(file);
  if (end <= file.size()) return "the file is damaged";
  return StrCat("the file is cut off or damaged (it has ", file.size(),
                " bytes, and refers to byte ", end, ")");
}

std::string WhatOpNeeds(std::string_view custom_name) {
  if (custom_name == "edgetpu-custom-op") {
    return "the file was compiled for a Coral device (Edge TPU); take the .tflite from which the "
           "Edge TPU compiler made it";
  }
  if (custom_name == "ethos-u") {
    return "the file was compiled for an Arm Ethos-U; take the .tflite from which Vela made it";
  }
  if (custom_name.starts_with("Flex")) {
    return "it needs TensorFlow's Flex delegate, which Tern does not have; convert the model "
           "without "
           "SELECT_TF_OPS";
  }
  return "the application must register it (AddCustom of its op resolver)";
}

}  // namespace tern
