// SPDX-License-Identifier: Apache-2.0
// The tensor words of a kernel (T_read, T_write, ...) printed as functions. Functions, not macros:
// a macro would catch the caller's variable names. Where a language lets functions see no global
// names, each gets its memory and sizes as parameters and a forwarding macro supplies them.
#ifndef TERN_GPU_SOURCE_ACCESSORS_H_
#define TERN_GPU_SOURCE_ACCESSORS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gpu/desc/words.h"
#include "gpu/source/language.h"

namespace tern::gpu {

// The names under which the sizes of every tensor are passed, in this order.
inline constexpr const char* kSizeWords[] = {"width", "height", "slices", "batch", "channels"};

// The numbers with which a tensor of elements or nibbles is passed: a real value is (element -
// element_zero) * element_scale, and element_inverse is what it is multiplied by to be stored.
inline constexpr const char* kElementWords[] = {"element_scale", "element_zero", "element_inverse"};

// A tensor as the kernel text sees it.
struct TensorText {
  BufferParam buffer;
  TensorDesc desc;  // with the box of the binding
  bool readable = true;
  bool elements = false;  // Binding::elements
  bool as_sums = false;   // slices are read as acc_slice, which holds halves as well

  Number number() const { return NumberOf(desc.element); }
  const char* slice() const { return as_sums ? "acc_slice" : WordsOf(number()).slice; }
  const char* zeros() const { return as_sums ? "to_acc(splat(0.0))" : WordsOf(number()).zeros; }
};

// The text of NAME_finish(sum, i), which adds the bias to a sum or requantizes it. AddVector prints
// its vectors before.
struct FinishText {
  std::string function;  // that requantizes; empty: the bias is added
  Number sum = Number::kReal;
  bool scaled = false;        // the sum is multiplied by the vector "scale"
  bool has_rest = false;      // the bias is in two vectors
  bool has_fraction = false;  // multipliers have one
};

// The vectors and the ints by which a sum is requantized.
inline constexpr char kScale[] = "scale", kBiasRest[] = "bias_rest", kShift[] = "shift";
inline constexpr char kMultiplierHigh[] = "multiplier_high", kMultiplierLow[] = "multiplier_low";
inline constexpr char kFractionHigh[] = "fraction_high", kFractionLow[] = "fraction_low";
inline constexpr const char* kFinishVectors[] = {
    kScale, kBiasRest, kShift, kMultiplierHigh, kMultiplierLow, kFractionHigh, kFractionLow};
inline constexpr char kMinElement[] = "least_element", kMaxElement[] = "most_element";

// How the coordinates of a fused operand follow from the written ones.
struct OperandText {
  std::string name;
  bool same_x = true, same_y = true, same_b = true;  // otherwise 0
  bool splat_channel = false;                        // one channel for all lanes
  bool zeros_behind = false;                         // for slices that it does not have
  Number number = Number::kReal;
};

struct StepText {
  std::string expression;
  bool swapped = false;
  std::optional<OperandText> operand = {};
  Number from = Number::kReal, to = Number::kReal;
  // The numbers that the expression uses: type, word and uniform of each.
  struct NumberText {
    const char* type;
    std::string word, uniform;
  };
  std::vector<NumberText> numbers = {};
  std::string choice = {};  // a uniform, or empty; below zero it leaves out an optional step
  bool optional = false;
  bool lookup = false;  // its operand is a row of numbers for the word lookup
};

// How T_open and T_lane get one lane.
struct LanePolicy {
  bool from_memory = false;  // else from a slice
  int lanes = 0;             // value of the define LANES, 0 without one
  bool loop = false;  // LANE_LOOP is set: i may be any int, and names no lane past the last channel
  std::optional<BufferParam> constants;  // its slice 0 is zero
};

class Accessors {
 public:
  Accessors(const Language& language, int slice_width) : language_(language), width_(slice_width) {}

