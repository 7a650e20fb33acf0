// SPDX-License-Identifier: Apache-2.0
// The result in the wire format; field numbers are those of benchmark_result.proto.
#include "benchmark_model/result.h"

#include "api/profiling/proto_message.h"

namespace tern::tools {
namespace {

float Ms(double us) { return static_cast<float>(us / 1e3); }

ProtoMessage Latency(const BenchmarkResult& result) {
  ProtoMessage latency;
  if (result.us.count() > 0) {
    latency.AddFloat(1, Ms(result.us.Mean()));
    int field = 2;
    for (const int64_t us :
         {result.us.Min(), result.us.Max(), result.us.Deviation(), result.us.Percentile(50),
          result.us.Percentile(5), result.us.Percentile(95)}) {
      latency.AddFloat(field++, Ms(static_cast<double>(us)));
    }
  }
  latency.AddFloat(8, Ms(static_cast<double>(result.init_us)));
  if (result.warmup_us.count() > 0) {
    latency.AddFloat(9, Ms(static_cast<double>(result.warmup_us.First())));
    latency.AddFloat(10, Ms(result.warmup_us.Mean()));
  }
  return latency;
}

}  // namespace

std::string ResultMessage(const BenchmarkResult& result) {
  ProtoMessage memory;
  memory.AddInt(1, result.init_kb);
  memory.AddInt(2, result.overall_kb);
  if (result.peak_mb > 0) memory.AddFloat(3, result.peak_mb);

  ProtoMessage other;
  other.AddFloat(1, static_cast<float>(result.model_mb));
  other.AddInt(2, result.us.count());
  other.AddInt(3, result.warmup_us.count());
  if (result.us.Sum() > 0) {
    const double bytes =
        static_cast<double>(result.input_bytes) * static_cast<double>(result.us.count());
    const double seconds = static_cast<double>(result.us.Sum()) / 1e6;
    other.AddFloat(4, static_cast<float>(bytes / seconds / (1 << 20)));
  }

  ProtoMessage message;
  message.AddBytes(1, result.name);
  message.AddMessage(2, Latency(result));
  message.AddMessage(3, memory);
  message.AddMessage(4, other);
  return message.bytes();
}

}  // namespace tern::tools
