// SPDX-License-Identifier: Apache-2.0
// The backends of this build by name, and the process-wide devices that delegates share.
#ifndef TERN_GPU_BACKENDS_BACKEND_LIST_H_
#define TERN_GPU_BACKENDS_BACKEND_LIST_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/backends/opened_devices.h"
#include "gpu/device/device.h"

namespace tern::gpu {

// Backends that the delegate tries by default, in order. "gles" is among them in every build: where
// it is missing it says so when it is opened.
std::vector<std::string> DefaultBackends();

// Returns the name of a backend's API in messages; an unknown name stays as it is.
std::string BackendLabel(const std::string& name);

// Opens a device once per process and name; later calls share it until it is lost. Names: "opencl",
// "gles", "vulkan", "gles:min" and "vulkan:min" (tests: only what the specification guarantees),
// "vulkan:DEVICE" (by its number or a part of its name), "null:NAME" (an invented device: plans
// only), and those that were added. "null:NAME/LANGUAGE" plans for an invented device or for a
// backend's, and prints kernels in that language (language_list.h), in slices that it can spell. An
// unknown or missing backend is an error that says why.
absl::StatusOr<OpenedDevice> OpenDevice(const std::string& backend);

// Opens a private device by backend name; it is closed with its last holder.
absl::StatusOr<OpenedDevice> OpenOwnDevice(const std::string& backend);

// A backend that is no part of the libraries; programs of the build tree link it beside them
// ("host"). Called once per name, before main.
using OpenBackend = absl::StatusOr<std::shared_ptr<Device>> (*)();
void AddBackend(const std::string& name, OpenBackend open);

// Opens a device of its own that shares buffers with what the application uses on the calling
// thread. Names: "gles", with the context that is current. An error says why that cannot be.
absl::StatusOr<OpenedDevice> OpenSharingDevice(const std::string& backend);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_BACKEND_LIST_H_
