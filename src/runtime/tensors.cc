// SPDX-License-Identifier: Apache-2.0
//
// Subgraph: what a tensor is (type, shape, constant or not), its size and its memory.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_set>

#include "abi/called_graph.h"
#include "model/quantization.h"
#include "runtime/free_memory.h"
#include "runtime/subgraph_parts.h"
#include "runtime/tensor_memory.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tern {
namespace {

// Bytes of a tensor, 0 for an open size. False for a negative dimension or too many bytes.
bool BytesOf(TfLiteType type, const int* dims, size_t count, size_t* bytes) {
  *bytes = 0;
  if (std::any_of(dims, dims + count, [](int dim) { return dim < 0; })) return false;
  if (HasOpenSize(type)) return true;
  return tflite::BytesRequired(type, dims, count, bytes, /*context=*/nullptr) == kTfLiteOk &&
         *bytes <= PTRDIFF_MAX;
}

std::string BadShape(TfLiteType type, const int* dims, size_t count) {
  std::string text = std::string("A ") + TfLiteTypeGetName(type) + " tensor cannot have shape [";
  for (size_t i = 0; i < count; ++i) text += (i > 0 ? "," : "") + std::to_string(dims[i]);
  text += "]";
  double bytes = tflite::TfLiteTypeGetSizeBits(type) / 8.0;
  for (size_t i = 0; i < count; ++i) bytes *= dims[i];
  if (bytes > static_cast<double>(PTRDIFF_MAX)) {
    char size[80];
    std::snprintf(size, sizeof(size), ": %.4g bytes (limit %.4g)", bytes,
                  static_cast<double>(PTRDIFF_MAX));
    text += size;
  }
  return text + ".";
}

// Begins as TensorFlow Lite's text, for programs that look for it.
std::string ShortBuffer(size_t required, size_t bytes) {
  return "required_bytes <= bytes was not true: tensor %d requires " + std::to_string(required) +
         " bytes, but is allocated with " + std::to_string(bytes) + " bytes buffer.";
}

bool SameDims(const TfLiteIntArray* dims, size_t count, const int* values) {
  return dims != nullptr && TfLiteIntArrayEqualsArray(dims, static_cast<int>(count), values);
}

}  // namespace

void GraphState::UpdateTensorsPointer() {
  context.tensors = tensors.data();
  context.tensors_size = tensors.size();
}

void GraphState::EnsureTensorsCapacity() {
  const size_t needed = tensors.size() + tflite::Subgraph::kTensorsCapacityHeadroom;
  if (needed <= tensors.capacity()) return;
  tensors.reserve(std::max(needed, tensors.capacity() * 2));
  UpdateTensorsPointer();
}

TfLiteStatus GraphState::AddTensors(int count, int* first_new_index) {
  constexpr int kMaxTensors = 1 << 22;
  const size_t first = tensors.size();
  if (count < 0 || count > kMaxTensors - static_cast<int>(first)) {
    ReportError("Cannot add %d tensors to a subgraph of %d.", count, static_cast<int>(first));
    return kTfLiteError;
  }
  TfLiteTensor empty = {};
  empty.buffer_handle = kTfLiteNullBufferHandle;
  tensors.resize(first + count, empty);
  UpdateTensorsPointer();
  if (first_new_index != nullptr) *first_new_index = static_cast<int>(first);
  return kTfLiteOk;
}

TfLiteTensor* GraphState::tensor(int tensor_index) {
  if (tensor_index < 0 || static_cast<size_t>(tensor_index) >= tensors.size()) return nullptr;
  return &tensors[tensor_index];
}

const TfLiteTensor* GraphState::tensor(int tensor_index) const {
  return const_cast<GraphState*>(this)->tensor(tensor_index);
}

// ---- Memory that two tensors have.

const TfLiteTensor* GraphState::SharerOf(const TfLiteTensor& tensor) const {
  if (tensor.data.raw == nullptr) return nullptr;
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const TfLiteTensor& other) {
    return &other != &tensor && other.data.raw == tensor.data.raw;
  });
  return found != tensors.end() ? &*found : nullptr;
}

