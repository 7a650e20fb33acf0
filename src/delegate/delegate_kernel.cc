// SPDX-License-Identifier: Apache-2.0
// Copy in, run, copy out.
#include "delegate/delegate_kernel.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/status.h"

namespace tern::delegate {
namespace {

Phases* PhasesOf(gpu::RunTrace* trace) { return trace != nullptr ? &trace->phases : nullptr; }

}  // namespace

DelegateKernel::DelegateKernel(std::vector<int> inputs, std::vector<int> outputs,
                               std::unique_ptr<gpu::Executor> executor,
                               std::shared_ptr<gpu::RunLog> log,
                               std::optional<gpu::HalfGuard> guard,
                               std::shared_ptr<gpu::PlanCache> cache)
    : executor_(std::move(executor)),
      log_(std::move(log)),
      cache_(std::move(cache)),
      guard_(std::move(guard)),
      owner_(getpid()) {
  ReadIos(inputs, outputs);
}

void DelegateKernel::ReadIos(const std::vector<int>& inputs, const std::vector<int>& outputs) {
  const gpu::Plan& plan = executor_->plan();
  const auto read = [&](const std::vector<int>& tensors, bool is_output) {
    std::vector<IoTensor> ios;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const gpu::Io io = {is_output, static_cast<int>(i)};
      const gpu::TensorId id = (is_output ? plan.outputs : plan.inputs)[i];
      const auto bytes = static_cast<size_t>(plan.tensors[id].io_bytes);
      ios.push_back({tensors[i], io, bytes, executor_->given().count(io) != 0});
    }
    return ios;
  };
  inputs_ = read(inputs, false);
  outputs_ = read(outputs, true);
}

DelegateKernel::~DelegateKernel() {
  // The driver's threads do not exist in a forked child; releasing its objects there may hang.
  if (getpid() != owner_) (void)executor_.release();
}

absl::Status DelegateKernel::CheckIoTensor(const TfLiteContext& context, const IoTensor& io) {
  if (static_cast<size_t>(io.tensor) >= context.tensors_size) {
    return Invalid("tensor #", io.tensor, " does not exist");
  }
  const TfLiteTensor& tensor = context.tensors[io.tensor];
  // The application's memory holds floats, also of a quantized tensor.
  const size_t bytes = io.given ? tensor.bytes * FloatBytesOf(tensor.type) : tensor.bytes;
  if (bytes != io.bytes) {
    return Invalid("tensor '", tensor.name == nullptr ? "" : tensor.name, "' has ", bytes,
                   " bytes, ", io.bytes, " expected");
  }
  return absl::OkStatus();
}

absl::Status DelegateKernel::Prepare(const TfLiteContext& context) const {
  for (const IoTensor& io : inputs_) TERN_RETURN_IF_ERROR(CheckIoTensor(context, io));
  for (const IoTensor& io : outputs_) TERN_RETURN_IF_ERROR(CheckIoTensor(context, io));
  return absl::OkStatus();
}

const DelegateKernel::IoTensor* DelegateKernel::Find(int tensor) const {
  for (const std::vector<IoTensor>* ios : {&inputs_, &outputs_}) {
    for (const IoTensor& io : *ios) {
      if (io.tensor == tensor) return &io;
    }
  }
  return nullptr;
}

void DelegateKernel::AllowBinding(Rebind rebind, std::set<int> shared, BoundBuffers bound) {
  rebind_ = std::move(rebind);
  shared_ = std::move(shared);
  bound_ = std::move(bound);
}

absl::Status DelegateKernel::Bind(const TfLiteContext& context, int tensor,
                                  const BoundBuffer& buffer) {
  if (shared_.count(tensor) != 0)
    return Invalid("tensor #", tensor, " is written or read by nodes on the CPU");
  return Alone([&]() -> absl::Status {
    BoundBuffers bound = bound_;
    bound[tensor] = buffer;
    TERN_RETURN_IF_ERROR(CheckBound(context, bound, /*quantized=*/true));
    const std::vector<int> ins = inputs(), outs = outputs();
    if (context.tensors[tensor].type == kTfLiteFloat32) {
      TERN_RETURN_IF_ERROR(executor_->Give(MemoryOf(bound, ins, outs)));
    } else {
      // The part converts at its edge from now on, which is another plan.
      TERN_ASSIGN_OR_RETURN(executor_, rebind_(bound));
    }
    bound_ = std::move(bound);
    ReadIos(ins, outs);
    return absl::OkStatus();
  });
}

