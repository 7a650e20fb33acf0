// SPDX-License-Identifier: Apache-2.0
// Texts and binaries, in and out of the driver.
#include "gpu/backends/opencl/cl_program.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "gpu/backends/opencl/cl_error.h"

namespace tern::gpu {
namespace {

// No warnings: some drivers print them on the terminal.
constexpr char kOptions[] = "-cl-std=CL1.2 -w";
constexpr char kEntry[] = "tern_main";
constexpr int kLogLines = 40;
constexpr size_t kMaxBinaryBytes = 256 << 20;

std::string FirstLines(const std::string& text) {
  size_t end = 0;
  for (int line = 0; line < kLogLines; ++line) {
    const size_t next = text.find('\n', end);
    if (next == std::string::npos) return text;
    end = next + 1;
  }
  return text.substr(0, end) + "...";
}

std::string BuildLog(const ClContext& context, cl_program program) {
  size_t size = 0;
  const auto query = context.cl().GetProgramBuildInfo;
  if (query(program, context.device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS ||
      size == 0) {
    return "no log";
  }
  std::string log(size, '\0');
  if (query(program, context.device(), CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr) !=
      CL_SUCCESS) {
    return "no log";
  }
  log.resize(log.find('\0') == std::string::npos ? size : log.find('\0'));
  return FirstLines(log);
}

bool InName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

void AddOnce(std::string_view name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

// The name that ends at `end`.
std::string_view NameBefore(std::string_view line, size_t end) {
  size_t start = end;
  while (start > 0 && InName(line[start - 1])) --start;
  return line.substr(start, end - start);
}

struct Names {
  std::vector<std::string> macros, functions;
};

// Finds the macros and functions that a text defines. In printed texts a line that begins with a
// name is a definition.
Names NamesIn(std::string_view text) {
  constexpr std::string_view kDefine = "#define ";
  Names names;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with(kDefine)) {
      size_t last = kDefine.size();
      while (last < line.size() && InName(line[last])) ++last;
      AddOnce(line.substr(kDefine.size(), last - kDefine.size()), names.macros);
    } else if (!line.empty() && InName(line[0]) && !line.starts_with("typedef ")) {
      const std::string_view name = NameBefore(line, std::min(line.find('('), line.size()));
      if (!name.empty() && line.find('(') != std::string_view::npos) AddOnce(name, names.functions);
    }
  }
  return names;
}

}  // namespace

std::string ClEntryName(uint32_t part) {
  return part == 0 ? std::string(kEntry) : StrCat(kEntry, "_", part);
}

std::string MergeClTexts(std::span<const ProgramSource> sources) {
  std::string text;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Names names = NamesIn(sources[i].text);
    std::string end;
    for (const std::string& name : names.functions) {  // the entry point as ClEntryName(i + 1)
      text += StrCat("#define ", name, " ", name, "_", i + 1, "\n");
      end += StrCat("#undef ", name, "\n");
    }
    for (const std::string& name : names.macros) end += StrCat("#undef ", name, "\n");
    text += sources[i].text + end;
  }
  return text;
}

absl::StatusOr<std::shared_ptr<ClProgram>> ClProgram::Build(
    const std::shared_ptr<ClContext>& context, const std::string& text) {
  const char* data = text.data();
  const size_t length = text.size();
  std::shared_ptr<ClProgram> made(new ClProgram(context));
  cl_int code = CL_SUCCESS;
  const cl_program program =
      context->cl().CreateProgramWithSource(context->context(), 1, &data, &length, &code);
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateProgramWithSource"));
  TERN_RETURN_IF_ERROR(made->Finish(program));
  return made;
}

absl::StatusOr<std::shared_ptr<ClProgram>> ClProgram::Load(
    const std::shared_ptr<ClContext>& context, const std::vector<uint8_t>& binary) {
  const cl_device_id device = context->device();
  const unsigned char* bytes = binary.data();
  const size_t length = binary.size();
  if (length == 0) return Invalid("a program binary without bytes");
  std::shared_ptr<ClProgram> made(new ClProgram(context));
  cl_int code = CL_SUCCESS, state = CL_SUCCESS;
  const cl_program program = context->cl().CreateProgramWithBinary(context->context(), 1, &device,
                                                                   &length, &bytes, &state, &code);
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateProgramWithBinary"));
  TERN_RETURN_IF_ERROR(made->Finish(program));
  return made;
}

// Takes the program over and has it built, or linked where it is a binary.
absl::Status ClProgram::Finish(cl_program program) {
  const ClFunctions& cl = context_->cl();
  const cl_device_id device = context_->device();
  program_ = {program, cl.ReleaseProgram};
  const cl_int code = cl.BuildProgram(program, 1, &device, kOptions, nullptr, nullptr);
  if (code == CL_SUCCESS) return absl::OkStatus();
  return ClStatus(code, StrCat("clBuildProgram: ", BuildLog(*context_, program)));
}

absl::StatusOr<ClHandle<cl_kernel>> ClProgram::CreateKernel(const std::string& entry) const {
  cl_int code = CL_SUCCESS;
  const cl_kernel kernel = context_->cl().CreateKernel(program_.get(), entry.c_str(), &code);
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateKernel"));
  return ClHandle<cl_kernel>(kernel, context_->cl().ReleaseKernel);
}

absl::StatusOr<std::shared_ptr<const std::vector<uint8_t>>> ClProgram::Binary() {
  TERN_RETURN_IF_ERROR(context_->Check());
  const std::lock_guard<std::mutex> lock(mutex_);
  if (auto given = given_.lock()) return given;
  const auto query = context_->cl().GetProgramInfo;
  size_t size = 0;  // the context has one device
  TERN_RETURN_IF_ERROR(
      ClStatus(query(program_.get(), CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr),
               "clGetProgramInfo"));
  if (size == 0) return nullptr;
  if (size > kMaxBinaryBytes)
    return TooLarge("a program binary of ", size, " bytes, at most ", kMaxBinaryBytes);
  auto binary = std::make_shared<std::vector<uint8_t>>(size);
  unsigned char* bytes = binary->data();
  TERN_RETURN_IF_ERROR(
      ClStatus(query(program_.get(), CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, nullptr),
               "clGetProgramInfo"));
  given_ = binary;
  return binary;
}

}  // namespace tern::gpu
