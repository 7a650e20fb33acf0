// SPDX-License-Identifier: Apache-2.0
// Which engine runs a model, and how.
#ifndef TERN_TOOLS_CLI_ENGINE_ENGINE_OPTIONS_H_
#define TERN_TOOLS_CLI_ENGINE_ENGINE_OPTIONS_H_

#include <string>

namespace tern::cli {

struct EngineOptions {
  // cpu, or a backend: opencl, gles, host, null:NAME; or gpu, auto (cli/engine/engine_names.h)
  std::string engine = "cpu";
  std::string why = "asked for";  // it is this one
  std::string device;  // to plan for, in place of an engine: an invented one or a backend
  std::string precision = "f32";  // f32 or f16; the CPU computes as the model says
  int threads = -1;               // CPU threads; -1: the runtime's choice
  int slice_width = 0;            // 4, 8 or 16; 0: the device's choice
  bool fuse = true;
  bool winograd = false;             // 3x3 convolutions by Winograd's algorithm
  std::string activations = "auto";  // f32 or f16: what lies between nodes on the device
  std::string sums = "f32";          // f16: few products are added in halves
  bool guard = false;                // nodes whose results halves do not hold go to floats
  std::string packed = "auto";       // on or off: what is 8 bits in the model is on the device
  bool quantized = true;             // tensors of 8 and 16 bits go to the GPU, as floats
  bool list = false;                 // plans and printed sources in the report
  bool trace = false;                // the phases of start and runs one by one in the report
  bool plan_only = false;        // GPU engines: decide and report, but build and run nothing there
  double tune_seconds = -1;      // for tuning on the device; -1: none
  std::string cache_dir;         // where compiled models are saved; empty: nowhere
  std::string model_token;       // of the model there; empty: a hash of the file
  int max_partitions = 1000000;  // parts of a graph that GPU engines may take
  std::string gpu_least_gain;    // microseconds that a part of the graph must save; empty: any
  std::string gpu_allow, gpu_deny;  // nodes that the GPU may take (delegates/gpu/node_lists.h)
  std::string signature;            // empty: the primary subgraph
  bool keep_tensors = false;        // all tensors can be read after a run
  bool stand_ins = false;  // what cannot be prepared is reported, and nothing runs (stand_ins.h)
  bool allow_fallback = false;  // a delegate that cannot be applied leaves the model to the CPU

  bool on_cpu() const { return engine == "cpu"; }
};

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ENGINE_ENGINE_OPTIONS_H_
