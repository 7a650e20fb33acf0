// SPDX-License-Identifier: Apache-2.0
// Writes a pack of malformed models:   make_malformed FOLDER
//
// Damaged containers, damaged graphs, and each good model of an operation with some of the damages
// of the mutated models' test. FOLDER/index.tsv has a line for each file: its name, what is wrong,
// how far the runtime comes with it («load», «allocate», «invoke»: where it fails; «runs»), and
// what it says.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/str_cat.h"
#include "ops/testing/attempt.h"
#include "ops/testing/damage.h"
#include "ops/testing/good_models.h"
#include "ops/testing/mutations.h"
#include "tensorflow/lite/logger.h"

namespace tern::testing {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<uint8_t>;
using tflite::BuiltinOperator_ADD;
using tflite::BuiltinOperator_WHILE;
using tflite::ModelT;

// Of each good model.
constexpr int kMutations = 2;

// By Stage.
constexpr const char* kStages[] = {"load", "allocate", "invoke", "runs"};

Outcome Try(const Bytes& bytes) {
  return AttemptFile(bytes, Route::kFileOptimized, {.fill = Usage::Fill::kZeros});
}

class Pack {
 public:
  explicit Pack(fs::path folder) : folder_(std::move(folder)) {
    fs::create_directories(folder_);
    index_.open(folder_ / "index.tsv");
  }

