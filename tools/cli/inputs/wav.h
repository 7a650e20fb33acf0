// SPDX-License-Identifier: Apache-2.0
// Sound in .wav files, for inputs that take a row of samples.
#ifndef TERN_TOOLS_CLI_INPUTS_WAV_H_
#define TERN_TOOLS_CLI_INPUTS_WAV_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/inputs/tensor_bytes.h"

namespace tern::cli {

struct Sound {
  int rate = 0;                // samples in a second
  int channels = 1;            // of the file
  std::vector<float> samples;  // -1..1, the mean of the channels
};
// PCM of 16 bits or floats of 32. `name` stands in messages.
absl::StatusOr<Sound> ParseWav(const Bytes& file, const std::string& name);

// How many samples it has at another rate.
int64_t SamplesAt(const Sound& sound, int rate);
// The first of them, no more than `max`, by straight lines between samples.
Sound Resampled(const Sound& sound, int rate, int64_t max);

// The samples for an input, cut or filled up with silence. Floats are -1..1, integers of 16 bits
// without a scale are PCM. `note` gets what was done, in words.
absl::StatusOr<Bytes> SoundElements(const Sound& sound, const TfLiteTensor& input, int rate,
                                    const std::string& name, std::string* note);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_INPUTS_WAV_H_
