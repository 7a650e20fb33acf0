// SPDX-License-Identifier: Apache-2.0
// Building and running.
#include "native_interpreter.h"

#include <dlfcn.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/kernels/register_ref.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::python {

namespace py = pybind11;

namespace {

void Register(py::handle registerer, tflite::MutableOpResolver* resolver) {
  if (!py::isinstance<py::str>(registerer)) {
    registerer(reinterpret_cast<uintptr_t>(resolver));
    return;
  }
  const std::string name = registerer.cast<std::string>();
  void* found = dlsym(RTLD_DEFAULT, name.c_str());
  if (found == nullptr) {
    throw std::invalid_argument("Looking up symbol '" + name + "' failed: no library has it");
  }
  reinterpret_cast<void (*)(tflite::MutableOpResolver*)>(found)(resolver);
}

std::unique_ptr<tflite::MutableOpResolver> MakeResolver(bool plain_kernels,
                                                        const py::list& registerers) {
  std::unique_ptr<tflite::MutableOpResolver> resolver;
  if (plain_kernels) {
    resolver = std::make_unique<tflite::ops::builtin::BuiltinRefOpResolver>();
  } else {
    resolver = std::make_unique<tflite::ops::builtin::BuiltinOpResolver>();
  }
  for (const py::handle registerer : registerers) Register(registerer, resolver.get());
  return resolver;
}

}  // namespace

std::unique_ptr<NativeInterpreter> NativeInterpreter::FromFile(const std::string& path,
                                                               const Settings& settings,
                                                               const py::list& registerers) {
  std::unique_ptr<NativeInterpreter> made(new NativeInterpreter);
  {
    const py::gil_scoped_release without_lock;
    made->model_ = tflite::FlatBufferModel::BuildFromFile(path.c_str(), &made->log_);
  }
  if (made->model_ == nullptr) {
    std::error_code error;
    const bool is_file = std::filesystem::is_regular_file(path, error);
    const std::string log = made->log_.Take(), not_open = "Could not open '" + path + "'";
    if (log.rfind(not_open, 0) == 0) throw std::invalid_argument(log);
    throw std::invalid_argument(
        (is_file ? "The model is not a valid Flatbuffer buffer: '" + path + "'" : not_open) + ": " +
        log);
  }
  made->Build(settings, registerers);
  return made;
}

std::unique_ptr<NativeInterpreter> NativeInterpreter::FromBytes(py::bytes content,
                                                                const Settings& settings,
                                                                const py::list& registerers) {
  std::unique_ptr<NativeInterpreter> made(new NativeInterpreter);
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(content.ptr(), &data, &size) != 0) throw py::error_already_set();
  made->content_ = std::move(content);
  {
    const py::gil_scoped_release without_lock;
    made->model_ =
        tflite::FlatBufferModel::BuildFromBuffer(data, static_cast<size_t>(size), &made->log_);
  }
  if (made->model_ == nullptr) {
    throw std::invalid_argument("The model is not a valid Flatbuffer buffer: " + made->log_.Take());
  }
  made->Build(settings, registerers);
  return made;
}

void NativeInterpreter::Build(const Settings& settings, const py::list& registerers) {
  const auto resolver = MakeResolver(settings.plain_kernels, registerers);
  const py::gil_scoped_release without_lock;
  tflite::InterpreterOptions options;
  options.SetPreserveAllTensors(settings.preserve_all_tensors);
  options.SetDisableDelegateClustering(settings.disable_delegate_clustering);
  options.SetCompressQuantizationZeroPoints(settings.compress_quantization_zero_points);
  options.SetDisableDelegateNodeFusion(settings.disable_delegate_node_fusion);
  options.SetForceDelegateNodeProfiling(settings.force_delegate_node_profiling);
  tflite::InterpreterBuilder builder(*model_, *resolver, &options);
  if (builder.SetNumThreads(settings.num_threads) != kTfLiteOk ||
      builder(&interpreter_) != kTfLiteOk || interpreter_ == nullptr) {
    throw std::invalid_argument("The interpreter could not be built: " + log_.Take());
  }
}

template <typename Work>
TfLiteStatus NativeInterpreter::Run(Work work) {
  CheckIdle();
  CheckNoViews();
  log_.Take();
  running_ = true;
  TfLiteStatus status;
  {
    const py::gil_scoped_release without_lock;
    status = work();
  }
  running_ = false;
  return status;
}

void NativeInterpreter::Check(TfLiteStatus status, const char* what) {
  if (status == kTfLiteOk) return;
  const std::string log = log_.Take();
  throw std::runtime_error(log.empty() ? what : log);
}

