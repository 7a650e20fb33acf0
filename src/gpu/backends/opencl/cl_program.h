// SPDX-License-Identifier: Apache-2.0
// The unit that the driver builds at once: the text of one program, or the merged texts of several.
// Drivers that are C compilers read their own long headers for each build, so that several programs
// in one build take little longer than one alone.
#ifndef TERN_GPU_BACKENDS_OPENCL_CL_PROGRAM_H_
#define TERN_GPU_BACKENDS_OPENCL_CL_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/backends/opencl/cl_context.h"
#include "gpu/device/device.h"

namespace tern::gpu {

// The entry point of a program: part 0 is one that was built alone, the others count from 1.
std::string ClEntryName(uint32_t part);

// One text with all of these in it, the entry point of the first called ClEntryName(1) and so on.
// Macros of one are unknown to the next, and functions have names of their own. A text that needs
// more than that makes the joint build fail.
std::string MergeClTexts(std::span<const ProgramSource> sources);

class ClProgram {
 public:
  // The error of a text that does not build carries the first lines of the driver's log.
  static absl::StatusOr<std::shared_ptr<ClProgram>> Build(const std::shared_ptr<ClContext>& context,
                                                          const std::string& text);
  static absl::StatusOr<std::shared_ptr<ClProgram>> Load(const std::shared_ptr<ClContext>& context,
                                                         const std::vector<uint8_t>& binary);

  // A kernel with arguments of its own.
  absl::StatusOr<ClHandle<cl_kernel>> CreateKernel(const std::string& entry) const;

  // Null: the driver gives no binary. While a caller holds the last result, it is the same one.
  absl::StatusOr<std::shared_ptr<const std::vector<uint8_t>>> Binary();

 private:
  explicit ClProgram(std::shared_ptr<ClContext> context) : context_(std::move(context)) {}
  absl::Status Finish(cl_program program);

  const std::shared_ptr<ClContext> context_;
  ClHandle<cl_program> program_;
  std::mutex mutex_;
  std::weak_ptr<const std::vector<uint8_t>> given_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_CL_PROGRAM_H_
