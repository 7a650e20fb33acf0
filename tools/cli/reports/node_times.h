// SPDX-License-Identifier: Apache-2.0
// Where the time of a run goes: a profiler that keeps what each node took.
#ifndef TERN_TOOLS_CLI_REPORTS_NODE_TIMES_H_
#define TERN_TOOLS_CLI_REPORTS_NODE_TIMES_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/lite/core/api/profiler.h"

namespace tern::cli {

struct NodeTime {
  int subgraph = 0;
  int node = 0;
  std::string op;
  double ms =
      0;  // median over the runs, without the nodes that this one called (the body of WHILE)
};

// Times the nodes of an interpreter that it is set as the profiler of. Events begin and end on one
// thread, one inside the other.
class NodeTimes : public tflite::Profiler {
 public:
  using Clock = std::chrono::steady_clock;

  explicit NodeTimes(std::function<Clock::time_point()> now = Clock::now) : now_(std::move(now)) {}

  using tflite::Profiler::BeginEvent;
  using tflite::Profiler::EndEvent;
  uint32_t BeginEvent(const char* tag, EventType event_type, int64_t node,
                      int64_t subgraph) override;
  void EndEvent(uint32_t event_handle) override;

  // Ends a run: what a node took in it, over all its calls, is one sample.
  void EndRun();
  // Every node that ran, by subgraph and index.
  std::vector<NodeTime> Medians() const;

 private:
  struct Node {
    std::string op;
    double run_ms = 0;  // of the run that goes on
    std::vector<double> samples_ms;
  };
  struct Open {
    Node* node;
    Clock::time_point start;
    double inner_ms = 0;  // of the nodes that it called
  };

  const std::function<Clock::time_point()> now_;
  std::map<std::pair<int64_t, int64_t>, Node> nodes_;
  std::vector<Open> open_;
};

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_REPORTS_NODE_TIMES_H_
