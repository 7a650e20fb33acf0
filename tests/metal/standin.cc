// SPDX-License-Identifier: Apache-2.0
// The methods, by class.
#include "metal/standin.h"

#include "base/status.h"
#include "gpu/backends/host/host_device.h"
#include "metal/standin_objects.h"
#include "metal/standin_text.h"

namespace tern::metal_standin {
namespace {

Id Fails(Id* error, const std::string& text) {
  if (error != nullptr) *error = Autorelease(new Error(text, 1));
  return nullptr;
}

void AddFoundation() {
  ClassMethod(
      "NSString", "stringWithUTF8String:", +[](Id, Sel, const char* text) {
        if (text == nullptr) Fail("a string of no text");
        return Autorelease(new String(text));
      });
  Method(
      "NSString", "UTF8String",
      +[](Id self, Sel) -> const char* { return As<String>(self)->text.c_str(); });
  Method(
      "NSError", "localizedDescription",
      +[](Id self, Sel) { return Autorelease(new String(As<Error>(self)->text)); });
  Method(
      "NSError", "code", +[](Id self, Sel) { return As<Error>(self)->code; });
  ClassMethod(
      "NSProcessInfo", "processInfo", +[](Id, Sel) { return Autorelease(new ProcessInfo); });
  Method(
      "NSProcessInfo", "operatingSystemVersionString",
      +[](Id, Sel) { return Autorelease(new String("stand-in 1")); });
}

void AddDevice() {
  Method(
      "MTLDevice", "name",
      +[](Id self, Sel) { return Autorelease(new String(As<Device>(self)->name)); });
  Method(
      "MTLDevice", "supportsFamily:", +[](Id, Sel, Integer family) {
        return TheSettings().families.count(family) != 0;
      });
  Method(
      "MTLDevice", "hasUnifiedMemory",
      +[](Id self, Sel) { return As<Device>(self)->unified_memory; });
  Method(
      "MTLDevice", "maxBufferLength", +[](Id self, Sel) {
        return static_cast<UInteger>(As<Device>(self)->host->info().max_buffer_bytes);
      });
  Method(
      "MTLDevice", "maxThreadgroupMemoryLength", +[](Id, Sel) { return UInteger{32 << 10}; });
  Method(
      "MTLDevice", "newCommandQueue",
      +[](Id self, Sel) { return IdOf(new Queue(As<Device>(self))); });
  Method(
      "MTLDevice", "newEvent", +[](Id self, Sel) -> Id {
        auto* const device = As<Device>(self);
        return TheSettings().has_events ? IdOf(new Event(device)) : nullptr;
      });
  Method(
      "MTLDevice",
      "newBufferWithLength:options:", +[](Id self, Sel, UInteger length, UInteger options) -> Id {
        auto* const device = As<Device>(self);
        const auto max = static_cast<UInteger>(device->host->info().max_buffer_bytes);
        if (length == 0 || length > max) Fail(StrCat("buffer of ", length, " bytes, limit ", max));
        if (TheSettings().buffers_left-- <= 0) return nullptr;
        auto memory = device->host->CreateBuffer(static_cast<int64_t>(length));
        if (!memory.ok()) return nullptr;
        return IdOf(new Buffer(device, *std::move(memory), length, (options >> 4) & 15));
      });
  Method(
      "MTLDevice", "newLibraryWithSource:options:error:",
      +[](Id self, Sel, Id text, Id options, Id* error) -> Id {
        auto* const device = As<Device>(self);
        ++TheCounts().libraries;
        if (As<CompileOptions>(options)->fast_math) ++TheCounts().libraries_with_fast_math;
        auto source = ReadKernel(As<String>(text)->text);
        if (!source.ok()) return Fails(error, std::string(Message(source.status())));
        auto program = device->host->Compile(*source);
        if (!program.ok()) return Fails(error, std::string(Message(program.status())));
        auto* const library = new Library("MTLLibrary", device);
        library->source = *std::move(source);
        library->program = *std::move(program);
        return IdOf(library);
      });
  Method(
      "MTLDevice",
      "newComputePipelineStateWithFunction:error:", +[](Id self, Sel, Id function, Id*) {
        return IdOf(new PipelineState(As<Device>(self), *As<Function>(function)));
      });
}

void AddPrograms() {
  ClassMethod(
      "MTLCompileOptions", "new", +[](Id, Sel) { return IdOf(new CompileOptions); });
  Method(
      "MTLCompileOptions", "respondsToSelector:", +[](Id self, Sel, Sel selector) {
        if (std::string(NameOf(selector)) == "setMathMode:" && !TheSettings().has_math_modes)
          return false;
        return HasMethod(Alive(self)->isa, selector);
      });
  Method(
      "MTLCompileOptions", "setMathMode:", +[](Id self, Sel, Integer mode) {
        if (!TheSettings().has_math_modes) Fail("setMathMode: is not there before macOS 15");
        As<CompileOptions>(self)->fast_math = mode != gpu::metal::kMathSafe;
      });
  Method(
      "MTLCompileOptions", "setFastMathEnabled:", +[](Id self, Sel, bool on) {
        As<CompileOptions>(self)->fast_math = on;
      });
  Method(
      "MTLLibrary", "newFunctionWithName:", +[](Id self, Sel, Id name) -> Id {
        auto* const library = As<Library>(self);
        if (As<String>(name)->text != "tern_main") return nullptr;
        return IdOf(new Function(library->device, library));
      });
  Method(
      "MTLComputePipelineState", "maxTotalThreadsPerThreadgroup", +[](Id self, Sel) {
        return static_cast<UInteger>(As<PipelineState>(self)->device->host->info().max_group_items);
      });
}

void AddBuffers() {
  Method(
      "MTLBuffer", "contents", +[](Id self, Sel) -> void* {
        auto* const buffer = As<Buffer>(self);
        if (buffer->storage_mode != 0) Fail("contents of a private buffer");
        ++TheCounts().contents;
        return gpu::HostMemory(*buffer->memory);
      });
  Method(
      "MTLBuffer", "length", +[](Id self, Sel) { return As<Buffer>(self)->length; });
  Method(
      "MTLBuffer", "device", +[](Id self, Sel) { return IdOf(As<Buffer>(self)->device); });
  Method(
      "MTLBuffer", "storageMode", +[](Id self, Sel) { return As<Buffer>(self)->storage_mode; });
}

void AddCommandBuffers() {
  Method(
      "MTLCommandQueue", "commandBuffer",
      +[](Id self, Sel) { return Autorelease(new CommandBuffer(As<Queue>(self))); });
  Method(
      "MTLCommandBuffer", "device",
      +[](Id self, Sel) { return IdOf(As<CommandBuffer>(self)->device); });
  Method(
      "MTLCommandBuffer", "computeCommandEncoder", +[](Id self, Sel) {
        auto* const buffer = As<CommandBuffer>(self);
        buffer->CheckEncodable("computeCommandEncoder");
        return Autorelease(new ComputeEncoder(buffer));
      });
  Method(
      "MTLCommandBuffer", "blitCommandEncoder", +[](Id self, Sel) {
        auto* const buffer = As<CommandBuffer>(self);
        buffer->CheckEncodable("blitCommandEncoder");
        return Autorelease(new BlitEncoder(buffer));
      });
  Method(
      "MTLCommandBuffer", "encodeSignalEvent:value:", +[](Id self, Sel, Id event, UInteger value) {
        As<CommandBuffer>(self)->Signal(event, value);
      });
  Method(
      "MTLCommandBuffer", "encodeWaitForEvent:value:", +[](Id self, Sel, Id event, UInteger value) {
        As<CommandBuffer>(self)->WaitFor(event, value);
      });
  Method(
      "MTLCommandBuffer", "commit", +[](Id self, Sel) { As<CommandBuffer>(self)->Commit(); });
  Method(
      "MTLCommandBuffer", "waitUntilCompleted", +[](Id self, Sel) {
        ++TheCounts().waits;
        As<CommandBuffer>(self)->Wait();
      });
  Method(
      "MTLCommandBuffer", "status",
      +[](Id self, Sel) { return static_cast<UInteger>(As<CommandBuffer>(self)->Status()); });
  Method(
      "MTLCommandBuffer", "error", +[](Id self, Sel) { return As<CommandBuffer>(self)->error; });
  Method(
      "MTLCommandBuffer", "GPUStartTime",
      +[](Id self, Sel) { return As<CommandBuffer>(self)->start; });
  Method(
      "MTLCommandBuffer", "GPUEndTime", +[](Id self, Sel) { return As<CommandBuffer>(self)->end; });
}

void AddEncoders() {
  for (const char* name : {"MTLComputeCommandEncoder", "MTLBlitCommandEncoder"})
    Method(
        name, "endEncoding", +[](Id self, Sel) { As<Encoder>(self)->EndEncoding(); });
  Method(
      "MTLComputeCommandEncoder", "setComputePipelineState:", +[](Id self, Sel, Id state) {
        auto* const encoder = As<ComputeEncoder>(self);
        encoder->CheckOpen("setComputePipelineState");
        encoder->pipeline = As<PipelineState>(state);
        if (encoder->pipeline->device != encoder->device) Fail("a pipeline of another device");
        encoder->into->used.push_back(Retain(state));
      });
  Method(
      "MTLComputeCommandEncoder",
      "setBuffer:offset:atIndex:", +[](Id self, Sel, Id buffer, UInteger offset, UInteger index) {
        As<ComputeEncoder>(self)->SetBuffer(buffer, offset, index);
      });
  Method(
      "MTLComputeCommandEncoder", "setBytes:length:atIndex:",
      +[](Id self, Sel, const void* bytes, UInteger length, UInteger index) {
        As<ComputeEncoder>(self)->SetBytes(bytes, length, index);
      });
  Method(
      "MTLComputeCommandEncoder", "dispatchThreadgroups:threadsPerThreadgroup:",
      +[](Id self, Sel, MetalSize groups, MetalSize group) {
        As<ComputeEncoder>(self)->Dispatch(groups, group);
      });
  Method(
      "MTLBlitCommandEncoder", "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:",
      +[](Id self, Sel, Id from, UInteger from_offset, Id to, UInteger to_offset, UInteger size) {
        As<BlitEncoder>(self)->Copy(from, from_offset, to, to_offset, size);
      });
}

// The system has one device, which everybody gets.
Id& SystemDevice() {
  static Id device = nullptr;
  return device;
}

Id CreateDevice() {
  if (!TheSettings().has_device) return nullptr;
  if (SystemDevice() == nullptr) SystemDevice() = IdOf(new Device);
  return Retain(SystemDevice());
}

}  // namespace

Settings& TheSettings() {
  static auto* const settings = new Settings;
  return *settings;
}

Counts& TheCounts() {
  static auto* const counts = new Counts{};
  return *counts;
}

gpu::ObjcFunctions Functions() {
  static const bool added = [] {
    AddFoundation();
    AddDevice();
    AddPrograms();
    AddBuffers();
    AddCommandBuffers();
    AddEncoders();
    return true;
  }();
  (void)added;
  gpu::ObjcFunctions functions = RuntimeFunctions();
  functions.create_device = CreateDevice;
  return functions;
}

void ReplaceDevice() {
  if (SystemDevice() != nullptr) Release(SystemDevice());
  SystemDevice() = nullptr;
}

Id TakeDevice() { return CreateDevice(); }

Id NewDevice() { return IdOf(new Device); }

Id NewBuffer(Id device, uint64_t bytes, bool shared) {
  const gpu::ObjcFunctions functions = Functions();
  return gpu::MetalMessages(functions).new_buffer(
      device, bytes, shared ? gpu::metal::kStorageShared : gpu::metal::kStoragePrivate);
}

void* Contents(Id buffer) { return gpu::HostMemory(*As<Buffer>(buffer)->memory); }

}  // namespace tern::metal_standin
