// SPDX-License-Identifier: Apache-2.0
// The flags of all verbs: the one file that knows the flag library, which is slow to compile.
#include "cli/flags.h"

#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "cli/verbs.h"

namespace tern::cli {
namespace {

constexpr char kDevices[] =
    "An invented device (gles-min, adreno, mali, videocore, amd, nvidia, cpu16) or a backend "
    "(opencl, gles, host)";

void AddPrecisionFlags(CLI::App* verb, EngineOptions* options) {
  verb->add_option("--precision", options->precision, "f32 or f16, on GPU engines")
      ->check(CLI::IsMember({"f32", "f16"}));
  verb->add_option("--activations", options->activations,
                   "What lies between nodes: f32, f16, or auto (as --precision, but f32 where most "
                   "weights are halves in the model)")
      ->check(CLI::IsMember({"f32", "f16", "auto"}));
  verb->add_flag("--guard", options->guard,
                 "Find numbers that halves do not hold, and compute those nodes in floats");
  verb->add_option("--packed", options->packed,
                   "Tensors and weights of 8 bits take 8 bits on the device: on, off or auto")
      ->check(CLI::IsMember({"on", "off", "auto"}));
  verb->add_option("--slice-width", options->slice_width, "Channels per slice: 4, 8 or 16")
      ->check(CLI::IsMember({4, 8, 16}));
}

void AddChoiceFlags(CLI::App* verb, EngineOptions* options) {
  verb->add_option("--gpu-allow", options->gpu_allow,
                   "Nodes that may go to the GPU: 12,3-7,op:CONV_2D,name:block_1/*");
  verb->add_option("--gpu-deny", options->gpu_deny, "Nodes that may not, likewise");
  verb->add_option("--gpu-least-gain", options->gpu_least_gain,
                   "Microseconds that a part on the GPU must save in a run, by estimate")
      ->check(CLI::Range(-1000000000, 1000000000));
}

void AddCacheFlags(CLI::App* verb, EngineOptions* options) {
  verb->add_option("--cache-dir", options->cache_dir,
                   "Save what GPU engines compile in this folder, and start from it");
  verb->add_option("--model-token", options->model_token,
                   "The model's name there (default: a hash of the file)");
}

void AddTuneFlag(CLI::App* verb, const char* name, EngineOptions* options) {
  verb->add_option(name, options->tune_seconds,
                   "Measure for so many seconds which kernels' shapes are quickest on this GPU")
      ->check(CLI::Range(0.0, 3600.0));
}

// The flags of the verbs that run models on one engine.
void AddEngineFlags(CLI::App* verb, EngineOptions* options) {
  verb->add_option("--engine", options->engine, "cpu, opencl, gles or host")
      ->check([](const std::string& name) {
        const bool known = name == "cpu" || name == "opencl" || name == "gles" ||
                           name == "gles:min" || name == "host" || name.rfind("null:", 0) == 0;
        return known ? std::string() : "unknown engine '" + name + "' (cpu, opencl, gles, host)";
      });
  verb->add_option("--threads", options->threads, "CPU threads, -1: the runtime's choice")
      ->check(CLI::Range(-1, 1024));
  verb->add_flag("--no-quantized{false}", options->quantized,
                 "Leave operations on 8 and 16 bit tensors to the CPU");
  AddChoiceFlags(verb, options);
  AddPrecisionFlags(verb, options);
  AddCacheFlags(verb, options);
  AddTuneFlag(verb, "--tune", options);
}

void AddInputFlags(CLI::App* verb, std::vector<std::string>* inputs,
                   std::vector<std::string>* shapes) {
  verb->add_option("--input", *inputs, "I=FILE.bin: raw little-endian elements of input I")
      ->expected(1)
      ->take_all();
  verb->add_option("--shape", *shapes, "I=1x224x224x3: resize input I")->expected(1)->take_all();
}

void AddRunVerb(CLI::App* app, Action* action) {
  auto options = std::make_shared<RunOptions>();
  options->engine.allow_fallback = true;  // the report tells what ran where
  CLI::App* verb = app->add_subcommand("run", "Run a model");
  verb->add_option("model", options->model, "A .tflite file")->required();
  AddEngineFlags(verb, &options->engine);
  verb->add_option("--image", options->image, "A photo for the first picture input");
  verb->add_option("--labels", options->labels, "Class names, one per line");
  verb->add_option("--input-range", options->input_range,
                   "LOW,HIGH: what black and white become (default: the model's metadata, else "
                   "-1,1; quantized inputs: their whole range)")
      ->delimiter(',')
      ->expected(2);
  AddInputFlags(verb, &options->inputs, &options->shapes);
  verb->add_option("--signature", options->engine.signature, "Run this signature");
  verb->add_option("--output-dir", options->output_dir, "Write 0.bin, 1.bin, ... and overlay.png");
  verb->add_option("--report", options->report, "Write the report as JSON");
  verb->add_option("--trace", options->trace,
                   "Write what happened when, for Perfetto and chrome://tracing (docs/trace.md)");
  verb->add_option("--gpu-drop-slow", options->drop_slow_runs,
                   "Measure parts on the GPU over so many runs; slower ones go back to the CPU")
      ->check(CLI::Range(1, 1000));
  verb->add_option("--runs", options->runs,
                   "Invoke so often; outputs are those of the last, times leave out the first")
      ->check(CLI::Range(1, 1000000));
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

void AddVerifyVerb(CLI::App* app, Action* action) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verb = app->add_subcommand("verify", "Run case files and judge the outputs");
  verb->add_option("root", options->roots, "Folders with *.case.json files")->required();
  AddEngineFlags(verb, &options->engine);
  verb->add_option("--only", options->only, "Glob over case names");
  verb->add_option("--every", options->every, "Only each Nth of these cases")
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--dump", options->dump, "Write outputs below this folder");
  verb->add_flag("--allow-fallback", options->engine.allow_fallback,
                 "Also judge cases in which nodes ran on the CPU");
  verb->add_flag("--no-fuse{false}", options->engine.fuse, "Keep every node a dispatch of its own");
  verb->add_flag("--quiet", options->quiet, "No table, only failures, skips and the closing line");
  verb->callback([options, action] { *action = [options] { return Verify(*options); }; });
}

void AddDiffVerb(CLI::App* app, Action* action) {
  auto options = std::make_shared<DiffOptions>();
  options->engine.engine = "opencl";
  CLI::App* verb = app->add_subcommand("diff", "Compare a GPU engine with the CPU, node by node");
  verb->add_option("model", options->model, "A .tflite file")->required();
  AddEngineFlags(verb, &options->engine);
  AddInputFlags(verb, &options->inputs, &options->shapes);
  verb->add_option("--tolerance", options->tolerance,
                   "What a float may be off, as a share of the tensor's largest magnitude "
                   "(default: 2^-16, in half precision 2^-10), beside the effect of rounding")
      ->check(CLI::Range(0.0, 1.0));
  verb->add_option("--steps", options->steps, "What a quantized element may be off (default: 2)")
      ->check(CLI::Range(0.0, 65535.0));
  verb->add_option("--write", options->write,
                   "Write the first bad node as a model FILE.tflite, with a case of its numbers");
  verb->callback([options, action] { *action = [options] { return Diff(*options); }; });
}

void AddBenchVerb(CLI::App* app, Action* action) {
  auto options = std::make_shared<BenchOptions>();
  options->engine.allow_fallback = true;  // the table tells how many nodes ran on the engine
  CLI::App* verb = app->add_subcommand("bench", "Time models on the engines");
  verb->add_option("model", options->models, ".tflite files")->required();
  verb->add_option("--engines", options->engines,
                   "Engines, cpu:1,cpu:2,opencl,gles unless given; cpu:1 with --per-op")
      ->delimiter(',')
      ->expected(1, 16);
  verb->add_option("--runs", options->runs, "Timed runs after the first")
      ->check(CLI::Range(1, 1000000));
  verb->add_flag("--per-op", options->per_op,
                 "Also what every node and every kind of operator takes, in as many further runs");
  verb->add_option("--json", options->json, "Write the rows as JSON");
  AddPrecisionFlags(verb, &options->engine);
  AddTuneFlag(verb, "--tune", &options->engine);
  verb->callback([options, action] { *action = [options] { return Bench(*options); }; });
}

void AddTuneVerb(CLI::App* app, Action* action) {
  auto options = std::make_shared<TuneOptions>();
  options->engine.engine = "opencl";
  CLI::App* verb = app->add_subcommand("tune", "Measures choices for a model on a GPU");
  verb->add_option("model", options->model, "A .tflite file")->required();
  verb->add_option("--engine", options->engine.engine, "opencl, gles or host")
      ->check(CLI::IsMember({"opencl", "gles", "gles:min", "host"}));
  AddTuneFlag(verb, "--budget", &options->engine);
  verb->add_option("--json", options->json, "Write what was tried as JSON");
  AddChoiceFlags(verb, &options->engine);
  AddPrecisionFlags(verb, &options->engine);
  AddCacheFlags(verb, &options->engine);
  verb->callback([options, action] { *action = [options] { return Tune(*options); }; });
}

void AddInspectVerb(CLI::App* app, Action* action) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* verb = app->add_subcommand("inspect", "Show a model: graph, types, options, sizes");
  verb->add_option("model", options->model, "A .tflite file")->required();
  verb->add_option("--json", options->json,
                   "Write everything as one JSON object (docs/inspect.md); -: print it");
  verb->add_option("--html", options->html,
                   "Write a page that shows graph, tables, times and memory; -: print it");
  verb->add_option("--runs", options->runs,
                   "Timed runs for --html (10 unless given) and --json (0 unless given)")
      ->check(CLI::Range(0, 1000000));
  verb->callback([options, action] { *action = [options] { return Inspect(*options); }; });
}

void AddExplainVerb(CLI::App* app, Action* action) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* verb =
      app->add_subcommand("explain", "Shows which nodes run on the GPU, and why the others do not");
  verb->add_option("model", options->model, "A .tflite file")->required();
  auto* device = verb->add_option("--device", options->device,
                                  absl::StrCat(kDevices, ": its limits decide, nothing is built"));
  verb->add_option("--engine", options->engine.engine,
                   "opencl, gles or host: its driver builds the programs, as before a run")
      ->check(CLI::IsMember({"opencl", "gles", "gles:min", "host"}))
      ->excludes(device);
  verb->add_option("--max-partitions", options->engine.max_partitions,
                   "Parts of the graph that may go to the GPU (unless given, all; the API's "
                   "default is 1)")
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--json", options->json,
                   "Write the decisions as JSON (docs/explain.md); -: print it");
  verb->add_option("--html", options->html,
                   "Write a page with the graph, coloured by where it runs; -: print it");
  verb->add_flag("--no-quantized{false}", options->engine.quantized,
                 "Leave operations on 8 and 16 bit tensors to the CPU");
  AddChoiceFlags(verb, &options->engine);
  AddPrecisionFlags(verb, &options->engine);
  verb->callback([options, action] { *action = [options] { return Explain(*options); }; });
}

