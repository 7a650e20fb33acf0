// SPDX-License-Identifier: Apache-2.0
// A device whose driver gives the texts of programs for their binaries, and counts what it is asked
// for: for tests of what is saved where no real driver is.
#ifndef TERN_DELEGATE_TESTING_TEXT_DRIVER_H_
#define TERN_DELEGATE_TESTING_TEXT_DRIVER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/device/device.h"
#include "gpu/testing/faulty_device.h"

namespace tern::delegate::testing {

class TextDriver : public gpu::FaultyDevice {
 public:
  // The version is in all binaries, and others are not taken.
  TextDriver(std::shared_ptr<gpu::Device> inner, uint32_t version)
      : FaultyDevice(std::move(inner)), version_(version) {}

  int loads() const { return loads_; }
  void GiveNoBinaries() { gives_ = false; }

  absl::StatusOr<std::shared_ptr<gpu::Pipeline>> Compile(
      const gpu::ProgramSource& source) override {
    return Make(source, FaultyDevice::Compile(source));
  }
  absl::StatusOr<std::shared_ptr<gpu::Pipeline>> Load(const gpu::ProgramSource& source,
                                                      const gpu::ProgramBinary& binary) override {
    if (!source.text.empty()) return Invalid("a text beside the binary");
    if (binary.format != version_) return Invalid("a binary of another version");
    ++loads_;
    gpu::ProgramSource with = source;
    with.text.assign(binary.bytes->begin(), binary.bytes->end());
    return Make(with, inner_->Compile(with));
  }
  absl::StatusOr<std::unique_ptr<gpu::Commands>> Record(
      const std::vector<gpu::Launch>& launches) override {
    std::vector<gpu::Launch> own = launches;
    for (gpu::Launch& launch : own) launch.pipeline = static_cast<Program&>(*launch.pipeline).inner;
    return inner_->Record(own);
  }

 private:
  struct Program : gpu::Pipeline {
    absl::StatusOr<gpu::ProgramBinary> Binary() const override {
      return gives ? absl::StatusOr<gpu::ProgramBinary>(binary) : gpu::Pipeline::Binary();
    }
    std::shared_ptr<gpu::Pipeline> inner;
    gpu::ProgramBinary binary;
    bool gives = true;
  };

  absl::StatusOr<std::shared_ptr<gpu::Pipeline>> Make(
      const gpu::ProgramSource& source, absl::StatusOr<std::shared_ptr<gpu::Pipeline>> inner) {
    auto program = std::make_shared<Program>();
    TERN_ASSIGN_OR_RETURN(program->inner, std::move(inner));
    program->binary = {
        version_, 0,
        std::make_shared<std::vector<uint8_t>>(source.text.begin(), source.text.end())};
    program->gives = gives_;
    return program;
  }

  const uint32_t version_;
  bool gives_ = true;
  std::atomic<int> loads_ = 0;
};

}  // namespace tern::delegate::testing

#endif  // TERN_DELEGATE_TESTING_TEXT_DRIVER_H_
