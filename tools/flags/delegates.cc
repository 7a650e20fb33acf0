// SPDX-License-Identifier: Apache-2.0
// From flags to delegates.
#include "flags/delegates.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

namespace tern::tools {
namespace {

absl::StatusOr<Delegate> CreateGpu(const Flags& flags) {
  TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
  if (flags.Bool("gpu_precision_loss_allowed")) {
    options.inference_priority1 = TFLITE_GPU_INFERENCE_PRIORITY_MIN_LATENCY;
    options.inference_priority2 = TFLITE_GPU_INFERENCE_PRIORITY_MIN_MEMORY_USAGE;
    options.inference_priority3 = TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION;
  }
  options.experimental_flags = flags.Bool("gpu_experimental_enable_quant")
                                   ? TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT
                                   : TFLITE_GPU_EXPERIMENTAL_FLAGS_NONE;
  if (flags.Bool("gpu_inference_for_sustained_speed")) {
    options.inference_preference = TFLITE_GPU_INFERENCE_PREFERENCE_SUSTAINED_SPEED;
  }
  const std::string& backend = flags.Text("gpu_backend");
  if (backend == "cl") {
    options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY;
  } else if (backend == "gl") {
    options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY;
  } else if (!backend.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("--gpu_backend: '", backend, "' (cl, gl)"));
  }
  options.max_delegated_partitions = std::max(1, flags.Int("max_delegated_partitions"));
  const std::string& folder = flags.Text("delegate_serialize_dir");
  const std::string& token = flags.Text("delegate_serialize_token");
  if (!folder.empty() && !token.empty()) {
    options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION;
    options.serialization_dir = folder.c_str();
    options.model_token = token.c_str();
  }
  return Delegate{"GPU", {TfLiteGpuDelegateV2Create(&options), TfLiteGpuDelegateV2Delete}};
}

absl::StatusOr<Delegate> CreateXnnpack(const Flags& flags) {
  TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
  options.num_threads = flags.Int("num_threads");
  if (flags.Bool("xnnpack_force_fp16")) options.flags |= TFLITE_XNNPACK_DELEGATE_FLAG_FORCE_FP16;
  return Delegate{"XNNPACK", {TfLiteXNNPackDelegateCreate(&options), TfLiteXNNPackDelegateDelete}};
}

absl::StatusOr<Delegate> CreateExternal(const Flags& flags) {
  TfLiteExternalDelegateOptions options =
      TfLiteExternalDelegateOptionsDefault(flags.Text("external_delegate_path").c_str());
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& option :
       absl::StrSplit(flags.Text("external_delegate_options"), ';', absl::SkipEmpty())) {
    const size_t colon = option.find(':');
    if (colon == std::string_view::npos) {
      return absl::InvalidArgumentError(
          absl::StrCat("--external_delegate_options: '", option, "' is no name:value"));
    }
    pairs.emplace_back(option.substr(0, colon), option.substr(colon + 1));
  }
  for (const auto& [key, value] : pairs) {
    if (options.insert(&options, key.c_str(), value.c_str()) != kTfLiteOk) {
      return absl::InvalidArgumentError(absl::StrCat("--external_delegate_options: ", pairs.size(),
                                                     " (", kExternalDelegateMaxOptions, ")"));
    }
  }
  return Delegate{"EXTERNAL",
                  {TfLiteExternalDelegateCreate(&options), TfLiteExternalDelegateDelete}};
}

}  // namespace

std::vector<Flag> DelegateFlags() {
  using T = FlagType;
  return {
      {"help", T::kBool, "false", "print out all supported flags", "show this text"},
      {"num_threads", T::kInt, "-1", "#threads used for CPU inference", "threads of the CPU"},
      {"max_delegated_partitions", T::kInt, "0", "Max number of delegated partitions",
       "parts of the graph that a delegate may take, those first that save most; 0: its default"},
      {"min_nodes_per_partition", T::kInt, "0", "Min nodes per partition",
       "taken for delegates that ask for it; those of this tool do not"},
      {"delegate_serialize_dir", T::kText, "", "Directory for delegate serialization",
       "folder in which delegates keep what they prepared, with delegate_serialize_token"},
      {"delegate_serialize_token", T::kText, "",
       "Model-specific token/key for delegate serialization.",
       "name of the model in delegate_serialize_dir"},
      {"first_delegate_node_index", T::kInt, "0", "Index of the first node that could be delegated",
       "taken, without effect"},
      {"last_delegate_node_index", T::kInt, "2147483647",
       "Index of the last node that could be delegated", "taken, without effect"},
      {"use_gpu", T::kBool, "false", "Use gpu", "run on the GPU what it takes"},
      {"gpu_precision_loss_allowed", T::kBool, "true", "Allow lower precision in gpu",
       "half precision on the GPU where it is faster"},
      {"gpu_experimental_enable_quant", T::kBool, "true", "Enable running quant models in gpu",
       "let the GPU take quantized models"},
      {"gpu_inference_for_sustained_speed", T::kBool, "false",
       "Prefer maximizing the throughput in gpu", "tune the GPU for many runs"},
      {"gpu_backend", T::kText, "", "GPU backend", "cl or gl: this API or none"},
      {"use_xnnpack", T::kBool, "false", "Use xnnpack",
       "hand threads and precision to the CPU kernels by the XNNPACK delegate's name"},
      {"xnnpack_force_fp16", T::kBool, "false", "xnnpack_force_fp16",
       "permit half precision, with use_xnnpack"},
      {"xnnpack_weight_cache_file_path", T::kText, "", "xnnpack_weight_cache_file_path",
       "taken, without effect"},
      {"external_delegate_path", T::kText, "", "External delegate path",
       "shared library of a delegate"},
      {"external_delegate_options", T::kText, "", "External delegate options",
       "its options, name:value, separated by semicolons"},
  };
}

absl::StatusOr<std::vector<Delegate>> CreateDelegates(const Flags& flags) {
  using Create = absl::StatusOr<Delegate> (*)(const Flags&);
  std::vector<std::pair<int, Create>> wanted;
  if (flags.Bool("use_gpu")) wanted.emplace_back(flags.Position("use_gpu"), CreateGpu);
  if (flags.Bool("use_xnnpack")) wanted.emplace_back(flags.Position("use_xnnpack"), CreateXnnpack);
  if (!flags.Text("external_delegate_path").empty()) {
    wanted.emplace_back(flags.Position("external_delegate_path"), CreateExternal);
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Delegate> delegates;
  for (const auto& [position, create] : wanted) {
    absl::StatusOr<Delegate> made = create(flags);
    if (!made.ok()) return made.status();
    if (made->delegate == nullptr) {
      return absl::UnavailableError(
          absl::StrCat("The ", made->name, " delegate cannot be created."));
    }
    delegates.push_back(*std::move(made));
  }
  return delegates;
}

}  // namespace tern::tools
