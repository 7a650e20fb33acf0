// SPDX-License-Identifier: Apache-2.0
// Written by hand, because the delegate library should need nothing for it.
#include "delegate/report.h"

#include <cstdio>
#include <functional>

#include "base/str_cat.h"
#include "gpu/plan/tuning_table.h"

namespace tern::delegate {
namespace {

// Bytes of the UTF-8 sequence that starts the text, 0 when it is none.
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF5   ? 0
                        : first >= 0xF0 ? 4
                        : first >= 0xE0 ? 3
                        : first >= 0xC2 ? 2
                                        : 0;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, beyond the last code point.
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) {
    return 0;
  }
  return length;
}

template <typename Item>
void Append(const std::vector<Item>& from, std::vector<Item>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

std::string RefusalJson(const Refusal& r) {
  return StrCat("{\"node\":", r.node, ",\"op\":\"", JsonText(r.op), "\",\"reason\":\"",
                JsonText(r.reason), r.failed ? "\",\"failed\":true}" : "\"}");
}

std::string StorageJson(const gpu::Storage& part) {
  return StrCat("{\"weights\":\"", PrecisionName(part.weights), "\",\"activations\":\"",
                PrecisionName(part.activations), "\",\"sums\":\"", PrecisionName(part.sums), "\"}");
}

std::string PromotedJson(const gpu::PromotedNode& node) {
  return StrCat("{\"node\":", node.node, ",\"label\":\"", JsonText(node.label), "\"}");
}

// A member of the report, where there are any items.
template <typename Items, typename Json>
std::string MemberJson(const char* name, const Items& items, const Json& json) {
  return items.empty() ? "" : StrCat(",\"", name, "\":", JsonList(items, json));
}

std::string TextJson(const std::string& text) { return StrCat("\"", JsonText(text), "\""); }

std::string TrialsJson(const std::vector<gpu::Trial>& trials, const gpu::NodeTuning& common) {
  return JsonList(trials, [&](const gpu::Trial& trial) {
    return StrCat("{\"choice\":\"", gpu::Difference(common, trial.parameters),
                  "\",\"ns\":", trial.nanos, ",\"best_ns\":", trial.best_nanos,
                  ",\"taken\":", trial.taken ? "true" : "false", "}");
  });
}

std::string PartTuningJson(const gpu::PartTuning& part) {
  const std::string from = StrCat("{\"from\":\"", part.from, "\"");
  if (!part.failure.empty()) return StrCat(from, ",\"failure\":\"", JsonText(part.failure), "\"}");
  const gpu::TuneResult& result = part.result;
  const std::string kinds = JsonList(result.kinds, [&](const gpu::TunedKind& kind) {
    return StrCat("{\"label\":\"", JsonText(kind.label),
                  "\",\"nodes\":", JsonList(kind.nodes, std::identity()), ",\"ns\":", kind.nanos,
                  ",\"choice\":\"", gpu::Difference(part.common, kind.parameters),
                  "\",\"trials\":", TrialsJson(kind.trials, part.common), "}");
  });
  return StrCat(from, ",\"tuned\":", result.nodes.size(), ",\"before_ns\":", result.nanos_before,
                ",\"after_ns\":", result.nanos_after, ",\"spent_ns\":", result.nanos_spent,
                ",\"out_of_time\":", result.out_of_time ? "true" : "false", ",\"kinds\":", kinds,
                "}");
}

std::string CountsJson(const AppliedGraph& sum) {
  return StrCat(",\"texts_printed\":", sum.counts.printed,
                ",\"programs_compiled\":", sum.counts.compiled,
                ",\"programs_loaded\":", sum.counts.loaded, ",\"plans_loaded\":", sum.plans_loaded);
}

// Sums by phase, in microseconds.
std::string InitJson(const AppliedGraph& sum, const RunTimes& runs) {
  int64_t nanos[kPhases] = {};
  for (const PhaseSpan& span : sum.init) nanos[static_cast<size_t>(span.phase)] += span.nanos;
  std::string text = StrCat("{\"total_us\":", sum.init_nanos / 1000);
  for (size_t i = 0; i < kStartPhases; ++i) {
    text += StrCat(",\"", kPhaseNames[i], "_us\":", nanos[i] / 1000);
  }
  return StrCat(text, ",\"first_run_us\":", runs.first_nanos / 1000, "}");
}

std::string NamesOf(const PhaseSpan& span) { return NameOf(span.phase); }
std::string NamesOf(const gpu::LaunchSpan& span) {
  return StrCat(JsonText(span.label), "\",\"kernel\":\"", span.kernel);
}

template <typename Span>
std::string SpansJson(const std::vector<Span>& spans) {
  return JsonList(spans, [](const Span& span) {
    return StrCat("{\"name\":\"", NamesOf(span), "\",\"start_ns\":", span.start_nanos,
                  ",\"ns\":", span.nanos, "}");
  });
}

std::string TraceJson(const AppliedGraph& sum, const RunTimes& runs) {
  if (!runs.trace) return "";
  return StrCat(",\"trace\":{\"init\":", SpansJson(sum.init),
                ",\"runs\":", SpansJson(runs.kept.phases),
                ",\"launches\":", SpansJson(runs.kept.launches), "}");
}

}  // namespace

