// SPDX-License-Identifier: Apache-2.0
// For tests: one dispatch, made by hand, run on a device. Tensors are given and read as row-major
// floats; layouts, halves and the zeros past the last channel are handled and checked here.
#ifndef TERN_GPU_BACKENDS_CONFORMANCE_KERNEL_BENCH_H_
#define TERN_GPU_BACKENDS_CONFORMANCE_KERNEL_BENCH_H_

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/tensor/half.h"
#include "gpu/desc/plan.h"
#include "gpu/device/device.h"
#include "gpu/source/write_source.h"

namespace tern::gpu::conformance {

class KernelBench {
 public:
  KernelBench(Device& device, int slice_width, bool lanes_from_memory = false) : device_(device) {
    plan_.tuning.slice_width = slice_width;
    plan_.tuning.lanes_from_memory = lanes_from_memory;
  }

  int width() const { return plan_.tuning.slice_width; }
  const Plan& plan() const { return plan_; }

  // Ints are given and read as floats here. Rows hold box.elements() numbers (kVector: box.w slices
  // of W); none: memory stays as it is.
  TensorId Add(const TensorDesc& desc, std::vector<float> rows = {}) {
    PlanTensor tensor;
    tensor.desc = desc;
    tensor.bytes = desc.Bytes(width());
    if (desc.element == Element::kByte) {  // -25 to 38.75
      tensor.scale = 0.25f;
      tensor.zero = 100;
    }
    plan_.tensors.push_back(tensor);
    rows_.push_back(std::move(rows));
    return static_cast<TensorId>(rows_.size()) - 1;
  }

  // Prints, compiles and runs. Failures are reported to the test with the text of the program.
  void Run(const Dispatch& dispatch) {
    absl::StatusOr<Source> source =
        WriteSource(plan_, dispatch, device_.info(), device_.language());
    ASSERT_TRUE(source.ok()) << source.status();
    auto pipeline = device_.Compile({source->text, source->signature, source->has_barrier});
    ASSERT_TRUE(pipeline.ok()) << pipeline.status() << "\n" << source->text;
    Launch launch{dispatch.label,        *pipeline,     {},
                  source->uniform_words, dispatch.grid, dispatch.group};
    ASSERT_NO_FATAL_FAILURE(Allocate());
    for (const TensorId id : source->buffers) launch.buffers.push_back(ranges_[id]);
    auto commands = device_.Record({launch});
    ASSERT_TRUE(commands.ok()) << commands.status();
    const absl::Status submitted = device_.Submit(**commands);
    ASSERT_TRUE(submitted.ok()) << submitted;
    ASSERT_TRUE(device_.Wait().ok());
  }

  // Returns the row-major elements of a tensor after Run.
  std::vector<float> Rows(TensorId id) {
    const TensorDesc& desc = plan_.tensors[id].desc;
    const std::vector<float> memory = Download(id);
    if (desc.layout != Layout::kSlices) return memory;
    std::vector<float> rows(desc.box.elements());
    ForEach(desc, [&](size_t in_memory, int64_t row) {
      if (row >= 0) {
        rows[row] = memory[in_memory];
      } else {
        EXPECT_EQ(memory[in_memory], 0.0f) << "a lane past the last channel";
      }
    });
    return rows;
  }

 private:
  // Calls visit(index in memory, row-major index or -1) for each lane of a sliced tensor.
  template <typename Visit>
  void ForEach(const TensorDesc& desc, Visit visit) const {
    const Box& box = desc.box;
    size_t at = 0;
    for (int b = 0; b < box.b; ++b) {
      for (int s = 0; s < box.slices(width()); ++s) {
        for (int y = 0; y < box.h; ++y) {
          for (int x = 0; x < box.w; ++x) {
            for (int lane = 0; lane < width(); ++lane, ++at) {
              const int c = s * width() + lane;
              const int64_t row = ((int64_t{b} * box.h + y) * box.w + x) * box.c + c;
              visit(at, c < box.c ? row : -1);
            }
          }
        }
      }
    }
  }

  void Allocate() {
    ranges_.clear();
    for (size_t id = 0; id < rows_.size(); ++id) {
      const PlanTensor& tensor = plan_.tensors[id];
      auto buffer = device_.CreateBuffer(tensor.bytes);
      ASSERT_TRUE(buffer.ok()) << buffer.status();
      ranges_.push_back({*buffer, 0, tensor.bytes});
      if (rows_[id].empty()) continue;
      std::vector<float> memory = rows_[id];
      if (tensor.desc.layout == Layout::kSlices) {
        memory.assign(tensor.bytes * 8 / BitsOf(tensor.desc.element), 0.0f);
        ForEach(tensor.desc, [&](size_t in_memory, int64_t row) {
          if (row >= 0) memory[in_memory] = rows_[id][row];
        });
      }
      const std::vector<uint8_t> bytes = AsElements(memory, tensor);
      ASSERT_EQ(tensor.bytes, bytes.size());
      ASSERT_TRUE(device_.Upload(ranges_.back(), bytes.data(), tensor.bytes).ok());
    }
  }

  static std::vector<uint8_t> AsElements(const std::vector<float>& numbers,
                                         const PlanTensor& tensor) {
    std::vector<uint8_t> bytes;
    const auto append = [&](const auto& element) {
      const auto* first = reinterpret_cast<const uint8_t*>(&element);
      bytes.insert(bytes.end(), first, first + sizeof(element));
    };
    switch (tensor.desc.element) {
      case Element::kFloat16: {
        std::vector<uint16_t> halves(numbers.size());
        FloatToHalf(numbers, halves);
        for (const uint16_t half : halves) append(half);
        break;
      }
      case Element::kInt32:
        for (const float v : numbers) append(static_cast<int32_t>(v));
        break;
      case Element::kByte:
        for (const float v : numbers)
          append(static_cast<uint8_t>(v / tensor.scale + static_cast<float>(tensor.zero)));
        break;
      default:
        for (const float v : numbers) append(v);
    }
    return bytes;
  }

  std::vector<float> Download(TensorId id) {
    const PlanTensor& tensor = plan_.tensors[id];
    std::vector<float> memory(tensor.bytes * 8 / BitsOf(tensor.desc.element));
    if (id >= static_cast<TensorId>(ranges_.size())) return memory;
    if (tensor.desc.element == Element::kFloat32) {
      EXPECT_TRUE(device_.Download(ranges_[id], memory.data(), tensor.bytes).ok());
      return memory;
    }
    if (tensor.desc.element == Element::kInt32) {
      std::vector<int32_t> ints(memory.size());
      EXPECT_TRUE(device_.Download(ranges_[id], ints.data(), tensor.bytes).ok());
      return {ints.begin(), ints.end()};
    }
    if (tensor.desc.element == Element::kByte) {
      std::vector<uint8_t> bytes(memory.size());
      EXPECT_TRUE(device_.Download(ranges_[id], bytes.data(), tensor.bytes).ok());
      for (size_t i = 0; i < bytes.size(); ++i)
        memory[i] = static_cast<float>(bytes[i] - tensor.zero) * tensor.scale;
      return memory;
    }
    std::vector<uint16_t> halves(memory.size());
    EXPECT_TRUE(device_.Download(ranges_[id], halves.data(), tensor.bytes).ok());
    HalfToFloat(halves, memory);
    return memory;
  }

  Device& device_;
  Plan plan_;
  std::vector<std::vector<float>> rows_;
  std::vector<BufferRange> ranges_;
};

}  // namespace tern::gpu::conformance

#endif  // TERN_GPU_BACKENDS_CONFORMANCE_KERNEL_BENCH_H_