  void Add(const std::string& name, const std::string& what, const Bytes& bytes) {
    const std::string file = FileName(name) + ".tflite";
    std::ofstream(folder_ / file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    // Left behind when the process ends here.
    index_ << file << '\t' << what << '\t' << std::flush;
    Outcome outcome = Try(bytes);
    for (char& c : outcome.message) {
      if (c == '\n' || c == '\t' || c == '\0') c = ' ';
    }
    index_ << kStages[static_cast<size_t>(outcome.stage)] << '\t' << outcome.message << '\n';
    ++count_;
  }
  int count() const { return count_; }

 private:
  static std::string FileName(std::string name) {
    for (char& c : name) {
      if (c == '/' || c == ' ') c = '_';
    }
    return name;
  }

  fs::path folder_;
  std::ofstream index_;
  int count_ = 0;
};

// Tensors: 0 an input, 1 a constant, 2 the sum.
ModelBuilder Sum() {
  ModelBuilder b;
  const int x = b.Input({2, 3}), one = b.Const<float>({3}, {1, 2, 3}), sum = b.Tensor({2, 3});
  b.Output(b.Op(BuiltinOperator_ADD, {x, one}, {sum}, tflite::AddOptionsT()));
  return b;
}

void AddContainers(Pack& pack) {
  const Bytes good = Sum().Finish();
  const auto cut = [&](const std::string& name, size_t kept) {
    pack.Add("container_cut_" + name, "only the first bytes: cut " + name,
             Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(kept)));
  };
  for (const size_t kept : {0, 1, 4, 7, 8, 12, 31}) cut(StrCat("at_", kept), kept);
  cut("at_half", good.size() / 2);
  cut("by_64", good.size() - 64);
  cut("by_1", good.size() - 1);
  const auto edit = [&](const std::string& name, const std::string& what, auto change) {
    Bytes bytes = good;
    change(bytes);
    pack.Add("container_" + name, what, bytes);
  };
  const auto move_root = [&](const std::string& where, uint32_t root) {
    edit("root_" + where, "the root table lies at " + where,
         [&](Bytes& b) { std::memcpy(b.data(), &root, 4); });
  };
  for (const uint32_t root : {0u, 1u, 6u, 0x7fffffffu, 0xffffffffu}) move_root(StrCat(root), root);
  move_root("the_end", static_cast<uint32_t>(good.size()));
  edit("identifier", "the identifier is TFL2", [](Bytes& b) { b[7] = '2'; });
  edit("no_identifier", "the identifier is zeros", [](Bytes& b) { std::memset(&b[4], 0, 4); });
  edit("zeros", "every byte behind the identifier is 0",
       [](Bytes& b) { std::memset(&b[8], 0, b.size() - 8); });
  edit("ones", "every byte behind the identifier is 255",
       [](Bytes& b) { std::memset(&b[8], 255, b.size() - 8); });
  edit("text", "a text in the place of a model", [](Bytes& b) {
    b.assign(reinterpret_cast<const uint8_t*>("<html></html>"),
             reinterpret_cast<const uint8_t*>("<html></html>") + 13);
  });
  edit("appended", "a hundred bytes behind the model", [](Bytes& b) { b.resize(b.size() + 100); });
  edit("reversed", "the bytes in reverse order",
       [](Bytes& b) { std::reverse(b.begin(), b.end()); });
}

// Graphs of one ADD, each with one fault.
void AddGraphs(Pack& pack) {
  ModelBuilder sum = Sum();
  for (const Mutation& mutation : GraphMutationsOf(sum.model())) {
    ModelT model = sum.model();
    mutation.apply(model);
    pack.Add("graph_" + mutation.id, mutation.what, BytesOf(model));
  }
}

// x -> WHILE -> y; a condition that is always false, a body that gives what it gets.
ModelBuilder Loop() {
  ModelBuilder b;
  const int x = b.Input({1}), y = b.Tensor({1});
  tflite::WhileOptionsT options;
  options.cond_subgraph_index = 1;
  options.body_subgraph_index = 2;
  b.Op(BuiltinOperator_WHILE, {x}, {y}, options);
  b.Output(y);
  b.AddSubgraph("condition");
  b.Input({1});
  b.Output(b.Const<bool>({1}, {false}));
  b.AddSubgraph("body");
  b.Output(b.Input({1}));
  return b;
}

void AddLoops(Pack& pack) {
  const auto add = [&](const std::string& name, const std::string& what, const Damage& change) {
    ModelBuilder b = Loop();
    change(b.model());
    pack.Add("loop_" + name, what, b.Finish());
  };
  for (const int32_t index : {-1, 0, 3, 1000000}) {
    add(StrCat("condition_", index), StrCat("the condition is subgraph ", index, " of 3"),
        Set(&tflite::WhileOptionsT::cond_subgraph_index, index));
    add(StrCat("body_", index), StrCat("the body is subgraph ", index, " of 3"),
        Set(&tflite::WhileOptionsT::body_subgraph_index, index));
  }
  add("condition_type", "the condition gives a FLOAT32",
      [](ModelT& m) { m.subgraphs[1]->outputs = {0}; });
  add("condition_outputs", "the condition gives nothing",
      [](ModelT& m) { m.subgraphs[1]->outputs.clear(); });
  add("body_outputs", "the body gives nothing", [](ModelT& m) { m.subgraphs[2]->outputs.clear(); });
  add("body_type", "the body gives another type",
      [](ModelT& m) { m.subgraphs[2]->tensors[0]->type = tflite::TensorType_INT8; });
}

// Of each good model, damages that its name chooses: those of others stay when one is added.
void AddMutations(Pack& pack) {
  for (const GoodModel& good : AllGoodModels()) {
    const std::vector<Mutation> mutations = MutationsOf(good.model);
    std::vector<size_t> chosen;
    for (int i = 0; static_cast<int>(chosen.size()) < kMutations; ++i) {
      const size_t at = HashText(StrCat(good.op, " ", i)) % mutations.size();
      if (std::find(chosen.begin(), chosen.end(), at) != chosen.end()) continue;
      const std::string what = StrCat(good.op, ": ", mutations[at].what);
      std::fprintf(stderr, "%s\n", what.c_str());  // the last line tells where a crash happened
      ModelT model = good.model;
      mutations[at].apply(model);
      const Bytes bytes = BytesOf(model);
      if (Try(bytes).scarce) continue;
      chosen.push_back(at);
      pack.Add(StrCat("op_", good.op, "_", at), what, bytes);
    }
  }
}

}  // namespace
}  // namespace tern::testing

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_malformed FOLDER\n");
    return 1;
  }
  tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
  tern::testing::Pack pack(argv[1]);
  tern::testing::AddContainers(pack);
  tern::testing::AddGraphs(pack);
  tern::testing::AddLoops(pack);
  tern::testing::AddMutations(pack);
  std::printf("%d models\n", pack.count());
  return 0;
}
