// SPDX-License-Identifier: Apache-2.0
// The interface by which an operation turns a node into dispatches. Lowering makes no device calls:
// the same code decides whether a node is supported (a dry run) and makes the real plan.
#ifndef TERN_GPU_LOWER_LOWERING_H_
#define TERN_GPU_LOWER_LOWERING_H_

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/desc/device_info.h"
#include "gpu/desc/dispatch.h"
#include "gpu/desc/plan_tensor.h"
#include "gpu/desc/precision.h"
#include "gpu/desc/reason.h"
#include "gpu/graph/graph.h"
#include "gpu/lower/constants.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {

// The result of lowering a graph.
struct Lowered {
  std::vector<PlanTensor> tensors;
  // Of each, the tensor of the graph that it stands for, or that most of it comes from; or -1.
  std::vector<TensorId> origins;
  ConstantSources sources;  // of their parts
  std::vector<Dispatch> dispatches;
  std::vector<TensorId> inputs, outputs;
};

// Tensors of INT8, UINT8 and INT16 only come in and go out, their bytes as they are in rows of
// ints: bytes of an element, and the box of the ints.
inline int NarrowBytes(TfLiteType type) { return FindType(type)->bytes; }
Box NarrowBox(const GraphTensor& tensor);

// A half of an INT64, 0 the low one.
inline int32_t Int64Half(int64_t v, int half) {
  return static_cast<int32_t>(static_cast<uint64_t>(v) >> (32 * half));
}

class DispatchBuilder;

class Lowering {
 public:
  Lowering(const Graph& graph, const DeviceInfo& device, const Tuning& tuning,
           const Storage& storage);

  // Begins a node: the calls that follow are for it.
  void Begin(const Node& node);

  const DeviceInfo& device() const { return device_; }
  const NodeTuning& tuning() const { return *node_tuning_; }  // of the node
  int slice_width() const { return tuning_.slice_width; }
  bool one_cursor() const { return tuning_.one_cursor; }
  // Whether the node's constants and temporaries are kept in floats.
  bool all_floats() const {
    return ConstantElement() == Element::kFloat32 && ActivationElement() == Element::kFloat32;
  }
  int Slices(int channels) const { return Box{1, 1, 1, channels}.slices(slice_width()); }

  // Operands of a node. Indices beyond the node's lists and omitted operands give false / an error.
  bool Has(const Node& node, int input) const;
  absl::StatusOr<const GraphTensor*> Input(const Node& node, int input) const;
  absl::StatusOr<const GraphTensor*> Output(const Node& node, int output) const;
  // A constant operand: whether it can be read as numbers, its first number, its INT32 or INT64
  // elements. An error when it is not constant.
  absl::Status CheckNumbers(const Node& node, int input) const;
  absl::StatusOr<float> FirstNumber(const Node& node, int input) const;
  absl::StatusOr<std::vector<int64_t>> Ints(const Node& node, int input) const;

  // «CONV_2D #17: what» as an Unimplemented status: the node stays on the CPU and this is the
  // reason. Most of what is refused are shapes.
  absl::Status Unsupported(const Node& node, std::string_view what,
                           const RefusalReason& refusal_reason = {}) const;
  // Refuses with the text and the reason of a status.
  absl::Status Unsupported(const Node& node, const absl::Status& why) const;

  // Output 0 and its fused operands may be viewed as (batch, 1, height * width, channels).
  bool CanFlatten(const Node& node) const;
  static Box Flat(const Box& box) { return {box.b, 1, box.h * box.w, box.c}; }

  const Graph& graph() const { return graph_; }

  // A tensor between two dispatches of one node.
  TensorId Temp(std::string name, const Box& box, Layout layout, Number number = Number::kReal);
  // Adds a temporary of floats whatever the storage, for values that must not be rounded to halves.
  TensorId FloatTemp(std::string name, const Box& box, Layout layout);

  // A constant operand as floats, whatever it is stored as.
  absl::StatusOr<TensorId> FloatsInMemory(const Node& node, int input);

  // The numbers of a constant of the graph, apart from what stands for it.
  absl::StatusOr<TensorId> CopyOfConstant(TensorId graph_id);

  const Box& TempBox(TensorId temp) const { return lowered_.tensors[temp].desc.box; }
  Number TempNumber(TensorId temp) const { return NumberOf(lowered_.tensors[temp].desc.element); }

  // Starts a dispatch; nothing happens before Emit().
  DispatchBuilder Dispatch(const Node& node, KernelId kernel);

  const std::vector<struct Dispatch>& dispatches() const { return lowered_.dispatches; }

  // Takes the result so far; TakeWithEdges adds the lists of the graph's inputs and outputs, which
  // then all have tensors.
  Lowered Take() { return std::move(lowered_); }
  absl::StatusOr<Lowered> TakeWithEdges();

