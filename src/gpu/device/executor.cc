// SPDX-License-Identifier: Apache-2.0
// From plan to recorded commands: memory, sources, programs, launches.
#include "gpu/device/executor.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "base/hash.h"
#include "base/status.h"
#include "gpu/desc/kernel_text.h"
#include "gpu/plan/guard.h"

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
struct SplitWords {
  explicit SplitWords(int64_t bytes)
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

// Null for a temporary that no dispatch touches: it has no place.
std::shared_ptr<Buffer> BufferOf(const PlanTensor& tensor,
                                 const std::vector<std::shared_ptr<Buffer>>& buffers) {
  const auto number = static_cast<size_t>(tensor.buffer);
  return number < buffers.size() ? buffers[number] : nullptr;
}

int CountNew(const std::vector<BuiltProgram>& made) {
  return static_cast<int>(
      std::count_if(made.begin(), made.end(), [](const BuiltProgram& one) { return one.is_new; }));
}

// The first failure; every one goes to `rejected`.
absl::Status CheckBuilt(const Plan& plan, const PreparedPlan& prepared,
                        const std::vector<BuiltProgram>& built,
                        std::vector<RejectedDispatch>* rejected) {
  absl::Status first;
  for (const PreparedLaunch& launch : prepared.launches) {
    const Dispatch& dispatch = plan.dispatches[launch.dispatch];
    const absl::Status failure = WithPrefix(built[launch.program].pipeline.status(),
                                            StrCat(KernelName(dispatch.kernel), ".kernel"));
    if (failure.ok()) continue;
    if (first.ok()) first = WithPrefix(failure, dispatch.label);
    if (rejected != nullptr) rejected->push_back({dispatch.node, std::string(Message(failure))});
  }
  return first;
}

// Of constants, by where their pieces lie.
class PieceHash {
 public:
  void Add(int64_t offset, std::span<const std::byte> piece) {
    hash_ = CombineHash(hash_, static_cast<uint64_t>(offset));
    hash_ = CombineHash(hash_, HashBulk(piece.data(), piece.size()));
  }
  // Never 0.
  uint64_t value() const { return hash_ == 0 ? 1 : hash_; }