absl::Status DelegateKernel::RunOn(gpu::Executor& executor, const TfLiteContext& context,
                                   gpu::RunTrace* trace, const RunHow& how) const {
  PhaseTimer timer(PhasesOf(trace), Phase::kInputs);
  for (const IoTensor& input : inputs_) {
    if (input.given) continue;
    const void* data = context.tensors[input.tensor].data.raw;
    TERN_RETURN_IF_ERROR(executor.io().Write(input.io, data, static_cast<int64_t>(input.bytes)));
  }
  timer.End();
  TERN_RETURN_IF_ERROR(executor.Run(trace, how.into));
  if (cache_ == nullptr || executor.runs() != 1) return absl::OkStatus();
  // Only after a run a driver has all that it builds.
  if (how.waits && how.into == 0) TERN_RETURN_IF_ERROR(executor.Wait());
  cache_->Save(executor);
  return absl::OkStatus();
}

absl::Status DelegateKernel::Run(const TfLiteContext& context, gpu::RunTrace* trace,
                                 const RunHow& how) {
  TERN_RETURN_IF_ERROR(Prepare(context));
  const auto bound = static_cast<size_t>(
      std::count_if(outputs_.begin(), outputs_.end(), [](const IoTensor& io) { return io.given; }));
  if (how.into != 0 && bound < outputs_.size())
    return Invalid("External command encoder is used, but not all output buffers are bound.");
  for (const std::vector<IoTensor>* ios : {&inputs_, &outputs_}) {
    for (const IoTensor& io : *ios) {
      const TfLiteTensor& tensor = context.tensors[io.tensor];
      if (tensor.data.raw == nullptr && tensor.bytes != 0 && !io.given) {
        return Invalid("tensor '", tensor.name == nullptr ? "" : tensor.name, "' has no memory");
      }
    }
  }
  TERN_RETURN_IF_ERROR(RunOn(*executor_, context, trace, how));
  if (guard_) {
    TERN_RETURN_IF_ERROR(guard_->Settle(
        executor_, [&](gpu::Executor& executor) { return RunOn(executor, context, trace, how); }));
  }
  if (bound > 0 && how.waits && how.into == 0) TERN_RETURN_IF_ERROR(executor_->Wait());
  PhaseTimer timer(PhasesOf(trace), Phase::kOutputs);
  for (const IoTensor& output : outputs_) {
    TfLiteTensor& tensor = context.tensors[output.tensor];
    tensor.data_is_stale = output.given && tensor.buffer_handle != kTfLiteNullBufferHandle;
    if (output.given) continue;
    const auto bytes = static_cast<int64_t>(output.bytes);
    TERN_RETURN_IF_ERROR(executor_->io().Read(output.io, tensor.data.raw, bytes));
  }
  return absl::OkStatus();
}

absl::Status DelegateKernel::Alone(const std::function<absl::Status()>& task) {
  if (getpid() != owner_) {
    return Unavailable("the process was forked after the GPU was set up");
  }
  if (busy_.exchange(true, std::memory_order_acquire)) {
    return Invalid("another thread is running this interpreter");
  }
  absl::Status status = task();
  busy_.store(false, std::memory_order_release);
  return status;
}

absl::Status DelegateKernel::RunLogged(const TfLiteContext& context, const RunHow& how) {
  if (log_ == nullptr || (ran_ && !log_->trace())) return Run(context, nullptr, how);
  gpu::RunTrace trace;
  const Stopwatch watch;
  TERN_RETURN_IF_ERROR(Run(context, log_->trace() ? &trace : nullptr, how));
  if (!ran_) log_->AddFirstRun(watch.nanos());
  ran_ = true;
  log_->AddRun(trace);
  return absl::OkStatus();
}

absl::Status DelegateKernel::Invoke(const TfLiteContext& context, const RunHow& how) {
  return Alone([&] { return RunLogged(context, how); });
}

std::vector<int> DelegateKernel::TensorsOf(const std::vector<IoTensor>& ios) {
  std::vector<int> tensors;
  tensors.reserve(ios.size());
  for (const IoTensor& io : ios) tensors.push_back(io.tensor);
  return tensors;
}

absl::Status DelegateKernel::AtIo(int tensor, size_t bytes,
                                  const std::function<absl::Status(gpu::Io)>& task) {
  const IoTensor* const io = Find(tensor);
  if (io == nullptr) return Invalid("tensor #", tensor, " is not at the io of the part on the GPU");
  if (io->bytes == bytes) return Alone([&] { return task(io->io); });
  return Invalid("tensor #", tensor, " has ", bytes, " bytes, ", io->bytes, " expected");
}

absl::Status DelegateKernel::CopyOut(int tensor, void* to, size_t bytes) {
  if (to == nullptr && bytes != 0) return Invalid("tensor #", tensor, " has no memory");
  return AtIo(tensor, bytes, [&](gpu::Io io) {
    return executor_->io().Read(io, to, static_cast<int64_t>(bytes));
  });
}

absl::Status DelegateKernel::CopyIn(int tensor, const void* from, size_t bytes) {
  if (from == nullptr && bytes != 0) return Invalid("tensor #", tensor, " has no memory");
  return AtIo(tensor, bytes, [&](gpu::Io io) {
    return executor_->io().Write(io, from, static_cast<int64_t>(bytes));
  });
}

}  // namespace tern::delegate