 private:
  friend class DispatchBuilder;
  absl::StatusOr<const GraphTensor*> Constant(const Node& node, int input) const;
  absl::StatusOr<TensorId> PlanTensorOf(TensorId graph_id);
  absl::StatusOr<TensorId> PlanConstant(TensorId graph_id);
  absl::StatusOr<TensorId> PlanIo(TensorId graph_id);
  absl::StatusOr<TensorId> AddConstant(TensorId graph_id, Decoding decoding);
  absl::StatusOr<int> SourceOf(TensorId graph_id, Decoding decoding);
  // A vector of constants, or one that the node has already.
  TensorId AddVector(const std::string& label, PlanTensor constants);
  TensorId AddTemp(std::string name, const TensorDesc& desc);
  TensorId AddTensor(PlanTensor tensor, TensorId origin);
  // The tensor of the graph that has most slices of a constant.
  TensorId OriginOf(const PlanTensor& constant) const;
  Element ConstantElement() const;    // of the node's own constants
  Element ActivationElement() const;  // of its temporaries
  // Of runtime tensors.
  Element ElementOf(TensorId id, const TypeRow& type) const;

  const Graph& graph_;
  const DeviceInfo& device_;
  const Tuning& tuning_;
  const NodeTuning* node_tuning_;
  const Storage storage_;
  bool floats_ = false;           // the node is one of storage_.floats
  std::set<TensorId> float_ids_;  // what such nodes make, and constants that they read
  Lowered lowered_;
  std::map<TensorId, TensorId> plan_ids_;  // root graph tensor -> plan tensor
  std::map<TensorId, int> source_ids_;     // graph tensor -> number of its source
  std::vector<TensorId> source_tensors_;   // the other way
  // Vectors of constants by the label of the dispatch that had them first.
  std::map<std::string, std::vector<TensorId>> vectors_;
};

// Collects one dispatch; the first error is kept and returned by Emit.
class DispatchBuilder {
 public:
  DispatchBuilder(Lowering* lowering, const Node* node, KernelId kernel);

  DispatchBuilder& Kernel(KernelId kernel);  // instead of the first one
  DispatchBuilder& Define(std::string name, int value);
  DispatchBuilder& Int(std::string name, int64_t value);  // an error beyond int32
  DispatchBuilder& Float(std::string name, float value);
  // A runtime or constant operand of the node under a kernel name, as its own box or as a view of
  // equal memory. Of INT64 this is the half that the node computes. Where the node requantizes sums
  // of products of the operand's elements, it is read as these.
  DispatchBuilder& Read(std::string name, int input, std::optional<Box> view = std::nullopt);
  // Reads one half of INT64, whichever half the node computes.
  DispatchBuilder& ReadInt64Half(std::string name, int input, int half,
                                 std::optional<Box> view = std::nullopt);
  // Reads numbers that fit 32 bits: the low half of an INT64 operand.
  DispatchBuilder& ReadIndices(std::string name, int input, std::optional<Box> view = std::nullopt);
  DispatchBuilder& Write(std::string name, int output, std::optional<Box> view = std::nullopt);
  // The output is written in several parts: lanes that a part leaves alone are read first.
  DispatchBuilder& ReadWrite(std::string name, int output, std::optional<Box> view = std::nullopt);
  DispatchBuilder& ReadTemp(std::string name, TensorId temp,
                            std::optional<Box> view = std::nullopt);
  DispatchBuilder& WriteTemp(std::string name, TensorId temp,
                             std::optional<Box> view = std::nullopt);
  // Whether T_lane of a tensor that is bound so far takes any int, once LANE_LOOP is defined.
  // `with_zero`: after T_open_zero, whose zeros lie among the constants.
  bool LanesInMemory(std::string_view name, bool with_zero = false) const;
  // Vector constants that lie in `temp`, a vector whose slice 0 is zero, at the places of `views`;
  // dispatches emitted before write them. Instead of every Constant.
  DispatchBuilder& ConstantsIn(TensorId temp, std::vector<ConstantView> views);
  // Vector constants. One with the name of the constant before it follows that one's slices.
  // Dispatches of a node whose constants are the same have them once in memory.
  // Elements of an operand from `first` on, `count` of them in `slices` slices; no operand (-1)
  // gives zeros.
  DispatchBuilder& ConstantRow(std::string name, int64_t slices, int input, int64_t count,
                               Decoding decoding = Decoding::kReal, int64_t first = 0);
  // An operand, viewed as a box, in slices as in Layout::kSlices.
  DispatchBuilder& ConstantBox(std::string name, int input, const Box& box, Decoding decoding);
  // Elements of an operand from `first` on as a filter.
  DispatchBuilder& ConstantFilter(std::string name, int input, const FilterPacking& packing,
                                  Decoding decoding, int64_t first = 0);
  // Binds the filter of a kernel that adds its bias by the word _finish, so that the filter may be
  // packed; one per dispatch.
  DispatchBuilder& PackableFilter(std::string name, int input, const FilterPacking& packing,
                                  Decoding decoding, int64_t first = 0);
  // The kernel's word bias_finish makes elements of sums by the node's requantization; this binds
  // the bias, multipliers and range of the sums, for so many channels in so many slices.
  DispatchBuilder& Requantize(int64_t slices, int channels);
  // The dialect's acc is an int: sums of elements that are the results.
  DispatchBuilder& IntSums();
  // The dialect's acc may be a half, in a kernel whose sums have so many products.
  DispatchBuilder& HalfSums(int64_t products);
  // The same in a kernel that goes through so many source slices, and ends each sum after PARTS of
  // them where PARTS is not 0.
  DispatchBuilder& HalfParts(int64_t slices);
  // Binds weights [outputs, inputs] with scales by block of a row. Where they lie packed, SCALED is
  // 1 and `scales` has those of an output slice as [block of the packing][block of a row][slice];
  // else SCALED is 0, and the filter is numbers.
  DispatchBuilder& BlockFilter(std::string name, std::string scales, int input,
                               const FilterPacking& packing);
  // Numbers, in as many slices as they fill.
  DispatchBuilder& ConstantValues(std::string name, std::vector<float> values);
  // Slice 0 of the constants is zero, for reads outside an image; needed by T_open_zero without any
  // Constant.
  DispatchBuilder& ZeroSlice();
  DispatchBuilder& LocalNumbers(std::string name, int length);
  DispatchBuilder& LocalSlices(std::string name, int length);
  DispatchBuilder& LocalSums(std::string name, int length);  // slices of sums
  // Steps before those that passes fused to the node: own ones and the fused activation of its
  // parameters, which a node that requantizes has in the range of its elements.
  DispatchBuilder& Step(EpilogueOp step);
  // A step whose operand is a temporary instead of a tensor of the graph.
  DispatchBuilder& StepWithTemp(EpilogueOp step, TensorId temp);
  DispatchBuilder& AddInput(int input);  // v + operand, broadcast; for runtime biases
  DispatchBuilder& Activation(TfLiteFusedActivation activation);
  DispatchBuilder& Grid(int64_t x, int64_t y, int64_t z);
  DispatchBuilder& Group(int x, int y, int z);

