// SPDX-License-Identifier: Apache-2.0
// A device that passes everything on to another one, but fails or waits where a test wants it to.
#ifndef TERN_DELEGATE_TESTING_FAULTY_DEVICE_H_
#define TERN_DELEGATE_TESTING_FAULTY_DEVICE_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/device/device.h"

namespace tern::delegate::testing {

class FaultyDevice : public gpu::Device {
 public:
  explicit FaultyDevice(std::shared_ptr<gpu::Device> inner) : inner_(std::move(inner)) {}

  // The n-th call from now on fails, counted from 0 over all calls that may fail; -1: none.
  void FailCall(int n) {
    calls_ = 0;
    fail_at_ = n;
  }
  // Every call of this name fails.
  void FailAlways(std::string name) { failing_ = std::move(name); }
  // Called at each Submit.
  void OnSubmit(std::function<void()> hook) { on_submit_ = std::move(hook); }
  int calls() const { return calls_; }

  const gpu::DeviceInfo& info() const override { return inner_->info(); }
  const gpu::Language& language() const override { return inner_->language(); }

  absl::StatusOr<std::shared_ptr<gpu::Buffer>> CreateBuffer(int64_t bytes) override {
    TERN_RETURN_IF_ERROR(Count("CreateBuffer"));
    return inner_->CreateBuffer(bytes);
  }
  absl::Status Upload(const gpu::BufferRange& to, const void* from, int64_t bytes) override {
    TERN_RETURN_IF_ERROR(Count("Upload"));
    return inner_->Upload(to, from, bytes);
  }
  absl::Status Download(const gpu::BufferRange& from, void* to, int64_t bytes) override {
    TERN_RETURN_IF_ERROR(Count("Download"));
    return inner_->Download(from, to, bytes);
  }
  absl::StatusOr<std::shared_ptr<gpu::Pipeline>> Compile(
      const gpu::ProgramSource& source) override {
    TERN_RETURN_IF_ERROR(Count("Compile"));
    return inner_->Compile(source);
  }
  absl::StatusOr<std::unique_ptr<gpu::Commands>> Record(
      const std::vector<gpu::Launch>& launches) override {
    TERN_RETURN_IF_ERROR(Count("Record"));
    return inner_->Record(launches);
  }
  absl::Status Submit(gpu::Commands& commands) override {
    TERN_RETURN_IF_ERROR(Count("Submit"));
    if (on_submit_) on_submit_();
    return inner_->Submit(commands);
  }
  absl::Status Wait() override {
    TERN_RETURN_IF_ERROR(Count("Wait"));
    return inner_->Wait();
  }

 private:
  absl::Status Count(const std::string& name) {
    if (calls_++ == fail_at_ || name == failing_) return Unavailable(name, ": injected failure");
    return absl::OkStatus();
  }

  std::shared_ptr<gpu::Device> inner_;
  std::atomic<int> calls_ = 0;
  std::atomic<int> fail_at_ = -1;
  std::string failing_;
  std::function<void()> on_submit_;
};

}  // namespace tern::delegate::testing

#endif  // TERN_DELEGATE_TESTING_FAULTY_DEVICE_H_
