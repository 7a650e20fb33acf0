// SPDX-License-Identifier: Apache-2.0
// The options of all verbs: the one file that knows the flag library, which is slow to compile.
#include "cli/flags.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cli/engine/engine_flags.h"
#include "cli/engine/engine_names.h"
#include "cli/flag_values.h"
#include "cli/inputs/fill.h"
#include "cli/usage.h"
#include "cli/verbs.h"

namespace tern::cli {
namespace {

// The library's own form tells limits and defaults as it stores them.
class HelpFormatter : public CLI::Formatter {
  std::string make_option_opts(const CLI::Option* option) const override {
    const bool takes_value = option->get_type_size() != 0 && !option->get_positional();
    return takes_value ? absl::StrCat(" ", option->get_type_name()) : "";
  }
};

// A verb while its words are read.
struct Reader {
  CLI::App app;
  unsigned verb = kNoEngine;  // a Verb
  KnownEngines engines;
  EngineOptions* engine = nullptr;  // the action keeps it
  Action action;
};

// A value that is looked at, and may be changed, before it is taken.
using Look = std::function<std::string(std::string&)>;

template <class T>
CLI::Option* Add(CLI::App* app, const std::string& names, T* field, const std::string& type,
                 const std::string& about, const Look& look) {
  return app->add_option(names, *field, about)
      ->type_name(type)
      ->transform(CLI::Validator(look, ""));
}

template <class T>
CLI::Option* Add(CLI::App* app, const std::string& names, T* field, const FlagValues& values,
                 const std::string& about) {
  return Add(app, names, field, values.name, about,
             [values](std::string& text) { return values.WhyWrong(text); });
}

void AddModel(CLI::App* app, std::string* model) {
  Add(app, "MODEL", model, Text("FILE"), "a .tflite file")->required();
}

std::string EngineHelp(const Reader& reader) {
  std::string names = OrList(reader.engines.Names());
  names += reader.engines.cpu ? " (auto: gpu, else cpu)" : "";
  return reader.verb == kExplain ? names + ": its driver builds the programs, as before a run"
                                 : names;
}

void AddEngine(Reader* reader, EngineOptions* options) {
  const KnownEngines known = reader->engines;
  Add(&reader->app, "--engine", &options->engine, "ENGINE", EngineHelp(*reader),
      [known](std::string& name) { return known.Check(&name); });
}

void AddDevice(Reader* reader, EngineOptions* options) {
  options->device = InventedDevices().front();
  std::vector<std::string> devices = InventedDevices();
  for (const char* backend : {"opencl", "gles", "vulkan"}) devices.emplace_back(backend);
  if (reader->engines.host) devices.insert(devices.end(), {"host", "metal"});
  const std::string names = OrList(devices);
  const auto look = [devices, names](std::string& text) -> std::string {
    const std::string given = text;
    absl::AsciiStrToLower(&text);
    const bool known = std::find(devices.begin(), devices.end(), text) != devices.end();
    return known || text == "gles:min" || text == "vulkan:min"
               ? ""
               : absl::StrCat("expected ", names, ", got '", given, "'");
  };
  Add(&reader->app, "--device", &options->device, "DEVICE",
      names + ": its limits decide, nothing is built", look)
      ->excludes(reader->app.get_option("--engine"));
}

// Adds one row of the table.
struct AddField {
  Reader* reader;
  EngineOptions* options;
  const EngineFlag& flag;

