// SPDX-License-Identifier: Apache-2.0
// Tensors: what is known of them, and their bytes.
#include <cstring>
#include <stdexcept>
#include <utility>

#include "native_interpreter.h"
#include "tensorflow/lite/string_util.h"

namespace tern::python {

namespace py = pybind11;

namespace {

py::tuple Numbers(const TfLiteIntArray* array) {
  if (array == nullptr) return py::tuple();
  py::tuple numbers(static_cast<size_t>(array->size));
  for (int i = 0; i < array->size; ++i) numbers[static_cast<size_t>(i)] = array->data[i];
  return numbers;
}

// (scales, zero points, quantized dimension, block size). With blocks the scales and zero points
// are the tensors that hold them.
py::tuple Quantization(const TfLiteTensor& tensor) {
  py::list scales, zero_points;
  int dimension = 0, block_size = 0;
  if (tensor.quantization.type == kTfLiteAffineQuantization) {
    const auto* affine = static_cast<const TfLiteAffineQuantization*>(tensor.quantization.params);
    if (affine != nullptr) {
      for (int i = 0; affine->scale != nullptr && i < affine->scale->size; ++i) {
        scales.append(affine->scale->data[i]);
      }
      for (int i = 0; affine->zero_point != nullptr && i < affine->zero_point->size; ++i) {
        zero_points.append(affine->zero_point->data[i]);
      }
      dimension = affine->quantized_dimension;
    }
  } else if (tensor.quantization.type == kTfLiteBlockwiseQuantization) {
    const auto* blocks =
        static_cast<const TfLiteBlockwiseQuantization*>(tensor.quantization.params);
    if (blocks != nullptr) {
      scales.append(blocks->scale);
      zero_points.append(blocks->zero_point);
      dimension = blocks->quantized_dimension;
      block_size = blocks->blocksize;
    }
  }
  return py::make_tuple(scales, zero_points, dimension, block_size);
}

py::dict Sparsity(const TfLiteSparsity* sparsity) {
  py::dict reported;
  if (sparsity == nullptr) return reported;
  if (sparsity->traversal_order != nullptr) {
    reported["traversal_order"] = Numbers(sparsity->traversal_order);
  }
  if (sparsity->block_map != nullptr) reported["block_map"] = Numbers(sparsity->block_map);
  py::list dimensions;
  for (int i = 0; i < sparsity->dim_metadata_size; ++i) {
    const TfLiteDimensionMetadata& from = sparsity->dim_metadata[i];
    py::dict to;
    to["format"] = static_cast<int>(from.format);
    if (from.format == kTfLiteDimDense) {
      to["dense_size"] = from.dense_size;
    } else {
      to["array_segments"] = Numbers(from.array_segments);
      to["array_indices"] = Numbers(from.array_indices);
    }
    dimensions.append(to);
  }
  reported["dim_metadata"] = dimensions;
  return reported;
}

// The memory of an array, as many bytes as the tensor has.
class ArrayBytes {
 public:
  ArrayBytes(py::handle array, const TfLiteTensor& tensor, int flags) {
    if (PyObject_GetBuffer(array.ptr(), &buffer_, flags) != 0) throw py::error_already_set();
    const auto given = static_cast<size_t>(buffer_.len);
    if (given == tensor.bytes) return;
    PyBuffer_Release(&buffer_);
    throw std::invalid_argument("numpy array had " + std::to_string(given) +
                                " bytes but expected " + std::to_string(tensor.bytes) + " bytes.");
  }
  ~ArrayBytes() { PyBuffer_Release(&buffer_); }
  ArrayBytes(const ArrayBytes&) = delete;
  ArrayBytes& operator=(const ArrayBytes&) = delete;

  void* data() const { return buffer_.buf; }

