// SPDX-License-Identifier: Apache-2.0
// The table of options about engines.
#include "cli/engine/engine_flags.h"

namespace tern::cli {
namespace {

using Options = EngineOptions;

// Verbs that run models, and all that look at a GPU.
constexpr unsigned kRunning = kRun | kVerify | kDiff | kBench | kTune | kAdvise | kInspect;
constexpr unsigned kPlanning = kExplain | kPlan | kKernels;
constexpr unsigned kAll = kRunning | kPlanning;
constexpr bool kOnCpuToo = false;

constexpr EngineFlag kFlags[] = {
    {"--engine", kAll & ~kBench, Text("ENGINE"), {}, "", kOnCpuToo},
    {"--engines", kBench, Text("ENGINES"), {}, "", kOnCpuToo},
    {"--device", kPlanning, Text("DEVICE"), {}, ""},
    {"--threads", kRunning, Whole(-1, 1024), &Options::threads,
     "CPU threads; -1: the runtime's choice", kOnCpuToo},
    {"--no-quantized",
     kAll,
     {},
     &Options::quantized,
     "Leave operations on 8 and 16 bit tensors to the CPU",
     true,
     false},
    {"--gpu-allow", kAll, Text("NODES"), &Options::gpu_allow,
     "Nodes that may go to the GPU: 12,3-7,op:CONV_2D,name:block_1/*"},
    {"--gpu-deny", kAll, Text("NODES"), &Options::gpu_deny, "Nodes that may not, likewise"},
    {"--gpu-least-gain", kAll, Whole(-1e9, 1e9), &Options::gpu_least_gain,
     "Microseconds that a part on the GPU must save in a run, by estimate"},
    {"--max-partitions", kAll, Whole(1, 1e6), &Options::max_partitions,
     "Parts of the graph that may go to the GPU (unless given, all; the API's default is 1)"},
    {"--precision", kAll, Words("f32|f16"), &Options::precision, "Of the GPU's numbers in memory"},
    {"--activations", kAll, Words("f32|f16|auto"), &Options::activations,
     "Precision of what lies between nodes; auto: as --precision, but f32 where most weights are "
     "halves in the model"},
    {"--sums", kAll, Words("f32|f16"), &Options::sums,
     "f16: convolutions in half precision add few products in halves, where the device does"},
    {"--guard",
     kAll,
     {},
     &Options::guard,
     "Find numbers that halves do not hold, and compute those nodes in floats"},
    {"--winograd",
     kAll,
     {},
     &Options::winograd,
     "Compute 3x3 convolutions by Winograd's algorithm, where they fit"},
    {"--packed", kAll, Words("on|off|auto"), &Options::packed,
     "Tensors and weights of 8 bits take 8 bits on the GPU"},
    {"--slice-width", kAll, Words("4|8|16"), &Options::slice_width, "Channels per slice"},
    {"--no-fuse", kAll, {}, &Options::fuse, "Keep every node a launch of its own", true, false},
    {"--cache-dir", kRunning, Text("FOLDER"), &Options::cache_dir,
     "Save what GPU engines compile in this folder, and start from it"},
    {"--model-token", kRunning, Text("NAME"), &Options::model_token,
     "The model's name there (default: a hash of the file)"},
    {"--tune", kRunning & ~kTune, Number("SECONDS", 0, 3600), &Options::tune_seconds,
     "Measure for so long which kernels' shapes are quickest on this GPU"},
    {"--budget,--tune", kTune, Number("SECONDS", 0, 3600), &Options::tune_seconds,
     "How long to measure (default: 5)"},
};

}  // namespace

std::span<const EngineFlag> EngineFlags() { return kFlags; }

}  // namespace tern::cli
