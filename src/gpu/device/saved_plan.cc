// SPDX-License-Identifier: Apache-2.0
// Layout: key, binaries, programs, launches, each as base/byte_stream.h writes it.
#include "gpu/device/saved_plan.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "base/byte_stream.h"
#include "base/hash.h"
#include "base/status.h"
#include "gpu/desc/kernel_text.h"
#include "gpu/plan/plan_bytes.h"

namespace tern::gpu {
namespace {

// All of a device's description: what a driver update changes shows in one of the texts, and what
// an environment variable changes in one of the numbers.
std::vector<uint8_t> OriginBytes(const DeviceInfo& device) {
  const auto& [api, name, vendor, driver, platform, device_class, compute_units,
               native_vector_width, max_slice_width, max_buffers, max_group_items, max_group,
               max_grid_groups, local_memory_bytes, max_buffer_bytes, buffer_alignment,
               max_texel_buffers, max_texels, whole_texels, texel_forms, max_loop_iterations, fma,
               half_types, half_math] = device;
  ByteWriter to;
  to.Text(PrinterHash());
  for (const std::string& text : {api, name, vendor, driver, platform}) to.Text(text);
  to.Value(device_class);
  for (const int value : {compute_units, native_vector_width, max_slice_width, max_buffers,
                          max_group_items, buffer_alignment, max_texel_buffers}) {
    to.Value(value);
  }
  for (const Int3& sizes : {max_group, max_grid_groups}) {
    for (const int size : sizes) to.Value(size);
  }
  for (const int64_t value :
       {local_memory_bytes, max_buffer_bytes, max_texels, max_loop_iterations})
    to.Value(value);
  to.Value(whole_texels);
  to.Value(texel_forms);
  to.Value(fma);
  to.Value(half_types);
  to.Value(half_math);
  return to.Take();
}

std::string Hexadecimal(const Hash128& hash) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.words[0]),
                static_cast<unsigned long long>(hash.words[1]));
  return text;
}

void Write(const Signature& signature, ByteWriter& to) {
  const auto& [slice_width, fma, int_sums, half_sums, buffers, uniforms, locals, group, uses_half,
               half_vectors] = signature;
  to.Value(slice_width);
  to.Value(fma);
  to.Value(int_sums);
  to.Value(half_sums);
  to.List(buffers, [&](const BufferParam& buffer) {
    const auto& [name, element, written, single, texels] = buffer;
    to.Text(name);
    to.Value(element);
    to.Value(written);
    to.Value(single);
    to.Value(texels);
  });
  // Launches have the values of uniforms.
  to.List(uniforms, [&](const Uniform& uniform) {
    to.Text(uniform.name);
    to.Value(uniform.is_float);
  });
  to.List(locals, [&](const LocalArray& array) {
    const auto& [name, length, slices, sums] = array;
    to.Text(name);
    to.Value(length);
    to.Value(slices);
    to.Value(sums);
  });
  for (const int size : group) to.Value(size);
  to.Value(uses_half);
  to.Value(half_vectors);
}

Signature ReadSignature(ByteReader& from) {
  Signature signature;
  signature.slice_width = from.Value<int>();
  signature.fma = from.Bool();
  signature.int_sums = from.Bool();
  signature.half_sums = from.Bool();
  signature.buffers = from.List<BufferParam>([&] {
    BufferParam buffer;
    buffer.name = from.Text();
    buffer.element = from.Enumerator(Element::kNibble);
    buffer.written = from.Bool();
    buffer.single = from.Bool();
    buffer.texels = from.Bool();
    return buffer;
  });
  signature.uniforms = from.List<Uniform>([&] {
    Uniform uniform;
    uniform.name = from.Text();
    uniform.is_float = from.Bool();
    return uniform;
  });
  signature.locals = from.List<LocalArray>([&] {
    LocalArray array;
    array.name = from.Text();
    array.length = from.Value<int>();
    array.slices = from.Bool();
    array.sums = from.Bool();
    return array;
  });
  for (int& size : signature.group) size = from.Value<int>();
  signature.uses_half = from.Bool();
  signature.half_vectors = from.Bool();
  return signature;
}

using Binary = std::shared_ptr<const std::vector<uint8_t>>;

// Programs that were built at once share one binary.
std::vector<Binary> DistinctBinaries(const PreparedPlan& prepared) {
  std::vector<Binary> binaries;
  for (const PreparedProgram& program : prepared.programs) {
    const Binary& own = program.binary.bytes;
    if (std::find(binaries.begin(), binaries.end(), own) == binaries.end()) binaries.push_back(own);
  }
  return binaries;
}

Binary ReadBinary(ByteReader& from) {
  const std::span<const uint8_t> bytes = from.Bytes();
  return std::make_shared<const std::vector<uint8_t>>(bytes.begin(), bytes.end());
}

PreparedProgram ReadProgram(ByteReader& from, const std::vector<Binary>& binaries) {
  PreparedProgram program;
  for (uint64_t& word : program.text.words) word = from.Value<uint64_t>();
  program.source.signature = ReadSignature(from);
  program.source.has_barrier = from.Bool();
  program.binary.format = from.Value<uint32_t>();
  program.binary.part = from.Value<uint32_t>();
  const auto number = from.Value<uint64_t>();
  if (number < binaries.size()) program.binary.bytes = binaries[static_cast<size_t>(number)];
  return program;
}

