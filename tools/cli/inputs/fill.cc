// SPDX-License-Identifier: Apache-2.0
// Fill formulas; every float step is done in double and rounded once, so that results are the same
// everywhere.
#include "cli/inputs/fill.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "cli/whole.h"
#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using nlohmann::json;

absl::Status FillValues(const json& values, TfLiteType type, int64_t count, Bytes* out) {
  if (static_cast<int64_t>(values.size()) != count) {
    return absl::InvalidArgumentError(
        absl::StrCat("fill: ", values.size(), " values for ", count, " elements"));
  }
  for (const json& v : values) {
    if (v.is_number_integer()) {
      AppendInteger(type, v.get<int64_t>(), out);
    } else if (v.is_boolean()) {
      AppendInteger(type, v.get<bool>() ? 1 : 0, out);
    } else {
      AppendElement(type, v.get<double>(), out);
    }
  }
  return absl::OkStatus();
}

absl::Status FillFile(const json& fill, TfLiteType type, int64_t count,
                      const std::filesystem::path& base, Bytes* out) {
  absl::StatusOr<Bytes> raw = ReadFile(base / fill.at("file").get<std::string>());
  if (!raw.ok()) return raw.status();
  const TfLiteType as = fill.contains("as") ? TypeByName(fill["as"].get<std::string>()) : type;
  const size_t bytes = ElementBytes(as);
  if (bytes == 0 || raw->size() != bytes * static_cast<size_t>(count)) {
    return absl::InvalidArgumentError(
        absl::StrCat("fill: file holds ", raw->size(), " bytes for ", count, " elements"));
  }
  const bool scaled = fill.contains("scale") || fill.contains("offset");
  if (!scaled && as == type) {
    *out = *std::move(raw);
    return absl::OkStatus();
  }
  const auto scale = static_cast<float>(fill.value("scale", 1.0));
  const auto offset = static_cast<float>(fill.value("offset", 0.0));
  for (int64_t i = 0; i < count; ++i) {
    double x = ReadElement(as, raw->data(), i);
    if (scaled) {
      // Through memory: a fused multiply-add would round once instead of twice.
      volatile float product = scale * static_cast<float>(x);
      x = product + offset;
    }
    AppendElement(type, x, out);
  }
  return absl::OkStatus();
}

absl::Status FillFormula(const json& fill, TfLiteType type, int64_t count, Bytes* out) {
  const std::string kind = fill.at("kind").get<std::string>();
  const auto seed = WholeOr<uint64_t>(fill, "seed", 1);
  const double low = fill.value("low", 0.0);
  const double high = fill.value("high", 1.0);
  const double step = fill.value("step", 1.0);
  const double share = fill.value("share", 0.5);
  for (int64_t i = 1; i <= count; ++i) {
    const double u = UnitRandom(seed, static_cast<uint64_t>(i));
    if (kind == "uniform") {
      const double range = (high - low) * u;
      AppendElement(type, low + range, out);
    } else if (kind == "integers") {
      AppendElement(type, low + std::floor(u * (high - low + 1)), out);
    } else if (kind == "grid") {
      AppendElement(type, (low + std::floor(u * (high - low + 1))) * step, out);
    } else if (kind == "bool") {
      AppendElement(type, u < share ? 1.0 : 0.0, out);
    } else if (kind == "constant") {
      AppendElement(type, fill.at("value").get<double>(), out);
    } else {
      return absl::InvalidArgumentError(absl::StrCat("fill: unknown kind '", kind, "'"));
    }
  }
  return absl::OkStatus();
}

absl::Status CannotWrite(const std::filesystem::path& path, const std::string& reason) {
  return absl::InternalError(absl::StrCat("cannot write ", path.string(), ": ", reason));
}

}  // namespace

