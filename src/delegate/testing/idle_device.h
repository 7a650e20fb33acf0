// SPDX-License-Identifier: Apache-2.0
// A device that takes everything, and keeps and runs nothing: for tests without results.
#ifndef TERN_DELEGATE_TESTING_IDLE_DEVICE_H_
#define TERN_DELEGATE_TESTING_IDLE_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/backends/backend_list.h"
#include "gpu/device/device.h"

namespace tern::delegate::testing {

class IdleDevice : public gpu::Device {
 public:
  // Described as this device of the null backend.
  explicit IdleDevice(const std::string& name) : null_(gpu::OpenDevice("null:" + name)->device) {}

  const gpu::DeviceInfo& info() const override { return null_->info(); }
  const gpu::Language& language() const override { return null_->language(); }
  absl::StatusOr<std::shared_ptr<gpu::Buffer>> CreateBuffer(int64_t) override {
    return std::make_shared<gpu::Buffer>();
  }
  absl::Status Upload(const gpu::BufferRange&, const void*, int64_t) override {
    return absl::OkStatus();
  }
  absl::Status Download(const gpu::BufferRange&, void*, int64_t) override {
    return absl::OkStatus();
  }
  absl::StatusOr<std::shared_ptr<gpu::Pipeline>> Compile(const gpu::ProgramSource&) override {
    return std::make_shared<gpu::Pipeline>();
  }
  absl::StatusOr<std::unique_ptr<gpu::Commands>> Record(const std::vector<gpu::Launch>&) override {
    return std::make_unique<gpu::Commands>();
  }
  absl::Status Submit(gpu::Commands&) override { return absl::OkStatus(); }
  absl::Status Wait() override { return absl::OkStatus(); }

 private:
  const std::shared_ptr<gpu::Device> null_;
};

}  // namespace tern::delegate::testing

#endif  // TERN_DELEGATE_TESTING_IDLE_DEVICE_H_