 private:
  Py_buffer buffer_;
};

}  // namespace

size_t NativeInterpreter::TensorCount(int subgraph) const {
  const tflite::Subgraph* graph =
      subgraph < 0 ? nullptr : std::as_const(*interpreter_).subgraph(subgraph);
  if (graph == nullptr) {
    throw std::invalid_argument("Invalid subgraph index " + std::to_string(subgraph) +
                                " exceeds max subgraph index " + std::to_string(SubgraphCount()));
  }
  return graph->tensors_size();
}

TfLiteTensor* NativeInterpreter::Tensor(int tensor, int subgraph) const {
  CheckIdle();
  const size_t count = TensorCount(subgraph);
  if (tensor < 0 || static_cast<size_t>(tensor) >= count) {
    throw std::invalid_argument("Invalid tensor index " + std::to_string(tensor) +
                                " exceeds max tensor index " + std::to_string(count));
  }
  return interpreter_->subgraph(subgraph)->tensor(tensor);
}

py::tuple NativeInterpreter::Form(int tensor, int subgraph) const {
  const TfLiteTensor& found = *Tensor(tensor, subgraph);
  return py::make_tuple(static_cast<int>(found.type), Numbers(found.dims));
}

bool NativeInterpreter::IsConstant(int tensor, int subgraph) const {
  return Tensor(tensor, subgraph)->allocation_type == kTfLiteMmapRo;
}

py::dict NativeInterpreter::TensorInfo(int tensor, int subgraph) {
  const TfLiteTensor& found = *Tensor(tensor, subgraph);
  const bool open = found.dims_signature != nullptr && found.dims_signature->size != 0;
  py::dict reported;
  // A model's names may be any bytes.
  reported["name"] = py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
      found.name == nullptr ? "" : found.name,
      found.name == nullptr ? 0 : static_cast<Py_ssize_t>(std::strlen(found.name)), "replace"));
  reported["type"] = static_cast<int>(found.type);
  reported["shape"] = Numbers(found.dims);
  reported["shape_signature"] = Numbers(open ? found.dims_signature : found.dims);
  reported["quantization"] = py::make_tuple(found.params.scale, found.params.zero_point);
  reported["quantization_parameters"] = Quantization(found);
  reported["sparsity"] = Sparsity(found.sparsity);
  reported["dynamic"] = found.allocation_type == kTfLiteDynamic;
  return reported;
}

TfLiteTensor* NativeInterpreter::TensorWithData(int tensor, int subgraph) {
  TfLiteTensor* found = Tensor(tensor, subgraph);
  if (found->data_is_stale) {
    log_.Take();
    Check(interpreter_->subgraph(subgraph)->EnsureTensorDataIsReadable(tensor),
          "The tensor's data cannot be read from the delegate.");
  }
  const bool opaque = found->type == kTfLiteResource || found->type == kTfLiteVariant;
  if (opaque ||
      (found->data.raw == nullptr && (found->bytes > 0 || found->type == kTfLiteString))) {
    throw std::invalid_argument("Tensor data is null. Run allocate_tensors() first");
  }
  return found;
}

TfLiteTensor* NativeInterpreter::TensorToWrite(int tensor, int subgraph) {
  TfLiteTensor* found = Tensor(tensor, subgraph);
  const std::string name = found->name == nullptr ? "" : found->name;
  if (found->allocation_type == kTfLiteMmapRo) {
    throw std::invalid_argument("Cannot set tensor: input " + std::to_string(tensor) +
                                ", name: " + name + " is a constant of the model");
  }
  if (found->type != kTfLiteString && found->data.raw == nullptr && found->bytes > 0) {
    throw std::invalid_argument(
        "Cannot set tensor: Tensor is unallocated. Try calling allocate_tensors() first");
  }
  return found;
}

void NativeInterpreter::Read(int tensor, int subgraph, py::handle target) {
  const TfLiteTensor* found = TensorWithData(tensor, subgraph);
  const ArrayBytes array(target, *found, PyBUF_WRITABLE);
  if (found->bytes > 0) std::memcpy(array.data(), found->data.raw_const, found->bytes);
}

void NativeInterpreter::Write(int tensor, int subgraph, py::handle source) {
  TfLiteTensor* found = TensorToWrite(tensor, subgraph);
  const ArrayBytes array(source, *found, PyBUF_SIMPLE);
  if (found->bytes > 0) std::memcpy(found->data.raw, array.data(), found->bytes);
}

std::vector<py::bytes> NativeInterpreter::ReadStrings(int tensor, int subgraph) {
  const TfLiteTensor* found = TensorWithData(tensor, subgraph);
  const int count = tflite::GetStringCount(found);
  std::vector<py::bytes> strings;
  strings.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    const tflite::StringRef string = tflite::GetString(found, i);
    strings.emplace_back(string.str, string.len);
  }
  return strings;
}

void NativeInterpreter::WriteStrings(int tensor, int subgraph,
                                     const std::vector<std::string>& strings) {
  CheckNoViews();
  TfLiteTensor* found = TensorToWrite(tensor, subgraph);
  tflite::DynamicBuffer buffer;
  for (const std::string& string : strings) {
    if (buffer.AddString(string.data(), string.size()) != kTfLiteOk) {
      throw std::invalid_argument("Cannot set tensor: the strings are longer than 2 GiB");
    }
  }
  buffer.WriteToTensor(found, nullptr);
}

NativeInterpreter::Memory NativeInterpreter::View(int tensor) {
  const TfLiteTensor* found = TensorWithData(tensor, 0);
  return {found->data.raw, found->bytes, found->allocation_type == kTfLiteMmapRo};
}

}  // namespace tern::python