 private:
  uint64_t hash_ = 1;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Executor>> Executor::Create(Plan plan, const FillConstant& fill,
                                                           std::shared_ptr<Device> device,
                                                           ProgramCache& programs,
                                                           ExecutorSetup setup) {
  std::unique_ptr<Executor> executor(new Executor(std::move(plan), std::move(device),
                                                  std::move(setup.given), std::move(setup.store)));
  TERN_RETURN_IF_ERROR(executor->Prepare(fill, programs, setup));
  return executor;
}

Executor::~Executor() {
  if (store_ == nullptr) return;
  commands_.reset();  // they use the buffers
  for (Owned& own : owned_) {
    store_->Put(device_, std::move(own.buffer), own.bytes, own.content);
  }
}

// Programs first: they are what most often fails, and a failure then holds no device memory.
absl::Status Executor::Prepare(const FillConstant& fill, ProgramCache& programs,
                               const ExecutorSetup& setup) {
  if (setup.saved != nullptr) {
    const PhaseTimer timer(setup.phases, Phase::kRestore);
    saved_error_ = LoadPrograms(programs, *setup.saved);
    from_saved_ = saved_error_.ok();
  }
  if (!from_saved_) TERN_RETURN_IF_ERROR(BuildPrograms(programs, setup));
  PhaseTimer timer(setup.phases, Phase::kUpload);
  TERN_RETURN_IF_ERROR(Allocate(fill));
  TERN_RETURN_IF_ERROR(UploadConstants(fill));
  timer.Next(Phase::kRecord);
  return Record();
}

absl::Status Executor::BuildPrograms(ProgramCache& programs, const ExecutorSetup& setup) {
  PhaseTimer timer(setup.phases, Phase::kPrint);
  TERN_ASSIGN_OR_RETURN(prepared_, PreparePlan(plan_, device_->info(), device_->language()));
  counts_.printed = static_cast<int>(prepared_.launches.size());
  timer.Next(Phase::kCompile);
  const std::vector<BuiltProgram> built = programs.GetAll(prepared_.programs);
  counts_.compiled = CountNew(built);
  TERN_RETURN_IF_ERROR(CheckBuilt(plan_, prepared_, built, setup.rejected));
  for (const BuiltProgram& one : built) programs_.push_back(*one.pipeline);
  for (PreparedProgram& program : prepared_.programs) program.source.text = std::string();
  return absl::OkStatus();
}

absl::Status Executor::LoadPrograms(ProgramCache& programs, const PreparedPlan& saved) {
  const std::vector<BuiltProgram> loaded = programs.LoadAll(saved.programs);
  counts_.loaded = CountNew(loaded);
  for (const BuiltProgram& one : loaded) TERN_RETURN_IF_ERROR(one.pipeline.status());
  for (const BuiltProgram& one : loaded) programs_.push_back(*one.pipeline);
  for (const PreparedProgram& program : saved.programs)
    prepared_.programs.push_back({program.text, program.source, {}});
  prepared_.launches = saved.launches;
  return absl::OkStatus();
}

absl::Status Executor::Record() {
  std::vector<Launch> launches;
  for (const PreparedLaunch& prepared : prepared_.launches) {
    const Dispatch& dispatch = plan_.dispatches[prepared.dispatch];
    Launch launch{
        dispatch.label, programs_[prepared.program], {}, prepared.uniform_words, dispatch.grid,
        dispatch.group};
    for (const TensorId id : prepared.buffers) launch.buffers.push_back(ranges_[id]);
    launches.push_back(std::move(launch));
  }
  TERN_ASSIGN_OR_RETURN(commands_, device_->Record(launches));
  return absl::OkStatus();
}

absl::StatusOr<PreparedPlan> Executor::WithBinaries() const {
  PreparedPlan prepared = prepared_;
  for (size_t i = 0; i < programs_.size(); ++i) {
    TERN_ASSIGN_OR_RETURN(prepared.programs[i].binary, programs_[i]->Binary());
  }
  return prepared;
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
    // The free buffers of the store may hold the memory that is missing.
    if (!made.ok() && store_->Clear()) made = device_->CreateBuffer(bytes);
    if (!made.ok()) return made.status();
    buffer = *std::move(made);
  }
  owned_.push_back({buffer, bytes});
  bytes_ += bytes;
  return buffer;
}

template <typename Use>
absl::Status Executor::EachPiece(const FillConstant& fill, size_t number, Use use) const {
  constexpr int64_t kPieceBytes = 256 << 10;
  std::vector<std::byte> piece;
  for (size_t i = 0; i < plan_.tensors.size(); ++i) {
    const PlanTensor& tensor = plan_.tensors[i];
    const bool lies_there =
        tensor.role == Role::kConstant && static_cast<size_t>(tensor.buffer) == number;
    if (!lies_there) continue;
    const int64_t slice_bytes = BytesOf(tensor.desc.element, plan_.tuning.slice_width);
    const int64_t most = kPieceBytes / slice_bytes, slices = tensor.bytes / slice_bytes;
    for (int64_t first = 0; first < slices; first += most) {
      piece.resize(static_cast<size_t>(std::min(most, slices - first) * slice_bytes));
      fill(tensor, first, piece);
      TERN_RETURN_IF_ERROR(use(i, first * slice_bytes, std::span<const std::byte>(piece)));
    }
  }
  return absl::OkStatus();
}

// Finds a buffer that already holds these constants, by the hash of all of them, or creates one.
absl::StatusOr<std::shared_ptr<Buffer>> Executor::ConstantBuffer(const FillConstant& fill,
                                                                 size_t number) {
  const int64_t bytes = plan_.constants[number];
  if (store_ == nullptr || !store_->HasContent(*device_, bytes)) return CreateBuffer(bytes);
  PieceHash hash;
  TERN_RETURN_IF_ERROR(EachPiece(fill, number, [&](size_t i, int64_t first, auto piece) {
    hash.Add(plan_.tensors[i].offset + first, piece);
    return absl::OkStatus();
  }));
  std::shared_ptr<Buffer> buffer = store_->Take(*device_, bytes, hash.value());
  if (buffer == nullptr) return CreateBuffer(bytes);
  uploaded_.insert(number);
  owned_.push_back({buffer, bytes, hash.value()});
  bytes_ += bytes;
  return buffer;
}

// The user's memory by tensor, cut to the tensors' sizes.
absl::StatusOr<std::map<TensorId, BufferRange>> Executor::GivenRanges(const IoMemory& given) const {
  std::map<TensorId, BufferRange> ranges;
  const auto add = [&](const std::vector<TensorId>& ids, const char* what, int i,
                       const BufferRange& range) -> absl::Status {
    if (i < 0 || i >= static_cast<int>(ids.size()))
      return Invalid("there is no ", what, " ", i, " (", ids.size(), " in all)");
    const PlanTensor& tensor = plan_.tensors[ids[i]];
    const int64_t bytes = tensor.bytes;
    if (range.buffer == nullptr || range.bytes < bytes)
      return Invalid(what, " ", i, " needs ", bytes, " bytes, its memory has ", range.bytes);
    if (tensor.carry != Carry::kAsIs || BitsOf(tensor.desc.element) != 32)
      return Unsupported(what, " ", i, ": memory of the user for another type than 32 bits");
    if (bytes == 0) return absl::OkStatus();
    if (!ranges.emplace(ids[i], BufferRange{range.buffer, range.offset, bytes}).second)
      return Invalid(what, " ", i, " has two memories");
    return absl::OkStatus();
  };
  for (const auto& [i, range] : given.inputs)
    TERN_RETURN_IF_ERROR(add(plan_.inputs, "input", i, range));
  for (const auto& [i, range] : given.outputs)
    TERN_RETURN_IF_ERROR(add(plan_.outputs, "output", i, range));
  for (const auto& [i, whole] : given.outputs) {
    const auto mine = ranges.find(plan_.outputs[i]);
    if (mine == ranges.end()) continue;
    for (const auto& other : ranges) {
      if (other.first != mine->first && Overlap(other.second, mine->second))
        return Invalid("output ", i, " shares its memory with another input or output");
    }
  }
  return ranges;
}

absl::Status Executor::Allocate(const FillConstant& fill) {
  TERN_ASSIGN_OR_RETURN(const auto given, GivenRanges(given_));
  std::vector<std::shared_ptr<Buffer>> arenas, constants;
  for (const int64_t bytes : plan_.arenas) {
    TERN_ASSIGN_OR_RETURN(arenas.emplace_back(), CreateBuffer(bytes));
  }
  for (size_t number = 0; number < plan_.constants.size(); ++number) {
    TERN_ASSIGN_OR_RETURN(constants.emplace_back(), ConstantBuffer(fill, number));
  }
  std::shared_ptr<Buffer> nothing;
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
      ranges_.push_back({BufferOf(tensor, arenas), tensor.offset, tensor.bytes});
    } else if (tensor.role == Role::kConstant) {
      ranges_.push_back({BufferOf(tensor, constants), tensor.offset, tensor.bytes});
    } else {
      TERN_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> own, CreateBuffer(tensor.bytes));
      ranges_.push_back({std::move(own), 0, tensor.bytes});
    }
  }
  return absl::OkStatus();
}

