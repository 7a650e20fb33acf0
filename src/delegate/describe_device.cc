// SPDX-License-Identifier: Apache-2.0
// A device that a backend opens here: as text for a person who asks, and its peak.
#include <cstdint>
#include <string>

#include "base/status.h"
#include "base/str_cat.h"
#include "delegate/report.h"
#include "gpu/backends/backend_list.h"
#include "gpu/partition/self_check.h"
#include "gpu/tune/measure.h"
#include "tensorflow/lite/delegates/gpu/compatibility.h"

namespace tern::delegate {
namespace {

std::string Member(const char* key, const std::string& text) {
  return StrCat(",\"", key, "\":\"", JsonText(text), "\"");
}

std::string Member(const char* key, int64_t number) { return StrCat(",\"", key, "\":", number); }

std::string Described(const gpu::OpenedDevice& opened) {
  const gpu::DeviceInfo& info = opened.device->info();
  const bool cpu = info.device_class == gpu::DeviceClass::kCpu;
  const absl::Status test = gpu::SelfCheck(opened);
  return StrCat(
      Member("name", info.name), Member("vendor", info.vendor), Member("driver", info.driver),
      Member("platform", info.platform), Member("class", cpu ? "cpu" : "gpu"),
      Member("compute_units", info.compute_units), Member("max_group_items", info.max_group_items),
      Member("max_buffers", info.max_buffers), Member("max_buffer_bytes", info.max_buffer_bytes),
      Member("local_memory_bytes", info.local_memory_bytes),
      Member("half_types", info.half_types ? 1 : 0),
      Member("self_test", test.ok() ? "passed" : std::string(Message(test))));
}

}  // namespace
}  // namespace tern::delegate

const char* TfLiteGpuDelegateV2DescribeDevice(const char* backend) {
  using tern::delegate::Member;
  static thread_local std::string text;
  const std::string name = backend == nullptr ? "" : backend;
  const auto opened = tern::gpu::OpenOwnDevice(name);
  text = tern::StrCat("{\"backend\":\"", tern::delegate::JsonText(name), "\"",
                      opened.ok() ? tern::delegate::Described(*opened)
                                  : Member("error", std::string(tern::Message(opened.status()))),
                      "}");
  return text.c_str();
}

int64_t TfLiteGpuDelegateV2MeasureFmaPeak(const char* backend) {
  const auto opened = tern::gpu::OpenOwnDevice(backend == nullptr ? "" : backend);
  if (!opened.ok()) return 0;
  return tern::gpu::MeasureFmaPeak(opened->device, opened->programs.get()).value_or(0);
}
