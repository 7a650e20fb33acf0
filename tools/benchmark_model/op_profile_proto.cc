// SPDX-License-Identifier: Apache-2.0
// The tables as messages of profiling_info.proto; the numbers of fields are those of that file.
#include "benchmark_model/op_profile.h"
#include "benchmark_model/proto.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tern::tools {
namespace {

// OpProfilingStat, in units of `unit`.
ProtoMessage StatMessage(const Stat& stat, int64_t unit) {
  const auto scale = static_cast<double>(unit);
  ProtoMessage message;
  message.AddInt(1, stat.First() / unit);
  message.AddInt(2, stat.Last() / unit);
  message.AddInt(3, static_cast<int64_t>(stat.Mean() / scale));
  message.AddFloat(4, static_cast<float>(static_cast<double>(stat.Deviation()) / scale));
  message.AddFloat(5, static_cast<float>(stat.Variance() / (scale * scale)));
  message.AddInt(6, stat.Min() / unit);
  message.AddInt(7, stat.Max() / unit);
  message.AddInt(8, stat.Sum() / unit);
  message.AddInt(9, stat.count());
  return message;
}

// OpProfileData of every row, as field `field`.
void AddRows(const ProfileTable& table, int field, ProtoMessage* message) {
  const int64_t runs = table.run_us.count();
  for (const ProfileRow& row : table.rows) {
    ProtoMessage op;
    op.AddBytes(1, row.type);
    op.AddMessage(2, StatMessage(row.us, 1));
    op.AddMessage(3, StatMessage(row.bytes, 1000));
    op.AddInt(4, runs > 0 ? row.times_called() / runs : 0);
    op.AddBytes(5, row.name);
    op.AddInt(6, row.order);
    message->AddMessage(field, op);
  }
}

}  // namespace

std::string OpProfile::Proto(const tflite::Interpreter& interpreter) const {
  ProtoMessage model;
  for (const auto& [index, table] : subgraphs_) {
    const tflite::Subgraph* graph = interpreter.subgraph(index);
    ProtoMessage subgraph;
    subgraph.AddBytes(1, graph == nullptr ? "" : graph->GetName());
    subgraph.AddInt(2, index);
    AddRows(table, 3, &subgraph);
    model.AddMessage(1, subgraph);
  }
  if (delegates_.run_us.count() > 0) {
    ProtoMessage delegate;
    AddRows(delegates_, 2, &delegate);
    model.AddMessage(2, delegate);
  }
  return model.bytes();
}

}  // namespace tern::tools
