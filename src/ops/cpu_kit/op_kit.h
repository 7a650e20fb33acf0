// SPDX-License-Identifier: Apache-2.0
// The toolkit of CPU ops: operands, checked shapes, activation ranges, worker threads, and the
// bridge from a class with Prepare and Eval to the C registration that the interpreter calls.
#ifndef TERN_OPS_CPU_KIT_OP_KIT_H_
#define TERN_OPS_CPU_KIT_OP_KIT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/tensor/quantized_range.h"
#include "base/tensor/shape_math.h"
#include "cpu/thread_pool.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern {

// Which form of an op runs: the clear C++ one on the calling thread, or the fast one (worker
// threads, vectors).
enum class OpForm { kReference, kOptimized };

// One call of Prepare or Eval: the node's operands and options.
class OpCall {
 public:
  OpCall(TfLiteContext* context, TfLiteNode* node) : context_(context), node_(node) {}

  int inputs() const { return node_->inputs == nullptr ? 0 : node_->inputs->size; }
  int outputs() const { return node_->outputs == nullptr ? 0 : node_->outputs->size; }

  // Null when operand i is absent.
  const TfLiteTensor* input(int i) const;
  // Exists once CheckOperands has succeeded.
  TfLiteTensor* output(int i) const;

  // The op's options; CheckOperands has made sure that they are there.
  template <class Params>
  const Params& params() const {
    return *static_cast<const Params*>(node_->builtin_data);
  }

  // Inputs from required_inputs to max_inputs, of which the required ones are present, and exactly
  // `outputs` outputs.
  Status CheckOperands(int required_inputs, int max_inputs, int outputs) const;
  Status CheckParams() const;

  // Gives an output its shape. During Eval only outputs marked dynamic may change.
  Status SetShape(TfLiteTensor* tensor, const Shape& shape) const;

  int threads() const { return context_->recommended_num_threads; }
  TfLiteContext* context() const { return context_; }
  TfLiteNode* node() const { return node_; }

 private:
  TfLiteContext* context_;
  TfLiteNode* node_;
};

// An op: made once per node, prepared whenever shapes change, evaluated at each Invoke.
class Op {
 public:
  explicit Op(OpForm form) : form_(form) {}
  virtual ~Op() = default;
  virtual const char* name() const = 0;
  // Checks types, shapes and options and sets the output shapes.
  virtual Status Prepare(const OpCall& call) = 0;
  virtual Status Eval(const OpCall& call) = 0;
  // Elements that an input may have. Most ops count in numbers that hold products of two.
  virtual int64_t MaxInputElements() const { return kMaxElements; }
  // Whether the outputs follow from what Prepare sees. They are then computed once, right after
  // Prepare, and are constants for the ops that read them.
  virtual bool IsFolded(const OpCall&) const { return false; }
  // Whether Eval may take subnormal numbers for zero, as the runtime asks of the processor. Not
  // where the op compares numbers, chooses among them or rounds them (docs/numbers.md).
  virtual bool flushes_subnormals() const { return true; }
  // Makes of constant operands what Eval would make of them at its first call. Called after
  // Prepare when the graph is about to run as it is; what fails is left to Eval.
  virtual void Pack(const OpCall&) {}

 protected:
  bool fast() const { return form_ == OpForm::kOptimized; }
  // The interpreter's worker threads; null means the calling thread only.
  ThreadPool* Pool(const OpCall& call);

 private:
  OpForm form_;
  std::shared_ptr<ThreadPool> pool_;
  int requested_threads_ = 0;
};

namespace internal {
void FreeOp(TfLiteContext* context, void* op);
TfLiteStatus PrepareOp(TfLiteContext* context, TfLiteNode* node);
TfLiteStatus EvalOp(TfLiteContext* context, TfLiteNode* node);

template <class T, OpForm form>
void* MakeOp(TfLiteContext*, const char*, size_t) {
  return static_cast<Op*>(new T(form));
}
}  // namespace internal

template <class T>
TfLiteRegistration MakeRegistration(OpForm form) {
  TfLiteRegistration registration{};
  registration.init = form == OpForm::kReference ? &internal::MakeOp<T, OpForm::kReference>
                                                 : &internal::MakeOp<T, OpForm::kOptimized>;
  registration.free = &internal::FreeOp;
  registration.prepare = &internal::PrepareOp;
  registration.invoke = &internal::EvalOp;
  return registration;
}

// ---- tensors

inline int Rank(const TfLiteTensor* t) { return t->dims == nullptr ? 0 : t->dims->size; }
inline int64_t Dim(const TfLiteTensor* t, int i) { return t->dims->data[i]; }
// INT64_MAX where there are more.
int64_t Elements(const TfLiteTensor* t);

// Bytes of one element; 0 for types whose elements are not whole bytes (strings, 4-bit integers).
int64_t ElementBytes(TfLiteType type);
// Bits of one element, also of types with several in a byte (4 or 2 bits); 0 for strings.
int64_t ElementBits(TfLiteType type);
const char* TypeText(TfLiteType type);

template <class T>
const T* Data(const TfLiteTensor* t) {
  return static_cast<const T*>(static_cast<const void*>(t->data.raw_const));
}
template <class T>
T* MutableData(TfLiteTensor* t) {
  return static_cast<T*>(static_cast<void*>(t->data.raw));
}

// Values known at Prepare: constants of the model and what an op has computed once and for all.
inline bool IsConstant(const TfLiteTensor* t) {
  return t->allocation_type == kTfLiteMmapRo || t->allocation_type == kTfLitePersistentRo;
}
inline bool IsDynamic(const TfLiteTensor* t) { return t->allocation_type == kTfLiteDynamic; }
// Every operand that is there is a constant.
bool AllConstant(const OpCall& call);
// Whether what was made of constant operands may outlive a Prepare. Not where an op has computed
// one after its Prepare: the next one, after a resize, may leave other values at the same address.
// And not where a delegate may take the node (abi/prepare_scope.h).
bool KeepsPacked(const OpCall& call);
// The output's shape becomes known in Eval only.
void MakeDynamic(TfLiteTensor* t);
// Whether output i of the node is one of its graph.
bool IsGraphOutput(const OpCall& call, int i);

// Errors of the usual kinds; `what` names the operand, e.g. "input".
Status CheckType(const TfLiteTensor* t, TfLiteType type, const char* what);
Status CheckRank(const TfLiteTensor* t, int rank, const char* what);
// A tensor with elements but without memory (or with too little) must never be read. Packed
// elements count with their bits; strings only need memory.
Status CheckData(const TfLiteTensor* t, const char* what);

// Types that lie in memory as whole bytes, or strings: what ops that only move elements take.
Status CheckMovable(const TfLiteTensor* t, const char* what);
Status CheckSameType(const TfLiteTensor* a, const TfLiteTensor* b, const char* a_and_b);

// Reads an index operand (8 to 64 bit signed integers) of any shape.
StatusOr<Shape> ReadIntegers(const TfLiteTensor* t, const char* what);
// Reads an operand of one integer.
StatusOr<int64_t> ReadInteger(const TfLiteTensor* t, const char* what);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_OP_KIT_H_
