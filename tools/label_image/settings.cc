// SPDX-License-Identifier: Apache-2.0
// The flags of the delegates are taken out first, for they exist as --name=value alone; the rest is
// read by getopt, whose forms scripts use.
#include "label_image/settings.h"

#include <getopt.h>

#include <cmath>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace tern::tools {
namespace {

struct Option {
  const char* name;
  char letter;
  const char* usage;
  // One of them says where the value goes.
  std::string LabelSettings::*text = nullptr;
  float LabelSettings::*number = nullptr;
  int LabelSettings::*integer = nullptr;
  bool LabelSettings::*choice = nullptr;  // by 0 or 1
  int min = 0;                            // of an integer
  int max = 1000000;
};

using S = LabelSettings;

const std::vector<Option>& Options() {
  static const auto* const options = new std::vector<Option>{
      {"accelerated",
       'a',
       "[0|1]: NNAPI, which this tool does not have",
       {},
       {},
       {},
       &S::accelerated},
      {"input_mean", 'b', "subtracted from pixels for a float input", {}, &S::mean},
      {"count", 'c', "timed runs", {}, {}, &S::runs, {}, 1},
      {"max_profiling_buffer_entries", 'e', "events in the profile", {}, {}, &S::max_events, {}, 1},
      {"allow_fp16", 'f', "[0|1]: permit half precision", {}, {}, {}, &S::allow_fp16},
      {"gl_backend", 'g', "[0|1]: run on the GPU", {}, {}, {}, &S::gl_backend},
      {"image", 'i', "photo, BMP, JPEG or PNG", &S::image},
      {"hexagon_delegate",
       'j',
       "[0|1]: Hexagon, which this tool does not have",
       {},
       {},
       {},
       &S::hexagon},
      {"labels", 'l', "class names, one per line", &S::labels},
      {"tflite_model", 'm', "model file", &S::model},
      {"profiling", 'p', "[0|1]: print the time of every node", {}, {}, {}, &S::profiling},
      {"num_results", 'r', "classes to print", {}, {}, &S::results, {}, 1},
      {"input_std", 's', "divides pixels for a float input", {}, &S::deviation},
      {"threads", 't', "threads of the CPU, -1: the default", {}, {}, &S::threads, {}, -1},
      {"verbose", 'v', "[0|1]: print more", {}, {}, {}, &S::verbose},
      {"warmup_runs", 'w', "runs before the timed ones", {}, {}, &S::warmup_runs},
      {"xnnpack_delegate", 'x', "[0|1]: apply the XNNPACK delegate", {}, {}, {}, &S::xnnpack},
  };
  return *options;
}

absl::Status SetOption(const Option& option, const char* value, LabelSettings* settings) {
  bool good = true;
  int integer = 0;
  if (option.text != nullptr) {
    settings->*option.text = value;
  } else if (option.number != nullptr) {
    float number = 0;
    good = absl::SimpleAtof(value, &number) && std::isfinite(number);
    settings->*option.number = number;
  } else if (option.integer != nullptr) {
    good = absl::SimpleAtoi(value, &integer) && integer >= option.min && integer <= option.max;
    settings->*option.integer = integer;
  } else {
    good = absl::SimpleAtoi(value, &integer) && (integer == 0 || integer == 1);
    settings->*option.choice = integer == 1;
  }
  if (good) return absl::OkStatus();
  std::string limits;
  if (option.integer != nullptr) limits = absl::StrCat(" (", option.min, " to ", option.max, ")");
  return absl::InvalidArgumentError(absl::StrCat("--", option.name, ": '", value, "'", limits));
}

absl::Status ReadOptions(std::vector<std::string> arguments, LabelSettings* settings) {
  std::vector<option> longs;
  std::string shorts = ":h";
  for (const Option& known : Options()) {
    longs.push_back({known.name, required_argument, nullptr, known.letter});
    shorts += {known.letter, ':'};
  }
  longs.push_back({"help", no_argument, nullptr, 'h'});
  longs.push_back({nullptr, 0, nullptr, 0});
  arguments.insert(arguments.begin(), "label_image");
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  optind = 0;  // from the beginning, whatever was read before
  const int count = static_cast<int>(arguments.size());
  while (true) {
    const int letter = getopt_long(count, argv.data(), shorts.c_str(), longs.data(), nullptr);
    if (letter == -1) break;
    if (letter == 'h') {
      settings->help = true;
      continue;
    }
    const Option* chosen = nullptr;
    for (const Option& known : Options()) chosen = known.letter == letter ? &known : chosen;
    if (chosen == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat(letter == ':' ? "a value is missing: " : "unknown flag: ",
                       arguments[static_cast<size_t>(optind - 1)]));
    }
    absl::Status status = SetOption(*chosen, optarg, settings);
    if (!status.ok()) return status;
  }
  if (optind < count) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown argument: ", argv[static_cast<size_t>(optind)]));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LabelSettings> ParseLabelSettings(int argc, char** argv, Flags* delegates) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  absl::Status status = delegates->Parse(&arguments);
  LabelSettings settings;
  if (status.ok()) status = ReadOptions(std::move(arguments), &settings);
  if (!status.ok()) return status;
  if (settings.deviation == 0) return absl::InvalidArgumentError("--input_std: 0");
  if (settings.gl_backend) {
    delegates->Set("use_gpu", "true");
    delegates->Set("gpu_inference_for_sustained_speed", "true");
    delegates->Set("gpu_precision_loss_allowed", settings.allow_fp16 ? "true" : "false");
  }
  if (settings.xnnpack) {
    delegates->Set("use_xnnpack", "true");
    delegates->Set("num_threads", absl::StrCat(settings.threads));
  }
  settings.help = settings.help || delegates->Bool("help");
  return settings;
}

std::string LabelUsage(const Flags& delegates) {
  std::string text = delegates.Usage("label_image");
  for (const Option& option : Options()) {
    absl::StrAppend(&text, "\t--", option.name, ", -", std::string(1, option.letter), ": ",
                    option.usage, "\n");
  }
  return text;
}

}  // namespace tern::tools
