// SPDX-License-Identifier: Apache-2.0
// From plan to recorded commands: memory, sources, programs, launches.
#include "gpu/device/executor.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <utility>

#include "base/half.h"
#include "base/status.h"
#include "gpu/source/write_source.h"

namespace tern::gpu {
namespace {

absl::Status CheckBytes(std::string_view what, int64_t given, int64_t wanted) {
  if (given == wanted) return absl::OkStatus();
  return Invalid(what, " has ", given, " bytes, the plan has ", wanted);
}

// Row-major tensors at the edge have no padding; that is the size the user sees.
int64_t EdgeBytes(const PlanTensor& tensor) {
  return tensor.desc.box.elements() * BytesOf(tensor.desc.element);
}

struct Prepared {
  Source source;
  std::shared_ptr<Pipeline> pipeline;
  absl::Status status;
};

// Builds the programs of all dispatches; distinct texts at the same time.
absl::Status BuildAll(std::vector<Prepared>& prepared, ProgramCache& programs) {
  std::vector<Prepared*> distinct;
  std::set<std::string_view> seen;
  for (Prepared& p : prepared) {
    if (seen.insert(p.source.text).second) distinct.push_back(&p);
  }
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < distinct.size(); i = next++) {
      Prepared& p = *distinct[i];
      auto pipeline = programs.Get({p.source.text, p.source.signature, p.source.has_barrier});
      p.status = pipeline.status();
    }
  };
  const size_t helpers =
      std::min<size_t>(distinct.size(), std::max(1u, std::thread::hardware_concurrency())) -
      (distinct.empty() ? 0 : 1);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < helpers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  for (Prepared& p : prepared) {
    TERN_RETURN_IF_ERROR(p.status);
    TERN_ASSIGN_OR_RETURN(p.pipeline,
                          programs.Get({p.source.text, p.source.signature, p.source.has_barrier}));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Executor>> Executor::Create(Plan plan,
                                                           std::shared_ptr<Device> device,
                                                           ProgramCache& programs) {
  std::unique_ptr<Executor> executor(new Executor(std::move(plan), std::move(device)));
  // Programs first: they are what most often fails, and a failure then holds no device memory.
  TERN_RETURN_IF_ERROR(executor->Prepare(programs));
  return executor;
}

absl::Status Executor::Prepare(ProgramCache& programs) {
  std::vector<Prepared> prepared(plan_.dispatches.size());
  std::set<std::string_view> texts;
  for (size_t d = 0; d < prepared.size(); ++d) {
    TERN_ASSIGN_OR_RETURN(prepared[d].source, WriteSource(plan_, plan_.dispatches[d],
                                                          device_->info(), device_->language()));
    texts.insert(prepared[d].source.text);
  }
  programs_ = static_cast<int>(texts.size());
  TERN_RETURN_IF_ERROR(BuildAll(prepared, programs));
  TERN_RETURN_IF_ERROR(Allocate());
  TERN_RETURN_IF_ERROR(UploadConstants());
  std::vector<Launch> launches;
  for (size_t d = 0; d < prepared.size(); ++d) {
    const Dispatch& dispatch = plan_.dispatches[d];
    Launch launch{dispatch.label, prepared[d].pipeline, {}, prepared[d].source.uniform_words,
                  dispatch.grid,  dispatch.group};
    for (TensorId id : prepared[d].source.buffers) launch.buffers.push_back(ranges_[id]);
    launches.push_back(std::move(launch));
  }
  TERN_ASSIGN_OR_RETURN(commands_, device_->Record(launches));
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Buffer>> Executor::CreateBuffer(int64_t bytes) {
  const int64_t limit = device_->info().max_buffer_bytes;
  if (bytes > limit) return TooLarge("a buffer of ", bytes, " bytes, the device allows ", limit);
  const int64_t size = std::max<int64_t>(bytes, 1);
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer, device_->CreateBuffer(size));
  bytes_ += size;
  return buffer;
}

absl::Status Executor::Allocate() {
  std::shared_ptr<Buffer> arena, constants;
  if (plan_.arena_bytes > 0) {
    TERN_ASSIGN_OR_RETURN(arena, CreateBuffer(plan_.arena_bytes));
  }
  if (plan_.constant_bytes > 0) {
    TERN_ASSIGN_OR_RETURN(constants, CreateBuffer(plan_.constant_bytes));
  }
  for (const PlanTensor& tensor : plan_.tensors) {
    const int64_t bytes = std::max<int64_t>(tensor.bytes, 1);
    if (tensor.role == Role::kTemp) {
      ranges_.push_back({arena, tensor.offset, bytes});
    } else if (tensor.role == Role::kConstant) {
      ranges_.push_back({constants, tensor.offset, bytes});
    } else {
      TERN_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> own, CreateBuffer(bytes));
      ranges_.push_back({std::move(own), 0, bytes});
    }
  }
  return absl::OkStatus();
}

absl::Status Executor::UploadConstants() {
  std::vector<uint16_t> halves;
  for (size_t i = 0; i < plan_.tensors.size(); ++i) {
    PlanTensor& tensor = plan_.tensors[i];
    if (tensor.role != Role::kConstant || tensor.values.empty()) continue;
    const void* data = tensor.values.data();
    if (tensor.desc.element == Element::kFloat16) {
      halves.resize(tensor.values.size());
      FloatToHalf(tensor.values, halves);
      data = halves.data();
    }
    TERN_RETURN_IF_ERROR(device_->Upload(ranges_[i], data, tensor.bytes));
    std::vector<float>().swap(tensor.values);
  }
  return absl::OkStatus();
}

absl::Status Executor::WriteInput(int i, const void* data, int64_t bytes) {
  const TensorId id = plan_.inputs[i];
  TERN_RETURN_IF_ERROR(CheckBytes("the input", bytes, EdgeBytes(plan_.tensors[id])));
  if (bytes == 0) return absl::OkStatus();
  return device_->Upload(ranges_[id], data, bytes);
}

absl::Status Executor::Run() {
  TERN_RETURN_IF_ERROR(device_->Submit(*commands_));
  return device_->Wait();
}

absl::Status Executor::ReadOutput(int i, void* data, int64_t bytes) {
  const TensorId id = plan_.outputs[i];
  TERN_RETURN_IF_ERROR(CheckBytes("the output", bytes, EdgeBytes(plan_.tensors[id])));
  if (bytes == 0) return absl::OkStatus();
  return device_->Download(ranges_[id], data, bytes);
}

}  // namespace tern::gpu
