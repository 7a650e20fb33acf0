// SPDX-License-Identifier: Apache-2.0
// The bridge between the C registration and the op classes, and the checks that ops share.
#include "ops/cpu_kit/op_kit.h"

#include <algorithm>
#include <limits>

#include "abi/prepare_scope.h"
#include "base/subnormals.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tern {
namespace internal {

void FreeOp(TfLiteContext*, void* op) { delete static_cast<Op*>(op); }

namespace {

TfLiteStatus Report(TfLiteContext* context, const Op& op, const Status& status) {
  if (status.ok()) return kTfLiteOk;
  const std::string text = StrCat(op.name(), ": ", Message(status));
  context->ReportError(context, "%s", text.c_str());
  return absl::IsCancelled(status) ? kTfLiteCancelled : kTfLiteError;
}

Status CheckSizes(const OpCall& call, int64_t limit) {
  for (int i = 0; i < call.inputs(); ++i) {
    const TfLiteTensor* input = call.input(i);
    if (input == nullptr || Elements(input) <= limit) continue;
    return TooLarge("input ", i, " has too many elements (", ShapeText(ShapeOf(input)), ", limit ",
                    limit, ")");
  }
  return OkStatus();
}

// Dynamic outputs and memory of the application stay what they are.
bool CanKeepOutputs(const OpCall& call) {
  for (int i = 0; i < call.outputs(); ++i) {
    const TfLiteAllocationType where = call.output(i)->allocation_type;
    if (where != kTfLiteArenaRw && where != kTfLitePersistentRo) return false;
  }
  return true;
}

bool KeepsOutputs(const OpCall& call) {
  for (int i = 0; i < call.outputs(); ++i) {
    if (call.output(i)->allocation_type != kTfLitePersistentRo) return false;
  }
  return call.outputs() > 0;
}

// Gives the outputs memory of their own for as long as the tensors live.
Status KeepOutputs(const OpCall& call) {
  for (int i = 0; i < call.outputs(); ++i) {
    TfLiteTensor* output = call.output(i);
    if (output->allocation_type == kTfLiteArenaRw) {
      output->allocation_type = kTfLitePersistentRo;
      output->data.raw = nullptr;
    }
    TERN_RETURN_IF_ERROR(call.SetShape(output, ShapeOf(output)));
  }
  return OkStatus();
}

}  // namespace

TfLiteStatus PrepareOp(TfLiteContext* context, TfLiteNode* node) {
  Op& op = *static_cast<Op*>(node->user_data);
  const OpCall call(context, node);
  Status status = CheckSizes(call, op.MaxInputElements());
  if (status.ok()) status = op.Prepare(call);
  if (status.ok() && op.IsFolded(call) && CanKeepOutputs(call)) {
    status = KeepOutputs(call);
    if (status.ok()) status = op.Eval(call);
  }
  if (status.ok() && PrepareScope::IsFinal()) op.Pack(call);
  return Report(context, op, status);
}

TfLiteStatus EvalOp(TfLiteContext* context, TfLiteNode* node) {
  Op& op = *static_cast<Op*>(node->user_data);
  const OpCall call(context, node);
  if (op.IsFolded(call) && KeepsOutputs(call)) return kTfLiteOk;
  const SubnormalMode mode(op.flushes_subnormals() && SubnormalMode::Flushes());
  return Report(context, op, op.Eval(call));
}

}  // namespace internal

namespace {

TfLiteTensor* TensorAt(const TfLiteContext* context, const TfLiteIntArray* list, int i) {
  if (list == nullptr || i < 0 || i >= list->size) return nullptr;
  const int index = list->data[i];
  if (index < 0 || static_cast<size_t>(index) >= context->tensors_size) return nullptr;
  return &context->tensors[index];
}

}  // namespace

const TfLiteTensor* OpCall::input(int i) const { return TensorAt(context_, node_->inputs, i); }
TfLiteTensor* OpCall::output(int i) const { return TensorAt(context_, node_->outputs, i); }

Status OpCall::CheckOperands(int required_inputs, int max_inputs, int output_count) const {
  if (inputs() < required_inputs || inputs() > max_inputs) {
    return Invalid("wrong number of inputs (", inputs(), ", expected ", required_inputs, " to ",
                   max_inputs, ")");
  }
  if (outputs() != output_count) {
    return Invalid("wrong number of outputs (", outputs(), ", expected ", output_count, ")");
  }
  for (int i = 0; i < required_inputs; ++i) {
    if (input(i) == nullptr) return Invalid("input ", i, " is missing");
  }
  for (int i = 0; i < output_count; ++i) {
    if (output(i) == nullptr) return Invalid("output ", i, " is missing");
  }
  return OkStatus();
}

Status OpCall::CheckParams() const {
  if (node_->builtin_data == nullptr) return Invalid("options are missing");
  return OkStatus();
}

Status OpCall::SetShape(TfLiteTensor* tensor, const Shape& shape) const {
  const StatusOr<int64_t> elements = CheckedElements(shape);
  if (!elements.ok()) return WithPrefix(elements.status(), "output");
  TfLiteIntArray* dims = TfLiteIntArrayCreate(static_cast<int>(shape.size()));
  if (dims == nullptr) return TooLarge("no memory for a shape");
  for (size_t i = 0; i < shape.size(); ++i) dims->data[i] = static_cast<int>(shape[i]);
  if (context_->ResizeTensor(context_, tensor, dims) != kTfLiteOk) {
    return TooLarge("the output cannot get the shape ", ShapeText(shape));
  }
  return OkStatus();
}