void GraphState::FreeData(TfLiteTensor* tensor) {
  if (OwnsBlock(*tensor) && SharerOf(*tensor) != nullptr) tensor->data.raw = nullptr;
  FreeTensorData(tensor, allocator);
}

void GraphState::DisownSharedMemory() {
  std::unordered_set<const void*> taken;
  for (const TfLiteTensor& tensor : tensors) {
    if (!OwnsBlock(tensor)) taken.insert(tensor.data.raw);
  }
  for (TfLiteTensor& tensor : tensors) {
    if (OwnsBlock(tensor) && !taken.insert(tensor.data.raw).second) tensor.data.raw = nullptr;
  }
}

void GraphState::FreeTensors() {
  DisownSharedMemory();
  for (TfLiteTensor& tensor : tensors) {
    FreeBufferHandle(&tensor);
    FreeTensorData(&tensor, allocator);
    TfLiteTensorFree(&tensor);
  }
}

// ---- Shapes.

TfLiteStatus GraphState::ResizeTensor(TfLiteTensor* tensor, TfLiteIntArray* new_size) {
  if (tensor == nullptr || new_size == nullptr) {
    TfLiteIntArrayFree(new_size);
    return kTfLiteError;
  }
  const TfLiteAllocationType kind = tensor->allocation_type;
  const bool in_arena = kind == kTfLiteArenaRw || kind == kTfLiteArenaRwPersistent;
  if (!in_arena && kind != kTfLiteDynamic && kind != kTfLitePersistentRo && kind != kTfLiteCustom &&
      kind != kTfLiteNonCpu && kind != kTfLiteVariantObject) {
    TfLiteIntArrayFree(new_size);
    ReportError("Attempting to resize a fixed-size tensor.");
    return kTfLiteError;
  }
  const bool same_dims = tensor->dims != nullptr && TfLiteIntArrayEqual(tensor->dims, new_size);
  size_t bytes = 0;
  if (!BytesOf(tensor->type, new_size->data, new_size->size, &bytes)) {
    ReportError("%s", BadShape(tensor->type, new_size->data, new_size->size).c_str());
    TfLiteIntArrayFree(new_size);
    return kTfLiteError;
  }
  if (!HasOpenSize(tensor->type)) {
    if (OwnsBlock(*tensor)) {
      const TfLiteTensor* sharer = bytes > tensor->bytes ? SharerOf(*tensor) : nullptr;
      const bool fits = sharer != nullptr && sharer->bytes >= bytes;
      if (sharer != nullptr && !fits) tensor->data.raw = nullptr;
      if (!fits && bytes > tensor->bytes && !MemoryMayHold(bytes)) {
        TfLiteIntArrayFree(new_size);
        ReportError("The system has no %zu bytes left for a tensor.", bytes);
        return kTfLiteError;
      }
      if (!fits && TfLiteTensorResizeMaybeCopyWithAllocator(bytes, tensor, /*preserve_data=*/false,
                                                            allocator) != kTfLiteOk) {
        TfLiteIntArrayFree(new_size);
        ReportError("No memory for a tensor.");
        return kTfLiteError;
      }
    } else if (in_arena && tensor->bytes != bytes) {
      tensor->data.raw = nullptr;  // gets a new place with the next memory plan
    }
    tensor->bytes = bytes;
  }
  tensor_resized = tensor_resized || !same_dims;
  if (tensor->dims != new_size) TfLiteIntArrayFree(tensor->dims);
  tensor->dims = new_size;
  return kTfLiteOk;
}

void SetOutputType(tflite::Subgraph* graph, TfLiteTensor* output, TfLiteType type) {
  if (output->type == type) return;
  if (OwnsBlock(*output)) SubgraphParts::Of(*graph).graph.FreeData(output);
  output->type = type;
}

