// SPDX-License-Identifier: Apache-2.0
// `tern plan` and `tern kernels`: what a device would run, without having it. The delegate compiles
// for an invented device and tells through its report.
#include <cstdio>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cli/verbs.h"

namespace tern::cli {
namespace {

struct PlanOptions {
  std::string model;
  std::string device = "gles-min";
  EngineOptions engine;
};

// The report of a delegate that only planned.
absl::StatusOr<nlohmann::json> Plan(const PlanOptions& options) {
  EngineOptions engine = options.engine;
  // A plain name is an invented device; a backend's name asks the real driver.
  const bool backend = options.device == "opencl" || options.device == "gles" ||
                       options.device == "gles:min" || options.device == "host";
  engine.engine = backend ? options.device : absl::StrCat("null:", options.device);
  engine.list = true;
  engine.allow_fallback = true;
  absl::StatusOr<std::unique_ptr<Engine>> opened = Engine::Open(options.model, engine);
  if (!opened.ok()) return opened.status();
  const absl::Status status = (*opened)->Prepare();
  if (!status.ok()) return status;
  return (*opened)->Report();
}

absl::StatusOr<int> Print(const PlanOptions& options, const char* what) {
  const absl::StatusOr<nlohmann::json> report = Plan(options);
  if (!report.ok()) return report.status();
  if (!report->contains(what)) {
    const std::string reason = report->value("not_applied", "");
    return absl::InternalError(absl::StrCat("nothing of this model would run on that device",
                                            reason.empty() ? "" : ": ", reason));
  }
  for (const nlohmann::json& text : (*report)[what])
    std::printf("%s\n", text.get<std::string>().c_str());
  for (const nlohmann::json& refused : (*report)["refused"]) {
    const std::string reason = refused["reason"].get<std::string>();
    if (absl::StrContains(reason, "plans only")) continue;
    std::printf("on the CPU: %s #%d: %s\n", refused["op"].get<std::string>().c_str(),
                refused["node"].get<int>(), reason.c_str());
  }
  return 0;
}

void AddVerb(CLI::App* app, Action* action, const char* name, const char* about, const char* what) {
  auto options = std::make_shared<PlanOptions>();
  CLI::App* verb = app->add_subcommand(name, about);
  verb->add_option("model", options->model, "A .tflite file")->required();
  verb->add_option("--device", options->device,
                   "An invented device (gles-min, adreno, mali, nvidia, cpu16) or a backend "
                   "(opencl, gles, host)");
  verb->add_option("--precision", options->engine.precision, "f32 or f16")
      ->check(CLI::IsMember({"f32", "f16"}));
  verb->add_option("--slice-width", options->engine.slice_width, "4, 8 or 16")
      ->check(CLI::IsMember({4, 8, 16}));
  verb->callback(
      [options, action, what] { *action = [options, what] { return Print(*options, what); }; });
}

}  // namespace

void AddPlanVerb(CLI::App* app, Action* action) {
  AddVerb(app, action, "plan", "Shows the launches that a device would get", "plans");
}

void AddKernelsVerb(CLI::App* app, Action* action) {
  AddVerb(app, action, "kernels", "Shows the kernel sources that a device would compile",
          "kernels");
}

}  // namespace tern::cli