void NativeInterpreter::CheckIdle() const {
  if (running_) throw std::runtime_error("The interpreter is at work in another thread.");
}

void NativeInterpreter::CheckNoViews() const {
  if (views == 0) return;
  throw std::runtime_error(
      "There is at least 1 reference to internal data in the interpreter: " +
      std::to_string(views) +
      " numpy array(s) or slice(s) of what tensor() gave live. Hold the function that tensor() "
      "returns, not its array.");
}

int NativeInterpreter::ApplyDelegate(uintptr_t delegate, py::object owner) {
  CheckIdle();
  if (delegate == 0) throw std::invalid_argument("The delegate has no native object any more.");
  // Kept whatever comes: a delegate that fails half-way may have left its traces.
  delegates_.push_back(std::move(owner));
  return Run([&] {
    return interpreter_->ModifyGraphWithDelegate(reinterpret_cast<TfLiteDelegate*>(delegate));
  });
}

void NativeInterpreter::AllocateTensors() {
  Check(Run([&] { return interpreter_->AllocateTensors(); }), "Tensors cannot be allocated.");
}

void NativeInterpreter::Invoke() {
  Check(Run([&] { return interpreter_->Invoke(); }), "The run failed.");
}

void NativeInterpreter::ResetVariableTensors() {
  CheckIdle();
  log_.Take();
  Check(interpreter_->ResetVariableTensors(), "Variables cannot be reset.");
}

void NativeInterpreter::ResizeInput(int tensor, const std::vector<int>& shape, bool strict) {
  Check(Run([&] {
          return strict ? interpreter_->ResizeInputTensorStrict(tensor, shape)
                        : interpreter_->ResizeInputTensor(tensor, shape);
        }),
        "The tensor cannot be resized.");
}

tflite::SignatureRunner* NativeInterpreter::Runner(const std::string& key) {
  tflite::SignatureRunner* runner = interpreter_->GetSignatureRunner(key.c_str());
  if (runner == nullptr) {
    throw std::invalid_argument("Invalid signature_key provided: \"" + key + "\".");
  }
  return runner;
}

void NativeInterpreter::ResizeSignatureInput(const std::string& key, const std::string& input,
                                             const std::vector<int>& shape) {
  tflite::SignatureRunner* runner = Runner(key);
  Check(Run([&] { return runner->ResizeInputTensor(input.c_str(), shape); }),
        "The tensor cannot be resized.");
}

void NativeInterpreter::AllocateSignature(const std::string& key) {
  tflite::SignatureRunner* runner = Runner(key);
  Check(Run([&] { return runner->AllocateTensors(); }), "Tensors cannot be allocated.");
}

void NativeInterpreter::InvokeSignature(const std::string& key) {
  tflite::SignatureRunner* runner = Runner(key);
  Check(Run([&] { return runner->Invoke(); }), "The run failed.");
}

std::map<std::string, std::pair<NativeInterpreter::Names, NativeInterpreter::Names>>
NativeInterpreter::Signatures() const {
  std::map<std::string, std::pair<Names, Names>> all;
  for (const std::string* key : interpreter_->signature_keys()) {
    all[*key] = {interpreter_->signature_inputs(key->c_str()),
                 interpreter_->signature_outputs(key->c_str())};
  }
  return all;
}

int NativeInterpreter::SubgraphOfSignature(const std::string& key) const {
  return interpreter_->GetSubgraphIndexFromSignature(key.c_str());
}

std::tuple<std::string, int, std::vector<int>, std::vector<int>> NativeInterpreter::Node(
    int node) const {
  const auto* found = interpreter_->node_and_registration(node);
  if (found == nullptr) {
    throw std::invalid_argument("Invalid node index " + std::to_string(node) +
                                " exceeds max node index " + std::to_string(NodeCount()));
  }
  const auto& [made, op] = *found;
  std::string name;
  if (op.builtin_code == tflite::BuiltinOperator_CUSTOM) {
    name = op.custom_name != nullptr ? op.custom_name : "UnknownCustomOp";
  } else {
    name = tflite::EnumNameBuiltinOperator(static_cast<tflite::BuiltinOperator>(op.builtin_code));
  }
  const auto numbers = [](const TfLiteIntArray* array) {
    return array == nullptr ? std::vector<int>()
                            : std::vector<int>(array->data, array->data + array->size);
  };
  return {name, op.version, numbers(made.inputs), numbers(made.outputs)};
}

}  // namespace tern::python
