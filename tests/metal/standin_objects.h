// SPDX-License-Identifier: Apache-2.0
// The objects of the stand-in and the rules that one of them can check alone.
#ifndef TERN_TESTS_METAL_STANDIN_OBJECTS_H_
#define TERN_TESTS_METAL_STANDIN_OBJECTS_H_

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gpu/device/device.h"
#include "metal/standin_runtime.h"

namespace tern::metal_standin {

struct String : Object {
  explicit String(std::string given) : Object("NSString"), text(std::move(given)) {}
  const std::string text;
};

struct Error : Object {
  Error(std::string given, Integer number)
      : Object("NSError"), text(std::move(given)), code(number) {}
  const std::string text;
  const Integer code;
};

struct ProcessInfo : Object {
  ProcessInfo() : Object("NSProcessInfo") {}
};

struct CompileOptions : Object {
  CompileOptions() : Object("MTLCompileOptions") {}
  bool fast_math = true;
};

struct Device : Object {
  Device();
  const std::shared_ptr<gpu::Device> host;
  const std::string name;
  const bool unified_memory;
};

// An object of a device holds it.
struct OfDevice : Object {
  OfDevice(const char* class_name, Device* owner) : Object(class_name), device(owner) {
    Retain(IdOf(owner));
  }
  void End() override { Release(IdOf(device)); }
  Device* const device;
};

struct Buffer : OfDevice {
  Buffer(Device* owner, std::shared_ptr<gpu::Buffer> made, UInteger bytes, UInteger mode)
      : OfDevice("MTLBuffer", owner), memory(std::move(made)), length(bytes), storage_mode(mode) {}
  void End() override {
    memory.reset();
    OfDevice::End();
  }
  std::shared_ptr<gpu::Buffer> memory;
  const UInteger length, storage_mode;
};

struct Library : OfDevice {
  using OfDevice::OfDevice;
  gpu::ProgramSource source;
  std::shared_ptr<gpu::Pipeline> program;
};

struct Function : OfDevice {
  Function(Device* owner, Library* of)
      : OfDevice("MTLFunction", owner), source(of->source), program(of->program) {}
  const gpu::ProgramSource source;
  const std::shared_ptr<gpu::Pipeline> program;
};

struct PipelineState : OfDevice {
  PipelineState(Device* owner, const Function& of)
      : OfDevice("MTLComputePipelineState", owner),
        signature(of.source.signature),
        program(of.program) {}
  const gpu::Signature signature;
  const std::shared_ptr<gpu::Pipeline> program;
};

struct Queue : OfDevice {
  explicit Queue(Device* owner) : OfDevice("MTLCommandQueue", owner) {}
};

// An event with its value, and the largest that command buffers signal, and committed ones.
struct Event : OfDevice {
  explicit Event(Device* owner) : OfDevice("MTLEvent", owner) {}
  std::atomic<UInteger> value{0}, encoded{0}, committed{0};
};

struct CommandBuffer : OfDevice {
  explicit CommandBuffer(Queue* owner) : OfDevice("MTLCommandBuffer", owner->device), queue(owner) {
    Retain(IdOf(owner));
  }
  void End() override;
  void Signal(Id event, UInteger value);
  void WaitFor(Id event, UInteger value);
  bool MayBegin() const;                  // all events that it waits for are signaled
  void CheckEncodable(const char* what);  // that an encoder may be asked for
  void Commit();
  void Run();  // on the thread of the GPU
  void Wait();
  int Status();

  Queue* const queue;
  std::vector<std::function<absl::Status()>> work;
  std::vector<Id> used;  // retained until the work is done
  bool encoding = false;
  Id error = nullptr;
  double start = 0.0, end = 0.0;

 private:
  Event* EventOf(Id event, const char* what);
  void Finish(int status);
  std::vector<std::pair<Event*, UInteger>> signals_, waits_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int status_ = gpu::metal::kNotEnqueued;
};

struct Encoder : OfDevice {
  Encoder(const char* class_name, CommandBuffer* to) : OfDevice(class_name, to->device), into(to) {
    Retain(IdOf(to));
    into->encoding = true;
  }
  void End() override;
  void CheckOpen(const char* what) const;
  void EndEncoding();
  CommandBuffer* const into;
  bool open = true;
};

struct ComputeEncoder : Encoder {
  explicit ComputeEncoder(CommandBuffer* to) : Encoder("MTLComputeCommandEncoder", to) {}
  void SetBuffer(Id buffer, UInteger offset, UInteger index);
  void SetBytes(const void* bytes, UInteger length, UInteger index);
  void Dispatch(MetalSize groups, MetalSize group);
  PipelineState* pipeline = nullptr;

 private:
  struct Bound {
    Buffer* buffer = nullptr;  // null: bytes
    UInteger offset = 0;
    std::vector<uint32_t> words;
  };
  std::map<UInteger, Bound> bound_;
};

struct BlitEncoder : Encoder {
  explicit BlitEncoder(CommandBuffer* to) : Encoder("MTLBlitCommandEncoder", to) {}
  void Copy(Id from, UInteger from_offset, Id to, UInteger to_offset, UInteger size);
};

}  // namespace tern::metal_standin

#endif  // TERN_TESTS_METAL_STANDIN_OBJECTS_H_