absl::Status Executor::Give(IoMemory given) {
  const auto keeps = [](const auto& before, const auto& now) {
    return std::all_of(before.begin(), before.end(),
                       [&](const auto& one) { return now.count(one.first) != 0; });
  };
  if (!keeps(given_.inputs, given.inputs) || !keeps(given_.outputs, given.outputs))
    return Invalid("memory that was given is missing");
  TERN_ASSIGN_OR_RETURN(const auto ranges, GivenRanges(given));
  std::vector<BufferRange> before = ranges_;
  for (const auto& [id, range] : ranges) ranges_[id] = range;
  const absl::Status recorded = Record();
  if (recorded.ok()) {
    given_ = std::move(given);
  } else {
    ranges_ = std::move(before);
  }
  return recorded;
}

absl::Status Executor::UploadConstants(const FillConstant& fill) {
  for (size_t number = 0; number < plan_.constants.size(); ++number) {
    if (!uploaded_.insert(number).second) continue;
    PieceHash hash;
    const Buffer* buffer = nullptr;  // that has them now
    TERN_RETURN_IF_ERROR(EachPiece(fill, number, [&](size_t i, int64_t first, auto piece) {
      const BufferRange& range = ranges_[i];
      const auto bytes = static_cast<int64_t>(piece.size());
      buffer = range.buffer.get();
      hash.Add(plan_.tensors[i].offset + first, piece);
      return device_->Upload({range.buffer, range.offset + first, bytes}, piece.data(), bytes);
    }));
    for (Owned& own : owned_) {
      if (own.buffer.get() == buffer) own.content = hash.value();
    }
  }
  return absl::OkStatus();
}

