// SPDX-License-Identifier: Apache-2.0
// One kernel launch as data: which text, with which compile-time and launch-time values, on which
// tensors.
#ifndef TERN_GPU_DESC_DISPATCH_H_
#define TERN_GPU_DESC_DISPATCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/desc/device_info.h"
#include "gpu/desc/elementwise_chain.h"
#include "gpu/desc/kernel_id.h"
#include "gpu/desc/tensor_desc.h"

namespace tern::gpu {

// Compile-time integer; visible to @repeat, $(...) and #if. Every distinct set makes another
// program.
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

// A tensor under the name by which the kernel text calls it. The box may differ from the tensor's
// own as long as both describe the same memory (a flattened view).
struct Binding {
  std::string name;
  TensorId tensor = -1;
  Access access = Access::kRead;
  Box box;
  // Of a tensor that holds elements: the kernel reads or writes these, less their zero point, not
  // the numbers that they stand for.
  bool elements = false;
};

// A vector constant under its kernel name: slices first .. first + count of the dispatch's
// constants tensor. Slice 0 of that tensor is all zeros, so that reads outside an image have an
// address.
struct ConstantView {
  std::string name;
  int first = 0;
  bool packed = false;  // slices of Dispatch::packed instead
};

// Memory of a group, of reals or of slices of them.
struct LocalArray {
  std::string name;
  int length = 0;
  bool slices = false;
  bool sums = false;  // slices of sums
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
  std::vector<Binding>
      bindings;  // the first one with write access is the one that the chain belongs to
  // Tensor that holds all vector constants, -1 for none: a constant, or a temporary that earlier
  // dispatches write.
  TensorId constants = -1;
  // Tensor of weights that lie as in the model, in fewer bits; -1 for none. Its view gives bytes
  // less their zero, and a view "scale" what sums of them are multiplied by.
  TensorId packed = -1;
  std::vector<ConstantView> views;
  Finish finish = Finish::kReal;
  Number sums = Number::kReal;  // what the dialect's acc is
  std::vector<LocalArray> locals;
  ElementwiseChain chain;        // operands are tensors of the plan
  std::vector<Box> chain_boxes;  // box under which each step's operand is read (unused ones empty)
  Int3 grid = {1, 1, 1};   // work-items; rounded up to whole groups at launch, kernels check bounds
  Int3 group = {0, 0, 0};  // 0: chosen by plan/group_size
  // The most that one work-item goes through, in all loops; 0 where the device does not count them.
  int64_t loop_rounds = 0;
};

// Storage buffers that it binds.
inline int BufferCount(const Dispatch& dispatch) {
  int count = static_cast<int>(dispatch.bindings.size()) + (dispatch.constants >= 0 ? 1 : 0) +
              (dispatch.packed >= 0 ? 1 : 0);
  for (const ElementwiseStep& step : dispatch.chain) count += step.operand.has_value() ? 1 : 0;
  return count;
}

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_DISPATCH_H_
