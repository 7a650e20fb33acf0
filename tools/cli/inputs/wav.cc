// SPDX-License-Identifier: Apache-2.0
// A .wav file is a list of chunks, each with a name and a size; two of them matter.
#include "cli/inputs/wav.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tern::cli {
namespace {

constexpr int kPcm = 1, kFloats = 3, kExtensible = 0xfffe;

absl::Status WavError(const std::string& name, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat(name, ": ", why));
}

struct WavForm {
  int code = 0, channels = 0, rate = 0, bits = 0;
  size_t begin = 0, bytes = 0;  // of the samples
};

uint32_t WavNumber(const Bytes& file, size_t at, size_t bytes) {
  uint32_t value = 0;
  for (size_t i = bytes; i-- > 0;) value = value << 8 | (at + i < file.size() ? file[at + i] : 0);
  return value;
}

bool HasName(const Bytes& file, size_t at, const char* name) {
  return at + 4 <= file.size() && std::memcmp(&file[at], name, 4) == 0;
}

// A file that is still written to has no size for its last chunk, so the end of the file counts
// too.
WavForm ReadChunks(const Bytes& file) {
  WavForm form;
  for (size_t at = 12; at + 8 <= file.size();) {
    const size_t begin = at + 8;
    const size_t bytes = std::min<size_t>(WavNumber(file, at + 4, 4), file.size() - begin);
    if (HasName(file, at, "fmt ") && bytes >= 16) {
      form.code = static_cast<int>(WavNumber(file, begin, 2));
      form.channels = static_cast<int>(WavNumber(file, begin + 2, 2));
      form.rate = static_cast<int>(std::min<uint32_t>(WavNumber(file, begin + 4, 4), 10000000));
      form.bits = static_cast<int>(WavNumber(file, begin + 14, 2));
      if (form.code == kExtensible && bytes >= 26) {
        form.code = static_cast<int>(WavNumber(file, begin + 24, 2));
      }
    }
    if (HasName(file, at, "data") && form.bytes == 0) {
      form.begin = begin;
      form.bytes = bytes;
    }
    at = begin + bytes + bytes % 2;
  }
  return form;
}

}  // namespace

absl::StatusOr<Sound> ParseWav(const Bytes& file, const std::string& name) {
  if (!HasName(file, 0, "RIFF") || !HasName(file, 8, "WAVE")) {
    return WavError(name, "no sound (.wav)");
  }
  const WavForm form = ReadChunks(file);
  const bool pcm = form.code == kPcm && form.bits == 16;
  if (!pcm && !(form.code == kFloats && form.bits == 32)) {
    return WavError(name, absl::StrCat("sound of the form ", form.code, " with ", form.bits,
                                       " bits; PCM of 16 bits or floats of 32 are expected"));
  }
  if (form.channels < 1 || form.rate < 1) {
    return WavError(name, absl::StrCat("sound with ", form.channels, " channels at ", form.rate,
                                       " Hz; at least 1 of each is expected"));
  }
  const auto channels = static_cast<size_t>(form.channels);
  const size_t count = form.bytes / (channels * static_cast<size_t>(form.bits) / 8);
  if (count == 0) return WavError(name, "no samples in it");
  Sound sound{form.rate, form.channels, {}};
  sound.samples.reserve(count);
  const TfLiteType type = pcm ? kTfLiteInt16 : kTfLiteFloat32;
  const double full = pcm ? 32768 : 1;
  for (size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (size_t c = 0; c < channels; ++c) {
      sum += ReadElement(type, &file[form.begin], static_cast<int64_t>(i * channels + c));
    }
    sound.samples.push_back(static_cast<float>(sum / full / form.channels));
  }
  return sound;
}

int64_t SamplesAt(const Sound& sound, int rate) {
  return static_cast<int64_t>(sound.samples.size()) * rate / sound.rate;
}

Sound Resampled(const Sound& sound, int rate, int64_t max) {
  if (rate == sound.rate || sound.samples.empty()) return sound;
  Sound result{rate, sound.channels, {}};
  const double step = static_cast<double>(sound.rate) / rate;
  const auto count = static_cast<size_t>(std::min(SamplesAt(sound, rate), max));
  const size_t last = sound.samples.size() - 1;
  for (size_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(i) * step;
    const size_t left = std::min(static_cast<size_t>(at), last);
    const size_t right = std::min(left + 1, last);
    const auto share = static_cast<float>(at - static_cast<double>(left));
    result.samples.push_back(sound.samples[left] * (1 - share) + sound.samples[right] * share);
  }
  return result;
}

absl::StatusOr<Bytes> SoundElements(const Sound& sound, const TfLiteTensor& input, int rate,
                                    const std::string& name, std::string* note) {
  const std::vector<int> shape = ShapeOf(input);
  const int64_t needed = ElementCount(shape);
  const bool row = !shape.empty() && *std::max_element(shape.begin(), shape.end()) == needed;
  const bool floats = input.type == kTfLiteFloat32;
  const bool scaled =
      !IsFloat(input.type) && input.params.scale != 0 &&
      (input.type == kTfLiteInt8 || input.type == kTfLiteUInt8 || input.type == kTfLiteInt16);
  if (!row || !(floats || scaled || input.type == kTfLiteInt16)) {
    return WavError(name, absl::StrCat("the input ", ShapeText(shape), " ", TypeName(input.type),
                                       " takes no sound (one row of float32 or int16)"));
  }
  const Sound at_rate = rate > 0 ? Resampled(sound, rate, needed) : sound;
  const int64_t count = SamplesAt(sound, at_rate.rate);
  *note = absl::StrFormat("sound of %.2f s at %d Hz",
                          static_cast<double>(sound.samples.size()) / sound.rate, sound.rate);
  if (sound.channels > 1) absl::StrAppend(note, ", the mean of ", sound.channels, " channels");
  if (at_rate.rate != sound.rate) absl::StrAppend(note, ", resampled to ", at_rate.rate, " Hz");
  if (count > needed) absl::StrAppend(note, ", the first ", needed, " of ", count, " samples");
  if (count < needed)
    absl::StrAppend(note, ", ", count, " samples and ", needed - count, " of silence");
  Bytes elements;
  for (int64_t i = 0; i < needed; ++i) {
    const double v = i < count ? at_rate.samples[static_cast<size_t>(i)] : 0;
    if (floats) {
      AppendElement(input.type, v, &elements);
      continue;
    }
    const double full = input.type == kTfLiteInt16 ? 32767 : input.type == kTfLiteInt8 ? 127 : 255;
    const double min = input.type == kTfLiteUInt8 ? 0 : -full - 1;
    const double q = scaled ? v / input.params.scale + input.params.zero_point : v * 32768;
    AppendElement(input.type, std::clamp(std::round(q), min, full), &elements);
  }
  return elements;
}

}  // namespace tern::cli
