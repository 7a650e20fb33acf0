// SPDX-License-Identifier: Apache-2.0
// Every message that the backend sends, with its types, and every constant of Metal that it knows.
// Objective-C is called by its C ABI, so a wrong type here would be undefined behaviour there:
// tests/metal/apple_signatures.py compares the rows with Apple's own.
#ifndef TERN_GPU_BACKENDS_METAL_METAL_MESSAGES_H_
#define TERN_GPU_BACKENDS_METAL_METAL_MESSAGES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/backends/metal/objc_runtime.h"

namespace tern::gpu {

using UInteger = uint64_t;  // NSUInteger; Metal is there on processors of 64 bits alone
using Integer = int64_t;    // NSInteger

struct MetalSize {  // MTLSize
  UInteger width = 0, height = 0, depth = 0;
};

// X(receiver, name here, selector, types). The receiver is a protocol of Metal or a class of
// Foundation.
#define TERN_METAL_MESSAGES(X)                                                                   \
  X(NSObject, responds, "respondsToSelector:", bool(Sel))                                        \
  X(NSString, utf8, "UTF8String", const char*())                                                 \
  X(NSError, text, "localizedDescription", Id())                                                 \
  X(NSError, code, "code", Integer())                                                            \
  X(NSProcessInfo, system, "operatingSystemVersionString", Id())                                 \
  X(MTLDevice, device_name, "name", Id())                                                        \
  X(MTLDevice, supports_family, "supportsFamily:", bool(Integer))                                \
  X(MTLDevice, unified_memory, "hasUnifiedMemory", bool())                                       \
  X(MTLDevice, max_buffer_length, "maxBufferLength", UInteger())                                 \
  X(MTLDevice, max_threadgroup_memory, "maxThreadgroupMemoryLength", UInteger())                 \
  X(MTLDevice, new_queue, "newCommandQueue", Id())                                               \
  X(MTLDevice, new_event, "newEvent", Id())                                                      \
  X(MTLDevice, new_buffer, "newBufferWithLength:options:", Id(UInteger, UInteger))               \
  X(MTLDevice, new_library, "newLibraryWithSource:options:error:", Id(Id, Id, Id*))              \
  X(MTLDevice, new_pipeline, "newComputePipelineStateWithFunction:error:", Id(Id, Id*))          \
  X(MTLCompileOptions, set_math_mode, "setMathMode:", void(Integer))                             \
  X(MTLCompileOptions, set_fast_math, "setFastMathEnabled:", void(bool))                         \
  X(MTLLibrary, new_function, "newFunctionWithName:", Id(Id))                                    \
  X(MTLComputePipelineState, max_items, "maxTotalThreadsPerThreadgroup", UInteger())             \
  X(MTLBuffer, contents, "contents", void*())                                                    \
  X(MTLBuffer, length, "length", UInteger())                                                     \
  X(MTLResource, buffer_device, "device", Id())                                                  \
  X(MTLResource, storage_mode, "storageMode", UInteger())                                        \
  X(MTLCommandQueue, command_buffer, "commandBuffer", Id())                                      \
  X(MTLCommandBuffer, command_buffer_device, "device", Id())                                     \
  X(MTLCommandBuffer, compute_encoder, "computeCommandEncoder", Id())                            \
  X(MTLCommandBuffer, blit_encoder, "blitCommandEncoder", Id())                                  \
  X(MTLCommandBuffer, encode_signal, "encodeSignalEvent:value:", void(Id, UInteger))             \
  X(MTLCommandBuffer, encode_wait, "encodeWaitForEvent:value:", void(Id, UInteger))              \
  X(MTLCommandBuffer, commit, "commit", void())                                                  \
  X(MTLCommandBuffer, wait, "waitUntilCompleted", void())                                        \
  X(MTLCommandBuffer, status, "status", UInteger())                                              \
  X(MTLCommandBuffer, error, "error", Id())                                                      \
  X(MTLCommandBuffer, gpu_start, "GPUStartTime", double())                                       \
  X(MTLCommandBuffer, gpu_end, "GPUEndTime", double())                                           \
  X(MTLCommandEncoder, end_encoding, "endEncoding", void())                                      \
  X(MTLComputeCommandEncoder, set_pipeline, "setComputePipelineState:", void(Id))                \
  X(MTLComputeCommandEncoder, set_buffer,                                                        \
    "setBuffer:offset:atIndex:", void(Id, UInteger, UInteger))                                   \
  X(MTLComputeCommandEncoder, set_bytes,                                                         \
    "setBytes:length:atIndex:", void(const void*, UInteger, UInteger))                           \
  X(MTLComputeCommandEncoder, dispatch,                                                          \
    "dispatchThreadgroups:threadsPerThreadgroup:", void(MetalSize, MetalSize))                   \
  X(MTLBlitCommandEncoder, copy, "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", \
    void(Id, UInteger, Id, UInteger, UInteger))

// Messages to classes.
#define TERN_METAL_CLASS_MESSAGES(X)                                \
  X(NSString, new_string, "stringWithUTF8String:", Id(const char*)) \
  X(NSProcessInfo, process_info, "processInfo", Id())               \
  X(MTLCompileOptions, new_compile_options, "new", Id())

// X(name here, Apple's name, value).
#define TERN_METAL_CONSTANTS(X)                                  \
  X(kStorageShared, MTLResourceStorageModeShared, 0)             \
  X(kStoragePrivate, MTLResourceStorageModePrivate, 32)          \
  X(kModeShared, MTLStorageModeShared, 0)                        \
  X(kMathSafe, MTLMathModeSafe, 0)                               \
  X(kNotEnqueued, MTLCommandBufferStatusNotEnqueued, 0)          \
  X(kCommitted, MTLCommandBufferStatusCommitted, 2)              \
  X(kCompleted, MTLCommandBufferStatusCompleted, 4)              \
  X(kFailed, MTLCommandBufferStatusError, 5)                     \
  X(kErrorTimeout, MTLCommandBufferErrorTimeout, 2)              \
  X(kErrorAccessRevoked, MTLCommandBufferErrorAccessRevoked, 4)  \
  X(kErrorNotPermitted, MTLCommandBufferErrorNotPermitted, 7)    \
  X(kErrorOutOfMemory, MTLCommandBufferErrorOutOfMemory, 8)      \
  X(kErrorDeviceRemoved, MTLCommandBufferErrorDeviceRemoved, 11) \
  X(kFamilyApple2, MTLGPUFamilyApple2, 1002)                     \
  X(kFamilyApple4, MTLGPUFamilyApple4, 1004)                     \
  X(kFamilyApple9, MTLGPUFamilyApple9, 1009)                     \
  X(kFamilyMac2, MTLGPUFamilyMac2, 2002)

namespace metal {
#define TERN_METAL_CONSTANT(name, apple, value) inline constexpr int name = value;
TERN_METAL_CONSTANTS(TERN_METAL_CONSTANT)
#undef TERN_METAL_CONSTANT
}  // namespace metal

// Objective-C's letters for a type.
template <class T>
constexpr const char* kObjcType = nullptr;
template <>
inline constexpr const char* kObjcType<void> = "v";
template <>
inline constexpr const char* kObjcType<bool> = "B";
template <>
inline constexpr const char* kObjcType<double> = "d";
template <>
inline constexpr const char* kObjcType<UInteger> = "Q";
template <>
inline constexpr const char* kObjcType<Integer> = "q";
template <>
inline constexpr const char* kObjcType<Id> = "@";
template <>
inline constexpr const char* kObjcType<Sel> = ":";
template <>
inline constexpr const char* kObjcType<void*> = "^v";
template <>
inline constexpr const char* kObjcType<const char*> = "r*";
template <>
inline constexpr const char* kObjcType<const void*> = "r^v";
template <>
inline constexpr const char* kObjcType<Id*> = "^@";
template <>
inline constexpr const char* kObjcType<MetalSize> = "{?=QQQ}";

// One message, called like a function: the receiver, then the arguments.
template <class Types>
class ObjcMessage;
template <class Result, class... Arguments>
class ObjcMessage<Result(Arguments...)> {
 public:
  void Resolve(const ObjcFunctions& objc, const char* selector) {
    selector_ = objc.register_name(selector);
    send_ = reinterpret_cast<Send>(objc.msg_send);
  }
  Sel selector() const { return selector_; }
  // "@@:QQ": of the result, the receiver, the selector and the arguments.
  static std::string Encoding() {
    return (std::string(kObjcType<Result>) + "@:" + ... + kObjcType<Arguments>);
  }
  Result operator()(Id receiver, Arguments... arguments) const {
    return send_(receiver, selector_, arguments...);
  }

 private:
  using Send = Result (*)(Id, Sel, Arguments...);
  Sel selector_ = nullptr;
  Send send_ = nullptr;
};

struct MetalMessages {
  explicit MetalMessages(const ObjcFunctions& objc) {
#define TERN_METAL_RESOLVE(receiver, name, selector, ...) name.Resolve(objc, selector);
    TERN_METAL_MESSAGES(TERN_METAL_RESOLVE)
    TERN_METAL_CLASS_MESSAGES(TERN_METAL_RESOLVE)
#undef TERN_METAL_RESOLVE
  }

#define TERN_METAL_FIELD(receiver, name, selector, ...) ObjcMessage<__VA_ARGS__> name;
  TERN_METAL_MESSAGES(TERN_METAL_FIELD)
  TERN_METAL_CLASS_MESSAGES(TERN_METAL_FIELD)
#undef TERN_METAL_FIELD
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_METAL_METAL_MESSAGES_H_