  void operator()(EngineFlag::None) const {
    const std::string name = flag.name;
    if (name == "--engine") AddEngine(reader, options);
    if (name == "--device") AddDevice(reader, options);
  }
  void operator()(bool EngineOptions::*field) const {
    bool* const to = &(options->*field);
    const bool value = flag.sets_to;
    reader->app.add_flag_callback(
        flag.name, [to, value] { *to = value; }, flag.about);
  }
  template <class T>
  void operator()(T EngineOptions::*field) const {
    Add(&reader->app, flag.name, &(options->*field), flag.values, flag.about);
  }
};

void AddEngineFlags(Reader* reader, EngineOptions* options) {
  reader->engine = options;
  for (const EngineFlag& flag : EngineFlags()) {
    if ((flag.verbs & reader->verb) != 0) std::visit(AddField{reader, options, flag}, flag.field);
  }
}

void AddInputFlags(CLI::App* app, std::vector<std::string>* inputs,
                   std::vector<std::string>* shapes) {
  const auto add = [app](const char* name, std::vector<std::string>* texts, const std::string& form,
                         const char* about) {
    const auto look = [form](std::string& text) -> std::string {
      const size_t sign = text.find('=');
      const bool fine = sign != std::string::npos && sign > 0 && sign + 1 < text.size();
      return fine ? "" : absl::StrCat("expected ", form, ", got '", text, "'");
    };
    Add(app, name, texts, form, about, look)->expected(1)->take_all();
  };
  add("--input", inputs, "I=FILE",
      "I=FILE: a picture, .npy, .wav or raw little-endian elements for input I");
  add("--shape", shapes, "I=SHAPE", "I=1x224x224x3: resize input I");
}

void AddRunVerb(Reader* reader) {
  auto options = std::make_shared<RunOptions>();
  options->engine.allow_fallback = true;  // the report tells what ran where
  CLI::App* const app = &reader->app;
  AddModel(app, &options->model);
  AddEngineFlags(reader, &options->engine);
  Add(app, "--image", &options->image, Text("FILE"), "A photo for the first picture input");
  Add(app, "--crop", &options->crop, Number("X,Y,WIDTH,HEIGHT", -1e6, 1e6),
      "The part of the photo that is shown, in its pixels")
      ->delimiter(',')
      ->expected(4)
      ->needs(app->get_option("--image"));
  Add(app, "--turn", &options->turn, Number("DEGREES", -360, 360),
      "That part lies turned so far to the right; it is shown upright")
      ->needs(app->get_option("--image"));
  Add(app, "--labels", &options->labels, Text("FILE"),
      "Class names, one per line (default: those inside the model)");
  Add(app, "--input-range", &options->input_range, Number("LOW,HIGH", -1e30, 1e30),
      "What black and white become (default: the model's metadata, else -1,1; quantized inputs: "
      "their whole range)")
      ->delimiter(',')
      ->expected(2);
  AddInputFlags(app, &options->inputs, &options->shapes);
  Add(app, "--signature", &options->engine.signature, Text("NAME"), "Run this signature");
  Add(app, "--output-dir", &options->output_dir, Text("FOLDER"),
      "Write outputs here: 0.bin, ...; pictures as PNG; the photo with answers as overlay.png");
  Add(app, "--report", &options->report, Text("FILE"),
      "Write the report as JSON; -: print it, and the rest on stderr");
  Add(app, "--trace", &options->trace, Text("FILE"),
      "Write what happened when, for Perfetto and chrome://tracing; -: print it, and the rest on "
      "stderr");
  Add(app, "--gpu-drop-slow", &options->drop_slow_runs, Whole(1, 1000),
      "Measure parts on the GPU over so many runs; slower ones go back to the CPU");
  Add(app, "--runs", &options->runs, Whole(1, 1e6),
      "Invoke so often; outputs are those of the last, times leave out the first");
  reader->action = [options] { return Run(*options); };
}

void AddVerifyVerb(Reader* reader) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* const app = &reader->app;
  Add(app, "ROOT", &options->roots, Text("FOLDER"), "folders with *.case.json files, or such files")
      ->required();
  AddEngineFlags(reader, &options->engine);
  Add(app, "--only", &options->only, Text("GLOB"), "Only cases with such names");
  Add(app, "--every", &options->every, Whole(1, 1e6), "Only each Nth of these cases");
  Add(app, "--from", &options->from, Whole(0, 1e6), "Leave out the first N of these cases");
  Add(app, "--dump", &options->dump, Text("FOLDER"), "Write outputs below this folder");
  app->add_flag("--allow-fallback", options->engine.allow_fallback,
                "Also judge cases in which nodes ran on the CPU");
  app->add_flag("--quiet", options->quiet, "No table, only failures, skips and the closing line");
  reader->action = [options] { return Verify(*options); };
}

void AddDiffVerb(Reader* reader) {
  auto options = std::make_shared<DiffOptions>();
  options->engine.engine = "gpu";
  CLI::App* const app = &reader->app;
  AddModel(app, &options->model);
  AddEngineFlags(reader, &options->engine);
  AddInputFlags(app, &options->inputs, &options->shapes);
  Add(app, "--tolerance", &options->tolerance, Number("SHARE", 0, 1),
      "How much a float may be off, as a share of the tensor's largest magnitude (default: 2^-16, "
      "in half precision 2^-10), beside the effect of rounding");
  Add(app, "--steps", &options->steps, Number("N", 0, 65535),
      "How many steps a quantized element may be off (default: 2)");
  Add(app, "--write", &options->write, Text("FILE"),
      "Write the first bad node as a model FILE.tflite, with a case of its numbers");
  reader->action = [options] { return Diff(*options); };
}

void AddBenchVerb(Reader* reader) {
  auto options = std::make_shared<BenchOptions>();
  options->engine.allow_fallback = true;  // the table tells how many nodes ran on the engine
  CLI::App* const app = &reader->app;
  KnownEngines known = reader->engines;
  known.threads = true;
  Add(app, "MODEL", &options->models, Text("FILE"), ".tflite files")->required();
  Add(app, "--engines,--engine", &options->engines, "ENGINES",
      absl::StrCat(OrList(known.Names()),
                   ", several with commas (default: cpu:1,cpu:2,opencl,gles; with --per-op cpu:1)"),
      [known](std::string& name) { return known.Check(&name); })
      ->delimiter(',')
      ->expected(1, 16);
  AddEngineFlags(reader, &options->engine);
  Add(app, "--runs", &options->runs, Whole(1, 1e6), "Timed runs after the first");
  app->add_flag("--per-op", options->per_op,
                "Also the time of every node and every kind of operator, in as many further runs");
  Add(app, "--json", &options->json, Text("FILE"), "Write the rows as JSON; -: print them alone");
  Add(app, "--html", &options->html, Text("FILE"), "Write a page of them; -: print it alone");
  app->callback([options] {
    const std::vector<std::string> engines = EnginesToTime(*options);
    const bool gpu = std::any_of(engines.begin(), engines.end(),
                                 [](const std::string& name) { return name.rfind("cpu", 0) != 0; });
    options->engine.engine = gpu ? "several" : "cpu";
  });
  reader->action = [options] { return Bench(*options); };
}

void AddTuneVerb(Reader* reader) {
  auto options = std::make_shared<TuneOptions>();
  options->engine.engine = "gpu";
  AddModel(&reader->app, &options->model);
  AddEngineFlags(reader, &options->engine);
  Add(&reader->app, "--json", &options->json, Text("FILE"),
      "Write what was tried as JSON; -: print it alone");
  reader->action = [options] { return Tune(*options); };
}

void AddAdviseVerb(Reader* reader) {
  auto options = std::make_shared<AdviseOptions>();
  options->engine.engine = "gpu";
  AddModel(&reader->app, &options->model);
  AddEngineFlags(reader, &options->engine);
  Add(&reader->app, "--runs", &options->runs, Whole(1, 1e6),
      "Timed runs of each way to run it (default: 20)");
  Add(&reader->app, "--json", &options->json, Text("FILE"),
      "Write it as JSON; -: print that alone");
  Add(&reader->app, "--html", &options->html, Text("FILE"),
      "Write a page with it, the graph and both engines' times; -: print that alone");
  reader->action = [options] { return Advise(*options); };
}

void AddInspectVerb(Reader* reader) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* const app = &reader->app;
  AddModel(app, &options->model);
  AddEngineFlags(reader, &options->engine);
  Add(app, "--json", &options->json, Text("FILE"),
      "Write everything as one JSON object; -: print it");
  Add(app, "--html", &options->html, Text("FILE"),
      "Write a page that shows graph, tables, times and memory, of a GPU engine its times beside "
      "the CPU's; -: print it");
  Add(app, "--runs", &options->runs, Whole(0, 1e6),
      "Timed runs for --html (10 unless given) and --json (0 unless given)");
  reader->action = [options] { return Inspect(*options); };
}

