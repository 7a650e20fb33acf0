// SPDX-License-Identifier: Apache-2.0
// Several programs, a thread for each, but not many at a time.
#include "gpu/device/device.h"

#include <cstddef>

#include "gpu/device/build_threads.h"

namespace tern::gpu {

Device::Pipelines Device::CompileAll(std::span<const ProgramSource> sources) {
  Pipelines made(sources.size());
  OnBuildThreads(sources.size(), [&](size_t i) { made[i] = Compile(sources[i]); });
  return made;
}

Device::Pipelines Device::LoadAll(std::span<const ProgramSource> sources,
                                  std::span<const ProgramBinary> binaries) {
  Pipelines made(sources.size());
  OnBuildThreads(sources.size(), [&](size_t i) { made[i] = Load(sources[i], binaries[i]); });
  return made;
}

}  // namespace tern::gpu
