// SPDX-License-Identifier: Apache-2.0
// Models run through the public API.
#include "ops/testing/engines.h"

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "gpu/backends/backend_list.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/kernels/register_ref.h"
#include "tensorflow/lite/model_builder.h"

namespace tern::testing {
namespace {

// Empty when the delegate took the whole graph the way that the engine asks for.
std::string WhyNotDelegated(tflite::Interpreter& interpreter, const std::string& report,
                            const Engine& engine) {
  const auto says = [&](const std::string& text) { return report.find(text) != std::string::npos; };
  bool all = true;
  for (const int index : interpreter.execution_plan()) {
    all = all && interpreter.node_and_registration(index)->first.delegate != nullptr;
  }
  if (!all || !says("\"refused\":[]")) return StrCat("not delegated: ", report);
  if (!says(StrCat("\"slice_width\":", engine.slice_width)) ||
      !says(StrCat("\"precision\":\"", engine.half ? "f16" : "f32", "\""))) {
    return StrCat("not as asked: ", report);
  }
  return "";
}

}  // namespace

const std::vector<Engine>& CpuEngines() {
  static const auto& engines =
      *new std::vector<Engine>{{"plain", true}, {"fast"}, {"fast, 2 threads", false, 2}};
  return engines;
}

std::vector<Engine> GpuEngines(const std::string& backend, const std::vector<int>& widths) {
  std::vector<Engine> engines;
  const char* only = std::getenv("TERN_ONLY_ENGINE");
  for (const int width : widths) {
    for (const bool half : {false, true}) {
      const std::string name = StrCat(backend, " W=", width, half ? " F16" : " F32");
      if (only != nullptr && name.find(only) == std::string::npos) continue;
      // In the other forms the device chooses.
      const auto packed = !half && width != 4 ? std::optional(true) : std::nullopt;
      engines.push_back({name, false, 1, backend, width, half, true, packed});
    }
  }
  if (engines.empty()) return engines;
  const auto device = gpu::OpenDevice(backend);
  if (device.ok()) return engines;
  std::printf("[  SKIPPED ] engine %s: %s\n", backend.c_str(),
              std::string(device.status().message()).c_str());
  return {};
}

const std::vector<Engine>& DriverEngines() {
  static const auto& engines = *[] {
    auto* all = new std::vector<Engine>(GpuEngines("opencl", {4, 16}));
    for (const char* small : {"gles:min", "vulkan:min"}) {
      for (Engine& engine : GpuEngines(small, {4})) all->push_back(std::move(engine));
    }
    return all;
  }();
  return engines;
}

std::vector<Engine> NextDriverEngines() {
  static int models = 0;
  std::vector<Engine> engines = DriverEngines();
  const bool all =
      std::getenv("TERN_ALL_ENGINES") != nullptr || std::getenv("TERN_ONLY_ENGINE") != nullptr;
  if (models++ % 3 == 0 || all) return engines;
  std::erase_if(engines, [](const Engine& e) { return e.backend.starts_with("vulkan"); });
  return engines;
}

const std::vector<Engine>& HostEngines() {
  // The Metal backend runs the same text on the host, in the width that Metal has.
  static const auto& engines = *[] {
    const bool metal = gpu::OpenDevice("metal").ok();
    auto* all = new std::vector<Engine>(
        GpuEngines("host", metal ? std::vector<int>{16} : std::vector<int>{4, 16}));
    if (!metal) return all;
    for (Engine& engine : GpuEngines("metal", {4})) all->push_back(std::move(engine));
    return all;
  }();
  return engines;
}

DelegatePtr MakeDelegate(const Engine& engine) {
  const std::string width = StrCat(engine.slice_width);
  const char* keys[] = {"tern_backend", "tern_precision", "tern_slice_width",
                        "tern_fuse",    "tern_winograd",  "tern_packed"};
  const char* values[] = {
      engine.backend.c_str(),  engine.half ? "f16" : "f32", width.c_str(),
      engine.fuse ? "1" : "0", engine.winograd ? "1" : "0", engine.packed == true ? "1" : "0"};
  return DelegatePtr(
      tflite_plugin_create_delegate(keys, values, engine.packed.has_value() ? 6 : 5,
                                    [](const char* text) { std::fprintf(stderr, "%s\n", text); }),
      tflite_plugin_destroy_delegate);
}

bool PlannedWhole(const std::string& report) {
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (size_t at = 0; (at = report.find(text, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  const int reasons = count("\"reason\":");
  return reasons > 0 && reasons == count("the null backend plans only");
}

std::string BuildInterpreter(const tflite::FlatBufferModel& model, const Engine& engine,
                             DelegatePtr* delegate,
                             std::unique_ptr<tflite::Interpreter>* interpreter,
                             std::string* report) {
  std::unique_ptr<tflite::OpResolver> resolver;
  if (engine.plain) {
    resolver = std::make_unique<tflite::ops::builtin::BuiltinRefOpResolver>();
  } else {
    resolver = std::make_unique<tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates>();
  }
  tflite::InterpreterBuilder(model, *resolver)(interpreter, engine.threads);
  if (*interpreter == nullptr) return "no interpreter";
  if (!engine.on_gpu()) return "";
  *delegate = MakeDelegate(engine);
  if (*delegate == nullptr) return "no delegate";
  const TfLiteStatus applied = (*interpreter)->ModifyGraphWithDelegate(delegate->get());
  const std::string text = TfLiteGpuDelegateV2Report(delegate->get());
  if (report != nullptr) *report = text;
  if (applied != kTfLiteOk) return StrCat("the delegate failed: ", text);
  return WhyNotDelegated(**interpreter, text, engine);
}

std::vector<Values> OutputsOf(const tflite::Interpreter& interpreter) {
  std::vector<Values> outputs;
  for (size_t o = 0; o < interpreter.outputs().size(); ++o) {
    const TfLiteTensor* tensor = interpreter.output_tensor(o);
    Values& values = outputs.emplace_back();
    values.shape.assign(tensor->dims->data, tensor->dims->data + tensor->dims->size);
    values.type = tensor->type;
    const auto* data = reinterpret_cast<const uint8_t*>(tensor->data.raw);
    values.bytes.assign(data, data + tensor->bytes);
  }
  return outputs;
}

RunResult RunModel(const std::vector<uint8_t>& bytes,
                   const std::vector<std::vector<uint8_t>>& inputs, const Engine& engine) {
  RunResult result;
  const auto fail = [&](std::string what) {
    result.error = std::move(what);
    return result;
  };
  const auto model = tflite::FlatBufferModel::VerifyAndBuildFromBuffer(
      reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (model == nullptr) return fail("the model is refused");
  DelegatePtr delegate(nullptr, [](TfLiteDelegate*) {});
  std::unique_ptr<tflite::Interpreter> interpreter;
  std::string why = BuildInterpreter(*model, engine, &delegate, &interpreter, &result.report);
  if (!why.empty()) return fail(std::move(why));
  if (interpreter->AllocateTensors() != kTfLiteOk) return fail("AllocateTensors failed");
  for (size_t i = 0; i < inputs.size(); ++i) {
    TfLiteTensor* tensor = interpreter->input_tensor(i);
    if (tensor->bytes != inputs[i].size()) return fail(StrCat("input ", i, " has another size"));
    if (!inputs[i].empty()) std::memcpy(tensor->data.raw, inputs[i].data(), inputs[i].size());
  }
  if (interpreter->Invoke() != kTfLiteOk) return fail("Invoke failed");
  result.outputs = OutputsOf(*interpreter);
  return result;
}

}  // namespace tern::testing
