// SPDX-License-Identifier: Apache-2.0
// Writes what the fuzzers start from:   make_seeds FOLDER
//
// FOLDER/models: the examples of every operation in each of their types, models with graphs that
// call each other among them, some random graphs and the demo's network, each with a tail
// (fuzz/input.h); FOLDER/options and FOLDER/cases: texts; FOLDER/files: what
// lies beside models.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/str_cat.h"
#include "cli/testing/metadata.h"
#include "fuzz/input.h"
#include "ops/testing/example.h"
#include "ops/testing/good_models.h"
#include "ops/testing/random_graph.h"
#include "tensorflow/lite/logger.h"

namespace tern::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr int kRandomGraphs = 60;

class Folder {
 public:
  explicit Folder(fs::path path) : path_(std::move(path)) { fs::create_directories(path_); }

  void Add(const std::string& name, std::span<const uint8_t> bytes) {
    std::ofstream(path_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    ++count_;
  }
  void Add(const std::string& name, std::string_view text) {
    Add(name, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  void AddModel(const std::string& name, std::span<const uint8_t> file) {
    // All routes and flags come up, each model gets some.
    Tail tail;
    tail.route = static_cast<uint8_t>(count_);
    tail.flags = static_cast<uint8_t>(count_ * 37 % 128);
    tail.rank = 2;
    tail.sizes[0] = tail.sizes[1] = 2;
    tail.fill = static_cast<uint8_t>(count_ % 3);
    Add(name, Join(file, tail));
  }
  void AddModel(const std::string& name, std::span<const uint8_t> file, const Tail& tail) {
    Add(name, Join(file, tail));
  }
  int count() const { return count_; }

 private:
  fs::path path_;
  int count_ = 0;
};

// Names of operations are names of files, but for those of some custom ones.
std::string FileName(std::string name) {
  for (char& c : name) {
    if (c == '/' || c == ' ') c = '_';
  }
  return name;
}

void AddExamples(Folder& folder) {
  for (const testing::Example& example : testing::Examples::All()) {
    for (const auto& bytes : testing::ModelsOnCpu(example)) {
      folder.AddModel(StrCat(FileName(example.op), "_", folder.count()), bytes);
    }
  }
}

void AddDemo(Folder& folder) {
  std::ifstream file("demo/landscape.tflite", std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file),
                                   std::istreambuf_iterator<char>()};
  if (bytes.empty()) return;
  Tail small;  // its picture is larger than what a fuzzer gives
  small.flags = Tail::kResizeFirst;
  small.rank = 4;
  small.sizes[0] = 1;
  small.sizes[1] = small.sizes[2] = 16;
  small.sizes[3] = 3;
  folder.AddModel("demo", bytes, small);
}

void AddModels(Folder& folder) {
  AddExamples(folder);
  for (const testing::GoodModel& good : testing::AllGoodModels()) {
    folder.AddModel(StrCat("good_", FileName(good.op)), testing::BytesOf(good.model));
  }
  for (int seed = 1; seed <= kRandomGraphs; ++seed) {
    const testing::ModelCase c = testing::MakeRandomGraph(static_cast<uint64_t>(seed));
    folder.AddModel(StrCat("random_", seed), c.bytes);
  }
  AddDemo(folder);
}

void AddOptions(Folder& folder) {
  folder.Add("keys",
             "ktern_backend=gles-min\ntern_precision=f16\ntern_slice_width=4\ntern_fuse=0\n"
             "tern_list=1\ntern_allow=0-9,op:CONV_2D\ntern_deny=3,name:a*");
  folder.Add("documented",
             "kis_precision_loss_allowed=1\ninference_preference=0\ninference_priority1=1\n"
             "inference_priority2=0\ninference_priority3=0\nexperimental_flags=3\n"
             "max_delegated_partitions=2");
  folder.Add("cache_keys", "kexperimental_flags=8\nserialization_dir=.\nmodel_token=a");
  folder.Add("line_run",
             "frun\nm.tflite\n--engine\ncpu\n--threads\n2\n--shape\n0=1x2\n--input\n0=a.bin\n"
             "--runs\n3\n--input-range\n-1,1");
  folder.Add("line_verify", "fverify\ncases\n--engine\nnull:gles-min\n--only\nA*\n--every\n3");
  folder.Add("line_bench", "fbench\na.tflite\nb.tflite\n--engines\ncpu:1,opencl\n--per-op");
  folder.Add("line_plan", "fplan\na.tflite\n--device\nmali\n--precision\nf16\n--slice-width\n8");
  folder.Add("run", "rs0=1x3x2x4\ni0=in.bin\nr-1\nkserve");
  folder.Add("run_image", "rslabels\nllabels.txt\npphoto.png");
  folder.Add("cache", std::string_view("c\2\0\0\0\0\0\0\0\1\0\0\0", 13));
}

void AddCases(Folder& folder) {
  const std::string head = R"({"format": 1, "name": "GROUP/name", "model": "m.tflite", )";
  const std::string outputs =
      R"("outputs": [{"index": 0, "name": "y", "type": "float32", "shape": [2, 2],
      "tolerance": {"cpu": [1e-6, 0], "gpu": [1e-3, 0.1], "f16": [1e-2, 0]}, )";
  const char* fills[] = {
      R"({"kind": "uniform", "seed": 3, "low": -1, "high": 1})",
      R"({"kind": "grid", "seed": 1, "low": -8, "high": 8, "step": 0.25})",
      R"({"kind": "integers", "low": 0, "high": 7})",
      R"({"kind": "bool", "share": 0.25})",
      R"({"kind": "constant", "value": 0.5})",
      R"({"values": [1, 2, 3, 4]})",
      R"({"file": "fuzz.case.json", "as": "uint8", "scale": 0.5, "offset": -1})"};
  int number = 0;
  for (const char* fill : fills) {
    for (const char* type : {"float32", "int8", "bool", "int64", "complex64", "float16"}) {
      folder.Add(StrCat("case_", ++number),
                 StrCat(head, R"("inputs": [{"index": 0, "name": "x", "type": ")", type,
                        R"(", "shape": [2, 2], "fill": )", fill, "}], ", outputs,
                        R"("values": [1, 2, 3.5, -4]}]})"));
    }
  }
  folder.Add("picked", StrCat(head, R"("signature": "s", "runs": 2, "no_f16": true, "resized": [0],
      "inputs": [], )",
                              outputs, R"("pick": {"seed": 5, "count": 2}, "values": [1, 2]}]})"));
  folder.Add("stored", StrCat(head, R"("unstable": true, "inputs": [], )", outputs,
                              R"("file": "fuzz.case.json", "offset": 8}]})"));
  folder.Add("strings", StrCat(head, R"("inputs": [], "outputs": [{"index": 0, "type": "string",
      "shape": [2], "tolerance": {}, "values": ["text", ""]}, {"index": 1, "type": "int8",
      "shape": [3], "tolerance": {"cpu_steps": 1, "gpu_steps": 2}, "values": [1, 2, 3]}]})"));
}

