// SPDX-License-Identifier: Apache-2.0
// The flags of all verbs: the one file that knows the flag library, which is slow to compile.
#include "cli/flags.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "cli/usage.h"
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

void AddRunVerb(CLI::App* verb, Action* action) {
  auto options = std::make_shared<RunOptions>();
  options->engine.allow_fallback = true;  // the report tells what ran where
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

void AddVerifyVerb(CLI::App* verb, Action* action) {
  auto options = std::make_shared<VerifyOptions>();
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

void AddDiffVerb(CLI::App* verb, Action* action) {
  auto options = std::make_shared<DiffOptions>();
  options->engine.engine = "opencl";
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

void AddBenchVerb(CLI::App* verb, Action* action) {
  auto options = std::make_shared<BenchOptions>();
  options->engine.allow_fallback = true;  // the table tells how many nodes ran on the engine
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

void AddTuneVerb(CLI::App* verb, Action* action) {
  auto options = std::make_shared<TuneOptions>();
  options->engine.engine = "opencl";
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

void AddInspectVerb(CLI::App* verb, Action* action) {
  auto options = std::make_shared<InspectOptions>();
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

void AddExplainVerb(CLI::App* verb, Action* action) {
  auto options = std::make_shared<ExplainOptions>();
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

void AddPlanVerb(CLI::App* verb, Action* action) {
  const auto options = AddPlanFlags(verb);
  verb->callback([options, action] { *action = [options] { return PrintPlans(*options); }; });
}

void AddKernelsVerb(CLI::App* verb, Action* action) {
  const auto options = AddPlanFlags(verb);
  verb->add_option(
      "--language", options->language,
      "opencl, glsl or metal, in place of the device's own (of an invented one: metal)");
  verb->callback([options, action] { *action = [options] { return PrintKernels(*options); }; });
}

void AddCacheVerb(CLI::App* verb, Action* action) {
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

struct VerbRow {
  const char* name;
  const char* about;
  void (*add)(CLI::App* verb, Action* action);
};

constexpr VerbRow kVerbs[] = {
    {"run", "Run a model on a photo, on given tensors or on seeded ones", AddRunVerb},
    {"inspect", "Show a model: graph, types, options, sizes", AddInspectVerb},
    {"bench", "Time models on the engines", AddBenchVerb},
    {"explain", "Show which nodes run on the GPU, and why the others do not", AddExplainVerb},
    {"diff", "Compare a GPU engine with the CPU, node by node", AddDiffVerb},
    {"verify", "Run case files and judge the outputs", AddVerifyVerb},
    {"tune", "Measure choices for a model on a GPU", AddTuneVerb},
    {"plan", "Show the launches that a device would get", AddPlanVerb},
    {"kernels", "Show the kernel sources that a device would compile", AddKernelsVerb},
    {"cache", "Show, check or empty a cache directory", AddCacheVerb},
};

void PrintUsage() {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const VerbRow& row : kVerbs) lines.emplace_back(row.name, row.about);
  std::fputs(UsageText(lines).c_str(), stdout);
}

absl::Status NoSuchVerb(const std::string& word) {
  std::vector<std::string> names;
  for (const VerbRow& row : kVerbs) names.emplace_back(row.name);
  return absl::InvalidArgumentError(absl::StrCat("tern: there is no verb '", word, "'",
                                                 DidYouMean(word, names),
                                                 " (tern help lists the verbs)"));
}

// The words that no flag and no argument of the verb took.
std::string TellExtras(const CLI::App& verb) {
  const std::vector<std::string> words = verb.remaining();
  const auto flag = std::find_if(words.begin(), words.end(),
                                 [](const std::string& word) { return word.rfind('-', 0) == 0; });
  if (flag == words.end()) return absl::StrCat("'", words.front(), "' is one argument too many");
  std::vector<std::string> known;
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_positional()) known.push_back(option->get_name());
  }
  const std::string name = flag->substr(0, flag->find('='));
  return absl::StrCat("there is no option ", name, DidYouMean(name, known));
}

std::string TellMissing(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    return absl::StrCat("the ", option->get_name(), " is missing: ", option->get_description());
  }
  std::vector<std::string> parts;
  for (const CLI::App* part : verb.get_subcommands({})) parts.push_back(part->get_name());
  return absl::StrCat("a word is missing: expected ", OrList(parts));
}

// "--runs: 1 required N missing" begins with the option; so do its sisters.
std::string TellCount(const CLI::App& verb, const std::string& message) {
  const std::string name = message.substr(0, message.find(':'));
  const CLI::Option* const option = verb.get_option_no_throw(name);
  if (option == nullptr) return message;
  if (option->count() > 1) return absl::StrCat(name, " is given more than once");
  return absl::StrCat(name, " has no value: ", option->get_description());
}

absl::Status Explained(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> parts = app.get_subcommands();
  const CLI::App& verb = parts.empty() ? app : *parts.front();
  const std::string name =
      parts.empty() ? app.get_name() : absl::StrCat(app.get_name(), " ", verb.get_name());
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const bool count = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  const std::string text = extras    ? TellExtras(verb)
                           : missing ? TellMissing(verb)
                           : count   ? TellCount(verb, error.what())
                                     : error.what();
  return absl::InvalidArgumentError(absl::StrCat(name, ": ", text, " (", name, " --help)"));
}

absl::StatusOr<Action> ParseVerb(const VerbRow& row, std::vector<std::string> words) {
  CLI::App verb{row.about};
  verb.name(absl::StrCat("tern ", row.name));
  Action action;
  row.add(&verb, &action);
  std::reverse(words.begin(), words.end());  // as the library wants them
  try {
    verb.parse(words);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) return Explained(verb, e);
    verb.exit(e);  // --help: the text is printed
    return Action();
  }
  return action;
}

}  // namespace

absl::StatusOr<Action> ParseFlags(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    if (!words.empty()) words = {words[0], "--help"};
  }
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    PrintUsage();
    return Action();
  }
  if (words[0] == "--version") {
    std::fputs(VersionText().c_str(), stdout);
    return Action();
  }
  for (const VerbRow& row : kVerbs) {
    if (words[0] == row.name) return ParseVerb(row, {words.begin() + 1, words.end()});
  }
  return NoSuchVerb(words[0]);
}

}  // namespace tern::cli
