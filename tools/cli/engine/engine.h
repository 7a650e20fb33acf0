// SPDX-License-Identifier: Apache-2.0
// One model on one engine: the CPU, or a backend of the GPU delegate. Everything the verbs do with
// a model goes through here, and here it goes through the public API alone.
#ifndef TERN_TOOLS_CLI_ENGINE_ENGINE_H_
#define TERN_TOOLS_CLI_ENGINE_ENGINE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/engine/engine_options.h"
#include "cli/engine/stand_ins.h"
#include "cli/inputs/tensor_bytes.h"
#include "cli/reports/arena_blocks.h"
#include "cli/reports/report.h"
#include "cli/reports/trace.h"
#include "tensorflow/lite/error_reporter.h"

namespace tflite {
class FlatBufferModel;
class Interpreter;
class Profiler;
class SignatureRunner;
}  // namespace tflite

namespace tern::cli {

// Keeps what the runtime reports, for the one message of a failure.
class ErrorLog : public tflite::ErrorReporter {
 public:
  using tflite::ErrorReporter::Report;
  int Report(const char* format, va_list args) override;
  // The lines so far, joined by "; "; empties the log.
  std::string Take();
  bool empty() const { return lines_.empty(); }

 private:
  std::vector<std::string> lines_;
};

struct Activations {
  size_t bytes = 0;
  size_t lower_bound = 0;  // what the best plan could need
};

// The memory that the tensors of a subgraph take.
struct SubgraphMemory {
  size_t arena_bytes = 0;
  size_t arena_lower_bound = 0;
  size_t persistent_bytes = 0;  // of variables
  size_t dynamic_bytes = 0;     // of tensors whose size a run decides
  std::vector<ArenaBlock> blocks;
};

class Engine {
 public:
  // Loads and builds. Unimplemented, here and below: the runtime has no kernel for an op of the
  // model, or none for its types.
  static absl::StatusOr<std::unique_ptr<Engine>> Open(const std::string& model_path,
                                                      const EngineOptions& options);
  // Opens a model in memory, of which a copy is kept.
  static absl::StatusOr<std::unique_ptr<Engine>> OpenBytes(const Bytes& model,
                                                           const EngineOptions& options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Sets the shape of an input; before Prepare.
  absl::Status Resize(int input, const std::vector<int>& shape);
  // Applies the delegate and allocates. FailedPrecondition: the delegate refused the whole graph.
  absl::Status Prepare();
  absl::Status Invoke();
  // Measures the parts on the GPU over `runs` runs and leaves slower ones to the CPU. Nothing on
  // the CPU. Inputs keep their contents.
  absl::Status DropSlowParts(int runs);

  int input_count() const { return static_cast<int>(input_names_.size()); }
  int output_count() const { return static_cast<int>(output_names_.size()); }
  const std::string& input_name(int i) const { return input_names_[static_cast<size_t>(i)]; }
  const std::string& output_name(int i) const { return output_names_[static_cast<size_t>(i)]; }
  // Position of a named input or output, -1 when there is none.
  int FindInput(const std::string& name) const;
  int FindOutput(const std::string& name) const;
  TfLiteTensor* input(int i);
  const TfLiteTensor* output(int i);

  // Copies raw elements into an input. Errors: wrong size, an input that is a constant.
  absl::Status SetInput(int i, const Bytes& data);
  // Gives an input the default content for its type (FillDefault with seed i + 1; strings are
  // empty). Constants keep their own.
  absl::Status FillInput(int i);
  // Text of a string output, in order.
  std::vector<std::string> OutputStrings(int i);

  // Whether a run may depend on the ones before.
  bool HasState() const;
  Report MakeReport();
  // The steps of the start so far: "load" (the file is read and verified), "build" (the graph),
  // "delegate" (it is made and applied), "allocate" (tensors).
  const std::vector<TraceSpan>& start() const { return start_; }
  // Receives the events of the runs that follow; null for none. Not owned.
  void SetProfiler(tflite::Profiler* profiler);
  // The first output of a node, null where it has none.
  const TfLiteTensor* NodeOutput(int subgraph, int node);
  // By its index in the primary subgraph, null where it has none.
  const TfLiteTensor* Tensor(int index);
  // The tensor memory of all subgraphs.
  Activations ActivationBytes();
  // Memory by subgraph, and where the tensors lie.
  std::vector<SubgraphMemory> Memory();
  // The bytes that the model file keeps under a name for others to read; empty when it has none.
  std::string Metadata(const std::string& name) const;

 private:
  using Delegate = std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>;

  explicit Engine(EngineOptions options);
  absl::Status Build();
  absl::Status ChooseSignature();
  absl::Status ApplyDelegate();
  std::string WhyNotApplied();
  absl::Status Error(const std::string& what);

  EngineOptions options_;
  ErrorLog log_;
  Bytes bytes_;  // of a model in memory
  std::unique_ptr<tflite::FlatBufferModel> model_;
  Delegate delegate_;  // outlives the interpreter
  std::unique_ptr<tflite::Interpreter> interpreter_;
  std::unique_ptr<StandIns> stand_ins_;           // null: none are asked for
  tflite::SignatureRunner* signature_ = nullptr;  // owned by the interpreter
  std::vector<std::string> input_names_;
  std::vector<std::string> output_names_;
  std::vector<TraceSpan> start_;
  std::string not_applied_;  // why the CPU runs the model instead of the delegate
  int nodes_ = 0;            // nodes of the run subgraph before delegation
};

// Makes the backend's delegate through the plug-in entry, as any loader would; without an engine
// the delegate chooses. Null with the reason in *error.
std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)> CreateGpuDelegate(
    const EngineOptions& options, std::string* error);

// The name of the processor, for reports.
std::string CpuName();
// Largest resident size of this process so far.
size_t PeakRssBytes();

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ENGINE_ENGINE_H_