std::string JsonText(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    const char c = text[0];
    if (length == 0) {
      out += '?';
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string ReportJson(const Identity& identity, const std::vector<AppliedGraph>& graphs,
                       const RunTimes& runs) {
  AppliedGraph sum;
  std::vector<const Explanation*> explanations;
  for (const AppliedGraph& graph : graphs) {
    explanations.push_back(&graph.explanation);
    sum.nodes += graph.nodes;
    sum.delegated += graph.delegated;
    sum.partitions += graph.partitions;
    sum.programs.insert(graph.programs.begin(), graph.programs.end());
    sum.counts += graph.counts;
    sum.plans_loaded += graph.plans_loaded;
    sum.dispatches += graph.dispatches;
    sum.gpu_bytes += graph.gpu_bytes;
    sum.arena_bytes += graph.arena_bytes;
    sum.init_nanos += graph.init_nanos;
    Append(graph.init, &sum.init);
    Append(graph.refused, &sum.refused);
    Append(graph.storage, &sum.storage);
    Append(graph.promoted, &sum.promoted);
    Append(graph.tuning, &sum.tuning);
    Append(graph.listing.plans, &sum.listing.plans);
    Append(graph.listing.kernels, &sum.listing.kernels);
  }
  return StrCat(
      "{\"engine\":\"", JsonText(identity.engine), "\",\"choice\":\"", JsonText(identity.choice),
      "\",\"device\":\"", JsonText(identity.device), "\",\"driver\":\"", JsonText(identity.driver),
      "\",\"precision\":\"", identity.precision, "\",\"slice_width\":", identity.slice_width,
      ",\"nodes\":", sum.nodes, ",\"delegated\":", sum.delegated,
      ",\"partitions\":", sum.partitions, ",\"refused\":", JsonList(sum.refused, RefusalJson),
      ",\"programs\":", sum.programs.size(), CountsJson(sum), ",\"gpu_bytes\":", sum.gpu_bytes,
      ",\"arena_bytes\":", sum.arena_bytes, ",\"dispatches\":", sum.dispatches,
      ",\"init\":", InitJson(sum, runs), TraceJson(sum, runs),
      ",\"storage\":", JsonList(sum.storage, StorageJson),
      ",\"promoted\":", JsonList(sum.promoted, PromotedJson),
      MemberJson("tuning", sum.tuning, PartTuningJson), ",", ExplanationJson(explanations),
      MemberJson("warnings", identity.warnings, TextJson),
      MemberJson("plans", sum.listing.plans, TextJson),
      MemberJson("kernels", sum.listing.kernels, TextJson), "}");
}

}  // namespace tern::delegate
