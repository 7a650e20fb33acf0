// SPDX-License-Identifier: Apache-2.0
// The differences between the languages that kernels are printed in. Everything else (layouts,
// accessors, epilogues, @repeat) is printed once, in their common subset, by source/.
#ifndef TERN_GPU_SOURCE_LANGUAGE_H_
#define TERN_GPU_SOURCE_LANGUAGE_H_

#include <string>
#include <vector>

#include "gpu/desc/dispatch.h"
#include "gpu/desc/tensor_desc.h"

namespace tern::gpu {

// Memory of the kernel, in binding order: a storage buffer or a texel buffer. Either kind has
// bindings of its own, counted from 0.
struct BufferParam {
  std::string name;  // "src"; its memory is called src_data in the text
  Element element = Element::kFloat32;
  bool written = false;
  // Only single elements are read and written: the memory may end inside a slice.
  bool single = false;
  bool texels = false;  // a texel buffer, each texel a slice
};

// The properties that the entry point declares.
struct Signature {
  int slice_width = 4;
  bool fma = false;        // mad() may print as a fused multiply-add
  bool int_sums = false;   // acc is int; mad() takes ints, too
  bool half_sums = false;  // acc is half; mad() takes halves, too
  std::vector<BufferParam> buffers;
  std::vector<Uniform> uniforms;  // names and kinds; in the order in which their values are passed
  std::vector<LocalArray> locals;
  Int3 group = {1, 1, 1};
  bool uses_half = false;     // some buffer holds halves
  bool half_vectors = false;  // the device has a type for slices of them
};

// The dialect's word for what an array holds.
inline const char* TypeWord(const LocalArray& array) {
  const NumberWords& words = WordsOf(Number::kReal);
  return array.sums ? "total_slice" : array.slices ? words.slice : words.number;
}

// A parameter that a helper function needs because the language has no global names for it.
struct ContextParam {
  std::string type, name;
};

// A slice of row-major memory that may have fewer lanes than others: those from element `first` on,
// as many as `known`, or where that is 0 as the text's int `count` says (also more than there are).
struct SlicePart {
  Number number = Number::kReal;
  int slice_width = 4;
  int known = 0;
};

class Language {
 public:
  virtual ~Language() = default;

  // All words of docs/kernel_dialect.md except those of tensors, for this slice width: types,
  // conversions, lanes (lane(v, i) and set_lane(v, i, r) get i as a plain literal), math on reals,
  // slices and ints, choice, ids, BARRIER. W and the defines are printed by source/.
  virtual std::string Prelude(const Signature& signature) const = 0;
  // Declarations before the functions (GLSL: buffers, uniforms, shared arrays, group size; empty
  // elsewhere).
  virtual std::string Declarations(const Signature& signature) const = 0;
  // Replaces "KERNEL {": the entry point's head and opening brace, with buffers, uniforms and local
  // arrays reachable under their names in the body.
  virtual std::string EntryPoint(const Signature& signature) const = 0;

  // True when functions see buffers and uniforms by name (GLSL), so that accessors need no context.
  virtual bool has_global_names() const = 0;
  // The parameters by which an accessor function gets a buffer's memory, e.g. {"__global const
  // float*", "src_data"}.
  virtual std::vector<ContextParam> BufferContext(const BufferParam& buffer) const = 0;
  // Qualifier of helper functions: "static inline ".
  virtual std::string FunctionQualifier() const = 0;

  // Whether a comparison with NaN is false whatever the compiler: not where the language lets it
  // assume that all numbers are finite.
  virtual bool compares_nan() const { return false; }

  // Expressions over the memory of a buffer. `index` counts slices for *Slice, elements for *Real.
  virtual std::string LoadSlice(const BufferParam& buffer, const std::string& index,
                                int slice_width) const = 0;
  // Slice `index` after slice `first`. Languages with pointers add `first` to the pointer:
  // compilers then fold the literal part of an index into the address.
  virtual std::string LoadSliceAfter(const BufferParam& buffer, const std::string& first,
                                     const std::string& index, int slice_width) const {
    return LoadSlice(buffer, first + " + " + index, slice_width);
  }
  // A slice of halves as an acc_slice of halves.
  virtual std::string LoadSums(const BufferParam& buffer, const std::string& index,
                               int slice_width) const {
    return LoadSlice(buffer, index, slice_width);
  }
  virtual std::string LoadReal(const BufferParam& buffer, const std::string& index) const = 0;
  // Statements, with semicolon.
  virtual std::string StoreSlice(const BufferParam& buffer, const std::string& index,
                                 const std::string& value, int slice_width) const = 0;
  virtual std::string StoreReal(const BufferParam& buffer, const std::string& index,
                                const std::string& value) const = 0;

  // Statements of a function where `part` begins at the int `first`. Lanes that are not in memory
  // are returned as zeros.
  virtual std::string ReturnPart(const BufferParam& buffer, const SlicePart& part) const;
  virtual std::string StorePart(const BufferParam& buffer, const std::string& value,
                                const SlicePart& part) const;

  // Lane `i` (a literal) of a slice value, and a slice value from W lane texts.
  virtual std::string Lane(const std::string& slice, int i) const = 0;
  virtual std::string MakeSlice(const std::vector<std::string>& lanes, Number number) const = 0;

  // The type of a pointer NAME_data to the memory of a buffer, through which lanes can be read.
  // "": there is none.
  virtual std::string PointerType(const BufferParam& buffer) const = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_SOURCE_LANGUAGE_H_