TfLiteStatus SetInputType(tflite::Subgraph* called, int tensor_index, TfLiteType type) {
  SubgraphParts& parts = SubgraphParts::Of(*called);
  GraphState& graph = parts.graph;
  TfLiteTensor* target = graph.tensor(tensor_index);
  if (target == nullptr || target->is_variable || target->allocation_type == kTfLiteMmapRo) {
    graph.ReportError("Tensor %d cannot become one of type %s.", tensor_index,
                      TfLiteTypeGetName(type));
    return kTfLiteError;
  }
  if (target->type == type) return kTfLiteOk;
  if (graph.readiness == GraphState::kInvokableAndImmutable) {
    if (!parts.delegation.HasDelegates()) {
      graph.ReportError("SetInputType is disallowed when graph is immutable.");
      return kTfLiteError;
    }
    TF_LITE_ENSURE_STATUS(parts.delegation.UndoAll());
  }
  graph.FreeData(target);
  parts.outside.EndBorrowing(tensor_index);
  target->type = type;
  target->allocation_type = HasOpenSize(type) ? kTfLiteDynamic : kTfLiteArenaRw;
  target->bytes = 0;
  graph.readiness = GraphState::kUninvokable;
  TfLiteIntArray* dims =
      target->dims != nullptr ? TfLiteIntArrayCopy(target->dims) : TfLiteIntArrayCreate(0);
  return graph.ResizeTensor(target, dims);
}

}  // namespace tern