absl::Status Executor::Write(TensorId id, const void* data, int64_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  const PlanTensor& tensor = plan_.tensors[id];
  if (tensor.carry == Carry::kTruths) {
    const std::vector<float> reals = RealsOf(data, bytes);
    return device_->Upload(ranges_[id], reals.data(), tensor.bytes);
  }
  if (tensor.carry == Carry::kWords) {
    SplitWords words(bytes);
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
  if (tensor.carry == Carry::kTruths) {
    std::vector<float> reals(static_cast<size_t>(bytes));
    TERN_RETURN_IF_ERROR(device_->Download(ranges_[id], reals.data(), tensor.bytes));
    for (size_t i = 0; i < reals.size(); ++i) static_cast<uint8_t*>(data)[i] = reals[i] != 0.0f;
    return absl::OkStatus();
  }
  if (tensor.carry == Carry::kWords) {
    SplitWords words(bytes);
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

absl::Status Executor::SubmitTimed(std::vector<LaunchSpan>& spans) {
  const absl::StatusOr<std::vector<LaunchTime>> times = device_->RunTimed(*commands_);
  if (absl::IsUnimplemented(times.status())) return device_->Submit(*commands_);
  TERN_RETURN_IF_ERROR(times.status());
  if (times->empty()) return absl::OkStatus();
  const int64_t zero = NowNanos() - (times->back().start_nanos + times->back().nanos);
  for (size_t i = 0; i < times->size(); ++i) {
    const Dispatch& dispatch = plan_.dispatches[prepared_.launches[i].dispatch];
    spans.push_back({dispatch.label, zero + (*times)[i].start_nanos, (*times)[i].nanos});
  }
  return absl::OkStatus();
}

absl::Status Executor::Run(RunTrace* trace, const RunHow& how) {
  if (plan_.flags >= 0) {
    const std::vector<std::byte> zeros(static_cast<size_t>(plan_.tensors[plan_.flags].bytes));
    TERN_RETURN_IF_ERROR(
        device_->Upload(ranges_[plan_.flags], zeros.data(), plan_.tensors[plan_.flags].bytes));
  }
  PhaseTimer timer(trace != nullptr ? &trace->phases : nullptr, Phase::kSubmit);
  if (how.into != 0) {
    TERN_RETURN_IF_ERROR(device_->SubmitInto(*commands_, how.into));
  } else {
    TERN_RETURN_IF_ERROR(trace != nullptr ? SubmitTimed(trace->launches)
                                          : device_->Submit(*commands_));
  }
  timer.Next(Phase::kWait);
  if (how.waits && how.into == 0) TERN_RETURN_IF_ERROR(device_->Wait());
  ++runs_;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int>> Executor::Overflows() {
  if (plan_.flags < 0) return std::vector<int>();
  const auto width = static_cast<size_t>(plan_.tuning.slice_width);
  std::vector<int32_t> lanes(plan_.watches.size() * width), flags;
  TERN_RETURN_IF_ERROR(
      device_->Download(ranges_[plan_.flags], lanes.data(), plan_.tensors[plan_.flags].bytes));
  for (size_t i = 0; i < lanes.size(); i += width) flags.push_back(lanes[i]);
  return FirstBad(plan_, flags);
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
