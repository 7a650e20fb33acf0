// SPDX-License-Identifier: Apache-2.0
// Sound as elements of inputs, and what is refused.
#include "cli/inputs/wav.h"
#include "cli/testing/input_tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tern::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void Put(uint32_t value, size_t bytes, Bytes* out) {
  for (size_t i = 0; i < bytes; ++i) out->push_back(static_cast<uint8_t>(value >> 8 * i));
}

Bytes WavFile(uint32_t code, uint32_t channels, uint32_t rate, uint32_t bits, const Bytes& data) {
  Bytes file = {'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'A', 'V', 'E', 'f', 'm', 't', ' '};
  Put(16, 4, &file);
  Put(code, 2, &file);
  Put(channels, 2, &file);
  Put(rate, 4, &file);
  Put(rate * channels * bits / 8, 4, &file);
  Put(channels * bits / 8, 2, &file);
  Put(bits, 2, &file);
  for (const char c : {'L', 'I', 'S', 'T'}) file.push_back(static_cast<uint8_t>(c));
  Put(1, 4, &file);  // an odd chunk is followed by a byte
  Put(0, 2, &file);
  for (const char c : {'d', 'a', 't', 'a'}) file.push_back(static_cast<uint8_t>(c));
  Put(static_cast<uint32_t>(data.size()), 4, &file);
  file.insert(file.end(), data.begin(), data.end());
  return file;
}

Bytes Pcm(const std::vector<int>& samples) {
  Bytes data;
  for (const int sample : samples) Put(static_cast<uint32_t>(sample), 2, &data);
  return data;
}

std::vector<double> Heard(const Sound& sound, const testing::InputTensor& input, int rate,
                          std::string* note) {
  const auto bytes = SoundElements(sound, input.tensor, rate, "a.wav", note);
  std::vector<double> values;
  if (!bytes.ok()) return values;
  const auto count = static_cast<int64_t>(bytes->size() / ElementBytes(input.tensor.type));
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(ReadElement(input.tensor.type, bytes->data(), i));
  }
  return values;
}

TEST(WavTest, ReadsPcmAndFloats) {
  const auto pcm = ParseWav(WavFile(1, 1, 8000, 16, Pcm({0, 16384, -32768})), "a.wav");
  ASSERT_TRUE(pcm.ok()) << pcm.status();
  EXPECT_EQ(pcm->rate, 8000);
  EXPECT_THAT(pcm->samples, ElementsAre(0, 0.5f, -1));
  Bytes data;
  AppendElement(kTfLiteFloat32, 0.25, &data);
  EXPECT_THAT(ParseWav(WavFile(3, 1, 8000, 32, data), "a.wav")->samples, ElementsAre(0.25f));
  const auto stereo = ParseWav(WavFile(1, 2, 8000, 16, Pcm({16384, 0, 0, 0})), "a.wav");
  EXPECT_THAT(stereo->samples, ElementsAre(0.25f, 0));
}

TEST(WavTest, IsCutOrFilledUp) {
  const Sound sound{8, 1, {0.5f, -0.5f, 0.25f, 0}};
  std::string note;
  EXPECT_THAT(Heard(sound, {kTfLiteFloat32, {1, 2}}, 0, &note), ElementsAre(0.5, -0.5));
  EXPECT_EQ(note, "sound of 0.50 s at 8 Hz, the first 2 of 4 samples");
  EXPECT_THAT(Heard(sound, {kTfLiteInt16, {5}}, 0, &note), ElementsAre(16384, -16384, 8192, 0, 0));
  EXPECT_EQ(note, "sound of 0.50 s at 8 Hz, 4 samples and 1 of silence");
  EXPECT_THAT(Heard(sound, {kTfLiteFloat32, {4}}, 16, &note), ElementsAre(0.5, 0, -0.5, -0.125));
  EXPECT_EQ(note, "sound of 0.50 s at 8 Hz, resampled to 16 Hz, the first 4 of 8 samples");
  testing::InputTensor quantized(kTfLiteInt8, {2});
  quantized.tensor.params = {0.5f, 1};
  EXPECT_THAT(Heard(sound, quantized, 0, &note), ElementsAre(2, 0));
}

TEST(WavTest, InputsThatTakeNoSound) {
  std::string note;
  const testing::InputTensor picture(kTfLiteFloat32, {1, 4, 4, 3});
  EXPECT_EQ(SoundElements({8, 1, {0}}, picture.tensor, 0, "a.wav", &note).status().message(),
            "a.wav: the input 1x4x4x3 float32 takes no sound (one row of float32 or int16)");
}

TEST(WavTest, OtherFilesAreRefused) {
  const auto trouble = [](const Bytes& file) {
    return std::string(ParseWav(file, "a.wav").status().message());
  };
  EXPECT_EQ(trouble({1, 2, 3}), "a.wav: no sound (.wav)");
  EXPECT_EQ(trouble(WavFile(1, 1, 8000, 24, Bytes(6))),
            "a.wav: sound of the form 1 with 24 bits; PCM of 16 bits or floats of 32 are expected");
  EXPECT_THAT(trouble(WavFile(1, 0, 8000, 16, Bytes(6))), HasSubstr("0 channels at 8000 Hz"));
  EXPECT_EQ(trouble(WavFile(1, 1, 8000, 16, {})), "a.wav: no samples in it");
  const Bytes sound = WavFile(1, 1, 8000, 16, Pcm({1, 2}));
  for (size_t size = 0; size < sound.size(); ++size) {
    (void)ParseWav(Bytes(sound.begin(), sound.begin() + static_cast<long>(size)), "");
  }
}

}  // namespace
}  // namespace tern::cli