std::shared_ptr<PlanOptions> AddPlanFlags(CLI::App* verb) {
  auto options = std::make_shared<PlanOptions>();
  verb->add_option("model", options->model, "A .tflite file")->required();
  verb->add_option("--device", options->device, kDevices);
  AddPrecisionFlags(verb, &options->engine);
  return options;
}

void AddPlanVerb(CLI::App* app, Action* action) {
  CLI::App* verb = app->add_subcommand("plan", "Shows the launches that a device would get");
  const auto options = AddPlanFlags(verb);
  verb->callback([options, action] { *action = [options] { return PrintPlans(*options); }; });
}

void AddKernelsVerb(CLI::App* app, Action* action) {
  CLI::App* verb =
      app->add_subcommand("kernels", "Shows the kernel sources that a device would compile");
  const auto options = AddPlanFlags(verb);
  verb->add_option(
      "--language", options->language,
      "opencl, glsl or metal, in place of the device's own (of an invented one: metal)");
  verb->callback([options, action] { *action = [options] { return PrintKernels(*options); }; });
}

void AddCacheVerb(CLI::App* app, Action* action) {
  CLI::App* verb = app->add_subcommand("cache", "Shows, checks or empties a cache directory");
  verb->require_subcommand(1);
  const auto add = [&](const char* name, const char* about,
                       absl::StatusOr<int> (*work)(const CacheOptions&)) {
    auto options = std::make_shared<CacheOptions>();
    CLI::App* part = verb->add_subcommand(name, about);
    part->add_option("--cache-dir", options->cache_dir, "The directory")->required();
    part->callback(
        [options, action, work] { *action = [options, work] { return work(*options); }; });
  };
  add("list", "What lies there: bytes, last use, token and key", CacheList);
  add("check", "Reads every file; the exit status is 1 when one is bad", CacheCheck);
  add("clear", "Removes these files, and no others", CacheClear);
}

}  // namespace

absl::StatusOr<Action> ParseFlags(int argc, char** argv) {
  CLI::App app{"Runs, checks, times and shows .tflite models on the CPU and the GPU engines."};
  app.name("tern");
  app.require_subcommand(1);
  Action action;
  AddRunVerb(&app, &action);
  AddVerifyVerb(&app, &action);
  AddDiffVerb(&app, &action);
  AddBenchVerb(&app, &action);
  AddTuneVerb(&app, &action);
  AddInspectVerb(&app, &action);
  AddExplainVerb(&app, &action);
  AddPlanVerb(&app, &action);
  AddKernelsVerb(&app, &action);
  AddCacheVerb(&app, &action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) return absl::InvalidArgumentError(e.what());
    app.exit(e);  // --help: the text is printed
    return Action();
  }
  return action;
}

}  // namespace tern::cli