namespace tflite {

using tern::GraphState;

TfLiteStatus Subgraph::SetTensorParametersReadOnly(
    int tensor_index, TfLiteType type, const char* name, size_t ndims, const int* dims,
    TfLiteQuantization quantization, const char* buffer, size_t bytes, const Allocation* allocation,
    TfLiteSparsity* sparsity, size_t buffer_identifier) {
  GraphState& graph = parts_->graph;
  const auto fail = [&](const char* text) {
    TfLiteQuantizationFree(&quantization);
    TfLiteSparsityFree(sparsity);
    graph.ReportError(text, tensor_index);
    return kTfLiteError;
  };
  if (graph.readiness == GraphState::kInvokableAndImmutable) {
    return fail("SetTensorParametersReadOnly is disallowed when graph is immutable.");
  }
  TfLiteTensor* target = graph.tensor(tensor_index);
  if (target == nullptr) return fail("Tensor index %d is out of range.");
  size_t used_bytes = bytes;
  size_t required = 0;
  if (!tern::BytesOf(type, dims, ndims, &required))
    return fail(tern::BadShape(type, dims, ndims).c_str());
  if (!tern::HasOpenSize(type) && sparsity == nullptr) {
    if (required > bytes) return fail(tern::ShortBuffer(required, bytes).c_str());
    used_bytes = required;
  }
  const char* data = buffer;
  const size_t alignment = tern::ElementAlignment(type);
  if (data == nullptr || reinterpret_cast<uintptr_t>(data) % alignment == 0) {
    graph.owned_constants.Drop(tensor_index);
  } else {
    data = graph.owned_constants.Copy(tensor_index, buffer, used_bytes);
    if (data == nullptr) return fail("No memory for a copy of tensor %d.");
  }
  // Constant or not, nodes have prepared for this type and shape.
  if (target->type != type || !tern::SameDims(target->dims, ndims, dims))
    graph.readiness = GraphState::kUninvokable;
  graph.FreeBufferHandle(target);
  graph.FreeData(target);
  TfLiteTensorReset(type, name, ConvertArrayToTfLiteIntArray(static_cast<int>(ndims), dims),
                    tern::LegacyParams(quantization), const_cast<char*>(data), used_bytes,
                    kTfLiteMmapRo, allocation, /*is_variable=*/false, target);
  target->quantization = quantization;
  target->sparsity = sparsity;
  if (buffer_identifier != kTfLiteNoBufferIdentifier) {
    graph.tensor_buffer_identifiers[tensor_index] = buffer_identifier;
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::SetTensorParametersReadWrite(int tensor_index, TfLiteType type,
                                                    const char* name, size_t ndims, const int* dims,
                                                    TfLiteQuantization quantization,
                                                    bool is_variable, size_t ndims_signature,
                                                    const int* dims_signature) {
  GraphState& graph = parts_->graph;
  const auto fail = [&](const char* text) {
    TfLiteQuantizationFree(&quantization);
    graph.ReportError(text, tensor_index);
    return kTfLiteError;
  };
  if (graph.readiness == GraphState::kInvokableAndImmutable) {
    return fail("SetTensorParametersReadWrite is disallowed when graph is immutable.");
  }
  TfLiteTensor* target = graph.tensor(tensor_index);
  if (target == nullptr) return fail("Tensor index %d is out of range.");
  TfLiteAllocationType allocation_type = kTfLiteArenaRw;
  size_t required = 0;
  if (!tern::BytesOf(type, dims, ndims, &required))
    return fail(tern::BadShape(type, dims, ndims).c_str());
  if (tern::HasOpenSize(type)) {
    if (is_variable) return fail("Tensor %d: a string, resource or variant cannot be a variable.");
    allocation_type = kTfLiteDynamic;
  } else if (is_variable) {
    allocation_type = kTfLiteArenaRwPersistent;
  }
  graph.readiness = GraphState::kUninvokable;
  graph.owned_constants.Drop(tensor_index);
  graph.FreeBufferHandle(target);
  graph.FreeData(target);
  TfLiteTensorReset(type, name, ConvertArrayToTfLiteIntArray(static_cast<int>(ndims), dims),
                    tern::LegacyParams(quantization), nullptr, required, allocation_type, nullptr,
                    is_variable, target);
  target->quantization = quantization;
  if (ndims_signature > 0) {
    target->dims_signature =
        ConvertArrayToTfLiteIntArray(static_cast<int>(ndims_signature), dims_signature);
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::ResizeInputTensor(int tensor_index, const Indices& dims) {
  GraphState& graph = parts_->graph;
  const bool immutable = graph.readiness == GraphState::kInvokableAndImmutable;
  if (immutable && !parts_->delegation.HasDelegates()) {
    graph.ReportError("ResizeInputTensor is disallowed when graph is immutable.");
    return kTfLiteError;
  }
  TfLiteTensor* target = graph.tensor(tensor_index);
  if (target == nullptr) {
    graph.ReportError("Tensor index %d is out of range.", tensor_index);
    return kTfLiteError;
  }
  if (target->data.raw != nullptr && tern::SameDims(target->dims, dims.size(), dims.data())) {
    return kTfLiteOk;
  }
  if (target->allocation_type == kTfLiteMmapRo || target->allocation_type == kTfLiteMemNone) {
    graph.ReportError("Attempting to resize a fixed-size tensor.");
    return kTfLiteError;
  }
  size_t bytes = 0;
  if (!tern::BytesOf(target->type, dims.data(), dims.size(), &bytes)) {
    graph.ReportError("%s", tern::BadShape(target->type, dims.data(), dims.size()).c_str());
    return kTfLiteError;  // before delegates are undone, which leaves the graph ready to run
  }
  if (immutable) TF_LITE_ENSURE_STATUS(parts_->delegation.UndoAll());
  TF_LITE_ENSURE_STATUS(graph.ResizeTensor(target, ConvertVectorToTfLiteIntArray(dims)));
  graph.readiness = GraphState::kUninvokable;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::ResizeInputTensorStrict(int tensor_index, const Indices& dims) {
  GraphState& graph = parts_->graph;
  const TfLiteTensor* target = graph.tensor(tensor_index);
  if (target == nullptr || target->dims == nullptr) {
    graph.ReportError("Tensor index %d is out of range.", tensor_index);
    return kTfLiteError;
  }
  const TfLiteIntArray* signature = TfLiteTensorGetDimsSignature(target);
  if (signature->size != static_cast<int>(dims.size())) {
    graph.ReportError("Attempting to resize tensor %d of rank %d to rank %d.", tensor_index,
                      signature->size, static_cast<int>(dims.size()));
    return kTfLiteError;
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    const int known = signature->data[i];
    if (known == -1 || known == dims[i]) continue;
    graph.ReportError(
        "Attempting to resize dimension %d of tensor %d with value %d to %d. "
        "ResizeInputTensorStrict only allows mutating unknown dimensions identified by -1.",
        static_cast<int>(i), tensor_index, known, dims[i]);
    return kTfLiteError;
  }
  return ResizeInputTensor(tensor_index, dims);
}

}  // namespace tflite
