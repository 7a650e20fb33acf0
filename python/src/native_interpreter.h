// SPDX-License-Identifier: Apache-2.0
// A model with its interpreter and delegates as one object of Python. It knows no NumPy: tensor
// data goes in and out as bytes, and python/tern gives it types and shapes.
#ifndef TERN_PYTHON_SRC_NATIVE_INTERPRETER_H_
#define TERN_PYTHON_SRC_NATIVE_INTERPRETER_H_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "error_log.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/model.h"

namespace tern::python {

struct Settings {
  bool plain_kernels = false;  // BUILTIN_REF
  int num_threads = 1;
  bool preserve_all_tensors = false;
  bool disable_delegate_clustering = false;
  bool compress_quantization_zero_points = false;
  bool disable_delegate_node_fusion = false;
  bool force_delegate_node_profiling = false;
};

// std::invalid_argument and std::runtime_error become ValueError and RuntimeError. While a call
// works without Python's lock, every other call is refused; nothing that may move tensor data works
// while views of it live.
class NativeInterpreter {
 public:
  // Throws std::invalid_argument. Registerers add custom operations: names of functions in
  // libraries that are loaded already, void(tflite::MutableOpResolver*), or functions of Python,
  // which get the resolver's address.
  static std::unique_ptr<NativeInterpreter> FromFile(const std::string& path,
                                                     const Settings& settings,
                                                     const pybind11::list& registerers);
  // Keeps the bytes.
  static std::unique_ptr<NativeInterpreter> FromBytes(pybind11::bytes content,
                                                      const Settings& settings,
                                                      const pybind11::list& registerers);
  NativeInterpreter(const NativeInterpreter&) = delete;
  NativeInterpreter& operator=(const NativeInterpreter&) = delete;

  // Applies the delegate, whose owner is kept until the interpreter has ended. Returns a
  // TfLiteStatus; TakeLog tells more.
  int ApplyDelegate(uintptr_t delegate, pybind11::object owner);
  std::string TakeLog() { return log_.Take(); }

  void AllocateTensors();
  void Invoke();
  void ResetVariableTensors();
  void ResizeInput(int tensor, const std::vector<int>& shape, bool strict);

  void ResizeSignatureInput(const std::string& key, const std::string& input,
                            const std::vector<int>& shape);
  void AllocateSignature(const std::string& key);
  void InvokeSignature(const std::string& key);
  // Key -> (inputs, outputs), each name -> tensor index.
  using Names = std::map<std::string, uint32_t>;
  std::map<std::string, std::pair<Names, Names>> Signatures() const;
  int SubgraphOfSignature(const std::string& key) const;

  size_t SubgraphCount() const { return interpreter_->subgraphs_size(); }
  size_t TensorCount(int subgraph) const;
  const std::vector<int>& inputs() const { return interpreter_->inputs(); }
  const std::vector<int>& outputs() const { return interpreter_->outputs(); }
  size_t NodeCount() const { return interpreter_->nodes_size(); }
  const std::vector<int>& execution_plan() const { return interpreter_->execution_plan(); }
  // (name of the operation, version, input tensors, output tensors).
  std::tuple<std::string, int, std::vector<int>, std::vector<int>> Node(int node) const;
  // Name, type, shape, quantization, sparsity, and whether the shape is known only when the model
  // runs, as plain objects of Python.
  pybind11::dict TensorInfo(int tensor, int subgraph);

  // (TfLiteType, shape) alone, which every access asks for.
  pybind11::tuple Form(int tensor, int subgraph) const;
  // Whether the model holds its data.
  bool IsConstant(int tensor, int subgraph) const;

  // The bytes of a tensor, to and from an array without gaps; throws where there are none yet.
  // Strings are apart.
  void Read(int tensor, int subgraph, pybind11::handle target);
  void Write(int tensor, int subgraph, pybind11::handle source);
  std::vector<pybind11::bytes> ReadStrings(int tensor, int subgraph);
  void WriteStrings(int tensor, int subgraph, const std::vector<std::string>& strings);

  // Memory that may be read, and written unless it is a constant of the model.
  struct Memory {
    void* data;
    size_t bytes;
    bool constant;
  };
  Memory View(int tensor);
  int views = 0;  // that live

  uintptr_t handle() const { return reinterpret_cast<uintptr_t>(interpreter_.get()); }

 private:
  NativeInterpreter() = default;
  void Build(const Settings& settings, const pybind11::list& registerers);
  // Does the work without Python's lock.
  template <typename Work>
  TfLiteStatus Run(Work work);
  // Throws std::runtime_error with what was reported, or `what` where nothing was.
  void Check(TfLiteStatus status, const char* what);
  void CheckIdle() const;
  void CheckNoViews() const;
  TfLiteTensor* Tensor(int tensor, int subgraph) const;
  TfLiteTensor* TensorWithData(int tensor, int subgraph);
  TfLiteTensor* TensorToWrite(int tensor, int subgraph);
  tflite::SignatureRunner* Runner(const std::string& key);

  // In the order in which they must end, the last first.
  ErrorLog log_;
  pybind11::object content_;
  std::vector<pybind11::object> delegates_;
  std::unique_ptr<tflite::FlatBufferModel> model_;
  std::unique_ptr<tflite::Interpreter> interpreter_;
  bool running_ = false;  // guarded by Python's lock
};

}  // namespace tern::python

#endif  // TERN_PYTHON_SRC_NATIVE_INTERPRETER_H_
