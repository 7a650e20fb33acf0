// SPDX-License-Identifier: Apache-2.0
#include "gpu/backends/metal/metal_pipeline.h"

#include "base/status.h"

namespace tern::gpu {
namespace {

constexpr size_t kMaxUniformBytes = 4096;  // of setBytes

ObjcRef CompileOptions(const MetalContext& context) {
  const MetalMessages& say = context.say();
  const Id kind = context.objc().get_class("MTLCompileOptions");
  ObjcRef options = ObjcRef::Take(context.objc(), say.new_compile_options(kind));
  // macOS 15 and iOS 18 have modes instead of the switch.
  if (say.responds(options.get(), say.set_math_mode.selector()))
    say.set_math_mode(options.get(), metal::kMathSafe);
  else
    say.set_fast_math(options.get(), false);
  return options;
}

}  // namespace

absl::StatusOr<std::shared_ptr<Pipeline>> MetalPipeline::Build(
    const std::shared_ptr<MetalContext>& context, const ProgramSource& source) {
  if (source.signature.uniforms.size() * sizeof(uint32_t) > kMaxUniformBytes)
    return TooLarge("Metal: uniforms (", source.signature.uniforms.size() * sizeof(uint32_t),
                    " bytes, limit ", kMaxUniformBytes, ")");
  const MetalMessages& say = context->say();
  const ObjcFunctions& objc = context->objc();
  const ObjcPool pool(objc);
  const ObjcRef options = CompileOptions(*context);
  Id error = nullptr;
  const ObjcRef library = ObjcRef::Take(
      objc, say.new_library(context->device(), context->NewString(source.text.c_str()),
                            options.get(), &error));
  if (!library) return Invalid(context->ErrorText("Metal: the kernel does not compile", error));
  const ObjcRef function =
      ObjcRef::Take(objc, say.new_function(library.get(), context->NewString("tern_main")));
  if (!function) return Invalid("Metal: the kernel has no function tern_main");
  error = nullptr;
  ObjcRef state = ObjcRef::Take(objc, say.new_pipeline(context->device(), function.get(), &error));
  if (!state) return Invalid(context->ErrorText("Metal: the kernel makes no pipeline", error));
  const auto max_items = static_cast<int64_t>(say.max_items(state.get()));
  return std::shared_ptr<Pipeline>(
      new MetalPipeline(context, std::move(state), max_items, source.signature));
}

}  // namespace tern::gpu
