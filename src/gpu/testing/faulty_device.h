// SPDX-License-Identifier: Apache-2.0
// A device that passes everything on to another one, but fails or waits where a test wants it to.
#ifndef TERN_GPU_TESTING_FAULTY_DEVICE_H_
#define TERN_GPU_TESTING_FAULTY_DEVICE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class FaultyDevice : public Device {
 public:
  explicit FaultyDevice(std::shared_ptr<Device> inner)
      : inner_(std::move(inner)), info_(inner_->info()) {}

  // To be changed before the device is used.
  DeviceInfo& own_info() { return info_; }

  // The n-th call from now on fails, counted from 0 over all calls that may fail; -1: none.
  void FailCall(int n) {
    calls_ = 0;
    fail_at_ = n;
  }
  // Every call of this name fails.
  void FailAlways(std::string name) { failing_ = std::move(name); }
  // Programs whose text contains this are not built.
  void FailPrograms(std::string part) { failing_text_ = std::move(part); }
  // From now on nothing works.
  void Lose() { lost_ = true; }
  // Buffers that are still there.
  int live_buffers() const { return *live_buffers_; }
  // Called at each Submit.
  void OnSubmit(std::function<void()> hook) { on_submit_ = std::move(hook); }
  int calls() const { return calls_; }
  // Since the start: programs that were built, buffers that were made, bytes that were copied in.
  int compiles() const { return compiles_; }
  int made_buffers() const { return made_buffers_; }
  int64_t uploaded_bytes() const { return uploaded_bytes_; }
  // Copies between host and device; a test may set them back.
  std::atomic<int> uploads = 0, downloads = 0;

  const DeviceInfo& info() const override { return info_; }
  const Language& language() const override { return inner_->language(); }

  absl::StatusOr<std::shared_ptr<Buffer>> CreateBuffer(int64_t bytes) override {
    TERN_RETURN_IF_ERROR(Count("CreateBuffer"));
    TERN_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer, inner_->CreateBuffer(bytes));
    Buffer* const same = buffer.get();
    ++*live_buffers_;
    ++made_buffers_;
    return std::shared_ptr<Buffer>(same, [buffer, live = live_buffers_](Buffer*) mutable {
      buffer.reset();
      --*live;
    });
  }
  absl::Status Upload(const BufferRange& to, const void* from, int64_t bytes) override {
    TERN_RETURN_IF_ERROR(Count("Upload"));
    ++uploads;
    uploaded_bytes_ += bytes;
    return inner_->Upload(to, from, bytes);
  }
  absl::Status Download(const BufferRange& from, void* to, int64_t bytes) override {
    TERN_RETURN_IF_ERROR(Count("Download"));
    ++downloads;
    return inner_->Download(from, to, bytes);
  }
  absl::StatusOr<BufferRange> Import(const SharedBuffer& buffer) override {
    return inner_->Import(buffer);
  }
  absl::StatusOr<std::shared_ptr<Pipeline>> Compile(const ProgramSource& source) override {
    TERN_RETURN_IF_ERROR(Count("Compile"));
    if (!failing_text_.empty() && source.text.find(failing_text_) != std::string::npos) {
      return Unavailable("line 7: injected failure\nline 8: more of the log");
    }
    ++compiles_;
    return inner_->Compile(source);
  }
  absl::StatusOr<std::unique_ptr<Commands>> Record(const std::vector<Launch>& launches) override {
    TERN_RETURN_IF_ERROR(Count("Record"));
    return inner_->Record(launches);
  }
  absl::Status Submit(Commands& commands) override {
    TERN_RETURN_IF_ERROR(Count("Submit"));
    if (on_submit_) on_submit_();
    return inner_->Submit(commands);
  }
  absl::Status Wait() override {
    TERN_RETURN_IF_ERROR(Count("Wait"));
    return inner_->Wait();
  }
  bool lost() const override { return lost_; }

 protected:
  const std::shared_ptr<Device> inner_;

 private:
  absl::Status Count(const std::string& name) {
    if (lost_) return Unavailable("the device is lost");
    if (calls_++ == fail_at_ || name == failing_) return Unavailable(name, ": injected failure");
    return absl::OkStatus();
  }

  std::atomic<int> calls_ = 0;
  std::atomic<int> fail_at_ = -1;
  std::atomic<int> compiles_ = 0, made_buffers_ = 0;
  std::atomic<int64_t> uploaded_bytes_ = 0;
  std::atomic<bool> lost_ = false;
  DeviceInfo info_;
  std::string failing_, failing_text_;
  std::shared_ptr<std::atomic<int>> live_buffers_ = std::make_shared<std::atomic<int>>(0);
  std::function<void()> on_submit_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_TESTING_FAULTY_DEVICE_H_
