// SPDX-License-Identifier: Apache-2.0
// The settings that the command line of label_image gives.
#ifndef TERN_TOOLS_LABEL_IMAGE_SETTINGS_H_
#define TERN_TOOLS_LABEL_IMAGE_SETTINGS_H_

#include <string>

#include "absl/status/statusor.h"
#include "flags/flags.h"

namespace tern::tools {

struct LabelSettings {
  std::string model = "./mobilenet_quant_v1_224.tflite";
  std::string image = "./grace_hopper.bmp";
  std::string labels = "./labels.txt";
  // A float input gets (pixel - mean) / deviation.
  float mean = 127.5F;
  float deviation = 127.5F;
  int runs = 1;
  int warmup_runs = 2;
  int threads = 4;  // -1: the runtime's choice
  int results = 5;
  int max_events = 1024;  // of the profile
  bool verbose = false;
  bool profiling = false;
  bool allow_fp16 = false;
  bool accelerated = false;  // of NNAPI, which is not here
  bool hexagon = false;      // not here either
  bool gl_backend = false;   // an older name of the GPU delegate
  bool xnnpack = false;
  bool help = false;
};

// Reads --name=value, --name value and -n value into settings, and what the delegates know into
// `delegates`, which the older flags about them change as well. An error says which flag is wrong.
absl::StatusOr<LabelSettings> ParseLabelSettings(int argc, char** argv, Flags* delegates);
std::string LabelUsage(const Flags& delegates);

}  // namespace tern::tools

#endif  // TERN_TOOLS_LABEL_IMAGE_SETTINGS_H_
