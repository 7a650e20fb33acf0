// SPDX-License-Identifier: Apache-2.0
// From plan to recorded commands: memory, sources, programs, launches.
#include "gpu/device/executor.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <string_view>
#include <thread>
#include <utility>

#include "base/half.h"
#include "base/hash.h"
#include "base/status.h"
#include "gpu/desc/kernel_text.h"
#include "gpu/source/write_source.h"

namespace tern::gpu {
namespace {

// The tensor behind number i of the inputs or outputs, when the caller's bytes are those of the
// tensor. It is row-major without padding, as the user sees it.
absl::StatusOr<TensorId> IoId(const Plan& plan, const std::vector<TensorId>& ids, const char* what,
                              int i, int64_t bytes) {
  if (i < 0 || i >= static_cast<int>(ids.size()))
    return Invalid("there is no ", what, " ", i, " (", ids.size(), " in all)");
  const int64_t wanted = plan.tensors[ids[i]].io_bytes;
  if (bytes != wanted)
    return Invalid(what, " ", i, " has ", bytes, " bytes, the plan has ", wanted);
  return ids[i];
}

// BOOL values as the device holds them.
std::vector<float> RealsOf(const void* data, int64_t bytes) {
  const auto* from = static_cast<const uint8_t*>(data);
  std::vector<float> reals(static_cast<size_t>(bytes));
  for (size_t i = 0; i < reals.size(); ++i) reals[i] = from[i] != 0 ? 1.0f : 0.0f;
  return reals;
}

// INT64 as the device holds it.
struct Words {
  explicit Words(int64_t bytes)
      : low(static_cast<size_t>(bytes) / sizeof(int64_t)), high(low.size()) {}
  void Split(const void* data) {
    for (size_t i = 0; i < low.size(); ++i) {
      uint64_t v = 0;
      std::memcpy(&v, static_cast<const char*>(data) + i * sizeof v, sizeof v);
      low[i] = static_cast<int32_t>(v);
      high[i] = static_cast<int32_t>(v >> 32);
    }
  }
  void Join(void* data) const {
    for (size_t i = 0; i < low.size(); ++i) {
      const uint64_t v =
          uint64_t{static_cast<uint32_t>(high[i])} << 32 | static_cast<uint32_t>(low[i]);
      std::memcpy(static_cast<char*>(data) + i * sizeof v, &v, sizeof v);
    }
  }
  absl::Status CheckIndices(const std::string& name) const {
    for (size_t i = 0; i < low.size(); ++i) {
      if (high[i] != (low[i] < 0 ? -1 : 0))
        return Invalid("tensor '", name, "' holds an index beyond 32 bits (element ", i, ")");
    }
    return absl::OkStatus();
  }
  std::vector<int32_t> low, high;
};

bool Overlap(const BufferRange& a, const BufferRange& b) {
  return a.buffer == b.buffer && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

bool HasWork(const Dispatch& dispatch) {
  return dispatch.grid[0] > 0 && dispatch.grid[1] > 0 && dispatch.grid[2] > 0;
}

constexpr size_t kBuildThreads = 4;

struct Program {
  ProgramSource source;
  std::shared_ptr<Pipeline> pipeline;
  absl::Status status;
};

struct Prepared {
  const Dispatch* dispatch = nullptr;
  Source source;
  size_t program = 0;  // in the list of distinct ones
};

// One program for each distinct text.
std::vector<Program> DistinctPrograms(std::vector<Prepared>& prepared) {
  std::vector<Program> programs;
  std::map<std::string_view, size_t> known;
  for (Prepared& p : prepared) {
    const auto [place, is_new] = known.emplace(p.source.text, programs.size());
    p.program = place->second;
    if (!is_new) continue;
    programs.push_back({{p.source.text, p.source.signature, p.source.has_barrier}, nullptr, {}});
  }
  return programs;
}

// Builds all of them, several at the same time.
void BuildAll(std::vector<Program>& distinct, ProgramCache& programs) {
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < distinct.size(); i = next++) {
      absl::StatusOr<std::shared_ptr<Pipeline>> built = programs.Get(distinct[i].source);
      distinct[i].status = built.status();
      if (built.ok()) distinct[i].pipeline = *std::move(built);
    }
  };
  const size_t workers =
      std::min({distinct.size(), kBuildThreads, size_t{std::thread::hardware_concurrency()}});
  std::vector<std::thread> threads;
  for (size_t i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

// The first failure; every one goes to `rejected`.
absl::Status CheckBuilt(const std::vector<Prepared>& prepared, const std::vector<Program>& distinct,
                        std::vector<RejectedDispatch>* rejected) {
  absl::Status first;
  for (const Prepared& p : prepared) {
    const absl::Status failure =
        WithPrefix(distinct[p.program].status, StrCat(KernelName(p.dispatch->kernel), ".kernel"));
    if (failure.ok()) continue;
    if (first.ok()) first = WithPrefix(failure, p.dispatch->label);
    if (rejected != nullptr) {
      rejected->push_back({p.dispatch->node, std::string(Message(failure))});
    }
  }
  return first;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Executor>> Executor::Create(Plan plan,
                                                           std::shared_ptr<Device> device,
                                                           ProgramCache& programs, IoMemory given,
                                                           std::vector<RejectedDispatch>* rejected,
                                                           std::shared_ptr<BufferStore> store) {
  std::unique_ptr<Executor> executor(
      new Executor(std::move(plan), std::move(device), std::move(given), std::move(store)));
  // Programs first: they are what most often fails, and a failure then holds no device memory.
  TERN_RETURN_IF_ERROR(executor->Prepare(programs, rejected));
  return executor;
}

Executor::~Executor() {
  if (store_ == nullptr) return;
  commands_.reset();  // they use the buffers
  for (Owned& own : owned_) {
    store_->Put(device_, std::move(own.buffer), own.bytes, own.content);
  }
}

absl::Status Executor::Prepare(ProgramCache& programs, std::vector<RejectedDispatch>* rejected) {
  std::vector<Prepared> prepared;
  prepared.reserve(plan_.dispatches.size());
  for (const Dispatch& dispatch : plan_.dispatches) {
    if (!HasWork(dispatch)) continue;
    TERN_ASSIGN_OR_RETURN(Source source,
                          WriteSource(plan_, dispatch, device_->info(), device_->language()));
    prepared.push_back({&dispatch, std::move(source)});
  }
  std::vector<Program> distinct = DistinctPrograms(prepared);
  BuildAll(distinct, programs);
  TERN_RETURN_IF_ERROR(CheckBuilt(prepared, distinct, rejected));
  for (Program& program : distinct) programs_.push_back(std::move(program.pipeline));
  TERN_RETURN_IF_ERROR(Allocate());
  TERN_RETURN_IF_ERROR(UploadConstants());
  std::vector<Launch> launches;
  for (const Prepared& p : prepared) {
    Launch launch{p.dispatch->label,      programs_[p.program], {},
                  p.source.uniform_words, p.dispatch->grid,     p.dispatch->group};
    for (TensorId id : p.source.buffers) launch.buffers.push_back(ranges_[id]);
    launches.push_back(std::move(launch));
  }
  TERN_ASSIGN_OR_RETURN(commands_, device_->Record(launches));
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Buffer>> Executor::CreateBuffer(int64_t bytes) {
  const int64_t limit = device_->info().max_buffer_bytes;
  if (bytes > limit) return TooLarge("a buffer of ", bytes, " bytes, the device allows ", limit);
  if (store_ == nullptr) {
    TERN_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer, device_->CreateBuffer(bytes));
    bytes_ += bytes;
    return buffer;
  }
  std::shared_ptr<Buffer> buffer = store_->Take(*device_, bytes);
  if (buffer == nullptr) {
    absl::StatusOr<std::shared_ptr<Buffer>> made = device_->CreateBuffer(bytes);
    // What rests may be what is missing.
    if (!made.ok() && store_->Clear()) made = device_->CreateBuffer(bytes);
    if (!made.ok()) return made.status();
    buffer = *std::move(made);
  }
  owned_.push_back({buffer, bytes});
  bytes_ += bytes;
  return buffer;
}

uint64_t Executor::HashOfConstants() const {
  uint64_t hash = static_cast<uint64_t>(plan_.constant_bytes);
  for (const PlanTensor& tensor : plan_.tensors) {
    if (tensor.role != Role::kConstant) continue;
    hash = CombineHash(hash, static_cast<uint64_t>(tensor.offset));
    hash = CombineHash(hash, static_cast<uint64_t>(tensor.desc.element));
    hash = CombineHash(hash, HashBulk(tensor.values.data(), tensor.values.size() * sizeof(float)));
    hash = CombineHash(hash, HashBulk(tensor.ints.data(), tensor.ints.size() * sizeof(int32_t)));
  }
  return hash == 0 ? 1 : hash;
}

absl::StatusOr<std::shared_ptr<Buffer>> Executor::ConstantBuffer() {
  if (store_ == nullptr) return CreateBuffer(plan_.constant_bytes);
  content_ = HashOfConstants();
  std::shared_ptr<Buffer> buffer = store_->Take(*device_, plan_.constant_bytes, content_);
  if (buffer == nullptr) return CreateBuffer(plan_.constant_bytes);
  constants_lie_ = true;
  owned_.push_back({buffer, plan_.constant_bytes, content_});
  bytes_ += plan_.constant_bytes;
  return buffer;
}

// The user's memory by tensor, cut to the tensors' sizes.
absl::StatusOr<std::map<TensorId, BufferRange>> Executor::GivenRanges() const {
  std::map<TensorId, BufferRange> ranges;
  const auto add = [&](const std::vector<TensorId>& ids, const char* what, int i,
                       const BufferRange& range) -> absl::Status {
    if (i < 0 || i >= static_cast<int>(ids.size()))
      return Invalid("there is no ", what, " ", i, " (", ids.size(), " in all)");
    const int64_t bytes = plan_.tensors[ids[i]].bytes;
    if (range.buffer == nullptr || range.bytes < bytes)
      return Invalid(what, " ", i, " needs ", bytes, " bytes, its memory has ", range.bytes);
    const IoType io_type = plan_.tensors[ids[i]].io_type;
    if (io_type != IoType::kFloat32 && io_type != IoType::kInt32)
      return Unsupported(what, " ", i, ": memory of the user for another type than 32 bits");
    if (bytes == 0) return absl::OkStatus();
    if (!ranges.emplace(ids[i], BufferRange{range.buffer, range.offset, bytes}).second)
      return Invalid(what, " ", i, " has two memories");
    return absl::OkStatus();
  };
  for (const auto& [i, range] : given_.inputs)
    TERN_RETURN_IF_ERROR(add(plan_.inputs, "input", i, range));
  for (const auto& [i, range] : given_.outputs)
    TERN_RETURN_IF_ERROR(add(plan_.outputs, "output", i, range));
  for (const auto& [i, whole] : given_.outputs) {
    const auto mine = ranges.find(plan_.outputs[i]);
    if (mine == ranges.end()) continue;
    for (const auto& other : ranges) {
      if (other.first != mine->first && Overlap(other.second, mine->second))
        return Invalid("output ", i, " shares its memory with another input or output");
    }
  }
  return ranges;
}

absl::Status Executor::Allocate() {
  TERN_ASSIGN_OR_RETURN(const auto given, GivenRanges());
  std::shared_ptr<Buffer> arena, constants, nothing;
  if (plan_.arena_bytes > 0) {
    TERN_ASSIGN_OR_RETURN(arena, CreateBuffer(plan_.arena_bytes));
  }
  if (plan_.constant_bytes > 0) {
    TERN_ASSIGN_OR_RETURN(constants, ConstantBuffer());
  }
  for (size_t i = 0; i < plan_.tensors.size(); ++i) {
    const PlanTensor& tensor = plan_.tensors[i];
    if (const auto own = given.find(static_cast<TensorId>(i)); own != given.end()) {
      ranges_.push_back(own->second);
    } else if (tensor.bytes <= 0) {
      // Tensors without elements still need something to bind.
      if (nothing == nullptr) {
        TERN_ASSIGN_OR_RETURN(nothing, CreateBuffer(1));
      }
      ranges_.push_back({nothing, 0, 1});
    } else if (tensor.role == Role::kTemp) {
      ranges_.push_back({arena, tensor.offset, tensor.bytes});
    } else if (tensor.role == Role::kConstant) {
      ranges_.push_back({constants, tensor.offset, tensor.bytes});
    } else {
      TERN_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> own, CreateBuffer(tensor.bytes));
      ranges_.push_back({std::move(own), 0, tensor.bytes});
    }
  }
  return absl::OkStatus();
}

absl::Status Executor::UploadConstants() {
  std::vector<uint16_t> halves;
  const Buffer* buffer = nullptr;  // that has them now
  for (size_t i = 0; i < plan_.tensors.size(); ++i) {
    PlanTensor& tensor = plan_.tensors[i];
    const size_t count = tensor.values.size() + tensor.ints.size();  // one of them is empty
    if (tensor.role != Role::kConstant || count == 0) continue;
    const int64_t bytes = static_cast<int64_t>(count) * BytesOf(tensor.desc.element);
    if (bytes != tensor.bytes) {
      return Invalid("constant ", tensor.name, " has ", bytes, " bytes of values, the plan has ",
                     tensor.bytes);
    }
    const void* data = tensor.values.data();
    if (tensor.desc.element == Element::kInt32) data = tensor.ints.data();
    if (tensor.desc.element == Element::kFloat16) {
      halves.resize(tensor.values.size());
      FloatToHalf(tensor.values, halves);
      data = halves.data();
    }
    if (!constants_lie_) TERN_RETURN_IF_ERROR(device_->Upload(ranges_[i], data, bytes));
    buffer = ranges_[i].buffer.get();
    std::vector<float>().swap(tensor.values);
    std::vector<int32_t>().swap(tensor.ints);
  }
  for (Owned& own : owned_) {
    if (own.buffer.get() == buffer) own.content = content_;
  }
  return absl::OkStatus();
}

absl::Status Executor::Write(TensorId id, const void* data, int64_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  const PlanTensor& tensor = plan_.tensors[id];
  if (tensor.io_type == IoType::kBool) {
    const std::vector<float> reals = RealsOf(data, bytes);
    return device_->Upload(ranges_[id], reals.data(), tensor.bytes);
  }
  if (tensor.io_type == IoType::kInt64) {
    Words words(bytes);
    words.Split(data);
    if (tensor.is_index) TERN_RETURN_IF_ERROR(words.CheckIndices(tensor.name));
    TERN_RETURN_IF_ERROR(device_->Upload(ranges_[id], words.low.data(), tensor.bytes));
    return device_->Upload(ranges_[tensor.high], words.high.data(), tensor.bytes);
  }
  return device_->Upload(ranges_[id], data, bytes);
}

absl::Status Executor::Read(TensorId id, void* data, int64_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  const PlanTensor& tensor = plan_.tensors[id];
  if (tensor.io_type == IoType::kBool) {
    std::vector<float> reals(static_cast<size_t>(bytes));
    TERN_RETURN_IF_ERROR(device_->Download(ranges_[id], reals.data(), tensor.bytes));
    for (size_t i = 0; i < reals.size(); ++i) static_cast<uint8_t*>(data)[i] = reals[i] != 0.0f;
    return absl::OkStatus();
  }
  if (tensor.io_type == IoType::kInt64) {
    Words words(bytes);
    TERN_RETURN_IF_ERROR(device_->Download(ranges_[id], words.low.data(), tensor.bytes));
    TERN_RETURN_IF_ERROR(device_->Download(ranges_[tensor.high], words.high.data(), tensor.bytes));
    words.Join(data);
    return absl::OkStatus();
  }
  return device_->Download(ranges_[id], data, bytes);
}

absl::Status Executor::WriteInput(int i, const void* data, int64_t bytes) {
  TERN_ASSIGN_OR_RETURN(const TensorId id, IoId(plan_, plan_.inputs, "input", i, bytes));
  return Write(id, data, bytes);
}

absl::Status Executor::Run() {
  TERN_RETURN_IF_ERROR(device_->Submit(*commands_));
  return device_->Wait();
}

absl::Status Executor::ReadOutput(int i, void* data, int64_t bytes) {
  TERN_ASSIGN_OR_RETURN(const TensorId id, IoId(plan_, plan_.outputs, "output", i, bytes));
  return Read(id, data, bytes);
}

absl::Status Executor::ReadInput(int i, void* data, int64_t bytes) {
  TERN_ASSIGN_OR_RETURN(const TensorId id, IoId(plan_, plan_.inputs, "input", i, bytes));
  return Read(id, data, bytes);
}

absl::Status Executor::WriteOutput(int i, const void* data, int64_t bytes) {
  TERN_ASSIGN_OR_RETURN(const TensorId id, IoId(plan_, plan_.outputs, "output", i, bytes));
  return Write(id, data, bytes);
}

}  // namespace tern::gpu
