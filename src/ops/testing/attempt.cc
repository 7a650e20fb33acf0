// SPDX-License-Identifier: Apache-2.0
#include "ops/testing/attempt.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "absl/strings/str_join.h"
#include "model/read_params.h"
#include "model/tensor_types.h"
#include "model/testing/recording_reporter.h"
#include "ops/testing/engines.h"
#include "ops/testing/good_models.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/kernels/register_ref.h"
#include "tensorflow/lite/logger.h"
#include "tensorflow/lite/model_builder.h"
#include "tensorflow/lite/schema/schema_utils.h"

namespace tern::testing {
namespace {

using InterpreterPtr = std::unique_ptr<tflite::Interpreter>;

const tflite::OpResolver& Resolver(bool fast) {
  static const auto& plain = *new tflite::ops::builtin::BuiltinRefOpResolver;
  static const auto& all = *new tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates;
  if (fast) return all;
  return plain;
}

// Memory of tensors with a limit. A request beyond it must end in an error.
struct QuotaAllocator : TfLiteAllocator {
  QuotaAllocator(int refused, size_t quota) : left(refused), most_bytes(quota) {
    data = this;
    allocate = [](void* self, size_t bytes, size_t alignment) -> void* {
      auto* quota = static_cast<QuotaAllocator*>(self);
      ++quota->blocks;
      if (bytes > quota->most_bytes || quota->left-- == 0) return nullptr;
      return ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
    };
    reallocate = nullptr;
    deallocate = [](void*, void* block, size_t, size_t alignment) {
      ::operator delete(block, std::align_val_t(alignment));
    };
  }

  int left;  // blocks before the one that is refused
  const size_t most_bytes;
  int blocks = 0;
};

class Session {
 public:
  Session(const tflite::ModelT& model, Route route, int refused, size_t quota)
      : model_(model), route_(route), allocator_(refused, quota) {}

  Outcome Run(const ElementsOfInputs& inputs) {
    const auto loud = tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
    Outcome outcome;
    if (Load() && interpreter_->primary_subgraph().SetAllocator(&allocator_) == kTfLiteOk) {
      if (on_gpu()) Apply(&outcome);
      outcome.ran = Invoke(inputs);
      if (outcome.ran) outcome.shapes = Shapes();
    }
    // The interpreter goes before what it has borrowed.
    interpreter_.reset();
    delegate_.reset();
    outcome.blocks = allocator_.blocks;
    outcome.message = absl::StrJoin(reporter_.messages, "; ");
    tflite::LoggerOptions::SetMinimumLogSeverity(loud);
    return outcome;
  }

 private:
  bool on_gpu() const { return route_ == Route::kGpu || route_ == Route::kGpuAlone; }

  bool Load() {
    bytes_ = BytesOf(model_);
    if (route_ == Route::kUnchecked || route_ == Route::kGpuAlone) {
      return LoadUnchecked(*tflite::GetModel(bytes_.data()));
    }
    file_ = tflite::FlatBufferModel::VerifyAndBuildFromBuffer(
        reinterpret_cast<const char*>(bytes_.data()), bytes_.size(), nullptr, &reporter_);
    if (file_ == nullptr) return false;
    tflite::InterpreterBuilder(*file_, Resolver(route_ == Route::kFileFast))(&interpreter_, 1);
    return interpreter_ != nullptr;
  }

  bool LoadUnchecked(const tflite::Model& file) {
    interpreter_ = std::make_unique<tflite::Interpreter>(&reporter_);
    // Nothing runs there that could call itself without end.
    const size_t graphs = route_ == Route::kGpuAlone ? model_.subgraphs.size() : 1;
    if (graphs > 1) interpreter_->AddSubgraphs(static_cast<int>(graphs) - 1);
    for (size_t i = 0; i < graphs; ++i) {
      if (!AddGraph(file, i, *interpreter_->subgraph(i))) return false;
    }
    return true;
  }

  bool AddGraph(const tflite::Model& file, size_t index, tflite::Subgraph& target) {
    const tflite::SubGraphT& graph = *model_.subgraphs[index];
    if (target.AddTensors(static_cast<int>(graph.tensors.size())) != kTfLiteOk) return false;
    for (size_t t = 0; t < graph.tensors.size(); ++t) {
      if (!AddTensor(static_cast<int>(t), *graph.tensors[t], target)) return false;
    }
    std::vector<int> variables;
    for (size_t t = 0; t < graph.tensors.size(); ++t) {
      if (graph.tensors[t]->is_variable) variables.push_back(static_cast<int>(t));
    }
    if (target.SetInputs(graph.inputs) != kTfLiteOk ||
        target.SetOutputs(graph.outputs) != kTfLiteOk ||
        target.SetVariables(variables) != kTfLiteOk) {
      return false;
    }
    const tflite::SubGraph& packed = *file.subgraphs()->Get(static_cast<uint32_t>(index));
    for (size_t i = 0; i < graph.operators.size(); ++i) {
      const tflite::Operator& op = *packed.operators()->Get(static_cast<uint32_t>(i));
      if (!AddNode(*graph.operators[i], op, target)) return false;
    }
    return true;
  }