void AddExplainVerb(Reader* reader) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* const app = &reader->app;
  AddModel(app, &options->model);
  AddEngineFlags(reader, &options->engine);
  Add(app, "--json", &options->json, Text("FILE"), "Write the decisions as JSON; -: print it");
  Add(app, "--html", &options->html, Text("FILE"),
      "Write a page with the graph, coloured by where it runs; -: print it");
  reader->action = [options] { return Explain(*options); };
}

std::shared_ptr<PlanOptions> AddPlanFlags(Reader* reader) {
  auto options = std::make_shared<PlanOptions>();
  AddModel(&reader->app, &options->model);
  AddEngineFlags(reader, &options->engine);
  return options;
}

void AddPlanVerb(Reader* reader) {
  const auto options = AddPlanFlags(reader);
  reader->action = [options] { return PrintPlans(*options); };
}

void AddKernelsVerb(Reader* reader) {
  const auto options = AddPlanFlags(reader);
  Add(&reader->app, "--language", &options->language, Words("opencl|glsl|metal|vulkan"),
      "In place of the device's own (of an invented one: metal)");
  reader->action = [options] { return PrintKernels(*options); };
}

void AddDevicesVerb(Reader* reader) {
  auto options = std::make_shared<DevicesOptions>();
  Add(&reader->app, "--json", &options->json, Text("FILE"), "Write it as JSON; -: print it");
  reader->action = [options] { return Devices(*options); };
}

