// SPDX-License-Identifier: Apache-2.0
// Where the time of runs goes, by node and by type of node: the tables of the benchmark tool, which
// scripts read. A table per subgraph, and one for what delegates tell of their inside.
#ifndef TERN_TOOLS_BENCHMARK_MODEL_OP_PROFILE_H_
#define TERN_TOOLS_BENCHMARK_MODEL_OP_PROFILE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "benchmark_model/stat.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/profiling/profile_buffer.h"

namespace tern::tools {

struct ProfileRow {
  std::string type;
  std::string name;  // of the outputs and the node's index: one row each
  int64_t order = 0;
  Stat us;
  Stat bytes;  // by which the footprint of the process grew

  int64_t times_called() const { return us.count(); }
};

struct ProfileTable {
  std::vector<ProfileRow> rows;  // in the order in which they first ran
  Stat run_us;                   // sums over all rows, by run

  // The row of that name, added when there is none.
  ProfileRow* Row(const std::string& name, const std::string& type, int64_t order);

  std::map<std::string, size_t> places;  // by name
};

class OpProfile {
 public:
  // Adds the events of one run; none are no run.
  void AddRun(const std::vector<const tflite::profiling::ProfileEvent*>& events,
              const tflite::Interpreter& interpreter);

  // Tables to read, or lines of comma-separated values. The first table is there even when empty.
  std::string Text(const tflite::Interpreter& interpreter, bool csv) const;
  // The wire format of the message tflite.profiling.ModelProfilingData.
  std::string Proto(const tflite::Interpreter& interpreter) const;

 private:
  std::map<int, ProfileTable> subgraphs_ = {{0, {}}};
  ProfileTable delegates_;
};

}  // namespace tern::tools

#endif  // TERN_TOOLS_BENCHMARK_MODEL_OP_PROFILE_H_