  // Arrays as long as the file has them, no value looked at.
  static TfLiteQuantization QuantizationOf(const tflite::TensorT& from) {
    if (from.quantization == nullptr || from.quantization->scale.empty()) return {};
    const std::vector<float>& scales = from.quantization->scale;
    const int count = static_cast<int>(scales.size());
    auto* affine =
        static_cast<TfLiteAffineQuantization*>(std::calloc(1, sizeof(TfLiteAffineQuantization)));
    affine->scale = TfLiteFloatArrayCreate(count);
    affine->zero_point = TfLiteIntArrayCreate(count);
    affine->quantized_dimension = from.quantization->quantized_dimension;
    for (int i = 0; i < count; ++i) {
      affine->scale->data[i] = scales[static_cast<size_t>(i)];
      const auto& zero_points = from.quantization->zero_point;
      affine->zero_point->data[i] = static_cast<size_t>(i) < zero_points.size()
                                        ? static_cast<int>(zero_points[static_cast<size_t>(i)])
                                        : 0;
    }
    return {kTfLiteAffineQuantization, affine};
  }

  static TfLiteIntArray* ArrayOf(const std::vector<int32_t>& from) {
    TfLiteIntArray* array = TfLiteIntArrayCreate(static_cast<int>(from.size()));
    std::copy(from.begin(), from.end(), array->data);
    return array;
  }

  // Lists of 32-bit numbers only.
  static TfLiteSparsity* SparsityOf(const tflite::TensorT& tensor) {
    if (tensor.sparsity == nullptr) return nullptr;
    const tflite::SparsityParametersT& from = *tensor.sparsity;
    auto* to = static_cast<TfLiteSparsity*>(std::calloc(1, sizeof(TfLiteSparsity)));
    to->traversal_order = ArrayOf(from.traversal_order);
    to->block_map = ArrayOf(from.block_map);
    to->dim_metadata_size = static_cast<int>(from.dim_metadata.size());
    to->dim_metadata = static_cast<TfLiteDimensionMetadata*>(
        std::calloc(from.dim_metadata.size() + 1, sizeof(TfLiteDimensionMetadata)));
    for (size_t i = 0; i < from.dim_metadata.size(); ++i) {
      const tflite::DimensionMetadataT& level = *from.dim_metadata[i];
      const bool dense = level.format == tflite::DimensionType_DENSE;
      to->dim_metadata[i].format = dense ? kTfLiteDimDense : kTfLiteDimSparseCSR;
      to->dim_metadata[i].dense_size = level.dense_size;
      const auto list = [](const tflite::SparseIndexVectorUnion& v) {
        return v.AsInt32Vector() == nullptr ? nullptr : ArrayOf(v.AsInt32Vector()->values);
      };
      to->dim_metadata[i].array_segments = list(level.array_segments);
      to->dim_metadata[i].array_indices = list(level.array_indices);
    }
    return to;
  }

  bool AddTensor(int index, const tflite::TensorT& from, tflite::Subgraph& target) {
    const auto type = RuntimeType(from.type);
    if (!type.ok()) return false;
    if (from.buffer == 0 || from.buffer >= model_.buffers.size()) {
      return target.SetTensorParametersReadWrite(index, *type, from.name.c_str(), from.shape,
                                                 QuantizationOf(from), from.is_variable,
                                                 from.shape_signature) == kTfLiteOk;
    }
    const std::vector<uint8_t>& data = model_.buffers[from.buffer]->data;
    return target.SetTensorParametersReadOnly(
               index, *type, from.name.c_str(), from.shape, QuantizationOf(from),
               reinterpret_cast<const char*>(data.data()), data.size(), /*allocation=*/nullptr,
               SparsityOf(from)) == kTfLiteOk;
  }