void AddCacheVerb(Reader* reader) {
  reader->app.require_subcommand(1);
  const auto add = [&](const char* name, const char* about,
                       absl::StatusOr<int> (*work)(const CacheOptions&)) {
    auto options = std::make_shared<CacheOptions>();
    CLI::App* part = reader->app.add_subcommand(name, about);
    Add(part, "--cache-dir", &options->cache_dir, Text("FOLDER"), "a cache directory")->required();
    part->callback(
        [options, reader, work] { reader->action = [options, work] { return work(*options); }; });
  };
  add("list", "Show what lies there: bytes, last use, token and key", CacheList);
  add("check", "Read every file; the exit status is 1 when one is bad", CacheCheck);
  add("clear", "Remove these files, and no others", CacheClear);
}

struct VerbRow {
  const char* name;
  const char* about;
  unsigned verb;
  bool cpu;  // whether the CPU is one of its engines
  void (*add)(Reader* reader);
};

constexpr VerbRow kVerbs[] = {
    {"run", "Run a model on a photo, on given tensors or on seeded ones", kRun, true, AddRunVerb},
    {"inspect", "Show a model: graph, types, options, sizes", kInspect, true, AddInspectVerb},
    {"bench", "Time models on the engines", kBench, true, AddBenchVerb},
    {"explain", "Show which nodes run on the GPU, and why the others do not", kExplain, false,
     AddExplainVerb},
    {"diff", "Compare a GPU engine with the CPU, node by node", kDiff, false, AddDiffVerb},
    {"verify", "Run case files and judge the outputs", kVerify, true, AddVerifyVerb},
    {"tune", "Measure choices for a model on a GPU", kTune, false, AddTuneVerb},
    {"advise", "Tell what makes a model slow on a GPU, and what to change", kAdvise, false,
     AddAdviseVerb},
    {"plan", "Show the launches that a device would get", kPlan, false, AddPlanVerb},
    {"kernels", "Show the kernel sources that a device would compile", kKernels, false,
     AddKernelsVerb},
    {"devices", "Show what this machine can run models on, and test it", kNoEngine, true,
     AddDevicesVerb},
    {"cache", "Show, check or empty a cache directory", kNoEngine, true, AddCacheVerb},
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
    return absl::StrCat(option->get_name(), " is missing: expected ", option->get_description());
  }
  std::vector<std::string> parts;
  for (const CLI::App* part : verb.get_subcommands({})) parts.push_back(part->get_name());
  const std::vector<std::string> words = verb.remaining();
  if (words.empty()) return absl::StrCat("a word is missing: expected ", OrList(parts));
  return absl::StrCat("expected ", OrList(parts), ", got '", words.front(), "'",
                      DidYouMean(words.front(), parts));
}

