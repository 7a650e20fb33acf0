// SPDX-License-Identifier: Apache-2.0
// The module tern._native.
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "native_interpreter.h"

namespace {

namespace py = pybind11;
using tern::python::NativeInterpreter;
using tern::python::Settings;

// Memory of a tensor, counted as long as an array refers to it; it keeps the interpreter.
class TensorMemory {
 public:
  TensorMemory(py::object owner, int tensor)
      : owner_(std::move(owner)),
        native_(owner_.cast<NativeInterpreter*>()),
        memory_(native_->View(tensor)) {
    ++native_->views;
  }
  ~TensorMemory() { --native_->views; }
  TensorMemory(const TensorMemory&) = delete;
  TensorMemory& operator=(const TensorMemory&) = delete;

  py::buffer_info Buffer() {
    // Consumers want an address for no bytes, too.
    static std::array<uint8_t, 8> nothing;
    auto* data = memory_.bytes == 0 ? nothing.data() : static_cast<uint8_t*>(memory_.data);
    return py::buffer_info(data, static_cast<py::ssize_t>(memory_.bytes), memory_.constant);
  }

 private:
  py::object owner_;
  NativeInterpreter* native_;
  NativeInterpreter::Memory memory_;
};

}  // namespace

PYBIND11_MODULE(_native, module) {
  module.doc() = "The runtime below tern.interpreter; an implementation detail.";
  py::class_<Settings>(module, "Settings")
      .def(py::init<>())
      .def_readwrite("plain_kernels", &Settings::plain_kernels)
      .def_readwrite("num_threads", &Settings::num_threads)
      .def_readwrite("preserve_all_tensors", &Settings::preserve_all_tensors)
      .def_readwrite("disable_delegate_clustering", &Settings::disable_delegate_clustering)
      .def_readwrite("compress_quantization_zero_points",
                     &Settings::compress_quantization_zero_points)
      .def_readwrite("disable_delegate_node_fusion", &Settings::disable_delegate_node_fusion)
      .def_readwrite("force_delegate_node_profiling", &Settings::force_delegate_node_profiling);
  py::class_<TensorMemory>(module, "TensorMemory", py::buffer_protocol())
      .def_buffer(&TensorMemory::Buffer);
  py::class_<NativeInterpreter>(module, "NativeInterpreter")
      .def_static("from_file", &NativeInterpreter::FromFile)
      .def_static("from_bytes", &NativeInterpreter::FromBytes)
      .def("apply_delegate", &NativeInterpreter::ApplyDelegate)
      .def("take_log", &NativeInterpreter::TakeLog)
      .def("allocate_tensors", &NativeInterpreter::AllocateTensors)
      .def("invoke", &NativeInterpreter::Invoke)
      .def("reset_variable_tensors", &NativeInterpreter::ResetVariableTensors)
      .def("resize_input", &NativeInterpreter::ResizeInput)
      .def("resize_signature_input", &NativeInterpreter::ResizeSignatureInput)
      .def("allocate_signature", &NativeInterpreter::AllocateSignature)
      .def("invoke_signature", &NativeInterpreter::InvokeSignature)
      .def("signatures", &NativeInterpreter::Signatures)
      .def("subgraph_of_signature", &NativeInterpreter::SubgraphOfSignature)
      .def("subgraph_count", &NativeInterpreter::SubgraphCount)
      .def("tensor_count", &NativeInterpreter::TensorCount)
      .def("inputs", &NativeInterpreter::inputs)
      .def("outputs", &NativeInterpreter::outputs)
      .def("node_count", &NativeInterpreter::NodeCount)
      .def("execution_plan", &NativeInterpreter::execution_plan)
      .def("node", &NativeInterpreter::Node)
      .def("tensor_info", &NativeInterpreter::TensorInfo)
      .def("form", &NativeInterpreter::Form)
      .def("is_constant", &NativeInterpreter::IsConstant)
      .def("read", &NativeInterpreter::Read)
      .def("write", &NativeInterpreter::Write)
      .def("read_strings", &NativeInterpreter::ReadStrings)
      .def("write_strings", &NativeInterpreter::WriteStrings)
      .def("memory",
           [](py::object self, int tensor) {
             return std::make_unique<TensorMemory>(std::move(self), tensor);
           })
      .def("handle", &NativeInterpreter::handle);
}
