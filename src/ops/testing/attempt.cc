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
#include "model/testing/model_builder.h"
#include "model/testing/recording_reporter.h"
#include "ops/testing/cpu_seconds.h"
#include "ops/testing/engines.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/kernels/register_ref.h"
#include "tensorflow/lite/logger.h"
#include "tensorflow/lite/model_builder.h"
#include "tensorflow/lite/schema/schema_utils.h"
#include "tensorflow/lite/string_util.h"

namespace tern::testing {
namespace {

using InterpreterPtr = std::unique_ptr<tflite::Interpreter>;

const tflite::OpResolver& Resolver(bool fast) {
  static const auto& plain = *new tflite::ops::builtin::BuiltinRefOpResolver;
  static const auto& all = *new tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates;
  if (fast) return all;
  return plain;
}

// Blocks of memory above this size are there on no machine.
constexpr size_t kHuge = size_t{1} << 40;

// Memory of tensors with a limit. A request beyond it must end in an error.
struct QuotaAllocator : TfLiteAllocator {
  explicit QuotaAllocator(const Usage& usage) : left(usage.refused), max_bytes(usage.quota) {
    data = this;
    allocate = [](void* self, size_t bytes, size_t alignment) -> void* {
      auto* quota = static_cast<QuotaAllocator*>(self);
      ++quota->blocks;
      quota->scarce = quota->scarce || (bytes > quota->max_bytes && bytes < kHuge);
      if (bytes > quota->max_bytes || quota->left-- == 0) return nullptr;
      return ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
    };
    reallocate = nullptr;
    deallocate = [](void*, void* block, size_t, size_t alignment) {
      ::operator delete(block, std::align_val_t(alignment));
    };
  }

  int left;  // blocks before the one that is refused
  const size_t max_bytes;
  int blocks = 0;
  bool scarce = false;
};

// Values of inputs that have none of their own.
class Filler {
 public:
  explicit Filler(const Usage& usage) : fill_(usage.fill), random_(usage.seed) {}

  void Fill(TfLiteTensor* tensor) {
    if (tensor->type == kTfLiteString) return FillStrings(tensor);
    if (tensor->data.raw == nullptr || tensor->type == kTfLiteResource ||
        tensor->type == kTfLiteVariant) {
      return;
    }
    if (fill_ == Usage::Fill::kRandom) return FillRandom(tensor);
    const auto fill = [&](auto value) {
      if (fill_ == Usage::Fill::kZeros) value = 0;
      for (size_t at = 0; at + sizeof(value) <= tensor->bytes; at += sizeof(value)) {
        std::memcpy(tensor->data.raw + at, &value, sizeof(value));
      }
    };
    switch (tensor->type) {
      case kTfLiteFloat32:
      case kTfLiteComplex64:
        return fill(0.5f);
      case kTfLiteInt16:
      case kTfLiteUInt16:
        return fill(int16_t{1});
      case kTfLiteInt32:
        return fill(int32_t{1});
      case kTfLiteInt64:
        return fill(int64_t{1});
      default:
        return fill(uint8_t{1});
    }
  }

 private:
  uint32_t Next() {
    random_ = random_ * 1664525u + 1013904223u;
    return random_ >> 16;
  }

  void FillRandom(TfLiteTensor* tensor) {
    if (tensor->type == kTfLiteBool) {
      for (size_t i = 0; i < tensor->bytes; ++i) tensor->data.b[i] = (Next() & 1) != 0;
    } else if (random_ % 4 == 1 && tensor->type == kTfLiteInt32) {  // indices, often good ones
      for (size_t i = 0; i < tensor->bytes / 4; ++i) {
        tensor->data.i32[i] = static_cast<int32_t>(Next() % 9) - 2;
      }
    } else {
      for (size_t i = 0; i < tensor->bytes; ++i) tensor->data.raw[i] = static_cast<char>(Next());
    }
  }

  void FillStrings(TfLiteTensor* tensor) {
    if (tensor->dims == nullptr || fill_ == Usage::Fill::kZeros) return;
    int64_t count = 1;
    for (int d = 0; d < tensor->dims->size; ++d) {
      count *= tensor->dims->data[d];
      if (count < 0 || count > 1000) return;
    }
    tflite::DynamicBuffer strings;
    const size_t length = fill_ == Usage::Fill::kRandom ? random_ % 5 : 4;
    for (int64_t i = 0; i < count; ++i) strings.AddString("text", length);
    strings.WriteToTensor(tensor, nullptr);
  }

