// SPDX-License-Identifier: Apache-2.0
// Structures are taken apart as a whole: a new member does not compile before it is written here.
#include "gpu/plan/plan_bytes.h"

#include <string>
#include <variant>

#include "base/byte_stream.h"
#include "base/hash.h"
#include "gpu/desc/kernel_text.h"

namespace tern::gpu {
namespace {

class PlanWriter {
 public:
  std::vector<uint8_t> Write(const Plan& plan) {
    const auto& [storage, tuning, tensors, dispatches, inputs, outputs, views, watches, flags,
                 arenas, constants] = plan;
    Add(storage);
    Add(tuning);
    Each(tensors);
    Each(dispatches);
    Each(inputs);
    Each(outputs);
    Each(views);
    Each(watches);
    Add(flags);
    Each(arenas);
    Each(constants);
    return to_.Take();
  }

 private:
  template <typename... T>
  void Values(T... values) {
    (to_.Value(values), ...);
  }
  template <typename Items>
  void Each(const Items& items) {
    to_.List(items, [this](const auto& item) { this->Add(item); });
  }

  void Add(int value) { to_.Value(value); }
  void Add(int64_t value) { to_.Value(value); }
  void Add(float value) { to_.Value(value); }
  void Add(const std::string& text) { to_.Text(text); }

  void Add(const Storage& storage) {
    const auto& [weights, activations, floats, sums] = storage;
    Values(weights, activations, sums);
    Each(floats);
  }

  void Add(const NodeTuning& tuning) {
    const auto& [pixels, slices, line_pixels, line_slices, depthwise_pixels, group_items,
                 group_width, reduce_items, winograd] = tuning;
    Values(pixels, slices, line_pixels, line_slices, depthwise_pixels, group_items, group_width,
           reduce_items, winograd);
  }
  void Add(const TunedNodes::value_type& node) {
    Add(node.first);
    Add(node.second);
  }

  void Add(const Tuning& tuning) {
    const auto& [slice_width, lanes_from_memory, one_cursor, packed, texels, same_groups, common,
                 nodes] = tuning;
    Values(slice_width, lanes_from_memory, one_cursor, packed, texels, same_groups);
    Add(common);
    Each(nodes);
  }

  void Add(const Box& box) {
    const auto& [b, h, w, c] = box;
    Values(b, h, w, c);
  }

  void Add(const TensorDesc& desc) {
    const auto& [box, layout, element] = desc;
    Add(box);
    Values(layout, element);
  }

  void Add(const FilterPacking& filter) {
    const auto& [out_channels, group_in, group_out, taps, blocks, steps, lanes, slices, out_step,
                 tap_step, in_step, winograd] = filter;
    Values(out_channels, group_in, group_out, taps, blocks, steps, lanes, slices, out_step,
           tap_step, in_step, winograd);
  }

  void Add(const ConstantPart& part) {
    const auto& [slices, source, decoding, first, values, packing] = part;
    Values(slices, source, decoding, first);
    Each(values);
    to_.Value(static_cast<uint8_t>(packing.index()));
    std::visit([this](const auto& form) { this->Add(form); }, packing);
  }

  void Add(const PlanTensor& tensor) {
    const auto& [name, desc, role, bytes, buffer, offset, inside, io_conversion, io_bytes, high,
                 is_index, narrowed, scale, zero, parts] = tensor;
    Add(name);
    Add(desc);
    Values(role, bytes, buffer, offset, inside, io_conversion, io_bytes, high, is_index, narrowed,
           scale, zero);
    Each(parts);
  }

  void Add(const Define& define) {
    const auto& [name, value] = define;
    Add(name);
    Add(value);
  }

  void Add(const Uniform& uniform) {
    const auto& [name, is_float, i, f] = uniform;
    Add(name);
    Values(is_float, i, f);
  }

  void Add(const Binding& binding) {
    const auto& [name, tensor, access, box, role, elements, texels] = binding;
    Add(name);
    Values(tensor, access, role, elements, texels);
    Add(box);
  }

  void Add(const ConstantView& view) {
    const auto& [name, first, packed] = view;
    Add(name);
    Values(first, packed);
  }

  void Add(const LocalArray& array) {
    const auto& [name, length, slices, sums] = array;
    Add(name);
    Values(length, slices, sums);
  }

  void Add(const EpilogueOp& step) {
    const auto& [expression, a, b, c, ints, operand, swapped, from, to, choice, optional, lookup,
                 zeros_behind] = step;
    Add(expression);
    Each(ints);
    Values(a, b, c, operand.has_value(), operand.value_or(-1), swapped, from, to, choice, optional,
           lookup, zeros_behind);
  }

  void Add(const Watch& watch) {
    const auto& [dispatch, tensor] = watch;
    Values(dispatch, tensor);
  }

  void AddKernel(KernelId kernel) {
    const bool known = HasKernel(kernel);
    to_.Value(known);
    if (!known) return;
    to_.Text(KernelName(kernel));
    to_.Value(HashText(KernelText(kernel)));
  }

  void Add(const Dispatch& dispatch) {
    const auto& [label, node, fused, kernel, defines, uniforms, bindings, views, finish, sums,
                 half_sums, locals, epilogue, grid, group, loop_iterations] = dispatch;
    Add(label);
    Add(node);
    Each(fused);
    AddKernel(kernel);
    Each(defines);
    Each(uniforms);
    Each(bindings);
    Each(views);
    Values(finish, sums, half_sums);
    Each(locals);
    Each(epilogue);
    Values(grid[0], grid[1], grid[2], group[0], group[1], group[2], loop_iterations);
  }

  ByteWriter to_;
};

}  // namespace

std::vector<uint8_t> PlanBytes(const Plan& plan) { return PlanWriter().Write(plan); }

}  // namespace tern::gpu
