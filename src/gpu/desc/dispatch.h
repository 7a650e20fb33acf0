// SPDX-License-Identifier: Apache-2.0
// One kernel launch as data: the text, its compile-time and launch-time values, its tensors.
#ifndef TERN_GPU_DESC_DISPATCH_H_
#define TERN_GPU_DESC_DISPATCH_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/desc/device_info.h"
#include "gpu/desc/epilogue.h"
#include "gpu/desc/kernel_id.h"
#include "gpu/desc/tensor_desc.h"

namespace tern::gpu {

// Compile-time integer; visible to @repeat, $(...) and #if. Each set makes a program.
struct Define {
  std::string name;
  int value = 0;
};

// Launch-time number; programs are shared between dispatches that differ only in these.
struct Uniform {
  std::string name;
  bool is_float = false;
  int i = 0;
  float f = 0;
};

enum class Access { kRead, kWrite, kReadWrite };

// For what a kernel binds a tensor.
enum class BindingRole {
  kOperand,    // the kernel text calls it by its name
  kConstants,  // has the vector constants: a constant, or a temporary that earlier dispatches write
  kPacked,     // has weights that lie as in the model, in fewer bits
  kEpilogue,   // an op of the epilogue reads it
};

// A tensor that a kernel reads or writes. The box of an operand may differ from the tensor's own as
// long as both describe the same memory (a flattened view); of constants and weights it is empty.
struct Binding {
  std::string name;
  TensorId tensor = -1;
  Access access = Access::kRead;
  Box box = {};
  BindingRole role = BindingRole::kOperand;
  // The kernel reads or writes stored values less their zero point, not real values.
  bool elements = false;
  bool texels = false;  // a texel buffer, not a storage buffer (plan/texel_buffers.h)
};

inline Binding ConstantsIn(TensorId tensor) {
  return {.name = "constants", .tensor = tensor, .role = BindingRole::kConstants};
}
inline Binding PackedIn(TensorId tensor) {
  return {.name = "packed", .tensor = tensor, .role = BindingRole::kPacked};
}

// A vector constant under its kernel name: slices first .. first + count of the constants. Slice 0
// of these is all zeros, so that reads outside an image have an address. The view of packed weights
// gives bytes less their zero, and a view "scale" has the factors of sums of them.
struct ConstantView {
  std::string name;
  int first = 0;
  bool packed = false;  // slices of the packed weights instead
};

// Memory of a group, of reals or of slices of them.
struct LocalArray {
  std::string name;
  int length = 0;
  bool slices = false;
  bool sums = false;  // slices of totals of sums
};

// T_finish turns a sum of products into one of these.
enum class Finish {
  kReal,  // the bias is added, after the scale of packed weights
  // Sum and bias become an element less its zero point in the fixed point of the CPU, by the
  // functions of gpu/source/functions.h with the same names.
  kRequantize,
  kRequantizeOnce,
  kRequantizeFinely,
  kRequantizeLarge,
};

struct Dispatch {
  std::string label;               // "CONV_2D #17", for profiles and errors
  int node = -1;                   // of the model, that this comes from; -1: of none
  std::vector<std::string> fused;  // labels of further nodes that this does the work of
  KernelId kernel = KernelId::kCount;
  std::vector<Define> defines;
  std::vector<Uniform> uniforms;
  // All tensors that it touches, each a buffer. The epilogue belongs to the first one with write
  // access.
  std::vector<Binding> bindings;
  std::vector<ConstantView> views;
  Finish finish = Finish::kReal;
  Number sums = Number::kReal;  // what the dialect's acc is
  bool half_sums = false;       // acc is a half, and T_finish takes floats all the same
  std::vector<LocalArray> locals;
  Epilogue epilogue;       // operands are places in `bindings`
  Int3 grid = {1, 1, 1};   // work-items; rounded up to whole groups at launch, kernels check bounds
  Int3 group = {0, 0, 0};  // 0: chosen by plan/group_size
  // The maximum of one work-item, in all loops; 0 where the device does not count them.
  int64_t loop_iterations = 0;
};

// Binds the operand of an epilogue op under the next of the names op0, op1, ...; returns its place.
inline int BindEpilogueOperand(TensorId tensor, const Box& box, Dispatch& dispatch) {
  const auto count =
      std::count_if(dispatch.bindings.begin(), dispatch.bindings.end(),
                    [](const Binding& binding) { return binding.role == BindingRole::kEpilogue; });
  dispatch.bindings.push_back({.name = "op" + std::to_string(count),
                               .tensor = tensor,
                               .box = box,
                               .role = BindingRole::kEpilogue});
  return static_cast<int>(dispatch.bindings.size()) - 1;
}

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_DISPATCH_H_
