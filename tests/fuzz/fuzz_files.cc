// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file beside a model: an array of NumPy, a sound, an archive, labels, metadata.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/answers/labels.h"
#include "cli/inputs/npy.h"
#include "cli/inputs/wav.h"
#include "cli/model/model_labels.h"
#include "cli/model/model_metadata.h"
#include "cli/model/zip_files.h"
#include "cli/testing/input_tensor.h"

namespace tern::fuzz {
namespace {

using cli::Bytes;

constexpr TfLiteType kTypes[] = {kTfLiteFloat32, kTfLiteFloat16, kTfLiteInt8,  kTfLiteUInt8,
                                 kTfLiteInt16,   kTfLiteInt32,   kTfLiteInt64, kTfLiteBool};
constexpr int64_t kMaxTestedElements = 1 << 16;

void ReadArray(const Bytes& file) {
  const auto array = cli::ParseNpy(file, "fuzz.npy");
  if (!array.ok()) return;
  int64_t elements = 1;
  for (const int size : array->shape) elements *= size;
  if (elements > kMaxTestedElements) return;
  for (const TfLiteType type : kTypes) {
    for (const float scale : {0.0f, 0.25f}) {
      testing::InputTensor input(type, array->shape);
      input.tensor.params.scale = scale;
      cli::NpyElements(*array, input.tensor, "fuzz.npy").IgnoreError();
    }
  }
  const testing::InputTensor other(kTfLiteFloat32, {2, 3});
  cli::NpyElements(*array, other.tensor, "fuzz.npy").IgnoreError();
}

void ReadSound(const Bytes& file) {
  const auto sound = cli::ParseWav(file, "fuzz.wav");
  if (!sound.ok()) return;
  for (const TfLiteType type : {kTfLiteFloat32, kTfLiteInt16, kTfLiteInt8}) {
    for (const int rate : {0, 1, 16000, 44100}) {
      const testing::InputTensor input(type, {1, 400});
      std::string note;
      cli::SoundElements(*sound, input.tensor, rate, "fuzz.wav", &note).IgnoreError();
    }
  }
}

void ReadArchive(std::span<const uint8_t> file) {
  for (const ZipFile& one : ListZip(file)) cli::ReadZip(file, one).IgnoreError();
}

void ReadLabels(std::string_view text) {
  const auto labels = cli::Labels::Parse(absl::string_view(text.data(), text.size()), "fuzz.txt");
  if (!labels.ok()) return;
  for (const int index : {-1, 0, 1, 90, 1001}) {
    labels->Class(index, 3);
    labels->Detected(index);
    labels->Misfit(index);
    labels->MisfitDetected(index);
  }
}

// The metadata, and behind it the archive that it names files of.
void ReadNotes(std::span<const uint8_t> file) {
  const auto notes = cli::ReadModelNotes(file);
  if (!notes) return;
  cli::ReadModelLabels(file, *notes);
  for (const cli::TensorNotes& tensor : notes->outputs) tensor.LabelFile();
}

}  // namespace
}  // namespace tern::fuzz

// The first byte says which file the others are.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::span<const uint8_t> file(data + 1, size - 1);
  const tern::cli::Bytes bytes(file.begin(), file.end());
  switch (data[0]) {
    case 'n':
      tern::fuzz::ReadArray(bytes);
      break;
    case 'w':
      tern::fuzz::ReadSound(bytes);
      break;
    case 'z':
      tern::fuzz::ReadArchive(file);
      break;
    case 'l':
      tern::fuzz::ReadLabels({reinterpret_cast<const char*>(file.data()), file.size()});
      break;
    case 'm':
      tern::fuzz::ReadNotes(file);
      break;
    default:
      break;
  }
  return 0;
}