  // Prints the reading words of a tensor that occur in `used`. Words that the tensor cannot serve
  // are errors: reading what is only written, coordinates on a vector.
  absl::Status AddReads(const TensorText& tensor, const Words& used, const LanePolicy& lanes);
  // Prints NAME_read(i) for slices first_uniform, first_uniform + 1, ... of a buffer of constants,
  // or the words that read them by a cursor. Bytes are given less their zero, without a scale.
  // `as_sums`: halves are given as acc_slice.
  void AddVector(const std::string& name, const BufferParam& constants,
                 const std::string& first_uniform, bool by_cursor, bool as_sums);
  // Prints NAME_finish(sum, i), for a sum of the lanes of slice i.
  void AddFinish(const std::string& name, const FinishText& finish);
  // Prints NAME_write for values that the kernel gives as `given`. The steps' operands must have
  // been added before.
  void AddWrite(const TensorText& tensor, Number given, const std::vector<StepText>& steps);
  // Prints NAME_value, NAME_number, NAME_splat and NAME_zero, as far as used, for values of
  // `number`.
  void AddTypes(const std::string& name, Number number, const Words& used);

  const std::string& text() const { return text_; }
  // Buffers' memory, sizes and uniforms that the functions take.
  const Words& names() const { return names_; }

 private:
  using Params = std::vector<ContextParam>;

  // A function under construction: what it needs beside its parameters.
  class Context {
   public:
    void Add(const ContextParam& param);
    void Add(const Params& params);
    std::string Int(const std::string& name);
    std::string Real(const std::string& name);
    const Params& params() const { return params_; }

   private:
    Params params_;
  };

  void Print(const std::string& type, const std::string& name, const Context& context,
             const Params& params, const std::string& body);
  Context MemoryOf(const TensorText& tensor) const;
  std::string SliceIndex(const TensorText& tensor, Context& context) const;
  std::string FirstElement(const TensorText& tensor, Context& context) const;
  std::string Address(const TensorText& tensor, Context& context) const;
  bool Ragged(const TensorText& tensor) const { return tensor.desc.box.c % width_ != 0; }
  // The channels of a tensor that has less than one slice, whose lanes are spelled out; else 0.
  int Few(const TensorText& tensor) const {
    return tensor.desc.box.c < width_ ? tensor.desc.box.c : 0;
  }

  void Read(const TensorText& tensor);
  void ReadZero(const TensorText& tensor);
  void At(const TensorText& tensor);
  void Channel(const TensorText& tensor);
  void Lookup(const TensorText& tensor);
  void VectorWords(const TensorText& tensor, const Words& used);
  std::string Slice(const TensorText& tensor, const std::string& index, Context& context) const;
  std::string Single(const TensorText& tensor, const std::string& index, Context& context) const;
  std::string Stored(const TensorText& tensor, const std::string& value, Context& context) const;
  SlicePart PartOf(const TensorText& tensor) const;
  // Declares the ints `first` and `count` of a slice.
  std::string PartNames(const TensorText& tensor, const std::string& first, Context& context) const;
  // A cursor.
  struct Place {
    ContextParam param;
    std::string index;     // in the memory of `context`; "": it is a pointer
    bool counts_elements;  // instead of slices
    Context context;
  };
  Place AddCursor(const TensorText& tensor);
  std::string ReturnAt(const TensorText& tensor, const Place& place, const std::string& offset,
                       Context& context) const;
  void Cursor(const TensorText& tensor, const Words& used, const LanePolicy* lanes);
  // The type of what is added to a cursor.
  const char* DistanceType(const TensorText& tensor) const;
  void Step(const TensorText& tensor, const Place& place);
  void Near(const TensorText& tensor, const Words& used);
  std::string StepBody(const StepText& step, size_t i, Context& context) const;
  bool LanesFromMemory(const TensorText& tensor, const Words& used, const LanePolicy& lanes) const;
  void Lanes(const TensorText& tensor, const Words& used, const LanePolicy& lanes);
  void Offset(const TensorText& tensor);
  std::string Ints(const std::string& vector, Context& context) const;

  const Language& language_;
  int width_;
  std::string text_;
  Words names_;
  std::map<std::string, Params, std::less<>> contexts_;  // of the printed functions
};

}  // namespace tern::gpu

#endif  // TERN_GPU_SOURCE_ACCESSORS_H_