  absl::Status Emit();

 private:
  DispatchBuilder& Bind(std::string name, absl::StatusOr<TensorId> tensor, Access access,
                        const Box& own, const std::optional<Box>& view);
  DispatchBuilder& BindOutput(std::string name, int output, Access access,
                              const std::optional<Box>& view);
  absl::Status AttachEpilogue();
  void WriteElements();
  bool SumsHalves() const;
  absl::Status PackConstants();
  void Fail(absl::Status status);

  DispatchBuilder& AddPart(std::string name, int input, ConstantPart part);
  // Takes the filter out of `constants_` where it can lie packed: the vector where it lies, or -1.
  TensorId PackFilter();
  // The scales of the filter that was taken out.
  ConstantPart ScalesOf(const FilterPacking& packing, int source) const;

  Lowering* lowering_;
  const Node* node_;
  struct Dispatch dispatch_;
  struct OwnStep {
    EpilogueOp step;
    TensorId temp = -1;  // operand when it is a temporary
  };
  std::vector<OwnStep> own_steps_;
  std::vector<std::string> constant_names_;
  std::vector<ConstantPart> constants_;
  // The filter among them that may lie packed in a tensor of its own.
  struct Filter {
    size_t part;
    TensorId id;  // in the graph
    PackedForm form;
  };
  std::optional<Filter> filter_;
  TensorId constants_in_ = -1;  // the vector of ConstantsIn
  std::string block_scales_;    // the name of its scales by block
  bool zero_slice_ = false;
  std::optional<int> parts_;  // of HalfParts, source slices of a sum of halves, or 0
  bool may_sum_halves_ = false;
  bool writes_output_ = false;  // output 0 of the node: the node's epilogue belongs here
  Box dst_box_, dst_own_box_;
  absl::Status status_;
};

// Returns the step that clamps values to [`min`, `max`]. The limits are uniforms, so that
// activations share programs.
EpilogueOp ClampStep(float min, float max);

// The step of a fused activation; nullopt for NONE. TANH and SIGN_BIT are left to the caller.
std::optional<EpilogueOp> ActivationStep(TfLiteFusedActivation activation);

}  // namespace tern::gpu

#endif  // TERN_GPU_LOWER_LOWERING_H_