ThreadPool* Op::Pool(const OpCall& call) {
  if (!fast() || call.threads() <= 1) return nullptr;
  if (pool_ == nullptr || requested_threads_ != call.threads()) {
    requested_threads_ = call.threads();
    // All graphs of an interpreter share one; a context of another kind stands for itself.
    const auto* graph = static_cast<const tflite::Subgraph*>(call.context()->impl_);
    const void* owner = call.context();
    if (graph != nullptr) owner = graph->GetSubgraphs();
    pool_ = SharedThreadPool(owner, requested_threads_);
  }
  return pool_->threads() > 1 ? pool_.get() : nullptr;
}

int64_t Elements(const TfLiteTensor* t) {
  int64_t count = 1;
  bool empty = false, overflows = false;
  for (int i = 0; i < Rank(t); ++i) {
    empty = empty || Dim(t, i) == 0;
    overflows = __builtin_mul_overflow(count, Dim(t, i), &count) || overflows;
  }
  if (empty) return 0;
  return overflows ? INT64_MAX : count;
}

int64_t ElementBytes(TfLiteType type) {
  switch (type) {
    case kTfLiteBool:
    case kTfLiteInt8:
    case kTfLiteUInt8:
      return 1;
    case kTfLiteInt16:
    case kTfLiteUInt16:
    case kTfLiteFloat16:
    case kTfLiteBFloat16:
      return 2;
    case kTfLiteFloat32:
    case kTfLiteInt32:
    case kTfLiteUInt32:
      return 4;
    case kTfLiteFloat64:
    case kTfLiteInt64:
    case kTfLiteUInt64:
    case kTfLiteComplex64:
      return 8;
    case kTfLiteComplex128:
      return 16;
    default:
      return 0;
  }
}

int64_t ElementBits(TfLiteType type) {
  switch (type) {
    case kTfLiteInt4:
    case kTfLiteUInt4:
      return 4;
    case kTfLiteInt2:
      return 2;
    default:
      return 8 * ElementBytes(type);
  }
}

const char* TypeText(TfLiteType type) { return TfLiteTypeGetName(type); }

bool AllConstant(const OpCall& call) {
  for (int i = 0; i < call.inputs(); ++i) {
    const TfLiteTensor* input = call.input(i);
    if (input != nullptr && !IsConstant(input)) return false;
  }
  return true;
}

bool KeepsPacked(const OpCall& call) {
  for (int i = 0; i < call.inputs(); ++i) {
    const TfLiteTensor* input = call.input(i);
    if (input != nullptr && input->allocation_type == kTfLitePersistentRo) return false;
  }
  return PrepareScope::IsFinal();
}

void MakeDynamic(TfLiteTensor* t) {
  if (IsDynamic(t)) return;
  t->allocation_type = kTfLiteDynamic;
  t->data.raw = nullptr;
}

bool IsGraphOutput(const OpCall& call, int i) {
  const auto* graph = static_cast<const tflite::Subgraph*>(call.context()->impl_);
  if (graph == nullptr) return false;
  const std::vector<int>& outputs = graph->outputs();
  return std::find(outputs.begin(), outputs.end(), call.node()->outputs->data[i]) != outputs.end();
}

Status CheckType(const TfLiteTensor* t, TfLiteType type, const char* what) {
  if (t->type == type) return OkStatus();
  return Unsupported("type ", TypeText(t->type), " is not supported yet (", what, ")");
}

Status CheckRank(const TfLiteTensor* t, int rank, const char* what) {
  if (Rank(t) == rank) return OkStatus();
  return Invalid(what, " must have rank ", rank, " (shape ", ShapeText(ShapeOf(t)), ")");
}

Status CheckData(const TfLiteTensor* t, const char* what) {
  const int64_t elements = Elements(t);
  if (elements == 0) return OkStatus();
  if (t->data.raw == nullptr) return Invalid(what, " has no data");
  const int64_t need = (elements * ElementBits(t->type) + 7) / 8;
  if (static_cast<int64_t>(t->bytes) < need) {
    return Invalid(what, " holds too few bytes (", t->bytes, ", needed ", need, ")");
  }
  return OkStatus();
}

Status CheckMovable(const TfLiteTensor* t, const char* what) {
  if (ElementBytes(t->type) != 0 || t->type == kTfLiteString) return OkStatus();
  return Unsupported("type ", TypeText(t->type), " is not supported yet (", what, ")");
}

Status CheckSameType(const TfLiteTensor* a, const TfLiteTensor* b, const char* a_and_b) {
  if (a->type == b->type) return OkStatus();
  return Invalid(a_and_b, " must have one type (", TypeText(a->type), ", ", TypeText(b->type), ")");
}

StatusOr<Shape> ReadIntegers(const TfLiteTensor* t, const char* what) {
  TERN_RETURN_IF_ERROR(CheckData(t, what));
  const int64_t count = Elements(t);
  switch (t->type) {
    case kTfLiteInt32:
      return Shape(Data<int32_t>(t), Data<int32_t>(t) + count);
    case kTfLiteInt64:
      return Shape(Data<int64_t>(t), Data<int64_t>(t) + count);
    case kTfLiteInt16:
      return Shape(Data<int16_t>(t), Data<int16_t>(t) + count);
    case kTfLiteInt8:
      return Shape(Data<int8_t>(t), Data<int8_t>(t) + count);
    default:
      return Invalid(what, " must hold integers (type ", TypeText(t->type), ")");
  }
}

StatusOr<int64_t> ReadInteger(const TfLiteTensor* t, const char* what) {
  if (Elements(t) != 1) {
    return Invalid(what, " must be one number (shape ", ShapeText(ShapeOf(t)), ")");
  }
  TERN_ASSIGN_OR_RETURN(const Shape values, ReadIntegers(t, what));
  return values[0];
}

}  // namespace tern
