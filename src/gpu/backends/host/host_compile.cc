// SPDX-License-Identifier: Apache-2.0
// A program is a file in a private folder, compiled to a shared object and loaded; both files go
// away at once, the folder when the process ends.
#include "gpu/backends/host/host_compile.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <future>
#include <map>
#include <mutex>

#include "base/status.h"
#include "gpu/backends/host/metal_shim.h"
#include "gpu/languages/metal_language.h"

namespace tern::gpu {
namespace {

constexpr size_t kLargeText = 64 << 10;  // from here on optimizing takes too long
constexpr size_t kMaxLog = 2000;

bool WriteFile(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  return file.good();
}

// The folder of this process, with the shim in it.
class WorkFolder {
 public:
  WorkFolder() {
    const char* base = getenv("TMPDIR");
    std::string path = StrCat(base != nullptr && *base != 0 ? base : "/tmp", "/tern-host-XXXXXX");
    if (mkdtemp(path.data()) == nullptr) return;
    path_ = path;
    if (!WriteFile(shim(), kMetalShim)) path_.clear();
  }
  ~WorkFolder() {
    if (path_.empty()) return;
    unlink(shim().c_str());
    rmdir(path_.c_str());
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string shim() const { return path_ + "/metal_stdlib"; }
  std::string path_;
};

bool ProcessHas(const char* symbol) { return dlsym(RTLD_DEFAULT, symbol) != nullptr; }

std::string CompilerCommand(bool large) {
  const char* compiler = getenv("CXX");
  // The one that built this file: a sanitizer's runtime belongs to its compiler.
  std::string command = compiler != nullptr && *compiler != 0 ? compiler : TERN_HOST_COMPILER;
  command += large ? " -O0" : " -O1";
  // Without the standard libraries, which this process has, the linker takes half of the time.
  command +=
      " -x c++ -std=c++20 -g0 -w -shared -nostdlib -fPIC -DTERN_HOST -fno-exceptions -fno-rtti"
      " -fno-strict-aliasing -ffp-contract=off -fno-math-errno -fno-asynchronous-unwind-tables";
  // The runtime of a sanitizer must be in the process already when instrumented code is loaded.
  if (ProcessHas("__asan_init")) command += " -fsanitize=address";
  if (ProcessHas("__ubsan_handle_add_overflow_abort"))
    command += " -fsanitize=undefined -fno-sanitize=vptr -fno-sanitize-recover=all";
  return command;
}

// Prints the function that calls the kernel with the types of its parameters.
std::string Trampoline(const Signature& signature) {
  const MetalLanguage language;
  std::string arguments;
  for (size_t i = 0; i < signature.buffers.size(); ++i)
    arguments += StrCat("(", language.PointerType(signature.buffers[i]), ")buffers[", i, "], ");
  if (!signature.uniforms.empty()) arguments += "*(const Uniforms*)uniforms, ";
  return StrCat(R"(
extern "C" {
void (*tern_barrier)();
void tern_run_item(void* const* buffers, const uint* uniforms, const uint* ids) {
  tern_main()",
                arguments, R"(uint3{ids[0], ids[1], ids[2]}, uint3{ids[3], ids[4], ids[5]},
            uint3{ids[6], ids[7], ids[8]});
}
void tern_run_groups(void* const* buffers, const uint* uniforms, const uint* size, const uint* groups,
                     uint first, uint last) {
  for (uint group = first; group < last; ++group) {
    uint ids[9];
    ids[6] = group % groups[0];
    ids[7] = group / groups[0] % groups[1];
    ids[8] = group / groups[0] / groups[1];
    for (ids[5] = 0; ids[5] < size[2]; ++ids[5])
      for (ids[4] = 0; ids[4] < size[1]; ++ids[4])
        for (ids[3] = 0; ids[3] < size[0]; ++ids[3]) {
          for (int axis = 0; axis < 3; ++axis) ids[axis] = ids[6 + axis] * size[axis] + ids[3 + axis];
          tern_run_item(buffers, uniforms, ids);
        }
  }
}
}
)");
}

absl::Status RunCompiler(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1 </dev/null").c_str(), "re");
  if (pipe == nullptr) return Unavailable("the C++ compiler cannot be started");
  std::string log;
  char part[512];
  for (size_t n; (n = fread(part, 1, sizeof(part), pipe)) > 0;) {
    if (log.size() < kMaxLog) log.append(part, n);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return absl::OkStatus();
  return Invalid("the kernel does not compile: ", log.substr(0, kMaxLog));
}

absl::StatusOr<HostProgram> Load(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return Unavailable("the compiled kernel does not load: ", dlerror());
  HostProgram program;
  program.run_groups =
      reinterpret_cast<decltype(program.run_groups)>(dlsym(library, "tern_run_groups"));
  program.run_item = reinterpret_cast<decltype(program.run_item)>(dlsym(library, "tern_run_item"));
  program.barrier = reinterpret_cast<decltype(program.barrier)>(dlsym(library, "tern_barrier"));
  if (program.run_groups == nullptr || program.run_item == nullptr || program.barrier == nullptr)
    return Unavailable("the compiled kernel has no entry point");
  return program;
}

absl::StatusOr<HostProgram> Build(const ProgramSource& source, size_t number) {
  static const WorkFolder folder;
  if (folder.path().empty()) return Unavailable("no folder for temporary files can be made");
  const std::string text = StrCat(folder.path(), "/", number, ".metal");
  const std::string library = StrCat(folder.path(), "/", number, ".so");
  if (!WriteFile(text, source.text + Trampoline(source.signature)))
    return Unavailable("a temporary file cannot be written");
  const std::string command = StrCat(CompilerCommand(source.text.size() >= kLargeText), " -I '",
                                     folder.path(), "' -o '", library, "' '", text, "' -lm");
  const absl::Status status = RunCompiler(command);
  absl::StatusOr<HostProgram> program = status.ok() ? Load(library) : status;
  unlink(text.c_str());
  unlink(library.c_str());
  return program;
}

}  // namespace

absl::StatusOr<HostProgram> CompileForHost(const ProgramSource& source) {
  using Result = absl::StatusOr<HostProgram>;
  static std::mutex mutex;
  static auto& programs = *new std::map<std::string, std::shared_future<Result>>;
  std::promise<Result> promise;
  std::unique_lock<std::mutex> lock(mutex);
  const auto [place, is_new] = programs.try_emplace(source.text);
  if (!is_new) {
    const std::shared_future<Result> known = place->second;
    lock.unlock();
    return known.get();
  }
  place->second = promise.get_future().share();
  const size_t number = programs.size();
  lock.unlock();
  Result result = Build(source, number);
  promise.set_value(result);
  return result;
}

}  // namespace tern::gpu