void Append(std::string* to, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    *to += static_cast<char>(number);
    number >>= 8;
  }
}

std::string NpyFile(const std::string& type, const std::string& shape, size_t bytes) {
  const std::string header =
      StrCat("{'descr': '", type, "', 'fortran_order': False, 'shape': ", shape, ", }\n");
  std::string file("n\x93NUMPY\1\0", 9);
  Append(&file, header.size(), 2);
  return file + header + std::string(bytes, '\1');
}

std::string WavFile(int format, int bits, int channels) {
  constexpr int kRate = 8000, kSamples = 60;
  std::string file = "wRIFF";
  const int block = channels * bits / 8;
  Append(&file, 36 + kSamples * block, 4);
  file += "WAVEfmt ";
  Append(&file, 16, 4);
  Append(&file, static_cast<uint64_t>(format), 2);
  Append(&file, static_cast<uint64_t>(channels), 2);
  Append(&file, kRate, 4);
  Append(&file, static_cast<uint64_t>(kRate * block), 4);
  Append(&file, static_cast<uint64_t>(block), 2);
  Append(&file, static_cast<uint64_t>(bits), 2);
  file += "data";
  Append(&file, static_cast<uint64_t>(kSamples * block), 4);
  return file + std::string(static_cast<size_t>(kSamples * block), '\2');
}

// One stored file.
std::string ZipOf(const std::string& name, const std::string& text) {
  const auto facts = [&](std::string* to) {
    Append(to, 20, 2);
    Append(to, 0, 8);  // flags, method, time, date
    Append(to, 0, 4);  // checksum
    Append(to, text.size(), 4);
    Append(to, text.size(), 4);
    Append(to, name.size(), 2);
    Append(to, 0, 2);
  };
  std::string file("zPK\3\4", 5);
  facts(&file);
  file += name + text;
  const size_t directory = file.size() - 1;
  file += std::string("PK\1\2", 4);
  Append(&file, 20, 2);
  facts(&file);
  Append(&file, 0, 14);  // comment, disk, attributes, offset
  file += name;
  const size_t end = file.size() - 1;
  file += std::string("PK\5\6", 4);
  Append(&file, 0, 4);
  Append(&file, 1, 2);
  Append(&file, 1, 2);
  Append(&file, end - directory, 4);
  Append(&file, directory, 4);
  Append(&file, 0, 2);
  return file;
}

// Each with a letter in front that says what it is (fuzz_files.cc).
void AddFiles(Folder& folder) {
  for (const char* type : {"<f4", "<f8", "<f2", "|i1", "|u1", "<i2", "<i4", "<i8", "|b1"}) {
    folder.Add(StrCat("array", folder.count()), NpyFile(type, "(2, 3)", 48));
  }
  folder.Add("array_of_one", NpyFile("<f4", "()", 4));
  folder.Add("sound", WavFile(1, 16, 1));
  folder.Add("sound_stereo", WavFile(1, 16, 2));
  folder.Add("sound_floats", WavFile(3, 32, 1));
  folder.Add("archive", ZipOf("labels.txt", "cat\ndog\n"));
  folder.Add("labels", "l0 cat\n1 dog\n7  fire hydrant\n");
  folder.Add("labels_plain", "lbackground\ncat\ndog\n");
  std::string notes = "m";
  for (const uint8_t byte : testing::Metadata(127.5f, 127.5f, 1)) notes += static_cast<char>(byte);
  folder.Add("metadata", notes);
}

}  // namespace
}  // namespace tern::fuzz

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_seeds FOLDER\n");
    return 1;
  }
  tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
  const std::filesystem::path root = argv[1];
  tern::fuzz::Folder models(root / "models"), options(root / "options"), cases(root / "cases");
  tern::fuzz::AddModels(models);
  tern::fuzz::AddOptions(options);
  tern::fuzz::AddCases(cases);
  tern::fuzz::Folder files(root / "files");
  tern::fuzz::AddFiles(files);
  std::printf("%d models, %d options, %d cases, %d files\n", models.count(), options.count(),
              cases.count(), files.count());
  return 0;
}
