// SPDX-License-Identifier: Apache-2.0
// Finds the library and calls its one function.
#include "gpu/backends/vulkan/vk_compiler.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

#include "base/shared_library.h"
#include "base/status.h"

namespace tern::gpu {
namespace {

constexpr size_t kMaxLog = 4000;

#if defined(__APPLE__)
constexpr char kLibrary[] = "libtern_glslang.dylib";
#else
constexpr char kLibrary[] = "libtern_glslang.so";
#endif

// The folder of the library or program that this code is in, with a slash; empty where the system
// does not tell. Links to it are followed.
std::string OwnFolder() {
  Dl_info own = {};
  const char* path = "/proc/self/exe";  // of a program dladdr has the words that started it
  if (dladdr(reinterpret_cast<const void*>(&OwnFolder), &own) != 0 && own.dli_fname != nullptr &&
      own.dli_fname[0] == '/') {
    path = own.dli_fname;
  }
  char* const real = realpath(path, nullptr);
  if (real == nullptr) return "";
  const std::string folder(real, std::strrchr(real, '/') + 1 - real);
  std::free(real);
  return folder;
}

struct Taken {
  Spirv words;
  std::string log;
};

void Take(void* context, const uint32_t* words, size_t count, const char* log) {
  auto& taken = *static_cast<Taken*>(context);
  if (log != nullptr) {
    taken.log = log;
  } else {
    taken.words.assign(words, words + count);
  }
}

}  // namespace

std::vector<std::string> VulkanCompilerNames() {
  const std::string folder = OwnFolder();
  if (folder.empty()) return {kLibrary};
  return {folder + kLibrary, folder + "tern/" + kLibrary, folder + "../lib/" + kLibrary, kLibrary};
}

absl::StatusOr<TernGlslToSpirvFunction> VulkanCompiler::Function() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (function_ != nullptr) return function_;
  std::string tried;
  for (const std::string& name : names_) {
    absl::StatusOr<SharedLibrary> library = SharedLibrary::Open(name);
    if (library.ok() && library->Load("TernGlslToSpirv", &function_)) {
      library->KeepLoaded();
      return function_;
    }
    tried +=
        StrCat(tried.empty() ? "" : "; ", library.ok() ? name + " has no function TernGlslToSpirv"
                                                       : std::string(Message(library.status())));
  }
  return Unavailable("Vulkan: no compiler for programs that are not saved (", tried, ")");
}

absl::StatusOr<Spirv> VulkanCompiler::Compile(const std::string& text) {
  TERN_ASSIGN_OR_RETURN(const TernGlslToSpirvFunction compile, Function());
  Taken taken;
  compile(text.c_str(), Take, &taken);
  if (!taken.words.empty()) return std::move(taken.words);
  if (taken.log.size() > kMaxLog) taken.log.replace(kMaxLog, std::string::npos, "...");
  return absl::InternalError("glslang: " + taken.log);
}

}  // namespace tern::gpu