  const Usage::Fill fill_;
  uint32_t random_;
};

// Every result must be readable to its last byte.
void Read(const TfLiteTensor* tensor) {
  if (tensor == nullptr || tensor->data.raw == nullptr) return;
  if (tensor->type == kTfLiteResource || tensor->type == kTfLiteVariant) return;
  volatile char sum = 0;
  for (size_t i = 0; i < tensor->bytes; ++i) sum = static_cast<char>(sum ^ tensor->data.raw[i]);
  if (tensor->type != kTfLiteString) return;
  for (int i = 0; i < tflite::GetStringCount(tensor); ++i) {
    const tflite::StringRef text = tflite::GetString(tensor, i);
    for (size_t c = 0; c < text.len; ++c) sum = static_cast<char>(sum ^ text.str[c]);
  }
}

class Session {
 public:
  // Without the object form the file must be a checked one.
  Session(std::vector<uint8_t> file, const tflite::ModelT* model, const Route& route,
          const Usage& usage)
      : bytes_(std::move(file)), model_(model), route_(route), usage_(usage), allocator_(usage) {}

  Outcome Run() {
    const auto loud = tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
    if (route_.checked ? Load() : LoadUnchecked(*tflite::GetModel(bytes_.data()))) Use();
    // The interpreter goes before what it has borrowed.
    interpreter_.reset();
    delegate_.reset();
    outcome_.blocks = allocator_.blocks;
    outcome_.scarce = allocator_.scarce;
    outcome_.message = absl::StrJoin(reporter_.messages, "; ");
    tflite::LoggerOptions::SetMinimumLogSeverity(loud);
    return std::move(outcome_);
  }

 private:
  void Use() {
    if (interpreter_->SetAllocator(&allocator_) != kTfLiteOk) Fail("the allocator is refused");
    if (usage_.seconds > 0) {
      interpreter_->SetCancellationFunction(
          this, [](void* self) { return CpuSeconds() > static_cast<Session*>(self)->deadline_; });
    }
    if (usage_.resize_first) Resize();
    if (route_.on_gpu() && !usage_.delegate_late) Delegate();
    outcome_.stage = AllocateAndInvoke();
    if (outcome_.ran()) outcome_.shapes = Shapes();
    if (route_.on_gpu() && usage_.delegate_late) {
      Delegate();
      AllocateAndInvoke();
    }
    if (usage_.resize_again) {
      Resize();
      AllocateAndInvoke();
    }
    if (usage_.signatures) RunSignatures();
  }

  bool Load() {
    file_ = tflite::FlatBufferModel::VerifyAndBuildFromBuffer(
        reinterpret_cast<const char*>(bytes_.data()), bytes_.size(), nullptr, &reporter_);
    if (file_ == nullptr) return false;
    tflite::InterpreterBuilder(*file_, Resolver(route_.fast))(&interpreter_, 1);
    return interpreter_ != nullptr;
  }

  bool LoadUnchecked(const tflite::Model& file) {
    if (model_->subgraphs.empty()) return false;
    interpreter_ = std::make_unique<tflite::Interpreter>(&reporter_);
    // Nothing runs there that could call itself without end.
    const size_t graphs = route_.alone() ? model_->subgraphs.size() : 1;
    if (graphs > 1) interpreter_->AddSubgraphs(static_cast<int>(graphs) - 1);
    for (size_t i = 0; i < graphs; ++i) {
      if (!AddGraph(file, i, *interpreter_->subgraph(i))) return false;
    }
    return true;
  }

  bool AddGraph(const tflite::Model& file, size_t index, tflite::Subgraph& target) {
    const tflite::SubGraphT& graph = *model_->subgraphs[index];
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
    if (from.buffer == 0 || from.buffer >= model_->buffers.size()) {
      return target.SetTensorParametersReadWrite(index, *type, from.name.c_str(), from.shape,
                                                 QuantizationOf(from), from.is_variable,
                                                 from.shape_signature) == kTfLiteOk;
    }
    const std::vector<uint8_t>& data = model_->buffers[from.buffer]->data;
    return target.SetTensorParametersReadOnly(
               index, *type, from.name.c_str(), from.shape, QuantizationOf(from),
               reinterpret_cast<const char*>(data.data()), data.size(), /*allocation=*/nullptr,
               SparsityOf(from)) == kTfLiteOk;
  }