PreparedLaunch ReadLaunch(ByteReader& from) {
  PreparedLaunch launch;
  launch.dispatch = static_cast<size_t>(from.Value<uint64_t>());
  launch.program = static_cast<size_t>(from.Value<uint64_t>());
  launch.buffers = from.List<TensorId>([&] { return from.Value<TensorId>(); });
  launch.uniform_words = from.List<uint32_t>([&] { return from.Value<uint32_t>(); });
  return launch;
}

absl::Status Foreign(const char* what) {
  return absl::DataLossError(StrCat("the saved plan ", what));
}

// Checks that every program has a binary, and that every launch is of its dispatch and passes the
// arguments that its program takes.
absl::Status CheckPrepared(const PreparedPlan& prepared, const Plan& plan) {
  for (const PreparedProgram& program : prepared.programs) {
    if (program.binary.bytes == nullptr) return Foreign("has a program without a binary");
  }
  size_t next = 0;
  const auto tensors = static_cast<TensorId>(plan.tensors.size());
  for (size_t d = 0; d < plan.dispatches.size(); ++d) {
    if (!HasWork(plan.dispatches[d])) continue;
    if (next == prepared.launches.size()) return Foreign("has too few launches");
    const PreparedLaunch& launch = prepared.launches[next++];
    if (launch.dispatch != d || launch.program >= prepared.programs.size())
      return Foreign("has a launch that is not of the plan");
    const Signature& signature = prepared.programs[launch.program].source.signature;
    if (launch.buffers.size() != signature.buffers.size() ||
        launch.uniform_words.size() != signature.uniforms.size() ||
        launch.buffers.size() != plan.dispatches[d].bindings.size()) {
      return Foreign("has a launch with the arguments of another program");
    }
    const auto none = [&](TensorId id) { return id < 0 || id >= tensors; };
    if (std::any_of(launch.buffers.begin(), launch.buffers.end(), none))
      return Foreign("has a launch with a tensor that does not exist");
  }
  return next == prepared.launches.size() ? absl::OkStatus() : Foreign("has too many launches");
}

}  // namespace

SavedPlanKey::SavedPlanKey(const Plan& made, const DeviceInfo& device)
    : plan(PlanBytes(made)), origin(OriginBytes(device)) {
  std::vector<uint8_t> all = origin;
  all.insert(all.end(), plan.begin(), plan.end());
  text = StrCat("plan, ", device.api, ", ", device.name, ", ", made.dispatches.size(),
                " launches, ", Hexadecimal(HashBulk128(all.data(), all.size())));
}

void SavedPlanKey::WriteTo(ByteWriter& to) const {
  to.Bytes(origin);
  to.Bytes(plan);
}

absl::Status SavedPlanKey::Check(ByteReader& from) const {
  const std::span<const uint8_t> their_origin = from.Bytes(), their_plan = from.Bytes();
  if (!std::equal(origin.begin(), origin.end(), their_origin.begin(), their_origin.end()))
    return absl::DataLossError("what was saved is of another device, driver or build");
  if (!std::equal(plan.begin(), plan.end(), their_plan.begin(), their_plan.end()))
    return absl::DataLossError("what was saved is of another plan");
  return absl::OkStatus();
}

std::vector<uint8_t> SavePlan(const SavedPlanKey& key, const PreparedPlan& prepared) {
  ByteWriter to;
  key.WriteTo(to);
  const std::vector<Binary> binaries = DistinctBinaries(prepared);
  to.List(binaries, [&](const Binary& binary) { to.Bytes(*binary); });
  to.List(prepared.programs, [&](const PreparedProgram& program) {
    for (const uint64_t word : program.text.words) to.Value(word);
    Write(program.source.signature, to);
    to.Value(program.source.has_barrier);
    to.Value(program.binary.format);
    to.Value(program.binary.part);
    const auto own = std::find(binaries.begin(), binaries.end(), program.binary.bytes);
    to.Value(static_cast<uint64_t>(own - binaries.begin()));
  });
  to.List(prepared.launches, [&](const PreparedLaunch& launch) {
    to.Value(uint64_t{launch.dispatch});
    to.Value(uint64_t{launch.program});
    to.List(launch.buffers, [&](TensorId id) { to.Value(id); });
    to.List(launch.uniform_words, [&](uint32_t word) { to.Value(word); });
  });
  return to.Take();
}

absl::StatusOr<PreparedPlan> LoadPlan(std::span<const uint8_t> bytes, const SavedPlanKey& key,
                                      const Plan& plan) {
  ByteReader from(bytes);
  TERN_RETURN_IF_ERROR(key.Check(from));
  PreparedPlan prepared;
  const std::vector<Binary> binaries = from.List<Binary>([&] { return ReadBinary(from); });
  prepared.programs = from.List<PreparedProgram>([&] { return ReadProgram(from, binaries); });
  prepared.launches = from.List<PreparedLaunch>([&] { return ReadLaunch(from); });
  if (!from.Done()) return Foreign("ends too early or too late");
  TERN_RETURN_IF_ERROR(CheckPrepared(prepared, plan));
  return prepared;
}

}  // namespace tern::gpu