uint64_t SplitMix64(uint64_t seed, uint64_t index) {
  uint64_t z = seed + index * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

double UnitRandom(uint64_t seed, uint64_t index) {
  return static_cast<double>(SplitMix64(seed, index) >> 11) * 0x1p-53;
}

absl::StatusOr<Bytes> FillTensor(const json& fill, const std::vector<int>& shape, TfLiteType type,
                                 const std::filesystem::path& base) {
  if (type == kTfLiteResource) return Bytes();  // the node that owns it makes the handle
  if (ElementBytes(type) == 0) {
    return absl::InvalidArgumentError(absl::StrCat("fill: no formula for ", TypeName(type)));
  }
  const int64_t count = ElementCount(shape);
  Bytes out;
  absl::Status status;
  if (fill.contains("values")) {
    status = FillValues(fill["values"], type, count, &out);
  } else if (fill.contains("file")) {
    status = FillFile(fill, type, count, base, &out);
  } else {
    out.reserve(static_cast<size_t>(count) * ElementBytes(type));
    status = FillFormula(fill, type, count, &out);
  }
  if (!status.ok()) return status;
  return out;
}

absl::StatusOr<Bytes> FillDefault(const std::vector<int>& shape, TfLiteType type, uint64_t seed) {
  json fill = {{"kind", "integers"}, {"seed", seed}, {"low", 0}, {"high", 1}};
  switch (type) {
    case kTfLiteFloat32:
    case kTfLiteFloat16:
    case kTfLiteBFloat16:
    case kTfLiteFloat64:
    case kTfLiteComplex64:
    case kTfLiteComplex128:
      fill = {{"kind", "uniform"}, {"seed", seed}, {"low", -1.0}, {"high", 1.0}};
      break;
    case kTfLiteInt8:
      fill.update({{"low", -128}, {"high", 127}});
      break;
    case kTfLiteUInt8:
      fill.update({{"low", 0}, {"high", 255}});
      break;
    case kTfLiteInt16:
      fill.update({{"low", -32768}, {"high", 32767}});
      break;
    case kTfLiteUInt16:
      fill.update({{"low", 0}, {"high", 65535}});
      break;
    default:
      break;
  }
  return FillTensor(fill, shape, type, {});
}

absl::Status CheckReadable(const std::filesystem::path& path) {
  std::error_code none;
  const bool folder = std::filesystem::is_directory(path, none);
  errno = 0;
  if (!folder && std::ifstream(path, std::ios::binary)) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat(
      path.string(), ": cannot be read (",
      folder ? "a folder, expected a file" : std::generic_category().message(errno), ")"));
}

absl::StatusOr<Bytes> ReadFile(const std::filesystem::path& path) {
  if (absl::Status status = CheckReadable(path); !status.ok()) return status;
  std::ifstream in(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

absl::Status WriteFile(const std::filesystem::path& path, const void* data, size_t bytes) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  if (!out.flush()) return CannotWrite(path, std::generic_category().message(errno));
  return absl::OkStatus();
}

absl::Status MakeFolder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  return error ? CannotWrite(path, error.message()) : absl::OkStatus();
}

absl::Status CheckWritable(const std::filesystem::path& path) {
  std::error_code none;
  const bool folder = std::filesystem::is_directory(path, none);
  if (!folder && access(path.c_str(), W_OK) == 0) return absl::OkStatus();
  int reason = folder ? EISDIR : errno;
  if (reason == ENOENT) {
    const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
    if (access(parent.c_str(), W_OK | X_OK) == 0) return absl::OkStatus();
    reason = errno;
  }
  return CannotWrite(path, std::generic_category().message(reason));
}

absl::Status CheckFolder(const std::filesystem::path& path) {
  std::filesystem::path there = path;
  std::error_code none;
  while (there.has_parent_path() && there != there.parent_path() &&
         !std::filesystem::exists(there, none)) {
    there = there.parent_path();
  }
  if (!std::filesystem::exists(there, none)) there = ".";
  const bool folder = std::filesystem::is_directory(there, none);
  if (folder && access(there.c_str(), W_OK | X_OK) == 0) return absl::OkStatus();
  return CannotWrite(path, std::generic_category().message(folder ? errno : ENOTDIR));
}

}  // namespace tern::cli