  bool AddNode(const tflite::OperatorT& op, const tflite::Operator& packed,
               tflite::Subgraph& target) {
    if (op.opcode_index >= model_->operator_codes.size()) return false;
    const tflite::OperatorCodeT& code = *model_->operator_codes[op.opcode_index];
    const tflite::OpResolver& resolver = Resolver(false);
    const TfLiteRegistration* found = code.builtin_code == tflite::BuiltinOperator_CUSTOM
                                          ? resolver.FindOp(code.custom_code.c_str(), code.version)
                                          : resolver.FindOp(code.builtin_code, code.version);
    if (found == nullptr) return false;
    TfLiteRegistration registration = *found;
    if (route_.alone()) {
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

  void Resize() {
    const std::vector<int>& inputs = interpreter_->inputs();
    if (inputs.empty() || !usage_.resize) return;
    const int tensor = inputs[usage_.resize->input % inputs.size()];
    if (usage_.resize->strict) {
      interpreter_->ResizeInputTensorStrict(tensor, usage_.resize->shape);
    } else {
      interpreter_->ResizeInputTensor(tensor, usage_.resize->shape);
    }
  }

  void Delegate() {
    delegate_ = MakeDelegate({"planner", false, 1, route_.device, 4, route_.half});
    if (delegate_ == nullptr) Fail("no delegate");
    interpreter_->ModifyGraphWithDelegate(delegate_.get());
    const char* report = TfLiteGpuDelegateV2Report(delegate_.get());
    if (report == nullptr || report[0] != '{') Fail("no report");
    outcome_.report = report;
    outcome_.planned = PlannedWhole(outcome_.report);
  }

  Stage AllocateAndInvoke() {
    if (interpreter_->AllocateTensors() != kTfLiteOk) return Stage::kAllocate;
    Filler filler(usage_);
    for (const int t : interpreter_->inputs()) {
      TfLiteTensor* tensor = interpreter_->tensor(t);
      if (tensor == nullptr) continue;
      const auto given = usage_.inputs.find(t);
      if (given == usage_.inputs.end()) {
        filler.Fill(tensor);
        continue;
      }
      if (tensor->bytes != given->second.size()) return Stage::kInvoke;
      if (tensor->bytes != 0) std::memcpy(tensor->data.raw, given->second.data(), tensor->bytes);
    }
    deadline_ = CpuSeconds() + usage_.seconds;
    if (interpreter_->Invoke() != kTfLiteOk) return Stage::kInvoke;
    for (const int t : interpreter_->outputs()) Read(interpreter_->tensor(t));
    interpreter_->ResetVariableTensors();
    return Stage::kEnd;
  }

  void RunSignatures() {
    Filler filler(usage_);
    for (const std::string* key : interpreter_->signature_keys()) {
      tflite::SignatureRunner* runner = interpreter_->GetSignatureRunner(key->c_str());
      if (runner == nullptr || runner->AllocateTensors() != kTfLiteOk) continue;
      for (const char* name : runner->input_names()) {
        if (TfLiteTensor* tensor = runner->input_tensor(name)) filler.Fill(tensor);
      }
      deadline_ = CpuSeconds() + usage_.seconds;
      if (runner->Invoke() != kTfLiteOk) continue;
      for (const char* name : runner->output_names()) Read(runner->output_tensor(name));
    }
  }

  std::vector<std::vector<int32_t>> Shapes() const {
    std::vector<std::vector<int32_t>> shapes;
    for (const int t : interpreter_->outputs()) {
      const TfLiteTensor* tensor = interpreter_->tensor(t);
      if (tensor == nullptr || tensor->dims == nullptr) continue;
      shapes.emplace_back(tensor->dims->data, tensor->dims->data + tensor->dims->size);
    }
    return shapes;
  }

  const std::vector<uint8_t> bytes_;
  const tflite::ModelT* model_;
  const Route& route_;
  const Usage& usage_;
  QuotaAllocator allocator_;
  RecordingReporter reporter_;
  double deadline_ = 0;  // of Invoke
  Outcome outcome_;
  std::unique_ptr<tflite::FlatBufferModel> file_;
  DelegatePtr delegate_{nullptr, [](TfLiteDelegate*) {}};
  InterpreterPtr interpreter_;
};

}  // namespace

Outcome Attempt(const tflite::ModelT& model, const Route& route, const Usage& usage) {
  return Session(BytesOf(model), &model, route, usage).Run();
}

Outcome AttemptFile(std::span<const uint8_t> file, const Route& route, const Usage& usage) {
  if (route.checked) return Session({file.begin(), file.end()}, nullptr, route, usage).Run();
  const std::unique_ptr<tflite::ModelT> model = ReadModel(file);
  return model == nullptr ? Outcome() : Attempt(*model, route, usage);
}

void Fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

}  // namespace tern::testing