// "--runs: 1 required N missing" begins with the option; so do its sisters.
std::string TellCount(const CLI::App& verb, const std::string& message) {
  const std::string name = message.substr(0, message.find(':'));
  const CLI::Option* const option = verb.get_option_no_throw(name);
  if (option == nullptr) return message;
  if (option->count() > 1) return absl::StrCat(name, " is given more than once");
  return absl::StrCat(name, " has no value: expected ", option->get_type_name());
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

// The options that were given and that the CPU does not know, by their names.
std::vector<std::string> GivenForGpu(const Reader& reader) {
  static const EngineOptions defaults;
  std::vector<std::string> names;
  for (const EngineFlag& flag : EngineFlags()) {
    const std::string name = std::string(flag.name).substr(0, std::string(flag.name).find(','));
    const CLI::Option* const option = reader.app.get_option_no_throw(name);
    if (!flag.gpu || option == nullptr || option->count() == 0) continue;
    const auto* text = std::get_if<std::string EngineOptions::*>(&flag.field);
    if (text != nullptr && option->results().front() == defaults.*(*text)) continue;
    names.push_back(name);
  }
  return names;
}

// Where an option writes, and how.
struct Output {
  const char* option;
  absl::Status (*check)(const std::filesystem::path& path);
};

// A file whose folder is made.
absl::Status CheckMade(const std::filesystem::path& path) {
  std::error_code none;
  const bool makes = path.has_parent_path() && !std::filesystem::exists(path, none);
  return makes ? CheckFolder(path.parent_path()) : CheckWritable(path);
}

constexpr Output kOutputs[] = {{"--json", CheckWritable},   {"--html", CheckWritable},
                               {"--report", CheckWritable}, {"--trace", CheckWritable},
                               {"--write", CheckMade},      {"--output-dir", CheckFolder},
                               {"--dump", CheckFolder}};

std::string GivenTo(const CLI::App& app, const char* option) {
  const CLI::Option* const found = app.get_option_no_throw(option);
  return found == nullptr || found->count() == 0 ? "" : found->results().front();
}

// The standard output holds one text.
absl::Status CheckPrinted(const CLI::App& app) {
  std::vector<std::string> printed;
  for (const Output& output : kOutputs) {
    if (output.check == CheckWritable && GivenTo(app, output.option) == "-") {
      printed.emplace_back(output.option);
    }
  }
  if (printed.size() < 2) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(app.get_name(), ": ", absl::StrJoin(printed, ", "),
                                                 ": one of them alone may print, by - (",
                                                 app.get_name(), " --help)"));
}

// The verb's work, unless it could not write what it finds.
Action WithOutputs(const CLI::App& app, Action action) {
  std::vector<std::pair<const Output*, std::string>> places;
  for (const Output& output : kOutputs) {
    const std::string place = GivenTo(app, output.option);
    if (!place.empty() && place != "-") places.emplace_back(&output, place);
  }
  if (places.empty()) return action;
  return [places, action = std::move(action)]() -> absl::StatusOr<int> {
    for (const auto& [output, place] : places) {
      if (absl::Status status = output->check(place); !status.ok()) return status;
    }
    return action();
  };
}

// The verb's work, with an engine that is known and fits its options.
Action WithEngine(const VerbRow& row, const Reader& reader) {
  if (reader.engine == nullptr) return reader.action;
  const std::string for_gpu = absl::StrJoin(GivenForGpu(reader), ", ");
  return [action = reader.action, engine = reader.engine, cpu = row.cpu,
          for_gpu]() -> absl::StatusOr<int> {
    const bool asked = engine->engine == "cpu";
    const absl::Status found = ResolveEngine(cpu, engine);
    if (!found.ok()) return found;
    if (cpu && asked && !for_gpu.empty()) {
      std::fprintf(stderr, "tern: warning: no effect on the CPU: %s (--engine gpu takes a GPU)\n",
                   for_gpu.c_str());
    }
    return action();
  };
}

absl::StatusOr<Action> ParseVerb(const VerbRow& row, bool has_host,
                                 std::vector<std::string> words) {
  Reader reader;
  reader.app.description(row.about);
  reader.app.name(absl::StrCat("tern ", row.name));
  reader.app.formatter(std::make_shared<HelpFormatter>());
  reader.verb = row.verb;
  reader.engines = {row.cpu, has_host};
  row.add(&reader);
  std::reverse(words.begin(), words.end());  // as the library wants them
  try {
    reader.app.parse(words);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) return Explained(reader.app, e);
    reader.app.exit(e);  // --help: the text is printed
    return Action();
  }
  if (absl::Status status = CheckPrinted(reader.app); !status.ok()) return status;
  return WithOutputs(reader.app, WithEngine(row, reader));
}

}  // namespace

absl::StatusOr<Action> ParseFlags(int argc, char** argv, bool has_host) {
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
    if (words[0] == row.name) return ParseVerb(row, has_host, {words.begin() + 1, words.end()});
  }
  return NoSuchVerb(words[0]);
}

}  // namespace tern::cli