  bool AddNode(const tflite::OperatorT& op, const tflite::Operator& packed,
               tflite::Subgraph& target) {
    if (op.opcode_index >= model_.operator_codes.size()) return false;
    const tflite::OperatorCodeT& code = *model_.operator_codes[op.opcode_index];
    const tflite::OpResolver& resolver = Resolver(false);
    const TfLiteRegistration* found = code.builtin_code == tflite::BuiltinOperator_CUSTOM
                                          ? resolver.FindOp(code.custom_code.c_str(), code.version)
                                          : resolver.FindOp(code.builtin_code, code.version);
    if (found == nullptr) return false;
    TfLiteRegistration registration = *found;
    if (route_ == Route::kGpuAlone) {
      registration.prepare = [](TfLiteContext*, TfLiteNode*) { return kTfLiteOk; };
      registration.invoke = [](TfLiteContext*, TfLiteNode*) { return kTfLiteError; };
    }
    void* params = nullptr;
    if (code.builtin_code != tflite::BuiltinOperator_CUSTOM) {
      const auto read = ReadParams(packed, code.builtin_code);
      if (!read.ok()) return false;
      params = *read;
    }
    const auto* options = reinterpret_cast<const char*>(op.custom_options.data());
    return target.AddNodeWithParameters(op.inputs, op.outputs, op.intermediates,
                                        op.custom_options.empty() ? nullptr : options,
                                        op.custom_options.size(), params,
                                        &registration) == kTfLiteOk;
  }

  void Apply(Outcome* outcome) {
    const bool alone = route_ == Route::kGpuAlone;
    delegate_ =
        MakeDelegate({"planner", false, 1, alone ? "null:nvidia" : "null:gles-min", 4, !alone});
    if (delegate_ == nullptr) std::abort();
    interpreter_->ModifyGraphWithDelegate(delegate_.get());
    outcome->report = TfLiteGpuDelegateV2Report(delegate_.get());
    outcome->planned = PlannedWhole(outcome->report);
  }

  bool Invoke(const ElementsOfInputs& inputs) {
    if (interpreter_->AllocateTensors() != kTfLiteOk) return false;
    for (const int t : interpreter_->inputs()) {
      TfLiteTensor* tensor = interpreter_->tensor(t);
      if (tensor == nullptr) continue;
      const auto given = inputs.find(t);
      if (given != inputs.end()) {
        if (tensor->bytes != given->second.size()) return false;
        if (tensor->bytes != 0) std::memcpy(tensor->data.raw, given->second.data(), tensor->bytes);
      } else {
        Fill(tensor);
      }
    }
    return interpreter_->Invoke() == kTfLiteOk;
  }

  static void Fill(TfLiteTensor* tensor) {
    if (tensor->data.raw == nullptr || tensor->type == kTfLiteString) return;
    const auto fill = [&](auto value) {
      for (size_t at = 0; at + sizeof(value) <= tensor->bytes; at += sizeof(value)) {
        std::memcpy(tensor->data.raw + at, &value, sizeof(value));
      }
    };
    switch (tensor->type) {
      case kTfLiteFloat32:
      case kTfLiteComplex64:
        return fill(0.5f);
      case kTfLiteInt32:
        return fill(int32_t{1});
      case kTfLiteInt64:
        return fill(int64_t{1});
      default:
        return fill(uint8_t{1});
    }
  }

  std::vector<std::vector<int32_t>> Shapes() const {
    std::vector<std::vector<int32_t>> shapes;
    for (const int t : interpreter_->outputs()) {
      const TfLiteTensor* tensor = interpreter_->tensor(t);
      if (tensor == nullptr || tensor->dims == nullptr) continue;
      shapes.emplace_back(tensor->dims->data, tensor->dims->data + tensor->dims->size);
      // Every result must be readable to its last byte.
      volatile char sum = 0;
      for (size_t i = 0; i < tensor->bytes; ++i) sum = static_cast<char>(sum ^ tensor->data.raw[i]);
    }
    return shapes;
  }

  const tflite::ModelT& model_;
  const Route route_;
  QuotaAllocator allocator_;
  RecordingReporter reporter_;
  std::vector<uint8_t> bytes_;
  std::unique_ptr<tflite::FlatBufferModel> file_;
  DelegatePtr delegate_{nullptr, [](TfLiteDelegate*) {}};
  InterpreterPtr interpreter_;
};

}  // namespace

const char* NameOf(Route route) {
  switch (route) {
    case Route::kFile:
      return "file";
    case Route::kFileFast:
      return "file, fast forms";
    case Route::kUnchecked:
      return "unchecked";
    case Route::kGpu:
      return "GPU";
    case Route::kGpuAlone:
      return "GPU alone";
  }
  return "";
}

Outcome Attempt(const tflite::ModelT& model, Route route, const ElementsOfInputs& inputs,
                int refused, size_t quota) {
  return Session(model, route, refused, quota).Run(inputs);
}

}  // namespace tern::testing
